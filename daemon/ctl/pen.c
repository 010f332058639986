#include "pen.h"

#include "plain.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PRINTED_SIZE = 512, DEFAULT_COLOUR = -1 };

static const attr_t weights[STYLE_COUNT] = {
    [STYLE_DIM] = A_DIM,   [STYLE_STRONG] = A_BOLD, [STYLE_WARNING] = A_BOLD, [STYLE_RED] = A_BOLD,
    [STYLE_BLUE] = A_BOLD, [STYLE_GREEN] = A_BOLD,  [STYLE_YELLOW] = A_BOLD,
};

void pen_use_colours(void)
{
    start_color();
    use_default_colors();
    init_pair(STYLE_WARNING, COLOR_MAGENTA, DEFAULT_COLOUR);
    init_pair(STYLE_RED, COLOR_RED, DEFAULT_COLOUR);
    init_pair(STYLE_BLUE, COLOR_BLUE, DEFAULT_COLOUR);
    init_pair(STYLE_GREEN, COLOR_GREEN, DEFAULT_COLOUR);
    init_pair(STYLE_YELLOW, COLOR_YELLOW, DEFAULT_COLOUR);
}

/* A style without colours of its own has the pair of the terminal. */
static short pair_of(enum style style)
{
    bool is_coloured = style == STYLE_WARNING || style > STYLE_HARBOUR;

    return (short)(is_coloured ? style : STYLE_PLAIN);
}

struct pen pen_begin(WINDOW *window, bool utf8)
{
    return (struct pen){.window = window, .utf8 = utf8, .right = (unsigned)getmaxx(window)};
}

void pen_put(struct pen *pen, enum style style, const char *text)
{
    unsigned columns = (unsigned)getmaxx(pen->window);
    unsigned right = pen->right < columns ? pen->right : columns;
    struct glyph glyph;

    wattr_set(pen->window, weights[style], pair_of(style), NULL);
    while (pen->row < (unsigned)getmaxy(pen->window) && plain_next(&text, &glyph)) {
        if (!pen->utf8 && !isascii(glyph.bytes[0])) {
            glyph = (struct glyph){.bytes = "?", .columns = 1};
        }
        if (pen->column + glyph.columns > right) {
            pen->column = right;
            return;
        }
        mvwaddstr(pen->window, (int)pen->row, (int)pen->column, glyph.bytes);
        pen->column += glyph.columns;
    }
}

void pen_print(struct pen *pen, enum style style, const char *format, ...)
{
    char text[PRINTED_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pen_put(pen, style, text);
}

/* How many bytes of the text go on a row of so many columns: up to a space if there is one. */
static size_t row_bytes(const char *text, unsigned columns)
{
    const char *rest = text;
    size_t good = 0;
    unsigned used = 0;
    struct glyph glyph;

    for (const char *before = rest; plain_next(&rest, &glyph); before = rest) {
        used += glyph.columns;
        if (used > columns) {
            return good ? good : before > text ? (size_t)(before - text) : (size_t)(rest - text);
        }
        if (*rest == ' ') {
            good = (size_t)(rest - text);
        }
    }
    return strlen(text);
}

unsigned pen_wrap_rows(const struct pen *pen, const char *text)
{
    unsigned columns = pen->right > pen->column ? pen->right - pen->column : 1;
    unsigned rows = 0;

    do {
        text += row_bytes(text, columns);
        text += strspn(text, " ");
        rows++;
    } while (*text);
    return rows;
}

unsigned pen_wrap(struct pen pen, enum style style, const char *text)
{
    unsigned columns = pen.right > pen.column ? pen.right - pen.column : 1;
    unsigned rows = 0;

    do {
        size_t length = row_bytes(text, columns);
        struct pen row = pen;
        row.row += rows++;
        pen_print(&row, style, "%.*s", (int)length, text);
        text += length;
        text += strspn(text, " ");
    } while (*text);
    return rows;
}

void pen_fill(struct pen *pen, enum style style, const char *sign)
{
    for (unsigned column = pen->column; column < pen->right; column++) {
        pen_put(pen, style, sign);
    }
}
