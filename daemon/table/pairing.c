#include "pairing.h"

#include "hw/sensor.h"
#include "wire/discovery.h"
#include "wire/wire.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 256, SOURCE_SIZE = 1024, TOPIC_MAX = 2 * TOPIC_SIZE };

enum step { STEP_NONE, STEP_TIP, STEP_RAISE, STEP_STORING, STEP_DONE, STEP_FAILED };

/* How far a candidate has moved. */
enum movement { STILL, MOVED, MOVED_BACK };

struct candidate {
    struct line_config line;
    char name[RADIO_TEXT_SIZE];
    char before[RADIO_TEXT_SIZE]; /* "": not known */
    enum movement movement;       /* line.radio.value is the value in between */
    bool is_unsure;               /* it may be the other value that is the active one */
};

struct pairing {
    const struct table_ports *ports;
    struct sources *sources;
    char base[TOPIC_SIZE];
    enum step step;
    unsigned sensor;
    uint64_t until_us;  /* it fails then */
    uint64_t settle_us; /* one has changed back: until then others may, or it may again; 0: none */
    char unsupported[PAIRING_UNSUPPORTED_MAX][RADIO_TEXT_SIZE]; /* names of devices */
    unsigned unsupported_count;
    const char *reason; /* why it failed */
    char message[MESSAGE_SIZE];
    struct candidate candidates[PAIRING_CANDIDATES_MAX];
    unsigned count;
    struct node_message node; /* being read */
};

static uint64_t now_us(const struct pairing *pairing)
{
    return pairing->ports->clock.now_us(pairing->ports->clock.self);
}

static bool is_listening(const struct pairing *pairing)
{
    return pairing->step == STEP_TIP || pairing->step == STEP_RAISE;
}

static bool is_tilt(const struct pairing *pairing)
{
    return sensor_place(pairing->sensor).kind == SENSOR_KIND_TILT;
}

static const char *sensor_text(const struct pairing *pairing)
{
    return pairing->ports->sensors.name(pairing->ports->sensors.self, (uint16_t)pairing->sensor);
}

/* A person knows the piece, not its switch. */
static const char *what_moves(const struct pairing *pairing)
{
    return is_tilt(pairing) ? rules_piece_name((enum piece)sensor_place(pairing->sensor).index)
                            : sensor_text(pairing);
}

/*
 * Progress
 */

/* While it waits for the second movement, what has moved; then what has moved back. */
static bool is_listed(const struct pairing *pairing, const struct candidate *candidate)
{
    return pairing->step == STEP_RAISE && !pairing->settle_us ? candidate->movement == MOVED
                                                              : candidate->movement == MOVED_BACK;
}

static void publish(const struct pairing *pairing)
{
    static const char *const steps[] = {
        [STEP_TIP] = "tip",   [STEP_RAISE] = "raise",   [STEP_STORING] = "raise",
        [STEP_DONE] = "done", [STEP_FAILED] = "failed",
    };
    struct wire_candidate listed[PAIRING_CANDIDATES_MAX];
    const char *unsupported[PAIRING_UNSUPPORTED_MAX];
    char(*sources)[SOURCE_SIZE] = calloc(PAIRING_CANDIDATES_MAX, sizeof *sources);
    const struct bus *bus = &pairing->ports->bus;
    char topic[TOPIC_MAX];
    unsigned count = 0;

    for (unsigned i = 0; sources && i < pairing->count; i++) {
        const struct candidate *candidate = &pairing->candidates[i];
        if (is_listed(pairing, candidate)) {
            struct text text = text_begin(sources[count], SOURCE_SIZE);
            config_write_line(&candidate->line, true, &text);
            listed[count] = (struct wire_candidate){candidate->name, sources[count]};
            count++;
        }
    }
    for (unsigned i = 0; i < pairing->unsupported_count; i++) {
        unsupported[i] = pairing->unsupported[i];
    }
    char *json = wire_pairing(&(struct wire_pairing){
        .sensor = sensor_text(pairing),
        .step = steps[pairing->step],
        .reason = pairing->step == STEP_FAILED ? pairing->reason : NULL,
        .candidates = listed,
        .candidate_count = count,
        .listening = pairing->count,
        .unsupported = unsupported,
        .unsupported_count = pairing->unsupported_count,
        .message = pairing->message,
    });
    snprintf(topic, sizeof topic, "%spairing", pairing->base);
    if (json && pairing->step) {
        bus->publish(
            bus->self,
            &(struct publication){
                .topic = topic, .payload = json, .size = strlen(json), .qos = 1, .retain = true});
    }
    free(json);
    free(sources);
}

__attribute__((format(printf, 3, 4))) static void show(struct pairing *pairing, enum step step,
                                                       const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(pairing->message, sizeof pairing->message, format, arguments);
    va_end(arguments);
    pairing->step = step;
    publish(pairing);
}

/*
 * Subscriptions
 */

static void node_topics(const struct pairing *pairing, char topic[TOPIC_MAX])
{
    snprintf(topic, TOPIC_MAX, "%snode/+/edges", pairing->base);
}

static void subscribe_all(const struct pairing *pairing)
{
    const struct bus *bus = &pairing->ports->bus;
    char topic[TOPIC_MAX];

    node_topics(pairing, topic);
    bus->subscribe(bus->self, WIRE_DISCOVERY_TOPICS);
    bus->subscribe(bus->self, topic);
    for (unsigned i = 0; i < pairing->count; i++) {
        if (pairing->candidates[i].line.source == LINE_MQTT) {
            bus->subscribe(bus->self, pairing->candidates[i].line.radio.topic);
        }
    }
}

/* Topics of sensors that are in use stay subscribed. */
static void unsubscribe_all(const struct pairing *pairing)
{
    const struct bus *bus = &pairing->ports->bus;
    char topic[TOPIC_MAX];

    node_topics(pairing, topic);
    bus->unsubscribe(bus->self, WIRE_DISCOVERY_TOPICS);
    bus->unsubscribe(bus->self, topic);
    for (unsigned i = 0; i < pairing->count; i++) {
        const char *candidate = pairing->candidates[i].line.radio.topic;
        bool is_again = false;
        for (unsigned j = 0; j < i; j++) {
            is_again |= strcmp(pairing->candidates[j].line.radio.topic, candidate) == 0;
        }
        if (pairing->candidates[i].line.source == LINE_MQTT && !is_again &&
            !sources_use(pairing->sources, candidate)) {
            bus->unsubscribe(bus->self, candidate);
        }
    }
}

/*
 * From begin to end
 */

static void ask_to_tip(struct pairing *pairing)
{
    if (is_tilt(pairing)) {
        show(pairing, STEP_TIP, "Tip %s over.", what_moves(pairing));
    } else {
        show(pairing, STEP_TIP, "Interrupt the beam or press the button: %s.", what_moves(pairing));
    }
}

static void end(struct pairing *pairing)
{
    if (is_listening(pairing)) {
        unsubscribe_all(pairing);
    }
    pairing->until_us = 0;
    pairing->settle_us = 0;
}

void pairing_begin(struct pairing *pairing, unsigned sensor)
{
    end(pairing);
    pairing->sensor = sensor;
    pairing->count = 0;
    pairing->unsupported_count = 0;
    pairing->until_us = now_us(pairing) + PAIRING_US;
    ask_to_tip(pairing);
    subscribe_all(pairing);
}

void pairing_cancel(struct pairing *pairing)
{
    if (is_listening(pairing)) {
        end(pairing);
        pairing->reason = "cancelled";
        show(pairing, STEP_FAILED, "Pairing was cancelled.");
    }
}

static void give_up(struct pairing *pairing)
{
    char more[MESSAGE_SIZE / 2] = "";

    if (pairing->unsupported_count) {
        snprintf(more, sizeof more, " Not supported because of its template: %s%s.",
                 pairing->unsupported[0], pairing->unsupported_count > 1 ? ", and others" : "");
    }
    end(pairing);
    if (pairing->count) {
        pairing->reason = "timeout";
        show(pairing, STEP_FAILED,
             "None of %u sensors changed and changed back within a minute: check the battery of %s "
             "and try again.%s",
             pairing->count, what_moves(pairing), more);
    } else {
        pairing->reason = "nothing-announced";
        show(pairing, STEP_FAILED,
             "No sensor is announced: check that the gateway runs and has Home Assistant discovery "
             "switched on.%s",
             more);
    }
}

static void store(struct pairing *pairing, const struct candidate *candidate)
{
    const struct sensors *sensors = &pairing->ports->sensors;
    char source[SOURCE_SIZE];
    struct text text = text_begin(source, sizeof source);

    config_write_line(&candidate->line, true, &text);
    end(pairing);
    pairing->step = STEP_STORING;
    int error = sensors->pair(sensors->self, (uint16_t)pairing->sensor, source);
    if (error) {
        pairing_stored(pairing, error);
    }
}

/* Another sensor that reports with this source already. */
static unsigned user_of(const struct pairing *pairing, const struct candidate *candidate)
{
    unsigned user = sources_with(pairing->sources, &candidate->line);

    return user == pairing->sensor ? SENSOR_NONE : user;
}

static const struct candidate *found(const struct pairing *pairing)
{
    for (unsigned i = 0; i < pairing->count; i++) {
        if (pairing->candidates[i].movement == MOVED_BACK) {
            return &pairing->candidates[i];
        }
    }
    return NULL;
}

void pairing_stored(struct pairing *pairing, int error)
{
    const struct candidate *candidate = found(pairing);

    if (pairing->step != STEP_STORING || !candidate) {
        return;
    }
    if (error) {
        pairing->reason = "storage";
        show(pairing, STEP_FAILED, "%s was found, and cannot be stored: %s.", candidate->name,
             error == -EINVAL ? "the configuration does not accept it, see the log"
                              : strerror(-error));
    } else {
        sources_paired(pairing->sources, pairing->sensor);
        show(pairing, STEP_DONE, "%s is paired with %s.", what_moves(pairing), candidate->name);
    }
}

static void take(struct pairing *pairing, const struct candidate *candidate)
{
    const struct sensors *sensors = &pairing->ports->sensors;
    unsigned user = user_of(pairing, candidate);

    if (user == SENSOR_NONE) {
        store(pairing, candidate);
        return;
    }
    end(pairing);
    pairing->reason = "in-use";
    show(pairing, STEP_FAILED, "%s is the source of %s already: move another one, or unpair it.",
         candidate->name, sensors->name(sensors->self, (uint16_t)user));
}

/* Everything that has changed back so far was moved by the person, or by chance at the same time.
 */
static void decide(struct pairing *pairing)
{
    char names[MESSAGE_SIZE / 2];
    struct text text = text_begin(names, sizeof names);
    unsigned count = 0;

    for (unsigned i = 0; i < pairing->count; i++) {
        if (pairing->candidates[i].movement == MOVED_BACK) {
            text_add(&text, count++ ? ", " : "");
            text_add(&text, pairing->candidates[i].name);
        }
    }
    if (count == 1) {
        take(pairing, found(pairing));
        return;
    }
    show(pairing, STEP_TIP,
         "Several sensors have moved (%s): keep the others still and move %s again.", names,
         what_moves(pairing));
    pairing->settle_us = 0;
    for (unsigned i = 0; i < pairing->count; i++) {
        pairing->candidates[i].movement = STILL;
        pairing->candidates[i].is_unsure = false;
    }
}

void pairing_tick(struct pairing *pairing, uint64_t at_us)
{
    if (is_listening(pairing) && pairing->settle_us && at_us >= pairing->settle_us) {
        decide(pairing);
    } else if (is_listening(pairing) && at_us >= pairing->until_us) {
        give_up(pairing);
    }
}

uint64_t pairing_due_us(const struct pairing *pairing)
{
    if (!is_listening(pairing)) {
        return 0;
    }
    return pairing->settle_us && pairing->settle_us < pairing->until_us ? pairing->settle_us
                                                                        : pairing->until_us;
}

/*
 * Candidates
 */

static struct candidate *find_candidate(struct pairing *pairing, enum line_source source,
                                        const char *topic, const char *path)
{
    for (unsigned i = 0; i < pairing->count; i++) {
        const struct line_config *line = &pairing->candidates[i].line;
        if (line->source == source && strcmp(line->radio.topic, topic) == 0 &&
            strcmp(line->radio.path, path) == 0) {
            return &pairing->candidates[i];
        }
    }
    return NULL;
}

static struct candidate *add_candidate(struct pairing *pairing, enum line_source source,
                                       const struct radio_source *radio, const char *name)
{
    struct candidate *candidate = find_candidate(pairing, source, radio->topic, radio->path);

    if (candidate || pairing->count == PAIRING_CANDIDATES_MAX) {
        return candidate;
    }
    candidate = &pairing->candidates[pairing->count++];
    *candidate = (struct candidate){0};
    candidate->line.fitted = true;
    candidate->line.source = (uint8_t)source;
    candidate->line.radio = *radio;
    snprintf(candidate->name, sizeof candidate->name, "%.*s", RADIO_TEXT_SIZE - 1, name);
    return candidate;
}

static void ask_to_raise(struct pairing *pairing)
{
    if (is_tilt(pairing)) {
        show(pairing, STEP_RAISE, "Stand %s up again.", what_moves(pairing));
    } else {
        show(pairing, STEP_RAISE, "Release %s.", what_moves(pairing));
    }
}

static void settle_until(struct pairing *pairing, uint64_t at_us)
{
    pairing->settle_us = at_us > pairing->settle_us ? at_us : pairing->settle_us;
}

/*
 * A sensor whose state was not known may have reported it at rest, before the first movement. So
 * the value that it keeps while the piece is left alone is the one at rest.
 */
static void ask_to_leave(struct pairing *pairing)
{
    settle_until(pairing, now_us(pairing) + PAIRING_REST_US);
    if (is_tilt(pairing)) {
        show(pairing, STEP_RAISE, "Stand %s up and leave it alone for %d seconds.",
             what_moves(pairing), PAIRING_REST_US / 1000000);
    } else {
        show(pairing, STEP_RAISE, "Release %s and leave it alone for %d seconds.",
             what_moves(pairing), PAIRING_REST_US / 1000000);
    }
}

static void move_back(struct pairing *pairing, struct candidate *candidate, const char *value)
{
    candidate->movement = MOVED_BACK;
    candidate->is_unsure = !candidate->before[0];
    if (candidate->is_unsure) {
        snprintf(candidate->before, sizeof candidate->before, "%s", value);
        ask_to_leave(pairing);
    } else if (!pairing->settle_us) {
        settle_until(pairing, now_us(pairing) + PAIRING_OTHERS_US);
    }
}

static void take_value(struct pairing *pairing, struct candidate *candidate, const char *value,
                       bool retained)
{
    char *active = candidate->line.radio.value;
    bool is_before = strcmp(value, candidate->before) == 0;

    if (retained || (candidate->movement == STILL && is_before)) {
        if (candidate->movement == STILL) {
            snprintf(candidate->before, sizeof candidate->before, "%s", value);
        }
        return;
    }
    if (candidate->movement == STILL) {
        candidate->movement = MOVED;
        snprintf(active, RADIO_TEXT_SIZE, "%s", value);
        ask_to_raise(pairing);
    } else if (candidate->movement == MOVED && strcmp(value, active) != 0 &&
               (!candidate->before[0] || is_before)) {
        move_back(pairing, candidate, value);
    } else if (candidate->is_unsure && strcmp(value, active) == 0) {
        snprintf(active, RADIO_TEXT_SIZE, "%s", candidate->before);
        snprintf(candidate->before, sizeof candidate->before, "%s", value);
        ask_to_leave(pairing);
    }
}

/* Announcements come again with every connection. */
static void note_unsupported(struct pairing *pairing, const char *name)
{
    for (unsigned i = 0; i < pairing->unsupported_count; i++) {
        if (strcmp(pairing->unsupported[i], name) == 0) {
            return;
        }
    }
    if (pairing->unsupported_count < PAIRING_UNSUPPORTED_MAX) {
        snprintf(pairing->unsupported[pairing->unsupported_count++], RADIO_TEXT_SIZE, "%s", name);
    }
}

static void take_discovery(struct pairing *pairing, const struct bus_news *message)
{
    const struct bus *bus = &pairing->ports->bus;
    struct discovered discovered;
    size_t length = strlen(message->topic);

    if (length < strlen("/config") ||
        strcmp(message->topic + length - strlen("/config"), "/config") != 0 ||
        !wire_read_discovery(message->payload, message->size, &discovered) ||
        strncmp(discovered.source.topic, pairing->base, strcspn(pairing->base, "/") + 1) == 0) {
        return;
    }
    if (!discovered.is_supported) {
        note_unsupported(pairing, discovered.name);
        return;
    }
    if (!find_candidate(pairing, LINE_MQTT, discovered.source.topic, discovered.source.path) &&
        add_candidate(pairing, LINE_MQTT, &discovered.source, discovered.name)) {
        bus->subscribe(bus->self, discovered.source.topic);
    }
}

/* The node's levels; a level 1 is the active one, so the value in between has to be that. */
static void take_node(struct pairing *pairing, const char *node, const struct bus_news *message)
{
    if (message->retained || !radio_read_node(message->payload, message->size, &pairing->node)) {
        return;
    }
    for (unsigned i = 0; i < pairing->node.level_count; i++) {
        const struct node_edge *level = &pairing->node.levels[i];
        struct radio_source source = {0};
        char name[2 * NODE_NAME_SIZE];
        snprintf(source.topic, sizeof source.topic, "%s", node);
        snprintf(source.path, sizeof source.path, "%s", level->sensor);
        snprintf(name, sizeof name, "%.*s %s", NODE_NAME_SIZE - 2, node, level->sensor);
        struct candidate *candidate = add_candidate(pairing, LINE_NODE, &source, name);
        if (candidate && (level->level || candidate->movement != STILL || candidate->before[0])) {
            take_value(pairing, candidate, level->level ? "1" : "0",
                       candidate->movement == STILL && !level->level);
        } else if (candidate) {
            snprintf(candidate->before, sizeof candidate->before, "0");
        }
    }
}

/* The name of the node if the topic is that of its edges. */
static bool is_node_topic(const struct pairing *pairing, const char *topic,
                          char node[NODE_NAME_SIZE])
{
    size_t length = strlen(pairing->base);

    if (strncmp(topic, pairing->base, length) != 0 || strncmp(topic + length, "node/", 5) != 0) {
        return false;
    }
    topic += length + strlen("node/");
    length = strcspn(topic, "/");
    if (length == 0 || length >= NODE_NAME_SIZE || strcmp(topic + length, "/edges") != 0) {
        return false;
    }
    memcpy(node, topic, length);
    node[length] = '\0';
    return true;
}

void pairing_message(struct pairing *pairing, const struct bus_news *message)
{
    static const char discovery[] = "homeassistant/binary_sensor/";
    char node[NODE_NAME_SIZE];
    char value[RADIO_TEXT_SIZE];

    if (!is_listening(pairing)) {
        return;
    }
    if (strncmp(message->topic, discovery, strlen(discovery)) == 0) {
        take_discovery(pairing, message);
    } else if (is_node_topic(pairing, message->topic, node)) {
        take_node(pairing, node, message);
    }
    for (unsigned i = 0; i < pairing->count; i++) {
        struct candidate *candidate = &pairing->candidates[i];
        if (candidate->line.source == LINE_MQTT &&
            strcmp(candidate->line.radio.topic, message->topic) == 0 &&
            radio_read_text(&candidate->line.radio, message->payload, message->size, value)) {
            take_value(pairing, candidate, value, message->retained);
        }
    }
}

void pairing_connected(struct pairing *pairing)
{
    publish(pairing);
    if (is_listening(pairing)) {
        subscribe_all(pairing);
    }
}

int pairing_open(struct pairing **opened, const struct table_ports *ports, struct sources *sources,
                 const char *base)
{
    struct pairing *pairing = calloc(1, sizeof *pairing);

    if (!pairing) {
        return -ENOMEM;
    }
    pairing->ports = ports;
    pairing->sources = sources;
    snprintf(pairing->base, sizeof pairing->base, "%s", base);
    *opened = pairing;
    return 0;
}

void pairing_close(struct pairing *pairing)
{
    free(pairing);
}
