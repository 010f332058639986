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
    put(&object, "counts", json_integer(rope->counts));
    put(&object, "invalid", json_integer(rope->invalid));
    return finish_text(&object);
}

char *wire_sensor(const struct wire_sensor *sensor)
{
    struct building object = begin_object();

    put(&object, "value", json_integer(sensor->level));
    put(&object, "health", json_string_nocheck(rules_health_name(sensor->health)));
    put(&object, "edges", json_integer(sensor->edges));
    put(&object, "rate", json_integer(sensor->rate));
    put(&object, "width_us", sensor->width_us ? json_integer(sensor->width_us) : json_null());
    put(&object, "at", sensor->wall_ms ? json_time(sensor->wall_ms) : json_null());
    return finish_text(&object);
}

char *wire_ready(const struct wire_ready *ready)
{
    struct building object = begin_object();
    struct building problems = begin_list();

    for (unsigned i = 0; i < ready->problem_count; i++) {
        const struct wire_problem *problem = &ready->problems[i];
        struct building item = begin_object();
        put(&item, "sensor", json_text(problem->sensor));
        put(&item, "piece", json_piece(problem->piece));
        put(&item, "message", json_text(problem->message));
        put(&item, "blocks", json_boolean(problem->blocks));
        append(&problems, finish(&item));
    }
    put(&object, "v", json_integer(WIRE_VERSION));
    put(&object, "check", json_text(ready->check));
    put(&object, "ready", json_boolean(ready->ready));
    put(&object, "autostart", json_boolean(ready->autostart));
    put(&object, "problems", finish(&problems));
    return finish_text(&object);
}
