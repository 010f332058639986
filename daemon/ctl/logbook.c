/* games, stats and players: what the logbook knows, or the games that the table still has. */
#include "command_json.h"
#include "live.h"
#include "plain.h"
#include "read_json.h"
#include "reply_text.h"

#include <stdlib.h>
#include <string.h>

enum { PROBLEM_SIZE = 256 };

static const char *const topic_ends[] = {"status", "reply", NULL};
static const struct live_parts at_logbook = {.name = "logbook", .topic_ends = topic_ends};
static const struct live_parts at_table = {.topic_ends = topic_ends};

static bool is_online(const struct live *live)
{
    return live->link.daemon == DAEMON_ONLINE;
}

static int print_reply(const char *reply, bool as_json)
{
    struct reply_verdict verdict = {0};
    char *text = reply_text(reply, strlen(reply), &verdict);

    if (!text) {
        fputs("shipahoyctl: the reply cannot be read\n", stderr);
        return EXIT_INTERNAL;
    }
    if (as_json) {
        plain_print(stdout, reply);
        putchar('\n');
    } else {
        fputs(text, stdout);
    }
    free(text);
    return verdict.accepted ? EXIT_FINE : CTL_REFUSED;
}

static int print_no_reply(const struct live *live, unsigned timeout_ms)
{
    const struct link *link = &live->link;

    fprintf(stderr, "shipahoyctl: %s: ", live->base);
    if (!link->connected) {
        fprintf(stderr, "the connection was lost before the reply came (%s)\n", link->trouble);
    } else if (link->refusal[0]) {
        fprintf(stderr, "the broker refuses something (%s); may this login send this?\n",
                link->refusal);
    } else {
        fprintf(stderr, "no reply within %.1f s\n", timeout_ms / 1000.0);
    }
    return EXIT_UNAVAILABLE;
}

/*
 * One question
 */

/* Connects, and hears whether the other program is online. 0, or an exit code. */
static int reach(struct live *live, const struct call *call, const struct live_parts *parts)
{
    int code = live_open(live, call, parts, NULL);

    return code ? code : live_catch_up(live, call->timeout_ms);
}

/* An exit code, after printing the reply. The fields get an id. */
static int ask(struct live *live, const struct call *call, const char *topic_end, json_t *fields)
{
    int code = EXIT_INTERNAL;
    int error = json_object_set_new(fields, "id", json_string(live->id));
    char *payload = error ? NULL : json_dumps(fields, JSON_COMPACT);

    if (!payload) {
        fputs("shipahoyctl: a word is not UTF-8\n", stderr);
    } else if (live_ask(live, topic_end, payload, call->timeout_ms)) {
        code = print_reply(live->reply, call->options->values[OPTION_JSON] != NULL);
    } else {
        code = print_no_reply(live, call->timeout_ms);
    }
    free(payload);
    return code;
}

/* Whether the list of the last reply goes on; the next question then asks for what follows. */
static bool ask_for_more(const struct live *live, const char *list, json_t *fields)
{
    json_t *reply = json_loads(live->reply, 0, NULL);
    const json_t *entries = json_object_get(reply, list);
    size_t count = json_array_size(entries);
    const char *last = count ? peek_text(json_array_get(entries, count - 1), "player") : "";
    bool has_more = read_flag(reply, "more") && last[0] &&
                    json_object_set_new(fields, "after", json_string(last)) == 0;

    json_decref(reply);
    return has_more;
}

/* Asks the logbook, page by page if the reply is a list. Releases the fields. */
static int ask_logbook(const struct call *call, const char *topic_end, const char *list,
                       json_t *fields)
{
    struct live live;
    int code = reach(&live, call, &at_logbook);

    if (!code && !is_online(&live)) {
        fprintf(stderr, "shipahoyctl: %s: the logbook is not running; start shipahoy-logbook\n",
                live.base);
        code = EXIT_UNAVAILABLE;
    }
    if (!code) {
        do {
            code = ask(&live, call, topic_end, fields);
        } while (!code && list && ask_for_more(&live, list, fields));
    }
    json_decref(fields);
    live_close(&live);
    return code;
}

/*
 * games
 */

/* Words are KEY=VALUE. NULL after printing what is wrong. */
static json_t *read_words(const struct call *call)
{
    char problem[PROBLEM_SIZE];
    char *text = command_json("", call->words, call->count, "", problem, sizeof problem);

    if (!text) {
        ctl_usage_error("games: %s", problem);
        return NULL;
    }
    json_t *fields = json_loads(text, 0, NULL);
    free(text);
    return fields;
}

/* As reach, for the table, which keeps fewer games and says less about them. */
static int reach_table(struct live *live, const struct call *call)
{
    int code = reach(live, call, &at_table);

    if (!code && !is_online(live)) {
        fprintf(stderr, "shipahoyctl: neither the logbook nor the table %s is online\n",
                live->config.table);
        return EXIT_UNAVAILABLE;
    }
    if (!code) {
        fprintf(stderr,
                "shipahoyctl: the logbook is not running: these are the games that the table %s "
                "still has\n",
                live->config.table);
    }
    return code;
}

int ctl_games(const struct call *call)
{
    json_t *fields = read_words(call);
    const char *topic_end = "ask/games";
    struct live live;

    if (!fields) {
        return EXIT_USAGE;
    }
    int code = reach(&live, call, &at_logbook);
    if (!code && !is_online(&live)) {
        live_close(&live);
        topic_end = "command/games";
        code = reach_table(&live, call);
    }
    code = code ? code : ask(&live, call, topic_end, fields);
    json_decref(fields);
    live_close(&live);
    return code;
}

/*
 * stats and players
 */

int ctl_stats(const struct call *call)
{
    if (call->count > 1) {
        return ctl_usage_error("stats takes one player; put a name with blanks in quotes");
    }
    return ask_logbook(call, "ask/statistics", "statistics",
                       call->count ? json_pack("{s:s}", "player", call->words[0]) : json_object());
}

int ctl_players(const struct call *call)
{
    const char *verb = call->count > 0 ? call->words[0] : "";

    if (call->count == 0) {
        return ask_logbook(call, "ask/players", "players", json_object());
    }
    if (strcmp(verb, "merge") == 0 && call->count == 3) {
        return ask_logbook(
            call, "command/merge", NULL,
            json_pack("{s:s,s:s}", "player", call->words[1], "into", call->words[2]));
    }
    if (strcmp(verb, "unmerge") == 0 && call->count == 2) {
        return ask_logbook(call, "command/unmerge", NULL,
                           json_pack("{s:s}", "player", call->words[1]));
    }
    return ctl_usage_error("players takes nothing, `merge PLAYER INTO` or `unmerge PLAYER`");
}
