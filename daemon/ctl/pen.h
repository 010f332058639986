/* Text on a window of ncurses: safe whatever it holds, cut off or wrapped where it does not fit. */
#ifndef CTL_PEN_H
#define CTL_PEN_H

#include <curses.h>
#include <stdbool.h>

enum style {
    STYLE_PLAIN,
    STYLE_DIM,
    STYLE_STRONG,
    STYLE_WARNING,
    STYLE_HARBOUR, /* + enum harbour: the colours of the fleets follow */
    STYLE_RED,
    STYLE_BLUE,
    STYLE_GREEN,
    STYLE_YELLOW,
    STYLE_COUNT,
};

/* Where the next text goes: from column on, up to but not including the column at right. */
struct pen {
    WINDOW *window;
    bool utf8; /* else what is not ASCII is shown as a question mark */
    unsigned row;
    unsigned column;
    unsigned right;
};

/* At the top left of a window, up to its right edge. */
struct pen pen_begin(WINDOW *window, bool utf8);

/* Writes text and moves the pen; what does not fit is cut off. */
void pen_put(struct pen *pen, enum style style, const char *text);
__attribute__((format(printf, 3, 4))) void pen_print(struct pen *pen, enum style style,
                                                     const char *format, ...);

/*
 * Writes text over as many rows as it takes, broken between words, each row from the pen's column
 * on. Returns how many; pen_wrap_rows only counts them.
 */
unsigned pen_wrap(struct pen pen, enum style style, const char *text);
unsigned pen_wrap_rows(const struct pen *pen, const char *text);

/* Fills the row up to the right with a sign that is one column wide. */
void pen_fill(struct pen *pen, enum style style, const char *sign);

/* The pairs of colours, once for each screen of ncurses; without them styles differ by weight. */
void pen_use_colours(void);

#endif
