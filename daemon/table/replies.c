#include "replies.h"

#include "common/crc32c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *replies_find(const struct replies *replies, const char *id)
{
    for (unsigned i = 0; id[0] && i < REPLIES_MAX; i++) {
        if (replies->latest[i].json && strcmp(replies->latest[i].id, id) == 0) {
            return replies->latest[i].json;
        }
    }
    return NULL;
}

void replies_remember(struct replies *replies, const char *id, const char *json)
{
    struct reply *reply = &replies->latest[replies->next];

    if (!id[0]) {
        return;
    }
    free(reply->json);
    reply->json = strdup(json);
    snprintf(reply->id, sizeof reply->id, "%s", id);
    replies->next = (replies->next + 1) % REPLIES_MAX;
}

static uint32_t hash_of(const char *id)
{
    return crc32c(0, (const uint8_t *)id, strlen(id));
}

static bool make_room(struct replies *replies)
{
    size_t capacity = replies->accepted_capacity ? 2 * replies->accepted_capacity : REPLIES_MAX;

    if (replies->accepted_count < replies->accepted_capacity) {
        return true;
    }
    uint32_t *accepted = realloc(replies->accepted, capacity * sizeof *accepted);
    if (accepted) {
        replies->accepted = accepted;
        replies->accepted_capacity = capacity;
    }
    return accepted;
}

/* Without memory an id is known only as long as it is among the latest. */
void replies_accept(struct replies *replies, const char *id)
{
    if (id[0] && make_room(replies)) {
        replies->accepted[replies->accepted_count++] = hash_of(id);
    }
}

bool replies_may_have_accepted(const struct replies *replies, const char *id)
{
    uint32_t hash = hash_of(id);
    bool found = false;

    for (size_t i = 0; id[0] && !found && i < replies->accepted_count; i++) {
        found = replies->accepted[i] == hash;
    }
    return found;
}

void replies_begin_game(struct replies *replies)
{
    replies->accepted_count = 0;
}

void replies_close(struct replies *replies)
{
    for (unsigned i = 0; i < REPLIES_MAX; i++) {
        free(replies->latest[i].json);
    }
    free(replies->accepted);
}
