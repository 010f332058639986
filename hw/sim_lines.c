#include "sim_lines.h"

#include "rules/text.h"

#include <string.h>

static void answer(struct sim_lines *lines, const char *before, const char *words)
{
    struct text text = text_begin(lines->answers + lines->answers_length,
                                  sizeof lines->answers - lines->answers_length);

    text_add(&text, before);
    text_add(&text, words);
    text_add(&text, "\n");
    lines->answers_length += text.length;
}

static void answer_error(struct sim_lines *lines, const char *error)
{
    answer(lines, "error: ", error);
}

static void forget_input(struct sim_lines *lines, size_t count)
{
    lines->input_length -= count;
    memmove(lines->input, lines->input + count, lines->input_length);
}

/* A whole line, ended by NUL instead of newline; false if it was answered as an error. */
static bool check_line(struct sim_lines *lines, char *line, size_t length)
{
    if (lines->skipping) {
        lines->skipping = false;
        return false;
    }
    if (length >= SIM_LINE_MAX) {
        answer_error(lines, "the line is too long");
        return false;
    }
    if (strlen(line) != length) {
        answer_error(lines, "the line is not text");
        return false;
    }
    if (length > 0 && line[length - 1] == '\r') {
        line[length - 1] = '\0';
    }
    return true;
}

/* `SENSOR ?`: the sensor, or SENSOR_NONE when it is no such question. */
static unsigned asked_sensor(const struct sensor_names *names, const char *line)
{
    char name[SENSOR_NAME_SIZE];
    size_t length = strcspn(line, " \t");

    if (length >= sizeof name || strcmp(line + length + strspn(line + length, " \t"), "?") != 0) {
        return SENSOR_NONE;
    }
    memcpy(name, line, length);
    name[length] = '\0';
    return sensor_named(names, name);
}

static bool read_line(struct sim_lines *lines, const struct sim_table *table, const char *line,
                      uint64_t latest_us, struct edge *edge)
{
    char error[EDGE_ERROR_SIZE];
    unsigned asked = asked_sensor(&table->names, line);

    if (asked) {
        answer(lines, "", table->levels[asked] ? "1" : "0");
        return false;
    }
    if (edge_line_read(&table->names, line, edge, error)) {
        answer_error(lines, error);
        return false;
    }
    if (edge->at_us != EDGE_UNTIMED_US && edge->at_us > latest_us) {
        answer_error(lines, "that time is more than a day away");
        return false;
    }
    answer(lines, "ok", "");
    return true;
}

bool sim_lines_next(struct sim_lines *lines, const struct sim_table *table, uint64_t latest_us,
                    struct edge *edge)
{
    size_t start = 0;
    bool found = false;

    while (!found && !sim_lines_full(lines)) {
        char *line = lines->input + start;
        char *newline = memchr(line, '\n', lines->input_length - start);
        if (!newline) {
            if (lines->input_length - start >= SIM_LINE_MAX) {
                if (!lines->skipping) {
                    answer_error(lines, "the line is too long");
                }
                lines->skipping = true;
                start = lines->input_length;
            }
            break;
        }
        *newline = '\0';
        start += (size_t)(newline - line) + 1;
        found = check_line(lines, line, (size_t)(newline - line)) &&
                read_line(lines, table, line, latest_us, edge);
    }
    forget_input(lines, start);
    return found;
}

bool sim_lines_full(const struct sim_lines *lines)
{
    return sizeof lines->answers - lines->answers_length < SIM_ANSWER_SIZE;
}

void sim_lines_sent(struct sim_lines *lines, size_t count)
{
    lines->answers_length -= count;
    memmove(lines->answers, lines->answers + count, lines->answers_length);
}
