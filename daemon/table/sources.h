/*
 * Sensors that report over MQTT: subscribes to their topics and turns messages into edges, which
 * the sensor thread filters like any other. It also decides when such a sensor is silent.
 *
 *   retained message    the level, never an edge
 *   live message        an edge if its level differs from the last one, at the time of its arrival
 *   message of a node   its edges, with the times that the node measured
 */
#ifndef TABLE_SOURCES_H
#define TABLE_SOURCES_H

#include "observed.h"
#include "table/table.h"

struct sources;

/* All of them outlive it; base is PREFIX/TABLE/. 0 or -ENOMEM. */
int sources_open(struct sources **opened, const struct config *config,
                 const struct table_ports *ports, struct observed *observed, const char *base);
void sources_close(struct sources *sources);

/* The configuration may have changed: subscriptions follow it. Also to be called at the start. */
void sources_configured(struct sources *sources);

/* While the broker is unreachable all of these sensors are silent; at the start it is not yet. */
void sources_connected(struct sources *sources);
void sources_disconnected(struct sources *sources);

/* Returns false if the message is not on a topic of a sensor. */
bool sources_message(struct sources *sources, const struct bus_news *message);

/* A person has just moved what the next configuration has as the source of this sensor. */
void sources_paired(struct sources *sources, unsigned sensor);

/* Whether a source has this topic. */
bool sources_use(const struct sources *sources, const char *topic);

/* The sensor with the topic and member of this line, or the node and its sensor; or SENSOR_NONE. */
unsigned sources_with(const struct sources *sources, const struct line_config *line);

/* A person has raised the piece, or a game begins (PIECE_NONE): resets what reports only once. */
void sources_reset(struct sources *sources, enum piece piece);

/* Does what is due at this time of the clock; when something will be, 0 if nothing will. */
void sources_tick(struct sources *sources, uint64_t now_us);
uint64_t sources_due_us(const struct sources *sources);

/* Whether what the ready check shows may have changed since the last call. */
bool sources_take_change(struct sources *sources);

/*
 * The next sensor whose topic is to be published, or SENSOR_NONE: each at most twice a second, and
 * a millisecond after a reading, so that the event which it may cause goes first.
 */
unsigned sources_take_news(struct sources *sources, uint64_t now_us);

#endif
