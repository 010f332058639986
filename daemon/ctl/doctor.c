/* doctor: every sensor live, and what to do about the ill ones. */
#include "draw_doctor.h"
#include "live.h"
#include "terminal.h"

#include <stdlib.h>
#include <time.h>

enum { PLAIN_COLUMNS = 80, REDRAW_MS = 1000 };

struct doctor {
    struct live live;
    struct sensor_view view;
};

static bool hear(void *self, const char *end, const struct bus_news *news)
{
    struct doctor *doctor = self;

    return end && sensor_view_hear(&doctor->view, end, news->payload, news->size);
}

static struct round round_of(const struct doctor *doctor)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (struct round){
        .view = &doctor->view,
        .config = &doctor->live.config,
        .link = &doctor->live.link,
        .now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000,
    };
}

static void show(void *self)
{
    struct doctor *doctor = self;
    struct round round = round_of(doctor);
    char *text = draw_doctor(&round, &doctor->live.screen);

    if (text) {
        terminal_show(text);
    }
    free(text);
}

static int look_once(struct doctor *doctor, unsigned timeout_ms)
{
    struct screen screen = {
        .columns = PLAIN_COLUMNS,
        .utf8 = doctor->live.screen.utf8,
        .style = {.wipe = "", .row_end = "\n"},
    };
    int code = live_catch_up(&doctor->live, timeout_ms);

    if (code) {
        return code;
    }
    struct round round = round_of(doctor);
    char *text = draw_doctor(&round, &screen);
    if (!text) {
        fputs("shipahoyctl: out of memory\n", stderr);
        return EXIT_INTERNAL;
    }
    puts(text);
    free(text);
    if (doctor->live.link.daemon != DAEMON_ONLINE) {
        return EXIT_UNAVAILABLE;
    }
    return doctor_finds_illness(&round) ? CTL_REFUSED : EXIT_FINE;
}

int ctl_doctor(const struct call *call)
{
    static const char *const topic_ends[] = {"status", "info", "ready", "sensor/#", NULL};
    static const struct live_parts parts = {
        .topic_ends = topic_ends, .hear = hear, .show = show, .redraw_ms = REDRAW_MS};
    struct doctor doctor = {0};

    if (call->count > 0) {
        return ctl_usage_error("doctor takes no words");
    }
    int code = live_open(&doctor.live, call, &parts, &doctor);
    if (code == 0) {
        sensor_view_name(&doctor.view.names, &doctor.live.config.hw);
        if (doctor.live.on_terminal && !call->options->values[OPTION_ONCE]) {
            live_run(&doctor.live);
        } else {
            code = look_once(&doctor, call->timeout_ms);
        }
    }
    live_close(&doctor.live);
    return code;
}
