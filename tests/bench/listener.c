#include "listener.h"

#include "rig.h"

#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stdio.h>
#include <string.h>

enum { KEEPALIVE_S = 600, PATIENCE_US = 60000000, WAIT_MS = 1000 };

static void on_subscribe(struct mosquitto *client, void *self, int mid, int count,
                         const int *granted)
{
    (void)client;
    (void)mid;
    (void)count;
    (void)granted;
    ((struct listener *)self)->subscribed = true;
}

static void on_message(struct mosquitto *client, void *self,
                       const struct mosquitto_message *message)
{
    static const char refusal[] = "\"ok\":false";
    struct listener *listener = self;

    (void)client;
    listener->heard_us = rig_now_us();
    listener->heard++;
    listener->heard_size = (size_t)message->payloadlen;
    snprintf(listener->heard_text, sizeof listener->heard_text, "%.*s", message->payloadlen,
             (const char *)message->payload);
    listener->refused +=
        memmem(message->payload, listener->heard_size, refusal, sizeof refusal - 1) != NULL;
}

void listener_work(struct listener *listener, unsigned ms)
{
    int error = mosquitto_loop(listener->client, (int)ms, 1);

    if (error) {
        rig_fail("broker: %s", mosquitto_strerror(error));
    }
}

static void work(struct listener *listener, double began_us, const char *what)
{
    listener_work(listener, WAIT_MS);
    if (rig_now_us() - began_us > PATIENCE_US) {
        rig_fail("%s did not come", what);
    }
}

void listener_open(struct listener *listener, unsigned port, const char *filter)
{
    mosquitto_lib_init();
    *listener = (struct listener){.client = mosquitto_new(NULL, true, listener)};
    if (!listener->client) {
        rig_fail("out of memory");
    }
    mosquitto_int_option(listener->client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(listener->client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_subscribe_callback_set(listener->client, on_subscribe);
    mosquitto_message_callback_set(listener->client, on_message);
    int error = mosquitto_connect(listener->client, "127.0.0.1", (int)port, KEEPALIVE_S);
    if (!error) {
        error = mosquitto_subscribe(listener->client, NULL, filter, 0);
    }
    if (error) {
        rig_fail("broker: %s", mosquitto_strerror(error));
    }
    double began_us = rig_now_us();
    while (!listener->subscribed) {
        work(listener, began_us, "the subscription");
    }
}

void listener_close(struct listener *listener)
{
    mosquitto_disconnect(listener->client);
    mosquitto_destroy(listener->client);
    mosquitto_lib_cleanup();
}

void listener_await(struct listener *listener, unsigned count)
{
    double began_us = rig_now_us();

    while (listener->heard < count) {
        work(listener, began_us, "a message");
    }
}

void listener_say(struct listener *listener, const char *topic, const char *payload)
{
    int error =
        mosquitto_publish(listener->client, NULL, topic, (int)strlen(payload), payload, 1, false);

    if (error) {
        rig_fail("%s: %s", topic, mosquitto_strerror(error));
    }
}
