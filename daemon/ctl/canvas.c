#include "canvas.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTED_SIZE = 512 };

/* Select Graphic Rendition of ECMA-48; each begins with a reset, so inks do not add up. */
static const char *const escapes[INK_COUNT] = {
    [INK_PLAIN] = "\033[0m",        [INK_DIM] = "\033[0;2m",      [INK_STRONG] = "\033[0;1m",
    [INK_WARNING] = "\033[0;1;35m", [INK_HARBOUR] = "\033[0m",    [INK_RED] = "\033[0;1;31m",
    [INK_BLUE] = "\033[0;1;34m",    [INK_GREEN] = "\033[0;1;32m", [INK_YELLOW] = "\033[0;1;33m",
};

int canvas_open(struct canvas *canvas, unsigned rows, unsigned columns, bool utf8)
{
    *canvas = (struct canvas){.rows = rows, .columns = columns, .utf8 = utf8};
    canvas->cells = calloc((size_t)rows * columns, sizeof *canvas->cells);
    return canvas->cells ? 0 : -ENOMEM;
}

void canvas_close(struct canvas *canvas)
{
    free(canvas->cells);
    canvas->cells = NULL;
}

static struct cell *cell_at(const struct canvas *canvas, unsigned row, unsigned column)
{
    return &canvas->cells[(size_t)row * canvas->columns + column];
}

void pen_put(struct pen *pen, enum ink ink, const char *text)
{
    unsigned right = pen->right < pen->canvas->columns ? pen->right : pen->canvas->columns;
    struct glyph glyph;

    if (pen->row >= pen->canvas->rows) {
        return;
    }
    while (plain_next(&text, &glyph)) {
        if (!pen->canvas->utf8 && !isascii(glyph.bytes[0])) {
            glyph = (struct glyph){.bytes = "?", .columns = 1};
        }
        if (pen->column + glyph.columns > right) {
            pen->column = right;
            return;
        }
        *cell_at(pen->canvas, pen->row, pen->column) = (struct cell){glyph, ink};
        pen->column += glyph.columns;
    }
}

void pen_print(struct pen *pen, enum ink ink, const char *format, ...)
{
    char text[PRINTED_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pen_put(pen, ink, text);
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

unsigned pen_wrap(struct pen pen, enum ink ink, const char *text)
{
    unsigned columns = pen.right > pen.column ? pen.right - pen.column : 1;
    unsigned rows = 0;

    do {
        size_t length = row_bytes(text, columns);
        struct pen row = pen;
        row.row += rows++;
        pen_print(&row, ink, "%.*s", (int)length, text);
        text += length;
        text += strspn(text, " ");
    } while (*text);
    return rows;
}

void pen_fill(struct pen *pen, enum ink ink, const char *glyph)
{
    for (unsigned column = pen->column; column < pen->right; column++) {
        pen_put(pen, ink, glyph);
    }
}

/* One past the last column of the row that shows anything. */
static unsigned row_length(const struct canvas *canvas, unsigned row)
{
    unsigned length = canvas->columns;

    while (length > 0) {
        const char *bytes = cell_at(canvas, row, length - 1)->glyph.bytes;
        if (bytes[0] && strcmp(bytes, " ") != 0) {
            break;
        }
        length--;
    }
    return length;
}

static void write_row(const struct canvas *canvas, unsigned row, bool colours, FILE *file)
{
    unsigned length = row_length(canvas, row);
    enum ink ink = INK_PLAIN;
    unsigned width = 1;

    for (unsigned column = 0; column < length; column += width) {
        const struct cell *cell = cell_at(canvas, row, column);
        width = cell->glyph.columns ? cell->glyph.columns : 1;
        if (colours && cell->ink != ink) {
            fputs(escapes[cell->ink], file);
            ink = cell->ink;
        }
        fputs(cell->glyph.bytes[0] ? cell->glyph.bytes : " ", file);
    }
    if (ink != INK_PLAIN) {
        fputs(escapes[INK_PLAIN], file);
    }
}

char *canvas_text(const struct canvas *canvas, const struct print_style *style)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    if (!file) {
        return NULL;
    }
    for (unsigned row = 0; row < canvas->rows; row++) {
        write_row(canvas, row, style->colours, file);
        fputs(row_length(canvas, row) < canvas->columns ? style->wipe : "", file);
        fputs(row + 1 < canvas->rows ? style->row_end : "", file);
    }
    if (fclose(file)) {
        free(text);
        return NULL;
    }
    return text;
}
