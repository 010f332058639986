/*
 * Clients of the simulated table. The first byte says in what portions the rest arrives. Whatever
 * it is, memory stays bounded, answers are lines of text, and the filters take every edge.
 */
#include "hw/filters.h"
#include "hw/sim_client.h"

#include <stdlib.h>
#include <string.h>

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

static void require_answers(const struct sim_client *client)
{
    size_t start = 0;

    require(client->answers_length <= sizeof client->answers);
    while (start < client->answers_length) {
        const char *line = client->answers + start;
        const char *end = memchr(line, '\n', client->answers_length - start);
        require(end != NULL);
        require(strncmp(line, "ok\n", 3) == 0 || strncmp(line, "error: ", 7) == 0 ||
                ((line[0] == '0' || line[0] == '1') && line[1] == '\n'));
        for (; line < end; line++) {
            require(*line >= ' ' && *line < 0x7f);
        }
        start = (size_t)(end - client->answers) + 1;
    }
}

/* Takes in a portion, hears all of its edges, and sends the answers as room is needed. */
static void hear(struct sim_client *client, struct sim_table *table, struct filters *filters,
                 struct fact_list *facts)
{
    struct edge edge;
    bool was_full;

    do {
        while (sim_client_next(client, table, EDGE_TIME_MAX_US, &edge)) {
            require(table->names.name[edge.sensor][0] && edge.level <= 1);
            table->levels[edge.sensor] = edge.level;
            edge.at_us = edge.at_us == EDGE_UNTIMED_US ? 0 : edge.at_us;
            filters_edge(filters, &edge, facts);
            facts->count = 0;
        }
        was_full = sim_client_is_full(client);
        require_answers(client);
        sim_client_sent(client, client->answers_length);
    } while (was_full);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct button_names buttons = {.name = {"end"}, .count = 1};
    static const struct filter_settings settings = {.tilt_settle_ms = 150,
                                                    .beam_min_us = 200,
                                                    .button_ms = 30,
                                                    .stuck_s = 30,
                                                    .two_beams = true,
                                                    .beam_gap_um = 20000};
    static struct sim_client client;
    static struct sim_table table;
    static struct filters filters;
    static struct fact_list facts;
    size_t portion = size > 0 ? (size_t)data[0] * 8 + 1 : 1;

    memset(&client, 0, sizeof client);
    memset(&table, 0, sizeof table);
    sensor_names_init(&table.names, &buttons);
    filters_init(&filters, &settings);
    for (size_t at = 1; at < size;) {
        size_t room = sizeof client.input - client.input_length;
        size_t count = size - at < portion ? size - at : portion;
        count = count < room ? count : room;
        require(count > 0);
        memcpy(client.input + client.input_length, data + at, count);
        client.input_length += count;
        at += count;
        hear(&client, &table, &filters, &facts);
    }
    filters_tick(&filters, EDGE_TIME_MAX_US, &facts);
    facts.count = 0;
    return 0;
}
