#include "screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COLUMNS_MAX = 512 };

static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

/* There is one terminal, and ncurses keeps it as the current one. */
static volatile sig_atomic_t ending;
static SCREEN *screen;
static FILE *nowhere; /* of the hidden screen */

/*
 * The terminal
 */

static void end_later(int number)
{
    (void)number;
    ending = 1;
}

/* ncurses handles the other two itself: a new size, and Ctrl-Z. */
static void handle_signals(sigset_t *waking)
{
    struct sigaction action = {.sa_handler = end_later};
    sigset_t blocked;

    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof end_signals / sizeof end_signals[0]; i++) {
        sigaction(end_signals[i], &action, NULL);
        sigaddset(&blocked, end_signals[i]);
    }
    sigaddset(&blocked, SIGWINCH);
    sigaddset(&blocked, SIGTSTP);
    pthread_sigmask(SIG_BLOCK, &blocked, waking);
}

bool screen_enter(sigset_t *waking)
{
    const char *no_color = getenv("NO_COLOR");

    screen = isatty(STDOUT_FILENO) ? newterm(NULL, stdout, stdin) : NULL;
    if (!screen) {
        return false;
    }
    if (!tigetstr("cup")) { /* TERM=dumb */
        screen_leave();
        return false;
    }
    handle_signals(waking);
    cbreak();
    noecho();
    curs_set(0);
    nodelay(stdscr, true);
    if (has_colors() && !(no_color && no_color[0])) {
        pen_use_colours();
    }
    return true;
}

void screen_leave(void)
{
    endwin();
    delscreen(screen);
    screen = NULL;
}

WINDOW *screen_begin(void)
{
    werase(stdscr);
    return stdscr;
}

void screen_show(void)
{
    wrefresh(stdscr);
}

int screen_keys_fd(void)
{
    return isatty(STDIN_FILENO) ? STDIN_FILENO : -1;
}

bool screen_read_keys(bool is_readable)
{
    bool is_resized = false;
    int key = wgetch(stdscr);

    if (is_readable && key == ERR) {
        ending = 1; /* the terminal is gone */
    }
    for (; key != ERR; key = wgetch(stdscr)) {
        ending |= key == 'q';
        is_resized |= key == KEY_RESIZE;
    }
    return is_resized;
}

bool screen_is_ending(void)
{
    return ending;
}

/*
 * Hidden windows
 */

int screen_open_hidden(void)
{
    nowhere = fopen("/dev/null", "r+e");
    if (!nowhere) {
        return -errno;
    }
    screen = newterm("vt100", nowhere, nowhere);
    if (!screen) {
        fclose(nowhere);
        return -ENOMEM;
    }
    return 0;
}

void screen_close_hidden(void)
{
    screen_leave();
    fclose(nowhere);
}

static void write_row(WINDOW *window, int row, FILE *file)
{
    wchar_t text[COLUMNS_MAX + 1];
    int length = mvwinnwstr(window, row, 0, text, COLUMNS_MAX);

    while (length > 0 && text[length - 1] == L' ') {
        length--;
    }
    text[length > 0 ? length : 0] = L'\0';
    fprintf(file, "%ls", text);
}

char *screen_text(WINDOW *window)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    if (!file) {
        return NULL;
    }
    for (int row = 0; row < getmaxy(window); row++) {
        fputs(row > 0 ? "\n" : "", file);
        write_row(window, row, file);
    }
    if (fclose(file)) {
        free(text);
        return NULL;
    }
    return text;
}
