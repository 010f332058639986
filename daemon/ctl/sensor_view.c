#include "sensor_view.h"

#include "read_json.h"
#include "wire/wire.h"

#include <stdio.h>
#include <string.h>

void sensor_view_name(struct sensor_names *names, const struct hw_config *hw)
{
    struct button_names buttons = {.count = hw->button_count};

    for (unsigned i = 0; i < hw->button_count; i++) {
        snprintf(buttons.name[i], sizeof buttons.name[i], "%.*s", BUTTON_NAME_SIZE - 1,
                 hw->buttons[i].name);
    }
    sensor_names_init(names, &buttons);
}

static int16_t read_figure(const json_t *json, const char *key)
{
    const json_t *figure = json_object_get(json, key);
    json_int_t number = json_integer_value(figure);

    return json_is_integer(figure) && number > RADIO_UNKNOWN && number <= INT16_MAX
               ? (int16_t)number
               : RADIO_UNKNOWN;
}

static bool hear_sensor(struct sensor_view *view, const char *path, const json_t *json)
{
    char name[WIRE_SENSOR_SIZE];
    unsigned sensor = wire_sensor_name(path, name) ? sensor_named(&view->names, name) : SENSOR_NONE;
    enum health health = rules_health_named(peek_text(json, "health"));
    const char *source = peek_text(json, "source");
    bool is_radio = strcmp(source, "mqtt") == 0 || strcmp(source, "node") == 0;
    uint32_t edges = read_number(json, "edges");

    if (sensor == SENSOR_NONE || health == HEALTH_NONE) {
        return false;
    }
    view->readings[sensor] = (struct sensor_reading){
        .heard = is_radio || edges > 0 || health != HEALTH_OK,
        .level = read_number(json, "value") == 1,
        .health = health,
        .edges = edges,
        .rate = read_number(json, "rate"),
        .width_us = read_number(json, "width_us"),
        .at_ms = read_time_ms(json, "at"),
        .is_radio = is_radio,
        .has_reported = read_flag(json, "heard"),
        .link =
            {
                .battery = read_figure(json, "battery"),
                .linkquality = read_figure(json, "linkquality"),
                .rssi = read_figure(json, "rssi"),
            },
    };
    if (is_radio) {
        read_text(json, "line", view->readings[sensor].line, sizeof view->readings[sensor].line);
    }
    return true;
}

static bool hear_rope(struct sensor_view *view, const json_t *json)
{
    const json_t *counts = json_object_get(json, "counts");

    if (!json_is_integer(counts)) {
        return false;
    }
    view->rope = (struct rope_reading){
        .heard = true,
        .counts = json_integer_value(counts),
        .invalid = read_number(json, "invalid"),
        .presses = read_number(json, "presses"),
        .pressed_counts = json_integer_value(json_object_get(json, "pressed_counts")),
    };
    return true;
}

static bool hear_ready(struct sensor_view *view, const json_t *json)
{
    const json_t *problems = json_object_get(json, "problems");
    size_t count = json_array_size(problems);

    if (read_number(json, "v") != 1) {
        return false;
    }
    read_text(json, "check", view->check, sizeof view->check);
    view->problem_count =
        count < SENSOR_VIEW_PROBLEMS_MAX ? (unsigned)count : SENSOR_VIEW_PROBLEMS_MAX;
    for (unsigned i = 0; i < view->problem_count; i++) {
        read_text(json_array_get(problems, i), "message", view->problems[i],
                  sizeof view->problems[i]);
    }
    return true;
}

static bool hear(struct sensor_view *view, const char *topic, const json_t *json)
{
    static const char sensors[] = "sensor/";

    if (strncmp(topic, sensors, strlen(sensors)) == 0) {
        return hear_sensor(view, topic + strlen(sensors), json);
    }
    if (strcmp(topic, "rope") == 0) {
        return hear_rope(view, json);
    }
    if (strcmp(topic, "ready") == 0) {
        return hear_ready(view, json);
    }
    if (strcmp(topic, "state") == 0) {
        view->phase = read_phase(json, "phase");
        return true;
    }
    if (strcmp(topic, "info") == 0) {
        read_text(json, "backend", view->backend, sizeof view->backend);
        return true;
    }
    return false;
}

/* It is not configured any more. */
static bool forget_sensor(struct sensor_view *view, const char *path)
{
    char name[WIRE_SENSOR_SIZE];
    unsigned sensor = wire_sensor_name(path, name) ? sensor_named(&view->names, name) : SENSOR_NONE;

    view->readings[sensor] = (struct sensor_reading){0};
    return sensor != SENSOR_NONE;
}

bool sensor_view_hear(struct sensor_view *view, const char *topic, const void *payload, size_t size)
{
    static const char sensors[] = "sensor/";

    if (size == 0 && strncmp(topic, sensors, strlen(sensors)) == 0) {
        return forget_sensor(view, topic + strlen(sensors));
    }
    json_t *json = json_loadb(payload, size, 0, NULL);
    bool is_new = json_is_object(json) && hear(view, topic, json);

    json_decref(json);
    return is_new;
}

bool sensor_view_is_simulated(const struct sensor_view *view, const struct hw_config *hw)
{
    const char *simulated = config_backend_name(BACKEND_SIM);

    return view->backend[0] ? strcmp(view->backend, simulated) == 0 : hw->backend == BACKEND_SIM;
}
