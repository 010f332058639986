/* Connects the modules of the table, and decides when each of them acts. */
#include "table/table.h"

#include "common/log.h"
#include "rules/say.h"
#include "table_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t table_query_due_us(const struct table *table)
{
    uint64_t due_us = queries_due_us(&table->queries);

    return due_us ? session_clock_us(table->session, due_us) : 0;
}

/*
 * The ready check, and the game that starts by itself
 */

static bool has_problem(const struct ready_check *check, const struct problem *problem)
{
    for (unsigned i = 0; i < check->count; i++) {
        if (memcmp(&check->problems[i], problem, sizeof *problem) == 0) {
            return true;
        }
    }
    return false;
}

static void log_waiting(const struct table *table)
{
    static struct log_limit limit;
    char message[SENTENCE_SIZE];

    ready_check_refusal(&table->check, &table->config->setup, message, sizeof message);
    log_limited(&limit, LOG_LEVEL_NOTICE, "autostart: %s The game starts by itself then.", message);
}

/* Before a game problems are logged only if one waits to start; during a game the new ones are. */
static void log_problems(const struct table *table, const struct ready_check *before)
{
    static struct log_limit limit;
    const struct ready_check *now = &table->check;

    if (table->autostart_waits && now->kind == CHECK_START && !now->ready) {
        log_waiting(table);
    }
    for (unsigned i = 0; now->kind == CHECK_RESUME && i < now->count; i++) {
        const struct problem *problem = &now->problems[i];
        if (problem->blocks && !has_problem(before, problem)) {
            char message[PROBLEM_TEXT_SIZE];
            problem_message(problem, "", message, sizeof message);
            log_limited(&limit, LOG_LEVEL_NOTICE, "%s", message);
        }
    }
}

static void check_table(struct table *table)
{
    const struct game *game = session_game(table->session);
    struct ready_check before = table->check;

    table->check_is_due = false;
    if (game->phase == PHASE_LOBBY || game->phase == PHASE_OVER) {
        ready_check_start(&table->observed, &table->config->setup, &table->check);
    } else {
        ready_check_game(&table->observed, game, &table->check);
    }
    table->autostart_waits &= game->phase == PHASE_LOBBY;
    table->check.autostart = table->autostart_waits;
    if (memcmp(&table->check, &before, sizeof before) != 0) {
        log_problems(table, &before);
        publisher_ready(table->publisher);
    }
    publisher_fallen(table->publisher, table->knock.pieces);
}

/* One attempt, except that it also waits for a disk that does not take the game. */
static void autostart(struct table *table)
{
    const struct input input = {.kind = INPUT_NEW_GAME};

    table->autostart_waits = false;
    table_press(table, &input, NULL);
    table->autostart_waits = session_game(table->session)->phase == PHASE_LOBBY &&
                             session_storage_problem(table->session)[0];
    check_table(table);
}

void table_refresh(struct table *table)
{
    if (table->check_is_due) {
        check_table(table);
        if (table->autostart_waits && table->check.ready && table->observed.looked &&
            !session_storage_problem(table->session)[0]) {
            autostart(table);
        }
    }
    publisher_changes(table->publisher);
}

void table_changed(struct table *table)
{
    table->check_is_due = true;
    publisher_changes_soon(table->publisher);
}

static void begin_autostart(struct table *table)
{
    table->autostart_waits =
        table->config->autostart && session_game(table->session)->phase == PHASE_LOBBY;
    table->check = (struct ready_check){0}; /* every problem is a new one */
    table->check_is_due = true;
    table_refresh(table);
}

void table_configured(struct table *table)
{
    sources_configured(table->sources);
    publisher_info(table->publisher);
    begin_autostart(table);
}

/*
 * What is due
 */

static void close_window(struct table *table)
{
    struct session *session = table->session;
    uint64_t now_us = session_now_us(session);
    struct input input = {.kind = INPUT_WINDOW_OVER, .at_us = now_us};

    /* S3: a fact that waits to be recorded may have happened in the window. */
    int refusal = table->held.count ? (int)REFUSED_STORAGE : table_apply(table, &input, NULL, "");
    if (refusal) {
        session_set_window_due_us(session,
                                  refusal == REFUSED_STORAGE ? now_us + STORAGE_RETRY_US : 0);
    }
}

void table_probe_storage(struct table *table)
{
    session_probe_storage(table->session);
    publisher_storage(table->publisher);
    table_changed(table); /* a game that starts by itself may have waited for the disk */
}

/* 0: nothing waits for the disk. Facts that are held while it works are recorded at once. */
static uint64_t retry_due_us(const struct table *table)
{
    uint64_t retry_us = session_retry_due_us(table->session);

    return !retry_us && table->held.count ? session_now_us(table->session) : retry_us;
}

static void retry_storage(struct table *table)
{
    table_retry_held(table);
    if (session_retry_due_us(table->session) && !table->held.count) {
        table_probe_storage(table);
    }
}

static bool is_due(uint64_t due_us, uint64_t now_us)
{
    return due_us && now_us >= due_us;
}

/* What messages of radio sensors changed besides edges; their events are published already. */
static void tick_sources(struct table *table)
{
    uint64_t now_us = table->ports.clock.now_us(table->ports.clock.self);

    sources_tick(table->sources, now_us);
    pairing_tick(table->pairing, now_us);
    for (unsigned sensor = sources_take_news(table->sources, now_us); sensor != SENSOR_NONE;
         sensor = sources_take_news(table->sources, now_us)) {
        publisher_sensor(table->publisher, (uint16_t)sensor);
    }
    if (sources_take_change(table->sources)) {
        table_changed(table);
    }
}

void table_tick(struct table *table)
{
    struct session *session = table->session;
    uint64_t now_us = session_now_us(session);

    if (is_due(table->knock.due_us, now_us)) {
        table_flush_knock(table);
    }
    if (is_due(retry_due_us(table), now_us)) {
        retry_storage(table);
    }
    if (is_due(session_window_due_us(session), now_us)) {
        close_window(table);
    }
    if (is_due(session_maintenance_due_us(session), now_us)) {
        session_maintain(session);
    }
    if (publisher_changes_due(table->publisher, now_us)) {
        table_refresh(table);
    }
    tick_sources(table);
    publisher_tick(table->publisher, now_us);
}

static uint64_t earlier(uint64_t one, uint64_t two)
{
    return one && (!two || one < two) ? one : two;
}

uint64_t table_deadline_us(const struct table *table)
{
    const struct session *session = table->session;
    uint64_t due_us =
        earlier(earlier(table->knock.due_us, retry_due_us(table)),
                earlier(session_window_due_us(session), session_maintenance_due_us(session)));

    due_us = earlier(due_us, publisher_due_us(table->publisher));
    due_us = due_us ? session_clock_us(session, due_us) : 0;
    return earlier(due_us, earlier(sources_due_us(table->sources), pairing_due_us(table->pairing)));
}

/*
 * Opening
 */

static void replayed(void *self, const struct input *input, const struct game *before,
                     const struct game *after)
{
    observed_input(&((struct table *)self)->observed, input, before, after);
}

static void open_outbox(struct table *table)
{
    table->outbox = (struct outbox){
        .journal = session_journal(table->session),
        .recall = session_recall(table->session),
        .disk = table->ports.disk,
        .jobs = &table->ports.jobs,
        .bus = &table->ports.bus,
        .sensors = &table->ports.sensors,
        .topic = table->event_topic,
        .table = table->config->table,
    };
}

static int open_modules(struct table *table)
{
    snprintf(table->base, sizeof table->base, "%s/%s/", table->config->mqtt.prefix,
             table->config->table);
    snprintf(table->event_topic, sizeof table->event_topic, "%.*sevent/",
             TOPIC_SIZE - (int)sizeof "event/", table->base);
    int error = session_open(&table->session, table->config, &table->ports, replayed, table);

    if (error) {
        return error;
    }
    error =
        sources_open(&table->sources, table->config, &table->ports, &table->observed, table->base);
    if (!error) {
        error = pairing_open(&table->pairing, &table->ports, table->sources, table->base);
    }
    if (error) {
        return error;
    }
    open_outbox(table);
    table->replies = (struct replies){.bus = &table->ports.bus, .base = table->base};
    queries_open(&table->queries, table->config, &table->ports, table->session, &table->replies);
    return publisher_open(&table->publisher, &(struct publisher_sources){
                                                 .config = table->config,
                                                 .ports = &table->ports,
                                                 .session = table->session,
                                                 .observed = &table->observed,
                                                 .check = &table->check,
                                                 .outbox = &table->outbox,
                                                 .base = table->base,
                                             });
}

/* Nobody has touched the simulated pieces: they lie as the open game was left. */
static void lay_simulated_pieces(const struct table *table)
{
    const struct sensors *sensors = &table->ports.sensors;
    const struct game *game = session_game(table->session);

    if (table->config->hw.backend != BACKEND_SIM || game->phase == PHASE_OVER) {
        return;
    }
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (game->lying & bit(piece)) {
            const char *name = sensors->name(sensors->self, (uint16_t)(SENSOR_TILT + piece));
            sensors->simulate(sensors->self, name, 1);
        }
    }
}

int table_open(struct table **opened, const struct config *config, const struct table_ports *ports)
{
    struct table *table = calloc(1, sizeof *table);

    if (!table) {
        return -ENOMEM;
    }
    table->config = config;
    table->ports = *ports;
    int error = open_modules(table);
    if (error) {
        table_close(table);
        return error;
    }
    memset(table->observed.missed, 0, sizeof table->observed.missed);
    table->observed.looked = config->hw.backend == BACKEND_SIM; /* nothing has moved there yet */
    sources_configured(table->sources);
    lay_simulated_pieces(table);
    begin_autostart(table);
    *opened = table;
    return 0;
}

void table_close(struct table *table)
{
    if (table) {
        publisher_close(table->publisher);
        pairing_close(table->pairing);
        sources_close(table->sources);
        outbox_close(&table->outbox);
        queries_close(&table->queries);
        session_close(table->session);
        free(table);
    }
}

const struct game *table_game(const struct table *table)
{
    return session_game(table->session);
}
