/* Commands: read, filled in with what the table knows (dice, draws, the rope), and answered. */
#include "common/log.h"
#include "internal.h"
#include "rules/say.h"
#include "wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t draw(const struct table *table, uint32_t below)
{
    return table->ports.lots.draw(table->ports.lots.self, below);
}

/*
 * Answering
 */

/*
 * The NAME in PREFIX/TABLE/reply/NAME, or NULL. No other topic is answered to: the daemon may write
 * where whoever asks may not, and a broker may hang up on a topic that is too long or too deep.
 */
static const char *reply_name(const struct table *table, const char *topic)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    static const char below[] = "reply/";
    size_t base = strlen(table->base);

    if (strncmp(topic, table->base, base) != 0 ||
        strncmp(topic + base, below, strlen(below)) != 0) {
        return NULL;
    }
    const char *name = topic + base + strlen(below);
    size_t length = strspn(name, letters);
    return length >= 1 && length <= REPLY_NAME_MAX && !name[length] ? name : NULL;
}

/* With a part of its correlation data a reply would answer another question. */
static struct reply_address address_of(const struct table *table, const struct bus_news *news)
{
    const char *name = news->response_topic ? reply_name(table, news->response_topic) : NULL;
    struct reply_address address = {0};

    if (name && news->correlation_size <= CORRELATION_MAX) {
        snprintf(address.name, sizeof address.name, "%s", name);
        address.correlation_size = (uint16_t)news->correlation_size;
        if (news->correlation_size) {
            memcpy(address.correlation, news->correlation, news->correlation_size);
        }
    }
    return address;
}

int table_answer(struct table *table, const struct reply_address *address, const char *json,
                 uint32_t token)
{
    char topic[TOPIC_SIZE + sizeof "reply/" + REPLY_NAME_MAX];

    snprintf(topic, sizeof topic, "%sreply%s%s", table->base, address->name[0] ? "/" : "",
             address->name);
    return table->ports.bus.publish(
        table->ports.bus.self,
        &(struct publication){
            .topic = topic,
            .payload = json,
            .size = strlen(json),
            .qos = 1,
            .correlation = address->correlation_size ? address->correlation : NULL,
            .correlation_size = address->correlation_size,
            .token = token,
        });
}

static void answer(struct table *table, const struct reply_address *address, const char *json)
{
    if (json && table->connected) {
        (void)table_answer(table, address, json, 0);
    }
}

static char *make_refusal(const struct table *table, const struct command *command,
                          enum refusal refusal, enum rule rule)
{
    char message[SENTENCE_SIZE];

    if (command->message[0]) {
        snprintf(message, sizeof message, "%s", command->message);
    } else {
        say_refusal(&table->play.game, &command->input, refusal, rule, message, sizeof message);
    }
    return wire_reply_refused(command->id, refusal, rule, message);
}

/* Of what cannot be read: nobody else can use up an id by it. */
static void answer_unreadable(struct table *table, const struct reply_address *address,
                              const struct command *command)
{
    char *json = make_refusal(table, command, command->refusal, RULE_NONE);

    answer(table, address, json);
    free(json);
}

/* A storage fault passes, so the same id may be tried again. */
static void answer_once(struct table *table, const struct reply_address *address, const char *id,
                        enum refusal refusal, char *json)
{
    answer(table, address, json);
    if (json && refusal != REFUSED_STORAGE) {
        replies_remember(&table->replies, id, json);
    }
    free(json);
}

static void answer_refusal(struct table *table, const struct reply_address *address,
                           const struct command *command, enum refusal refusal, enum rule rule)
{
    answer_once(table, address, command->id, refusal, make_refusal(table, command, refusal, rule));
}

/*
 * Filling in
 */

/*
 * ME1: every barrel to another harbour, each harbour once: a shift of the harbours in random order.
 * The players of setup have been checked: a harbour has one owner at most.
 */
static void draw_barrels(const struct table *table, struct setup *setup)
{
    uint8_t order[HARBOUR_COUNT];
    unsigned count = 0;

    memset(setup->barrels, 0, sizeof setup->barrels);
    for (unsigned player = 1; player <= setup->players; player++) {
        for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
            if (setup->seats[player].harbours & (1U << harbour)) {
                order[count++] = (uint8_t)harbour;
            }
        }
    }
    for (unsigned i = count; i > 1; i--) {
        unsigned drawn = draw(table, i);
        uint8_t last = order[i - 1];
        order[i - 1] = order[drawn];
        order[drawn] = last;
    }
    for (unsigned i = 0; i < count; i++) {
        setup->barrels[order[i]] = order[(i + 1) % count];
    }
}

/* Whether the rules accept the setup without the barrels that are to be drawn. */
static bool fits_without_barrels(const struct command *command)
{
    struct setup setup = command->setup;
    enum rule rule;

    if (command->barrels_are_drawn) {
        setup.scenario = SCENARIO_NO_SCENARIO;
    }
    return !rules_check_setup(&setup, &rule);
}

/* Nothing is drawn for a setup that cannot be played; the rules then say what is wrong with it. */
static void draw_setup(const struct table *table, struct command *command)
{
    struct setup *setup = &command->setup;

    command->input.setup = setup;
    if (command->first_is_drawn) {
        setup->first = 1; /* fits every game */
    }
    if (!fits_without_barrels(command)) {
        return;
    }
    if (command->first_is_drawn) {
        setup->first = (uint8_t)(1 + draw(table, setup->players));
    }
    if (command->barrels_are_drawn && setup->scenario == SCENARIO_MERCHANT) {
        draw_barrels(table, setup);
    }
}

/* With the daemon's dice nobody else says what they show. */
static enum refusal roll(const struct table *table, struct command *command)
{
    struct input *input = &command->input;
    const struct setup *setup = &table->play.game.setup;
    const struct house *house = &setup->house;

    if (setup->dice != DICE_DAEMON) {
        return REFUSED_NOT;
    }
    if (input->value) {
        snprintf(command->message, sizeof command->message,
                 "The daemon rolls the dice in this game; leave the value out.");
        return REFUSED_BAD_VALUE;
    }
    if (input->kind == INPUT_ROLL_MOVE) {
        input->value = house->move_die[draw(table, house->move_faces)];
    } else {
        input->value = house->combat_die[draw(table, house->combat_faces)];
    }
    return REFUSED_NOT;
}

static enum refusal fill_in(struct table *table, struct command *command)
{
    struct input *input = &command->input;

    input->at_us = table_now_us(table);
    switch (input->kind) {
    case INPUT_NEW_GAME:
        draw_setup(table, command);
        return REFUSED_NOT;
    case INPUT_ROLL_MOVE:
    case INPUT_ROLL_COMBAT:
        return table->play.game.phase == PHASE_LOBBY ? REFUSED_NOT : roll(table, command);
    case INPUT_MOVE:
        if (!input->knots_milli && sight_believes_rope(&table->sight)) {
            input->knots_milli = table->sight.rope_milli;
        }
        return REFUSED_NOT;
    default:
        return REFUSED_NOT;
    }
}

/*
 * Carrying out
 */

/* What the rules have against a game comes first; then it matters how the table looks. */
static enum refusal check_ready(struct table *table, struct command *command)
{
    struct game trial = table->play.game;

    if (command->input.kind != INPUT_NEW_GAME || command->anyway ||
        rules_step(&trial, &command->input, &table->outcome) ||
        table_may_start(table, &command->setup, command->message, sizeof command->message)) {
        return REFUSED_NOT;
    }
    return REFUSED_NOT_READY;
}

static void carry_out(struct table *table, const struct reply_address *address,
                      struct command *command, const struct evidence *evidence)
{
    enum refusal refusal = REFUSED_NOT;
    enum rule rule = RULE_NONE;

    /* What was seen before the command was given is recorded before it. */
    if (table_record_seen(table)) {
        refusal = REFUSED_STORAGE;
    }
    if (!refusal) {
        refusal = fill_in(table, command);
    }
    if (!refusal) {
        refusal = check_ready(table, command);
    }
    if (!refusal) {
        refusal = (enum refusal)table_apply(table, &command->input, evidence, command->id);
        rule = table->outcome.rule;
    }
    /* So that the reply follows the state, unless the last one is still on its way. */
    publish_changes(table);
    if (refusal) {
        answer_refusal(table, address, command, refusal, rule);
    } else {
        answer_once(table, address, command->id, REFUSED_NOT,
                    wire_reply_ok(command->id, &table->play.game, &table->outcome));
    }
}

static struct wire_defaults defaults_of(const struct table *table)
{
    const struct setup *setup = &table->config->setup;

    return (struct wire_defaults){
        .setup = setup,
        .first_is_drawn = setup->first == 0,
        .barrels_are_drawn = setup->barrels[HARBOUR_RED] == 0 && setup->barrels[HARBOUR_BLUE] == 0,
    };
}

/* One that the same client, or another one with the same id, has sent before is not done again. */
static void do_command(struct table *table, const struct reply_address *address,
                       struct command *command)
{
    if (table->end_is_unsafe) {
        table_probe_storage(table);
    }
    const char *known = table_known_reply(table, command->id);
    if (table->end_is_unsafe) {
        answer_refusal(table, address, command, REFUSED_STORAGE, RULE_NONE);
    } else if (known) {
        answer(table, address, known);
    } else {
        carry_out(table, address, command, NULL);
    }
}

void table_default_game(const struct table *table, struct command *command)
{
    struct wire_defaults defaults = defaults_of(table);

    wire_read_command(WIRE_START_GAME, "", 0, &defaults, command);
}

void table_command(struct table *table, const char *verb, const struct bus_news *news)
{
    struct wire_defaults defaults = defaults_of(table);
    struct reply_address address = address_of(table, news);
    struct command command;

    if (news->retained) {
        static struct log_limit limit;
        log_limited(&limit, LOG_LEVEL_WARNING,
                    "command %.64s: retained commands are ignored; publish it without retain",
                    verb);
        return;
    }
    wire_read_command(verb, news->payload, news->size, &defaults, &command);
    if (command.refusal) {
        answer_unreadable(table, &address, &command);
    } else if (command.input.kind == INPUT_HISTORY) {
        table_query(table, &command, &address);
    } else {
        do_command(table, &address, &command);
    }
}

int table_repeat(struct table *table, const struct input *input)
{
    struct input repeated = *input;
    int refusal = table_record_seen(table);

    repeated.at_us = table_now_us(table);
    return refusal ? refusal : table_apply(table, &repeated, NULL, "");
}

void table_press(struct table *table, const struct input *input, const struct evidence *evidence)
{
    struct command command;

    table_default_game(table, &command);
    command.input = *input;
    carry_out(table, &(struct reply_address){0}, &command, evidence);
}
