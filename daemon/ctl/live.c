#include "live.h"

#include "plain.h"
#include "reply_text.h"
#include "screen.h"

#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    RETRY_MAX_MS = 2000, /* somebody is watching */
    TICK_MS = 5000,      /* keep-alive */
    HEAR_MS = 2000,      /* how long a broker may take to confirm a subscription */
};

/*
 * The link to the table
 */

enum link_daemon link_read_status(const void *status, size_t size)
{
    bool is_online = size == strlen("online") && memcmp(status, "online", size) == 0;

    return is_online ? DAEMON_ONLINE : DAEMON_OFFLINE;
}

void link_write_trouble(const struct link *link, char *sentence, size_t size)
{
    sentence[0] = '\0';
    if (!link->connected) {
        snprintf(sentence, size, "No connection to the broker %s%s%s", link->broker,
                 link->trouble[0] ? ": " : "", link->trouble);
    } else if (link->daemon == DAEMON_OFFLINE) {
        snprintf(sentence, size, "The daemon is offline; this is its last state");
    } else if (link->daemon == DAEMON_UNKNOWN) {
        snprintf(sentence, size, "Connected to %s, but no daemon has reported", link->broker);
    }
}

/*
 * Messages
 */

/* What follows the base and its slash; NULL when the topic is not below the base. */
static const char *topic_end(const struct live *live, const char *topic)
{
    size_t length = strlen(live->base);
    bool is_below = strncmp(topic, live->base, length) == 0 && topic[length] == '/';

    return is_below ? topic + length + 1 : NULL;
}

/*
 * The reply arrives on our response topic with our correlation data. Where the other program or we
 * use MQTT 3.1.1, replies to all clients arrive on one topic and are matched by id.
 */
static bool is_reply(const struct live *live, const char *end, const struct bus_news *news)
{
    if (!live->question || live->reply) {
        return false;
    }
    if (end) {
        return strcmp(end, "reply") == 0 &&
               reply_answers(news->payload, news->size, live->question);
    }
    return news->correlation && news->correlation_size == strlen(live->id) &&
           memcmp(news->correlation, live->id, news->correlation_size) == 0;
}

static void heard(void *self, const struct bus_news *message)
{
    struct live *live = self;
    struct bus_news news = *message;
    const char *end = topic_end(live, news.topic);

    news.payload = news.payload ? news.payload : "";
    if (strcmp(news.topic, live->response) == 0) {
        end = NULL;
    } else if (!end) {
        return;
    } else if (strcmp(end, "status") == 0) {
        live->link.daemon = link_read_status(news.payload, news.size);
        live->is_fresh = true;
        return;
    }
    if (is_reply(live, end, &news)) {
        live->reply = strndup(news.payload, news.size);
    } else if (live->parts->hear) {
        live->is_fresh |= live->parts->hear(live->self, end, &news);
    }
}

static void acknowledged(void *self, int mid)
{
    (void)self;
    (void)mid;
}

static void refused(void *self, const char *what)
{
    struct link *link = &((struct live *)self)->link;

    snprintf(link->refusal, sizeof link->refusal, "%s", what);
}

static bool publish(struct live *live, const char *end, const char *payload)
{
    char topic[TOPIC_SIZE];
    int length = snprintf(topic, sizeof topic, "%s/%s", live->base, end);

    if (length >= TOPIC_SIZE || strpbrk(end, "+#. ")) {
        return false;
    }
    if (live->client) {
        mqtt_client_publish(live->client,
                            &(struct publication){
                                .topic = topic,
                                .payload = payload,
                                .size = strlen(payload),
                                .qos = 1,
                                .response_topic = live->response,
                                .correlation = live->id,
                                .correlation_size = strlen(live->id),
                            },
                            NULL);
    }
    return true;
}

bool live_command(struct live *live, const char *verb, const char *payload)
{
    char end[TOPIC_SIZE];

    return snprintf(end, sizeof end, "command/%s", verb) < TOPIC_SIZE && !strchr(verb, '/') &&
           publish(live, end, payload);
}

/*
 * The connection
 */

static void name_broker(struct live *live, struct mqtt_broker broker)
{
    memcpy(live->link.broker, broker.name, sizeof live->link.broker);
}

static void lose(struct live *live, const char *reason)
{
    struct link *link = &live->link;
    bool is_news = link->connected || strcmp(link->trouble, reason) != 0;

    link->connected = false;
    live->is_lost = true;
    live->is_fresh = true;
    snprintf(link->trouble, sizeof link->trouble, "%s", reason);
    if (live->following && !live->on_terminal && is_news) {
        fprintf(stderr, "shipahoyctl: broker %s: %s, trying again\n", link->broker, reason);
    }
}

/* The thread that connects closes the connection, too. */
static void end_connection(struct live *live)
{
    lose(live, live->client->reason);
    live->client = NULL;
    mqtt_connector_give_back(live->connector);
}

static void begin_connection(struct live *live, struct mqtt_client *client)
{
    live->client = client;
    live->link.connected = true;
    live->link.daemon = DAEMON_UNKNOWN;
    live->is_fresh = true;
    if (mqtt_client_adopt(client, &(struct mqtt_listener){live, acknowledged, heard, refused})) {
        end_connection(live);
    } else if (live->parts->begin) {
        live->parts->begin(live->self);
    }
}

static void take_attempt(struct live *live)
{
    struct mqtt_attempt attempt;

    if (!mqtt_connector_take(live->connector, &attempt)) {
        return;
    }
    name_broker(live, attempt.broker);
    if (attempt.client) {
        begin_connection(live, attempt.client);
    } else if (live->following || !attempt.has_next) {
        lose(live, attempt.reason);
    }
}

static void work(struct live *live, bool is_ready)
{
    int error = is_ready ? mqtt_client_work(live->client) : 0;

    if (!error) {
        error = mqtt_client_misc(live->client);
    }
    if (error) {
        end_connection(live);
    }
}

/*
 * Waits for the broker, for other_fd (-1: none) or for a signal that waking (NULL: as it is) lets
 * through, and receives what the broker sends. Whether other_fd is readable.
 */
static bool wait_once(struct live *live, int other_fd, int timeout_ms, const sigset_t *waking)
{
    bool wants_write = live->client && mqtt_client_wants_write(live->client);
    struct pollfd fds[] = {
        {.fd = mqtt_connector_fd(live->connector), .events = POLLIN},
        {.fd = live->client ? mqtt_client_fd(live->client) : -1,
         .events = wants_write ? POLLIN | POLLOUT : POLLIN},
        {.fd = other_fd, .events = POLLIN},
    };
    int wait_ms = timeout_ms < TICK_MS ? timeout_ms : TICK_MS;
    struct timespec timeout = {wait_ms / 1000, (long)(wait_ms % 1000) * 1000000};

    if (ppoll(fds, sizeof fds / sizeof fds[0], &timeout, waking) < 0) {
        return false; /* a signal: the caller knows which */
    }
    if (fds[0].revents) {
        take_attempt(live);
    } else if (live->client) {
        work(live, fds[1].revents);
    }
    return fds[2].revents;
}

/*
 * Opening and closing
 */

/* The id consists of letters and digits, and few of them: every broker accepts it. */
static bool write_names(struct live *live)
{
    const struct config *config = &live->config;
    uint64_t random = 0;

    (void)!getrandom(&random, sizeof random, 0);
    snprintf(live->id, sizeof live->id, "ctl%016" PRIx64, random);
    int length = snprintf(live->base, sizeof live->base, "%s/%s", config->mqtt.prefix,
                          live->parts->name ? live->parts->name : config->table);
    snprintf(live->response, sizeof live->response, "%s/reply/%s", live->base, live->id);
    name_broker(live, mqtt_broker_at(config->mqtt.host, 0, config->mqtt.port));
    snprintf(live->link.trouble, sizeof live->link.trouble, "connecting");
    return length < LIVE_BASE_SIZE;
}

static int open_connector(struct live *live, unsigned timeout_ms)
{
    const struct mqtt_config *config = &live->config.mqtt;
    unsigned count = 0;

    live->settings = (struct mqtt_settings){
        .hosts = config->host,
        .port = config->port,
        .client_id = live->id,
        .username = config->username,
        .password = live->password,
        .tls_ca = config->tls_ca,
        .tls_cert = config->tls_cert,
        .tls_key = config->tls_key,
        .answer_ms = timeout_ms,
        .retry_max_ms = RETRY_MAX_MS,
        .subscriptions = {live->response},
    };
    for (const char *const *end = live->parts->topic_ends; *end; end++) {
        char *topic = live->subscriptions[count++];
        snprintf(topic, TOPIC_SIZE, "%s/%.50s", live->base, *end);
        live->settings.subscriptions[count] = topic;
    }
    mqtt_library_open();
    return mqtt_connector_open(&live->connector, &live->settings);
}

int live_open(struct live *live, const struct call *call, const struct live_parts *parts,
              void *self)
{
    *live = (struct live){.parts = parts, .self = self};
    int code = options_configure(call->options, &live->config);
    if (code) {
        return code;
    }
    if (config_check_files(&live->config.mqtt, config_print_problem, stderr) ||
        config_read_password(&live->config.mqtt, live->password)) {
        return EXIT_UNAVAILABLE;
    }
    live->utf8 = plain_use_utf8();
    if (!write_names(live)) {
        return ctl_usage_error("prefix and table are too long together");
    }
    int error = open_connector(live, call->timeout_ms);
    if (error) {
        fprintf(stderr, "shipahoyctl: no thread for the connection: %s\n", strerror(-error));
        return EXIT_INTERNAL;
    }
    return 0;
}

void live_close(struct live *live)
{
    if (live->client) {
        mqtt_client_leave(live->client, false);
        live->client = NULL;
        mqtt_connector_give_back(live->connector);
    }
    /* A thread that hangs in a connect still uses the settings. */
    if (live->connector && !mqtt_connector_close(live->connector)) {
        _exit(EXIT_UNAVAILABLE);
    }
    if (live->connector) {
        mqtt_library_close();
    }
    live->connector = NULL;
    free(live->reply);
    live->reply = NULL;
    explicit_bzero(live->password, sizeof live->password);
}

/*
 * Following
 */

bool live_enter(struct live *live)
{
    live->on_terminal = screen_enter(&live->waking);
    return live->on_terminal;
}

/* Waits, and reads the keys. */
static void follow_once(struct live *live)
{
    unsigned redraw_ms = live->parts->redraw_ms;
    bool is_readable =
        wait_once(live, screen_keys_fd(), redraw_ms ? (int)redraw_ms : TICK_MS, &live->waking);

    live->is_fresh |= screen_read_keys(is_readable) || redraw_ms;
}

void live_run(struct live *live)
{
    live->following = true;
    live->is_fresh = true; /* connecting may take a while */
    while (!screen_is_ending() && !ferror(stdout)) {
        if (live->is_fresh) {
            live->is_fresh = false;
            live->parts->show(live->self);
        }
        if (live->on_terminal) {
            follow_once(live);
        } else {
            wait_once(live, -1, TICK_MS, NULL);
        }
    }
    if (live->on_terminal) {
        screen_leave();
    }
}

/*
 * Asking once
 */

int64_t live_now_ms(void)
{
    return mqtt_now_ms();
}

bool live_wait(struct live *live, live_claim_fn *claim, int other_fd, int64_t deadline_ms)
{
    while (!claim(live) && !live->is_lost) {
        int64_t left_ms = deadline_ms - live_now_ms();
        if (left_ms <= 0 || wait_once(live, other_fd, (int)left_ms, NULL)) {
            break;
        }
    }
    return claim(live);
}

static bool is_connected(const struct live *live)
{
    return live->link.connected;
}

static bool is_subscribed(const struct live *live)
{
    return live->client && mqtt_client_is_subscribed(live->client);
}

static bool is_answered(const struct live *live)
{
    return live->reply || live->link.daemon == DAEMON_OFFLINE;
}

bool live_ask(struct live *live, const char *topic_end, const char *payload, unsigned timeout_ms)
{
    free(live->reply);
    live->reply = NULL;
    live->question = payload;
    if (publish(live, topic_end, payload)) {
        live_wait(live, is_answered, -1, live_now_ms() + timeout_ms);
    }
    live->question = NULL;
    return live->reply != NULL;
}

static int print_away(const struct live *live)
{
    fprintf(stderr, "shipahoyctl: broker %s: no connection: %s\n", live->link.broker,
            live->link.trouble);
    return EXIT_UNAVAILABLE;
}

int live_connect(struct live *live, unsigned timeout_ms)
{
    snprintf(live->link.trouble, sizeof live->link.trouble, "no answer");
    return live_wait(live, is_connected, -1, live_now_ms() + timeout_ms) ? 0 : print_away(live);
}

/* A broker confirms a subscription after everything that it has sent before. */
void live_hear_all(struct live *live)
{
    if (live->client) {
        mqtt_client_subscribe(live->client, live->response);
    }
    live_wait(live, is_subscribed, -1, live_now_ms() + HEAR_MS);
}

int live_catch_up(struct live *live, unsigned timeout_ms)
{
    int code = live_connect(live, timeout_ms);

    if (code) {
        return code;
    }
    live_hear_all(live);
    return live->link.connected ? 0 : print_away(live);
}
