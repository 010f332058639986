/* watch: the scoreboard in the terminal, or a line for each event where there is none. */
#include "daemon/ctl/client.h"
#include "daemon/ctl/ctl.h"
#include "daemon/ctl/draw.h"
#include "daemon/ctl/terminal.h"
#include "daemon/ctl/topics.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    RETRY_MS = 2000,
    TICK_MS = 5000,      /* keep-alive */
    HISTORY_EVENTS = 40, /* to begin with: a screenful */
    PAYLOAD_SIZE = 128,
};

struct watch {
    struct config config;
    struct client *client;
    struct view view;
    struct topics topics;
    struct screen screen;
    bool on_terminal;
    bool is_fresh;      /* something to be shown */
    bool wants_history; /* connected anew: what has been missed? */
    char printed_game[VIEW_WORD_SIZE];
    uint32_t printed_seq;
};

static const char *const topic_ends[] = {"status", "state", "rope", "event/+"};

static void subscribe(struct watch *watch)
{
    char topic[TOPIC_SIZE];

    for (size_t i = 0; i < sizeof topic_ends / sizeof topic_ends[0]; i++) {
        topics_below(&watch->topics, topic_ends[i], topic);
        client_subscribe(watch->client, topic);
    }
    client_subscribe(watch->client, watch->topics.response);
}

/* The first event that is worth asking for, 0 if there is none. */
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
    char topic[TOPIC_SIZE];
    char payload[PAYLOAD_SIZE];

    watch->wants_history = false;
    if (!from) {
        return;
    }
    topics_below(&watch->topics, "command/history", topic);
    snprintf(payload, sizeof payload, "{\"from\":%u}", from);
    struct publication question = {
        .topic = topic,
        .payload = payload,
        .size = strlen(payload),
        .qos = 1,
    };
    client_publish(watch->client, &question, watch->topics.response);
}

/* Who only listens from now on has seen all that was before. */
static void skip_the_past(struct watch *watch)
{
    if (!watch->on_terminal && !watch->printed_game[0]) {
        memcpy(watch->printed_game, watch->view.game, sizeof watch->printed_game);
        watch->printed_seq = watch->view.seq;
    }
}

static void hear_message(struct watch *watch, const struct bus_news *news)
{
    const char *topic = topics_end(&watch->topics, news->topic);
    struct view *view = &watch->view;

    if (strcmp(news->topic, watch->topics.response) == 0) {
        watch->is_fresh |= view_hear_history(view, news->payload, news->size);
        return;
    }
    if (!topic) {
        return;
    }
    watch->is_fresh |= view_hear(view, topic, news->payload, news->size);
    if (watch->wants_history && strcmp(topic, "state") == 0 && view->game[0]) {
        skip_the_past(watch);
        ask_for_history(watch);
    }
}

static void tell_trouble(struct watch *watch, const char *reason)
{
    bool is_news = watch->view.connected || strcmp(watch->view.trouble, reason) != 0;

    watch->view.connected = false;
    watch->is_fresh = true;
    snprintf(watch->view.trouble, sizeof watch->view.trouble, "%.255s", reason);
    if (!watch->on_terminal && is_news) {
        fprintf(stderr, "shipahoyctl: broker %s: %s, trying again\n", watch->view.broker, reason);
    }
}

static void hear(void *self, const struct bus_news *news)
{
    struct watch *watch = self;

    switch (news->kind) {
    case BUS_CONNECTED:
        watch->view.connected = true;
        watch->view.daemon = DAEMON_UNKNOWN;
        watch->wants_history = true;
        watch->is_fresh = true;
        subscribe(watch);
        break;
    case BUS_DISCONNECTED:
        tell_trouble(watch, news->reason);
        break;
    case BUS_MESSAGE:
        hear_message(watch, news);
        break;
    case BUS_ACKNOWLEDGED:
    case BUS_REFUSED:
        break;
    }
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

static void show(struct watch *watch)
{
    if (!watch->on_terminal) {
        if (watch->view.event_count) {
            print_events(watch);
        }
        return;
    }
    terminal_size(&watch->screen.rows, &watch->screen.columns);
    char *text = draw_screen(&watch->view, &watch->screen);
    if (text) {
        terminal_show(text);
    }
    free(text);
}

static void connect_again(struct watch *watch, unsigned timeout_ms)
{
    char problem[CLIENT_PROBLEM_SIZE];

    if (client_connect(watch->client, timeout_ms, problem)) {
        tell_trouble(watch, problem);
    }
}

static void run(struct watch *watch, unsigned timeout_ms, const sigset_t *waking)
{
    while (!terminal_is_ending() && !ferror(stdout)) {
        bool was_alive = client_is_alive(watch->client);
        if (!was_alive) {
            connect_again(watch, timeout_ms);
        }
        if (terminal_has_changed() || watch->is_fresh) {
            watch->is_fresh = false;
            show(watch);
        }
        int wait_ms = client_is_alive(watch->client) ? TICK_MS : RETRY_MS;
        int keys_fd = watch->on_terminal ? terminal_keys_fd() : -1;
        if (client_wait(watch->client, keys_fd, wait_ms, waking)) {
            terminal_read_keys();
        }
    }
}

static void run_until_ended(struct watch *watch, unsigned timeout_ms)
{
    sigset_t waking;

    if (!watch->on_terminal) {
        run(watch, timeout_ms, NULL);
        return;
    }
    terminal_enter(&waking);
    show(watch); /* connecting may take its time */
    run(watch, timeout_ms, &waking);
    terminal_leave();
}

static bool prepare(struct watch *watch)
{
    const struct config *config = &watch->config;
    const char *no_color = getenv("NO_COLOR");

    snprintf(watch->view.broker, sizeof watch->view.broker, "%.200s:%u", config->mqtt.host,
             config->mqtt.port);
    watch->on_terminal = isatty(STDOUT_FILENO);
    watch->screen = (struct screen){
        .utf8 = plain_use_utf8(),
        .style =
            {
                .colours = !(no_color && no_color[0]),
                .wipe = TERMINAL_WIPE,
                .row_end = TERMINAL_ROW_END,
            },
    };
    snprintf(watch->view.trouble, sizeof watch->view.trouble, "connecting");
    return topics_name(&watch->topics, config, client_name(watch->client));
}

int ctl_watch(const struct call *call)
{
    struct watch watch = {0};
    char problem[CLIENT_PROBLEM_SIZE];
    int code = options_configure(call->options, &watch.config);

    if (code) {
        return code;
    }
    if (call->count > 0) {
        return ctl_usage_error("watch takes no words");
    }
    if (client_open(&watch.client, &watch.config.mqtt, hear, &watch, problem)) {
        fprintf(stderr, "shipahoyctl: %s\n", problem);
        return EXIT_UNAVAILABLE;
    }
    if (prepare(&watch)) {
        run_until_ended(&watch, call->timeout_ms);
    } else {
        code = ctl_usage_error("prefix and table are too long together");
    }
    client_close(watch.client);
    return code;
}
