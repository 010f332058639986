#include "terminal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* Alternate screen, no cursor, no line wrap; and the way back. */
static const char enter_sequence[] = "\033[?1049h\033[?25l\033[?7l\033[2J";
static const char leave_sequence[] = "\033[0m\033[?7h\033[?25h\033[?1049l";

/* A frame that begins and ends like this is shown at once by terminals that know how. */
static const char frame_begin[] = "\033[?2026h\033[H";
static const char frame_end[] = "\033[?2026l";

static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

static volatile sig_atomic_t ending;
static volatile sig_atomic_t changed;
static bool entered;
static bool has_keys;
static struct termios before;

static void write_all(const char *text, size_t size)
{
    while (size > 0) {
        ssize_t written = write(STDOUT_FILENO, text, size);
        if (written <= 0) {
            ending = 1; /* the terminal is gone */
            return;
        }
        text += written;
        size -= (size_t)written;
    }
}

/* Keys come one by one and are not shown; signals still do. */
static void take_over(void)
{
    struct termios quiet;

    has_keys = tcgetattr(STDIN_FILENO, &before) == 0;
    if (has_keys) {
        quiet = before;
        quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        tcsetattr(STDIN_FILENO, TCSANOW, &quiet);
    }
    write_all(enter_sequence, strlen(enter_sequence));
    entered = true;
    changed = 1;
}

static void give_back(void)
{
    if (!entered) {
        return;
    }
    entered = false;
    write_all(leave_sequence, strlen(leave_sequence));
    if (has_keys) {
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
    }
}

static void end_later(int signal)
{
    (void)signal;
    ending = 1;
}

static void redraw_later(int signal)
{
    (void)signal;
    changed = 1;
}

/* Ctrl-Z: the shell gets its terminal, and we go on drawing when we are called back. */
static void suspend(int signal)
{
    (void)signal;
    give_back();
    kill(getpid(), SIGSTOP);
    take_over();
}

static void handle(int signal, void (*handler)(int signal), sigset_t *blocked)
{
    struct sigaction action = {.sa_handler = handler};

    sigaction(signal, &action, NULL);
    sigaddset(blocked, signal);
}

void terminal_enter(sigset_t *waking)
{
    sigset_t blocked;

    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof end_signals / sizeof end_signals[0]; i++) {
        handle(end_signals[i], end_later, &blocked);
    }
    handle(SIGWINCH, redraw_later, &blocked);
    handle(SIGTSTP, suspend, &blocked);
    sigprocmask(SIG_BLOCK, &blocked, waking);
    atexit(give_back);
    take_over();
}

void terminal_leave(void)
{
    give_back();
}

void terminal_size(unsigned *rows, unsigned *columns)
{
    struct winsize size = {0};

    *rows = 24;
    *columns = 80;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) {
        *rows = size.ws_row;
        *columns = size.ws_col;
    }
}

void terminal_show(const char *text)
{
    size_t size = sizeof frame_begin + strlen(text) + sizeof frame_end;
    char *frame = malloc(size);

    if (!frame) {
        return; /* the next frame may have more luck */
    }
    char *end = stpcpy(stpcpy(stpcpy(frame, frame_begin), text), frame_end);
    write_all(frame, (size_t)(end - frame));
    free(frame);
}

int terminal_keys_fd(void)
{
    return has_keys ? STDIN_FILENO : -1;
}

void terminal_read_keys(void)
{
    char keys[64];
    ssize_t count = read(STDIN_FILENO, keys, sizeof keys);

    has_keys = count > 0;
    if (count > 0 && memchr(keys, 'q', (size_t)count)) {
        ending = 1;
    }
}

bool terminal_is_ending(void)
{
    return ending;
}

bool terminal_has_changed(void)
{
    bool it_has = changed;

    changed = 0;
    return it_has;
}
