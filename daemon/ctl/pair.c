/* pair and unpair: finds the radio sensor of a piece with two movements, and forgets it again. */
#include "common/exit_codes.h"
#include "live.h"
#include "plain.h"
#include "read_json.h"
#include "reply_text.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 512, COMMAND_SIZE = 256, NAME_MAX_LENGTH = 31, PAIR_MS = 70000 };

struct pair {
    struct live live;
    const char *sensor;
    char command[COMMAND_SIZE];
    bool is_begun; /* progress before our command is that of somebody else */
    char step[TEXT_SIZE];
    char message[TEXT_SIZE]; /* as it was printed last */
};

static void take_progress(struct pair *pair, const struct bus_news *news)
{
    json_t *progress = json_loadb(news->payload, news->size, 0, NULL);

    if (pair->is_begun && strcmp(peek_text(progress, "sensor"), pair->sensor) == 0) {
        char message[TEXT_SIZE];

        read_text(progress, "step", pair->step, sizeof pair->step);
        read_text(progress, "message", message, sizeof message);
        if (message[0] && strcmp(message, pair->message) != 0) {
            plain_print(stdout, message);
            putchar('\n');
            fflush(stdout);
            memcpy(pair->message, message, sizeof message);
        }
    }
    json_decref(progress);
}

static bool hear(void *self, const char *end, const struct bus_news *news)
{
    if (end && strcmp(end, "pairing") == 0) {
        take_progress(self, news);
    }
    return false;
}

static bool is_over(const struct live *live)
{
    const struct pair *pair = live->self;

    return strcmp(pair->step, "done") == 0 || strcmp(pair->step, "failed") == 0 ||
           live->link.daemon == DAEMON_OFFLINE;
}

/* 0, or an exit code after printing why the table does not do it. */
static int ask(struct pair *pair, const struct call *call, const char *verb)
{
    char topic_end[COMMAND_SIZE];
    struct reply_verdict verdict = {0};
    int code = live_catch_up(&pair->live, call->timeout_ms);

    if (code) {
        return code;
    }
    pair->is_begun = true;
    snprintf(topic_end, sizeof topic_end, "command/%s", verb);
    if (!live_ask(&pair->live, topic_end, pair->command, call->timeout_ms)) {
        fprintf(stderr, "shipahoyctl: %s: no reply; is the daemon running?\n", pair->live.base);
        return EXIT_UNAVAILABLE;
    }
    char *text = reply_text(pair->live.reply, strlen(pair->live.reply), &verdict);
    if (!verdict.accepted && text) {
        fputs(text, stdout);
    }
    free(text);
    return verdict.accepted ? EXIT_FINE : CTL_REFUSED;
}

static int follow(struct pair *pair)
{
    live_wait(&pair->live, is_over, -1, live_now_ms() + PAIR_MS);
    return strcmp(pair->step, "done") == 0 ? EXIT_FINE : CTL_REFUSED;
}

static int run(const struct call *call, const char *verb, bool follows)
{
    static const char *const topic_ends[] = {"status", "reply", "pairing", NULL};
    static const struct live_parts parts = {.topic_ends = topic_ends, .hear = hear};
    static struct pair pair;

    if (call->count != 1 || strlen(call->words[0]) > NAME_MAX_LENGTH ||
        strpbrk(call->words[0], "\"\\")) {
        return ctl_usage_error("%s takes the name of a sensor, such as red-1.tilt", verb);
    }
    pair = (struct pair){.sensor = call->words[0]};
    int code = live_open(&pair.live, call, &parts, &pair);
    if (!code) {
        snprintf(pair.command, sizeof pair.command, "{\"id\":\"%s\",\"sensor\":\"%s\"}",
                 pair.live.id, pair.sensor);
        code = ask(&pair, call, verb);
    }
    if (!code && follows) {
        code = follow(&pair);
    }
    live_close(&pair.live);
    return code;
}

int ctl_pair(const struct call *call)
{
    return run(call, "pair", true);
}

int ctl_unpair(const struct call *call)
{
    return run(call, "unpair", false);
}
