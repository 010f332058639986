/* Values that are about the game: harbours, dice, barrels, commands. */
#include "values.h"

#include "rules/nearest.h"

#include "rules/fields.h"
#include "rules/line.h"

#include <string.h>

enum { ITEM_SIZE = 32 };

static enum harbour read_harbour(const char *name, struct text *hint)
{
    enum harbour harbour = rules_harbour_named(name);

    if (!harbour) {
        struct nearest nearest = nearest_begin(name);
        for (unsigned i = 1; i < HARBOUR_COUNT; i++) {
            nearest_offer(&nearest, rules_harbour_name((enum harbour)i));
        }
        config_add_guess(hint, nearest.best);
    }
    return harbour;
}

bool config_read_harbours(const struct config_key *key, const char *value, void *member,
                          struct text *hint)
{
    unsigned set = 0;
    unsigned count = 0;

    do {
        char name[ITEM_SIZE];
        config_next_item(&value, name, sizeof name);
        enum harbour harbour = read_harbour(name, hint);
        if (!harbour || (set & (1U << harbour)) || ++count > 2) {
            return false;
        }
        set |= 1U << harbour;
    } while (*value);
    config_store_number(key, set, member);
    return true;
}

void config_describe_harbours(const struct config_key *key, struct text *text)
{
    (void)key;
    text_add(text, "one or two of red, blue, green and yellow");
}

/*
 * Dice and barrels. Unused faces are 0; how many are used is counted when all is read.
 */

static bool read_die(const struct config_key *key, const char *value, void *member,
                     uint32_t (*face_of)(const struct config_key *key, const char *item))
{
    uint8_t faces[DIE_FACES_MAX] = {0};
    unsigned count = 0;

    do {
        char item[ITEM_SIZE];
        config_next_item(&value, item, sizeof item);
        uint32_t face = face_of(key, item);
        if (face == 0 || count == DIE_FACES_MAX) {
            return false;
        }
        faces[count++] = (uint8_t)face;
    } while (*value);
    memcpy(member, faces, sizeof faces);
    return true;
}

static uint32_t number_face(const struct config_key *key, const char *item)
{
    uint32_t number;

    return config_read_decimal(item, 0, &number) && number <= key->max ? number : 0;
}

static uint32_t symbol_face(const struct config_key *key, const char *item)
{
    (void)key;
    return rules_face_named(item);
}

bool config_read_move_die(const struct config_key *key, const char *value, void *member,
                          struct text *hint)
{
    (void)hint;
    return read_die(key, value, member, number_face);
}

bool config_read_combat_die(const struct config_key *key, const char *value, void *member,
                            struct text *hint)
{
    (void)hint;
    return read_die(key, value, member, symbol_face);
}

static void describe_faces(struct text *text, const char *what)
{
    text_add(text, "1 to ");
    text_add_number(text, DIE_FACES_MAX);
    text_add(text, " faces with commas between them, each ");
    text_add(text, what);
}

void config_describe_move_die(const struct config_key *key, struct text *text)
{
    describe_faces(text, "a number from 1 to ");
    text_add_number(text, key->max);
}

void config_describe_combat_die(const struct config_key *key, struct text *text)
{
    (void)key;
    describe_faces(text, "flag or swords");
}

/* ME1: pairs of colours, `from:to`. */
bool config_read_barrels(const struct config_key *key, const char *value, void *member,
                         struct text *hint)
{
    uint8_t barrels[HARBOUR_COUNT] = {0};

    (void)key;
    do {
        char pair[ITEM_SIZE];
        config_next_item(&value, pair, sizeof pair);
        char *colon = strchr(pair, ':');
        if (!colon) {
            return false;
        }
        *colon = '\0';
        enum harbour from = read_harbour(pair, hint);
        enum harbour to = from ? read_harbour(colon + 1, hint) : HARBOUR_NONE;
        if (!to || from == to || barrels[from]) {
            return false;
        }
        barrels[from] = (uint8_t)to;
    } while (*value);
    memcpy(member, barrels, sizeof barrels);
    return true;
}

void config_describe_barrels(const struct config_key *key, struct text *text)
{
    (void)key;
    text_add(text, "pairs of two colours with commas between them, each colour once in front: "
                   "red:blue,blue:red");
}

/*
 * Commands of push buttons
 */

static bool is_command(enum input_kind kind)
{
    return rules_input_source(kind) == SOURCE_COMMAND;
}

/* The command with its fields, those that may be left out in brackets: `move [piece=...]`. */
static void add_usage(struct text *text, enum input_kind kind)
{
    uint32_t needs = rules_input_needs(kind);

    text_add(text, "it is written ");
    text_add(text, rules_input_name(kind));
    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        uint32_t wanted = bit(field);
        if (rules_input_fields(kind) & wanted) {
            text_add(text, needs & wanted ? " " : " [");
            text_add(text, field_key((enum field)field));
            text_add(text, needs & wanted ? "=..." : "=...]");
        }
    }
}

static void add_command_hint(struct text *hint, const char *verb)
{
    enum input_kind kind = rules_input_named(verb);

    if (is_command(kind)) {
        add_usage(hint, kind);
        return;
    }
    struct nearest nearest = nearest_begin(verb);
    for (unsigned i = 1; i < INPUT_COUNT; i++) {
        if (is_command((enum input_kind)i)) {
            nearest_offer(&nearest, rules_input_name((enum input_kind)i));
        }
    }
    config_add_guess(hint, nearest.best);
}

bool config_read_command(const struct config_key *key, const char *value, void *member,
                         struct text *hint)
{
    struct input input;
    char verb[ITEM_SIZE];
    const char *rest = value;

    if (line_read_input(value, &input) == 0 && is_command(input.kind)) {
        return config_read_text(key, value, member, hint);
    }
    config_next_item(&rest, verb, sizeof verb);
    add_command_hint(hint, verb);
    return false;
}

void config_describe_command(const struct config_key *key, struct text *text)
{
    (void)key;
    text_add(text, "a command with its fields, such as end-phase or roll-move value=2");
}
