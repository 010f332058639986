/*
 * The floor under whatever hears messages: `bench_echo PORT STATUS FILTER REPLY [BYTES]` says
 * `online` on STATUS when its subscription stands, and answers every message that it hears with one
 * on REPLY, as a command is answered or with so many bytes. It subscribes with QoS 0, as the daemon
 * does.
 */
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEEPALIVE_S = 600, BYTES_MAX = 4096 };

static char answer[BYTES_MAX + 1] = "{\"id\":null,\"ok\":true,\"seq\":1}";

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
    const char *reply = ((char **)arguments)[4];

    (void)message;
    mosquitto_publish(client, NULL, reply, (int)strlen(answer), answer, 1, false);
}

int main(int argc, char **argv)
{
    int bytes = argc == 6 ? atoi(argv[5]) : 0;

    if (argc < 5 || argc > 6 || bytes < 0 || bytes > BYTES_MAX) {
        fprintf(stderr, "usage: bench_echo PORT STATUS FILTER REPLY [BYTES]\n");
        return 64;
    }
    memset(answer, 'x', (size_t)bytes);
    if (bytes) {
        answer[bytes] = '\0';
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
        error = mosquitto_subscribe(client, NULL, argv[3], 0);
    }
    while (!error) {
        error = mosquitto_loop(client, -1, 1);
    }
    mosquitto_destroy(client);
    mosquitto_lib_cleanup();
    return EXIT_FAILURE;
}
