/*
 * The records of all tables as they were last known, so that a new one is announced while its game
 * is being played.
 */
#ifndef LOGBOOK_RECORDS_H
#define LOGBOOK_RECORDS_H

#include "book.h"
#include "feeds.h"

/* Zeroed: none is known yet, so that none is new. */
struct records {
    json_t *known;
};

struct records_ports {
    void *self;
    struct book *book;
    const struct feeds *feeds;
    void (*announce)(void *self, const char *message);
};

/*
 * Compares the records with the known ones, and announces those of games that are being played,
 * once there are enough games for a record to mean something. 0, or an error of book.h.
 */
int records_update(struct records *records, const struct records_ports *ports);
void records_forget(struct records *records);

#endif
