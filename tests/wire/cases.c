/*
 * Runs tests of commands, NAME.txt (support/cases.h). A statement is a verb and a payload; what is
 * read from it is a line as in rules/line.h, and `id=ID` if it has one. A new game is followed by
 * what differs from the configuration: four players, Dora first, barrels to the next harbour. Of a
 * query, all fields that are not empty follow. A refusal is its code, a colon and the message.
 *
 *     drawn            before a verb: first player and barrels are drawn unless they are named
 *     team 2 Anna      the configuration has this player in a team
 */
#include "tests/support/cases.h"

#include "rules/line.h"
#include "rules/text.h"
#include "wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESULT_SIZE = 512 };

struct wire_case {
    struct setup configured;
    char result[RESULT_SIZE];
};

static struct wire_case wire_case;

static const char *const names[PLAYER_COUNT] = {"", "Anna", "Ben", "Cleo", "Dora"};

static void *begin(void)
{
    struct setup *setup = &wire_case.configured;

    rules_default_setup(setup, PLAYERS_MAX);
    setup->first = 4;
    setup->house.ship_points = 5;
    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        memset(setup->seats[player].name, 0, NAME_SIZE);
        memcpy(setup->seats[player].name, names[player], strlen(names[player]));
        setup->barrels[player] = (uint8_t)(player % PLAYERS_MAX + 1); /* a harbour each */
    }
    return &wire_case;
}

/* ` Anna red+blue 1, Ben green`: name, harbours, and the team if there is one. */
static void add_seats(struct text *text, const struct setup *setup)
{
    for (unsigned player = 1; player <= PLAYERS_MAX && setup->seats[player].harbours; player++) {
        const struct seat *seat = &setup->seats[player];
        const char *between = " ";
        text_add(text, player > 1 ? ", " : " seats ");
        text_add(text, seat->name);
        for (enum harbour harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
            if (seat->harbours & bit(harbour)) {
                text_add(text, between);
                text_add(text, rules_harbour_name(harbour));
                between = "+";
            }
        }
        if (seat->team) {
            text_add(text, " ");
            text_add_number(text, seat->team);
        }
    }
}

static void add_barrels(struct text *text, const struct command *command)
{
    text_add(text, " barrels");
    text_add(text, command->barrels_are_drawn ? " drawn" : "");
    for (enum harbour harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (command->setup.barrels[harbour]) {
            text_add(text, " ");
            text_add(text, rules_harbour_name(harbour));
            text_add(text, ":");
            text_add(text, rules_harbour_name(command->setup.barrels[harbour]));
        }
    }
}

static void add_word(struct text *text, const char *key, const char *word)
{
    text_add(text, " ");
    text_add(text, key);
    text_add(text, word);
}

/* What differs from the configuration; `other bytes` for anything that is not listed here. */
static void add_game(struct text *text, const struct command *command, struct setup configured)
{
    const struct setup *setup = &command->setup;

    if (setup->variant != configured.variant) {
        add_word(text, "rules=", rules_variant_name((enum variant)setup->variant));
    }
    if (setup->scenario != configured.scenario) {
        add_word(text, "scenario=", rules_scenario_name((enum scenario_id)setup->scenario));
    }
    if (setup->dice != configured.dice) {
        add_word(text, "dice=", rules_dice_name((enum dice)setup->dice));
    }
    if (setup->first != configured.first || command->first_is_drawn) {
        text_add(text, command->first_is_drawn ? " first drawn " : " first ");
        text_add_number(text, setup->first);
    }
    if (setup->teams != configured.teams) {
        add_word(text, setup->teams ? "teams" : "no teams", "");
    }
    if (memcmp(setup->seats, configured.seats, sizeof setup->seats) != 0) {
        add_seats(text, setup);
    }
    if (memcmp(setup->barrels, configured.barrels, sizeof setup->barrels) != 0) {
        add_barrels(text, command);
    }
    text_add(text, command->input.abandon ? " abandon" : "");
    text_add(text, command->anyway ? " anyway" : "");
    memcpy(configured.seats, setup->seats, sizeof configured.seats);
    memcpy(configured.barrels, setup->barrels, sizeof configured.barrels);
    configured.variant = setup->variant;
    configured.scenario = setup->scenario;
    configured.dice = setup->dice;
    configured.first = setup->first;
    configured.teams = setup->teams;
    configured.players = setup->players;
    text_add(text, memcmp(&configured, setup, sizeof configured) == 0 ? "" : " other bytes");
}

static void add_query(struct text *text, const struct wire_query *query)
{
    text_add(text, wire_query_name(query->kind));
    if (query->from) {
        add_word(text, "from=", "");
        text_add_number(text, query->from);
    }
    if (query->game[0]) {
        add_word(text, "game=", query->game);
    }
    text_add(text, query->states ? " states" : "");
    if (query->before[0]) {
        add_word(text, "before=", query->before);
    }
    if (query->kind == QUERY_GAMES) {
        add_word(text, "limit=", "");
        text_add_number(text, query->limit);
    }
    if (query->seq) {
        add_word(text, "seq=", "");
        text_add_number(text, query->seq);
    }
}

static void write_result(struct wire_case *it, const struct command *command,
                         const struct wire_query *query)
{
    struct text text = text_begin(it->result, sizeof it->result);
    char line[LINE_SIZE];

    if (command->refusal) {
        text_add(&text, rules_refusal_name(command->refusal));
        text_add(&text, ": ");
        text_add(&text, command->message);
    } else if (query->kind) {
        add_query(&text, query);
    } else {
        line_write_input(&command->input, line, sizeof line);
        text_add(&text, line);
        if (command->input.kind == INPUT_NEW_GAME) {
            add_game(&text, command, it->configured);
        }
    }
    if (command->id[0]) {
        add_word(&text, "id=", command->id);
    }
}

static void run(void *self, char *statement)
{
    struct wire_case *it = self;
    bool is_drawn = strncmp(statement, "drawn ", 6) == 0;
    char *verb = is_drawn ? statement + 6 : statement;
    char *payload = verb + strcspn(verb, " ");
    const struct wire_defaults defaults = {
        .setup = &it->configured, .first_is_drawn = is_drawn, .barrels_are_drawn = is_drawn};
    struct command command;

    payload += *payload ? (*payload = '\0', 1) : 0;
    it->result[0] = '\0';
    if (strcmp(verb, "team") == 0) {
        for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
            if (strcmp(payload + 2, names[player]) == 0) {
                it->configured.seats[player].team = (uint8_t)(payload[0] - '0');
            }
        }
        return;
    }
    /* Memory of exactly that size, so that the sanitizer detects every read beyond it. */
    size_t size = strlen(payload);
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, payload, size);
    struct wire_query query = {.kind = wire_query_named(verb)};
    if (query.kind) {
        wire_read_query(query.kind, copy, size, &command, &query);
    } else {
        wire_read_command(verb, copy, size, &defaults, &command);
    }
    free(copy);
    write_result(it, &command, &query);
}

static void compare(void *self, const char *const *lines)
{
    const struct wire_case *it = self;

    if (lines[0] && (strcmp(it->result, lines[0]) != 0 || lines[1])) {
        cases_fail("expected\n%s\ngot\n%s", lines[0], it->result);
    }
}

static void end(void *self)
{
    (void)self;
}

int main(int argc, char **argv)
{
    static const struct language language = {begin, run, compare, end};

    return argc == 2 ? cases_run(argv[1], &language) : 1;
}
