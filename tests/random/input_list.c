#include "input_list.h"

#include "rules/line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_LINE_SIZE = LINE_SIZE + 2 * (sizeof(struct input) + sizeof(struct setup)) + 64 };

struct list_entry *input_list_add(struct input_list *list, const struct input *input)
{
    struct list_entry *entry = &list->entries[list->count++];

    memset(entry, 0, sizeof *entry);
    entry->input = *input;
    entry->input.setup = NULL;
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

static void write_bytes(FILE *file, const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;

    fputs(" | ", file);
    for (size_t i = 0; i < size; i++) {
        fprintf(file, "%02x", byte[i]);
    }
}

/* Reads the bytes at *text, which begin with " | ", and moves it behind them. */
static bool read_bytes(const char **text, void *bytes, size_t size)
{
    uint8_t *byte = bytes;

    if (strncmp(*text, " | ", 3) != 0) {
        return false;
    }
    *text += 3;
    for (size_t i = 0; i < size; i++, *text += 2) {
        if (sscanf(*text, "%2" SCNx8, &byte[i]) != 1) {
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
        struct input shown = entry->input;
        char line[LINE_SIZE];

        shown.sensor[SENSOR_SIZE - 1] = '\0';
        line_write_input(&shown, line, sizeof line);
        fprintf(file, "@%" PRIu64 " %s", entry->input.at_us, line);
        write_bytes(file, &entry->input, sizeof entry->input);
        if (entry->has_setup) {
            write_bytes(file, &entry->setup, sizeof entry->setup);
        }
        fputc('\n', file);
    }
}

static bool read_entry(const char *text, struct input_list *list)
{
    const char *bytes = strstr(text, " | ");
    struct input input;
    struct setup setup;

    if (!bytes || list->count == LIST_MAX || !read_bytes(&bytes, &input, sizeof input)) {
        return false;
    }
    input.setup = *bytes && read_bytes(&bytes, &setup, sizeof setup) ? &setup : NULL;
    input_list_add(list, &input);
    return *bytes == '\0';
}

int input_list_read(FILE *file, struct input_list *list)
{
    char line[LIST_LINE_SIZE];

    *list = (struct input_list){.capacity = LIST_PAST_MAX};
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        bool fits = line[0] == '#' || line[0] == '\n';

        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "past ", 5) == 0) {
            list->capacity = (unsigned)strtoul(line + 5, NULL, 10);
            fits = list->capacity >= LIST_PAST_MIN && list->capacity <= LIST_PAST_MAX;
        } else if (line[0] == '@') {
            fits = read_entry(line, list);
        }
        if (!fits) {
            return number;
        }
    }
    return 0;
}
