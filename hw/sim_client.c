#include "sim_client.h"

#include "rules/text.h"

#include <string.h>

static void answer(struct sim_client *client, const char *prefix, const char *words)
{
    struct text text = text_begin(client->answers + client->answers_length,
                                  sizeof client->answers - client->answers_length);

    text_add(&text, prefix);
    text_add(&text, words);
    text_add(&text, "\n");
    client->answers_length += text.length;
}

static void answer_error(struct sim_client *client, const char *error)
{
    answer(client, "error: ", error);
}

static void remove_input(struct sim_client *client, size_t count)
{
    client->input_length -= count;
    memmove(client->input, client->input + count, client->input_length);
}

/* Checks a whole line, which ends with NUL; false: it is skipped or was answered as an error. */
static bool check_line(struct sim_client *client, char *line, size_t length)
{
    if (client->skipping) {
        client->skipping = false;
        return false;
    }
    if (length >= SIM_LINE_MAX) {
        answer_error(client, "the line is too long");
        return false;
    }
    if (strlen(line) != length) {
        answer_error(client, "the line is not text");
        return false;
    }
    if (length > 0 && line[length - 1] == '\r') {
        line[length - 1] = '\0';
    }
    return true;
}

/* The sensor of a query, `SENSOR ?`; SENSOR_NONE if the line is not a query. */
static unsigned queried_sensor(const struct sensor_names *names, const char *line)
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

static bool read_line(struct sim_client *client, const struct sim_table *table, const char *line,
                      uint64_t latest_us, struct edge *edge)
{
    char error[EDGE_ERROR_SIZE];
    unsigned queried = queried_sensor(&table->names, line);

    if (queried) {
        answer(client, "", table->levels[queried] ? "1" : "0");
        return false;
    }
    if (edge_line_read(&table->names, line, edge, error)) {
        answer_error(client, error);
        return false;
    }
    if (edge->kind != EDGE_CHANGE) {
        answer_error(client, "a line is SENSOR LEVEL: 1 is active, 0 is not");
        return false;
    }
    if (table->is_radio[edge->sensor]) {
        answer_error(client, "this sensor reports over MQTT and is not simulated");
        return false;
    }
    if (edge->at_us != EDGE_UNTIMED_US && edge->at_us > latest_us) {
        answer_error(client, "that time is more than a day away");
        return false;
    }
    answer(client, "ok", "");
    return true;
}

bool sim_client_next(struct sim_client *client, const struct sim_table *table, uint64_t latest_us,
                     struct edge *edge)
{
    size_t start = 0;
    bool found = false;

    while (!found && !sim_client_is_full(client)) {
        char *line = client->input + start;
        char *newline = memchr(line, '\n', client->input_length - start);
        if (!newline) {
            if (client->input_length - start >= SIM_LINE_MAX) {
                if (!client->skipping) {
                    answer_error(client, "the line is too long");
                }
                client->skipping = true;
                start = client->input_length;
            }
            break;
        }
        *newline = '\0';
        start += (size_t)(newline - line) + 1;
        found = check_line(client, line, (size_t)(newline - line)) &&
                read_line(client, table, line, latest_us, edge);
    }
    remove_input(client, start);
    return found;
}

bool sim_client_is_full(const struct sim_client *client)
{
    return sizeof client->answers - client->answers_length < SIM_ANSWER_SIZE;
}

void sim_client_sent(struct sim_client *client, size_t count)
{
    client->answers_length -= count;
    memmove(client->answers, client->answers + count, client->answers_length);
}
