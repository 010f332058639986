#include "reply_cache.h"

#include "common/crc32c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *reply_cache_find(const struct reply_cache *cache, const char *id)
{
    for (unsigned i = 0; id[0] && i < REPLY_CACHE_MAX; i++) {
        if (cache->latest[i].json && strcmp(cache->latest[i].id, id) == 0) {
            return cache->latest[i].json;
        }
    }
    return NULL;
}

void reply_cache_add(struct reply_cache *cache, const char *id, const char *json)
{
    struct reply *reply = &cache->latest[cache->next];

    if (!id[0]) {
        return;
    }
    free(reply->json);
    reply->json = strdup(json);
    snprintf(reply->id, sizeof reply->id, "%s", id);
    cache->next = (cache->next + 1) % REPLY_CACHE_MAX;
}

static uint32_t hash_of(const char *id)
{
    return crc32c(0, (const uint8_t *)id, strlen(id));
}

static bool make_room(struct reply_cache *cache)
{
    size_t capacity = cache->accepted_capacity ? 2 * cache->accepted_capacity : REPLY_CACHE_MAX;

    if (cache->accepted_count < cache->accepted_capacity) {
        return true;
    }
    uint32_t *accepted = realloc(cache->accepted, capacity * sizeof *accepted);
    if (accepted) {
        cache->accepted = accepted;
        cache->accepted_capacity = capacity;
    }
    return accepted;
}

/* Without memory an id is known only as long as it is among the latest. */
void reply_cache_accept(struct reply_cache *cache, const char *id)
{
    if (id[0] && make_room(cache)) {
        cache->accepted[cache->accepted_count++] = hash_of(id);
    }
}

bool reply_cache_may_have_accepted(const struct reply_cache *cache, const char *id)
{
    uint32_t hash = hash_of(id);
    bool found = false;

    for (size_t i = 0; id[0] && !found && i < cache->accepted_count; i++) {
        found = cache->accepted[i] == hash;
    }
    return found;
}

void reply_cache_begin_game(struct reply_cache *cache)
{
    cache->accepted_count = 0;
}

void reply_cache_clear(struct reply_cache *cache)
{
    for (unsigned i = 0; i < REPLY_CACHE_MAX; i++) {
        free(cache->latest[i].json);
    }
    free(cache->accepted);
}
