/* The scoreboard of a terminal, drawn from a view. Reads no clock and writes nowhere. */
#ifndef CTL_DRAW_H
#define CTL_DRAW_H

#include "canvas.h"
#include "view.h"

struct link; /* live.h */

struct screen {
    unsigned rows;
    unsigned columns;
    bool utf8;
    struct print_style style;
};

/* The whole screen as a string of its own, to be freed with free(); NULL when memory ran out. */
char *draw_screen(const struct view *view, const struct link *link, const struct screen *screen);

#endif
