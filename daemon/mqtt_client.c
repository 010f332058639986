#include "daemon/mqtt_client.h"

#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEEPALIVE_S = 60,
    LOOP_TIMEOUT_MS = 20000, /* the socket and our own publishing wake the thread earlier */
    PACKET_SIZE_MAX = 65536, /* larger ones stay in the broker (MQTT 5) */
    REFUSED_FROM = 0x80,     /* reason codes of refusals */
};

void mqtt_library_open(void)
{
    mosquitto_lib_init();
}

void mqtt_library_close(void)
{
    mosquitto_lib_cleanup();
}

static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

/* Our errno for libmosquitto's error, with a reason unless a better one is known already. */
static int explain(struct mqtt_client *client, int error)
{
    if (error && !client->reason[0]) {
        snprintf(client->reason, sizeof client->reason, "%s",
                 error == MOSQ_ERR_ERRNO ? strerror(errno) : mosquitto_strerror(error));
    }
    return !error ? 0 : error == MOSQ_ERR_NOMEM ? -ENOMEM : -EIO;
}

/*
 * What is heard
 */

static void complain(struct mqtt_client *client, const char *what)
{
    if (!client->has_complained) {
        client->has_complained = true;
        client->listener.refused(client->listener.self, what);
    }
}

static bool is_version_refusal(int reason)
{
    enum { V3_UNACCEPTABLE_PROTOCOL = 1 };

    return reason == V3_UNACCEPTABLE_PROTOCOL || reason == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION;
}

static void on_connect(struct mosquitto *mosquitto, void *self, int reason, int flags,
                       const mosquitto_property *properties)
{
    struct mqtt_client *client = self;
    const char *const *topics = client->settings->subscriptions;

    (void)flags;
    (void)properties;
    if (reason) {
        client->broker_is_old = !client->speaks_old && is_version_refusal(reason);
        snprintf(client->reason, sizeof client->reason, "refused: %s",
                 client->speaks_old || client->broker_is_old ? mosquitto_connack_string(reason)
                                                             : mosquitto_reason_string(reason));
        return;
    }
    for (unsigned i = 0; i < MQTT_SUBSCRIPTIONS_MAX && topics[i]; i++) {
        mosquitto_subscribe(mosquitto, NULL, topics[i], 1);
    }
    client->listener.connected(client->listener.self);
}

static void on_subscribe(struct mosquitto *mosquitto, void *self, int mid, int count,
                         const int *granted, const mosquitto_property *properties)
{
    (void)mosquitto;
    (void)mid;
    (void)properties;
    for (int i = 0; i < count; i++) {
        if (granted[i] >= REFUSED_FROM) {
            complain(self, "commands and simulated sensors cannot be subscribed to");
        }
    }
}

static void on_publish(struct mosquitto *mosquitto, void *self, int mid, int reason,
                       const mosquitto_property *properties)
{
    struct mqtt_client *client = self;

    (void)mosquitto;
    (void)properties;
    /* To send it again would not help, so it counts as acknowledged. */
    if (reason >= REFUSED_FROM) {
        complain(client, mosquitto_reason_string(reason));
    }
    client->listener.acknowledged(client->listener.self, mid);
}

static void on_message(struct mosquitto *mosquitto, void *self,
                       const struct mosquitto_message *message,
                       const mosquitto_property *properties)
{
    struct mqtt_client *client = self;
    char *response_topic = NULL;
    void *correlation = NULL;
    uint16_t correlation_size = 0;

    (void)mosquitto;
    mosquitto_property_read_string(properties, MQTT_PROP_RESPONSE_TOPIC, &response_topic, false);
    mosquitto_property_read_binary(properties, MQTT_PROP_CORRELATION_DATA, &correlation,
                                   &correlation_size, false);
    client->listener.heard(client->listener.self, &(struct bus_news){
                                                      .kind = BUS_MESSAGE,
                                                      .topic = message->topic,
                                                      .payload = message->payload,
                                                      .size = (size_t)message->payloadlen,
                                                      .retained = message->retain,
                                                      .response_topic = response_topic,
                                                      .correlation = correlation,
                                                      .correlation_size = correlation_size,
                                                  });
    free(response_topic);
    free(correlation);
}

/*
 * The connection
 */

static int prepare(struct mosquitto *mosquitto, const struct mqtt_settings *settings, int version)
{
    int error = mosquitto_int_option(mosquitto, MOSQ_OPT_PROTOCOL_VERSION, version);

    if (!error) {
        error = mosquitto_int_option(mosquitto, MOSQ_OPT_TCP_NODELAY, 1);
    }
    if (!error) {
        error = mosquitto_threaded_set(mosquitto, true);
    }
    if (!error && settings->username[0]) {
        error = mosquitto_username_pw_set(mosquitto, settings->username, settings->password);
    }
    if (!error && settings->tls_ca[0]) {
        error = mosquitto_tls_set(mosquitto, settings->tls_ca, NULL, or_null(settings->tls_cert),
                                  or_null(settings->tls_key), NULL);
    }
    if (!error) {
        error = mosquitto_will_set(mosquitto, settings->will_topic, (int)strlen("offline"),
                                   "offline", 1, true);
    }
    mosquitto_connect_v5_callback_set(mosquitto, on_connect);
    mosquitto_subscribe_v5_callback_set(mosquitto, on_subscribe);
    mosquitto_publish_v5_callback_set(mosquitto, on_publish);
    mosquitto_message_v5_callback_set(mosquitto, on_message);
    return error;
}

int mqtt_client_open(struct mqtt_client *client, const struct mqtt_settings *settings,
                     const struct mqtt_listener *listener, bool speaks_old)
{
    *client = (struct mqtt_client){
        .mosquitto = mosquitto_new(settings->client_id, true, client),
        .settings = settings,
        .listener = *listener,
        .speaks_old = speaks_old,
    };
    int error = explain(client, client->mosquitto
                                    ? prepare(client->mosquitto, settings,
                                              speaks_old ? MQTT_PROTOCOL_V311 : MQTT_PROTOCOL_V5)
                                    : MOSQ_ERR_NOMEM);
    if (error) {
        mqtt_client_close(client);
    }
    return error;
}

int mqtt_client_connect(struct mqtt_client *client)
{
    const struct mqtt_settings *settings = client->settings;
    mosquitto_property *properties = NULL;
    int error = 0;

    if (!client->speaks_old) {
        error = mosquitto_property_add_int32(&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE,
                                             PACKET_SIZE_MAX);
    }
    if (!error) {
        error = mosquitto_connect_bind_v5(client->mosquitto, settings->host, settings->port,
                                          KEEPALIVE_S, NULL, properties);
    }
    mosquitto_property_free_all(&properties);
    return explain(client, error);
}

int mqtt_client_loop(struct mqtt_client *client)
{
    return explain(client, mosquitto_loop(client->mosquitto, LOOP_TIMEOUT_MS, 1));
}

int mqtt_client_publish(struct mqtt_client *client, const struct publication *it, int *mid)
{
    mosquitto_property *properties = NULL;
    int error = 0;

    if (it->correlation) {
        error = mosquitto_property_add_binary(&properties, MQTT_PROP_CORRELATION_DATA,
                                              it->correlation, (uint16_t)it->correlation_size);
    }
    if (!error) {
        error = mosquitto_publish_v5(client->mosquitto, mid, it->topic, (int)it->size, it->payload,
                                     it->qos, it->retain, properties);
    }
    mosquitto_property_free_all(&properties);
    return !error ? 0 : error == MOSQ_ERR_NO_CONN ? -ENOTCONN : -EIO;
}

void mqtt_client_leave(struct mqtt_client *client, bool with_will)
{
    mosquitto_disconnect_v5(client->mosquitto, with_will ? MQTT_RC_DISCONNECT_WITH_WILL_MSG : 0,
                            NULL);
}

void mqtt_client_close(struct mqtt_client *client)
{
    if (client->mosquitto) {
        mosquitto_destroy(client->mosquitto);
        client->mosquitto = NULL;
    }
}
