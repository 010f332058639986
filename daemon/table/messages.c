/*
 * What arrives from the broker. A command is read and completed with what the table knows (dice,
 * draws, the rope), applied and answered.
 */
#include "messages.h"

#include "common/log.h"
#include "rules/say.h"
#include "table_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUERY_VERB(name, verb) verb,
const char *const table_queries[TABLE_QUERY_COUNT] = {WIRE_QUERIES(QUERY_VERB)};

static uint32_t draw(const struct table *table, uint32_t below)
{
    return table->ports.random.draw(table->ports.random.self, below);
}

/*
 * Replies
 */

static char *make_refusal(const struct table *table, const struct command *command,
                          enum refusal refusal, enum rule rule)
{
    char message[SENTENCE_SIZE];

    if (command->message[0]) {
        snprintf(message, sizeof message, "%s", command->message);
    } else {
        say_refusal(session_game(table->session), &command->input, refusal, rule, message,
                    sizeof message);
    }
    return wire_reply_refused(command->id, refusal, rule, message);
}

/*
 * Replies and frees json. The id is remembered except after a storage fault, which passes: then the
 * same id may be tried again.
 */
static void reply_once(struct table *table, const struct reply_address *address, const char *id,
                       enum refusal refusal, char *json)
{
    replies_send(&table->replies, address, json);
    if (json && refusal != REFUSED_STORAGE) {
        session_remember_reply(table->session, id, json);
    }
    free(json);
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
    const struct setup *setup = &session_game(table->session)->setup;
    const struct house *house = &setup->house;

    if (setup->dice != DICE_DAEMON) {
        return REFUSED_NOT;
    }
    if (input->value) {
        snprintf(command->message, sizeof command->message,
                 "The daemon rolls the dice in this game; leave the value out.");
        return REFUSED_BAD_VALUE;
    }
    /* Only if a die is what is missing. A4: what lies flat surrenders without one. */
    if (rules_try(session_game(table->session), input) != (int)REFUSED_MISSING_FIELD) {
        return REFUSED_NOT;
    }
    input->value = session_known_roll(table->session, input->kind);
    if (input->value) {
        return REFUSED_NOT;
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

    input->at_us = session_now_us(table->session);
    switch (input->kind) {
    case INPUT_NEW_GAME:
        draw_setup(table, command);
        return REFUSED_NOT;
    case INPUT_ROLL_MOVE:
    case INPUT_ROLL_COMBAT:
        return session_game(table->session)->phase == PHASE_LOBBY ? REFUSED_NOT
                                                                  : roll(table, command);
    case INPUT_MOVE:
        if (!input->knots_milli && observed_rope_is_trusted(&table->observed)) {
            input->knots_milli = table->observed.rope_milli;
        }
        return REFUSED_NOT;
    default:
        return REFUSED_NOT;
    }
}

/*
 * Applying
 */

/* The rules are asked first: their refusal says more than that the table is not ready. */
static enum refusal check_ready(const struct table *table, struct command *command)
{
    struct ready_check check;

    if (command->input.kind != INPUT_NEW_GAME || command->anyway ||
        rules_try(session_game(table->session), &command->input)) {
        return REFUSED_NOT;
    }
    ready_check_start(&table->observed, &command->setup, &check);
    if (check.ready) {
        return REFUSED_NOT;
    }
    ready_check_refusal(&check, &command->setup, command->message, sizeof command->message);
    return REFUSED_NOT_READY;
}

static int apply(struct table *table, const struct input *input, const struct evidence *evidence,
                 const char *id)
{
    int refusal = table_apply(table, input, evidence, id);

    if (!refusal && input->kind == INPUT_NEW_GAME) {
        table_report_lying(table);
    }
    return refusal;
}

static void carry_out(struct table *table, const struct reply_address *address,
                      struct command *command, const struct evidence *evidence)
{
    /* What was seen before the command was given is recorded before it. */
    enum refusal refusal = (enum refusal)table_record_seen(table);
    enum rule rule = RULE_NONE;

    if (!refusal) {
        refusal = fill_in(table, command);
    }
    if (!refusal) {
        refusal = check_ready(table, command);
    }
    if (!refusal) {
        refusal = (enum refusal)apply(table, &command->input, evidence, command->id);
        rule = session_outcome(table->session)->rule;
    }
    char *json = refusal ? make_refusal(table, command, refusal, rule)
                         : wire_reply_ok(command->id, session_game(table->session),
                                         session_outcome(table->session));
    /* The reply follows the state, unless the broker has not acknowledged the last state yet. */
    table_refresh(table);
    struct reply_address to = *address;
    to.is_crowded = to.is_crowded && refusal; /* what is recorded is answered, also in a flood */
    reply_once(table, &to, command->id, refusal, json);
}

static struct wire_defaults defaults_of(const struct config *config)
{
    const struct setup *setup = &config->setup;

    return (struct wire_defaults){
        .setup = setup,
        .first_is_drawn = setup->first == 0,
        .barrels_are_drawn = setup->barrels[HARBOUR_RED] == 0 && setup->barrels[HARBOUR_BLUE] == 0,
    };
}

void command_default_game(const struct config *config, struct command *command)
{
    struct wire_defaults defaults = defaults_of(config);

    wire_read_command(WIRE_START_GAME, "", 0, &defaults, command);
}

/* A command whose id has been answered before, to this client or another one, is not repeated. */
static void do_command(struct table *table, const struct reply_address *address,
                       struct command *command)
{
    struct session *session = table->session;

    if (session_end_is_unsafe(session)) {
        table_probe_storage(table);
    }
    const char *known = session_known_reply(session, command->id);
    if (session_end_is_unsafe(session)) {
        reply_once(table, address, command->id, REFUSED_STORAGE,
                   make_refusal(table, command, REFUSED_STORAGE, RULE_NONE));
    } else if (known) {
        replies_send(&table->replies, address, known);
    } else {
        carry_out(table, address, command, NULL);
    }
}

/*
 * Pairing
 */

static bool is_pairing_verb(const char *verb)
{
    return strcmp(verb, WIRE_PAIR) == 0 || strcmp(verb, WIRE_UNPAIR) == 0;
}

/* Fills in the sensor, or refuses. */
static bool check_pair(const struct table *table, bool is_unpair, const char *name,
                       struct command *command, uint16_t *sensor)
{
    const struct sensors *sensors = &table->ports.sensors;
    enum phase phase = (enum phase)session_game(table->session)->phase;

    *sensor = name[0] ? sensors->named(sensors->self, name) : SENSOR_NONE;
    if (command->refusal) {
        return false;
    }
    if (phase != PHASE_LOBBY && phase != PHASE_OVER) {
        command->refusal = REFUSED_GAME_RUNNING;
        snprintf(command->message, sizeof command->message,
                 "Sensors cannot be paired during a game.");
    } else if (is_unpair && !name[0]) {
        command->refusal = REFUSED_MISSING_FIELD;
        snprintf(command->message, sizeof command->message,
                 "\"sensor\" is missing: the name of a sensor, such as \"red-1.tilt\".");
    } else if (name[0] && !*sensor) {
        command->refusal = REFUSED_BAD_VALUE;
        snprintf(command->message, sizeof command->message,
                 "\"sensor\" must be the name of a sensor, such as \"red-1.tilt\".");
    } else if (!is_unpair && sensor_place(*sensor).kind == SENSOR_KIND_ENCODER) {
        command->refusal = REFUSED_BAD_VALUE;
        snprintf(command->message, sizeof command->message,
                 "The two lines of the encoder move together, so that moving them cannot tell "
                 "which is which: set [rope] a and b in the configuration.");
    }
    return !command->refusal;
}

static char *reply_paired(const struct table *table, const char *id)
{
    static const struct outcome nothing;

    return wire_reply_ok(id, session_game(table->session), &nothing);
}

static void unpair(struct table *table, const struct reply_address *address, uint16_t sensor,
                   const struct command *command)
{
    const struct sensors *sensors = &table->ports.sensors;
    int error = table->unpairing.is_waiting ? -EBUSY : sensors->pair(sensors->self, sensor, NULL);

    if (error) {
        reply_once(table, address, command->id, REFUSED_STORAGE,
                   wire_reply_refused(command->id, REFUSED_STORAGE, RULE_NONE, strerror(-error)));
        return;
    }
    table->unpairing.is_waiting = true;
    table->unpairing.address = *address;
    memcpy(table->unpairing.id, command->id, sizeof table->unpairing.id);
}

void table_paired(struct table *table, int error)
{
    struct unpairing *waiting = &table->unpairing;
    enum refusal refusal = error == -ENOENT ? REFUSED_NOTHING_THERE : REFUSED_STORAGE;

    if (!waiting->is_waiting) {
        pairing_stored(table->pairing, error);
        return;
    }
    waiting->is_waiting = false;
    reply_once(table, &waiting->address, waiting->id, error ? refusal : REFUSED_NOT,
               error ? wire_reply_refused(waiting->id, refusal, RULE_NONE,
                                          error == -ENOENT ? "The sensor is not paired."
                                                           : strerror(-error))
                     : reply_paired(table, waiting->id));
}

/* Like any command it is carried out once; it changes the table, and not the game. */
static void pair(struct table *table, bool is_unpair, const struct bus_news *news,
                 const struct reply_address *address)
{
    char name[WIRE_SENSOR_SIZE];
    uint16_t sensor;
    struct command command;

    wire_read_pair(news->payload, news->size, &command, name);
    const char *known = session_known_reply(table->session, command.id);
    if (known) {
        replies_send(&table->replies, address, known);
    } else if (!check_pair(table, is_unpair, name, &command, &sensor)) {
        reply_once(table, address, "", command.refusal,
                   wire_reply_refused(command.id, command.refusal, RULE_NONE, command.message));
    } else if (is_unpair) {
        unpair(table, address, sensor, &command);
    } else {
        if (sensor) {
            pairing_begin(table->pairing, sensor);
        } else {
            pairing_cancel(table->pairing);
        }
        reply_once(table, address, command.id, REFUSED_NOT, reply_paired(table, command.id));
    }
}

void table_command(struct table *table, const char *verb, const struct bus_news *news)
{
    struct wire_defaults defaults = defaults_of(table->config);
    struct reply_address address = replies_address(&table->replies, news);
    enum query_kind query = wire_query_named(verb);
    struct command command;

    if (news->retained) {
        static struct log_limit limit;
        log_limited(&limit, LOG_LEVEL_WARNING,
                    "command %.64s: retained commands are ignored; publish it without retain",
                    verb);
        return;
    }
    if (is_pairing_verb(verb)) {
        pair(table, strcmp(verb, WIRE_UNPAIR) == 0, news, &address);
        return;
    }
    if (query) {
        queries_ask(&table->queries, query, news);
        return;
    }
    wire_read_command(verb, news->payload, news->size, &defaults, &command);
    if (command.refusal) {
        /* Without an id: a command that cannot be read does not use up the id of another client. */
        reply_once(table, &address, "", command.refusal,
                   make_refusal(table, &command, command.refusal, RULE_NONE));
    } else {
        do_command(table, &address, &command);
    }
}

int table_repeat(struct table *table, const struct input *input)
{
    struct input repeated = *input;
    int refusal = table_record_seen(table);

    repeated.at_us = session_now_us(table->session);
    return refusal ? refusal : apply(table, &repeated, NULL, "");
}

void table_press(struct table *table, const struct input *input, const struct evidence *evidence)
{
    struct command command;

    command_default_game(table->config, &command);
    command.input = *input;
    carry_out(table, &(struct reply_address){0}, &command, evidence);
}

/*
 * Other messages, and the connection
 */

/* sim/PLACE/KIND with 0 or 1: a page can be the table if its sensors are simulated. */
static void simulate(struct table *table, const char *path, const struct bus_news *news)
{
    const struct sensors *sensors = &table->ports.sensors;
    char sensor[WIRE_SENSOR_SIZE];
    const char *payload = news->payload;
    bool is_level = news->size == 1 && (payload[0] == '0' || payload[0] == '1');

    if (table->config->hw.backend != BACKEND_SIM || news->retained) {
        return;
    }
    int error = is_level && wire_sensor_name(path, sensor)
                    ? sensors->simulate(sensors->self, sensor, payload[0] == '1')
                    : -EINVAL;
    if (error) {
        static struct log_limit limit;
        log_limited(&limit, LOG_LEVEL_WARNING, "sim/%.64s: %s", path,
                    error == -EBUSY ? "this sensor reports over MQTT and is not simulated"
                    : error == -EAGAIN
                        ? "edges come faster than they can be read"
                        : "expected 0 or 1 on the topic of a sensor, such as sim/red-1/tilt");
    }
}

static void receive(struct table *table, const struct bus_news *news)
{
    const char *name = topic_after(news->topic, table->base);
    const char *verb = name ? topic_after(name, "command/") : NULL;
    const char *path = name ? topic_after(name, "sim/") : NULL;

    if (verb && table->config->mqtt.commands) {
        table_command(table, verb, news);
    } else if (path) {
        simulate(table, path, news);
    } else if (name && strcmp(name, "status") == 0) {
        publisher_status(table->publisher, news);
    } else if (name && topic_after(name, "sensor/")) {
        publisher_old_sensor(table->publisher, news);
    } else {
        /* Their topics follow with the next tick: the event of a reading goes first. */
        sources_message(table->sources, news);
        pairing_message(table->pairing, news);
    }
}

void table_news(struct table *table, const struct bus_news *news)
{
    static struct log_limit connections;
    static struct log_limit refusals;

    switch (news->kind) {
    case BUS_CONNECTED:
        log_limited(&connections, LOG_LEVEL_NOTICE, "%s", news->reason);
        sources_connected(table->sources); /* first: `online` means that sensors are heard */
        publisher_connected(table->publisher);
        pairing_connected(table->pairing);
        replies_connected(&table->replies);
        break;
    case BUS_DISCONNECTED:
        log_limited(&connections, LOG_LEVEL_WARNING, "%s", news->reason);
        publisher_disconnected(table->publisher);
        sources_disconnected(table->sources);
        replies_disconnected(&table->replies);
        break;
    case BUS_REFUSED:
        log_limited(&refusals, LOG_LEVEL_WARNING, "%s", news->reason);
        break;
    case BUS_ACKNOWLEDGED:
        if (news->token == REPLIES_TOKEN) {
            replies_acknowledged(&table->replies);
        } else {
            publisher_acknowledged(table->publisher, news->token);
        }
        break;
    case BUS_MESSAGE:
        receive(table, news);
        break;
    }
}
