#include "edge_line.h"

#include "rules/nearest.h"
#include "rules/text.h"

#include <errno.h>
#include <string.h>

enum { WORD_SIZE = 40 }; /* longer than any name: a word that is cut off is unknown */

/* Copies the next word, "" at the end of the line; returns the rest. */
static const char *next_word(const char *rest, char word[WORD_SIZE])
{
    rest += strspn(rest, " \t");
    size_t length = strcspn(rest, " \t");
    size_t fits = length < WORD_SIZE - 1 ? length : WORD_SIZE - 1;

    memcpy(word, rest, fits);
    word[fits] = '\0';
    return rest + length;
}

static int read_time(const char *digits, uint64_t *time_us)
{
    uint64_t read_us = 0;

    if (!*digits) {
        return -EINVAL;
    }
    for (; *digits; digits++) {
        if (*digits < '0' || *digits > '9') {
            return -EINVAL;
        }
        read_us = read_us * 10 + (uint64_t)(*digits - '0');
        if (read_us > EDGE_TIME_MAX_US) {
            return -EINVAL;
        }
    }
    *time_us = read_us;
    return 0;
}

/* Input may contain escape sequences; the answer may be shown on a terminal. */
static void add_printable(struct text *text, const char *word)
{
    for (; *word; word++) {
        text_add_some(text, *word > ' ' && *word < 0x7f ? word : "?", 1);
    }
}

static int report(char error[EDGE_ERROR_SIZE], const char *before, const char *word,
                  const char *after)
{
    struct text text = text_begin(error, EDGE_ERROR_SIZE);

    text_add(&text, before);
    text_add(&text, "\"");
    add_printable(&text, word);
    text_add(&text, "\"");
    text_add(&text, after);
    return -EINVAL;
}

/* Which buttons there are is up to the configuration. */
static int report_button(const struct sensor_names *names, const char *word,
                         char error[EDGE_ERROR_SIZE])
{
    char advice[EDGE_ERROR_SIZE];
    struct text text = text_begin(advice, sizeof advice);

    for (unsigned sensor = SENSOR_BUTTON; sensor < SENSOR_COUNT; sensor++) {
        if (names->name[sensor][0]) {
            text_add(&text, text.length ? " " : "; use one of: ");
            text_add(&text, names->name[sensor]);
        }
    }
    text_add(&text, text.length ? "" : "; no button is configured");
    return report(error, "there is no sensor ", word, advice);
}

static int report_sensor(const struct sensor_names *names, const char *word,
                         char error[EDGE_ERROR_SIZE])
{
    struct nearest nearest = nearest_begin(word);
    char advice[EDGE_ERROR_SIZE] = "; a line is SENSOR LEVEL, such as cannon.beam 1";

    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        if (names->name[sensor][0]) {
            nearest_offer(&nearest, names->name[sensor]);
        }
    }
    if (nearest.best) {
        struct text text = text_begin(advice, sizeof advice);
        text_add(&text, "; the nearest is ");
        text_add(&text, nearest.best);
    }
    return report(error, "there is no sensor ", word, advice);
}

static const struct {
    const char *word;
    uint8_t kind;
    uint8_t level;
} changes[] = {
    {"0", EDGE_CHANGE, 0},  {"1", EDGE_CHANGE, 1},  {"=0", EDGE_LEVEL, 0},    {"=1", EDGE_LEVEL, 1},
    {"gone", EDGE_GONE, 0}, {"back", EDGE_BACK, 0}, {"lossy", EDGE_LOSSY, 0},
};

enum { CHANGES = sizeof changes / sizeof changes[0] };

static bool read_change(const char *word, struct edge *edge)
{
    for (unsigned i = 0; i < CHANGES; i++) {
        if (strcmp(changes[i].word, word) == 0) {
            edge->kind = changes[i].kind;
            edge->level = changes[i].level;
            return true;
        }
    }
    return false;
}

static const char *change_word(const struct edge *edge)
{
    unsigned index = 0;

    while (index + 1 < CHANGES &&
           (changes[index].kind != edge->kind ||
            (edge->kind <= EDGE_LEVEL && changes[index].level != edge->level))) {
        index++;
    }
    return changes[index].word;
}

int edge_line_read(const struct sensor_names *names, const char *line, struct edge *edge,
                   char error[EDGE_ERROR_SIZE])
{
    char word[WORD_SIZE];
    struct edge read = {.at_us = EDGE_UNTIMED_US};
    const char *rest = next_word(line, word);

    if (word[0] == '@') {
        if (read_time(word + 1, &read.at_us)) {
            return report(error, "", word, " is not @ and a time in microseconds");
        }
        rest = next_word(rest, word);
    }
    read.sensor = (uint16_t)sensor_named(names, word);
    if (read.sensor == SENSOR_NONE) {
        bool is_button = strncmp(word, "button.", strlen("button.")) == 0;
        return is_button ? report_button(names, word, error) : report_sensor(names, word, error);
    }
    rest = next_word(rest, word);
    if (!read_change(word, &read)) {
        return report(error, "", word, " is not a level: 1 is active, 0 is not");
    }
    next_word(rest, word);
    if (word[0]) {
        return report(error, "", word, " is too much: a line is SENSOR LEVEL");
    }
    *edge = read;
    return 0;
}

size_t edge_line_write(const struct sensor_names *names, const struct edge *edge,
                       char line[EDGE_LINE_SIZE])
{
    struct text text = text_begin(line, EDGE_LINE_SIZE);

    text_add(&text, "@");
    text_add_number(&text, (int64_t)edge->at_us);
    text_add(&text, " ");
    text_add(&text, sensor_name(names, edge->sensor));
    text_add(&text, " ");
    text_add(&text, change_word(edge));
    text_add(&text, "\n");
    return text.length;
}
