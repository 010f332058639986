/* Answers given to commands that had an id, so that the same id is answered alike each time. */
#ifndef TABLE_REPLY_CACHE_H
#define TABLE_REPLY_CACHE_H

#include "journal/journal.h"

#include <stdbool.h>

enum { REPLY_CACHE_MAX = 256 };

struct reply {
    char id[COMMAND_ID_SIZE];
    char *json;
};

/* A zeroed one is empty. */
struct reply_cache {
    struct reply latest[REPLY_CACHE_MAX];
    unsigned next;

    /* Hashes of all ids that were accepted in the open game. */
    uint32_t *accepted;
    size_t accepted_count;
    size_t accepted_capacity;
};

/* The answer, or NULL when it is not among the latest REPLY_CACHE_MAX. */
const char *reply_cache_find(const struct reply_cache *cache, const char *id);

/* Keeps a copy; an empty id is not remembered. */
void reply_cache_add(struct reply_cache *cache, const char *id, const char *json);

/*
 * The open game has a record with this id; and whether it may have one, which the journal knows for
 * sure. A new game begins with none.
 */
void reply_cache_accept(struct reply_cache *cache, const char *id);
bool reply_cache_may_have_accepted(const struct reply_cache *cache, const char *id);
void reply_cache_begin_game(struct reply_cache *cache);

void reply_cache_clear(struct reply_cache *cache);

#endif
