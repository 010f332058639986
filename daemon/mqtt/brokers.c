#include "mqtt/brokers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char separators[] = ", \t";

/* The first item of the list, or the end of it. */
static const char *first_item(const char *list)
{
    return list + strspn(list, separators);
}

unsigned mqtt_broker_count(const char *list)
{
    unsigned count = 0;

    for (const char *item = first_item(list); *item;
         item = first_item(item + strcspn(item, separators))) {
        count++;
    }
    return count ? count : 1;
}

/* Where the port begins, or NULL. An IPv6 address has a port only behind brackets. */
static char *find_port(char *item)
{
    char *bracket = item[0] == '[' ? strchr(item, ']') : NULL;
    char *colon = strchr(bracket ? bracket : item, ':');

    return colon && !strchr(colon + 1, ':') ? colon + 1 : NULL;
}

struct mqtt_broker mqtt_broker_at(const char *list, unsigned place, uint16_t default_port)
{
    struct mqtt_broker broker = {.port = default_port};
    const char *at = first_item(list);
    char item[MQTT_HOST_SIZE];

    for (place %= mqtt_broker_count(list); place > 0; place--) {
        at = first_item(at + strcspn(at, separators));
    }
    snprintf(item, sizeof item, "%.*s", (int)strcspn(at, separators), at);
    char *port = find_port(item);
    if (port) {
        broker.port = (uint16_t)strtoul(port, NULL, 10);
        port[-1] = '\0';
    }
    snprintf(broker.name, sizeof broker.name, "%s:%u", item, broker.port);
    size_t brackets = item[0] == '[' ? 1 : 0;
    snprintf(broker.host, sizeof broker.host, "%.*s", (int)strcspn(item + brackets, "]"),
             item + brackets);
    return broker;
}
