/* doctor: live readings of every sensor, with advice for faulty ones. */
#include "draw_doctor.h"
#include "live.h"
#include "screen.h"

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

static struct doctor_data data_of(const struct doctor *doctor, bool has_keys)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (struct doctor_data){
        .view = &doctor->view,
        .config = &doctor->live.config,
        .link = &doctor->live.link,
        .now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000,
        .has_keys = has_keys,
    };
}

static void show(void *self)
{
    struct doctor *doctor = self;
    struct doctor_data data = data_of(doctor, true);

    draw_doctor(&data, screen_begin(), doctor->live.utf8);
    screen_show();
}

/* False when memory ran out. */
static bool print(const struct doctor_data *data, bool utf8)
{
    if (screen_open_hidden()) {
        return false;
    }
    WINDOW *window = newpad((int)draw_doctor_rows(data, PLAIN_COLUMNS), PLAIN_COLUMNS);
    if (window) {
        draw_doctor(data, window, utf8);
    }
    char *text = window ? screen_text(window) : NULL;
    bool is_drawn = text;
    delwin(window);
    screen_close_hidden();
    puts(is_drawn ? text : "");
    free(text);
    return is_drawn;
}

static int print_once(struct doctor *doctor, unsigned timeout_ms)
{
    int code = live_catch_up(&doctor->live, timeout_ms);

    if (code) {
        return code;
    }
    struct doctor_data data = data_of(doctor, false);
    if (!print(&data, doctor->live.utf8)) {
        fputs("shipahoyctl: out of memory\n", stderr);
        return EXIT_INTERNAL;
    }
    if (doctor->live.link.daemon != DAEMON_ONLINE) {
        return EXIT_UNAVAILABLE;
    }
    return doctor_finds_fault(&data) ? CTL_REFUSED : EXIT_FINE;
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
        if (!call->options->values[OPTION_ONCE] && live_enter(&doctor.live)) {
            live_run(&doctor.live);
        } else {
            code = print_once(&doctor, call->timeout_ms);
        }
    }
    live_close(&doctor.live);
    return code;
}
