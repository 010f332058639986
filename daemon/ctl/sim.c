/* sim: moves the simulated sensors of a running daemon, in real time. */
#include "ctl.h"
#include "plain.h"
#include "sim_script.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    ANSWER_SIZE = 512,
    NS_A_US = 1000,
    NS_A_S = 1000000000,
    US_A_MS = 1000,
    NOTICED_MS = 100, /* from the settled switch to the end of the ready check */
};

/* 0 or -errno; a reply that takes longer than the timeout is lost. */
static int connect_to(const char *path, unsigned timeout_ms, int *connected)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval timeout = {.tv_sec = timeout_ms / 1000,
                              .tv_usec = (suseconds_t)(timeout_ms % 1000) * 1000};

    if (strlen(path) >= sizeof address.sun_path) {
        return -ENAMETOOLONG;
    }
    memcpy(address.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address)) {
        int error = -errno;
        close(fd);
        return error;
    }
    *connected = fd;
    return 0;
}

static void advance(struct timespec *time, uint32_t delay_us)
{
    uint64_t nanoseconds = (uint64_t)time->tv_nsec + (uint64_t)delay_us * NS_A_US;

    time->tv_sec += (time_t)(nanoseconds / NS_A_S);
    time->tv_nsec = (long)(nanoseconds % NS_A_S);
}

static void wait_us(uint32_t delay_us)
{
    struct timespec due;

    clock_gettime(CLOCK_MONOTONIC, &due);
    advance(&due, delay_us);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR) {
    }
}

static int send_line(int fd, const char *sensor, const char *what)
{
    char line[SIM_SENSOR_SIZE + 4];
    int length = snprintf(line, sizeof line, "%s %s\n", sensor, what);

    return send(fd, line, (size_t)length, MSG_NOSIGNAL) == length ? 0 : -EPIPE;
}

/* Reads up to the end of the line. 0, -ETIME, or -EPIPE when the daemon has closed the socket. */
static int read_answer(int fd, char answer[ANSWER_SIZE])
{
    size_t length = 0;

    while (length < ANSWER_SIZE - 1) {
        ssize_t got = recv(fd, answer + length, 1, 0);
        if (got <= 0) {
            return got < 0 && errno == EAGAIN ? -ETIME : -EPIPE;
        }
        if (answer[length] == '\n') {
            break;
        }
        length++;
    }
    answer[length] = '\0';
    return 0;
}

/*
 * The daemon takes the time of an edge when it arrives, so each is sent when it is due, and after
 * the previous one was accepted: a busy machine makes a pulse longer and never a glitch.
 */
static int play(int fd, const struct sim_script *script, char answer[ANSWER_SIZE])
{
    int error = 0;

    for (size_t i = 0; i < script->count && !error; i++) {
        wait_us(script->edges[i].delay_us);
        error = send_line(fd, script->edges[i].sensor, script->edges[i].level ? "1" : "0");
        if (!error) {
            error = read_answer(fd, answer);
        }
        if (!error && strcmp(answer, "ok") != 0) {
            error = -EBADMSG;
        }
    }
    return error;
}

/* Which pieces lie, according to the daemon. A reply that is not a level is ignored. */
static int ask_lying(int fd, uint32_t *lying, char answer[ANSWER_SIZE])
{
    int error = 0;

    for (enum piece piece = 1; piece < PIECE_COUNT && !error; piece++) {
        char sensor[SIM_SENSOR_SIZE];
        snprintf(sensor, sizeof sensor, "%s.tilt", rules_piece_name(piece));
        error = send_line(fd, sensor, "?");
        if (!error) {
            error = read_answer(fd, answer);
        }
        if (!error && strcmp(answer, "1") == 0) {
            *lying |= bit(piece);
        }
    }
    return error;
}

static void print_done(const struct sim_script *script)
{
    uint64_t took_us = 0;

    for (size_t i = 0; i < script->count; i++) {
        took_us += script->edges[i].delay_us;
    }
    plain_print(stdout, script->sentence);
    if (script->count > 0) {
        printf(" (%zu edge%s in %.1f ms)", script->count, script->count == 1 ? "" : "s",
               (double)took_us / 1000);
    }
    putchar('\n');
}

static int print_failure(const char *path, int error, const char *answer)
{
    fprintf(stderr, "shipahoyctl: %s: ", path);
    if (error == -EBADMSG) {
        plain_print(stderr, answer);
        fputc('\n', stderr);
        return CTL_REFUSED;
    }
    fprintf(stderr, "%s; is the daemon running with [hw] backend = sim?\n", strerror(-error));
    return EXIT_UNAVAILABLE;
}

/* Writes the script again with the pieces that lie, which only the daemon knows. */
static int write_for_lying(struct sim_script *script, const struct call *call,
                           struct sim_scene *scene, int fd, char answer[ANSWER_SIZE])
{
    int error = ask_lying(fd, &scene->lying, answer);

    if (!error) {
        sim_script_free(script);
        error = sim_script_write(script, call->words, call->count, scene);
    }
    return error;
}

/* With `settle_ms` it ends when the daemon has noticed the last edge. */
static int run(struct sim_script *script, const struct call *call, struct sim_scene *scene,
               const char *path, uint32_t settle_ms)
{
    char answer[ANSWER_SIZE] = "";
    int fd = -1;
    int error = connect_to(path, call->timeout_ms, &fd);

    if (!error && script->depends_on_lying) {
        error = write_for_lying(script, call, scene, fd, answer);
    }
    if (!error) {
        error = play(fd, script, answer);
    }
    if (fd >= 0) {
        close(fd);
    }
    if (error) {
        return print_failure(path, error, answer);
    }
    if (script->count > 0) {
        wait_us(settle_ms * US_A_MS);
    }
    print_done(script);
    return EXIT_FINE;
}

int ctl_sim(const struct call *call)
{
    struct config config;
    struct sim_scene scene = {.hw = &config.hw};
    struct sim_script script = {0};
    char path[CONFIG_TEXT_SIZE];
    int code = options_configure(call->options, &config);

    plain_use_utf8();
    if (call->count == 0) {
        sim_script_print_words(stdout);
        return EXIT_USAGE;
    }
    if (code) {
        return code;
    }
    int error = sim_script_write(&script, call->words, call->count, &scene);
    if (error == -EINVAL) {
        code = ctl_usage_error("%s", script.sentence);
    } else if (error || config_socket(&config, path, sizeof path)) {
        fputs("shipahoyctl: out of memory, or the path of the socket is too long\n", stderr);
        code = EXIT_INTERNAL;
    } else {
        /* A game may be started with the next command. */
        bool is_raise = strcmp(call->words[0], "raise") == 0;
        code = run(&script, call, &scene, path,
                   is_raise ? config.timing.tilt_settle_ms + NOTICED_MS : 0);
    }
    sim_script_free(&script);
    return code;
}
