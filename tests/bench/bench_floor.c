/*
 * The floor under bench_latency: the least that brings a line from a unix socket to the broker.
 * `bench_floor SOCKET PORT TOPIC BYTES [FILE]`: every line that comes is published with so many
 * bytes; with a file, a record is written to it and synced before, as a journal must be.
 */
#include <fcntl.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { BYTES_MAX = 4096, KEEPALIVE_S = 600, RECORD_SIZE = 105, FILE_SIZE = 64 << 10 };

/* Written in place, because a file that grows takes longer to sync: the daemon does the same. */
static int journal = -1;
static off_t journal_end;

static bool open_journal(const char *path)
{
    static const char blanks[FILE_SIZE];

    journal = open(path, O_RDWR | O_CREAT, 0600);
    return journal >= 0 && write(journal, blanks, sizeof blanks) == sizeof blanks &&
           fsync(journal) == 0;
}

static bool record(void)
{
    static const char text[RECORD_SIZE];

    if (journal < 0) {
        return true;
    }
    journal_end = (journal_end + RECORD_SIZE) % (FILE_SIZE - RECORD_SIZE);
    return pwrite(journal, text, sizeof text, journal_end) == sizeof text &&
           fdatasync(journal) == 0;
}

static int accept_one(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listening = socket(AF_UNIX, SOCK_STREAM, 0);

    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (bind(listening, (const struct sockaddr *)&address, sizeof address) ||
        listen(listening, 1)) {
        return -1;
    }
    return accept(listening, NULL, NULL);
}

static struct mosquitto *connect_to(int port)
{
    struct mosquitto *client = mosquitto_new(NULL, true, NULL);

    if (client) {
        mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
        mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
        if (mosquitto_connect(client, "127.0.0.1", port, KEEPALIVE_S)) {
            mosquitto_destroy(client);
            client = NULL;
        }
    }
    return client;
}

/* Until the socket is closed. */
static void pass_on(int fd, struct mosquitto *client, const char *topic, int size)
{
    static char payload[BYTES_MAX];
    struct pollfd wanted[] = {{.fd = fd, .events = POLLIN},
                              {.fd = mosquitto_socket(client), .events = POLLIN}};
    char lines[BYTES_MAX];

    memset(payload, 'x', sizeof payload);
    while (poll(wanted, 2, -1) > 0) {
        ssize_t count = wanted[0].revents ? read(fd, lines, sizeof lines) : 0;
        for (ssize_t i = 0; i < count; i++) {
            if (lines[i] == '\n' && record()) {
                mosquitto_publish(client, NULL, topic, size, payload, 1, false);
            }
        }
        if ((wanted[0].revents && count <= 0) || mosquitto_loop(client, 0, 1)) {
            return;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc > 6 || atoi(argv[4]) < 1 || atoi(argv[4]) > BYTES_MAX) {
        fprintf(stderr, "usage: bench_floor SOCKET PORT TOPIC BYTES [FILE]\n");
        return 64;
    }
    if (argc == 6 && !open_journal(argv[5])) {
        fprintf(stderr, "bench_floor: %s cannot be written\n", argv[5]);
        return EXIT_FAILURE;
    }
    mosquitto_lib_init();
    struct mosquitto *client = connect_to(atoi(argv[2]));
    int fd = client ? accept_one(argv[1]) : -1;
    if (fd < 0) {
        fprintf(stderr, "bench_floor: no broker, or no socket\n");
        return EXIT_FAILURE;
    }
    pass_on(fd, client, argv[3], atoi(argv[4]));
    mosquitto_destroy(client);
    mosquitto_lib_cleanup();
    return EXIT_SUCCESS;
}
