/* The queries and commands of docs/logbook.md: JSON in, JSON out. */
#ifndef LOGBOOK_ANSWERS_H
#define LOGBOOK_ANSWERS_H

#include "book.h"
#include "scoring.h"
#include "tournaments.h"

enum { ANSWER_ASK_MAX = 4096, ANSWER_MAX = 256 << 10, ANSWER_ID_MAX = 64 };

/*
 * Queries change nothing and are for everybody; commands are for referees. Captains count on score
 * sheets.
 */
enum answer_door { ANSWER_QUERY, ANSWER_COMMAND, ANSWER_SCORE };

struct answer_settings {
    const char *directory; /* where a backup is written */
    int64_t list_us_max;   /* a list that takes longer ends, with `more`; 0: no limit */
    struct scoring *scoring;
    const struct sheet_files *files;
    struct tournaments *tournaments;
};

/*
 * The reply to a payload, to be freed; NULL: out of memory. *error is 0, or what book.h returned:
 * the database cannot be used now.
 */
char *answer(struct book *book, const struct answer_settings *settings, enum answer_door door,
             const char *verb, const void *payload, size_t size, int *error);

/* The records as a JSON list, or NULL after an error of book.h in *error. */
json_t *answer_records(struct book *book, int *error);

/* The number of stored games of tables, or an error of book.h. */
int answer_game_count(struct book *book);

#endif
