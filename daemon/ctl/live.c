#include "live.h"

#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    RETRY_MS = 2000,
    TICK_MS = 5000, /* keep-alive */
    HEAR_MS = 2000, /* a broker that takes longer to confirm a subscription is waited for no more */
};

static void subscribe(struct live *live, const char *topic)
{
    if (client_subscribe(live->client, topic) == 0) {
        live->unconfirmed++;
    }
}

static void subscribe_all(struct live *live)
{
    char topic[TOPIC_SIZE];

    live->unconfirmed = 0;
    for (const char *const *end = live->parts->topic_ends; *end; end++) {
        topics_below(&live->topics, *end, topic);
        subscribe(live, topic);
    }
    subscribe(live, live->topics.response);
}

static void hear_message(struct live *live, const struct bus_news *news)
{
    const char *end = topics_end(&live->topics, news->topic);

    if (strcmp(news->topic, live->topics.response) == 0) {
        end = NULL;
    } else if (!end) {
        return;
    } else if (strcmp(end, "status") == 0) {
        live->link.daemon = link_read_status(news->payload, news->size);
        live->is_fresh = true;
        return;
    }
    live->is_fresh |= live->parts->hear(live->self, end, news);
}

static void tell_trouble(struct live *live, const char *reason)
{
    struct link *link = &live->link;
    bool is_news = link->connected || strcmp(link->trouble, reason) != 0;

    link->connected = false;
    live->is_fresh = true;
    snprintf(link->trouble, sizeof link->trouble, "%.255s", reason);
    if (live->following && !live->on_terminal && is_news) {
        fprintf(stderr, "shipahoyctl: broker %s: %s, trying again\n", link->broker, reason);
    }
}

static void hear(void *self, const struct bus_news *news)
{
    struct live *live = self;

    switch (news->kind) {
    case BUS_CONNECTED:
        live->link.connected = true;
        live->link.daemon = DAEMON_UNKNOWN;
        live->is_fresh = true;
        subscribe_all(live);
        if (live->parts->begin) {
            live->parts->begin(live->self);
        }
        break;
    case BUS_DISCONNECTED:
        tell_trouble(live, news->reason);
        break;
    case BUS_MESSAGE:
        hear_message(live, news);
        break;
    case BUS_ACKNOWLEDGED:
        live->unconfirmed -= live->unconfirmed > 0;
        break;
    case BUS_REFUSED:
        break;
    }
}

static void choose_screen(struct live *live)
{
    const char *no_color = getenv("NO_COLOR");

    live->on_terminal = isatty(STDOUT_FILENO);
    live->screen = (struct screen){
        .utf8 = plain_use_utf8(),
        .style =
            {
                .colours = !(no_color && no_color[0]),
                .wipe = TERMINAL_WIPE,
                .row_end = TERMINAL_ROW_END,
            },
    };
}

int live_open(struct live *live, const struct call *call, const struct live_parts *parts,
              void *self)
{
    char problem[CLIENT_PROBLEM_SIZE];

    *live = (struct live){.parts = parts, .self = self};
    int code = options_configure(call->options, &live->config);
    if (code) {
        return code;
    }
    if (client_open(&live->client, &live->config.mqtt, hear, live, problem)) {
        fprintf(stderr, "shipahoyctl: %s\n", problem);
        return EXIT_UNAVAILABLE;
    }
    snprintf(live->link.broker, sizeof live->link.broker, "%.200s:%u", live->config.mqtt.host,
             live->config.mqtt.port);
    snprintf(live->link.trouble, sizeof live->link.trouble, "connecting");
    choose_screen(live);
    if (!topics_name(&live->topics, &live->config, client_name(live->client))) {
        return ctl_usage_error("prefix and table are too long together");
    }
    return 0;
}

void live_close(struct live *live)
{
    client_close(live->client);
    live->client = NULL;
}

/*
 * Following
 */

static void connect_again(struct live *live, unsigned timeout_ms)
{
    char problem[CLIENT_PROBLEM_SIZE];

    if (client_connect(live->client, timeout_ms, problem)) {
        tell_trouble(live, problem);
    }
}

static void show(struct live *live)
{
    terminal_size(&live->screen.rows, &live->screen.columns);
    live->parts->show(live->self);
}

static void follow(struct live *live, unsigned timeout_ms, const sigset_t *waking)
{
    while (!terminal_is_ending() && !ferror(stdout)) {
        if (!client_is_alive(live->client)) {
            connect_again(live, timeout_ms);
        }
        if (terminal_has_changed() || live->is_fresh) {
            live->is_fresh = false;
            show(live);
        }
        int wait_ms = client_is_alive(live->client) ? TICK_MS : RETRY_MS;
        int keys_fd = live->on_terminal ? terminal_keys_fd() : -1;
        if (live->on_terminal && live->parts->redraw_ms) {
            wait_ms = (int)live->parts->redraw_ms;
            live->is_fresh = true;
        }
        if (client_wait(live->client, keys_fd, wait_ms, waking)) {
            terminal_read_keys();
        }
    }
}

void live_run(struct live *live, unsigned timeout_ms)
{
    sigset_t waking;

    live->following = true;
    if (!live->on_terminal) {
        follow(live, timeout_ms, NULL);
        return;
    }
    terminal_enter(&waking);
    show(live); /* connecting may take its time */
    follow(live, timeout_ms, &waking);
    terminal_leave();
}

/*
 * Asking once
 */

int64_t live_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool live_wait(struct live *live, live_claim_fn *claim, int other_fd, int64_t deadline_ms)
{
    while (!claim(live) && client_is_alive(live->client)) {
        int64_t left_ms = deadline_ms - live_now_ms();
        if (left_ms <= 0 || client_wait(live->client, other_fd, (int)left_ms, NULL)) {
            break;
        }
    }
    return claim(live);
}

static bool is_connected(const struct live *live)
{
    return live->link.connected;
}

static bool is_confirmed(const struct live *live)
{
    return live->unconfirmed == 0;
}

static int tell_away(const struct live *live, const char *reason)
{
    fprintf(stderr, "shipahoyctl: broker %s: no connection: %s\n", live->link.broker, reason);
    return EXIT_UNAVAILABLE;
}

int live_connect(struct live *live, unsigned timeout_ms)
{
    int64_t deadline_ms = live_now_ms() + timeout_ms;
    char problem[CLIENT_PROBLEM_SIZE];

    snprintf(live->link.trouble, sizeof live->link.trouble, "no answer");
    if (client_connect(live->client, timeout_ms, problem)) {
        return tell_away(live, problem);
    }
    return live_wait(live, is_connected, -1, deadline_ms) ? 0 : tell_away(live, live->link.trouble);
}

/* A broker confirms a subscription behind all that it had to say before. */
void live_hear_all(struct live *live)
{
    subscribe(live, live->topics.response);
    live_wait(live, is_confirmed, -1, live_now_ms() + HEAR_MS);
}

int live_catch_up(struct live *live, unsigned timeout_ms)
{
    int code = live_connect(live, timeout_ms);

    if (code) {
        return code;
    }
    live_hear_all(live);
    return live->link.connected ? 0 : tell_away(live, live->link.trouble);
}
