#include "link.h"

#include <stdio.h>
#include <string.h>

enum link_daemon link_read_status(const void *status, size_t size)
{
    bool is_online = size == strlen("online") && memcmp(status, "online", size) == 0;

    return is_online ? DAEMON_ONLINE : DAEMON_OFFLINE;
}

void link_say_trouble(const struct link *link, char *sentence, size_t size)
{
    sentence[0] = '\0';
    if (!link->connected) {
        snprintf(sentence, size, "No connection to the broker %s%s%s", link->broker,
                 link->trouble[0] ? ": " : "", link->trouble);
    } else if (link->daemon == DAEMON_OFFLINE) {
        snprintf(sentence, size, "The daemon is offline; this is what it said last");
    } else if (link->daemon == DAEMON_UNKNOWN) {
        snprintf(sentence, size, "Connected to %s, but no daemon has been heard", link->broker);
    }
}
