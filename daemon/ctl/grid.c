#include "grid.h"

#include "plain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY_FIRST = 64, GAP = 2 };

void grid_add(struct grid *grid, const char *text)
{
    if (grid->count == grid->capacity) {
        size_t capacity = grid->capacity ? 2 * grid->capacity : CAPACITY_FIRST;
        char **cells = realloc(grid->cells, capacity * sizeof *cells);
        if (!cells) {
            return;
        }
        grid->cells = cells;
        grid->capacity = capacity;
    }
    char *copy = strdup(text);
    if (copy) {
        grid->cells[grid->count++] = copy;
    }
}

static unsigned width_of(const char *text)
{
    struct glyph glyph;
    unsigned width = 0;

    while (plain_next(&text, &glyph)) {
        width += glyph.columns;
    }
    return width;
}

/* Without blanks at the end of a line. */
static void print_cell(const struct grid *grid, unsigned column, const char *text, unsigned width,
                       FILE *file)
{
    bool is_last = column + 1 == grid->column_count;
    int blanks = (int)(width - width_of(text));

    if (grid->columns[column].is_number) {
        fprintf(file, "%*s", blanks, "");
    }
    plain_print(file, text);
    if (is_last) {
        fputc('\n', file);
    } else {
        fprintf(file, "%*s", grid->columns[column].is_number ? GAP : blanks + GAP, "");
    }
}

void grid_print(struct grid *grid, FILE *file)
{
    unsigned widths[GRID_COLUMNS_MAX];

    assert(grid->column_count > 0 && grid->column_count <= GRID_COLUMNS_MAX);
    for (unsigned column = 0; column < grid->column_count; column++) {
        widths[column] = width_of(grid->columns[column].title);
    }
    for (size_t i = 0; i < grid->count; i++) {
        unsigned width = width_of(grid->cells[i]);
        unsigned *widest = &widths[i % grid->column_count];
        *widest = width > *widest ? width : *widest;
    }
    for (unsigned column = 0; column < grid->column_count; column++) {
        print_cell(grid, column, grid->columns[column].title, widths[column], file);
    }
    for (size_t i = 0; i < grid->count; i++) {
        unsigned column = (unsigned)(i % grid->column_count);
        print_cell(grid, column, grid->cells[i], widths[column], file);
        free(grid->cells[i]);
    }
    free(grid->cells);
    grid->cells = NULL;
    grid->count = 0;
    grid->capacity = 0;
}
