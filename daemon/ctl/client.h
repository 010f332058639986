/*
 * The broker as the hand tool sees it: one connection over MQTT 5, or over 3.1.1 where the broker
 * does not accept version 5, in one thread, which is lost when it is lost. libmosquitto is known to
 * client.c alone.
 */
#ifndef DAEMON_CTL_CLIENT_H
#define DAEMON_CTL_CLIENT_H

#include "common/bus.h"
#include "config/config.h"

#include <signal.h>

enum { CLIENT_NAME_SIZE = 32, CLIENT_PROBLEM_SIZE = 1024 };

/*
 * Called with BUS_CONNECTED, BUS_DISCONNECTED, BUS_MESSAGE, and BUS_ACKNOWLEDGED for each
 * subscription; the news last for the call only.
 */
typedef void client_hear_fn(void *self, const struct bus_news *news);

struct client;

/* 0, or -errno with a sentence in problem when these settings can never work. */
int client_open(struct client **opened, const struct mqtt_config *config, client_hear_fn *hear,
                void *self, char problem[CLIENT_PROBLEM_SIZE]);
void client_close(struct client *client);

/* A name that nobody else has: the client id, good for a response topic and a command's id too. */
const char *client_name(const struct client *client);

/*
 * Begins to connect; BUS_CONNECTED tells when it is done. Blocks while the network does not
 * answer, but not beyond the timeout. 0, or -ENOTCONN with a sentence in problem.
 */
int client_connect(struct client *client, unsigned timeout_ms, char problem[CLIENT_PROBLEM_SIZE]);

/* Connected, or about to be. */
bool client_is_alive(const struct client *client);

/*
 * Waits for the broker, for other_fd (-1: none) to become readable, or for a signal that waking
 * (NULL: as it is) lets through, and hears what the broker says. 1 when other_fd is readable, else
 * 0.
 */
int client_wait(struct client *client, int other_fd, int timeout_ms, const sigset_t *waking);

/* Both return 0 or -ENOTCONN; response_topic may be NULL and is not used with MQTT 3.1.1. */
int client_subscribe(struct client *client, const char *topic);
int client_publish(struct client *client, const struct publication *it, const char *response_topic);

#endif
