/*
 * Makes connections to the broker, in a thread of its own, since names, routes and handshakes can
 * keep one waiting; and tries again, with a growing pause between tries. Each try begins with MQTT
 * 5; a broker that refuses it, or closes the connection without an answer, is asked for 3.1.1 at
 * once: the versions alternate until one connects. A connection that has been made is handed over,
 * belongs to the caller until it is given back, and only then is the next one made. The two threads
 * share nothing but the socket pair over which they hand it to and fro.
 */
#ifndef DAEMON_MQTT_CONNECTOR_H
#define DAEMON_MQTT_CONNECTOR_H

#include "client.h"

enum { MQTT_ATTEMPT_SIZE = MQTT_REASON_SIZE + 40 };

struct mqtt_connector;

/* What became of a try, or of the connection that was given back. */
struct mqtt_attempt {
    struct mqtt_client *client;     /* let in by the broker, and now the caller's; or NULL */
    char reason[MQTT_ATTEMPT_SIZE]; /* why there is none, and when it is tried again */
    const char *hint;               /* what may be wrong with this broker, or NULL */
};

/* Starts the thread. settings must outlive it. 0 or -errno. */
int mqtt_connector_open(struct mqtt_connector **opened, const struct mqtt_settings *settings);

/*
 * Ends the thread; the caller has given its connection back. False when the thread hangs in a
 * connect or in the name server: it still uses the settings then, and the program should end at
 * once. Accepts NULL.
 */
bool mqtt_connector_close(struct mqtt_connector *connector);

/* Readable while there is an attempt to be taken. False if there is none. */
int mqtt_connector_fd(const struct mqtt_connector *connector);
bool mqtt_connector_take(struct mqtt_connector *connector, struct mqtt_attempt *attempt);

/* The one that was taken has ended, its reason says why: the thread closes it and makes another. */
void mqtt_connector_give_back(struct mqtt_connector *connector);

#endif
