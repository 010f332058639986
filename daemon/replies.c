#include "daemon/replies.h"

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

void replies_close(struct replies *replies)
{
    for (unsigned i = 0; i < REPLIES_MAX; i++) {
        free(replies->latest[i].json);
    }
}
