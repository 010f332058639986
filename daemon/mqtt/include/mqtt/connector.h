/*
 * Makes connections to the broker in a thread of its own, because names, routes and handshakes can
 * block; and tries again, with a growing pause between attempts. Each attempt begins with MQTT 5;
 * if the broker refuses it, or closes the connection without an answer, 3.1.1 is tried at once: the
 * versions alternate until one connects. If one of several brokers fails, the next one in the list
 * is tried at once, and the pause comes when all have failed; brokers that accept a connection and
 * end it at once have failed, too. A connection stays where it is made until it ends. It is handed
 * over and belongs to the caller until it is given back; only then is the next one made. The two
 * threads share nothing but the socket pair over which they hand it over.
 */
#ifndef MQTT_CONNECTOR_H
#define MQTT_CONNECTOR_H

#include "mqtt/client.h"

struct mqtt_connector;

/* The result of an attempt, or the end of the connection that was given back. */
struct mqtt_attempt {
    struct mqtt_client *client; /* accepted by the broker, and now the caller's; or NULL */
    struct mqtt_broker broker;
    char reason[MQTT_REASON_SIZE]; /* why there is no connection */
    unsigned retry_ms;             /* until the next attempt */
    bool has_next;                 /* that is with a broker of the list that has not failed yet */
    const char *hint;              /* what may be wrong with this broker, or NULL */
};

/* Starts the thread, with all signals blocked. settings must outlive it. 0 or -errno. */
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
