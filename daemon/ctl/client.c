#include "client.h"

#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <unistd.h>

enum { KEEPALIVE_S = 30 };

struct client {
    struct mosquitto *mosquitto;
    const struct mqtt_config *config;
    client_hear_fn *hear;
    void *self;
    bool alive;      /* connected, or about to be */
    bool connected;  /* the broker has accepted the connection */
    bool speaks_old; /* 3.1.1 */
    int refusal;     /* the broker's reason not to accept it, or 0 */
    unsigned timeout_ms;
    char name[CLIENT_NAME_SIZE];
};

static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

static const char *error_text(int error)
{
    if (error == MOSQ_ERR_ERRNO) {
        return errno == EINTR ? "no answer" : strerror(errno);
    }
    return mosquitto_strerror(error);
}

/*
 * What is heard
 */

static void lose(struct client *client, const char *reason)
{
    if (client->alive) {
        client->alive = false;
        client->hear(client->self, &(struct bus_news){.kind = BUS_DISCONNECTED, .reason = reason});
    }
}

static void on_connect(struct mosquitto *mosquitto, void *self, int reason, int flags,
                       const mosquitto_property *properties)
{
    struct client *client = self;

    (void)mosquitto;
    (void)flags;
    (void)properties;
    client->refusal = reason;
    if (reason) {
        return;
    }
    client->connected = true;
    client->hear(client->self, &(struct bus_news){.kind = BUS_CONNECTED});
}

static void on_message(struct mosquitto *mosquitto, void *self,
                       const struct mosquitto_message *message,
                       const mosquitto_property *properties)
{
    struct client *client = self;
    void *correlation = NULL;
    uint16_t correlation_size = 0;

    (void)mosquitto;
    mosquitto_property_read_binary(properties, MQTT_PROP_CORRELATION_DATA, &correlation,
                                   &correlation_size, false);
    client->hear(client->self, &(struct bus_news){
                                   .kind = BUS_MESSAGE,
                                   .topic = message->topic,
                                   .payload = message->payload ? message->payload : "",
                                   .size = (size_t)message->payloadlen,
                                   .retained = message->retain,
                                   .correlation = correlation,
                                   .correlation_size = correlation_size,
                               });
    free(correlation);
}

static void on_subscribe(struct mosquitto *mosquitto, void *self, int id, int count,
                         const int *granted, const mosquitto_property *properties)
{
    struct client *client = self;

    (void)mosquitto;
    (void)id;
    (void)count;
    (void)granted;
    (void)properties;
    client->hear(client->self, &(struct bus_news){.kind = BUS_ACKNOWLEDGED});
}

/*
 * Opening and closing
 */

static int set_credentials(struct client *client, char *problem)
{
    const struct mqtt_config *config = client->config;
    char password[CONFIG_PASSWORD_SIZE];
    int error = config_read_password(config, password);

    if (error) {
        snprintf(problem, CLIENT_PROBLEM_SIZE, "password file %s: %s", config->password_file,
                 strerror(-error));
        return error;
    }
    error =
        mosquitto_username_pw_set(client->mosquitto, or_null(config->username), or_null(password));
    explicit_bzero(password, sizeof password);
    return error ? -EINVAL : 0;
}

/* libmosquitto calls a missing file a wrong argument. */
static int set_tls(struct client *client, char *problem)
{
    const struct mqtt_config *config = client->config;

    if (access(config->tls_ca, R_OK)) {
        snprintf(problem, CLIENT_PROBLEM_SIZE, "certificates %s: %s", config->tls_ca,
                 strerror(errno));
        return -EINVAL;
    }
    int error = mosquitto_tls_set(client->mosquitto, config->tls_ca, NULL,
                                  or_null(config->tls_cert), or_null(config->tls_key), NULL);
    if (error) {
        snprintf(problem, CLIENT_PROBLEM_SIZE, "TLS with %s, %s, %s: %s", config->tls_ca,
                 config->tls_cert, config->tls_key, error_text(error));
        return -EINVAL;
    }
    return 0;
}

static int set_up(struct client *client, char *problem)
{
    const struct mqtt_config *config = client->config;
    int error = mosquitto_int_option(client->mosquitto, MOSQ_OPT_TCP_NODELAY, 1);

    if (error) {
        snprintf(problem, CLIENT_PROBLEM_SIZE, "TCP_NODELAY: %s", error_text(error));
        return -EINVAL;
    }
    mosquitto_connect_v5_callback_set(client->mosquitto, on_connect);
    mosquitto_message_v5_callback_set(client->mosquitto, on_message);
    mosquitto_subscribe_v5_callback_set(client->mosquitto, on_subscribe);
    error = config->tls_ca[0] ? set_tls(client, problem) : 0;
    if (!error && config->username[0]) {
        error = set_credentials(client, problem);
    }
    return error;
}

int client_open(struct client **opened, const struct mqtt_config *config, client_hear_fn *hear,
                void *self, char problem[CLIENT_PROBLEM_SIZE])
{
    struct client *client = calloc(1, sizeof *client);
    uint64_t random = 0;

    snprintf(problem, CLIENT_PROBLEM_SIZE, "out of memory");
    if (!client) {
        return -ENOMEM;
    }
    *client = (struct client){.config = config, .hear = hear, .self = self};
    (void)!getrandom(&random, sizeof random, 0);
    snprintf(client->name, sizeof client->name, "ctl-%016llx", (unsigned long long)random);
    mosquitto_lib_init();
    client->mosquitto = mosquitto_new(client->name, true, client);
    int error = client->mosquitto ? set_up(client, problem) : -ENOMEM;
    if (error) {
        client_close(client);
        return error;
    }
    *opened = client;
    return 0;
}

void client_close(struct client *client)
{
    if (!client) {
        return;
    }
    client->alive = false; /* what comes now is nobody's news */
    if (client->mosquitto) {
        mosquitto_disconnect_v5(client->mosquitto, 0, NULL);
        mosquitto_destroy(client->mosquitto);
    }
    mosquitto_lib_cleanup();
    free(client);
}

const char *client_name(const struct client *client)
{
    return client->name;
}

/*
 * Connecting: libmosquitto blocks in it, a timer gets it out
 */

static void wake(int signal)
{
    (void)signal;
}

static void set_timer(unsigned timeout_ms)
{
    struct sigaction action = {.sa_handler = wake}; /* without SA_RESTART, so that connect ends */
    struct itimerval timer = {
        .it_value = {.tv_sec = timeout_ms / 1000,
                     .tv_usec = (suseconds_t)(timeout_ms % 1000) * 1000},
        .it_interval = {.tv_sec = timeout_ms ? 1 : 0}, /* again, should it come too early */
    };

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static int begin_connect(struct client *client, bool speaks_old, char problem[CLIENT_PROBLEM_SIZE])
{
    const struct mqtt_config *config = client->config;

    client->speaks_old = speaks_old;
    client->connected = false;
    client->refusal = 0;
    mosquitto_int_option(client->mosquitto, MOSQ_OPT_PROTOCOL_VERSION,
                         speaks_old ? MQTT_PROTOCOL_V311 : MQTT_PROTOCOL_V5);
    set_timer(client->timeout_ms);
    int error = mosquitto_connect_bind_v5(client->mosquitto, config->host, config->port,
                                          KEEPALIVE_S, NULL, NULL);
    int cause = errno;
    set_timer(0);
    errno = cause;
    client->alive = error == 0;
    if (error) {
        snprintf(problem, CLIENT_PROBLEM_SIZE, "%s", error_text(error));
        return -ENOTCONN;
    }
    return 0;
}

int client_connect(struct client *client, unsigned timeout_ms, char problem[CLIENT_PROBLEM_SIZE])
{
    client->timeout_ms = timeout_ms;
    return begin_connect(client, false, problem);
}

bool client_is_alive(const struct client *client)
{
    return client->alive;
}

/*
 * Working
 */

static int work(struct client *client, short events)
{
    int error = 0;

    if (events & (POLLIN | POLLHUP | POLLERR)) {
        error = mosquitto_loop_read(client->mosquitto, 1);
    }
    if (!error && (events & POLLOUT)) {
        error = mosquitto_loop_write(client->mosquitto, 1);
    }
    if (!error) {
        error = mosquitto_loop_misc(client->mosquitto);
    }
    return error;
}

/* Whether the broker refuses MQTT 5, or has closed the connection instead of an answer. */
static bool needs_old(const struct client *client)
{
    enum { V3_UNACCEPTABLE_PROTOCOL = 1 };
    int refusal = client->refusal;

    return !client->connected && !client->speaks_old &&
           (refusal == 0 || refusal == V3_UNACCEPTABLE_PROTOCOL ||
            refusal == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION);
}

static void end_connection(struct client *client, int error)
{
    char problem[CLIENT_PROBLEM_SIZE];

    if (client->refusal) {
        snprintf(problem, sizeof problem, "%s",
                 client->speaks_old ? mosquitto_connack_string(client->refusal)
                                    : mosquitto_reason_string(client->refusal));
    } else {
        snprintf(problem, sizeof problem, "%s", error_text(error));
    }
    if (needs_old(client) && begin_connect(client, true, problem) == 0) {
        return;
    }
    client->alive = true; /* until this is heard */
    lose(client, problem);
}

int client_wait(struct client *client, int other_fd, int timeout_ms, const sigset_t *waking)
{
    struct pollfd fds[] = {
        {.fd = client->alive ? mosquitto_socket(client->mosquitto) : -1, .events = POLLIN},
        {.fd = other_fd, .events = POLLIN},
    };
    struct timespec timeout = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000};

    if (client->alive && mosquitto_want_write(client->mosquitto)) {
        fds[0].events |= POLLOUT;
    }
    if (ppoll(fds, 2, timeout_ms < 0 ? NULL : &timeout, waking) < 0) {
        return 0; /* a signal: the caller knows which */
    }
    int error = client->alive ? work(client, fds[0].revents) : 0;
    if (client->alive && (error || client->refusal)) {
        end_connection(client, error);
    }
    return fds[1].revents != 0;
}

int client_subscribe(struct client *client, const char *topic)
{
    return mosquitto_subscribe(client->mosquitto, NULL, topic, 1) ? -ENOTCONN : 0;
}

int client_publish(struct client *client, const struct publication *it, const char *response_topic)
{
    mosquitto_property *properties = NULL;
    int error = 0;

    if (response_topic && !client->speaks_old) {
        error =
            mosquitto_property_add_string(&properties, MQTT_PROP_RESPONSE_TOPIC, response_topic);
    }
    if (!error && it->correlation && !client->speaks_old) {
        error = mosquitto_property_add_binary(&properties, MQTT_PROP_CORRELATION_DATA,
                                              it->correlation, (uint16_t)it->correlation_size);
    }
    if (!error) {
        error = mosquitto_publish_v5(client->mosquitto, NULL, it->topic, (int)it->size, it->payload,
                                     it->qos, it->retain, properties);
    }
    mosquitto_property_free_all(&properties);
    return error ? -ENOTCONN : 0;
}
