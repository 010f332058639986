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

struct calibrate {
    struct live live;
    struct sensor_view view;
    int64_t pressed[CALIBRATION_MARKS]; /* counts at each press of the button, in order */
    unsigned pressed_count;
    unsigned taken; /* of them */
    bool moved;     /* there was a reading of the rope */
    int keys_fd;    /* -1: there is no keyboard */
};

static void hear_rope(struct calibrate *calibrate, uint32_t presses_before)
{
    const struct rope_reading *rope = &calibrate->view.rope;

    calibrate->moved = true;
    if (rope->presses > presses_before && calibrate->pressed_count < CALIBRATION_MARKS) {
        calibrate->pressed[calibrate->pressed_count++] = rope->pressed_counts;
    }
}

static bool hear(void *self, const char *end, const struct bus_news *news)
{
    struct calibrate *calibrate = self;
    struct rope_reading before = calibrate->view.rope;

    if (end && sensor_view_hear(&calibrate->view, end, news->payload, news->size) &&
        strcmp(end, "rope") == 0) {
        hear_rope(calibrate, before.heard ? before.presses : calibrate->view.rope.presses);
    }
    return false;
}

/*
 * A mark: the button, or Enter
 */

static bool is_pressed(const struct live *live)
{
    const struct calibrate *calibrate = live->self;

    return calibrate->taken < calibrate->pressed_count;
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

/*
 * 0 and the counts at the mark, or an exit code after printing what interrupted it. The daemon
 * publishes the counts at a press: the rope may move on at once. After Enter it has to rest.
 */
static int await_mark(struct calibrate *calibrate, const char *request, int64_t *counts)
{
    struct live *live = &calibrate->live;
    bool is_entered = false;

    printf("%s, then press the rope's button or Enter.\n", request);
    fflush(stdout);
    while (!is_pressed(live) && !is_entered && is_table_online(&live->link) &&
           !is_moving(calibrate)) {
        live_wait(live, is_pressed_or_moving, calibrate->keys_fd, live_now_ms() + TICK_MS);
        is_entered = is_readable(calibrate->keys_fd) && read_keys(calibrate);
    }
    if (is_pressed(live)) {
        *counts = calibrate->pressed[calibrate->taken++];
    } else if (is_entered) {
        await_rest(calibrate);
        *counts = calibrate->view.rope.counts;
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
        int code = await_mark(calibrate, request, &calibration->counts[mark]);
        if (code) {
            return code;
        }
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
    static const char *const topic_ends[] = {"status", "state", "rope", NULL};
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
