/* watch: the scoreboard in the terminal, or a line for each event where there is none. */
#include "draw_watch.h"
#include "live.h"
#include "plain.h"
#include "reply_text.h"
#include "screen.h"

#include <stdlib.h>
#include <string.h>

enum {
    HISTORY_EVENTS = 40, /* to begin with: a screenful */
    PAYLOAD_SIZE = 128,
};

struct watch {
    struct live live;
    struct view view;
    const char *command;
    bool wants_history; /* connected anew: events may have been missed */
    char question[PAYLOAD_SIZE];
    char printed_game[VIEW_WORD_SIZE];
    uint32_t printed_seq;
};

/* The first event to ask for, 0 if there is none. */
static uint32_t first_missing(const struct watch *watch)
{
    const struct view *view = &watch->view;
    const struct view_event *last = view_last_event(view);
    uint32_t from = view->seq > HISTORY_EVENTS ? view->seq - HISTORY_EVENTS : 1;

    if (last && strcmp(view->events_of, view->game) == 0 && last->seq >= from) {
        from = last->seq + 1;
    }
    return from <= view->seq ? from : 0;
}

static void ask_for_history(struct watch *watch)
{
    uint32_t from = first_missing(watch);

    watch->wants_history = false;
    if (!from) {
        return;
    }
    snprintf(watch->question, sizeof watch->question, "{\"id\":\"%s\",\"from\":%u}", watch->live.id,
             from);
    live_command(&watch->live, "history", watch->question);
}

/* Plain lines begin with the next event. */
static void skip_the_past(struct watch *watch)
{
    if (!watch->live.on_terminal && !watch->printed_game[0]) {
        memcpy(watch->printed_game, watch->view.game, sizeof watch->printed_game);
        watch->printed_seq = watch->view.seq;
    }
}

static void begin(void *self)
{
    struct watch *watch = self;

    watch->wants_history = true;
}

static bool hear(void *self, const char *end, const struct bus_news *news)
{
    struct watch *watch = self;
    struct view *view = &watch->view;

    if (end && strcmp(end, "reply") == 0 &&
        !reply_answers(news->payload, news->size, watch->question)) {
        return false; /* to another client */
    }
    if (!end || strcmp(end, "reply") == 0) {
        return view_hear_history(view, news->payload, news->size);
    }
    bool is_fresh = view_hear(view, end, news->payload, news->size);
    if (watch->wants_history && strcmp(end, "state") == 0 && view->game[0]) {
        skip_the_past(watch);
        ask_for_history(watch);
    }
    return is_fresh;
}

static void print_event(const struct view_event *event)
{
    printf("%s %u ", event->time, event->seq);
    plain_print(stdout, event->message);
    if (event->rule[0]) {
        fputs(" (", stdout);
        plain_print(stdout, event->rule);
        putchar(')');
    }
    putchar('\n');
}

static void print_events(struct watch *watch)
{
    const struct view *view = &watch->view;

    if (strcmp(watch->printed_game, view->events_of) != 0) {
        memcpy(watch->printed_game, view->events_of, sizeof watch->printed_game);
        watch->printed_seq = 0;
    }
    for (unsigned i = 0; i < view->event_count; i++) {
        if (view->events[i].seq > watch->printed_seq) {
            print_event(&view->events[i]);
            watch->printed_seq = view->events[i].seq;
        }
    }
    fflush(stdout);
}

static void show(void *self)
{
    struct watch *watch = self;

    if (!watch->live.on_terminal) {
        if (watch->view.event_count) {
            print_events(watch);
        }
        return;
    }
    draw_watch(&watch->view, &watch->live.link, watch->command, screen_begin(), watch->live.utf8);
    screen_show();
}

int ctl_watch(const struct call *call)
{
    static const char *const topic_ends[] = {"status", "state", "rope", "event/+", "reply", NULL};
    static const struct live_parts parts = {
        .topic_ends = topic_ends, .begin = begin, .hear = hear, .show = show};
    struct watch watch = {.command = call->command};

    if (call->count > 0) {
        return ctl_usage_error("watch takes no words");
    }
    int code = live_open(&watch.live, call, &parts, &watch);
    if (code == 0) {
        live_enter(&watch.live);
        live_run(&watch.live);
    }
    live_close(&watch.live);
    return code;
}
