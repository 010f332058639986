/* Lists of games, players and statistics, as a table or the logbook replies with them. Pure. */
#ifndef CTL_BOOK_TEXT_H
#define CTL_BOOK_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Writes the list of a reply in columns; false if it has none. */
bool book_write(const json_t *reply, FILE *file);

#endif
