/* What has changed between two states, found in their text: both have the same keys in one order.
 */
#include "wire/wire.h"

#include "json_internal.h"

#include <stdlib.h>
#include <string.h>

/* A member of an object that json.c has written, and what follows it. */
struct member {
    const char *start; /* of its key */
    size_t key_size;   /* with quotes and colon */
    size_t size;
    const char *next; /* the next member, or the end of the object */
};

static const char *skip_string(const char *text)
{
    for (text++; *text != '"'; text++) {
        text += *text == '\\';
    }
    return text + 1;
}

/* To the comma or bracket after the value. */
static const char *skip_value(const char *text)
{
    unsigned depth = 0;

    while (depth > 0 || !strchr(",}]", *text)) {
        if (*text == '"') {
            text = skip_string(text);
            continue;
        }
        depth += *text == '{' || *text == '[';
        depth -= *text == '}' || *text == ']';
        text++;
    }
    return text;
}

/* False at the end of the object. */
static bool read_member(const char *text, struct member *member)
{
    if (*text == '}') {
        return false;
    }
    const char *value = skip_string(text) + 1;
    const char *end = skip_value(value);
    *member = (struct member){
        .start = text,
        .key_size = (size_t)(value - text),
        .size = (size_t)(end - text),
        .next = *end == ',' ? end + 1 : end,
    };
    return true;
}

static bool have_same_key(const struct member *one, const struct member *other)
{
    return one->key_size == other->key_size && memcmp(one->start, other->start, one->key_size) == 0;
}

static bool are_equal(const struct member *one, const struct member *other)
{
    return one->size == other->size && memcmp(one->start, other->start, one->size) == 0;
}

static bool is_pieces(const struct member *member)
{
    static const char key[] = "\"pieces\":";

    return member->key_size == strlen(key) && memcmp(member->start, key, strlen(key)) == 0;
}

/* Puts a member whose value has changed. False if the values cannot be compared. */
typedef bool put_changed_fn(struct json_text *json, const struct member *old,
                            const struct member *new);

/* Calls put for the members whose values differ. False if the objects have different keys. */
static bool put_changes(struct json_text *json, const char *before, const char *after,
                        put_changed_fn *put)
{
    struct member old;
    struct member new;
    bool is_fine = true;

    before++;
    after++;
    while (is_fine && read_member(before, &old) && read_member(after, &new)) {
        is_fine = have_same_key(&old, &new) && (are_equal(&old, &new) || put(json, &old, &new));
        before = old.next;
        after = new.next;
    }
    return is_fine && *before == '}' && *after == '}';
}

static bool put_whole(struct json_text *json, const struct member *old, const struct member *new)
{
    (void)old;
    put_members(json, new->start, new->size);
    return true;
}

static bool put_of_state(struct json_text *json, const struct member *old, const struct member *new)
{
    if (!is_pieces(new)) {
        return put_whole(json, old, new);
    }
    open_object(json, "pieces");
    bool is_fine =
        put_changes(json, old->start + old->key_size, new->start + new->key_size, put_whole);
    close_object(json);
    return is_fine;
}

/* NULL if the states do not have the same keys, or when memory runs out. */
static char *changes_of(const char *before, const char *state)
{
    struct json_text json = json_begin();
    bool is_fine = put_changes(&json, before, state, put_of_state);
    char *changes = json_end(&json);

    if (!is_fine) {
        free(changes);
        changes = NULL;
    }
    return changes;
}

char *wire_state_entry(uint32_t seq, const char *before, const char *state)
{
    struct json_text json = json_begin();
    char *changes = before ? changes_of(before, state) : NULL;

    put_number(&json, "seq", seq);
    put_json(&json, changes ? "changes" : "state", changes ? changes : state);
    free(changes);
    return json_end(&json);
}
