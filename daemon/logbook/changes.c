#include "changes.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static bool is_pieces(const char *key, const json_t *value)
{
    return strcmp(key, "pieces") == 0 && json_is_object(value);
}

int changes_apply(json_t *state, const json_t *changes)
{
    const char *key;
    json_t *value;
    int error = 0;

    json_object_foreach((json_t *)changes, key, value)
    {
        json_t *pieces = json_object_get(state, key);
        if (is_pieces(key, value) && json_is_object(pieces)) {
            error |= json_object_update(pieces, value);
        } else {
            error |= json_object_set(state, key, value);
        }
    }
    return error ? -ENOMEM : 0;
}

static json_t *members_that_differ(const json_t *from, const json_t *to)
{
    json_t *changes = json_object();
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)to, key, value)
    {
        json_t *old = json_object_get(from, key);
        if (!json_equal(old, value) && json_object_set(changes, key, value)) {
            json_decref(changes);
            return NULL;
        }
    }
    return changes;
}

json_t *changes_between(const json_t *from, const json_t *to)
{
    json_t *changes = members_that_differ(from, to);
    const json_t *old_pieces = json_object_get(from, "pieces");
    const json_t *pieces = json_object_get(changes, "pieces");

    if (is_pieces("pieces", pieces) && is_pieces("pieces", old_pieces) &&
        json_object_set_new(changes, "pieces", members_that_differ(old_pieces, pieces))) {
        json_decref(changes);
        return NULL;
    }
    return changes;
}
