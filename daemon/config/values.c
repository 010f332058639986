/* The types of values: how each is read from a file and described in messages and documents. */
#include "config_internal.h"

#include "rules/fields.h"
#include "rules/line.h"
#include "rules/nearest.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

enum { MILLI_DECIMALS = 3, DIGITS_MAX = 9, ITEM_SIZE = 32, OFFSET_MAX = 65535, WORDS_MAX = 8 };

typedef bool read_fn(const struct config_key *key, const char *value, void *member,
                     struct text *hint);
typedef void describe_fn(const struct config_key *key, struct text *text);

static read_fn read_text, read_segment, read_prefix, read_hosts, read_number, read_word,
    read_harbours, read_die, read_barrels, read_line, read_command, read_database, read_characters,
    read_time_zone, read_host_name, read_ssh_key, read_name;
static describe_fn describe_text, describe_segment, describe_prefix, describe_number, describe_word,
    describe_die;

static const struct {
    read_fn *read;
    describe_fn *describe;
    const char *description; /* where it is the same for every key */
} types[TYPE_COUNT] = {
    [TYPE_TEXT] = {read_text, describe_text, NULL},
    [TYPE_NAME] = {read_name, NULL, "text of 1 to 40 characters, not all invisible"},
    [TYPE_FILE] = {read_text, NULL, "the path of a readable file"},
    [TYPE_SEGMENT] = {read_segment, describe_segment, NULL},
    [TYPE_PREFIX] = {read_prefix, describe_prefix, NULL},
    [TYPE_HOSTS] =
        {read_hosts, NULL,
         "a host, or several separated by commas, each optionally with its port, such as "
         "a.local, b.local:1884"},
    [TYPE_NUMBER] = {read_number, describe_number, NULL},
    [TYPE_MILLI] = {read_number, describe_number, NULL},
    [TYPE_YES_NO] = {read_word, describe_word, NULL},
    [TYPE_VARIANT] = {read_word, describe_word, NULL},
    [TYPE_SCENARIO] = {read_word, describe_word, NULL},
    [TYPE_DICE] = {read_word, describe_word, NULL},
    [TYPE_FIRST] = {read_word, describe_word, NULL},
    [TYPE_BACKEND] = {read_word, describe_word, NULL},
    [TYPE_HARBOURS] = {read_harbours, NULL, "one or two of red, blue, green and yellow"},
    [TYPE_MOVE_DIE] = {read_die, describe_die, NULL},
    [TYPE_COMBAT_DIE] = {read_die, describe_die, NULL},
    [TYPE_DATABASE] = {read_database, NULL, "sqlite: and a path, or postgresql://..."},
    [TYPE_BARRELS] = {read_barrels, NULL,
                      "pairs of colours separated by commas, each colour once on the left, such "
                      "as red:blue,blue:red"},
    [TYPE_LINE] = {read_line, NULL,
                   "a line such as GPIO17 or gpiochip0:17, optionally followed by active-low, "
                   "pull-up, pull-down or no-bias; or mqtt TOPIC, or node NODE SENSOR"},
    [TYPE_COMMAND] = {read_command, NULL,
                      "a command with its fields, such as end-phase or roll-move value=2"},
    [TYPE_WIFI_PASSWORD] = {read_characters, NULL,
                            "8 to 63 letters, digits and signs, without umlauts or accents"},
    [TYPE_COUNTRY] = {read_characters, NULL, "two capital letters such as CZ, DE or GB"},
    [TYPE_USER_PASSWORD] = {read_characters, NULL, "letters, digits, or . _ ~ -"},
    [TYPE_LANGUAGE] = {read_word, describe_word, NULL},
    [TYPE_TIME_ZONE] = {read_time_zone, NULL, "a time zone such as Europe/Prague"},
    [TYPE_HOST_NAME] = {read_host_name, NULL,
                        "1 to 63 small letters, digits or -, without - at the ends"},
    [TYPE_SSH_KEY] = {read_ssh_key, NULL,
                      "the line of a public key, which begins with ssh-ed25519 or the like"},
};

static_assert(NAME_CHARACTERS_MAX == 40, "as the description of a name says");

/* Types that accept a list of words. The first word has the value `first`, the others follow. */
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
    [TYPE_LANGUAGE] = {LANGUAGE_NONE + 1, {CONFIG_LANGUAGES(WORD)}},
};

#define SMALL_LETTERS "abcdefghijklmnopqrstuvwxyz"
#define CAPITAL_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* Types that accept these characters only. */
static const char *const characters_of[TYPE_COUNT] = {
    [TYPE_WIFI_PASSWORD] =
        (SMALL_LETTERS CAPITAL_LETTERS DIGITS " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    [TYPE_COUNTRY] = CAPITAL_LETTERS,
    [TYPE_USER_PASSWORD] = (SMALL_LETTERS CAPITAL_LETTERS DIGITS "._~-"),
    [TYPE_TIME_ZONE] = (SMALL_LETTERS CAPITAL_LETTERS DIGITS "_+-/"),
    [TYPE_HOST_NAME] = (SMALL_LETTERS DIGITS "-"),
};

bool config_read_value(const struct config_key *key, const char *value, void *member,
                       struct text *hint)
{
    /* An empty value resets the key to its empty default. */
    if (*value == '\0' && *key->default_value == '\0') {
        memset(member, 0, key->size);
        return true;
    }
    return types[key->type].read(key, value, member, hint);
}

void config_describe_value(const struct config_key *key, struct text *text)
{
    if (types[key->type].describe) {
        types[key->type].describe(key, text);
    } else {
        text_add(text, types[key->type].description);
    }
}

const char *config_word(const struct config_key *key, const void *member)
{
    uint32_t number = 0;

    if (!words_of[key->type].words[0]) {
        return member;
    }
    memcpy(&number, member, key->size); /* little endian, as are all machines that Debian runs on */
    return words_of[key->type].words[number - words_of[key->type].first];
}

bool config_is_secret(const struct config_key *key)
{
    return key->type == TYPE_WIFI_PASSWORD || key->type == TYPE_USER_PASSWORD;
}

const char *config_backend_name(enum backend backend)
{
    return words_of[TYPE_BACKEND].words[backend - words_of[TYPE_BACKEND].first];
}

void config_add_guess(struct text *hint, const char *guess)
{
    if (guess) {
        text_add(hint, "did you mean ");
        text_add(hint, guess);
        text_add(hint, "?");
    }
}

/* Copies the next item of a list, cut off at size, and moves on; rest is "" at the end. */
static void next_item(const char **rest, char *item, size_t size)
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

/*
 * Numbers
 */

/* A number in units of its last decimal: with 3 decimals, 1.5 is 1500. */
static bool read_decimal(const char *value, unsigned decimals, uint32_t *number)
{
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

static void store_number(const struct config_key *key, uint32_t number, void *member)
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

static bool read_number(const struct config_key *key, const char *value, void *member,
                        struct text *hint)
{
    unsigned decimals = key->type == TYPE_MILLI ? MILLI_DECIMALS : 0;
    uint32_t number;

    (void)hint;
    if (!read_decimal(value, decimals, &number) || number < key->min || number > key->max) {
        return false;
    }
    store_number(key, number, member);
    return true;
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
            store_number(key, words_of[key->type].first + i, member);
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

/*
 * Text: names, paths, parts of topics
 */

/* Clears the rest of the member, because configurations are compared byte by byte. */
static bool store_text(const struct config_key *key, const char *value, void *member)
{
    size_t length = strlen(value);

    if (length < key->min || length > key->max) {
        return false;
    }
    memset(member, 0, key->size);
    memcpy(member, value, length);
    return true;
}

static bool read_text(const struct config_key *key, const char *value, void *member,
                      struct text *hint)
{
    (void)hint;
    return text_is_plain(value) && store_text(key, value, member);
}

static void describe_text(const struct config_key *key, struct text *text)
{
    text_add(text, key->min ? "text of 1 to " : "text of up to ");
    text_add_number(text, key->max);
    text_add(text, " bytes");
}

static bool read_name(const struct config_key *key, const char *value, void *member,
                      struct text *hint)
{
    (void)hint;
    return rules_is_name(value) && store_text(key, value, member);
}

static bool read_database(const struct config_key *key, const char *value, void *member,
                          struct text *hint)
{
    static const char sqlite[] = "sqlite:";
    bool is_file = strncmp(value, sqlite, strlen(sqlite)) == 0 && value[strlen(sqlite)];
    bool is_server = strncmp(value, "postgresql://", strlen("postgresql://")) == 0 ||
                     strncmp(value, "postgres://", strlen("postgres://")) == 0;

    return (is_file || is_server || !*value) && read_text(key, value, member, hint);
}

/* The length of the part of a topic at the start of the text. */
static size_t segment_length(const char *text)
{
    return strspn(text, SMALL_LETTERS CAPITAL_LETTERS DIGITS "-_");
}

bool config_is_segment(const char *text, size_t length_max)
{
    size_t length = segment_length(text);

    return length > 0 && length <= length_max && text[length] == '\0';
}

static bool read_segment(const struct config_key *key, const char *value, void *member,
                         struct text *hint)
{
    (void)hint;
    return config_is_segment(value, key->max) && store_text(key, value, member);
}

static void describe_segment(const struct config_key *key, struct text *text)
{
    text_add(text, "1 to ");
    text_add_number(text, key->max);
    text_add(text, " letters, digits, - or _");
}

static bool read_characters(const struct config_key *key, const char *value, void *member,
                            struct text *hint)
{
    (void)hint;
    return value[strspn(value, characters_of[key->type])] == '\0' && store_text(key, value, member);
}

static bool read_time_zone(const struct config_key *key, const char *value, void *member,
                           struct text *hint)
{
    static const char zones[] = "/usr/share/zoneinfo/";
    char path[sizeof zones + CONFIG_LINE_SIZE];
    struct text text = text_begin(path, sizeof path);

    text_add(&text, zones);
    text_add(&text, value);
    return access(path, R_OK) == 0 && read_characters(key, value, member, hint);
}

static bool read_host_name(const struct config_key *key, const char *value, void *member,
                           struct text *hint)
{
    size_t length = strlen(value);

    return length > 0 && value[0] != '-' && value[length - 1] != '-' &&
           read_characters(key, value, member, hint);
}

static bool read_ssh_key(const struct config_key *key, const char *value, void *member,
                         struct text *hint)
{
    bool is_key = strncmp(value, "ssh-", strlen("ssh-")) == 0 ||
                  strncmp(value, "ecdsa-", strlen("ecdsa-")) == 0 ||
                  strncmp(value, "sk-", strlen("sk-")) == 0;

    return is_key && strchr(value, ' ') && read_text(key, value, member, hint);
}

static bool read_prefix(const struct config_key *key, const char *value, void *member,
                        struct text *hint)
{
    const char *rest = value;
    size_t length = segment_length(rest);

    (void)hint;
    while (length > 0 && rest[length] == '/') {
        rest += length + 1;
        length = segment_length(rest);
    }
    return length > 0 && rest[length] == '\0' && store_text(key, value, member);
}

static void describe_prefix(const struct config_key *key, struct text *text)
{
    describe_segment(key, text);
    text_add(text, ", optionally in parts separated by /");
}

/* Behind an IPv6 address there is a port only if the address is in brackets. */
static bool is_host(const char *item)
{
    const char *address = item[0] == '[' ? strchr(item, ']') : item;
    const char *colon = address ? strchr(address, ':') : NULL;
    uint32_t port = 1;

    if (!address || (item[0] == '[' && address[1] && colon != address + 1)) {
        return false;
    }
    if (colon && !strchr(colon + 1, ':') && (colon == item || !read_decimal(colon + 1, 0, &port))) {
        return false;
    }
    return item[0] && port > 0 && port <= UINT16_MAX;
}

static bool read_hosts(const struct config_key *key, const char *value, void *member,
                       struct text *hint)
{
    const char *rest = value;

    (void)hint;
    do {
        char host[CONFIG_TEXT_SIZE];
        next_item(&rest, host, sizeof host);
        if (!is_host(host)) {
            return false;
        }
    } while (*rest);
    return store_text(key, value, member);
}

/*
 * Harbours, dice and barrels
 */

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

static bool read_harbours(const struct config_key *key, const char *value, void *member,
                          struct text *hint)
{
    unsigned set = 0;
    unsigned count = 0;

    do {
        char name[ITEM_SIZE];
        next_item(&value, name, sizeof name);
        enum harbour harbour = read_harbour(name, hint);
        if (!harbour || (set & (1U << harbour)) || ++count > 2) {
            return false;
        }
        set |= 1U << harbour;
    } while (*value);
    store_number(key, set, member);
    return true;
}

static uint32_t read_face(const struct config_key *key, const char *item)
{
    uint32_t number;

    if (key->type == TYPE_COMBAT_DIE) {
        return rules_face_named(item);
    }
    return read_decimal(item, 0, &number) && number <= key->max ? number : 0;
}

/* Unused faces are 0; check.c counts the used ones. */
static bool read_die(const struct config_key *key, const char *value, void *member,
                     struct text *hint)
{
    uint8_t faces[DIE_FACES_MAX] = {0};
    unsigned count = 0;

    (void)hint;
    do {
        char item[ITEM_SIZE];
        next_item(&value, item, sizeof item);
        uint32_t face = read_face(key, item);
        if (face == 0 || count == DIE_FACES_MAX) {
            return false;
        }
        faces[count++] = (uint8_t)face;
    } while (*value);
    memcpy(member, faces, sizeof faces);
    return true;
}

static void describe_die(const struct config_key *key, struct text *text)
{
    text_add(text, "1 to ");
    text_add_number(text, DIE_FACES_MAX);
    text_add(text, " faces separated by commas, each ");
    if (key->type == TYPE_COMBAT_DIE) {
        text_add(text, "flag or swords");
    } else {
        describe_number(key, text);
    }
}

/* ME1: pairs of colours, `from:to`. */
static bool read_barrels(const struct config_key *key, const char *value, void *member,
                         struct text *hint)
{
    uint8_t barrels[HARBOUR_COUNT] = {0};

    (void)key;
    do {
        char pair[ITEM_SIZE];
        next_item(&value, pair, sizeof pair);
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

/*
 * Commands of push buttons
 */

static bool is_command(enum input_kind kind)
{
    return rules_input_source(kind) == SOURCE_COMMAND;
}

/* The command with its fields, optional ones in brackets: `move [piece=...]`. */
static void add_usage(struct text *text, enum input_kind kind)
{
    uint32_t needs = rules_input_needs(kind);

    text_add(text, "usage: ");
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

static bool read_command(const struct config_key *key, const char *value, void *member,
                         struct text *hint)
{
    struct input input;
    char verb[ITEM_SIZE];
    const char *rest = value;

    if (line_read_input(value, &input) == 0 && is_command(input.kind)) {
        return read_text(key, value, member, hint);
    }
    next_item(&rest, verb, sizeof verb);
    add_command_hint(hint, verb);
    return false;
}

/*
 * GPIO lines: `GPIO17`, `gpiochip2:5`, `LABEL:5` or, on the default chip, `5`; then flags
 */

static const struct {
    const char *name;
    enum line_bias bias;
    bool active_low;
} flags[] = {
    {"active-low", BIAS_AS_IS, true},
    {"pull-up", BIAS_PULL_UP, false},
    {"pull-down", BIAS_PULL_DOWN, false},
    {"no-bias", BIAS_NONE, false},
};

enum { FLAG_COUNT = sizeof flags / sizeof flags[0] };

static bool read_flag(const char *name, struct line_config *line, struct text *hint)
{
    struct nearest nearest = nearest_begin(name);

    for (unsigned i = 0; i < FLAG_COUNT; i++) {
        if (strcmp(flags[i].name, name) != 0) {
            nearest_offer(&nearest, flags[i].name);
            continue;
        }
        if (flags[i].bias && line->bias) {
            text_add(hint, "use only one of pull-up, pull-down and no-bias");
            return false;
        }
        line->active_low |= flags[i].active_low;
        line->bias = (uint8_t)(line->bias | flags[i].bias);
        return true;
    }
    config_add_guess(hint, nearest.best);
    return false;
}

/* A label may contain colons: the last colon separates it from the number. */
static bool read_place(const char *place, struct line_config *line)
{
    const char *colon = strrchr(place, ':');
    const char *number = colon ? colon + 1 : place;
    size_t chip_length = colon ? (size_t)(colon - place) : 0;
    size_t length = strlen(place);

    if (read_decimal(number, 0, &line->offset)) {
        memcpy(line->chip, place, chip_length);
        return line->offset <= OFFSET_MAX && (!colon || chip_length > 0);
    }
    memcpy(line->name, place, length);
    return length > 0 && !colon;
}

static bool read_line(const struct config_key *key, const char *value, void *member,
                      struct text *hint)
{
    struct line_config line;
    char place[LINE_TEXT_SIZE];

    memset(&line, 0, sizeof line);
    if (config_is_radio(value)) {
        return config_read_radio(value, member, hint);
    }
    if (strcspn(value, ", \t") >= sizeof place) {
        return false;
    }
    next_item(&value, place, sizeof place);
    if (!read_place(place, &line)) {
        return false;
    }
    while (*value) {
        char flag[ITEM_SIZE];
        next_item(&value, flag, sizeof flag);
        if (!read_flag(flag, &line, hint)) {
            return false;
        }
    }
    line.fitted = true;
    memcpy(member, &line, key->size);
    return true;
}

void config_write_line(const struct line_config *line, bool with_flags, struct text *text)
{
    if (line->source != LINE_GPIO) {
        config_write_radio(line, with_flags, text);
        return;
    }
    text_add(text, line->chip);
    text_add(text, line->chip[0] ? ":" : "");
    if (line->name[0]) {
        text_add(text, line->name);
    } else {
        text_add_number(text, line->offset);
    }
    for (unsigned i = 0; i < FLAG_COUNT && with_flags; i++) {
        if (flags[i].active_low ? line->active_low : flags[i].bias == line->bias) {
            text_add(text, " ");
            text_add(text, flags[i].name);
        }
    }
}
