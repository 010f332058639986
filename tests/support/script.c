#include "script.h"

#include "statement.h"

#include "rules/line.h"
#include "rules/play.h"
#include "rules/text.h"

#include <string.h>

enum { PAST_MAX = 512, STEP_US = 100000 };

struct player {
    struct setup setup;
    struct play play;
    struct past past[PAST_MAX];
    struct outcome outcome;
    uint64_t clock_us;
};

/*
 * The setup
 */

static void set_rules(struct setup *setup, const struct words *words)
{
    setup->variant = (uint8_t)rules_variant_named(words->name);
}

static void set_scenario(struct setup *setup, const struct words *words)
{
    setup->scenario = (uint8_t)rules_scenario_named(words->name);
}

static void set_first(struct setup *setup, const struct words *words)
{
    setup->first = (uint8_t)words->number;
}

static void set_barrel(struct setup *setup, const struct words *words)
{
    setup->barrels[words->colour] = (uint8_t)words->other_colour;
}

/* Players sit down in the order in which they are named. */
static void add_player(struct setup *setup, const struct words *words)
{
    if (setup->players < PLAYERS_MAX) {
        struct seat *seat = &setup->seats[++setup->players];
        struct text name = text_begin(seat->name, sizeof seat->name);
        text_add(&name, words->name);
        seat->harbours = (uint8_t)words->colours;
    }
}

static void add_team_player(struct setup *setup, const struct words *words)
{
    add_player(setup, words);
    setup->seats[setup->players].team = (uint8_t)words->number;
    setup->teams = 1;
}

static const struct {
    const char *pattern;
    void (*apply)(struct setup *setup, const struct words *words);
} statements[] = {
    {"rules NAME", set_rules},           {"scenario NAME", set_scenario},
    {"player NAME COLOURS", add_player}, {"player NAME COLOURS team NUMBER", add_team_player},
    {"first NUMBER", set_first},         {"barrel COLOUR to COLOUR", set_barrel},
};

/* A setup that cannot be is new-game's to refuse; here only the words are understood. */
static bool read_setup(struct setup *setup, const char *line)
{
    struct words words;

    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (statement_matches(line, statements[i].pattern, &words)) {
            statements[i].apply(setup, &words);
            return true;
        }
    }
    return false;
}

/*
 * The play
 */

static bool is_expectation(const char *line)
{
    return line[strspn(line, " ")] == '>';
}

static bool is_input(const char *line)
{
    return line[0] != '\0' && line[0] != '#';
}

static void step(struct player *player, struct input *input, const struct script_listener *listener,
                 void *context)
{
    uint64_t due_us = rules_deadline(&player->play.game);
    bool waits = input->kind == INPUT_WINDOW_OVER && due_us > player->clock_us;

    player->clock_us = waits ? due_us : player->clock_us + STEP_US;
    input->at_us = player->clock_us;
    input->setup = input->kind == INPUT_NEW_GAME ? &player->setup : NULL;
    int refusal = play_step(&player->play, input, &player->outcome);
    listener->step(context, &(struct script_step){
                                .input = input,
                                .game = &player->play.game,
                                .refusal = refusal,
                                .outcome = &player->outcome,
                            });
}

/* False for a line that is neither setup nor input. */
static bool play_line(struct player *player, const char *line,
                      const struct script_listener *listener, void *context)
{
    struct input input;

    if (read_setup(&player->setup, line)) {
        return true;
    }
    if (line_read_input(line, &input)) {
        return false;
    }
    step(player, &input, listener, context);
    return true;
}

int script_play(FILE *file, const struct script_listener *listener, void *context)
{
    struct player player = {0};
    char line[LINE_SIZE];
    int number = 0;

    rules_default_setup(&player.setup, 0);
    play_begin(&player.play, player.past, PAST_MAX);
    while (fgets(line, sizeof line, file)) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (is_expectation(line)) {
            continue;
        }
        char *result = strstr(line, " > ");
        if (result && is_input(line)) {
            *result = '\0';
        }
        listener->line(context, line);
        if (is_input(line) && !play_line(&player, line, listener, context)) {
            return number;
        }
    }
    return 0;
}

size_t script_write_refusal(enum refusal refusal, enum rule rule, char *text, size_t size)
{
    return (size_t)snprintf(text, size, "refused %s%s%s", rules_refusal_name(refusal),
                            rule ? " " : "", rule ? rules_rule_name(rule) : "");
}
