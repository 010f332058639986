/* A screen put together in memory, character by character, and then written out as one text. */
#ifndef DAEMON_CTL_CANVAS_H
#define DAEMON_CTL_CANVAS_H

#include "plain.h"

enum ink {
    INK_PLAIN,
    INK_DIM,
    INK_STRONG,
    INK_WARNING,
    INK_HARBOUR, /* + enum harbour: the colours of the fleets follow */
    INK_RED,
    INK_BLUE,
    INK_GREEN,
    INK_YELLOW,
    INK_COUNT,
};

struct cell {
    struct glyph glyph; /* "": a space, or the right half of what stands on the left */
    enum ink ink;
};

struct canvas {
    unsigned rows;
    unsigned columns;
    bool utf8; /* else what is not ASCII is shown as a question mark */
    struct cell *cells;
};

/* An empty canvas. 0 or -ENOMEM. */
int canvas_open(struct canvas *canvas, unsigned rows, unsigned columns, bool utf8);
void canvas_close(struct canvas *canvas);

/* Where the next text goes: from column on, up to but not including the column at right. */
struct pen {
    struct canvas *canvas;
    unsigned row;
    unsigned column;
    unsigned right;
};

/* Writes text, whatever is in it, and moves the pen; what does not fit is cut off. */
void pen_put(struct pen *pen, enum ink ink, const char *text);
__attribute__((format(printf, 3, 4))) void pen_print(struct pen *pen, enum ink ink,
                                                     const char *format, ...);

/*
 * Writes text over as many rows as it takes, broken between words, each row from the pen's column
 * on. Returns how many; pen_wrap_rows only counts them.
 */
unsigned pen_wrap(struct pen pen, enum ink ink, const char *text);
unsigned pen_wrap_rows(const struct pen *pen, const char *text);

/* Fills the row up to the right with a sign that is one column wide. */
void pen_fill(struct pen *pen, enum ink ink, const char *glyph);

/* How a canvas is written out. */
struct print_style {
    bool colours;        /* as ANSI escape sequences */
    const char *wipe;    /* after a row that does not reach the right edge */
    const char *row_end; /* between two rows */
};

/*
 * All rows, without spaces at their ends; a string of its own, to be freed with free(), or NULL
 * when memory ran out.
 */
char *canvas_text(const struct canvas *canvas, const struct print_style *style);

#endif
