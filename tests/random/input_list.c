#include "input_list.h"

#include "rules/line.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_LINE_SIZE = 1024 };

/* Numbers in a struct: one, or some of the same width at equal distances. */
struct member {
    const char *key;
    size_t offset;
    size_t width;
    unsigned count;
    size_t distance;
};

#define ONE(type, name)                                                                            \
    {                                                                                              \
#name, offsetof(struct type, name), sizeof((struct type *)0)->name, 1, 0                   \
    }
#define SOME(type, name, limit)                                                                    \
    {                                                                                              \
#name, offsetof(struct type, name), 1, (limit), 1                                          \
    }
#define SEATS(key, name)                                                                           \
    {                                                                                              \
        (key), offsetof(struct setup, seats) + offsetof(struct seat, name), 1, PLAYER_COUNT,       \
            sizeof(struct seat)                                                                    \
    }

static const struct member setup_members[] = {
    ONE(setup, shot_window_ms),
    ONE(setup, rope_tolerance_milli),
    ONE(setup, variant),
    ONE(setup, scenario),
    ONE(setup, teams),
    ONE(setup, dice),
    ONE(setup, players),
    ONE(setup, first),
    SOME(setup, barrels, HARBOUR_COUNT),
    {"house", offsetof(struct setup, house), 1, sizeof(struct house), 1},
    SEATS("harbours", harbours),
    SEATS("team", team),
    SEATS("name_end", name[NAME_SIZE - 1]),
    {NULL, 0, 0, 0, 0},
};

static const struct member input_members[] = {
    ONE(input, kind),
    ONE(input, piece),
    ONE(input, other),
    ONE(input, harbour),
    ONE(input, value),
    ONE(input, knots_milli),
    ONE(input, pieces),
    ONE(input, speed_mmps),
    ONE(input, health),
    ONE(input, from),
    SOME(input, sensor, SENSOR_SIZE),
    {NULL, 0, 0, 0, 0},
};

struct list_entry *input_list_add(struct input_list *list, const struct input *input)
{
    struct list_entry *entry = &list->entries[list->count++];

    entry->input = *input;
    entry->input.setup = NULL;
    entry->accepted = false;
    entry->has_setup = input->setup != NULL;
    if (input->setup) {
        entry->setup = *input->setup;
    }
    return entry;
}

struct input list_entry_input(const struct list_entry *entry)
{
    struct input input = entry->input;

    input.setup = entry->has_setup ? &entry->setup : NULL;
    return input;
}

/*
 * Writing. All machines we run on are little-endian, so the first bytes of a number are its low
 * ones.
 */

static void write_members(FILE *file, const struct member *member, const void *from)
{
    for (; member->key; member++) {
        fprintf(file, " %s=", member->key);
        for (unsigned i = 0; i < member->count; i++) {
            uint32_t number = 0;
            memcpy(&number, (const char *)from + member->offset + i * member->distance,
                   member->width);
            fprintf(file, "%s%" PRIu32, i ? "," : "", number);
        }
    }
    fputc('\n', file);
}

/* Whether the line says all of the input: what was read back is the same, byte for byte. */
static bool line_says_all(const struct input *input, char *line, size_t size)
{
    struct input read;

    if (rules_input_source(input->kind) == SOURCE_NONE ||
        !memchr(input->sensor, '\0', SENSOR_SIZE) || line_write_input(input, line, size) >= size ||
        line_read_input(line, &read) != 0) {
        return false;
    }
    for (const struct member *member = input_members; member->key; member++) {
        size_t length = member->distance ? member->count : member->width;
        if (memcmp((const char *)input + member->offset, (const char *)&read + member->offset,
                   length) != 0) {
            return false;
        }
    }
    return true;
}

void input_list_write(FILE *file, const struct input_list *list)
{
    fprintf(file, "past %u\n", list->capacity);
    for (unsigned i = 0; i < list->count; i++) {
        const struct list_entry *entry = &list->entries[i];
        char line[LINE_SIZE];

        if (entry->has_setup) {
            fprintf(file, "setup abandon=%d", entry->input.abandon);
            write_members(file, setup_members, &entry->setup);
        }
        fprintf(file, "@%" PRIu64 " ", entry->input.at_us);
        if (line_says_all(&entry->input, line, sizeof line)) {
            fprintf(file, "%s\n", line);
        } else {
            fputs("raw", file);
            write_members(file, input_members, &entry->input);
        }
    }
}

/*
 * Reading
 */

static bool read_member(const struct member *member, char *values, void *to)
{
    char *rest = values;

    for (unsigned i = 0; i < member->count; i++) {
        char *end;
        uint32_t number = (uint32_t)strtoul(rest, &end, 10);
        if (end == rest) {
            return false;
        }
        memcpy((char *)to + member->offset + i * member->distance, &number, member->width);
        rest = *end == ',' ? end + 1 : end;
    }
    return *rest == '\0';
}

/* Reads `key=number,number key=number`; what is not named stays as it is. */
static bool read_members(const struct member *members, char *text, void *to)
{
    char *rest;

    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        const struct member *member = members;
        char *equals = strchr(word, '=');
        if (!equals) {
            return false;
        }
        *equals = '\0';
        while (member->key && strcmp(member->key, word) != 0) {
            member++;
        }
        if (!member->key || !read_member(member, equals + 1, to)) {
            return false;
        }
    }
    return true;
}

/* What has been read and belongs to the input that comes next. */
struct header {
    struct setup setup;
    bool has_setup;
    bool abandon;
};

static bool read_setup(char *text, struct header *header)
{
    int abandon;
    int length;

    if (sscanf(text, "abandon=%d%n", &abandon, &length) != 1) {
        return false;
    }
    rules_default_setup(&header->setup, PLAYERS_MAX);
    header->has_setup = true;
    header->abandon = abandon != 0;
    return read_members(setup_members, text + length, &header->setup);
}

static bool read_input(char *text, struct input_list *list, struct header *header)
{
    char *rest;
    struct input input = {0};
    uint64_t at_us = strtoull(text, &rest, 10);

    if (*rest != ' ' || list->count == LIST_MAX) {
        return false;
    }
    bool fits = strncmp(rest, " raw ", 5) == 0 ? read_members(input_members, rest + 5, &input)
                                               : line_read_input(rest, &input) == 0;
    input.at_us = at_us;
    input.abandon = header->abandon;
    input.setup = header->has_setup ? &header->setup : NULL;
    input_list_add(list, &input);
    *header = (struct header){0};
    return fits;
}

int input_list_read(FILE *file, struct input_list *list)
{
    char line[LIST_LINE_SIZE];
    struct header header = {0};

    *list = (struct input_list){.capacity = LIST_PAST_MAX};
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        bool fits = true;

        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "past ", 5) == 0) {
            list->capacity = (unsigned)strtoul(line + 5, NULL, 10);
            fits = list->capacity >= LIST_PAST_MIN && list->capacity <= LIST_PAST_MAX;
        } else if (strncmp(line, "setup ", 6) == 0) {
            fits = read_setup(line + 6, &header);
        } else if (line[0] == '@') {
            fits = read_input(line + 1, list, &header);
        } else {
            fits = line[0] == '#' || line[0] == '\0';
        }
        if (!fits) {
            return number;
        }
    }
    return 0;
}
