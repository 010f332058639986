/*
 * The floor under bench_commands: `bench_echo PORT STATUS FILTER REPLY` says `online` on STATUS
 * when its subscription stands, and answers every message that it hears with one on REPLY.
 */
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEEPALIVE_S = 600 };

static void on_subscribe(struct mosquitto *client, void *arguments, int mid, int count,
                         const int *granted)
{
    const char *status = ((char **)arguments)[2];

    (void)mid;
    (void)count;
    (void)granted;
    mosquitto_publish(client, NULL, status, (int)strlen("online"), "online", 1, true);
}

static void on_message(struct mosquitto *client, void *arguments,
                       const struct mosquitto_message *message)
{
    static const char answer[] = "{\"id\":null,\"ok\":true,\"seq\":1}";
    const char *reply = ((char **)arguments)[4];

    (void)message;
    mosquitto_publish(client, NULL, reply, sizeof answer - 1, answer, 1, false);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: bench_echo PORT STATUS FILTER REPLY\n");
        return 64;
    }
    mosquitto_lib_init();
    struct mosquitto *client = mosquitto_new(NULL, true, argv);
    if (!client) {
        return EXIT_FAILURE;
    }
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_subscribe_callback_set(client, on_subscribe);
    mosquitto_message_callback_set(client, on_message);
    int error = mosquitto_connect(client, "127.0.0.1", atoi(argv[1]), KEEPALIVE_S);
    if (!error) {
        error = mosquitto_subscribe(client, NULL, argv[3], 1);
    }
    while (!error) {
        error = mosquitto_loop(client, -1, 1);
    }
    mosquitto_destroy(client);
    mosquitto_lib_cleanup();
    return EXIT_FAILURE;
}
