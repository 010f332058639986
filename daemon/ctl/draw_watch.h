/* The scoreboard of `watch`, drawn from a view. Reads no clock and writes nowhere else. */
#ifndef CTL_DRAW_WATCH_H
#define CTL_DRAW_WATCH_H

#include "view.h"

#include <curses.h>

struct link; /* live.h */

/* Draws on an empty window, to its edges. command begins the hint how to start a game. */
void draw_watch(const struct view *view, const struct link *link, const char *command,
                WINDOW *window, bool utf8);

#endif
