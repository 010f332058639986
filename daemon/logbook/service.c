#include "service.h"

#include "answers.h"
#include "asks.h"
#include "common/exit_codes.h"
#include "common/log.h"
#include "common/notify.h"
#include "feeds.h"
#include "mqtt/connector.h"
#include "records.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
    ANSWER_MS = 10000,
    RETRY_MAX_MS = 60000,
    TICK_MS = 5000, /* keep-alive and watchdog */
    DATABASE_RETRY_S = 10,
    RESULTS_MS = 2000,     /* the players of a game may be stored after its end */
    LIST_US_MAX = 250000,  /* other queries wait meanwhile */
    REPLIES_IN_FLIGHT = 4, /* the next query waits for the broker */
    DOUBTFUL_MS = 3000,    /* see acknowledged */
    PROBLEM_SIZE = 600,
    SEGMENT_MAX = 64,
    PACKET_MAX = 1 << 20,
};

enum topic {
    TOPIC_STATUS,
    TOPIC_EVENTS,
    TOPIC_REPLIES,
    TOPIC_ASKS,
    TOPIC_COMMANDS,
    TOPIC_SCORES,
    TOPIC_COUNT
};

struct service {
    const struct config *config;
    const char *state_directory;
    char password[CONFIG_PASSWORD_SIZE];
    char client_id[TOPIC_SIZE];
    char name[SEGMENT_MAX]; /* of our response topic: random */
    char status[TOPIC_SIZE];
    char topics[TOPIC_COUNT][TOPIC_SIZE];
    struct mqtt_settings settings;
    struct mqtt_connector *connector;
    char broker[MQTT_BROKER_NAME_SIZE]; /* of the last attempt, for messages */
    struct mqtt_client *client;         /* NULL while there is no connection */

    struct book book;
    struct feeds *feeds;
    struct sheet_files files;
    struct scoring *scoring;
    struct tournaments *tournaments;
    int64_t results_due_ms; /* when finished games are looked for again */
    struct asks asks;
    unsigned own_status;      /* `online` that the broker has not sent back */
    bool has_namesake;        /* another logbook uses our topics */
    unsigned in_flight;       /* publications that the broker has not acknowledged */
    int64_t waiting_since_ms; /* for the next acknowledgement */
    bool is_doubtful;         /* whether the broker has kept what is retained */
    unsigned replies;         /* of those in flight */
    int last_reply;           /* mid */
    struct records records;
    int signal_fd;
    bool is_ending;
    uint64_t watchdog_us; /* 0: there is no watchdog */
    int64_t watchdog_due_ms;
};

static int64_t now_ms(void *self)
{
    (void)self;
    return mqtt_now_ms();
}

/*
 * The database
 */

static void database_failed(void *self, int error)
{
    static struct log_limit limit;
    struct service *service = self;

    log_limited(
        &limit, LOG_LEVEL_ERROR,
        "database: %s%s; nothing is lost as long as the tables keep their games, trying again",
        book_problem(&service->book), error == -EBADMSG ? " (it is damaged)" : "");
}

static void note_error(struct service *service, int error)
{
    if (error) {
        database_failed(service, error);
    }
}

/* Waits for a signal that ends the program. */
static bool is_ended_within(const struct service *service, int seconds)
{
    struct pollfd ready = {.fd = service->signal_fd, .events = POLLIN};

    return poll(&ready, 1, seconds * 1000) > 0;
}

/* A database that cannot be reached is waited for; any other error ends the program. */
static int open_book(struct service *service, const char *database)
{
    static struct log_limit limit;
    char problem[PROBLEM_SIZE];
    int error = book_open(&service->book, database, problem, sizeof problem);

    while (error == -EAGAIN) {
        notify_systemd("READY=1\nSTATUS=The database cannot be opened.");
        log_limited(&limit, LOG_LEVEL_ERROR, "database: %s; trying again in %d s", problem,
                    DATABASE_RETRY_S);
        if (is_ended_within(service, DATABASE_RETRY_S)) {
            return EXIT_FINE;
        }
        notify_systemd("WATCHDOG=1");
        error = book_open(&service->book, database, problem, sizeof problem);
    }
    if (error) {
        log_error("database: %s%s; the tables keep their games, start the logbook again when this "
                  "is repaired",
                  error == -EBADMSG ? "it is damaged; restore a backup: " : "", problem);
        return EXIT_UNAVAILABLE;
    }
    return EXIT_FINE;
}

/*
 * Publishing
 */

/* At QoS 1. */
static int publish(struct service *service, const struct publication *publication, int *mid)
{
    int error =
        service->client ? mqtt_client_publish(service->client, publication, mid) : -ENOTCONN;

    if (!error && service->in_flight++ == 0) {
        service->waiting_since_ms = mqtt_now_ms();
    }
    return error;
}

static void publish_online(struct service *service)
{
    service->own_status++;
    publish(service,
            &(struct publication){.topic = service->status,
                                  .payload = "online",
                                  .size = strlen("online"),
                                  .qos = 1,
                                  .retain = true},
            NULL);
}

/* A retained state; NULL clears it. */
static void show_state(struct service *service, const char *kind, const char *id, const char *state)
{
    char topic[TOPIC_SIZE];

    snprintf(topic, sizeof topic, "%s/logbook/%s/%s", service->config->mqtt.prefix, kind, id);
    publish(service,
            &(struct publication){.topic = topic,
                                  .payload = state ? state : "",
                                  .size = state ? strlen(state) : 0,
                                  .qos = 1,
                                  .retain = true},
            NULL);
}

static void show_sheet(void *self, const char *game, const char *state)
{
    show_state(self, "sheet", game, state);
}

static void show_tournament(void *self, const char *tournament, const char *state)
{
    show_state(self, "tournament", tournament, state);
}

static void publish_retained(struct service *service)
{
    publish_online(service);
    note_error(service, scoring_show(service->scoring));
    note_error(service, tournaments_show(service->tournaments));
    service->waiting_since_ms = mqtt_now_ms(); /* a slow database is no late acknowledgement */
}

static void announce_record(void *self, const char *message)
{
    struct service *service = self;
    char topic[TOPIC_SIZE];

    snprintf(topic, sizeof topic, "%s/logbook/record", service->config->mqtt.prefix);
    publish(service,
            &(struct publication){
                .topic = topic, .payload = message, .size = strlen(message), .qos = 1},
            NULL);
}

static int update_records(struct service *service)
{
    struct records_ports ports = {service, &service->book, service->feeds, announce_record};

    return records_update(&service->records, &ports);
}

static void ask_table(void *self, const char *table, const char *verb, const char *payload)
{
    struct service *service = self;
    const char *prefix = service->config->mqtt.prefix;
    char topic[TOPIC_SIZE];
    char response[TOPIC_SIZE];

    snprintf(topic, sizeof topic, "%s/%s/command/%s", prefix, table, verb);
    snprintf(response, sizeof response, "%s/%s/reply/%s", prefix, table, service->name);
    publish(service,
            &(struct publication){.topic = topic,
                                  .payload = payload,
                                  .size = strlen(payload),
                                  .qos = 1,
                                  .response_topic = response},
            NULL);
}

static void answer_next(struct service *service)
{
    char topic[TOPIC_SIZE];
    const struct ask_message *message = asks_take(&service->asks);
    int error;

    feeds_flush(service->feeds); /* an answer has the events that arrived before the query */
    snprintf(topic, sizeof topic, "%s/logbook/reply", service->config->mqtt.prefix);
    struct answer_settings settings = {service->state_directory, LIST_US_MAX, service->scoring,
                                       &service->files, service->tournaments};
    char *reply = answer(&service->book, &settings, message->door, message->verb, message->payload,
                         message->size, &error);
    note_error(service, error);
    if (reply && publish(service,
                         &(struct publication){
                             .topic = message->response[0] ? message->response : topic,
                             .payload = reply,
                             .size = strlen(reply),
                             .qos = 1,
                             .correlation = message->correlation_size ? message->correlation : NULL,
                             .correlation_size = message->correlation_size,
                         },
                         &service->last_reply) == 0) {
        service->replies++;
    }
    free(reply);
}

/*
 * Messages
 */

/* The next segment of a topic; NULL: it does not fit, or there is none. *topic moves behind its
 * slash. */
static const char *next_segment(const char **topic, char segment[SEGMENT_MAX])
{
    size_t length = strcspn(*topic, "/");

    if (length == 0 || length >= SEGMENT_MAX) {
        return NULL;
    }
    memcpy(segment, *topic, length);
    segment[length] = '\0';
    *topic += length + ((*topic)[length] == '/');
    return segment;
}

/* Whether the reply may go there; other topics may be forbidden to whoever asks. */
static bool is_our_reply_topic(const struct service *service, const char *topic)
{
    char base[TOPIC_SIZE];
    int length = snprintf(base, sizeof base, "%s/logbook/reply/", service->config->mqtt.prefix);
    const char *name = topic && strncmp(topic, base, (size_t)length) == 0 ? topic + length : "";
    size_t size = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

    return size > 0 && size <= SEGMENT_MAX && !name[size];
}

static bool has_payload(const struct bus_news *news, const char *text)
{
    return news->size == strlen(text) && memcmp(news->payload, text, news->size) == 0;
}

/*
 * Our own status comes back from the broker. An `offline` is the last will of an earlier connection
 * of ours, or that of another logbook, which gets one answer so that it notices us, too. With 3.1.1
 * a broker may deliver a message once for each of our subscriptions that it fits, as NATS does, so
 * that a second `online` can be our own.
 */
static void hear_status(struct service *service, const struct bus_news *news)
{
    if (news->retained) {
        return; /* from before this connection */
    }
    if (has_payload(news, "offline")) {
        publish_online(service);
    } else if (has_payload(news, "online") && service->own_status > 0) {
        service->own_status--;
    } else if (has_payload(news, "online") && !service->has_namesake &&
               !service->client->uses_v311) {
        static struct log_limit limit;
        service->has_namesake = true;
        log_limited(&limit, LOG_LEVEL_ERROR,
                    "broker %s: another logbook is connected with the prefix %s, and both answer "
                    "each query: stop one of them",
                    service->broker, service->config->mqtt.prefix);
        publish_online(service);
    }
}

static void hear_own(struct service *service, const char *kind, const char *verb,
                     const struct bus_news *news)
{
    static const char *const doors[] = {
        [ANSWER_QUERY] = "ask", [ANSWER_COMMAND] = "command", [ANSWER_SCORE] = "score"};
    unsigned door = 0;

    while (door < sizeof doors / sizeof doors[0] && strcmp(doors[door], kind) != 0) {
        door++;
    }
    if (door < sizeof doors / sizeof doors[0] && !news->retained &&
        news->correlation_size <= CORRELATION_MAX) {
        asks_put(&service->asks, (enum answer_door)door, verb,
                 is_our_reply_topic(service, news->response_topic) ? news->response_topic : NULL,
                 news);
    } else if (strcmp(kind, "status") == 0) {
        hear_status(service, news);
    }
}

static void hear_table(struct service *service, const char *table, const char *kind,
                       const struct bus_news *news)
{
    if (strcmp(kind, "event") == 0) {
        feeds_event(service->feeds, table, news->payload, news->size);
    } else if (strcmp(kind, "reply") == 0) {
        feeds_reply(service->feeds, table, news->payload, news->size);
    } else if (strcmp(kind, "status") == 0) {
        feeds_status(service->feeds, table, has_payload(news, "online"));
    }
}

static void heard(void *self, const struct bus_news *news)
{
    struct service *service = self;
    const char *prefix = service->config->mqtt.prefix;
    const char *topic = news->topic + strlen(prefix);
    char table[SEGMENT_MAX];
    char kind[SEGMENT_MAX];
    char verb[SEGMENT_MAX] = "";

    if (strncmp(news->topic, prefix, strlen(prefix)) != 0 || *topic++ != '/' ||
        !next_segment(&topic, table) || !next_segment(&topic, kind)) {
        return;
    }
    next_segment(&topic, verb);
    if (strcmp(table, "logbook") == 0) {
        hear_own(service, kind, verb, news);
    } else {
        hear_table(service, table, kind, news);
    }
}

/*
 * Replies are acknowledged in order, and few other messages are in between. A cluster of NATS that
 * has no leader acknowledges a retained message after four seconds, and has not kept it.
 */
static void acknowledged(void *self, int mid)
{
    struct service *service = self;
    int64_t now = mqtt_now_ms();

    service->is_doubtful |= now - service->waiting_since_ms >= DOUBTFUL_MS;
    service->waiting_since_ms = now;
    service->in_flight -= service->in_flight > 0;
    service->replies = mid == service->last_reply ? 0 : service->replies;
}

static void refused(void *self, const char *what)
{
    const struct service *service = self;

    log_warning("broker %s: not allowed: %s; see its access rules", service->broker, what);
}

/*
 * The connection
 */

static void end_connection(struct service *service)
{
    log_warning("broker %s: %s", service->broker, service->client->reason);
    feeds_flush(service->feeds);
    service->client = NULL;
    mqtt_connector_give_back(service->connector);
}

static void begin_connection(struct service *service, struct mqtt_client *client)
{
    struct mqtt_listener listener = {service, acknowledged, heard, refused};
    int error = mqtt_client_adopt(client, &listener);

    service->client = client;
    service->in_flight = 0;
    service->is_doubtful = false;
    service->replies = 0;
    service->own_status = 0;
    service->has_namesake = false;
    if (!error && client->uses_v311) { /* there are no response topics */
        char replies[TOPIC_SIZE];
        snprintf(replies, sizeof replies, "%s/+/reply", service->config->mqtt.prefix);
        error = mqtt_client_subscribe(client, replies);
    }
    if (error) {
        end_connection(service);
        return;
    }
    log_notice("broker %s: connected", service->broker);
    feeds_connected(service->feeds);
    publish_retained(service);
}

static void take_attempt(struct service *service)
{
    struct mqtt_attempt attempt;

    if (!mqtt_connector_take(service->connector, &attempt)) {
        return;
    }
    memcpy(service->broker, attempt.broker.name, sizeof service->broker);
    if (attempt.client) {
        begin_connection(service, attempt.client);
        return;
    }
    log_warning("broker %s: %s, trying again in %u.%u s", service->broker, attempt.reason,
                attempt.retry_ms / 1000, attempt.retry_ms % 1000 / 100);
    if (attempt.hint) {
        log_warning("broker %s: %s", service->broker, attempt.hint);
    }
}

static void work(struct service *service, bool is_ready)
{
    int error = is_ready ? mqtt_client_work(service->client) : 0;

    if (!error) {
        error = mqtt_client_misc(service->client);
    }
    if (error) {
        end_connection(service);
    }
}

/*
 * The loop
 */

static bool can_answer(const struct service *service)
{
    return service->client && service->asks.count > 0 && service->replies < REPLIES_IN_FLIGHT;
}

static int next_wait_ms(struct service *service)
{
    int64_t due_ms = service->client ? feeds_tick(service->feeds) : TICK_MS;

    return can_answer(service) ? 0 : due_ms < TICK_MS ? (int)due_ms : TICK_MS;
}

static void wait_once(struct service *service)
{
    int wait_ms = next_wait_ms(service); /* may publish */
    bool wants_write = service->client && mqtt_client_wants_write(service->client);
    struct pollfd fds[] = {
        {.fd = mqtt_connector_fd(service->connector), .events = POLLIN},
        {.fd = service->client ? mqtt_client_fd(service->client) : -1,
         .events = wants_write ? POLLIN | POLLOUT : POLLIN},
        {.fd = service->signal_fd, .events = POLLIN},
    };

    if (poll(fds, sizeof fds / sizeof fds[0], wait_ms) < 0) {
        return;
    }
    if (fds[0].revents) {
        take_attempt(service);
    } else if (service->client) {
        work(service, fds[1].revents);
    }
    service->is_ending = fds[2].revents;
}

/* Each loop takes at most TICK_MS, and the work of one message or query. */
static void feed_watchdog(struct service *service)
{
    if (service->watchdog_us && mqtt_now_ms() >= service->watchdog_due_ms) {
        service->watchdog_due_ms = mqtt_now_ms() + (int64_t)(service->watchdog_us / 4000);
        notify_systemd("WATCHDOG=1");
    }
}

static void run_loop(struct service *service)
{
    service->watchdog_us = notify_watchdog_us();
    note_error(service, update_records(service));
    notify_systemd("READY=1\nSTATUS=");
    while (!service->is_ending) {
        wait_once(service);
        note_error(service, scoring_tick(service->scoring));
        bool has_news = feeds_take_news(service->feeds);
        if (has_news) {
            note_error(service, update_records(service));
        }
        if (has_news || mqtt_now_ms() >= service->results_due_ms) {
            service->results_due_ms = mqtt_now_ms() + RESULTS_MS;
            note_error(service, tournaments_take_results(service->tournaments));
        }
        if (can_answer(service)) {
            answer_next(service);
        }
        if (service->is_doubtful && service->client && service->in_flight == 0) {
            service->is_doubtful = false;
            publish_retained(service);
        }
        feed_watchdog(service);
    }
}

/*
 * Opening and closing
 */

/* A configured client id is that of the table, and a broker ends the connection of whoever had it.
 */
static void write_names(struct service *service)
{
    const struct mqtt_config *config = &service->config->mqtt;
    static const char *const ends[TOPIC_COUNT] = {
        [TOPIC_STATUS] = "+/status",
        [TOPIC_EVENTS] = "+/event/+",
        [TOPIC_REPLIES] = "+/reply/",
        [TOPIC_ASKS] = "logbook/ask/+",
        [TOPIC_COMMANDS] = "logbook/command/+",
        [TOPIC_SCORES] = "logbook/score/+",
    };
    uint64_t random = 0;

    (void)!getrandom(&random, sizeof random, 0);
    snprintf(service->name, sizeof service->name, "logbook%016" PRIx64, random);
    if (config->client_id[0]) {
        snprintf(service->client_id, sizeof service->client_id, "%.200s-logbook",
                 config->client_id);
    } else {
        snprintf(service->client_id, sizeof service->client_id, "logbook%016" PRIx64, random);
    }
    snprintf(service->status, sizeof service->status, "%s/logbook/status", config->prefix);
    for (unsigned i = 0; i < TOPIC_COUNT; i++) {
        snprintf(service->topics[i], TOPIC_SIZE, "%s/%s%s", config->prefix, ends[i],
                 i == TOPIC_REPLIES ? service->name : "");
    }
}

static int open_connector(struct service *service)
{
    const struct mqtt_config *config = &service->config->mqtt;

    if (config_check_files(config, log_file_problem, NULL) ||
        config_read_password(config, service->password)) {
        return EXIT_UNAVAILABLE;
    }
    write_names(service);
    service->settings = (struct mqtt_settings){
        .hosts = config->host,
        .port = config->port,
        .client_id = service->client_id,
        .username = config->username,
        .password = service->password,
        .tls_ca = config->tls_ca,
        .tls_cert = config->tls_cert,
        .tls_key = config->tls_key,
        .answer_ms = ANSWER_MS,
        .retry_max_ms = RETRY_MAX_MS,
        .packet_max = PACKET_MAX,
        .will_topic = service->status,
    };
    for (unsigned i = 0; i < TOPIC_COUNT; i++) {
        service->settings.subscriptions[i] = service->topics[i];
    }
    mqtt_library_open();
    int error = mqtt_connector_open(&service->connector, &service->settings);
    if (error) {
        log_error("no thread for the connection: %s", strerror(-error));
    }
    return error ? EXIT_INTERNAL : EXIT_FINE;
}

static int open_signals(struct service *service)
{
    sigset_t ending;

    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    sigprocmask(SIG_BLOCK, &ending, NULL);
    signal(SIGPIPE, SIG_IGN);
    service->signal_fd = signalfd(-1, &ending, SFD_CLOEXEC);
    return service->signal_fd < 0 ? EXIT_INTERNAL : EXIT_FINE;
}

static int open_service(struct service *service, const char *database)
{
    int code = open_signals(service);

    if (!code) {
        code = open_book(service, database);
    }
    if (code || !service->book.database.self) {
        return code;
    }
    struct feeds_ports ports = {service, &service->book, ask_table, now_ms, database_failed};
    if (feeds_open(&service->feeds, &ports)) {
        return EXIT_INTERNAL;
    }
    sheet_files_read(&service->files, service->config->logbook.sheets);
    struct scoring_ports scoring_ports = {service, &service->book, &service->files, show_sheet};
    if (scoring_open(&service->scoring, &scoring_ports)) {
        log_error("database: the sheet games cannot be read: %s", book_problem(&service->book));
        return EXIT_UNAVAILABLE;
    }
    struct tournaments_ports tournaments_ports = {service, &service->book, show_tournament};
    if (tournaments_open(&service->tournaments, &tournaments_ports)) {
        log_error("database: the tournaments cannot be read: %s", book_problem(&service->book));
        return EXIT_UNAVAILABLE;
    }
    return open_connector(service);
}

/* The broker publishes `offline`, the last will. */
static void close_service(struct service *service)
{
    if (service->feeds) {
        feeds_flush(service->feeds);
    }
    if (service->client) {
        mqtt_client_leave(service->client, true);
        service->client = NULL;
        mqtt_connector_give_back(service->connector);
    }
    bool has_ended = mqtt_connector_close(service->connector);
    book_close(&service->book);
    if (!has_ended) {
        _exit(EXIT_FINE); /* its thread hangs in a connect, and still uses the settings */
    }
    feeds_close(service->feeds);
    scoring_close(service->scoring);
    tournaments_close(service->tournaments);
    sheet_files_forget(&service->files);
    records_forget(&service->records);
    explicit_bzero(service->password, sizeof service->password);
}

int service_run(const struct config *config, const char *database, const char *state_directory)
{
    static struct service service;

    service.config = config;
    service.state_directory = state_directory;
    int code = open_service(&service, database);
    if (!code && service.connector) {
        run_loop(&service);
    }
    close_service(&service);
    return code;
}
