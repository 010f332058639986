#include "fake_table.h"

#include "fake_log.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    INI_SIZE = 4096,
    EVERY_OPERATION = 1000000, /* more than there will be */
    WALL_START_S = 1700000000,
    QUERY_PAUSE_US = 10000, /* a query is answered within it if no other waits */
};

/*
 * Ports
 */

static uint64_t now_us(void *self)
{
    return ((struct fake_table *)self)->now_us;
}

static int64_t wall_ms(void *self)
{
    return ((struct fake_table *)self)->wall_ms;
}

static uint32_t draw(void *self, uint32_t below)
{
    struct fake_table *fake = self;

    assert(below > 0);
    if (fake->draw_count == 0) {
        return chance_below(&fake->chance, below);
    }
    uint32_t drawn = fake->draws[0] % below;
    fake->draw_count--;
    memmove(fake->draws, fake->draws + 1, fake->draw_count * sizeof fake->draws[0]);
    return drawn;
}

static void zero_rope(void *self)
{
    struct fake_table *fake = self;

    fake->rope_zeroed++;
    fake->rope_milli = 0;
}

static void report_silent(void *self, uint16_t sensor)
{
    ((struct fake_table *)self)->suspected = sensor;
}

static int simulate(void *self, const char *sensor, unsigned level)
{
    struct fake_table *fake = self;

    if (sensor_named(&fake->names, sensor) == SENSOR_NONE) {
        return -1;
    }
    snprintf(fake->simulated, sizeof fake->simulated, "%s %u", sensor, level);
    return 0;
}

static void set_radio(void *self, const bool is_radio[SENSOR_COUNT])
{
    memcpy(((struct fake_table *)self)->is_radio, is_radio,
           sizeof((struct fake_table *)self)->is_radio);
}

static int put(void *self, const struct edge *edges, size_t count)
{
    struct fake_table *fake = self;

    if (fake->edge_count + count > FAKE_EDGES_MAX) {
        return -EAGAIN;
    }
    memcpy(fake->edges + fake->edge_count, edges, count * sizeof *edges);
    fake->edge_count += count;
    return 0;
}

static int pair(void *self, uint16_t sensor, const char *source)
{
    struct fake_table *fake = self;

    snprintf(fake->paired, sizeof fake->paired, "%s %s", sensor_name(&fake->names, sensor),
             source ? source : "-");
    return 0;
}

static uint16_t named(void *self, const char *name)
{
    return (uint16_t)sensor_named(&((struct fake_table *)self)->names, name);
}

static const char *name_of(void *self, uint16_t sensor)
{
    return sensor_name(&((struct fake_table *)self)->names, sensor);
}

/* Unlike assert it also holds in a release build. */
static void insist(bool holds, const char *claim)
{
    if (!holds) {
        fprintf(stderr, "it does not hold that %s\n", claim);
        abort();
    }
}

/*
 * Durable before visible: when something is told, the file of the game has nothing unsafe in it.
 * Once the disk has failed there may be the rest of what was refused; what was told earlier is told
 * then.
 */
static void watch_arrival(void *self, const struct fake_message *message)
{
    const struct fake_table *fake = self;
    const char *info = fake_bus_retained(fake->bus, FAKE_BASE "info");
    bool disk_works = info && strstr(info, "\"storage\":null");
    bool is_event = strncmp(message->topic, FAKE_BASE "event/", strlen(FAKE_BASE "event/")) == 0;

    bool is_accepted = strstr(message->payload, "\"ok\":true,\"seq\":") &&
                       !strstr(message->payload, "\"seq\":0,"); /* without a game: pair */

    if (disk_works && (is_event || is_accepted)) {
        insist(fake_disk_is_safe(fake->disk, "open-game"), "what is told is safe on disk");
    }
}

/*
 * Life and death
 */

static void fail_on_problem(void *context, const char *file, int line, const char *message)
{
    (void)context;
    fprintf(stderr, "%s:%d: %s\n", file, line, message);
    abort();
}

void fake_table_read_config(struct config *config, const char *ini)
{
    char text[INI_SIZE];
    int length = snprintf(text, sizeof text, "[table]\nname = den\n[hw]\nbackend = sim\n%s\n", ini);

    assert(length > 0 && (size_t)length < sizeof text);
    config_load_text("test", text, (size_t)length, config, fail_on_problem, NULL);
}

void fake_table_begin(struct fake_table *fake, const char *ini)
{
    memset(fake, 0, sizeof *fake);
    fake_log_forget();
    fake_table_read_config(&fake->config, ini);
    fake->disk = fake_disk_new();
    fake->disk_interface = fake_disk_interface(fake->disk);
    fake->bus = fake_bus_new();
    fake_bus_set_watch(fake->bus, watch_arrival, fake);
    fake->now_us = FAKE_SECOND_US;
    fake->wall_ms = WALL_START_S * INT64_C(1000);
    fake->chance.state = 1;
    sensor_names_init(&fake->names, &(struct button_names){.name = {"end", "back"}, .count = 2});
}

void fake_table_end(struct fake_table *fake)
{
    fake_table_kill(fake);
    fake_bus_free(fake->bus);
    fake_disk_free(fake->disk);
}

static int begin_job(void *self, struct job *job)
{
    struct fake_table *fake = self;

    assert(fake->job_count < FAKE_JOBS_MAX);
    fake->jobs[fake->job_count++] = job;
    return 0;
}

static bool do_job(struct fake_table *fake)
{
    struct job *job = fake->jobs[0];

    if (!fake->job_count) {
        return false;
    }
    memmove(fake->jobs, fake->jobs + 1, --fake->job_count * sizeof fake->jobs[0]);
    job->work(job->self);
    job->used_us = fake->job_used_us;
    job->done(job->self);
    return true;
}

int fake_table_start(struct fake_table *fake)
{
    struct table_ports ports = {
        .disk = &fake->disk_interface,
        .jobs = {fake, begin_job},
        .bus = fake_bus_interface(fake->bus),
        .clock = {fake, now_us, wall_ms},
        .random = {fake, draw},
        .sensors = {fake, zero_rope, report_silent, simulate, set_radio, put, pair, name_of, named},
    };

    int error = table_open(&fake->table, &fake->config, &ports);

    if (error) {
        fake->table = NULL;
    }
    return error;
}

void fake_table_kill(struct fake_table *fake)
{
    const struct fake_faults dead = {
        .fail_at = 1, .fail_count = EVERY_OPERATION, .fail_errno = 5, .failed_sync = LOSE_NOTHING};

    /* Closing frees memory; what it would like to write as well does not get through. */
    fake_disk_set_faults(fake->disk, &dead);
    fake_table_stop(fake);
    fake_disk_set_faults(fake->disk, NULL);
}

void fake_table_cut(struct fake_table *fake, enum fake_loss loss, uint64_t seed)
{
    fake_table_kill(fake);
    fake_disk_restart(fake->disk, loss, seed);
    fake->now_us = FAKE_SECOND_US;
    fake->rope_milli = 0;
}

void fake_table_stop(struct fake_table *fake)
{
    table_close(fake->table);
    fake->table = NULL;
    fake->job_count = 0;
    fake_bus_forget_client(fake->bus);
}

/*
 * The broker and the clock
 */

void fake_table_hear(struct fake_table *fake)
{
    struct bus_news news;

    do {
        while (fake->table && fake_bus_take(fake->bus, &news)) {
            table_news(fake->table, &news);
        }
    } while (fake->table && do_job(fake));
}

void fake_table_connect(struct fake_table *fake)
{
    fake_bus_connect(fake->bus);
    fake_table_hear(fake);
}

void fake_table_disconnect(struct fake_table *fake)
{
    fake_bus_disconnect(fake->bus);
    fake_table_hear(fake);
}

static void set_clock(struct fake_table *fake, uint64_t at_us)
{
    fake->wall_ms += (int64_t)((at_us - fake->now_us) / 1000);
    fake->now_us = at_us;
}

void fake_table_wait(struct fake_table *fake, uint64_t us)
{
    uint64_t until_us = fake->now_us + us;
    uint64_t due_us = table_deadline_us(fake->table);
    unsigned rounds = 0;

    while (due_us && due_us <= until_us) {
        insist(rounds++ < 1000, "the daemon does not spin on something that stays due");
        set_clock(fake, due_us > fake->now_us ? due_us : fake->now_us);
        table_tick(fake->table);
        fake_table_hear(fake);
        due_us = table_deadline_us(fake->table);
    }
    set_clock(fake, until_us);
}

/*
 * People and sensors
 */

void fake_table_message(struct fake_table *fake, const struct bus_news *message)
{
    fake_table_hear(fake);
    table_news(fake->table, message);
    fake_table_hear(fake);
}

bool fake_reply_is_ok(const char *reply)
{
    return reply && strstr(reply, "\"ok\":true");
}

static bool is_query(const char *verb)
{
    for (unsigned i = 0; i < TABLE_QUERY_COUNT; i++) {
        if (strcmp(verb, table_queries[i]) == 0) {
            return true;
        }
    }
    return false;
}

const char *fake_table_send(struct fake_table *fake, const char *verb, const char *json)
{
    char topic[TOPIC_SIZE];
    size_t before = fake_bus_count(fake->bus);

    snprintf(topic, sizeof topic, FAKE_BASE "command/%s", verb);
    fake_table_message(fake, &(struct bus_news){
                                 .kind = BUS_MESSAGE,
                                 .topic = topic,
                                 .payload = json,
                                 .size = strlen(json),
                             });
    if (is_query(verb)) {
        fake_table_wait(fake, QUERY_PAUSE_US);
    }
    for (size_t i = fake_bus_count(fake->bus); i > before; i--) {
        const struct fake_message *message = fake_bus_message(fake->bus, i - 1);
        if (strcmp(message->topic, FAKE_BASE "reply") == 0) {
            return message->payload;
        }
    }
    return NULL;
}

void fake_table_fact(struct fake_table *fake, const struct fact *fact)
{
    fake_table_hear(fake);
    table_fact(fake->table, fact);
    fake_table_hear(fake);
}
