/*
 * The terminal as a screen of ncurses, restored when the program ends; and hidden windows, whose
 * text is printed or compared.
 */
#ifndef CTL_SCREEN_H
#define CTL_SCREEN_H

#include "pen.h"

#include <signal.h>

/*
 * Takes over the terminal; false when the output is not a terminal, or one that cannot move its
 * cursor. From here on signals come only where waking is the signal mask, that is while the program
 * waits with it.
 */
bool screen_enter(sigset_t *waking);
void screen_leave(void);

/* The empty screen to draw on; screen_show shows what has changed. */
WINDOW *screen_begin(void);
void screen_show(void);

/* What to wait for besides signals; -1 when there is no keyboard. */
int screen_keys_fd(void);

/* Reads the keys; q asks for the end. Whether the screen has to be drawn again: its size differs.
 */
bool screen_read_keys(bool is_readable);

/* Whether a key or a signal has asked for the end. */
bool screen_is_ending(void);

/* For hidden windows (newpad). 0, or -errno. */
int screen_open_hidden(void);
void screen_close_hidden(void);

/*
 * All rows of a window, without spaces at their ends, with a newline between two; a string of its
 * own, to be freed with free(), or NULL when memory ran out.
 */
char *screen_text(WINDOW *window);

#endif
