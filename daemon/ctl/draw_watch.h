/* The scoreboard of `watch`, drawn from a view. Reads no clock and writes nowhere else. */
#ifndef CTL_DRAW_WATCH_H
#define CTL_DRAW_WATCH_H

#include "view.h"

#include <curses.h>

struct link; /* live.h */

/* Draws on an empty window, to its edges. */
void draw_watch(const struct view *view, const struct link *link, WINDOW *window, bool utf8);

#endif
