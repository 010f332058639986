/* send: one command to the table, and its reply. */
#include "choices_text.h"
#include "command_json.h"
#include "live.h"
#include "plain.h"
#include "reply_text.h"
#include "rules/fields.h"
#include "rules/nearest.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROBLEM_SIZE = 256, CHOICES_SIZE_MAX = 65536 /* several times what a table lists */ };

/* One command and its reply. */
struct exchange {
    struct live live;
    char *command;
    char *choices; /* what the table would accept now; NULL: not heard */
    size_t choices_size;
};

static bool hear(void *self, const char *end, const struct bus_news *news)
{
    struct exchange *exchange = self;

    if (end && strcmp(end, "choices") == 0 && news->size <= CHOICES_SIZE_MAX) {
        free(exchange->choices);
        exchange->choices = strndup(news->payload, news->size);
        exchange->choices_size = exchange->choices ? strlen(exchange->choices) : 0;
    }
    return false;
}

static int print_no_reply(const struct exchange *exchange, unsigned timeout_ms)
{
    static const char *const causes[] = {
        [DAEMON_UNKNOWN] = "no daemon has published anything there; check --table and --prefix",
        [DAEMON_ONLINE] = "the daemon is online; does it accept commands ([mqtt] commands)?",
        [DAEMON_OFFLINE] = "the daemon is offline; start shipahoyd",
    };

    const struct link *link = &exchange->live.link;

    fprintf(stderr, "shipahoyctl: %s: ", exchange->live.base);
    if (!link->connected) {
        fprintf(stderr, "the connection was lost before the reply came (%s)\n", link->trouble);
        return EXIT_UNAVAILABLE;
    }
    if (link->daemon != DAEMON_OFFLINE) {
        fprintf(stderr, "no reply within %.1f s: ", timeout_ms / 1000.0);
    }
    if (link->refusal[0]) {
        fprintf(stderr, "the broker refuses something (%s); may this login send commands?\n",
                link->refusal);
    } else {
        fprintf(stderr, "%s\n", causes[link->daemon]);
    }
    return EXIT_UNAVAILABLE;
}

/* After a refusal: what would be accepted. */
static void print_advice(const struct exchange *exchange, const struct call *call)
{
    char *advice = exchange->choices
                       ? choices_advice(exchange->choices, exchange->choices_size, call->words[0],
                                        exchange->command, call->command)
                       : NULL;

    fputs(advice ? advice : "", stdout);
    free(advice);
}

/* Only for a table whose sensors are simulated here: its socket is that of the configuration. */
static void print_sim_advice(const struct exchange *exchange, const struct call *call,
                             const char *error)
{
    const struct options *options = call->options;
    const struct config *config = &exchange->live.config;
    char socket[CONFIG_TEXT_SIZE];

    if (config->hw.backend != BACKEND_SIM || options->values[OPTION_TABLE] ||
        options->values[OPTION_HOST] || config_socket(config, socket, sizeof socket) ||
        access(socket, W_OK) || strcmp(error, rules_refusal_name(REFUSED_NOT_READY)) != 0) {
        return;
    }
    fputs("To raise the pieces that lie: ", stdout);
    plain_print(stdout, call->command);
    fputs(" sim raise all\n", stdout);
}

static int print_reply(const struct exchange *exchange, const struct call *call)
{
    struct reply_verdict verdict = {0};
    char *text = reply_text(exchange->live.reply, strlen(exchange->live.reply), &verdict);

    if (!text) {
        fputs("shipahoyctl: the reply cannot be read\n", stderr);
        return EXIT_INTERNAL;
    }
    if (call->options->values[OPTION_JSON]) {
        plain_print(stdout, exchange->live.reply);
        putchar('\n');
    } else {
        fputs(text, stdout);
        if (!verdict.accepted) {
            print_sim_advice(exchange, call, verdict.error);
            print_advice(exchange, call);
        }
    }
    free(text);
    return verdict.accepted ? EXIT_FINE : CTL_REFUSED;
}

static int ask(struct exchange *exchange, const struct call *call)
{
    char topic_end[TOPIC_SIZE];
    int length = snprintf(topic_end, sizeof topic_end, "command/%s", call->words[0]);
    int code = live_connect(&exchange->live, call->timeout_ms);

    if (code) {
        return code;
    }
    if (length >= TOPIC_SIZE || strpbrk(call->words[0], "+#/. ")) {
        return ctl_usage_error("%s: not a command", call->words[0]);
    }
    if (!live_ask(&exchange->live, topic_end, exchange->command, call->timeout_ms)) {
        return print_no_reply(exchange, call->timeout_ms);
    }
    return print_reply(exchange, call);
}

static bool is_known(const char *verb)
{
    return rules_input_named(verb) || wire_query_named(verb) || strcmp(verb, WIRE_START_GAME) == 0;
}

/* A word without a key has no meaning then, and it is the verb that is wrong. */
static int refuse_verb(const char *verb)
{
    struct nearest nearest = nearest_begin(verb);

    for (enum input_kind kind = 1; kind < INPUT_COUNT; kind++) {
        if (rules_input_source(kind) == SOURCE_COMMAND) {
            nearest_offer(&nearest, rules_input_name(kind));
        }
    }
    for (enum query_kind kind = 1; kind < QUERY_COUNT; kind++) {
        nearest_offer(&nearest, wire_query_name(kind));
    }
    nearest_offer(&nearest, WIRE_START_GAME);
    return ctl_usage_error("%s: no such command%s%s", verb, nearest.best ? "; the nearest is " : "",
                           nearest.best ? nearest.best : "");
}

static int run(struct exchange *exchange, const struct call *call)
{
    char problem[PROBLEM_SIZE];

    exchange->command = command_json(call->words[0], call->words + 1, call->count - 1,
                                     exchange->live.id, problem, sizeof problem);
    if (!exchange->command) {
        return is_known(call->words[0]) ? ctl_usage_error("%s", problem)
                                        : refuse_verb(call->words[0]);
    }
    int code = ask(exchange, call);
    free(exchange->command);
    free(exchange->choices);
    return code;
}

static bool has_choices(const struct live *live)
{
    const struct exchange *exchange = live->self;

    return exchange->choices;
}

/* What the table would accept now; also for the shells, which do not want to wait for long. */
static int list_choices(struct exchange *exchange, const struct call *call)
{
    int64_t deadline_ms = live_now_ms() + call->timeout_ms;
    int code = live_connect(&exchange->live, call->timeout_ms);

    if (code) {
        return code;
    }
    if (!live_wait(&exchange->live, has_choices, -1, deadline_ms)) {
        return print_no_reply(exchange, call->timeout_ms);
    }
    char *lines =
        choices_lines(exchange->choices, exchange->choices_size, call->words, call->count);
    code = lines ? EXIT_FINE : EXIT_INTERNAL;
    fputs(lines ? lines : "", stdout);
    free(lines);
    free(exchange->choices);
    return code;
}

static void list_queries(FILE *file)
{
    for (enum query_kind kind = 1; kind < QUERY_COUNT; kind++) {
        bool is_needed;
        const char *key;
        fprintf(file, "  %s", wire_query_name(kind));
        for (unsigned i = 0; (key = wire_query_field(kind, i, &is_needed)) != NULL; i++) {
            fprintf(file, is_needed ? " %s=" : " [%s=]", key);
        }
        fputs("\n", file);
    }
}

static void list_verbs(FILE *file)
{
    fputs("The commands with their fields, those in brackets optional:\n", file);
    for (enum input_kind kind = 1; kind < INPUT_COUNT; kind++) {
        if (rules_input_source(kind) != SOURCE_COMMAND) {
            continue;
        }
        fprintf(file, "  %s", rules_input_name(kind));
        for (unsigned field = 0; field < FIELD_COUNT; field++) {
            uint32_t wanted = bit(field);
            if (rules_input_fields(kind) & wanted) {
                fprintf(file, rules_input_needs(kind) & wanted ? " %s=" : " [%s=]",
                        field_key((enum field)field));
            }
        }
        fputs(kind == INPUT_NEW_GAME
                  ? " [rules=] [scenario=] [teams=] [dice=] [first=] [abandon=true] "
                    "[anyway=true]\n"
                  : "\n",
              file);
    }
    list_queries(file);
    fputs("  " WIRE_START_GAME ", like new-game, but never leaves a running game\n", file);
}

int ctl_send(const struct call *call)
{
    static const char *const topic_ends[] = {"status", "reply", "choices", NULL};
    static const struct live_parts parts = {.topic_ends = topic_ends, .hear = hear};
    struct exchange exchange = {0};

    bool is_list = call->options->values[OPTION_LIST] != NULL;

    if (call->count == 0 && !is_list) {
        list_verbs(stderr);
        fputs("To list those that the table would accept now: ", stderr);
        plain_print(stderr, call->command);
        fputs(" send --list\n", stderr);
        return ctl_usage_error("send needs one of these commands");
    }
    int code = live_open(&exchange.live, call, &parts, &exchange);
    if (code == 0) {
        code = is_list ? list_choices(&exchange, call) : run(&exchange, call);
    }
    live_close(&exchange.live);
    return code;
}
