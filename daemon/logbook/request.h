/*
 * A query or command while it is answered: its fields, its refusal, and the reply as it grows. For
 * the parts that answer (answers_*.c).
 */
#ifndef LOGBOOK_REQUEST_H
#define LOGBOOK_REQUEST_H

#include "answers.h"
#include "person.h"

enum {
    REQUEST_DUMP = JSON_COMPACT | JSON_REAL_PRECISION(9),
    REQUEST_BYTES_MAX = ANSWER_MAX - (16 << 10), /* of a list */
    REQUEST_LIST_MAX = 100,
    REQUEST_MESSAGE_SIZE = 256,
};

struct request {
    struct book *book;
    const struct answer_settings *settings;
    json_t *fields;
    json_t *reply; /* what it has besides id and ok */
    json_t *list;  /* the answer that grows, of the reply */
    size_t bytes;
    int64_t until_us;    /* 0: the list may take as long as it takes */
    bool is_full;        /* the list ends here, and there is more */
    int error;           /* of the book */
    const char *refusal; /* or NULL */
    char message[REQUEST_MESSAGE_SIZE];
};

/* The verbs of a part, up to one without a name. */
struct verb {
    enum answer_door door;
    const char *name;
    const char *fields; /* besides id, each between blanks */
    void (*answer)(struct request *request);
};

extern const struct verb answers_of_games[];
extern const struct verb answers_of_players[];
extern const struct verb answers_of_sheets[];
extern const struct verb answers_of_tournaments[];

/* Refuses with a code of docs/logbook.md and a sentence; the first refusal stays. */
__attribute__((format(printf, 3, 4))) void request_refuse(struct request *request, const char *code,
                                                          const char *format, ...);

/* Whether nothing was refused, and the database works. */
bool request_goes_on(const struct request *request);

/* Fields. One that does not fit is refused; absent ones are NULL, or the standard. */
const char *request_text(struct request *request, const char *name);
const char *request_needed_text(struct request *request, const char *name);
int64_t request_number(struct request *request, const char *name, int64_t max, int64_t standard);
const char *request_time(struct request *request, const char *name); /* or the beginning of one */

/* Who counts as the field `player`; refused if nobody does. False: the field is absent. */
bool request_player(struct request *request, char person[PERSON_SIZE]);

/* Runs a statement as in database.h, unless something was refused or has failed before. */
void request_run(struct request *request, const char *sql, const struct parameter *parameters,
                 row_fn *row, void *context);

#define REQUEST_RUN(request, row, context, sql, ...)                                               \
    request_run(request, sql, BOOK_PARAMETERS(__VA_ARGS__), row, context)

/* A row_fn: the first column, which is a person or a name. */
int request_take_person(void *context, const char *const *columns);

/*
 * The list of the reply, and its entries. An entry is taken over, and dropped if the list is full
 * or took longer than the limit.
 */
void request_limit_time(struct request *request, int64_t us_max); /* 0: none */
void request_begin_list(struct request *request, const char *name);
void request_add(struct request *request, json_t *entry);

/* Columns as JSON; NULL is null. Thousandths become a number with a fraction. */
json_t *column_number(const char *column);
json_t *column_milli(const char *column);
json_t *column_text(const char *column);

#endif
