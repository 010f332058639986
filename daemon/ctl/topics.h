/* The topics of a table that the hand tool uses. */
#ifndef DAEMON_CTL_TOPICS_H
#define DAEMON_CTL_TOPICS_H

#include "common/bus.h"
#include "config/config.h"

enum { BASE_TOPIC_SIZE = 192, TOPIC_END_SIZE = TOPIC_SIZE - BASE_TOPIC_SIZE };

struct topics {
    char base[BASE_TOPIC_SIZE];
    char response[TOPIC_SIZE]; /* for answers to us alone */
};

/* False when prefix and table are longer than a topic of ours may be. */
bool topics_name(struct topics *topics, const struct config *config, const char *client_name);

/* A topic below the base: `state`, `command/fire`. False when it would be too long. */
bool topics_below(const struct topics *topics, const char *end, char topic[TOPIC_SIZE]);

/* What follows the base and its slash; NULL when the topic is not below the base. */
const char *topics_end(const struct topics *topics, const char *topic);

#endif
