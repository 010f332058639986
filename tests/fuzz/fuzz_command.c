/*
 * Any bytes as a command: the verb up to the first newline, then the payload. The result must be
 * consistent, and a reply must be possible.
 */
#include "wire/wire.h"

#include "rules/fields.h"

#include <stdlib.h>
#include <string.h>

enum { VERB_SIZE = 64 };

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

static void require_reply(char *reply)
{
    require(reply != NULL);
    free(reply);
}

/* Draws as the table does. */
static void draw(struct command *command)
{
    if (command->first_is_drawn) {
        require(command->setup.first == PLAYER_NONE);
        command->setup.first = 1;
    }
    for (unsigned harbour = 1; command->barrels_are_drawn && harbour < HARBOUR_COUNT; harbour++) {
        require(command->setup.barrels[harbour] == HARBOUR_NONE);
        command->setup.barrels[harbour] = (uint8_t)(harbour % 3 + 1);
    }
}

static void require_playable(struct command *command)
{
    static struct game game;
    static struct outcome outcome;
    const struct wire_names names = {.table = "den", .game = "1"};

    memset(&game, 0, sizeof game);
    draw(command);
    command->input.setup = &command->setup;
    if (rules_step(&game, &command->input, &outcome) == 0) {
        require(rules_violation(&game) == NULL);
        require_reply(wire_state(&game, &names));
        require_reply(wire_event(&game, &outcome.events[0], &names, 0, NULL, NULL));
    }
}

static const struct game lobby;
static const struct outcome nothing;

static void require_sound(struct command *command)
{
    if (command->refusal) {
        require(command->message[0] != '\0');
        require_reply(
            wire_reply_refused(command->id, command->refusal, RULE_NONE, command->message));
        return;
    }
    require(command->message[0] == '\0');
    require(input_check_complete(&command->input) == 0);
    require_reply(wire_reply_ok(command->id, &lobby, &nothing));
    if (command->input.kind == INPUT_NEW_GAME) {
        require_playable(command);
    }
}

static void require_sound_query(enum query_kind kind, const uint8_t *payload, size_t size)
{
    static struct command command;
    struct wire_query query;

    wire_read_query(kind, payload, size, &command, &query);
    require(query.kind == kind && query.limit <= WIRE_GAMES_MAX);
    require(memchr(query.game, '\0', sizeof query.game) != NULL);
    require(memchr(query.before, '\0', sizeof query.before) != NULL);
    require(!command.refusal == !command.message[0]);
    require(command.refusal || kind != QUERY_LOOK_BACK || query.seq > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct command command;
    struct setup setup;
    const struct wire_defaults defaults = {.setup = &setup};
    const uint8_t *end = memchr(data, '\n', size);
    char verb[VERB_SIZE] = "";

    if (!end || end - data >= VERB_SIZE) {
        return 0;
    }
    memcpy(verb, data, (size_t)(end - data));
    rules_default_setup(&setup, 4);
    size_t payload_size = size - (size_t)(end + 1 - data);
    enum query_kind query = wire_query_named(verb);
    if (query) {
        require_sound_query(query, end + 1, payload_size);
        return 0;
    }
    wire_read_command(verb, end + 1, payload_size, &defaults, &command);
    require(memchr(command.id, '\0', sizeof command.id) != NULL);
    require(memchr(command.message, '\0', sizeof command.message) != NULL);
    require_sound(&command);
    return 0;
}
