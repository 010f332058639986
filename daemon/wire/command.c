/*
 * Commands in. A payload may hold anything: it is read within bounds and refused with a sentence
 * that names the field and what it accepts. Commands and their fields are those of words.h.
 */
#include "wire/wire.h"

#include "rules/fields.h"
#include "rules/nearest.h"
#include "rules/text.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    DECIMALS_MAX = 6,
    MILLION = 1000000,
    NUMBER_SIZE = 32,
    QUOTE_SIZE = 40, /* bytes of an unknown word that a message repeats */
    WORDS_SIZE = 128,
};

#define WORD(name, ...) FIRST_OF(__VA_ARGS__, ),
#define FIRST_OF(word, ...) word
static const char *const variants[] = {RULES_VARIANTS(WORD) NULL};
static const char *const scenarios[] = {RULES_SCENARIOS(WORD) NULL};
static const char *const dice[] = {RULES_DICE(WORD) NULL};
static const char *const harbours[] = {RULES_HARBOURS(WORD) NULL};
static const char *const faces[] = {RULES_FACES(WORD) NULL};

/* What a field accepts: one of a list of words, or a value that is described. */
static const struct {
    const char *const *words;
    const char *description;
} accepted[FIELD_COUNT] = {
    [FIELD_PIECE] = {NULL, "the name of a piece, such as \"red-1\""},
    [FIELD_ATTACKER] = {NULL, "the name of a piece, such as \"red-1\""},
    [FIELD_TARGET] = {NULL, "the name of a piece, such as \"red-1\""},
    [FIELD_HARBOUR] = {harbours, NULL},
    [FIELD_DIE] = {NULL, "a whole number on the die, such as 2"},
    [FIELD_FACE] = {faces, NULL},
    [FIELD_KNOTS] = {NULL, "a number of knots above 0, such as 1.62"},
};

static json_t *parse(const void *payload, size_t size, struct command *command);
static bool read_id(const json_t *object, struct command *command);
static bool read_verb(const char *verb, struct command *command);
static bool read_fields(json_t *object, struct command *command);
static bool read_new_game(json_t *object, const struct wire_defaults *defaults,
                          struct command *command);
static bool is_start_game(const char *verb);
static bool refuse(struct command *command, enum refusal refusal, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void wire_read_command(const char *verb, const void *payload, size_t size,
                       const struct wire_defaults *defaults, struct command *command)
{
    memset(command, 0, sizeof *command);
    json_t *object = parse(payload, size, command);

    /* The id comes first, so that the reply to a refused command has it. */
    if (object && read_id(object, command) && read_verb(verb, command)) {
        if (is_start_game(verb) && json_object_get(object, "abandon")) {
            refuse(command, REFUSED_BAD_VALUE,
                   WIRE_START_GAME " cannot abandon a running game; use new-game.");
        } else if (command->input.kind == INPUT_NEW_GAME) {
            read_new_game(object, defaults, command);
        } else {
            read_fields(object, command);
        }
    }
    json_decref(object);
}

/* The object in the payload, or NULL and the refusal. Jansson limits the depth. */
static json_t *parse(const void *payload, size_t size, struct command *command)
{
    json_error_t error;

    if (size > COMMAND_SIZE_MAX) {
        refuse(command, REFUSED_TOO_LARGE, "The command is larger than %d bytes.",
               COMMAND_SIZE_MAX);
        return NULL;
    }
    if (size == 0) {
        payload = "{}";
        size = strlen(payload);
    }
    /* Integers as reals, so that one beyond 64 bits is a bad value and not bad JSON. */
    json_t *json =
        json_loadb(payload, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (json_is_object(json)) {
        return json;
    }
    if (json) {
        refuse(command, REFUSED_BAD_JSON, "A command must be a JSON object, such as {}.");
    } else if (json_error_code(&error) == json_error_numeric_overflow) {
        refuse(command, REFUSED_BAD_VALUE, "A number in the command is too large.");
    } else if (json_error_code(&error) == json_error_null_character) {
        refuse(command, REFUSED_BAD_JSON, "A string in the command contains NUL.");
    } else {
        refuse(command, REFUSED_BAD_JSON, "Invalid JSON: %s at byte %d.", error.text,
               error.position);
    }
    json_decref(json);
    return NULL;
}

/*
 * Refusals; each returns false
 */

static bool refuse(struct command *command, enum refusal refusal, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command->message, sizeof command->message, format, arguments);
    va_end(arguments);
    command->refusal = refusal;
    return false;
}

static bool refuse_value(struct command *command, const char *field, const char *description)
{
    return refuse(command, REFUSED_BAD_VALUE, "\"%s\" must be %s.", field, description);
}

/* Adds `"flag" or "swords"`. */
static void add_words(struct text *text, const char *const *words)
{
    for (unsigned i = 0; words[i]; i++) {
        text_add(text, i == 0 ? "\"" : words[i + 1] ? ", \"" : " or \"");
        text_add(text, words[i]);
        text_add(text, "\"");
    }
}

/* The value must be one of the words; the message says which one is near. */
static bool refuse_name(struct command *command, const char *field, const char *value,
                        const char *const *words)
{
    struct nearest nearest = nearest_begin(value);
    char list[sizeof command->message];
    struct text text = text_begin(list, sizeof list);

    for (unsigned i = 0; words[i]; i++) {
        nearest_offer(&nearest, words[i]);
    }
    add_words(&text, words);
    if (nearest.best) {
        return refuse(command, REFUSED_BAD_VALUE, "\"%s\" must be %s; did you mean \"%s\"?", field,
                      list, nearest.best);
    }
    return refuse_value(command, field, list);
}

/* `Unknown WHAT "WORD"; did you mean "NEAREST"?`, the question only if a word is near. */
static bool refuse_word(struct command *command, enum refusal refusal, const char *what,
                        const struct nearest *nearest)
{
    char word[QUOTE_SIZE];

    text_quote(nearest->word, word, sizeof word);
    if (nearest->best) {
        return refuse(command, refusal, "Unknown %s \"%s\"; did you mean \"%s\"?", what, word,
                      nearest->best);
    }
    return refuse(command, refusal, "Unknown %s \"%s\".", what, word);
}

/*
 * Values
 */

/* The number with up to six decimals. printf would use the decimal point of the locale. */
static const char *number_text(double number, char buffer[NUMBER_SIZE])
{
    struct text text = text_begin(buffer, NUMBER_SIZE);

    if (!(fabs(number) < INT32_MAX)) {
        return NULL;
    }
    /* Rounded by hand: linking libm for this alone would cost 300 KiB. */
    int64_t millionths = (int64_t)(fabs(number) * MILLION + 0.5);
    if (number < 0 && millionths > 0) {
        text_add(&text, "-");
    }
    text_add_number(&text, millionths / MILLION);
    if (millionths % MILLION) {
        char digits[DECIMALS_MAX + 2];
        size_t length =
            (size_t)snprintf(digits, sizeof digits, ".%06d", (int)(millionths % MILLION));
        while (digits[length - 1] == '0') {
            length--;
        }
        text_add_some(&text, digits, length);
    }
    return buffer;
}

/* A string, or a number as text. NULL for anything else. */
static const char *scalar_text(const json_t *value, char buffer[NUMBER_SIZE])
{
    if (json_is_string(value)) {
        return json_string_value(value);
    }
    return json_is_number(value) ? number_text(json_number_value(value), buffer) : NULL;
}

/* The string, or "", which no list of words contains. */
static const char *word_of(const json_t *value)
{
    return json_is_string(value) ? json_string_value(value) : "";
}

/* A number or digit from 1 to most (at most 9); 0 for anything else. */
static uint8_t small_number(const json_t *value, unsigned most)
{
    char buffer[NUMBER_SIZE];
    const char *text = scalar_text(value, buffer);

    if (!text || strlen(text) != 1 || text[0] < '1' || text[0] > (char)('0' + most)) {
        return 0;
    }
    return (uint8_t)(text[0] - '0');
}

/* true and false, or yes and no as in the configuration. */
static bool read_bool(struct command *command, const char *field, const json_t *value, bool *is)
{
    bool yes = json_is_true(value) || strcmp(word_of(value), "yes") == 0;

    if (!yes && !json_is_false(value) && strcmp(word_of(value), "no") != 0) {
        return refuse_value(command, field, "true or false");
    }
    *is = yes;
    return true;
}

/* Calls take for each word of a list separated by commas or spaces, until it returns false. */
typedef bool word_fn(void *context, char *word);
static bool read_words(const char *list, word_fn *take, void *context)
{
    char copy[WORDS_SIZE];
    char *rest;

    if (strlen(list) >= sizeof copy) {
        return false;
    }
    memcpy(copy, list, strlen(list) + 1);
    for (char *word = strtok_r(copy, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest)) {
        if (!take(context, word)) {
            return false;
        }
    }
    return true;
}

/*
 * A string of 1 to size - 1 bytes without control characters. The rest of the buffer is zeroed,
 * because games are compared byte by byte.
 */
static bool read_plain_text(struct command *command, const char *field, const json_t *value,
                            char *buffer, size_t size)
{
    const char *text = word_of(value);
    size_t length = strlen(text);

    if (length == 0 || length >= size || !text_is_plain(text)) {
        return refuse(command, REFUSED_BAD_VALUE,
                      "\"%s\" must be a string of 1 to %zu bytes without control characters.",
                      field, size - 1);
    }
    memset(buffer, 0, size);
    memcpy(buffer, text, length + 1);
    return true;
}

static bool read_player_name(struct command *command, const json_t *value, char name[NAME_SIZE])
{
    if (!rules_is_name(word_of(value))) {
        return refuse(command, REFUSED_BAD_VALUE,
                      "\"name\" must be a string of 1 to %d characters, not only blanks and "
                      "without control characters.",
                      NAME_CHARACTERS_MAX);
    }
    return read_plain_text(command, "name", value, name, NAME_SIZE);
}

/*
 * Pairing
 */

void wire_read_pair(const void *payload, size_t size, struct command *command,
                    char sensor[WIRE_SENSOR_SIZE])
{
    const char *key;
    json_t *value;

    memset(command, 0, sizeof *command);
    sensor[0] = '\0';
    json_t *object = parse(payload, size, command);
    bool is_fine = object && read_id(object, command);
    json_object_foreach(object, key, value)
    {
        struct nearest nearest = nearest_begin(key);
        nearest_offer(&nearest, "sensor");
        if (is_fine && strcmp(key, "sensor") == 0) {
            is_fine = read_plain_text(command, "sensor", value, sensor, WIRE_SENSOR_SIZE);
        } else if (is_fine && strcmp(key, "id") != 0) {
            is_fine = refuse_word(command, REFUSED_BAD_VALUE, "field", &nearest);
        }
    }
    json_decref(object);
}

/*
 * Queries
 */

#define QUERY_VERB(name, verb) [QUERY_##name] = (verb),
static const char *const query_verbs[QUERY_COUNT] = {WIRE_QUERIES(QUERY_VERB)};

enum query_type { QUERY_NUMBER, QUERY_TRUTH, QUERY_GAME };

enum { SEQ_MAX = 999999999 };

static const struct query_field {
    const char *key;
    enum query_type type;
    uint32_t queries; /* a set: those that have it */
    uint32_t needed;  /* those that need it */
    size_t offset;    /* in struct wire_query */
    uint32_t most;    /* of a number */
    const char *description;
} query_fields[] = {
    {"from", QUERY_NUMBER, 1U << QUERY_HISTORY, 0, offsetof(struct wire_query, from), SEQ_MAX,
     "the seq of an event, from 1"},
    {"game", QUERY_GAME, 1U << QUERY_HISTORY | 1U << QUERY_LOOK_BACK, 0,
     offsetof(struct wire_query, game), 0, NULL},
    {"states", QUERY_TRUTH, 1U << QUERY_HISTORY, 0, offsetof(struct wire_query, states), 0, NULL},
    {"before", QUERY_GAME, 1U << QUERY_GAMES, 0, offsetof(struct wire_query, before), 0, NULL},
    {"limit", QUERY_NUMBER, 1U << QUERY_GAMES, 0, offsetof(struct wire_query, limit),
     WIRE_GAMES_MAX, "a whole number from 1 to 50"},
    {"seq", QUERY_NUMBER, 1U << QUERY_LOOK_BACK, 1U << QUERY_LOOK_BACK,
     offsetof(struct wire_query, seq), SEQ_MAX, "the seq of an event, from 1"},
};
enum { QUERY_FIELD_COUNT = sizeof query_fields / sizeof query_fields[0] };

static_assert(WIRE_GAMES_MAX == 50, "as the description of limit says");

const char *wire_query_name(enum query_kind kind)
{
    return query_verbs[kind];
}

enum query_kind wire_query_named(const char *verb)
{
    for (unsigned kind = 1; kind < QUERY_COUNT; kind++) {
        if (strcmp(query_verbs[kind], verb) == 0) {
            return (enum query_kind)kind;
        }
    }
    return QUERY_NONE;
}

const char *wire_query_field(enum query_kind kind, unsigned index, bool *is_needed)
{
    for (unsigned i = 0; i < QUERY_FIELD_COUNT; i++) {
        if ((query_fields[i].queries & bit(kind)) && index-- == 0) {
            *is_needed = query_fields[i].needed & bit(kind);
            return query_fields[i].key;
        }
    }
    return NULL;
}

/* A whole number from 1 to most; 0 for anything else. */
static uint32_t whole_number(const json_t *value, uint32_t most)
{
    char buffer[NUMBER_SIZE];
    const char *text = scalar_text(value, buffer);
    uint64_t number = 0;

    for (; text && *text && number <= most; text++) {
        if (*text < '0' || *text > '9') {
            return 0;
        }
        number = number * 10 + (uint64_t)(*text - '0');
    }
    return number <= most ? (uint32_t)number : 0;
}

static bool read_query_field(struct command *command, const struct query_field *field,
                             const json_t *value, struct wire_query *query)
{
    char *member = (char *)query + field->offset;
    uint32_t number;

    switch (field->type) {
    case QUERY_TRUTH:
        return read_bool(command, field->key, value, (bool *)member);
    case QUERY_GAME:
        return read_plain_text(command, field->key, value, member, GAME_ID_SIZE);
    case QUERY_NUMBER:
        number = whole_number(value, field->most);
        memcpy(member, &number, sizeof number);
        return number || refuse_value(command, field->key, field->description);
    }
    return false;
}

static bool read_query_member(struct command *command, const char *key, const json_t *value,
                              struct wire_query *query)
{
    struct nearest nearest = nearest_begin(key);

    for (unsigned i = 0; i < QUERY_FIELD_COUNT; i++) {
        const struct query_field *field = &query_fields[i];
        if (field->queries & bit(query->kind)) {
            if (strcmp(field->key, key) == 0) {
                return read_query_field(command, field, value, query);
            }
            nearest_offer(&nearest, field->key);
        }
    }
    return refuse_word(command, REFUSED_BAD_VALUE, "field", &nearest);
}

static bool read_query(json_t *object, struct command *command, struct wire_query *query)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        if (strcmp(key, "id") != 0 && !read_query_member(command, key, value, query)) {
            return false;
        }
    }
    for (unsigned i = 0; i < QUERY_FIELD_COUNT; i++) {
        const struct query_field *field = &query_fields[i];
        if ((field->needed & bit(query->kind)) && !json_object_get(object, field->key)) {
            return refuse(command, REFUSED_MISSING_FIELD, "%s requires \"%s\": %s.",
                          query_verbs[query->kind], field->key, field->description);
        }
    }
    return true;
}

void wire_read_query(enum query_kind kind, const void *payload, size_t size,
                     struct command *command, struct wire_query *query)
{
    memset(command, 0, sizeof *command);
    *query = (struct wire_query){.kind = kind, .limit = WIRE_GAMES_DEFAULT};
    json_t *object = parse(payload, size, command);

    if (object && read_id(object, command)) {
        read_query(object, command, query);
    }
    json_decref(object);
}

/*
 * Commands with the fields of words.h
 */

static bool read_id(const json_t *object, struct command *command)
{
    const json_t *value = json_object_get(object, "id");

    return !value || read_plain_text(command, "id", value, command->id, sizeof command->id);
}

/* Clients cannot send inputs of sensors and timers. */
static bool is_verb(enum input_kind kind)
{
    return rules_input_source(kind) == SOURCE_COMMAND;
}

static bool is_start_game(const char *verb)
{
    return strcmp(verb, WIRE_START_GAME) == 0;
}

static bool read_verb(const char *verb, struct command *command)
{
    enum input_kind kind = is_start_game(verb) ? INPUT_NEW_GAME : rules_input_named(verb);
    struct nearest nearest = nearest_begin(verb);

    if (is_verb(kind)) {
        command->input.kind = kind;
        return true;
    }
    for (kind = 1; kind < INPUT_COUNT; kind++) {
        if (is_verb(kind)) {
            nearest_offer(&nearest, rules_input_name(kind));
        }
    }
    for (unsigned query = 1; query < QUERY_COUNT; query++) {
        nearest_offer(&nearest, wire_query_name((enum query_kind)query));
    }
    nearest_offer(&nearest, WIRE_START_GAME);
    nearest_offer(&nearest, WIRE_PAIR);
    nearest_offer(&nearest, WIRE_UNPAIR);
    return refuse_word(command, REFUSED_UNKNOWN_COMMAND, "command", &nearest);
}

static bool refuse_piece(struct command *command, const char *name)
{
    struct nearest nearest = nearest_begin(name);

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        nearest_offer(&nearest, rules_piece_name((enum piece)piece));
    }
    return refuse_word(command, REFUSED_UNKNOWN_PIECE, "piece", &nearest);
}

static bool read_field(struct command *command, enum field field, const json_t *value)
{
    char buffer[NUMBER_SIZE];
    const char *text = scalar_text(value, buffer);
    int refusal = text ? input_set_field(&command->input, field, text) : REFUSED_BAD_VALUE;

    if (!refusal) {
        return true;
    }
    /* A number instead of a name is a wrong type, not an unknown piece. */
    if (refusal == REFUSED_UNKNOWN_PIECE && json_is_string(value)) {
        return refuse_piece(command, text);
    }
    if (accepted[field].words) {
        return refuse_name(command, field_key(field), word_of(value), accepted[field].words);
    }
    return refuse_value(command, field_key(field), accepted[field].description);
}

static bool read_member(struct command *command, const char *key, const json_t *value)
{
    uint32_t known = rules_input_fields(command->input.kind);
    struct nearest nearest = nearest_begin(key);

    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        if (known & bit(field)) {
            if (strcmp(field_key((enum field)field), key) == 0) {
                return read_field(command, (enum field)field, value);
            }
            nearest_offer(&nearest, field_key((enum field)field));
        }
    }
    return refuse_word(command, REFUSED_BAD_VALUE, "field", &nearest);
}

static bool refuse_incomplete(struct command *command)
{
    uint32_t needs = rules_input_needs(command->input.kind);
    char list[sizeof command->message];
    struct text text = text_begin(list, sizeof list);
    unsigned field = 0;

    while (!(needs & bit(field)) ||
           input_value(&command->input, (enum field)field).kind != VALUE_NONE) {
        field++;
    }
    if (accepted[field].words) {
        add_words(&text, accepted[field].words);
    } else {
        text_add(&text, accepted[field].description);
    }
    return refuse(command, REFUSED_MISSING_FIELD, "%s requires \"%s\": %s.",
                  rules_input_name(command->input.kind), field_key((enum field)field), list);
}

static bool read_fields(json_t *object, struct command *command)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        if (strcmp(key, "id") != 0 && !read_member(command, key, value)) {
            return false;
        }
    }
    return !input_check_complete(&command->input) || refuse_incomplete(command);
}

/*
 * new-game: its fields override the configuration
 */

static bool read_rules(struct command *command, json_t *value)
{
    command->setup.variant = (uint8_t)rules_variant_named(word_of(value));
    return command->setup.variant || refuse_name(command, "rules", word_of(value), variants);
}

static bool read_scenario(struct command *command, json_t *value)
{
    command->setup.scenario = (uint8_t)rules_scenario_named(word_of(value));
    return command->setup.scenario || refuse_name(command, "scenario", word_of(value), scenarios);
}

static bool read_teams(struct command *command, json_t *value)
{
    bool teams = command->setup.teams;
    bool fits = read_bool(command, "teams", value, &teams);

    command->setup.teams = teams;
    return fits;
}

static bool read_dice(struct command *command, json_t *value)
{
    command->setup.dice = (uint8_t)rules_dice_named(word_of(value));
    return command->setup.dice || refuse_name(command, "dice", word_of(value), dice);
}

static bool read_first(struct command *command, json_t *value)
{
    const char *word = word_of(value);

    command->first_is_drawn = strcmp(word, "draw") == 0 || strcmp(word, "random") == 0;
    command->setup.first = small_number(value, PLAYERS_MAX);
    return command->first_is_drawn || command->setup.first ||
           refuse_value(command, "first", "\"draw\" or the number of a player, 1 to 4");
}

static bool read_abandon(struct command *command, json_t *value)
{
    return read_bool(command, "abandon", value, &command->input.abandon);
}

static bool read_anyway(struct command *command, json_t *value)
{
    return read_bool(command, "anyway", value, &command->anyway);
}

/* Barrels: {"red": "blue", ...} or "red:blue,..." as in the configuration. */

static bool set_barrel(struct setup *setup, const char *from, const char *to)
{
    enum harbour harbour = rules_harbour_named(from);
    enum harbour destination = rules_harbour_named(to);

    if (!harbour || !destination || setup->barrels[harbour]) {
        return false;
    }
    setup->barrels[harbour] = (uint8_t)destination;
    return true;
}

static bool set_barrel_pair(void *context, char *pair)
{
    const char *from = strsep(&pair, ":");

    return pair && set_barrel(context, from, pair);
}

static bool read_barrel_object(struct setup *setup, json_t *object)
{
    const char *harbour;
    json_t *destination;

    json_object_foreach(object, harbour, destination)
    {
        if (!set_barrel(setup, harbour, word_of(destination))) {
            return false;
        }
    }
    return json_is_object(object);
}

static bool read_barrels(struct command *command, json_t *value)
{
    command->barrels_are_drawn = false;
    memset(command->setup.barrels, 0, sizeof command->setup.barrels);
    bool fits = json_is_string(value)
                    ? read_words(json_string_value(value), set_barrel_pair, &command->setup)
                    : read_barrel_object(&command->setup, value);
    return fits || refuse_value(command, "barrels",
                                "an object of harbours and destinations, such as "
                                "{\"red\":\"blue\"}");
}

/* Players: [{"name": "Anna", "harbours": ["red"], "team": 1}, ...] */

static bool add_harbour(struct seat *seat, const char *name)
{
    enum harbour harbour = rules_harbour_named(name);

    if (!harbour || (seat->harbours & bit(harbour))) {
        return false;
    }
    seat->harbours = (uint8_t)(seat->harbours | bit(harbour));
    return true;
}

static bool add_harbour_word(void *context, char *word)
{
    return add_harbour(context, word);
}

/* A list, or "red, blue" as in the configuration. */
static bool read_harbours(struct seat *seat, json_t *value)
{
    size_t index;
    json_t *name;

    json_array_foreach(value, index, name)
    {
        if (!add_harbour(seat, word_of(name))) {
            return false;
        }
    }
    return read_words(word_of(value), add_harbour_word, seat) && seat->harbours;
}

static bool read_player_member(struct command *command, struct seat *seat, const char *key,
                               json_t *value)
{
    struct nearest nearest = nearest_begin(key);

    if (strcmp(key, "name") == 0) {
        return read_player_name(command, value, seat->name);
    }
    if (strcmp(key, "harbours") == 0) {
        return read_harbours(seat, value) ||
               refuse_value(command, "harbours",
                            "one or two of \"red\", \"blue\", \"green\" and \"yellow\"");
    }
    if (strcmp(key, "team") == 0) {
        seat->team = small_number(value, TEAMS_MAX);
        return seat->team || json_is_null(value) || refuse_value(command, "team", "1 or 2");
    }
    nearest_offer(&nearest, "name");
    nearest_offer(&nearest, "harbours");
    nearest_offer(&nearest, "team");
    return refuse_word(command, REFUSED_BAD_VALUE, "field of a player", &nearest);
}

static bool read_player(struct command *command, struct seat *seat, json_t *object)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        if (!read_player_member(command, seat, key, value)) {
            return false;
        }
    }
    return json_is_object(object) ||
           refuse_value(command, "players", "a list of objects such as {\"name\":\"Anna\"}");
}

/* A player without a name keeps the name of that seat in the configuration. */
static bool read_players(struct command *command, json_t *value)
{
    struct setup standard;
    size_t count = json_array_size(value);

    if (count < PLAYERS_MIN || count > PLAYERS_MAX) {
        return refuse_value(command, "players",
                            "a list of 2 to 4 players, such as [{\"name\":\"Anna\"},{}]");
    }
    rules_default_setup(&standard, (unsigned)count);
    for (unsigned player = 1; player <= count; player++) {
        struct seat *seat = &standard.seats[player];
        seat->harbours = 0;
        if (player <= command->setup.players) {
            memcpy(seat->name, command->setup.seats[player].name, sizeof seat->name);
        }
        if (!read_player(command, seat, json_array_get(value, player - 1))) {
            return false;
        }
    }
    command->setup.players = standard.players;
    memcpy(command->setup.seats, standard.seats, sizeof standard.seats);
    return true;
}

static const struct {
    const char *key;
    bool (*read)(struct command *command, json_t *value);
} setup_fields[] = {
    {"rules", read_rules},     {"scenario", read_scenario}, {"teams", read_teams},
    {"dice", read_dice},       {"first", read_first},       {"players", read_players},
    {"barrels", read_barrels}, {"abandon", read_abandon},   {"anyway", read_anyway},
};

static bool read_setup_field(struct command *command, const char *key, json_t *value)
{
    struct nearest nearest = nearest_begin(key);

    for (size_t i = 0; i < sizeof setup_fields / sizeof setup_fields[0]; i++) {
        if (strcmp(setup_fields[i].key, key) == 0) {
            return setup_fields[i].read(command, value);
        }
        nearest_offer(&nearest, setup_fields[i].key);
    }
    return refuse_word(command, REFUSED_BAD_VALUE, "field", &nearest);
}

/* ME1: whether rules/ accepts the barrels with these players. */
static bool barrels_fit(const struct setup *setup)
{
    struct setup merchant;
    enum rule rule = RULE_NONE;

    rules_default_setup(&merchant, setup->players);
    merchant.scenario = SCENARIO_MERCHANT;
    memcpy(merchant.seats, setup->seats, sizeof merchant.seats);
    memcpy(merchant.barrels, setup->barrels, sizeof merchant.barrels);
    return !rules_check_setup(&merchant, &rule) || rule != RULE_ME1;
}

/* The configured first player and barrels may not fit the players of the command: draw them. */
static void decide_draws(struct command *command, const json_t *object)
{
    struct setup *setup = &command->setup;

    if (!json_object_get(object, "first") && setup->first > setup->players) {
        command->first_is_drawn = true;
    }
    if (!json_object_get(object, "barrels") && !barrels_fit(setup)) {
        command->barrels_are_drawn = true;
    }
    if (command->first_is_drawn) {
        setup->first = PLAYER_NONE;
    }
    if (command->barrels_are_drawn) {
        memset(setup->barrels, 0, sizeof setup->barrels);
    }
}

static bool read_new_game(json_t *object, const struct wire_defaults *defaults,
                          struct command *command)
{
    const char *key;
    json_t *value;

    command->setup = *defaults->setup;
    command->first_is_drawn = defaults->first_is_drawn;
    command->barrels_are_drawn = defaults->barrels_are_drawn;
    json_object_foreach(object, key, value)
    {
        if (strcmp(key, "id") != 0 && !read_setup_field(command, key, value)) {
            return false;
        }
    }
    rules_share_harbours(&command->setup);
    rules_form_teams(&command->setup);
    decide_draws(command, object);
    return true;
}
