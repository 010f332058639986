/* What the table says of itself: the daemon, the rope, the sensors. */
#include "wire.h"

#include "wire_json.h"

char *wire_info(const struct wire_info *info)
{
    struct building object = begin_object();
    struct building faults = begin_list();

    for (unsigned i = 0; i < info->fault_count; i++) {
        append(&faults, json_text(info->faults[i]));
    }
    put(&object, "v", json_integer(WIRE_VERSION));
    put(&object, "version", json_text(info->version));
    put(&object, "backend", json_text(info->backend));
    put(&object, "rules", json_text(info->rules));
    put(&object, "sensors", json_integer(info->sensors));
    put(&object, "since", json_time(info->since_ms));
    put(&object, "storage", json_text_or_null(info->storage));
    put(&object, "faults", finish(&faults));
    return finish_text(&object);
}

char *wire_rope(const struct wire_rope *rope)
{
    struct building object = begin_object();

    put(&object, "knots", json_milli(rope->knots_milli));
    put(&object, "piece", json_piece(rope->piece));
    put(&object, "left", json_integer(rope->left));
    put(&object, "over", json_boolean(rope->over));
    return finish_text(&object);
}

char *wire_sensor(unsigned level, enum health health, uint32_t edges)
{
    struct building object = begin_object();

    put(&object, "value", json_integer(level));
    put(&object, "health", json_string_nocheck(rules_health_name(health)));
    put(&object, "edges", json_integer(edges));
    return finish_text(&object);
}
