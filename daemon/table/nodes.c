#include "nodes.h"

#include <string.h>

static bool is_known_boot(const struct node *node, const char *boot)
{
    for (unsigned i = 0; i < NODE_BOOTS_MAX; i++) {
        if (strcmp(node->boots[i], boot) == 0) {
            return true;
        }
    }
    return false;
}

static void compare_clocks(struct node *node, const struct node_message *message, uint64_t now_us,
                           bool is_first)
{
    int64_t offset_us = (int64_t)(now_us - message->sent_us);
    int64_t relaxed_us =
        node->offset_us + (int64_t)((now_us - node->heard_us) / NODE_DRIFT_DIVISOR);

    node->offset_us = is_first || offset_us < relaxed_us ? offset_us : relaxed_us;
    node->heard_us = now_us;
}

enum node_verdict node_accept(struct node *node, const struct node_message *message,
                              uint64_t now_us)
{
    bool is_current = strcmp(node->boots[0], message->boot) == 0;

    if (is_current ? message->number <= node->number : is_known_boot(node, message->boot)) {
        return NODE_OUTDATED;
    }
    bool is_next = is_current && message->number == node->number + 1;
    if (!is_current) {
        memmove(node->boots[1], node->boots[0], sizeof node->boots - sizeof node->boots[0]);
        memcpy(node->boots[0], message->boot, sizeof node->boots[0]);
    }
    compare_clocks(node, message, now_us, !is_current);
    node->number = message->number;
    return !is_current ? NODE_BOOTED : is_next ? NODE_NEXT : NODE_GAP;
}

uint64_t node_sent_us(const struct node *node, const struct node_message *message, uint64_t now_us,
                      uint64_t late_us)
{
    uint64_t earliest_us = now_us > late_us ? now_us - late_us : 0;
    uint64_t sent_us = message->sent_us + (uint64_t)node->offset_us;
    bool is_plausible = sent_us <= now_us && sent_us >= earliest_us;

    return is_plausible ? sent_us : earliest_us;
}

/*
 * Edges
 */

bool node_has_line(const char *node, const struct line_config *line)
{
    return line_is_radio(line) && line->source == LINE_NODE && strcmp(line->radio.topic, node) == 0;
}

unsigned node_find_sensor(const char *node, const char *sensor, const struct config *config)
{
    for (unsigned i = 1; i < SENSOR_COUNT; i++) {
        const struct line_config *line = &config->hw.lines[i];
        if (node_has_line(node, line) && strcmp(line->radio.path, sensor) == 0) {
            return i;
        }
    }
    return SENSOR_NONE;
}

/* A message with what is needed to read it. */
struct reading {
    struct node *node;
    const struct node_message *message;
    const struct config *config;
    struct edge_batch *batch;
};

/* The age of the last edge of that sensor in the message. */
static uint64_t newest_age_us(const struct node_message *message, const char *sensor)
{
    uint64_t age_us = 0;

    for (unsigned i = 0; i < message->edge_count; i++) {
        age_us = strcmp(message->edges[i].sensor, sensor) == 0 ? message->edges[i].age_us : age_us;
    }
    return age_us;
}

/*
 * When an edge of the message happened. A fall has the time of its arrival, as all falls by radio
 * have: how late it may be is `late`, and its bounces keep their distances as far as that.
 */
static uint64_t edge_time_us(const struct reading *reading, unsigned sensor, const char *name,
                             uint64_t age_us)
{
    uint64_t now_us = reading->batch->now_us;
    uint64_t late_us = config_late_ms(reading->config, sensor) * UINT64_C(1000);

    if (sensor_place(sensor).kind == SENSOR_KIND_TILT) {
        uint64_t newest_us = newest_age_us(reading->message, name);
        uint64_t before_us = age_us > newest_us ? age_us - newest_us : 0;
        return now_us - (before_us < late_us ? before_us : late_us);
    }
    uint64_t sent_us = node_sent_us(reading->node, reading->message, now_us, late_us);
    return sent_us > age_us ? sent_us - age_us : 0;
}

static void add_edge(const struct reading *reading, const struct node_edge *edge)
{
    struct edge_batch *batch = reading->batch;
    struct node *node = reading->node;
    unsigned sensor = node_find_sensor(node->name, edge->sensor, reading->config);

    if (sensor == SENSOR_NONE) {
        return;
    }
    uint64_t at_us = edge_time_us(reading, sensor, edge->sensor, edge->age_us);
    if (sensor_place(sensor).kind == SENSOR_KIND_ENCODER) { /* the order of its lines matters */
        uint64_t last_us = batch->after.edge_us[sensor];
        last_us = last_us > node->edge_us ? last_us : node->edge_us;
        at_us = at_us > last_us ? at_us : last_us + 1;
        node->edge_us = at_us;
    }
    if (edge->level == batch->after.level[sensor]) {
        edge_batch_add(batch, sensor, EDGE_LOSSY, false, at_us);
    } else {
        edge_batch_add(batch, sensor, EDGE_CHANGE, edge->level, at_us);
    }
}

/* After a boot there is no telling what was missed: the levels before the edges are taken over. */
static void start_over(const struct reading *reading)
{
    const struct node_message *message = reading->message;

    for (unsigned i = 0; i < message->level_count; i++) {
        const struct node_edge *level = &message->levels[i];
        unsigned sensor = node_find_sensor(reading->node->name, level->sensor, reading->config);
        bool before = level->level;
        uint64_t age_us = 0;
        for (unsigned j = message->edge_count; j-- > 0;) {
            if (strcmp(message->edges[j].sensor, level->sensor) == 0) {
                before = !message->edges[j].level;
                age_us = message->edges[j].age_us;
            }
        }
        if (sensor != SENSOR_NONE) {
            edge_batch_add_level(reading->batch, sensor, before,
                                 edge_time_us(reading, sensor, level->sensor, age_us));
        }
    }
}

static void compare_levels(const struct reading *reading)
{
    const struct node_message *message = reading->message;
    struct edge_batch *batch = reading->batch;

    for (unsigned i = 0; i < message->level_count; i++) {
        const struct node_edge *level = &message->levels[i];
        unsigned sensor = node_find_sensor(reading->node->name, level->sensor, reading->config);
        if (sensor == SENSOR_NONE) {
            continue;
        }
        if (level->level != batch->after.level[sensor]) {
            edge_batch_add(batch, sensor, EDGE_LOSSY, false, batch->now_us);
        }
        edge_batch_add_level(batch, sensor, level->level, batch->now_us);
    }
}

void node_add_edges(struct node *node, const struct node_message *message,
                    enum node_verdict verdict, const struct config *config,
                    struct edge_batch *batch)
{
    const struct reading reading = {node, message, config, batch};

    if (verdict == NODE_BOOTED) {
        start_over(&reading);
    }
    for (unsigned i = 0; i < message->edge_count; i++) {
        add_edge(&reading, &message->edges[i]);
    }
    compare_levels(&reading);
}
