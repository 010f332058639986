/*
 * Sensors over MQTT, as they are written in a file:
 *
 *   mqtt TOPIC [VALUE | PATH=VALUE | PATH>NUMBER | PATH<NUMBER] [once] [alive=TOPIC]... [late=MS]
 *   node NODE SENSOR [late=MS]
 *
 * Words are separated by blanks; "..." keeps blanks, in a word or in a part of one. A word that
 * begins with a quote is a topic or a VALUE, whatever it looks like.
 */
#include "config_internal.h"

#include <string.h>

enum { WORD_SIZE = RADIO_TOPIC_SIZE + RADIO_TEXT_SIZE, NAME_MAX_LENGTH = 32 };

static const char blanks[] = " \t";

struct word {
    char text[WORD_SIZE];
    bool quoted; /* from its beginning */
};

bool config_is_radio(const char *value)
{
    size_t length = strcspn(value, blanks);

    return length == 4 && (strncmp(value, "mqtt", 4) == 0 || strncmp(value, "node", 4) == 0);
}

/* Takes the next word, "" at the end. False if it is too long or its quote does not end. */
static bool next_word(const char **rest, struct word *word, struct text *hint)
{
    const char *at = *rest + strspn(*rest, blanks);
    size_t length = 0;
    bool is_quoted = false;

    word->quoted = *at == '"';
    for (; *at && (is_quoted || !strchr(blanks, *at)); at++) {
        if (*at == '"') {
            is_quoted = !is_quoted;
        } else if (length + 1 == WORD_SIZE) {
            text_add(hint, "a word is too long");
            return false;
        } else {
            word->text[length++] = *at;
        }
    }
    word->text[length] = '\0';
    *rest = at;
    if (is_quoted) {
        text_add(hint, "a closing \" is missing");
    }
    return !is_quoted;
}

static bool fail(struct text *hint, const char *what)
{
    text_add(hint, what);
    return false;
}

static bool store(char *member, size_t size, const char *text)
{
    size_t length = strlen(text);

    if (length == 0 || length >= size || !text_is_plain(text)) {
        return false;
    }
    memcpy(member, text, length + 1);
    return true;
}

static bool store_topic(char topic[RADIO_TOPIC_SIZE], const char *text, struct text *hint)
{
    const char *problem = sensor_topic_problem(text);

    if (problem) {
        return fail(hint, problem);
    }
    return store(topic, RADIO_TOPIC_SIZE, text) || fail(hint, "expected a topic of 1 to 255 bytes");
}

/* Digits with an optional sign and decimals, independent of the locale. */
static bool read_decimal(const char *text, double *number)
{
    enum { DIGITS_MAX = 15 };
    bool is_negative = *text == '-';
    double sum = 0;
    double unit = 1;
    unsigned digits = 0;
    bool has_point = false;

    for (text += is_negative; *text; text++) {
        if (*text == '.' && digits > 0 && !has_point) {
            has_point = true;
        } else if (*text >= '0' && *text <= '9' && ++digits <= DIGITS_MAX) {
            sum = sum * 10 + (*text - '0');
            unit *= has_point ? 10 : 1;
        } else {
            return false;
        }
    }
    *number = (is_negative ? -sum : sum) / unit;
    return digits > 0 && text[-1] != '.';
}

static bool read_late(struct radio_source *radio, const char *text, struct text *hint)
{
    double number;

    if (radio->has_late || !read_decimal(text, &number) || number < 0 ||
        number > RADIO_LATE_MAX_MS || strchr(text, '.')) {
        text_add(hint, "expected late= once, with a number from 0 to ");
        text_add_number(hint, RADIO_LATE_MAX_MS);
        return false;
    }
    radio->has_late = true;
    radio->late_ms = (uint32_t)number;
    return true;
}

static bool read_alive(struct radio_source *radio, const char *text, struct text *hint)
{
    for (unsigned i = 0; i < RADIO_ALIVE_MAX; i++) {
        if (!radio->alive[i][0]) {
            return store_topic(radio->alive[i], text, hint);
        }
    }
    return fail(hint, "expected alive= at most twice");
}

/* `A.B` without empty names. */
static bool is_path(const char *path)
{
    return *path && *path != '.' && path[strlen(path) - 1] != '.' && !strstr(path, "..");
}

static bool read_match(struct radio_source *radio, struct word *word, struct text *hint)
{
    char *operation = word->quoted ? NULL : strpbrk(word->text, "=<>");

    if (!operation) {
        radio->match = MATCH_VALUE;
        return store(radio->value, sizeof radio->value, word->text) ||
               fail(hint, "expected a VALUE of 1 to 63 bytes");
    }
    radio->match = *operation == '=' ? MATCH_MEMBER : *operation == '>' ? MATCH_ABOVE : MATCH_BELOW;
    *operation = '\0';
    if (!is_path(word->text) || !store(radio->path, sizeof radio->path, word->text)) {
        return fail(hint, "expected a PATH of 1 to 63 bytes such as contact or Switch1.Action");
    }
    radio->is_number = read_decimal(operation + 1, &radio->number);
    if (radio->match != MATCH_MEMBER && !radio->is_number) {
        return fail(hint, "expected a decimal number after < or >");
    }
    return store(radio->value, sizeof radio->value, operation + 1) ||
           fail(hint, "expected a VALUE of 1 to 63 bytes");
}

/* What follows `key`, or NULL. */
static const char *option(const struct word *word, const char *key)
{
    size_t length = strlen(key);

    return !word->quoted && strncmp(word->text, key, length) == 0 ? word->text + length : NULL;
}

static bool read_option(struct radio_source *radio, const struct word *word, bool is_node,
                        struct text *hint)
{
    const char *late = option(word, "late=");
    const char *alive = option(word, "alive=");

    if (late) {
        return read_late(radio, late, hint);
    }
    if (is_node) {
        return fail(hint, "expected only late=MS after the sensor of a node");
    }
    if (alive) {
        return read_alive(radio, alive, hint);
    }
    if (!word->quoted && strcmp(word->text, "once") == 0 && !radio->once) {
        radio->once = true;
        return true;
    }
    return fail(hint, "expected once, alive=TOPIC or late=MS");
}

static bool is_option(const struct word *word)
{
    return option(word, "late=") || option(word, "alive=") ||
           (!word->quoted && strcmp(word->text, "once") == 0);
}

static bool read_options(struct radio_source *radio, const char *rest, bool is_node,
                         struct text *hint)
{
    struct word word = {0};
    bool is_first = !is_node;

    for (; rest[strspn(rest, blanks)]; is_first = false) {
        if (!next_word(&rest, &word, hint)) {
            return false;
        }
        bool is_fine = is_first && !is_option(&word) ? read_match(radio, &word, hint)
                                                     : read_option(radio, &word, is_node, hint);
        if (!is_fine) {
            return false;
        }
    }
    return true;
}

static bool read_node(struct radio_source *radio, const char **rest, struct text *hint)
{
    struct word node;
    struct word sensor;

    if (!next_word(rest, &node, hint) || !next_word(rest, &sensor, hint)) {
        return false;
    }
    if (!config_is_segment(node.text, NAME_MAX_LENGTH) ||
        !config_is_segment(sensor.text, NAME_MAX_LENGTH)) {
        return fail(hint, "expected node NODE SENSOR, both 1 to 32 letters, digits, - or _");
    }
    return store(radio->topic, sizeof radio->topic, node.text) &&
           store(radio->path, sizeof radio->path, sensor.text);
}

bool config_read_radio(const char *value, struct line_config *line, struct text *hint)
{
    struct line_config read;
    struct word word;

    memset(&read, 0, sizeof read);
    read.fitted = true;
    (void)next_word(&value, &word, hint);
    read.source = strcmp(word.text, "node") == 0 ? LINE_NODE : LINE_MQTT;
    bool is_node = read.source == LINE_NODE;
    if (is_node
            ? !read_node(&read.radio, &value, hint)
            : !next_word(&value, &word, hint) || !store_topic(read.radio.topic, word.text, hint)) {
        return false;
    }
    if (!read_options(&read.radio, value, is_node, hint)) {
        return false;
    }
    memcpy(line, &read, sizeof read);
    return true;
}

/*
 * Writing
 */

/* In quotes if it would not be read again without them. */
static void add_word(struct text *text, const char *word, bool must_quote)
{
    bool quote = must_quote || strpbrk(word, blanks) || strpbrk(word, ";#");

    text_add(text, quote ? "\"" : "");
    text_add(text, word);
    text_add(text, quote ? "\"" : "");
}

static void write_match(const struct radio_source *radio, struct text *text)
{
    static const char *const operators[] = {
        [MATCH_MEMBER] = "=", [MATCH_ABOVE] = ">", [MATCH_BELOW] = "<"};
    struct word word = {0};

    if (radio->match == MATCH_WORD) {
        return;
    }
    text_add(text, " ");
    if (radio->match == MATCH_VALUE) {
        struct text copy = text_begin(word.text, sizeof word.text);
        text_add(&copy, radio->value);
        add_word(text, radio->value, is_option(&word) || strpbrk(radio->value, "=<>"));
        return;
    }
    text_add(text, radio->path);
    text_add(text, operators[radio->match]);
    add_word(text, radio->value, false);
}

void config_write_radio(const struct line_config *line, bool with_options, struct text *text)
{
    const struct radio_source *radio = &line->radio;

    text_add(text, line->source == LINE_NODE ? "node " : "mqtt ");
    add_word(text, radio->topic, false);
    if (line->source == LINE_NODE) {
        text_add(text, " ");
        text_add(text, radio->path);
    }
    if (!with_options) {
        return;
    }
    if (line->source == LINE_MQTT) {
        write_match(radio, text);
    }
    text_add(text, radio->once ? " once" : "");
    for (unsigned i = 0; i < RADIO_ALIVE_MAX && radio->alive[i][0]; i++) {
        text_add(text, " alive=");
        add_word(text, radio->alive[i], false);
    }
    if (radio->has_late) {
        text_add(text, " late=");
        text_add_number(text, radio->late_ms);
    }
}
