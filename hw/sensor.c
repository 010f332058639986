#include "hw/sensor.h"

#include "hw/settings.h"
#include "rules/text.h"

#include <assert.h>
#include <string.h>

struct sensor_place sensor_place(unsigned sensor)
{
    static const enum sensor_kind singles[SENSOR_TILT] = {
        [SENSOR_CANNON_BEAM] = SENSOR_KIND_MUZZLE,      [SENSOR_CANNON_BEAM2] = SENSOR_KIND_MUZZLE,
        [SENSOR_ROPE_A] = SENSOR_KIND_ENCODER,          [SENSOR_ROPE_B] = SENSOR_KIND_ENCODER,
        [SENSOR_ROPE_BUTTON] = SENSOR_KIND_ROPE_BUTTON,
    };

    if (sensor < SENSOR_TILT) {
        return (struct sensor_place){singles[sensor], 0};
    }
    if (sensor < SENSOR_BEAM) {
        return (struct sensor_place){SENSOR_KIND_TILT, sensor - SENSOR_TILT};
    }
    if (sensor < SENSOR_DOCK) {
        return (struct sensor_place){SENSOR_KIND_BEAM, sensor - SENSOR_BEAM};
    }
    if (sensor < SENSOR_BUTTON) {
        return (struct sensor_place){SENSOR_KIND_DOCK, sensor - SENSOR_DOCK};
    }
    if (sensor < SENSOR_COUNT) {
        return (struct sensor_place){SENSOR_KIND_BUTTON, sensor - SENSOR_BUTTON};
    }
    return (struct sensor_place){SENSOR_KIND_NONE, 0};
}

/* The kraken and the wind are tiles: they cannot tilt or be hit. */
static bool carries_sensors(unsigned piece)
{
    return piece != PIECE_NONE && piece != PIECE_KRAKEN && piece != PIECE_WIND;
}

static void write_name(char *name, const char *before, const char *middle, const char *after)
{
    struct text text = text_begin(name, SENSOR_NAME_SIZE);

    text_add(&text, before);
    text_add(&text, middle);
    text_add(&text, after);
}

void sensor_names_init(struct sensor_names *names, const struct button_names *buttons)
{
    memset(names, 0, sizeof *names);
    write_name(names->name[SENSOR_CANNON_BEAM], "cannon.", "beam", "");
    write_name(names->name[SENSOR_CANNON_BEAM2], "cannon.", "beam2", "");
    write_name(names->name[SENSOR_ROPE_A], "rope.", "a", "");
    write_name(names->name[SENSOR_ROPE_B], "rope.", "b", "");
    write_name(names->name[SENSOR_ROPE_BUTTON], "rope.", "button", "");
    for (unsigned piece = 0; piece < PIECE_COUNT; piece++) {
        if (carries_sensors(piece)) {
            const char *name = rules_piece_name((enum piece)piece);
            write_name(names->name[SENSOR_TILT + piece], name, ".tilt", "");
            write_name(names->name[SENSOR_BEAM + piece], name, ".beam", "");
        }
    }
    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        write_name(names->name[SENSOR_DOCK + harbour], "harbour.",
                   rules_harbour_name((enum harbour)harbour), ".dock");
    }
    for (unsigned button = 0; button < buttons->count && button < BUTTONS_MAX; button++) {
        write_name(names->name[SENSOR_BUTTON + button], "button.", buttons->name[button], "");
    }
}

const char *sensor_name(const struct sensor_names *names, unsigned sensor)
{
    return sensor < SENSOR_COUNT && names->name[sensor][0] ? names->name[sensor] : "?";
}

/* A linear search is fast enough: it takes place once per line of input. */
unsigned sensor_named(const struct sensor_names *names, const char *name)
{
    for (unsigned sensor = 1; name[0] && sensor < SENSOR_COUNT; sensor++) {
        if (strcmp(names->name[sensor], name) == 0) {
            return sensor;
        }
    }
    return SENSOR_NONE;
}

static unsigned count_levels(const char *topic)
{
    unsigned levels = 1;

    for (const char *slash = strchr(topic, '/'); slash; slash = strchr(slash + 1, '/')) {
        levels++;
    }
    return levels;
}

const char *sensor_topic_problem(const char *topic)
{
    static_assert(RADIO_LEVELS_MAX == 100, "the sentence has the number");

    if (strpbrk(topic, "+#")) {
        return "expected a topic without the wildcards + and #";
    }
    if (strncmp(topic, "$share/", strlen("$share/")) == 0) {
        return "a topic of a sensor does not begin with $share/";
    }
    return count_levels(topic) > RADIO_LEVELS_MAX ? "a topic of a sensor has at most 100 levels"
                                                  : NULL;
}
