/*
 * The terminal as a screen of our own: entered, redrawn in place, and given back as it was, however
 * the program ends. There is one, so its state is the module's.
 */
#ifndef DAEMON_CTL_TERMINAL_H
#define DAEMON_CTL_TERMINAL_H

#include <signal.h>
#include <stdbool.h>

/* For texts that are shown: wipes out the rest of a row; not in its last column, where the cursor
 * stays on what was written. */
#define TERMINAL_WIPE "\033[K"
#define TERMINAL_ROW_END "\r\n"

/*
 * Takes the terminal over. From here on signals come only where waking is the signal mask, that is
 * while somebody waits with it.
 */
void terminal_enter(sigset_t *waking);
void terminal_leave(void);

/* The size of the window, 24 x 80 when nobody knows. */
void terminal_size(unsigned *rows, unsigned *columns);

/* Puts the text in the place of what was there, in one go. */
void terminal_show(const char *text);

/* What to read keys from; -1 when there is no keyboard. */
int terminal_keys_fd(void);

/* Reads the keys that were pressed; q asks for the end. */
void terminal_read_keys(void);

/* Whether a key or a signal has asked for the end. */
bool terminal_is_ending(void);

/* Whether all has to be drawn again: the window has another size, or we come out of the background.
 * Forgets it. */
bool terminal_has_changed(void);

#endif
