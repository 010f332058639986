/* Whether anybody is there: the broker, and behind it the daemon of the table. */
#ifndef DAEMON_CTL_LINK_H
#define DAEMON_CTL_LINK_H

#include <stdbool.h>
#include <stddef.h>

enum { LINK_TEXT_SIZE = 256 };

/* As far as the broker has told. */
enum link_daemon { DAEMON_UNKNOWN, DAEMON_ONLINE, DAEMON_OFFLINE };

struct link {
    char broker[LINK_TEXT_SIZE];  /* host and port */
    bool connected;               /* to the broker */
    char trouble[LINK_TEXT_SIZE]; /* why not */
    enum link_daemon daemon;
};

/* What a payload of the topic `status` says. */
enum link_daemon link_read_status(const void *status, size_t size);

/* Why there is nothing live to be seen, as a sentence without its end; "" when there is. */
void link_say_trouble(const struct link *link, char *sentence, size_t size);

#endif
