/* Text in columns that are as wide as their widest cell. Pure. */
#ifndef CTL_GRID_H
#define CTL_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { GRID_COLUMNS_MAX = 16 };

struct grid_column {
    const char *title;
    bool is_number; /* aligned to the right */
};

/* Cells are added row by row, and all freed by grid_print. Zero it, and set the columns. */
struct grid {
    const struct grid_column *columns;
    unsigned column_count;
    char **cells;
    size_t count;
    size_t capacity;
};

/* The text may come from outside: it is made safe for a terminal. */
void grid_add(struct grid *grid, const char *text);

/* Prints the titles and the rows. When memory ran out, cells at the end are missing. */
void grid_print(struct grid *grid, FILE *file);

#endif
