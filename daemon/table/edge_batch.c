#include "edge_batch.h"

#include "hw/sensor.h"

void edge_batch_begin(struct edge_batch *batch, const struct known_levels *known, uint64_t now_us)
{
    batch->after = *known;
    batch->now_us = now_us;
    batch->count = 0;
}

void edge_batch_add(struct edge_batch *batch, unsigned sensor, enum edge_kind kind, bool level,
                    uint64_t at_us)
{
    uint64_t *edge_us = &batch->after.edge_us[sensor];

    if (batch->count == EDGE_BATCH_MAX) {
        return;
    }
    *edge_us = at_us > *edge_us ? at_us : *edge_us;
    batch->edges[batch->count++] = (struct edge){
        .at_us = *edge_us, .sensor = (uint16_t)sensor, .level = level, .kind = (uint8_t)kind};
    if (kind == EDGE_CHANGE || kind == EDGE_LEVEL) {
        batch->after.level[sensor] = level;
        batch->after.has_level[sensor] = true;
    } else if (kind != EDGE_LOSSY) {
        batch->after.is_gone[sensor] = kind == EDGE_GONE;
    }
}

static bool is_encoder(unsigned sensor)
{
    return sensor_place(sensor).kind == SENSOR_KIND_ENCODER;
}

void edge_batch_add_reading(struct edge_batch *batch, unsigned sensor, bool level, uint64_t at_us)
{
    bool is_first = !batch->after.has_level[sensor] && (!level || is_encoder(sensor));

    if (is_first || level != batch->after.level[sensor]) {
        edge_batch_add(batch, sensor, is_first ? EDGE_LEVEL : EDGE_CHANGE, level, at_us);
    }
}

void edge_batch_add_level(struct edge_batch *batch, unsigned sensor, bool level, uint64_t at_us)
{
    if (is_encoder(sensor) && level != batch->after.level[sensor]) {
        edge_batch_add(batch, sensor, EDGE_LEVEL, level, at_us);
    } else {
        edge_batch_add_reading(batch, sensor, level, at_us);
    }
}
