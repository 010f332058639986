/* One row a type; numbers and words are read here, the others in files of their own. */
#include "values.h"

#include "rules/nearest.h"

#include <string.h>

static config_read_fn read_number, read_milli, read_word;
static config_describe_fn describe_number, describe_word;

static const struct {
    config_read_fn *read;
    config_describe_fn *describe;
} types[TYPE_COUNT] = {
    [TYPE_TEXT] = {config_read_text, config_describe_text},
    [TYPE_FILE] = {config_read_text, config_describe_file},
    [TYPE_SEGMENT] = {config_read_segment, config_describe_segment},
    [TYPE_PREFIX] = {config_read_prefix, config_describe_prefix},
    [TYPE_NUMBER] = {read_number, describe_number},
    [TYPE_MILLI] = {read_milli, describe_number},
    [TYPE_YES_NO] = {read_word, describe_word},
    [TYPE_VARIANT] = {read_word, describe_word},
    [TYPE_SCENARIO] = {read_word, describe_word},
    [TYPE_DICE] = {read_word, describe_word},
    [TYPE_FIRST] = {read_word, describe_word},
    [TYPE_BACKEND] = {read_word, describe_word},
    [TYPE_HARBOURS] = {config_read_harbours, config_describe_harbours},
    [TYPE_MOVE_DIE] = {config_read_move_die, config_describe_move_die},
    [TYPE_COMBAT_DIE] = {config_read_combat_die, config_describe_combat_die},
    [TYPE_BARRELS] = {config_read_barrels, config_describe_barrels},
    [TYPE_LINE] = {config_read_line, config_describe_line},
    [TYPE_COMMAND] = {config_read_command, config_describe_command},
};

enum { MILLI_DECIMALS = 3, WORDS_MAX = 8 };

/* Types that are one of some words. The first word has the value `first`, the others follow. */
#define WORD(name, word) (word),
#define SCENARIO_WORD(name, word, hooks) (word),
static const struct {
    unsigned first;
    const char *words[WORDS_MAX];
} words_of[TYPE_COUNT] = {
    [TYPE_YES_NO] = {0, {"no", "yes"}},
    [TYPE_VARIANT] = {VARIANT_NONE + 1, {RULES_VARIANTS(WORD)}},
    [TYPE_SCENARIO] = {SCENARIO_NONE + 1, {RULES_SCENARIOS(SCENARIO_WORD)}},
    [TYPE_DICE] = {DICE_NONE + 1, {RULES_DICE(WORD)}},
    [TYPE_FIRST] = {0, {"draw", "1", "2", "3", "4"}},
    [TYPE_BACKEND] = {BACKEND_NONE + 1, {CONFIG_BACKENDS(WORD)}},
};

bool config_read_value(const struct config_key *key, const char *value, void *member,
                       struct text *hint)
{
    /* An empty value takes back what an earlier file has said. */
    if (*value == '\0' && *key->usual == '\0') {
        memset(member, 0, key->size);
        return true;
    }
    return types[key->type].read(key, value, member, hint);
}

void config_describe_value(const struct config_key *key, struct text *text)
{
    types[key->type].describe(key, text);
}

const char *config_backend_name(enum backend backend)
{
    return words_of[TYPE_BACKEND].words[backend - words_of[TYPE_BACKEND].first];
}

void config_next_item(const char **rest, char *item, size_t size)
{
    static const char blanks[] = " \t";
    const char *start = *rest + strspn(*rest, blanks);
    size_t length = strcspn(start, ", \t");
    struct text text = text_begin(item, size);

    text_add_some(&text, start, length);
    start += length;
    start += strspn(start, blanks);
    start += *start == ',';
    *rest = start + strspn(start, blanks);
}

void config_add_guess(struct text *hint, const char *best)
{
    if (best) {
        text_add(hint, "did you mean ");
        text_add(hint, best);
        text_add(hint, "?");
    }
}

/*
 * Numbers
 */

bool config_read_decimal(const char *value, unsigned decimals, uint32_t *number)
{
    enum { DIGITS_MAX = 9 };
    uint64_t sum = 0;
    unsigned digits = 0;
    unsigned decimals_read = 0;
    const char *point = NULL;

    for (; *value; value++) {
        if (*value == '.' && !point && digits > 0 && decimals > 0) {
            point = value;
        } else if (*value < '0' || *value > '9' || ++digits > DIGITS_MAX ||
                   (point && ++decimals_read > decimals)) {
            return false;
        } else {
            sum = sum * 10 + (uint64_t)(*value - '0');
        }
    }
    for (unsigned i = decimals_read; i < decimals; i++) {
        sum *= 10;
    }
    if (digits == 0 || (point && decimals_read == 0) || sum > UINT32_MAX) {
        return false;
    }
    *number = (uint32_t)sum;
    return true;
}

void config_store_number(const struct config_key *key, uint32_t number, void *member)
{
    uint8_t byte = (uint8_t)number;
    uint16_t two_bytes = (uint16_t)number;

    switch (key->size) {
    case sizeof byte:
        memcpy(member, &byte, sizeof byte);
        break;
    case sizeof two_bytes:
        memcpy(member, &two_bytes, sizeof two_bytes);
        break;
    default:
        memcpy(member, &number, sizeof number);
        break;
    }
}

static bool read_in_range(const struct config_key *key, unsigned decimals, const char *value,
                          void *member)
{
    uint32_t number;

    if (!config_read_decimal(value, decimals, &number) || number < key->min || number > key->max) {
        return false;
    }
    config_store_number(key, number, member);
    return true;
}

static bool read_number(const struct config_key *key, const char *value, void *member,
                        struct text *hint)
{
    (void)hint;
    return read_in_range(key, 0, value, member);
}

static bool read_milli(const struct config_key *key, const char *value, void *member,
                       struct text *hint)
{
    (void)hint;
    return read_in_range(key, MILLI_DECIMALS, value, member);
}

static void describe_number(const struct config_key *key, struct text *text)
{
    void (*add)(struct text *, int64_t) =
        key->type == TYPE_MILLI ? text_add_milli : text_add_number;

    text_add(text, "a number from ");
    add(text, key->min);
    text_add(text, " to ");
    add(text, key->max);
}

/*
 * Words
 */

static bool read_word(const struct config_key *key, const char *value, void *member,
                      struct text *hint)
{
    const char *const *words = words_of[key->type].words;
    struct nearest nearest = nearest_begin(value);

    for (unsigned i = 0; i < WORDS_MAX && words[i]; i++) {
        if (strcmp(words[i], value) == 0) {
            config_store_number(key, words_of[key->type].first + i, member);
            return true;
        }
        nearest_offer(&nearest, words[i]);
    }
    config_add_guess(hint, nearest.best);
    return false;
}

static void describe_word(const struct config_key *key, struct text *text)
{
    const char *const *words = words_of[key->type].words;

    for (unsigned i = 0; i < WORDS_MAX && words[i]; i++) {
        bool last = i + 1 == WORDS_MAX || !words[i + 1];
        text_add(text, i == 0 ? "" : last ? " or " : ", ");
        text_add(text, words[i]);
    }
}
