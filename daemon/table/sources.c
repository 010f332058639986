#include "sources.h"

#include "common/log.h"
#include "nodes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NODES_MAX = SENSOR_COUNT,
    TOPICS_PER_SOURCE = 1 + RADIO_ALIVE_MAX,
    NEWS_PAUSE_US = 500000,
    NEWS_DELAY_US = 1000,      /* after a reading: as the state after an event */
    HEARD_PAUSE_US = 60000000, /* when it was heard is published at most once in this time */
    SOURCE_TOPIC_SIZE = 2 * TOPIC_SIZE + 16, /* of any source, also of a node */
};

static const struct radio_link unknown_link = {RADIO_UNKNOWN, RADIO_UNKNOWN, RADIO_UNKNOWN};

/* A sensor, if its line is one. */
struct radio_sensor {
    struct line_config line;
    uint64_t heard_us; /* the last message, or when waiting for one began */
    uint64_t news_us;  /* when its topic may be published again */
    bool is_offline[RADIO_ALIVE_MAX];
    bool is_quiet;
    bool has_news;
};

struct sources {
    const struct config *config;
    const struct table_ports *ports;
    struct observed *observed;
    char base[TOPIC_SIZE];
    bool is_unreachable;
    bool has_changed;
    unsigned paired; /* see sources_paired */
    struct radio_sensor sources[SENSOR_COUNT];
    struct known_levels known;
    struct node nodes[NODES_MAX];
    unsigned node_count;
    struct edge_batch batch;
    struct node_message message; /* being read */
};

/*
 * Edges
 */

static struct edge_batch *begin_batch(struct sources *sources)
{
    const struct clock *clock = &sources->ports->clock;

    edge_batch_begin(&sources->batch, &sources->known, clock->now_us(clock->self));
    return &sources->batch;
}

/* False if the sensor thread does not take them: they count as not received. */
static bool end_batch(struct sources *sources)
{
    const struct sensors *sensors = &sources->ports->sensors;
    const struct edge_batch *batch = &sources->batch;
    static struct log_limit limit;

    if (batch->count && sensors->put(sensors->self, batch->edges, batch->count)) {
        log_limited(&limit, LOG_LEVEL_WARNING,
                    "messages of sensors come faster than they can be read: some are lost");
        return false;
    }
    sources->known = batch->after;
    return true;
}

/*
 * Silence
 */

static bool is_silent(const struct sources *sources, const struct radio_sensor *source)
{
    return line_is_radio(&source->line) && (sources->is_unreachable || source->is_quiet ||
                                            source->is_offline[0] || source->is_offline[1]);
}

/* at_us: when it became known. */
static void update_silence(const struct sources *sources, struct edge_batch *batch, unsigned sensor,
                           uint64_t at_us)
{
    bool is_gone = is_silent(sources, &sources->sources[sensor]);

    if (is_gone != batch->after.is_gone[sensor]) {
        edge_batch_add(batch, sensor, is_gone ? EDGE_GONE : EDGE_BACK, false, at_us);
    }
}

static void update_all(struct sources *sources)
{
    struct edge_batch *batch = begin_batch(sources);

    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        update_silence(sources, batch, sensor, batch->now_us);
    }
    end_batch(sources);
}

static int16_t newer(int16_t heard, int16_t known)
{
    if (heard != RADIO_UNKNOWN) {
        return heard;
    }
    return known;
}

static void note_link(struct sources *sources, unsigned sensor, const struct radio_link *link)
{
    struct radio_link *known = &sources->observed->sensors[sensor].link;
    struct radio_link before = *known;

    known->battery = newer(link->battery, known->battery);
    known->linkquality = newer(link->linkquality, known->linkquality);
    known->rssi = newer(link->rssi, known->rssi);
    if (memcmp(&before, known, sizeof before) != 0) {
        sources->sources[sensor].has_news = true;
    }
}

/* A live reading: the sensor works, whatever its availability topic says. */
static void note_reading(struct sources *sources, unsigned sensor, uint64_t now_us)
{
    struct radio_sensor *source = &sources->sources[sensor];
    struct sensor_state *state = &sources->observed->sensors[sensor];

    memset(source->is_offline, 0, sizeof source->is_offline);
    if (!state->heard_us) {
        source->has_news = true;
        sources->has_changed = true;
    }
    if (now_us > source->news_us + HEARD_PAUSE_US) {
        source->has_news = true;
    }
    if (source->has_news && source->news_us <= now_us) {
        source->news_us = now_us + NEWS_DELAY_US;
    }
    state->heard_us = now_us;
}

/*
 * Messages of single sensors
 */

/* A button or beam that reports only once is released as soon as its filter has noticed it. */
static void add_pulse(const struct sources *sources, struct edge_batch *batch, unsigned sensor)
{
    const struct timing_config *timing = &sources->config->timing;
    enum sensor_kind kind = sensor_place(sensor).kind;
    bool is_beam = kind == SENSOR_KIND_BEAM || kind == SENSOR_KIND_MUZZLE;
    uint64_t width_us = 1000 + (is_beam ? timing->beam_min_us : timing->button_ms * UINT64_C(1000));

    edge_batch_add(batch, sensor, EDGE_CHANGE, true,
                   batch->now_us > width_us ? batch->now_us - width_us : 0);
    edge_batch_add(batch, sensor, EDGE_CHANGE, false, batch->now_us);
}

static bool stays_active(unsigned sensor)
{
    enum sensor_kind kind = sensor_place(sensor).kind;

    return kind == SENSOR_KIND_TILT || kind == SENSOR_KIND_DOCK;
}

static void take_live(struct sources *sources, struct edge_batch *batch, unsigned sensor,
                      enum radio_level level)
{
    struct radio_sensor *source = &sources->sources[sensor];

    source->heard_us = batch->now_us;
    source->is_quiet = false;
    if (level != RADIO_NO_LEVEL) {
        note_reading(sources, sensor, batch->now_us);
    }
    update_silence(sources, batch, sensor, batch->now_us);
    if (level == RADIO_NO_LEVEL) {
        return;
    }
    if (source->line.radio.once && !stays_active(sensor)) {
        add_pulse(sources, batch, sensor);
    } else {
        edge_batch_add_reading(batch, sensor, level == RADIO_ACTIVE, batch->now_us);
    }
}

static void take_reading(struct sources *sources, unsigned sensor, const struct bus_news *message)
{
    struct edge_batch *batch = begin_batch(sources);
    struct radio_reading reading;

    radio_read(&sources->sources[sensor].line.radio, message->payload, message->size, &reading);
    note_link(sources, sensor, &reading.link);
    if (!message->retained) {
        take_live(sources, batch, sensor, reading.level);
    } else if (reading.level != RADIO_NO_LEVEL &&
               ((reading.level == RADIO_ACTIVE) != batch->after.level[sensor] ||
                !batch->after.has_level[sensor])) {
        edge_batch_add(batch, sensor, EDGE_LEVEL, reading.level == RADIO_ACTIVE, batch->now_us);
    }
    end_batch(sources);
}

static void take_alive(struct sources *sources, unsigned sensor, unsigned index,
                       const struct bus_news *message)
{
    enum radio_level level = radio_read_alive(message->payload, message->size);

    if (level != RADIO_NO_LEVEL) {
        struct edge_batch *batch = begin_batch(sources);
        sources->sources[sensor].is_offline[index] = level == RADIO_INACTIVE;
        update_silence(sources, batch, sensor, batch->now_us);
        end_batch(sources);
    }
}

/*
 * Messages of nodes
 */

static struct node *find_node(struct sources *sources, const char *name)
{
    for (unsigned i = 0; i < sources->node_count; i++) {
        if (strcmp(sources->nodes[i].name, name) == 0) {
            return &sources->nodes[i];
        }
    }
    return NULL;
}

static void begin_node_message(struct sources *sources, struct edge_batch *batch,
                               const struct node *node, enum node_verdict verdict)
{
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        struct radio_sensor *source = &sources->sources[sensor];
        if (!node_has_line(node->name, &source->line)) {
            continue;
        }
        source->heard_us = batch->now_us;
        source->is_quiet = false;
        memset(source->is_offline, 0, sizeof source->is_offline);
        update_silence(sources, batch, sensor, batch->after.edge_us[sensor]);
        if (verdict == NODE_GAP) {
            edge_batch_add(batch, sensor, EDGE_LOSSY, false, batch->after.edge_us[sensor]);
        }
    }
}

static void note_levels(struct sources *sources, const struct node *node, uint64_t now_us)
{
    const struct node_message *message = &sources->message;

    for (unsigned i = 0; i < message->level_count; i++) {
        unsigned sensor = node_find_sensor(node->name, message->levels[i].sensor, sources->config);
        if (sensor != SENSOR_NONE) {
            note_reading(sources, sensor, now_us);
        }
    }
}

static void take_edges(struct sources *sources, struct node *node, const struct bus_news *message)
{
    struct node before = *node;
    struct edge_batch *batch = begin_batch(sources);
    static struct log_limit limit;

    if (message->retained) {
        return; /* edges of the past */
    }
    if (!radio_read_node(message->payload, message->size, &sources->message)) {
        log_limited(&limit, LOG_LEVEL_WARNING, "node %s: a message on its topic edges is invalid",
                    node->name);
        return;
    }
    enum node_verdict verdict = node_accept(node, &sources->message, batch->now_us);
    if (verdict == NODE_OUTDATED) {
        return;
    }
    begin_node_message(sources, batch, node, verdict);
    note_levels(sources, node, batch->now_us);
    node_add_edges(node, &sources->message, verdict, sources->config, batch);
    if (!end_batch(sources)) {
        *node = before; /* so that the next message shows the gap */
    }
}

/* What is below PREFIX/TABLE/node/NODE/, and the node; NULL if the topic is another one. */
static const char *node_topic(struct sources *sources, const char *topic, struct node **node)
{
    size_t length = strlen(sources->base);
    char name[NODE_NAME_SIZE];

    if (strncmp(topic, sources->base, length) != 0 || strncmp(topic + length, "node/", 5) != 0) {
        return NULL;
    }
    topic += length + strlen("node/");
    length = strcspn(topic, "/");
    if (length >= sizeof name || !topic[length]) {
        return NULL;
    }
    memcpy(name, topic, length);
    name[length] = '\0';
    *node = find_node(sources, name);
    return *node ? topic + length + 1 : NULL;
}

static void take_node_message(struct sources *sources, struct node *node, const char *name,
                              const struct bus_news *message)
{
    struct radio_link link = unknown_link;

    if (strcmp(name, "edges") == 0) {
        take_edges(sources, node, message);
        return;
    }
    if (strcmp(name, "info") == 0) {
        radio_read_info(message->payload, message->size, &link);
    }
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        if (!node_has_line(node->name, &sources->sources[sensor].line)) {
            continue;
        }
        if (strcmp(name, "status") == 0) {
            take_alive(sources, sensor, 0, message);
        } else {
            note_link(sources, sensor, &link);
        }
    }
}

bool sources_message(struct sources *sources, const struct bus_news *message)
{
    struct node *node = NULL;
    const char *name = node_topic(sources, message->topic, &node);
    bool is_known = name;

    if (name) {
        take_node_message(sources, node, name, message);
        return true;
    }
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        const struct radio_sensor *source = &sources->sources[sensor];
        const struct radio_source *radio = &source->line.radio;
        if (!line_is_radio(&source->line) || source->line.source != LINE_MQTT) {
            continue;
        }
        for (unsigned i = 0; i < RADIO_ALIVE_MAX; i++) {
            if (strcmp(radio->alive[i], message->topic) == 0) {
                is_known = true;
                take_alive(sources, sensor, i, message);
            }
        }
        if (strcmp(radio->topic, message->topic) == 0) {
            is_known = true;
            take_reading(sources, sensor, message);
        }
    }
    return is_known;
}

/*
 * Subscriptions
 */

/* The topics of a source, one by one; "" if there is none with this index. */
static void topic_of(const struct sources *sources, const struct line_config *line, unsigned index,
                     char topic[SOURCE_TOPIC_SIZE])
{
    static const char *const of_node[TOPICS_PER_SOURCE] = {"edges", "status", "info"};

    topic[0] = '\0';
    if (line_is_radio(line) && line->source == LINE_NODE) {
        snprintf(topic, SOURCE_TOPIC_SIZE, "%snode/%s/%s", sources->base, line->radio.topic,
                 of_node[index]);
    } else if (line_is_radio(line)) {
        snprintf(topic, SOURCE_TOPIC_SIZE, "%s",
                 index == 0 ? line->radio.topic : line->radio.alive[index - 1]);
    }
}

/* Whether a source before this one has the topic. */
static bool is_used(const struct sources *sources, unsigned before, const char *topic)
{
    char used[SOURCE_TOPIC_SIZE];

    for (unsigned sensor = 1; sensor < before; sensor++) {
        for (unsigned i = 0; i < TOPICS_PER_SOURCE; i++) {
            topic_of(sources, &sources->sources[sensor].line, i, used);
            if (strcmp(used, topic) == 0) {
                return true;
            }
        }
    }
    return false;
}

bool sources_use(const struct sources *sources, const char *topic)
{
    return is_used(sources, SENSOR_COUNT, topic);
}

unsigned sources_with(const struct sources *sources, const struct line_config *line)
{
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        const struct line_config *used = &sources->sources[sensor].line;
        if (line_is_radio(used) && used->source == line->source &&
            strcmp(used->radio.topic, line->radio.topic) == 0 &&
            strcmp(used->radio.path, line->radio.path) == 0) {
            return sensor;
        }
    }
    return SENSOR_NONE;
}

/* Also if it is subscribed to already: its retained message is needed again. */
static void subscribe(const struct sources *sources, unsigned sensor)
{
    const struct bus *bus = &sources->ports->bus;
    char topic[SOURCE_TOPIC_SIZE];

    for (unsigned i = 0; i < TOPICS_PER_SOURCE; i++) {
        topic_of(sources, &sources->sources[sensor].line, i, topic);
        if (topic[0]) {
            bus->subscribe(bus->self, topic);
        }
    }
}

static void unsubscribe(const struct sources *sources, const struct line_config *line)
{
    const struct bus *bus = &sources->ports->bus;
    char topic[SOURCE_TOPIC_SIZE];

    for (unsigned i = 0; i < TOPICS_PER_SOURCE; i++) {
        topic_of(sources, line, i, topic);
        if (topic[0] && !is_used(sources, SENSOR_COUNT, topic)) {
            bus->unsubscribe(bus->self, topic);
        }
    }
}

void sources_connected(struct sources *sources)
{
    const struct bus *bus = &sources->ports->bus;
    const struct clock *clock = &sources->ports->clock;
    char topic[SOURCE_TOPIC_SIZE];

    sources->is_unreachable = false;
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        sources->sources[sensor].heard_us = clock->now_us(clock->self);
        sources->sources[sensor].is_quiet = false;
        sources->sources[sensor].has_news = false; /* the publisher publishes all topics */
        for (unsigned i = 0; i < TOPICS_PER_SOURCE; i++) {
            topic_of(sources, &sources->sources[sensor].line, i, topic);
            if (topic[0] && !is_used(sources, sensor, topic)) {
                bus->subscribe(bus->self, topic);
            }
        }
    }
    update_all(sources);
}

void sources_disconnected(struct sources *sources)
{
    if (!sources->is_unreachable) {
        sources->is_unreachable = true;
        update_all(sources);
    }
}

/*
 * Configuration
 */

static void add_node(struct sources *sources, const struct line_config *line)
{
    if (line_is_radio(line) && line->source == LINE_NODE &&
        !find_node(sources, line->radio.topic)) {
        struct node *node = &sources->nodes[sources->node_count++];
        *node = (struct node){0};
        snprintf(node->name, sizeof node->name, "%.*s", NODE_NAME_SIZE - 1, line->radio.topic);
    }
}

/* Nodes that are still used keep what was heard of them. */
static void update_nodes(struct sources *sources)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < sources->node_count; i++) {
        for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
            if (node_has_line(sources->nodes[i].name, &sources->sources[sensor].line)) {
                sources->nodes[kept++] = sources->nodes[i];
                break;
            }
        }
    }
    sources->node_count = kept;
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        add_node(sources, &sources->sources[sensor].line);
    }
}

static void replace_source(struct sources *sources, struct edge_batch *batch, unsigned sensor)
{
    const struct line_config *line = &sources->config->hw.lines[sensor];
    struct radio_sensor *source = &sources->sources[sensor];
    struct sensor_state *state = &sources->observed->sensors[sensor];
    bool is_concerned = line_is_radio(line) || line_is_radio(&source->line);
    bool was_wired = source->line.fitted && !line_is_radio(&source->line);

    *source = (struct radio_sensor){.line = *line, .heard_us = batch->now_us};
    source->has_news = is_concerned;
    state->is_radio = line_is_radio(line);
    state->is_once = state->is_radio && line->radio.once;
    state->heard_us = sources->paired == sensor ? batch->now_us : 0;
    state->link = unknown_link;
    if (is_concerned) {
        update_silence(sources, batch, sensor, batch->now_us);
    }
    if (is_concerned && (was_wired || batch->after.level[sensor])) {
        edge_batch_add(batch, sensor, EDGE_LEVEL, false, batch->now_us);
    }
    batch->after.has_level[sensor] = false;
}

/* Two line_config, both zeroed before they were filled in, so that all bytes can be compared. */
static bool lines_differ(const void *one, const void *two)
{
    return memcmp(one, two, sizeof(struct line_config)) != 0;
}

void sources_configured(struct sources *sources)
{
    const struct sensors *sensors = &sources->ports->sensors;
    bool is_radio[SENSOR_COUNT];
    bool is_new[SENSOR_COUNT] = {false};
    struct edge_batch *batch = begin_batch(sources);

    for (unsigned sensor = 0; sensor < SENSOR_COUNT; sensor++) {
        is_radio[sensor] = line_is_radio(&sources->config->hw.lines[sensor]);
    }
    sensors->set_radio(sensors->self, is_radio);
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        struct line_config before = sources->sources[sensor].line;
        is_new[sensor] = lines_differ(&before, &sources->config->hw.lines[sensor]);
        if (is_new[sensor]) {
            replace_source(sources, batch, sensor);
            unsubscribe(sources, &before);
        }
    }
    sources->paired = SENSOR_NONE;
    end_batch(sources);
    update_nodes(sources);
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        if (is_new[sensor]) {
            subscribe(sources, sensor);
        }
    }
    sources->has_changed = true;
}

void sources_paired(struct sources *sources, unsigned sensor)
{
    sources->paired = sensor;
}

void sources_reset(struct sources *sources, enum piece piece)
{
    struct edge_batch *batch = begin_batch(sources);

    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        const struct radio_sensor *source = &sources->sources[sensor];
        bool is_meant = piece == PIECE_NONE || sensor == SENSOR_TILT + (unsigned)piece;
        if (is_meant && line_is_radio(&source->line) && source->line.radio.once &&
            batch->after.level[sensor]) {
            edge_batch_add(batch, sensor, EDGE_LEVEL, false, batch->now_us);
            sources->observed->sensors[sensor].settled = 0;
        }
    }
    end_batch(sources);
}

/*
 * Time
 */

static uint64_t quiet_at_us(const struct sources *sources, const struct radio_sensor *source)
{
    uint64_t quiet_us = sources->config->radio.quiet_s * UINT64_C(1000000);
    bool may_become = line_is_radio(&source->line) && !source->is_quiet && quiet_us;

    return may_become && !sources->is_unreachable ? source->heard_us + quiet_us : 0;
}

void sources_tick(struct sources *sources, uint64_t now_us)
{
    bool has_changed = false;

    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        struct radio_sensor *source = &sources->sources[sensor];
        uint64_t due_us = quiet_at_us(sources, source);
        if (due_us && now_us >= due_us) {
            source->is_quiet = true;
            has_changed = true;
        }
    }
    if (has_changed) {
        update_all(sources);
    }
}

uint64_t sources_due_us(const struct sources *sources)
{
    uint64_t due_us = sources->has_changed; /* at once */

    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        const struct radio_sensor *source = &sources->sources[sensor];
        uint64_t candidates[] = {quiet_at_us(sources, source),
                                 source->has_news ? source->news_us + 1 : 0};
        for (unsigned i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
            due_us = candidates[i] && (!due_us || candidates[i] < due_us) ? candidates[i] : due_us;
        }
    }
    return due_us;
}

bool sources_take_change(struct sources *sources)
{
    bool has_changed = sources->has_changed;

    sources->has_changed = false;
    return has_changed;
}

unsigned sources_take_news(struct sources *sources, uint64_t now_us)
{
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        struct radio_sensor *source = &sources->sources[sensor];
        if (source->has_news && now_us > source->news_us) {
            source->has_news = false;
            source->news_us = now_us + NEWS_PAUSE_US;
            sources->has_changed = true; /* the ready check has the same limit */
            return sensor;
        }
    }
    return SENSOR_NONE;
}

/*
 * Opening
 */

int sources_open(struct sources **opened, const struct config *config,
                 const struct table_ports *ports, struct observed *observed, const char *base)
{
    struct sources *sources = calloc(1, sizeof *sources);

    if (!sources) {
        return -ENOMEM;
    }
    sources->config = config;
    sources->ports = ports;
    sources->observed = observed;
    snprintf(sources->base, sizeof sources->base, "%s", base);
    for (unsigned sensor = 0; sensor < SENSOR_COUNT; sensor++) {
        observed->sensors[sensor].link = unknown_link;
    }
    *opened = sources;
    return 0;
}

void sources_close(struct sources *sources)
{
    free(sources);
}
