/*
 * The daemon's connection to the broker: what arrives is queued and bounded in bytes.
 *
 * An own thread makes connections, with a growing pause between tries, and does nothing else. One
 * that is made belongs to the main thread until it ends: what is published goes straight into its
 * socket, and nothing here waits for the network. Every connection begins with a clean session and
 * an empty queue: what must not be lost is kept in the journal and not here.
 */
#ifndef MQTT_MQTT_H
#define MQTT_MQTT_H

#include "mqtt/client.h"

#include <poll.h>

enum { MQTT_FDS = 2 };

struct mqtt;

/*
 * Starts the thread; settings->will_topic is set. 0, or -errno with a sentence in problem: settings
 * that can never work. A broker that is down is not a problem but news.
 */
int mqtt_open(struct mqtt **opened, const struct mqtt_settings *settings, char *problem,
              size_t size);

/*
 * Says `offline`, leaves the broker and ends the thread; waits for the broker a second at most.
 * False when the thread hangs in a connect or in the name server: it still uses the settings then,
 * and the program should end at once. Accepts NULL.
 */
bool mqtt_close(struct mqtt *mqtt);

/*
 * Fills in what to wait for with poll, and returns for how many milliseconds at most, or -1. After
 * the wait mqtt_work does what the network has to do. To be called also while there is news: what
 * waits in the broker waits in one queue, behind whatever others have sent.
 */
int mqtt_prepare(const struct mqtt *mqtt, struct pollfd fds[MQTT_FDS]);
void mqtt_work(struct mqtt *mqtt, const struct pollfd fds[MQTT_FDS]);

/*
 * The next news, to be given back, or NULL. What is published goes over the connection of the
 * BUS_CONNECTED that was taken last, and nowhere if that has ended.
 */
struct bus_news *mqtt_take(struct mqtt *mqtt);
bool mqtt_has_more(const struct mqtt *mqtt);

/* There is more to read, and until then only messages of senders that flood. */
bool mqtt_should_read(const struct mqtt *mqtt);
void mqtt_release(struct bus_news *news);

/* Messages on settings->queries. They wait here as long as the caller lets them. */
struct bus_news *mqtt_take_query(struct mqtt *mqtt);
bool mqtt_has_query(const struct mqtt *mqtt);

/* For the table. */
struct bus mqtt_bus(struct mqtt *mqtt);

#endif
