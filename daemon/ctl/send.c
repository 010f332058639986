/* send: one command to the table, and its answer. */
#include "daemon/ctl/client.h"
#include "daemon/ctl/command_json.h"
#include "daemon/ctl/ctl.h"
#include "daemon/ctl/plain.h"
#include "daemon/ctl/reply_text.h"
#include "daemon/ctl/topics.h"
#include "daemon/ctl/view.h"
#include "daemon/wire.h"
#include "rules/fields.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PROBLEM_SIZE = CLIENT_PROBLEM_SIZE };

/* One question and what has come of it. */
struct exchange {
    struct config config;
    struct client *client;
    struct topics topics;
    bool connected;
    bool lost;
    char reason[PROBLEM_SIZE];
    enum view_daemon daemon;
    char *reply; /* NULL: not yet */
    size_t reply_size;
};

static void take_reply(struct exchange *exchange, const struct bus_news *news)
{
    const char *name = client_name(exchange->client);
    bool is_ours = news->correlation && news->correlation_size == strlen(name) &&
                   memcmp(news->correlation, name, news->correlation_size) == 0;

    if (is_ours && !exchange->reply) {
        exchange->reply = strndup(news->payload, news->size);
        exchange->reply_size = news->size;
    }
}

static void take_status(struct exchange *exchange, const struct bus_news *news)
{
    bool is_online = news->size == strlen("online") && memcmp(news->payload, "online", 6) == 0;

    exchange->daemon = is_online ? DAEMON_ONLINE : DAEMON_OFFLINE;
}

static void hear(void *self, const struct bus_news *news)
{
    struct exchange *exchange = self;

    switch (news->kind) {
    case BUS_CONNECTED:
        exchange->connected = true;
        break;
    case BUS_DISCONNECTED:
        exchange->lost = true;
        snprintf(exchange->reason, sizeof exchange->reason, "%s", news->reason);
        break;
    case BUS_MESSAGE:
        if (strcmp(news->topic, exchange->topics.response) == 0) {
            take_reply(exchange, news);
        } else {
            take_status(exchange, news);
        }
        break;
    case BUS_ACKNOWLEDGED:
    case BUS_REFUSED:
        break;
    }
}

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_connected(const struct exchange *exchange)
{
    return exchange->connected;
}

static bool is_settled(const struct exchange *exchange)
{
    return exchange->reply || exchange->daemon == DAEMON_OFFLINE;
}

/* Whether it came true before the deadline and before the connection was lost. */
static bool wait_until(struct exchange *exchange, bool (*is_true)(const struct exchange *),
                       int64_t deadline_ms)
{
    while (!is_true(exchange) && !exchange->lost) {
        int64_t left_ms = deadline_ms - now_ms();
        if (left_ms <= 0) {
            break;
        }
        client_wait(exchange->client, -1, (int)left_ms, NULL);
    }
    return is_true(exchange);
}

static int tell_broker_away(const struct exchange *exchange)
{
    fprintf(stderr, "shipahoyctl: broker %s:%u: no connection: %s\n", exchange->config.mqtt.host,
            exchange->config.mqtt.port, exchange->reason[0] ? exchange->reason : "no answer");
    return EXIT_UNAVAILABLE;
}

static int tell_no_answer(const struct exchange *exchange, unsigned timeout_ms)
{
    static const char *const causes[] = {
        [DAEMON_UNKNOWN] = "no daemon has ever been there; are --table and --prefix right?",
        [DAEMON_ONLINE] = "the daemon is online; does it take commands ([mqtt] commands)?",
        [DAEMON_OFFLINE] = "the daemon is offline; start shipahoyd",
    };

    fprintf(stderr, "shipahoyctl: %s: ", exchange->topics.base);
    if (exchange->lost) {
        fprintf(stderr, "the connection was lost (%s), and with it the answer\n", exchange->reason);
        return EXIT_UNAVAILABLE;
    }
    if (exchange->daemon != DAEMON_OFFLINE) {
        fprintf(stderr, "no answer in %.1f s: ", timeout_ms / 1000.0);
    }
    fprintf(stderr, "%s\n", causes[exchange->daemon]);
    return EXIT_UNAVAILABLE;
}

static int publish(struct exchange *exchange, const char *verb, const char *payload)
{
    const char *name = client_name(exchange->client);
    char status[TOPIC_SIZE];
    char command[TOPIC_SIZE];
    char end[TOPIC_END_SIZE];
    int length = snprintf(end, sizeof end, "command/%s", verb);

    if (length >= TOPIC_END_SIZE || strpbrk(verb, "+#/") ||
        !topics_below(&exchange->topics, end, command) ||
        !topics_below(&exchange->topics, "status", status)) {
        return ctl_usage_error("%s: no verb", verb);
    }
    struct publication publication = {
        .topic = command,
        .payload = payload,
        .size = strlen(payload),
        .qos = 1,
        .correlation = name,
        .correlation_size = strlen(name),
    };
    if (client_subscribe(exchange->client, exchange->topics.response) ||
        client_subscribe(exchange->client, status) ||
        client_publish(exchange->client, &publication, exchange->topics.response)) {
        return tell_broker_away(exchange);
    }
    return 0;
}

static int print_reply(const struct exchange *exchange, bool as_json)
{
    bool accepted = false;
    char *text = reply_text(exchange->reply, exchange->reply_size, &accepted);

    if (!text) {
        fputs("shipahoyctl: the answer is none that this program understands\n", stderr);
        return EXIT_INTERNAL;
    }
    if (as_json) {
        plain_print(stdout, exchange->reply);
        putchar('\n');
    } else {
        fputs(text, stdout);
    }
    free(text);
    return accepted ? EXIT_FINE : CTL_REFUSED;
}

static int ask(struct exchange *exchange, const struct call *call, const char *payload)
{
    int64_t deadline_ms = now_ms() + call->timeout_ms;

    if (client_connect(exchange->client, call->timeout_ms, exchange->reason) ||
        !wait_until(exchange, is_connected, deadline_ms)) {
        return tell_broker_away(exchange);
    }
    int code = publish(exchange, call->words[0], payload);
    if (code) {
        return code;
    }
    wait_until(exchange, is_settled, deadline_ms);
    if (!exchange->reply) {
        return tell_no_answer(exchange, call->timeout_ms);
    }
    return print_reply(exchange, call->options->values[OPTION_JSON] != NULL);
}

static int run(struct exchange *exchange, const struct call *call)
{
    char problem[PROBLEM_SIZE];
    char *payload = command_json(call->words[0], call->words + 1, call->count - 1,
                                 client_name(exchange->client), problem, sizeof problem);

    if (!payload) {
        return ctl_usage_error("%s", problem);
    }
    int code = ask(exchange, call, payload);
    free(payload);
    free(exchange->reply);
    return code;
}

/* `move [piece=] [knots=]`: what is in brackets may be left out. */
static void list_verbs(FILE *file)
{
    fputs("The commands, with their fields:\n", file);
    for (enum input_kind kind = 1; kind < INPUT_COUNT; kind++) {
        enum source source = rules_input_source(kind);
        if (source != SOURCE_COMMAND && source != SOURCE_QUESTION) {
            continue;
        }
        fprintf(file, "  %s", rules_input_name(kind));
        for (unsigned field = 0; field < FIELD_COUNT; field++) {
            uint32_t bit = UINT32_C(1) << field;
            if (rules_input_fields(kind) & bit) {
                fprintf(file, rules_input_needs(kind) & bit ? " %s=" : " [%s=]",
                        field_key((enum field)field));
            }
        }
        fputs(kind == INPUT_NEW_GAME
                  ? " [rules=] [scenario=] [teams=] [dice=] [first=] [abandon=true]\n"
                  : "\n",
              file);
    }
    fputs("  " WIRE_START_GAME ", like new-game, but never leaves a running game\n", file);
}

int ctl_send(const struct call *call)
{
    struct exchange exchange = {0};
    char problem[CLIENT_PROBLEM_SIZE];
    int code = options_configure(call->options, &exchange.config);

    plain_use_utf8();
    if (code) {
        return code;
    }
    if (call->count == 0) {
        list_verbs(stderr);
        return ctl_usage_error("send needs one of these");
    }
    if (client_open(&exchange.client, &exchange.config.mqtt, hear, &exchange, problem)) {
        fprintf(stderr, "shipahoyctl: %s\n", problem);
        return EXIT_UNAVAILABLE;
    }
    if (topics_name(&exchange.topics, &exchange.config, client_name(exchange.client))) {
        code = run(&exchange, call);
    } else {
        code = ctl_usage_error("prefix and table are too long together");
    }
    client_close(exchange.client);
    return code;
}
