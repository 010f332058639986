#include "game_play.h"

#include <stdio.h>
#include <string.h>

enum { TOPIC_SIZE = 128 };

struct spoken {
    const char *verb;
    const char *fields;
};

static const struct spoken turn[] = {
    {"fire", "{}"},
    {"end-phase", "{}"},
    {"roll-move", "{\"value\":2}"},
    {"move", "{\"knots\":1}"},
    {"end-phase", "{}"},
    {"end-phase", "{}"},
};

static void say(struct listener *listener, const char *table, const struct spoken *spoken)
{
    char topic[TOPIC_SIZE];

    snprintf(topic, sizeof topic, "bench/%s/command/%s", table, spoken->verb);
    listener_say(listener, topic, spoken->fields);
}

/* A table hears commands before it says that it is online, not when it is ready. */
static void await_online(unsigned port, const char *table)
{
    struct listener status;
    char topic[TOPIC_SIZE];

    snprintf(topic, sizeof topic, "bench/%s/status", table);
    listener_open(&status, port, topic);
    do {
        listener_await(&status, status.heard + 1);
    } while (status.heard_size != strlen("online"));
    listener_close(&status);
}

void game_open(struct listener *listener, unsigned port, const char *table)
{
    char topic[TOPIC_SIZE];

    await_online(port, table);
    snprintf(topic, sizeof topic, "bench/%s/reply", table);
    listener_open(listener, port, topic);
}

void game_begin(struct listener *listener, const char *table)
{
    static const struct spoken beginning = {
        "new-game", "{\"players\":[{},{},{},{}],\"first\":1,\"rules\":\"basic\","
                    "\"scenario\":\"none\",\"dice\":\"table\",\"abandon\":true}"};

    say(listener, table, &beginning);
}

void game_say(struct listener *listener, const char *table, unsigned n)
{
    say(listener, table, &turn[n % (sizeof turn / sizeof turn[0])]);
}
