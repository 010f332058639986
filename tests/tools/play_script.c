/*
 * Plays a game script and prints it for a person: the story, turn by turn, and who won. With
 * --script it prints the script again, with the events as they really happen.
 */
#include "tests/support/script.h"

#include "rules/line.h"
#include "rules/say.h"
#include "rules/text.h"

#include <errno.h>
#include <string.h>
#include <sysexits.h>

enum { WIDTH = 100, RESULTS_SIZE = 4096 };

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

/* The line that is not printed yet, because its events may follow it. */
static char pending[LINE_SIZE];
static bool is_pending;

static void end_line(void)
{
    if (is_pending) {
        printf("%s\n", pending);
        is_pending = false;
    }
}

static void print_line(void *context, const char *text)
{
    (void)context;
    end_line();
    snprintf(pending, sizeof pending, "%s", text);
    is_pending = true;
}

static size_t write_results(const struct script_step *step, const char *separator,
                            char text[RESULTS_SIZE])
{
    struct text results = text_begin(text, RESULTS_SIZE);
    char line[LINE_SIZE];

    if (step->refusal) {
        script_write_refusal((enum refusal)step->refusal, step->outcome->rule, line, sizeof line);
        text_add(&results, line);
    }
    for (unsigned i = 0; i < step->outcome->count; i++) {
        line_write_event(&step->outcome->events[i], line, sizeof line);
        text_add(&results, i ? separator : "");
        text_add(&results, line);
    }
    return results.length;
}

static void print_events(void *context, const struct script_step *step)
{
    const char *violation = rules_violation(step->game);
    char text[RESULTS_SIZE];

    (void)context;
    size_t length = write_results(step, ", ", text);
    if (strlen(pending) + strlen(" > ") + length > WIDTH) {
        write_results(step, "\n    > ", text);
        printf("%s\n    > %s\n", pending, text);
    } else {
        printf("%s%s%s\n", pending, length ? " > " : "", text);
    }
    is_pending = false;
    if (violation) {
        printf("violation: %s\n", violation);
    }
}

int main(int argc, char **argv)
{
    static const struct script_listener story = {print_story, print_step};
    static const struct script_listener script = {print_line, print_events};
    bool as_script = argc == 3 && strcmp(argv[1], "--script") == 0;

    if (argc != 2 && !as_script) {
        fprintf(stderr, "usage: play_script [--script] FILE.game\n");
        return EX_USAGE;
    }
    const char *path = argv[argc - 1];
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return EX_NOINPUT;
    }
    int line = script_play(file, as_script ? &script : &story, NULL);
    fclose(file);
    end_line();
    if (line) {
        fprintf(stderr, "%s:%d: neither setup nor input\n", path, line);
        return EX_DATAERR;
    }
    return 0;
}
