/*
 * One connection to a broker, over MQTT 5 or 3.1.1, from the first attempt to its end. Only
 * client.c includes libmosquitto.
 *
 * A connection belongs to one thread at a time: to the thread that makes it until the broker has
 * accepted it, and then to the thread that adopts it. Only mqtt_client_connect waits. Programs get
 * connections from mqtt/connector.h.
 */
#ifndef MQTT_CLIENT_H
#define MQTT_CLIENT_H

#include "common/bus.h"
#include "mqtt/brokers.h"

#include <stdint.h>

enum { MQTT_REASON_SIZE = 200, MQTT_SUBSCRIPTIONS_MAX = 8, MQTT_QUERIES_MAX = 4 };

/* The strings must outlive the connection. "" stands for "not set". */
struct mqtt_settings {
    const char *hosts;     /* a list, see mqtt/brokers.h */
    uint16_t port;         /* of brokers without a port in the list */
    const char *client_id; /* not empty */
    const char *username;
    const char *password;
    const char *tls_ca;
    const char *tls_cert;
    const char *tls_key;
    unsigned answer_ms;    /* how long a broker that is reached may take to accept a connection */
    unsigned retry_max_ms; /* the longest pause between two attempts */
    uint32_t packet_max;   /* the broker keeps packets with more bytes (MQTT 5); 0: no limit */
    /* Gets `offline`, retained, when the connection breaks, and is subscribed to; NULL: no will. */
    const char *will_topic;
    const char *subscriptions[MQTT_SUBSCRIPTIONS_MAX]; /* NULL after the last */
    const char *queries[MQTT_QUERIES_MAX];             /* topics: see mqtt_take_query */
};

/*
 * The callbacks of the owner, called within mqtt_client_work and mqtt_client_misc and, for QoS 0,
 * within mqtt_client_publish.
 */
struct mqtt_listener {
    void *self;
    void (*acknowledged)(void *self, int mid); /* or refused: sending it again would not help */
    void (*heard)(void *self, const struct bus_news *message);
    void (*refused)(void *self, const char *what); /* by the broker; once per connection */
};

/* How a connection ended. */
enum mqtt_end {
    MQTT_END_OTHER,      /* the reason says how */
    MQTT_END_VERSION,    /* the broker does not support this version of MQTT */
    MQTT_END_CLOSED,     /* by the broker, before it answered */
    MQTT_END_NO_ANSWER,  /* within answer_ms */
    MQTT_END_LOST,       /* after the broker had accepted it */
    MQTT_END_TAKEN_OVER, /* by another client with the same client id */
    MQTT_END_COUNT,
};

struct mosquitto;

struct mqtt_client {
    struct mosquitto *mosquitto;
    const struct mqtt_settings *settings;
    struct mqtt_broker broker;
    struct mqtt_listener listener; /* zeroed until it is adopted */
    bool uses_v311;                /* 3.1.1 */
    bool is_accepted;              /* the broker has accepted the connection */
    enum mqtt_end end;             /* once it has ended */
    bool has_reported_refusal;     /* the listener knows of one */
    unsigned unsent;               /* at QoS 0, in the buffer because the network is slow */
    unsigned unconfirmed;          /* subscriptions */
    unsigned received;             /* messages since work was last called */
    bool has_read_all;             /* that had arrived when work was last called */
    char reason[MQTT_REASON_SIZE]; /* why the connection failed; "" if it did not */
};

/* Once in a program, before the first and after the last client. */
void mqtt_library_open(void);
void mqtt_library_close(void);

/* CLOCK_MONOTONIC. */
int64_t mqtt_now_ms(void);

/*
 * Prepares a client of the broker at this place in the list. 0, or -errno and a reason: settings
 * that can never work.
 */
int mqtt_client_open(struct mqtt_client *client, const struct mqtt_settings *settings,
                     unsigned place, bool uses_v311);

/*
 * Waits for the name server and the broker until the broker accepts the connection, or until
 * other_fd is readable.
 * 0, or -errno and a reason: -ECANCELED for other_fd, -ETIMEDOUT for a broker that does not answer.
 */
int mqtt_client_connect(struct mqtt_client *client, int other_fd);

/* Whether the broker has not accepted version 5, so that 3.1.1 may work. */
bool mqtt_client_should_use_v311(const struct mqtt_client *client);

/* What may be wrong when connections end like this repeatedly; NULL: the reason says it. */
const char *mqtt_end_hint(enum mqtt_end end);

/* Subscribes; from now on the listener is called. 0, or -errno and a reason. */
int mqtt_client_adopt(struct mqtt_client *client, const struct mqtt_listener *listener);

/*
 * Subscribes to one more topic, or again. 0, or -errno and a reason. A broker confirms a
 * subscription after everything that it has sent before.
 */
int mqtt_client_subscribe(struct mqtt_client *client, const char *topic);
int mqtt_client_unsubscribe(struct mqtt_client *client, const char *topic);
bool mqtt_client_is_subscribed(const struct mqtt_client *client); /* all are confirmed */

/* What to wait for: readable, and writable while it wants to write. -1 after the end. */
int mqtt_client_fd(const struct mqtt_client *client);
bool mqtt_client_wants_write(const struct mqtt_client *client);

/*
 * Reads and writes what can be without waiting, but not for long: the rest stays readable. 0, or
 * -errno and a reason: it has ended. */
int mqtt_client_work(struct mqtt_client *client);

/* Keeps the connection alive; to be called every few seconds. Returns as mqtt_client_work does. */
int mqtt_client_misc(struct mqtt_client *client);

/*
 * 0 and its number (mid may be NULL); -ENOTCONN: the connection has ended, and so will
 * mqtt_client_work say; -ENOBUFS at QoS 0, when the network has taken nothing for too long;
 * -EOPNOTSUPP: this broker takes nothing of that QoS; -EIO: this one can never be sent.
 */
int mqtt_client_publish(struct mqtt_client *client, const struct publication *it, int *mid);

/* Ends the connection; with_will lets the broker publish the last will. */
void mqtt_client_leave(struct mqtt_client *client, bool with_will);

void mqtt_client_close(struct mqtt_client *client);

#endif
