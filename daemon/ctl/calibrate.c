/* calibrate: measures with pulls of a known length how the rope's encoder counts. */
#include "calibration.h"
#include "live.h"
#include "sensor_view.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KNOTS_DEFAULT = 5,
    TICK_MS = 5000, /* the user may take any time */
    QUIET_MS = 300, /* a rope without a reading for so long is at rest */
    KEYS_SIZE = 256,
};

static const char button_topic[] = "sensor/rope/button";

struct calibrate {
    struct live live;
    struct sensor_view view;
    uint32_t pressed_edges; /* of the button, up to the last mark */
    bool moved;             /* there was a reading of the rope */
    int keys_fd;            /* -1: there is no keyboard */
};

static bool hear(void *self, const char *end, const struct bus_news *news)
{
    struct calibrate *calibrate = self;

    if (end && sensor_view_hear(&calibrate->view, end, news->payload, news->size)) {
        calibrate->moved |= strcmp(end, "rope") == 0;
    }
    return false;
}

/*
 * A mark: the button, or Enter
 */

/* Pressed and released: a short press may not be published as a level, but its edges are. */
static bool is_pressed(const struct live *live)
{
    const struct calibrate *calibrate = live->self;
    const struct sensor_reading *button = &calibrate->view.readings[SENSOR_ROPE_BUTTON];

    return button->edges > calibrate->pressed_edges && !button->level;
}

static bool has_moved(const struct live *live)
{
    const struct calibrate *calibrate = live->self;

    return calibrate->moved;
}

/* Discards what is typed; true for a line. */
static bool read_keys(struct calibrate *calibrate)
{
    char keys[KEYS_SIZE];
    ssize_t count = read(calibrate->keys_fd, keys, sizeof keys);

    if (count <= 0) {
        calibrate->keys_fd = -1;
        return false;
    }
    return memchr(keys, '\n', (size_t)count) != NULL;
}

static bool is_readable(int fd)
{
    struct pollfd keys = {.fd = fd, .events = POLLIN};

    return fd >= 0 && poll(&keys, 1, 0) > 0;
}

static bool is_table_online(const struct link *link)
{
    return link->connected && link->daemon == DAEMON_ONLINE;
}

/* In a moving step the rope's button confirms a move. */
static bool is_moving(const struct calibrate *calibrate)
{
    return calibrate->view.phase == PHASE_MOVING;
}

/* The last reading of the rope is published a moment after it has moved. */
static void await_rest(struct calibrate *calibrate)
{
    struct live *live = &calibrate->live;

    do {
        calibrate->moved = false;
        live_wait(live, has_moved, -1, live_now_ms() + QUIET_MS);
        live_hear_all(live);
    } while (calibrate->moved && is_table_online(&live->link));
    calibrate->pressed_edges = calibrate->view.readings[SENSOR_ROPE_BUTTON].edges;
}

static int print_away(const struct calibrate *calibrate)
{
    char trouble[2 * LINK_TEXT_SIZE];

    link_write_trouble(&calibrate->live.link, trouble, sizeof trouble);
    fprintf(stderr, "shipahoyctl: %s\n", trouble);
    return EXIT_UNAVAILABLE;
}

/* 0, or an exit code after printing why calibration cannot work now. */
static int check_table(const struct calibrate *calibrate)
{
    if (!is_table_online(&calibrate->live.link)) {
        return print_away(calibrate);
    }
    if (!calibrate->view.rope.heard) {
        fputs("shipahoyctl: the daemon publishes no rope counts; is it an older version?\n",
              stderr);
        return EXIT_UNAVAILABLE;
    }
    if (is_moving(calibrate)) {
        fputs("shipahoyctl: a game is in its moving step, where the button confirms a move: send "
              "end-phase first\n",
              stderr);
        return CTL_REFUSED;
    }
    return 0;
}

/* A moving step ends calibration at once: the button would confirm a move. */
static bool is_pressed_or_moving(const struct live *live)
{
    return is_pressed(live) || is_moving(live->self);
}

/* 0, or an exit code after printing what interrupted it. */
static int await_mark(struct calibrate *calibrate, const char *request)
{
    struct live *live = &calibrate->live;
    bool is_marked = false;

    printf("%s, then press the rope's button or Enter.\n", request);
    fflush(stdout);
    while (!is_marked && is_table_online(&live->link) && !is_moving(calibrate)) {
        live_wait(live, is_pressed_or_moving, calibrate->keys_fd, live_now_ms() + TICK_MS);
        is_marked = is_pressed(live) || (is_readable(calibrate->keys_fd) && read_keys(calibrate));
    }
    if (is_marked) {
        await_rest(calibrate);
    }
    return check_table(calibrate);
}

/* What the user has to do before a mark. */
static void write_request(unsigned mark, unsigned knots, char *request, size_t size)
{
    if (mark == 0) {
        snprintf(request, size, "Wind the rope back");
    } else if (mark % 2) {
        snprintf(request, size, "Pull %u of %d: pull it out by %u knot%s", mark / 2 + 1,
                 CALIBRATION_ROUNDS, knots, knots == 1 ? "" : "s");
    } else {
        snprintf(request, size, "Wind it back to where it began");
    }
}

/* 0, or an exit code after printing why not. */
static int measure(struct calibrate *calibrate, struct calibration *calibration)
{
    const struct rope_reading *rope = &calibrate->view.rope;
    char request[KEYS_SIZE];
    uint32_t invalid = rope->invalid;

    for (unsigned mark = 0; mark < CALIBRATION_MARKS; mark++) {
        write_request(mark, calibration->knots, request, sizeof request);
        int code = await_mark(calibrate, request);
        if (code) {
            return code;
        }
        calibration->counts[mark] = rope->counts;
        if (mark > 0) {
            printf("  %lld counts\n",
                   (long long)(calibration->counts[mark] - calibration->counts[mark - 1]));
        } else {
            invalid = rope->invalid;
        }
    }
    calibration->invalid = rope->invalid - invalid;
    return 0;
}

/*
 * The result
 */

/* Overwrites an existing file only by force. */
static FILE *create(const char *path, bool by_force)
{
    return fopen(path, by_force ? "we" : "wxe");
}

static int write_overlay(const char *path, bool by_force, const char *overlay)
{
    FILE *file = create(path, by_force);
    bool good = file && fputs(overlay, file) >= 0;

    if (file && fclose(file)) {
        good = false;
    }
    if (!good) {
        fprintf(stderr, "shipahoyctl: %s: %s\n", path, strerror(errno));
        return EXIT_UNAVAILABLE;
    }
    printf("Written to %s. Give it to the daemon with --config after your own file, or copy its "
           "lines.\n",
           path);
    return EXIT_FINE;
}

static int conclude(const struct calibration *calibration, const struct options *options)
{
    struct calibration_result result;
    char overlay[CALIBRATION_TEXT_SIZE];
    struct text text = text_begin(overlay, sizeof overlay);
    const char *path = options->values[OPTION_WRITE];

    calibration_judge(calibration, &result);
    printf("\n%s", result.report);
    if (!result.usable) {
        return CTL_REFUSED;
    }
    calibration_write(calibration, &result, &text);
    printf("\n%s", overlay);
    return path ? write_overlay(path, options->values[OPTION_FORCE] != NULL, overlay) : EXIT_FINE;
}

/*
 * The subcommand
 */

static int run(struct calibrate *calibrate, const struct call *call, unsigned knots)
{
    struct calibration calibration = {.knots = knots};
    int code = live_catch_up(&calibrate->live, call->timeout_ms);

    if (code == 0) {
        code = check_table(calibrate);
    }
    if (code == 0) {
        calibrate->pressed_edges = calibrate->view.readings[SENSOR_ROPE_BUTTON].edges;
        code = measure(calibrate, &calibration);
    }
    return code ? code : conclude(&calibration, call->options);
}

static bool read_knots(const struct call *call, unsigned *knots)
{
    char *end = NULL;
    unsigned long number = call->count > 0 ? strtoul(call->words[0], &end, 10) : KNOTS_DEFAULT;

    *knots = (unsigned)number;
    return call->count <= 1 && number >= 1 && number <= CALIBRATION_KNOTS_MAX && !(end && *end);
}

int ctl_calibrate(const struct call *call)
{
    static const char *const topic_ends[] = {"status", "state", "rope", button_topic, NULL};
    static const struct live_parts parts = {.topic_ends = topic_ends, .hear = hear};
    const char *path = call->options->values[OPTION_WRITE];
    struct calibrate calibrate = {.keys_fd = STDIN_FILENO};
    unsigned knots;

    if (!read_knots(call, &knots)) {
        return ctl_usage_error("calibrate takes a number of knots from 1 to %d",
                               CALIBRATION_KNOTS_MAX);
    }
    if (path && access(path, F_OK) == 0 && !call->options->values[OPTION_FORCE]) {
        return ctl_usage_error("%s exists; --force overwrites it", path);
    }
    int code = live_open(&calibrate.live, call, &parts, &calibrate);
    if (code == 0) {
        sensor_view_name(&calibrate.view.names, &calibrate.live.config.hw);
        code = run(&calibrate, call, knots);
    }
    live_close(&calibrate.live);
    return code;
}
