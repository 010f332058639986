/* What the table says on its topics, apart from events and replies. */
#include "common/version.h"
#include "internal.h"
#include "rules/choices.h"
#include "wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int publish(struct table *table, const char *name, const char *text, int qos, bool retain,
                   uint32_t token)
{
    char topic[TOPIC_SIZE * 2];

    snprintf(topic, sizeof topic, "%s%s", table->base, name);
    return table->ports.bus.publish(table->ports.bus.self, &(struct publication){
                                                               .topic = topic,
                                                               .payload = text,
                                                               .size = strlen(text),
                                                               .qos = qos,
                                                               .retain = retain,
                                                               .token = token,
                                                           });
}

void publish_text(struct table *table, const char *name, const char *text, int qos, bool retain,
                  uint32_t token)
{
    if (table->connected && text) {
        publish(table, name, text, qos, retain, token);
    }
}

/* Publishes and frees what the wire made. */
static void publish_made(struct table *table, const char *name, char *text, int qos)
{
    publish_text(table, name, text, qos, true, 0);
    free(text);
}

/* A real sensor has a line; of the simulated ones, all that have a name are there. */
static bool is_fitted(const struct table *table, unsigned sensor)
{
    const struct sensors *sensors = &table->ports.sensors;

    if (table->config->hw.backend != BACKEND_SIM) {
        return table->config->hw.lines[sensor].fitted;
    }
    return strcmp(sensors->name(sensors->self, (uint16_t)sensor), "?") != 0;
}

void publish_info(struct table *table)
{
    const struct sensors *sensors = &table->ports.sensors;
    const char *faults[SENSOR_COUNT];
    unsigned fault_count = 0;
    unsigned fitted = 0;
    struct command game;

    table_default_game(table, &game);
    for (unsigned sensor = 0; sensor < SENSOR_COUNT; sensor++) {
        fitted += is_fitted(table, sensor);
        if (!sight_believes(&table->sight, sensor)) {
            faults[fault_count++] = sensors->name(sensors->self, (uint16_t)sensor);
        }
    }
    publish_made(table, "info",
                 wire_info(&(struct wire_info){
                     .version = SHIPAHOY_VERSION,
                     .backend = config_backend_name(table->config->hw.backend),
                     .rules = rules_variant_name((enum variant)table->config->setup.variant),
                     .sensors = fitted,
                     .since_ms = table->since_ms,
                     .storage = table->storage_problem,
                     .lost_games = table->lost_told,
                     .faults = faults,
                     .fault_count = fault_count,
                     .defaults = &game.setup,
                 }),
                 1);
}

/* A slow broker gets the latest value when it is ready for it, and not all of them. */
static bool is_wanted(const struct table *table, const struct latest *latest)
{
    return table->connected && !table->end_is_unsafe && latest->wanted && !latest->in_flight;
}

/* Publishes and frees what the wire made. Whether it was handed over. */
static bool publish_part(struct table *table, struct latest *latest, const char *name, char *json,
                         uint32_t token)
{
    bool is_sent = json && publish(table, name, json, 1, true, token) == 0;

    latest->in_flight += is_sent;
    free(json);
    return is_sent;
}

/* What waits in the knock is recorded before the next command, so that it can be raised. */
static char *make_choices(const struct table *table, const struct wire_names *names)
{
    struct choices choices;

    if (journal_is_full(table->journal)) {
        choices_list_undo(&table->play, &choices);
    } else {
        choices_list(&table->play, table->knock.pieces, &choices);
    }
    return wire_choices(&table->play.game, &choices, names);
}

/* All topics that have a seq, of the same one. Whoever has the state has its choices, too. */
static void publish_game(struct table *table)
{
    const struct game *game = &table->play.game;
    struct wire_names names = {.table = table->config->table, .game = table->game};
    struct latest *latest = &table->state;

    latest->wanted =
        !publish_part(table, latest, "choices", make_choices(table, &names), TOKEN_CHOICES) ||
        !publish_part(table, latest, "state", wire_state(game, &names), TOKEN_STATE) ||
        !publish_part(table, latest, "score", wire_score(game, &names), TOKEN_SCORE);
}

static char *make_ready(const struct table *table)
{
    const struct sensors *sensors = &table->ports.sensors;
    const struct sight_check *check = &table->check;
    char messages[PROBLEMS_MAX][PROBLEM_TEXT_SIZE];
    struct wire_problem problems[PROBLEMS_MAX];

    for (unsigned i = 0; i < check->count; i++) {
        const struct problem *problem = &check->problems[i];
        const char *sensor = sensors->name(sensors->self, problem->sensor);
        problem_say(problem, sensor, messages[i], sizeof messages[i]);
        problems[i] = (struct wire_problem){
            .sensor = sensor,
            .piece = (enum piece)problem->piece,
            .message = messages[i],
            .blocks = problem->blocks,
        };
    }
    return wire_ready(&(struct wire_ready){
        .check = sight_check_name((enum sight_check_kind)check->kind),
        .ready = check->ready,
        .autostart = table->autostart_waits,
        .problems = problems,
        .problem_count = check->count,
    });
}

void publish_changes(struct table *table)
{
    table->changes_due_us = 0;
    if (is_wanted(table, &table->state)) {
        publish_game(table);
    }
    if (is_wanted(table, &table->ready)) {
        table->ready.wanted =
            !publish_part(table, &table->ready, "ready", make_ready(table), TOKEN_READY);
    }
}

/*
 * Not at once: the broker would have to share the processor with the making of the state, and what
 * follows within the pause is in the same one. An answer does not wait for it, but sends it first.
 */
void publish_changes_soon(struct table *table)
{
    if (!table->changes_due_us) {
        table->changes_due_us = table_now_us(table) + CHANGES_PAUSE_US;
    }
    publish_watch(table);
}

static bool is_left_behind(const struct latest *latest)
{
    return latest->wanted && !latest->in_flight;
}

bool publish_is_stuck(const struct table *table)
{
    return table->connected && !table->end_is_unsafe &&
           (outbox_is_stuck(&table->outbox) || is_left_behind(&table->state) ||
            is_left_behind(&table->ready));
}

void publish_watch(struct table *table)
{
    if (publish_is_stuck(table)) {
        table->resend_us = table_now_us(table) + RESEND_US;
    }
}

void publish_again(struct table *table)
{
    publish_changes(table);
    outbox_try_again(&table->outbox);
    publish_watch(table);
}

void publish_rope(struct table *table)
{
    const struct game *game = &table->play.game;
    struct wire_rope rope = {
        .knots_milli = table->sight.rope_milli,
        .counts = table->sight.rope_counts,
        .invalid = table->sight.rope_invalid,
    };

    if (table->end_is_unsafe) {
        return; /* whose rope it is may come from a record that is lost yet */
    }
    rope.piece = game->turn.selected;
    if (rules_rope_shown(game)) {
        rope.left = rules_knots_left(game, rope.piece);
        rope.over = rules_rope_is_over(game, rope.knots_milli);
    }
    publish_made(table, "rope", wire_rope(&rope), 0);
}

void publish_rope_soon(struct table *table)
{
    uint64_t soon_us = table_now_us(table) + CHANGES_PAUSE_US;

    if (!table->rope_due_us) {
        table->rope_due_us = soon_us > table->rope_clear_us ? soon_us : table->rope_clear_us;
    }
}

void publish_rope_due(struct table *table)
{
    publish_rope(table);
    table->rope_clear_us = table_now_us(table) + ROPE_PAUSE_US;
    table->rope_due_us = 0;
}

/* The wall clock at a time of the sensors' clock. */
static int64_t wall_ms_of(const struct table *table, uint64_t at_us)
{
    const struct clock *clock = &table->ports.clock;

    return clock->wall_ms(clock->self) - (int64_t)(clock->now_us(clock->self) - at_us) / 1000;
}

void publish_sensor(struct table *table, uint16_t sensor)
{
    const struct sensor_state *state = &table->sight.sensors[sensor];
    char path[WIRE_SENSOR_SIZE];
    char topic[sizeof "sensor/" + WIRE_SENSOR_SIZE];

    if (!wire_sensor_path(table->ports.sensors.name(table->ports.sensors.self, sensor), path)) {
        return;
    }
    snprintf(topic, sizeof topic, "sensor/%s", path);
    publish_made(table, topic,
                 wire_sensor(&(struct wire_sensor){
                     .level = state->level,
                     .health = (enum health)state->health,
                     .edges = state->edges,
                     .rate = state->rate,
                     .width_us = state->pulse_us,
                     .wall_ms = state->at_us ? wall_ms_of(table, state->at_us) : 0,
                 }),
                 0);
}

/* The prefix belongs to it: two clubs on one broker may have a table of the same name. */
static void name_device(const struct table *table, char id[TOPIC_SIZE])
{
    size_t length = strlen(table->base) - 1; /* without the slash at its end */

    memcpy(id, table->base, length);
    id[length] = '\0';
    for (char *slash = strchr(id, '/'); slash; slash = strchr(slash, '/')) {
        *slash = '-';
    }
}

static void publish_homeassistant(struct table *table)
{
    char id[TOPIC_SIZE];
    char topic[TOPIC_SIZE + sizeof "homeassistant/device//config"];

    name_device(table, id);
    char *json = wire_homeassistant(&(struct wire_homeassistant){
        .id = id,
        .table = table->config->table,
        .base = table->base,
        .version = SHIPAHOY_VERSION,
    });

    snprintf(topic, sizeof topic, "homeassistant/device/%s/config", id);
    if (json) {
        table->ports.bus.publish(table->ports.bus.self, &(struct publication){
                                                            .topic = topic,
                                                            .payload = json,
                                                            .size = strlen(json),
                                                            .qos = 1,
                                                            .retain = true,
                                                        });
    }
    free(json);
}

void publish_online(struct table *table)
{
    table->own_status++;
    publish_text(table, "status", "online", 1, true, 0);
}

void publish_everything(struct table *table)
{
    publish_online(table);
    publish_info(table);
    table->state = (struct latest){.wanted = true};
    table->ready = (struct latest){.wanted = true};
    publish_changes(table);
    publish_rope(table);
    for (unsigned sensor = 0; sensor < SENSOR_COUNT; sensor++) {
        if (table->sight.sensors[sensor].health) {
            publish_sensor(table, (uint16_t)sensor);
        }
    }
    if (table->config->mqtt.homeassistant) {
        publish_homeassistant(table);
    }
}
