#include "choices_text.h"

#include "plain.h"
#include "read_json.h"

#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES_MAX = 256, /* more than a table ever lists */
    ADVICE_MAX = 4,    /* lines after a refusal */
    KNOTS_MAX = 18,    /* a die of nine, and nine knots of the wind */
    VALUE_SIZE = 32,
};

/* The fields of commands, and how an entry calls several values of one. */
static const struct field_names {
    const char *one;
    const char *several;
} fields[] = {
    {"piece", "pieces"},     {"attacker", "attackers"}, {"target", "targets"},
    {"harbour", "harbours"}, {"value", "values"},       {"knots", "-"},
};

enum { FIELD_NAMES = sizeof fields / sizeof fields[0] };

/* All values that the field may have in the entry's commands: a list to be released, or NULL. */
static json_t *values_of(const json_t *entry, const struct field_names *field)
{
    json_t *several = json_object_get(entry, field->several);
    json_t *one = json_object_get(entry, field->one);

    if (json_is_array(several)) {
        return json_incref(several);
    }
    if (!one || json_is_null(one)) {
        return NULL;
    }
    json_t *list = json_array();
    if (strcmp(field->one, "knots") != 0) {
        json_array_append(list, one);
        return list;
    }
    for (json_int_t knots = 1; knots <= json_integer_value(one) && knots <= KNOTS_MAX; knots++) {
        json_array_append_new(list, json_integer(knots));
    }
    return list;
}

/* A value as it is typed; "" if it is not a value. */
static const char *text_of(const json_t *value, char text[VALUE_SIZE])
{
    const char *word = json_string_value(value);

    snprintf(text, VALUE_SIZE, "%s", word ? word : "");
    if (json_is_integer(value)) {
        snprintf(text, VALUE_SIZE, "%lld", (long long)json_integer_value(value));
    }
    return text;
}

static bool has_value(const json_t *values, const char *wanted)
{
    char text[VALUE_SIZE];
    const json_t *value;
    size_t at;

    json_array_foreach(values, at, value)
    {
        if (strcmp(text_of(value, text), wanted) == 0) {
            return true;
        }
    }
    return false;
}

static bool fits_word(const json_t *entry, const char *word)
{
    size_t length = strcspn(word, "=");

    for (unsigned i = 0; i < FIELD_NAMES; i++) {
        if (strlen(fields[i].one) == length && memcmp(fields[i].one, word, length) == 0) {
            json_t *values = values_of(entry, &fields[i]);
            bool is_there = word[length] && has_value(values, word + length + 1);
            json_decref(values);
            return is_there;
        }
    }
    return false;
}

/* verb may be NULL: any. */
static bool fits(const json_t *entry, const char *verb, char *const *words, int count)
{
    bool it_fits = !verb || strcmp(peek_text(entry, "verb"), verb) == 0;

    for (int i = 0; i < count && it_fits; i++) {
        it_fits = fits_word(entry, words[i]);
    }
    return it_fits;
}

static bool has_fitting(const json_t *list, const char *verb, char *const *words, int count)
{
    const json_t *entry;
    size_t at;

    json_array_foreach(list, at, entry)
    {
        if (fits(entry, verb, words, count)) {
            return true;
        }
    }
    return false;
}

static void write_remark(FILE *file, const json_t *entry)
{
    const char *to = peek_text(entry, "to");
    const char *message = peek_text(entry, "message");

    if (to[0]) {
        fputs("  # to ", file);
        plain_print(file, to);
    } else if (message[0]) {
        fputs("  # ", file);
        plain_print(file, message);
    } else if (read_flag(entry, "foul")) {
        fputs("  # a foul", file);
    } else if (read_flag(entry, "disturbance")) {
        fputs("  # only a disturbance", file);
    }
}

static void write_entry(FILE *file, const json_t *entry)
{
    plain_print(file, peek_text(entry, "verb"));
    for (unsigned i = 0; i < FIELD_NAMES; i++) {
        char text[VALUE_SIZE];
        json_t *values = values_of(entry, &fields[i]);
        const json_t *value;
        size_t at;
        if (values) {
            fprintf(file, " %s=", fields[i].one);
        }
        json_array_foreach(values, at, value)
        {
            fputs(at ? "|" : "", file);
            plain_print(file, text_of(value, text));
        }
        json_decref(values);
    }
    write_remark(file, entry);
    fputc('\n', file);
}

/* Writes the entries that fit, a line each, and not more than max of them. How many fit. */
static unsigned write_entries(FILE *file, const json_t *list, const char *verb, char *const *words,
                              int count, unsigned max)
{
    const json_t *entry;
    unsigned fitting = 0;
    size_t at;

    json_array_foreach(list, at, entry)
    {
        if (fits(entry, verb, words, count) && fitting++ < max) {
            write_entry(file, entry);
        }
    }
    return fitting;
}

/* Each verb once: entries of a verb follow each other. */
static void write_verbs(FILE *file, const json_t *list)
{
    const char *last = "";
    const json_t *entry;
    size_t at;

    json_array_foreach(list, at, entry)
    {
        const char *verb = peek_text(entry, "verb");
        if (at < ENTRIES_MAX && strcmp(verb, last) != 0) {
            fputs(at ? ", " : "Possible now: ", file);
            plain_print(file, verb);
            last = verb;
        }
    }
    fputs(json_array_size(list) ? "\n" : "", file);
}

/* A text of its own with what was written to the file, or NULL. */
static char *end_text(FILE *file, char **text)
{
    if (fclose(file)) {
        free(*text);
        return NULL;
    }
    return *text;
}

static json_t *read_choices(const void *payload, size_t size)
{
    json_t *json = json_loadb(payload, size, 0, NULL);

    if (json_is_array(json_object_get(json, "choices"))) {
        return json;
    }
    json_decref(json);
    return NULL;
}

char *choices_lines(const void *payload, size_t size, char *const *words, int count)
{
    json_t *json = read_choices(payload, size);
    char *text = NULL;
    size_t length = 0;
    FILE *file = json ? open_memstream(&text, &length) : NULL;

    if (file) {
        const json_t *list = json_object_get(json, "choices");
        if (count > 0) {
            write_entries(file, list, words[0], words + 1, count - 1, ENTRIES_MAX);
        } else {
            write_entries(file, list, NULL, NULL, 0, ENTRIES_MAX);
        }
        text = end_text(file, &text);
    }
    json_decref(json);
    return text;
}

/* Those of the verb, of the piece that was named if it is one of theirs; else the verbs. */
static void write_advice(FILE *file, const json_t *list, const char *verb, const json_t *said,
                         const char *command)
{
    char word[VALUE_SIZE * 2] = "";
    char *const words[] = {word};
    int count = 0;

    for (unsigned i = 0; i < FIELD_NAMES && !count; i++) {
        const char *value = peek_text(said, fields[i].one);
        snprintf(word, sizeof word, "%s=%.*s", fields[i].one, VALUE_SIZE, value);
        count = has_fitting(list, verb, words, 1);
    }
    if (!has_fitting(list, verb, words, count)) {
        write_verbs(file, list);
        return;
    }
    fputs("Possible now:\n", file);
    unsigned fitting = write_entries(file, list, verb, words, count, ADVICE_MAX);
    if (fitting > ADVICE_MAX) {
        fprintf(file, "and %u more: ", fitting - ADVICE_MAX);
        plain_print(file, command);
        fprintf(file, " send --list %s\n", verb);
    }
}

char *choices_advice(const void *payload, size_t size, const char *verb, const char *said,
                     const char *command)
{
    json_t *json = read_choices(payload, size);
    json_t *fields_said = json_loads(said, 0, NULL);
    char *text = NULL;
    size_t length = 0;
    FILE *file = json ? open_memstream(&text, &length) : NULL;

    if (file) {
        write_advice(file, json_object_get(json, "choices"), verb, fields_said, command);
        text = end_text(file, &text);
    }
    json_decref(fields_said);
    json_decref(json);
    return text;
}
