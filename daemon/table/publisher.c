#include "publisher.h"

#include "common/log.h"
#include "common/version.h"
#include "discovery.h"
#include "messages.h"
#include "outbox.h"
#include "rules/choices.h"
#include "wire/wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROPE_PAUSE_US = 50000,   /* between two readings on the rope's topic */
    CHANGES_PAUSE_US = 1000, /* from an event to the state, see publisher_changes_soon */
    RESEND_US = 1000000,
    DOUBTFUL_US = 3000000, /* see is_doubtful */
    STORAGE_SIZE = 128,
    LINE_SIZE = RADIO_TOPIC_SIZE + RADIO_TEXT_SIZE + 16,
};

/* Tokens of publications that are not events; no seq is as large. */
enum token { TOKEN_STATE = 0x7f000000, TOKEN_CHOICES, TOKEN_SCORE, TOKEN_READY };

/* Retained topics that are published together, with their latest value only. */
struct latest {
    bool wanted;        /* they have changed since they were published */
    unsigned in_flight; /* published, and not acknowledged yet */
    uint64_t sent_us;
};

struct publisher {
    struct publisher_sources sources;
    bool connected;
    int64_t since_ms;

    struct discovery discovery;
    struct latest state;     /* with choices and score: always of the same seq */
    struct latest ready;     /* the ready check */
    uint64_t changes_due_us; /* state and ready; 0: they are up to date */
    uint64_t resend_us;      /* the next attempt if the bus did not take something */
    uint64_t rope_clear_us;  /* the rope's topic may be published again from here on */
    uint64_t rope_due_us;    /* 0: it is up to date */
    uint32_t fallen;         /* see publisher_fallen */

    char storage[STORAGE_SIZE]; /* the problem as it was published in `info` */
    unsigned lost_games;        /* the same */
    bool is_unsafe;             /* nothing about the game may be published yet */

    bool reads_sensors;  /* see publisher_old_sensor */
    unsigned own_status; /* how often `online` was published and has not come back */
    bool has_namesake;   /* another daemon uses our topics */
};

static uint64_t time_us(const struct publisher *publisher)
{
    return session_now_us(publisher->sources.session);
}

static const char *sensor_name_of(const struct publisher *publisher, unsigned sensor)
{
    const struct sensors *sensors = &publisher->sources.ports->sensors;

    return sensors->name(sensors->self, (uint16_t)sensor);
}

/* message->topic is below the base. */
static int publish(const struct publisher *publisher, struct publication message)
{
    const struct bus *bus = &publisher->sources.ports->bus;
    char topic[TOPIC_SIZE * 2];

    snprintf(topic, sizeof topic, "%s%s", publisher->sources.base, message.topic);
    message.topic = topic;
    message.size = strlen(message.payload);
    return bus->publish(bus->self, &message);
}

/* Publishes a retained topic and frees its text, which may be NULL. */
static void publish_made(const struct publisher *publisher, const char *name, char *json, int qos)
{
    if (publisher->connected && json) {
        publish(publisher,
                (struct publication){.topic = name, .payload = json, .qos = qos, .retain = true});
    }
    free(json);
}

/*
 * State, choices, score and ready
 */

/* A slow broker gets the latest value when it has acknowledged the one before, and not all. */
static bool is_wanted(const struct publisher *publisher, const struct latest *latest)
{
    return publisher->connected && !publisher->is_unsafe && latest->wanted && !latest->in_flight;
}

/* Publishes and frees json. Whether the bus took it. */
static bool publish_part(struct publisher *publisher, struct latest *latest, const char *name,
                         char *json, uint32_t token)
{
    bool is_sent = json && publish(publisher, (struct publication){
                                                  .topic = name,
                                                  .payload = json,
                                                  .qos = 1,
                                                  .retain = true,
                                                  .token = token,
                                              }) == 0;

    latest->in_flight += is_sent;
    latest->sent_us = time_us(publisher);
    free(json);
    return is_sent;
}

static char *make_choices(const struct publisher *publisher, const struct wire_names *names)
{
    const struct session *session = publisher->sources.session;
    struct choices choices;

    if (journal_is_full(session_journal(session))) {
        choices_list_undo(session_play(session), &choices);
    } else {
        choices_list(session_play(session), publisher->fallen, &choices);
    }
    return wire_choices(session_game(session), &choices, names);
}

/* All topics that have a seq, with the same one. A client that has the state has its choices. */
static void publish_game(struct publisher *publisher)
{
    const struct game *game = session_game(publisher->sources.session);
    struct wire_names names = {.table = publisher->sources.config->table,
                               .game = session_game_id(publisher->sources.session)};
    struct latest *latest = &publisher->state;

    latest->wanted =
        !publish_part(publisher, latest, "choices", make_choices(publisher, &names),
                      TOKEN_CHOICES) ||
        !publish_part(publisher, latest, "state", wire_state(game, &names), TOKEN_STATE) ||
        !publish_part(publisher, latest, "score", wire_score(game, &names), TOKEN_SCORE);
}

static char *make_ready(const struct publisher *publisher)
{
    const struct ready_check *check = publisher->sources.check;
    char messages[PROBLEMS_MAX][PROBLEM_TEXT_SIZE];
    struct wire_problem problems[PROBLEMS_MAX];

    for (unsigned i = 0; i < check->count; i++) {
        const struct problem *problem = &check->problems[i];
        const char *sensor = sensor_name_of(publisher, problem->sensor);
        problem_message(problem, sensor, messages[i], sizeof messages[i]);
        problems[i] = (struct wire_problem){
            .sensor = sensor,
            .piece = (enum piece)problem->piece,
            .message = messages[i],
            .blocks = problem->blocks,
        };
    }
    return wire_ready(&(struct wire_ready){
        .check = ready_check_name((enum check_kind)check->kind),
        .ready = check->ready,
        .autostart = check->autostart,
        .problems = problems,
        .problem_count = check->count,
    });
}

static void publish_changes(struct publisher *publisher)
{
    if (is_wanted(publisher, &publisher->state)) {
        publish_game(publisher);
    }
    if (is_wanted(publisher, &publisher->ready)) {
        publisher->ready.wanted = !publish_part(publisher, &publisher->ready, "ready",
                                                make_ready(publisher), TOKEN_READY);
    }
}

void publisher_changes(struct publisher *publisher)
{
    publisher->changes_due_us = 0;
    publish_changes(publisher);
}

static bool is_left_behind(const struct latest *latest)
{
    return latest->wanted && !latest->in_flight;
}

/* Whether the bus did not take something, so that only another attempt can publish it. */
static bool is_stuck(const struct publisher *publisher)
{
    return publisher->connected && !publisher->is_unsafe &&
           (outbox_is_stuck(publisher->sources.outbox) || is_left_behind(&publisher->state) ||
            is_left_behind(&publisher->ready));
}

/* To be called after everything that the bus may not have taken. */
static void set_resend(struct publisher *publisher)
{
    if (is_stuck(publisher)) {
        publisher->resend_us = time_us(publisher) + RESEND_US;
    }
}

/*
 * Not at once: the broker would share the processor with the computation of choices and state, and
 * whatever else changes within the pause is in the same state. A reply sends them before itself.
 */
void publisher_changes_soon(struct publisher *publisher)
{
    if (!publisher->changes_due_us) {
        publisher->changes_due_us = time_us(publisher) + CHANGES_PAUSE_US;
    }
    set_resend(publisher);
}

void publisher_ready(struct publisher *publisher)
{
    publisher->ready.wanted = true;
    publisher_changes_soon(publisher);
}

void publisher_fallen(struct publisher *publisher, uint32_t pieces)
{
    if (pieces != publisher->fallen) {
        publisher->fallen = pieces;
        publisher->state.wanted = true;
        publisher_changes_soon(publisher);
    }
}

void publisher_game(struct publisher *publisher)
{
    discovery_step(&publisher->discovery, publisher->sources.session);
    publisher->state.wanted = true;
    publisher_changes_soon(publisher);
}

/*
 * The other retained topics
 */

/* A GPIO sensor has a line; all simulated sensors that have a name exist. */
static bool is_fitted(const struct publisher *publisher, unsigned sensor)
{
    const struct config *config = publisher->sources.config;

    return config->hw.backend == BACKEND_SIM && !line_is_radio(&config->hw.lines[sensor])
               ? strcmp(sensor_name_of(publisher, sensor), "?") != 0
               : config->hw.lines[sensor].fitted;
}

void publisher_info(struct publisher *publisher)
{
    const struct config *config = publisher->sources.config;
    const char *faults[SENSOR_COUNT];
    unsigned fault_count = 0;
    unsigned fitted = 0;
    struct command game;

    command_default_game(config, &game);
    for (unsigned sensor = 0; sensor < SENSOR_COUNT; sensor++) {
        fitted += is_fitted(publisher, sensor);
        if (!observed_is_trusted(publisher->sources.observed, sensor)) {
            faults[fault_count++] = sensor_name_of(publisher, sensor);
        }
    }
    publish_made(publisher, "info",
                 wire_info(&(struct wire_info){
                     .version = SHIPAHOY_VERSION,
                     .backend = config_backend_name(config->hw.backend),
                     .rules = rules_variant_name((enum variant)config->setup.variant),
                     .sensors = fitted,
                     .since_ms = publisher->since_ms,
                     .storage = publisher->storage,
                     .lost_games = publisher->lost_games,
                     .faults = faults,
                     .fault_count = fault_count,
                     .defaults = &game.setup,
                 }),
                 1);
}

static void publish_rope(struct publisher *publisher)
{
    const struct game *game = session_game(publisher->sources.session);
    const struct observed *observed = publisher->sources.observed;
    struct wire_rope rope = {
        .knots_milli = observed->rope_milli,
        .counts = observed->rope_counts,
        .invalid = observed->rope_invalid,
        .presses = observed->rope_presses,
        .pressed_counts = observed->rope_pressed_counts,
        .piece = game->turn.selected,
    };

    if (publisher->is_unsafe) {
        return; /* the selected piece may come from a record that is lost yet */
    }
    if (rules_rope_shown(game)) {
        rope.left = rules_knots_left(game, rope.piece);
        rope.over = rules_rope_is_over(game, rope.knots_milli);
    }
    publish_made(publisher, "rope", wire_rope(&rope), 0);
}

void publisher_rope(struct publisher *publisher)
{
    uint64_t soon_us = time_us(publisher) + CHANGES_PAUSE_US;

    if (!publisher->rope_due_us) {
        publisher->rope_due_us =
            soon_us > publisher->rope_clear_us ? soon_us : publisher->rope_clear_us;
    }
}

/* The wall clock at a time of the sensors' clock. */
static int64_t wall_ms_of(const struct publisher *publisher, uint64_t at_us)
{
    const struct clock *clock = &publisher->sources.ports->clock;

    return clock->wall_ms(clock->self) - (int64_t)(clock->now_us(clock->self) - at_us) / 1000;
}

/* A line that is configured and not used, because the sensors are simulated, does not count. */
static bool has_line(const struct publisher *publisher, unsigned sensor)
{
    const struct hw_config *hw = &publisher->sources.config->hw;

    return line_is_radio(&hw->lines[sensor]) ||
           (hw->lines[sensor].fitted && hw->backend != BACKEND_SIM);
}

static const char *source_name(const struct publisher *publisher, unsigned sensor)
{
    static const char *const names[] = {
        [LINE_GPIO] = "gpio", [LINE_MQTT] = "mqtt", [LINE_NODE] = "node"};
    const struct hw_config *hw = &publisher->sources.config->hw;

    return has_line(publisher, sensor) ? names[hw->lines[sensor].source] : "sim";
}

/* Whether it has a topic. A simulated sensor has one when it is used. */
static bool is_shown(const struct publisher *publisher, unsigned sensor)
{
    return has_line(publisher, sensor) || (publisher->sources.config->hw.backend == BACKEND_SIM &&
                                           publisher->sources.observed->sensors[sensor].health);
}

/* topic is below the base. */
static void clear(const struct publisher *publisher, const char *topic)
{
    if (publisher->connected) {
        publish(publisher, (struct publication){.topic = topic, .payload = "", .retain = true});
    }
}

void publisher_sensor(struct publisher *publisher, uint16_t sensor)
{
    const struct sensor_state *state = &publisher->sources.observed->sensors[sensor];
    char path[WIRE_SENSOR_SIZE];
    char topic[sizeof "sensor/" + WIRE_SENSOR_SIZE];
    char line[LINE_SIZE] = "";
    struct text text = text_begin(line, sizeof line);

    if (!wire_sensor_path(sensor_name_of(publisher, sensor), path)) {
        return;
    }
    snprintf(topic, sizeof topic, "sensor/%s", path);
    if (!is_shown(publisher, sensor)) {
        clear(publisher, topic);
        return;
    }
    if (has_line(publisher, sensor)) {
        config_write_line(&publisher->sources.config->hw.lines[sensor], false, &text);
    }
    publish_made(publisher, topic,
                 wire_sensor(&(struct wire_sensor){
                     .level = state->level,
                     .health = state->health ? (enum health)state->health : HEALTH_OK,
                     .edges = state->edges,
                     .rate = state->rate,
                     .width_us = state->pulse_us,
                     .wall_ms = state->at_us ? wall_ms_of(publisher, state->at_us) : 0,
                     .source = source_name(publisher, sensor),
                     .line = line,
                     .link = state->is_radio ? &state->link : NULL,
                     .heard_wall_ms = state->heard_us ? wall_ms_of(publisher, state->heard_us) : 0,
                 }),
                 0);
}

static void set_reading(struct publisher *publisher, bool reads_sensors)
{
    const struct bus *bus = &publisher->sources.ports->bus;
    char topic[TOPIC_SIZE * 2];

    snprintf(topic, sizeof topic, "%ssensor/#", publisher->sources.base);
    publisher->reads_sensors = reads_sensors;
    (void)(reads_sensors ? bus->subscribe : bus->unsubscribe)(bus->self, topic);
}

/*
 * Our own messages come back as well. They were published after the subscription: the first of them
 * means that all retained ones were read.
 */
void publisher_old_sensor(struct publisher *publisher, const struct bus_news *news)
{
    const char *topic = news->topic + strlen(publisher->sources.base);
    char path[WIRE_SENSOR_SIZE];

    if (!publisher->reads_sensors) {
        return;
    }
    if (!news->retained) {
        set_reading(publisher, false);
        return;
    }
    for (unsigned sensor = 0; sensor < SENSOR_COUNT; sensor++) {
        if (is_shown(publisher, sensor) &&
            wire_sensor_path(sensor_name_of(publisher, sensor), path) &&
            strcmp(topic + strlen("sensor/"), path) == 0) {
            return;
        }
    }
    clear(publisher, topic);
}

/*
 * Status
 */

static void publish_online(struct publisher *publisher)
{
    publisher->own_status++;
    if (publisher->connected) {
        publish(publisher, (struct publication){
                               .topic = "status", .payload = "online", .qos = 1, .retain = true});
    }
}

static bool has_payload(const struct bus_news *news, const char *text)
{
    return news->size == strlen(text) && memcmp(news->payload, text, news->size) == 0;
}

/*
 * Our own status comes back from the broker. An `offline` is the last will of an earlier connection
 * of ours that the broker has noticed late (after a power cut, for example), or that of another
 * daemon with the same topics. Such a daemon gets one answer, so that it notices us, too.
 */
void publisher_status(struct publisher *publisher, const struct bus_news *news)
{
    if (news->retained) {
        return; /* from before this connection */
    }
    if (has_payload(news, "offline")) {
        publish_online(publisher);
    } else if (has_payload(news, "online") && publisher->own_status > 0) {
        publisher->own_status--;
    } else if (has_payload(news, "online") && !publisher->has_namesake) {
        publisher->has_namesake = true;
        static struct log_limit limit;
        log_limited(&limit, LOG_LEVEL_WARNING,
                    "another daemon uses the topics %s# of this broker: give one of them another "
                    "[table] name",
                    publisher->sources.base);
        publish_online(publisher);
    }
}

/*
 * The connection
 */

/* The players of the game, or NULL in the lobby. */
static const struct setup *setup_of(const struct publisher *publisher)
{
    const struct session *session = publisher->sources.session;

    return session_game_id(session)[0] ? &session_game(session)->setup : NULL;
}

/* State and ready check last: when they are acknowledged in time, so was all before them. */
static void publish_retained(struct publisher *publisher)
{
    publish_online(publisher);
    publisher_info(publisher);
    publish_rope(publisher);
    for (unsigned sensor = 0; sensor < SENSOR_COUNT; sensor++) {
        if (is_shown(publisher, sensor)) {
            publisher_sensor(publisher, (uint16_t)sensor);
        }
    }
    publisher->state.wanted = true;
    publisher->ready.wanted = true;
    publish_changes(publisher);
}

void publisher_connected(struct publisher *publisher)
{
    publisher->connected = true;
    publisher->own_status = 0;
    publisher->has_namesake = false;
    set_reading(publisher, true);
    publisher->state = (struct latest){0};
    publisher->ready = (struct latest){0};
    publish_retained(publisher);
    discovery_connected(&publisher->discovery, publisher->is_unsafe ? NULL : setup_of(publisher));
    if (!publisher->is_unsafe) {
        outbox_connected(publisher->sources.outbox);
    }
    set_resend(publisher);
}

void publisher_disconnected(struct publisher *publisher)
{
    publisher->connected = false;
    outbox_disconnected(publisher->sources.outbox);
    discovery_disconnected(&publisher->discovery);
}

/*
 * A cluster of NATS that has no leader acknowledges a retained message after four seconds, and has
 * not kept it. Who connects later would see an old state.
 */
static bool is_doubtful(const struct publisher *publisher, const struct latest *latest)
{
    return time_us(publisher) >= latest->sent_us + DOUBTFUL_US;
}

static void acknowledge_latest(struct publisher *publisher, struct latest *latest)
{
    bool is_last = latest->in_flight == 1;

    latest->in_flight -= latest->in_flight > 0;
    if (is_last && is_doubtful(publisher, latest)) {
        publish_retained(publisher);
    }
    publish_changes(publisher); /* the ready check may be due as well: that stays so */
}

void publisher_acknowledged(struct publisher *publisher, uint32_t token)
{
    switch (token) {
    case TOKEN_STATE:
    case TOKEN_CHOICES:
    case TOKEN_SCORE:
        acknowledge_latest(publisher, &publisher->state);
        break;
    case TOKEN_READY:
        acknowledge_latest(publisher, &publisher->ready);
        break;
    default:
        if (token >= TOKEN_DISCOVERY) {
            discovery_acknowledged(&publisher->discovery, token);
            break;
        }
        outbox_acknowledged(publisher->sources.outbox, token);
        session_mark_changed(publisher->sources.session);
        break;
    }
    set_resend(publisher);
}

void publisher_storage(struct publisher *publisher)
{
    const struct session *session = publisher->sources.session;
    const char *problem = session_storage_problem(session);

    if (publisher->is_unsafe && !session_end_is_unsafe(session)) {
        publisher->is_unsafe = false;
        if (publisher->connected) {
            publish_changes(publisher);
            publish_rope(publisher);
            outbox_connected(publisher->sources.outbox);
        }
    }
    if (strcmp(publisher->storage, problem) != 0) {
        snprintf(publisher->storage, sizeof publisher->storage, "%s", problem);
        publisher_info(publisher);
    }
}

/*
 * What is due
 */

static void resend(struct publisher *publisher)
{
    publish_changes(publisher);
    outbox_try_again(publisher->sources.outbox);
    set_resend(publisher);
}

static bool is_due(uint64_t due_us, uint64_t now_us)
{
    return due_us && now_us >= due_us;
}

bool publisher_changes_due(const struct publisher *publisher, uint64_t now_us)
{
    return is_due(publisher->changes_due_us, now_us);
}

void publisher_tick(struct publisher *publisher, uint64_t now_us)
{
    if (publisher->lost_games != publisher->sources.outbox->lost_games) {
        publisher->lost_games = publisher->sources.outbox->lost_games;
        publisher_info(publisher);
    }
    if (is_due(publisher->changes_due_us, now_us)) {
        publisher_changes(publisher);
        set_resend(publisher);
    }
    if (is_due(publisher->rope_due_us, now_us)) {
        publish_rope(publisher);
        publisher->rope_clear_us = time_us(publisher) + ROPE_PAUSE_US;
        publisher->rope_due_us = 0;
    }
    if (is_stuck(publisher) && now_us >= publisher->resend_us) {
        resend(publisher);
    }
}

static uint64_t earlier(uint64_t one, uint64_t two)
{
    return one && (!two || one < two) ? one : two;
}

uint64_t publisher_due_us(const struct publisher *publisher)
{
    uint64_t due_us = earlier(publisher->changes_due_us, publisher->rope_due_us);

    if (publisher->lost_games != publisher->sources.outbox->lost_games) {
        return time_us(publisher);
    }
    return earlier(due_us, is_stuck(publisher) ? publisher->resend_us : 0);
}

/*
 * Opening
 */

static void load(void *self)
{
    outbox_load(((struct publisher *)self)->sources.outbox);
}

static void loaded(void *self)
{
    struct publisher *publisher = self;

    outbox_loaded(publisher->sources.outbox);
    set_resend(publisher);
}

int publisher_open(struct publisher **opened, const struct publisher_sources *sources)
{
    struct publisher *publisher = calloc(1, sizeof *publisher);
    const struct clock *clock = &sources->ports->clock;

    if (!publisher) {
        return -ENOMEM;
    }
    publisher->sources = *sources;
    publisher->since_ms = clock->wall_ms(clock->self);
    publisher->is_unsafe = session_end_is_unsafe(sources->session);
    snprintf(publisher->storage, sizeof publisher->storage, "%s",
             session_storage_problem(sources->session));
    sources->outbox->load = (struct job){.self = publisher, .work = load, .done = loaded};
    discovery_open(&publisher->discovery, sources->config, sources->ports, sources->base);
    *opened = publisher;
    return 0;
}

void publisher_close(struct publisher *publisher)
{
    if (publisher) {
        free(publisher);
    }
}
