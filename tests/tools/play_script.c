/* Plays a game script and prints it for a person: the story, turn by turn, and who won. */
#include "tests/support/script.h"

#include "rules/say.h"

#include <errno.h>
#include <string.h>
#include <sysexits.h>

static void print_story(void *context, const char *text)
{
    (void)context;
    if (strncmp(text, "# ", 2) == 0) {
        printf("\n%s\n", text + 2);
    }
}

static void print_ranking(const struct game *game, const struct event *event)
{
    for (unsigned i = 0; i < PLAYERS_MAX && event->ranking[i].player; i++) {
        const struct rank *rank = &event->ranking[i];
        printf("    %u. %s: %d points\n", rank->place, game->setup.seats[rank->player].name,
               (int)rank->points);
    }
}

static void print_event(const struct game *game, const struct event *event)
{
    char text[SENTENCE_SIZE];

    say_event(game, event, text, sizeof text);
    if (event->kind == EVENT_TURN_STARTED) {
        printf("\nTurn %u. %s\n", event->turn, text);
    } else {
        printf("  %s\n", text);
    }
    if (event->kind == EVENT_GAME_OVER) {
        print_ranking(game, event);
    }
}

static void print_step(void *context, const struct script_step *step)
{
    char text[SENTENCE_SIZE];

    (void)context;
    if (step->refusal) {
        say_refusal(step->game, step->input, (enum refusal)step->refusal, step->outcome->rule, text,
                    sizeof text);
        printf("  Not allowed: %s\n", text);
    }
    for (unsigned i = 0; i < step->outcome->count; i++) {
        print_event(step->game, &step->outcome->events[i]);
    }
}

int main(int argc, char **argv)
{
    static const struct script_listener listener = {print_story, print_step};

    if (argc != 2) {
        fprintf(stderr, "usage: play_script FILE.game\n");
        return EX_USAGE;
    }
    FILE *file = fopen(argv[1], "r");
    if (!file) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
        return EX_NOINPUT;
    }
    int line = script_play(file, &listener, NULL);
    fclose(file);
    if (line) {
        fprintf(stderr, "%s:%d: neither setup nor input\n", argv[1], line);
        return EX_DATAERR;
    }
    return 0;
}
