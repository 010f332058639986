/* Sensors by number, by kind and by name: `cannon.beam`, `blue-2.tilt`, `button.end`. */
#ifndef HW_SENSOR_H
#define HW_SENSOR_H

#include "hw/fact.h"

enum {
    SENSOR_NAME_SIZE = 32,                   /* the size of a sensor's name in an event */
    BUTTON_NAME_SIZE = SENSOR_NAME_SIZE - 7, /* after `button.` */
};

/* The names of the push buttons, in the order of their numbers. */
struct button_names {
    char name[BUTTONS_MAX][BUTTON_NAME_SIZE];
    unsigned count;
};

/* The names of all sensors, fitted or not; "" for a number without a sensor. */
struct sensor_names {
    char name[SENSOR_COUNT][SENSOR_NAME_SIZE];
};

enum sensor_kind {
    SENSOR_KIND_NONE,
    SENSOR_KIND_MUZZLE,
    SENSOR_KIND_ENCODER,
    SENSOR_KIND_ROPE_BUTTON,
    SENSOR_KIND_TILT,
    SENSOR_KIND_BEAM,
    SENSOR_KIND_DOCK,
    SENSOR_KIND_BUTTON,
    SENSOR_KIND_COUNT,
};

/* The kind of a sensor, and its piece, harbour or button (index; 0 for other kinds). */
struct sensor_place {
    enum sensor_kind kind;
    unsigned index;
};

struct sensor_place sensor_place(unsigned sensor);

void sensor_names_init(struct sensor_names *names, const struct button_names *buttons);

/* "?" for a number without a sensor. */
const char *sensor_name(const struct sensor_names *names, unsigned sensor);

/* SENSOR_NONE if there is none of that name. */
unsigned sensor_named(const struct sensor_names *names, const char *name);

/*
 * NULL if a sensor may report on this MQTT topic, or a sentence that says what it may not have. A
 * broker closes the connection of a client that subscribes to what it does not accept.
 */
const char *sensor_topic_problem(const char *topic);

#endif
