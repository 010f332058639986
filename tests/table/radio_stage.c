#include "radio_stage.h"

#include <stdio.h>
#include <string.h>

static void hand_over(struct radio_stage *radio, struct fact_list *facts)
{
    for (unsigned i = 0; i < facts->count; i++) {
        fake_table_fact(&radio->stage.fake, &facts->facts[i]);
    }
    facts->count = 0;
}

static void filter_edge(struct radio_stage *radio, const struct edge *edge)
{
    static struct fact_list facts;

    filters_edge(&radio->filters, edge, &facts);
    hand_over(radio, &facts);
}

void radio_filter(struct radio_stage *radio)
{
    struct fake_table *fake = &radio->stage.fake;

    while (fake->edge_count) {
        struct edge edges[FAKE_EDGES_MAX];
        size_t count = fake->edge_count;
        memcpy(edges, fake->edges, count * sizeof edges[0]);
        fake->edge_count = 0;
        edges_sort(edges, count);
        for (size_t i = 0; i < count; i++) {
            filter_edge(radio, &edges[i]);
        }
    }
}

void radio_begin(struct radio_stage *radio, const char *ini)
{
    stage_begin(&radio->stage, ini);
    radio_begin_filters(radio);
}

void radio_begin_filters(struct radio_stage *radio)
{
    struct filter_settings settings = config_filter_settings(&radio->stage.fake.config);

    filters_init(&radio->filters, &settings);
    radio_filter(radio);
}

void radio_end(struct radio_stage *radio)
{
    stage_end(&radio->stage);
}

/* Until the next deadline of the table, at which the daemon may put edges, or of the filters. */
void radio_wait_ms(struct radio_stage *radio, unsigned ms)
{
    static struct fact_list facts;
    struct fake_table *fake = &radio->stage.fake;
    uint64_t until_us = fake->now_us + ms * UINT64_C(1000);

    radio->stage.seen = fake_bus_count(fake->bus);
    do {
        uint64_t filters_us = filters_next_deadline_us(&radio->filters);
        uint64_t table_us = table_deadline_us(fake->table);
        uint64_t next_us = filters_us < until_us ? filters_us : until_us;
        next_us = table_us && table_us < next_us ? table_us : next_us;
        fake_table_wait(fake, next_us > fake->now_us ? next_us - fake->now_us : 0);
        filters_tick(&radio->filters, fake->now_us, &facts);
        hand_over(radio, &facts);
        radio_filter(radio);
    } while (fake->now_us < until_us);
}

static void hear(struct radio_stage *radio, const char *line, bool retained)
{
    char topic[TOPIC_SIZE];
    const char *payload = strchr(line, ' ') + 1;

    radio->stage.seen = fake_bus_count(radio->stage.fake.bus);
    snprintf(topic, sizeof topic, "%.*s", (int)(payload - line - 1), line);
    payload = quoted(payload);
    fake_table_message(&radio->stage.fake, &(struct bus_news){
                                               .kind = BUS_MESSAGE,
                                               .topic = topic,
                                               .payload = payload,
                                               .size = strlen(payload),
                                               .retained = retained,
                                           });
    radio_filter(radio);
}

void radio_hear(struct radio_stage *radio, const char *line)
{
    hear(radio, line, false);
}

void radio_hear_retained(struct radio_stage *radio, const char *line)
{
    hear(radio, line, true);
}

void radio_wired(struct radio_stage *radio, unsigned sensor, bool level)
{
    filter_edge(radio, &(struct edge){.at_us = radio->stage.fake.now_us,
                                      .sensor = (uint16_t)sensor,
                                      .level = level});
    radio_filter(radio);
}

void radio_disconnect(struct radio_stage *radio)
{
    fake_table_disconnect(&radio->stage.fake);
    radio_filter(radio);
}

void radio_connect(struct radio_stage *radio)
{
    fake_table_connect(&radio->stage.fake);
    radio_filter(radio);
}
