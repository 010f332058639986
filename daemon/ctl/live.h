/*
 * A subcommand's connection to a table: its topics are received as long as there is a broker, and
 * shown on a terminal or line by line.
 */
#ifndef CTL_LIVE_H
#define CTL_LIVE_H

#include "config/config.h"
#include "ctl.h"
#include "mqtt/connector.h"

#include <signal.h>

enum { LIVE_BASE_SIZE = 192, LIVE_ID_SIZE = 24, LINK_TEXT_SIZE = 256 };

/* What the broker has said about the daemon. */
enum link_daemon { DAEMON_UNKNOWN, DAEMON_ONLINE, DAEMON_OFFLINE };

/* Whether the table can be reached: the broker, and behind it the daemon. */
struct link {
    char broker[MQTT_BROKER_NAME_SIZE];
    bool connected;               /* to the broker */
    char trouble[LINK_TEXT_SIZE]; /* why not */
    enum link_daemon daemon;
    char refusal[LINK_TEXT_SIZE]; /* what the broker does not allow; "": nothing known */
};

/* What a payload of the topic `status` says. */
enum link_daemon link_read_status(const void *status, size_t size);

/* Why there is nothing live to show, as a sentence without a full stop; "" when there is. */
void link_write_trouble(const struct link *link, char *sentence, size_t size);

/* What a subcommand does with it. */
struct live_parts {
    const char *name;              /* after the prefix; NULL: the name of the table */
    const char *const *topic_ends; /* below the base; ends with NULL */
    void (*begin)(void *self);     /* connected anew; NULL: nothing to do */
    /* A message on one of the topics (end), or on our response topic (end is NULL), except the
     * reply to live_ask. Whether there is something new to show. NULL: nothing else is expected. */
    bool (*hear)(void *self, const char *end, const struct bus_news *news);
    void (*show)(void *self); /* NULL if live_run is never called */
    unsigned redraw_ms;       /* on a terminal also so often; 0: only what is new */
};

struct live {
    struct config config;
    char id[LIVE_ID_SIZE]; /* random: the client id, and good for a command's id too */
    char password[CONFIG_PASSWORD_SIZE];
    char base[LIVE_BASE_SIZE];
    char response[TOPIC_SIZE]; /* for replies to us alone */
    char subscriptions[MQTT_SUBSCRIPTIONS_MAX][TOPIC_SIZE];
    struct mqtt_settings settings;
    struct mqtt_connector *connector;
    struct mqtt_client *client; /* NULL while there is no connection */

    bool utf8;        /* the terminal shows it */
    bool on_terminal; /* which live_enter has taken over */
    sigset_t waking;  /* the signals that end a wait there */
    bool following;   /* in live_run: a lost broker is tried again */
    bool is_lost;     /* an attempt to connect has failed, or the connection was lost */
    bool is_fresh;    /* something to show */
    struct link link;
    const char *question; /* the payload whose reply live_ask waits for; NULL: none */
    char *reply;          /* to the last one, with NUL; NULL: none has come */
    const struct live_parts *parts;
    void *self;
};

/* 0, or an exit code after printing why not. To be closed in either case. */
int live_open(struct live *live, const struct call *call, const struct live_parts *parts,
              void *self);
void live_close(struct live *live);

/*
 * Takes over the terminal for live_run; false when there is none that can show a screen. live_run
 * shows what is new until the user ends it, and connects again whenever the broker was lost.
 */
bool live_enter(struct live *live);
void live_run(struct live *live);

/*
 * For one question. Connects, within the timeout; 0, or EXIT_UNAVAILABLE after printing why not.
 */
int live_connect(struct live *live, unsigned timeout_ms);

/* The same, and receives all that is retained on the topics. */
int live_catch_up(struct live *live, unsigned timeout_ms);

/* Receives all that the broker has sent us so far. */
void live_hear_all(struct live *live);

/*
 * Publishes a command, with response topic and correlation data (the id) where MQTT 5 is used.
 * False when the verb cannot be part of a topic. A command that is lost with the connection gets no
 * reply.
 */
bool live_command(struct live *live, const char *verb, const char *payload);

/*
 * Publishes a payload with an id in the same way below the base, and waits for its reply, which is
 * in live->reply then. False when there is none, because the time is over, the connection was lost
 * or the other program is offline; or when the topic cannot be one.
 */
bool live_ask(struct live *live, const char *topic_end, const char *payload, unsigned timeout_ms);

/*
 * Whether the claim came true before the deadline and before the connection was lost. Ends early,
 * too, when other_fd (-1: none) becomes readable.
 */
typedef bool live_claim_fn(const struct live *live);
bool live_wait(struct live *live, live_claim_fn *claim, int other_fd, int64_t deadline_ms);

/* The clock of the deadlines. */
int64_t live_now_ms(void);

#endif
