/* The table: opening it, the one way into the game, and what is due. */
#include "table/table.h"

#include "common/log.h"
#include "internal.h"
#include "wire/wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * Opening
 */

/* S3: the window is closed when a tilt that began in it has had time to settle and to be told. */
static void set_window(struct table *table)
{
    uint64_t settle_us = table->config->timing.tilt_settle_ms * UINT64_C(1000);

    table->window_due_us =
        table->outcome.deadline_us ? table->outcome.deadline_us + settle_us + WINDOW_GRACE_US : 0;
}

/* One record of the journal, on the way back to where the game was. */
static int replay_record(void *self, const struct record *record)
{
    struct table *table = self;
    struct input input = record->input;
    const struct game before = table->play.game;

    input.setup = &record->setup;
    if (play_step(&table->play, &input, &table->outcome) ||
        (uint32_t)rules_hash(&table->play.game) != record->hash) {
        return -EPROTO;
    }
    sight_input(&table->sight, &input, &before, &table->play.game);
    if (input.kind == INPUT_NEW_GAME) {
        snprintf(table->game, sizeof table->game, "%s", record->game);
    }
    /*
     * Table time goes on from the latest record, whatever the machine's clock says after a restart.
     * A tilt has the time at which it began, which may be before a command that was recorded first.
     */
    if (input.at_us > table->clock_offset_us) {
        table->clock_offset_us = input.at_us;
    }
    set_window(table);
    table_note_id(table, record);
    return 0;
}

static void forget_game(struct table *table)
{
    play_begin(&table->play, table->past, JOURNAL_RECORDS_MAX);
    table->game[0] = '\0';
    table->window_due_us = 0;
}

/*
 * A record that has lost its end would give the numbers of published events to others, so that
 * nobody who has heard those would hear these.
 */
static int set_shortened_game_aside(struct table *table)
{
    const struct journal_mark *mark = journal_acknowledged(table->journal);
    char kept_as[DISK_NAME_SIZE];

    if (!journal_contradicts_mark(table->journal, table->play.game.seq)) {
        return 0;
    }
    int error = journal_set_aside(table->journal, kept_as);
    if (error) {
        return error;
    }
    log_error(
        "journal: game %s ends with event %u, but the broker has event %u of game %s: the end "
        "of the record is lost; the game is kept as %s",
        table->game, table->play.game.seq, mark->seq, mark->game, kept_as);
    forget_game(table);
    return 0;
}

/* unsure: 0, or why the disk does not take the last record of before again. */
static int resume(struct table *table, int *unsure)
{
    struct journal_limits limits = table_limits(table);
    struct journal_report report;
    int error =
        journal_open(&table->journal, table->ports.disk, &limits, replay_record, table, &report);

    if (error) {
        return error;
    }
    *unsure = report.unsure;
    table_log_loss(&report.loss);
    if (report.torn_bytes) {
        log_notice("journal: the last %u bytes were torn by a crash and are cut off",
                   report.torn_bytes);
    }
    if (report.problem[0]) {
        log_error("journal: %s; the game is kept as %s", report.problem, report.kept_as);
        forget_game(table);
    }
    error = set_shortened_game_aside(table);
    if (!error && table->game[0]) {
        log_notice("game %s goes on: turn %u, %s", table->game, table->play.game.turn.number,
                   rules_phase_name((enum phase)table->play.game.phase));
    }
    return error;
}

static uint64_t clock_us(const struct table *table)
{
    return table->ports.clock.now_us(table->ports.clock.self);
}

static void set_topics(struct table *table)
{
    const struct config *config = table->config;

    snprintf(table->base, sizeof table->base, "%s/%s/", config->mqtt.prefix, config->table);
    snprintf(table->event_topic, sizeof table->event_topic, "%s/%s/event/", config->mqtt.prefix,
             config->table);
}

static void set_outbox(struct table *table)
{
    table->outbox = (struct outbox){
        .journal = table->journal,
        .recall = table->recall,
        .disk = table->ports.disk,
        .bus = &table->ports.bus,
        .sensors = &table->ports.sensors,
        .topic = table->event_topic,
        .table = table->config->table,
    };
    table_open_jobs(table);
}

int table_open(struct table **opened, const struct config *config, const struct table_ports *ports)
{
    struct table *table = calloc(1, sizeof *table);

    if (!table) {
        return -ENOMEM;
    }
    table->config = config;
    table->ports = *ports;
    table->since_ms = ports->clock.wall_ms(ports->clock.self);
    forget_game(table);
    set_topics(table);
    int unsure = 0;
    int error = resume(table, &unsure);
    if (!error) {
        error = recall_open(&table->recall, table->journal);
    }
    if (!error) {
        table_remember_last_game(table);
    }
    if (error) {
        table_close(table);
        return error;
    }
    table->clock_offset_us -= clock_us(table);
    memset(table->sight.missed, 0, sizeof table->sight.missed);
    table->sight.looked = config->hw.backend == BACKEND_SIM; /* nothing has moved there yet */
    set_outbox(table);
    if (unsure) {
        table->end_is_unsafe = table->game[0] != '\0';
        table_storage_failed(table, unsure);
    }
    table_autostart(table);
    *opened = table;
    return 0;
}

void table_close(struct table *table)
{
    if (table) {
        outbox_close(&table->outbox);
        recall_close(table->recall);
        journal_close(table->journal);
        replies_close(&table->replies);
        free(table);
    }
}

const struct game *table_game(const struct table *table)
{
    return &table->play.game;
}

uint64_t table_time_us(const struct table *table, uint64_t at_clock_us)
{
    return at_clock_us + table->clock_offset_us;
}

uint64_t table_now_us(const struct table *table)
{
    return table_time_us(table, clock_us(table));
}

/*
 * The one way into the game
 */

static void tell(struct table *table, const struct record *record)
{
    for (unsigned i = 0; i < table->outcome.count; i++) {
        outbox_offer(&table->outbox, &(struct recalled){
                                         .game_id = table->game,
                                         .game = &table->play.game,
                                         .event = &table->outcome.events[i],
                                         .record = record,
                                     });
    }
    table->state.wanted = true;
    publish_changes_soon(table);
}

/* The rope measures from zero when a game begins, and after a ship was chosen or has moved. */
static void follow_up(struct table *table, const struct input *input)
{
    set_window(table);
    if (input->kind == INPUT_NEW_GAME || input->kind == INPUT_SELECT || input->kind == INPUT_MOVE) {
        sight_zero_rope(&table->sight);
        table->ports.sensors.zero_rope(table->ports.sensors.self);
    }
    if (input->kind == INPUT_NEW_GAME) {
        table_report_lying(table);
    }
    if (input->kind == INPUT_TOPPLE && sight_misses(&table->sight, input->piece) &&
        table->config->hw.lines[SENSOR_TILT + input->piece].fitted) {
        table->ports.sensors.suspect(table->ports.sensors.self,
                                     (uint16_t)(SENSOR_TILT + input->piece));
    }
}

/* Whether the game is at its maximum length and this would make it longer. */
static bool is_too_long(struct table *table, const struct input *input)
{
    if (input->kind == INPUT_UNDO || input->kind == INPUT_NEW_GAME ||
        !journal_is_full(table->journal)) {
        return false;
    }
    if (!table->too_long_is_logged) {
        log_warning("game %s has reached its maximum length of %d records: only undo and new-game "
                    "with abandon are accepted, and what sensors report is not recorded",
                    table->game, JOURNAL_RECORDS_MAX);
        table->too_long_is_logged = true;
    }
    return true;
}

int table_apply(struct table *table, const struct input *input, const struct evidence *evidence,
                const char *id)
{
    struct record record = {.input = *input};

    if (is_too_long(table, input)) {
        table->outcome.rule = RULE_NONE;
        return REFUSED_TOO_LONG;
    }
    play_make_room(&table->play);
    struct play before = table->play;
    int refusal = play_step(&table->play, input, &table->outcome);
    if (refusal) {
        return refusal;
    }
    record.wall_ms = table->ports.clock.wall_ms(table->ports.clock.self);
    record.hash = (uint32_t)rules_hash(&table->play.game);
    record.evidence = evidence ? *evidence : (struct evidence){0};
    snprintf(record.id, sizeof record.id, "%s", id);
    if (input->kind == INPUT_NEW_GAME) {
        record.setup = *input->setup;
    }
    int error = table_append(table, &record);
    if (error) {
        table->play = before;
        table->outcome.rule = RULE_NONE;
        table_storage_failed(table, error);
        return REFUSED_STORAGE;
    }
    if (input->kind == INPUT_NEW_GAME) {
        snprintf(table->game, sizeof table->game, "%s", record.game);
        table->too_long_is_logged = false;
        table_keep_house_soon(table);
    }
    table_note_id(table, &record);
    table_storage_works(table);
    sight_input(&table->sight, input, &before.game, &table->play.game);
    follow_up(table, input);
    tell(table, &record);
    table_look(table);
    if (rules_rope_shown(&before.game) || rules_rope_shown(&table->play.game)) {
        publish_rope_soon(table);
    }
    return 0;
}

/*
 * What is due
 */

static void close_window(struct table *table)
{
    struct input input = {.kind = INPUT_WINDOW_OVER, .at_us = table_now_us(table)};

    /* S3: what waits to be recorded may have fallen in the window. */
    int refusal = table->held.count ? REFUSED_STORAGE : table_apply(table, &input, NULL, "");
    if (refusal) {
        table->window_due_us =
            refusal == REFUSED_STORAGE ? table_now_us(table) + STORAGE_RETRY_US : 0;
    }
}

static void retry_storage(struct table *table)
{
    table_retry_held(table);
    if (table->storage_retry_us && !table->held.count) {
        table_probe_storage(table);
    }
}

void table_tick(struct table *table)
{
    uint64_t now_us = table_now_us(table);

    if (table->knock.due_us && now_us >= table->knock.due_us) {
        table_flush_knock(table);
    }
    if (table->storage_retry_us && now_us >= table->storage_retry_us) {
        retry_storage(table);
    }
    if (table->window_due_us && now_us >= table->window_due_us) {
        close_window(table);
    }
    if (table->changes_due_us && now_us >= table->changes_due_us) {
        publish_changes(table);
        publish_watch(table);
    }
    if (table->rope_due_us && now_us >= table->rope_due_us) {
        publish_rope_due(table);
    }
    if (table->housekeeping.due_us && now_us >= table->housekeeping.due_us) {
        table_keep_house(table);
    }
    if (publish_is_stuck(table) && now_us >= table->resend_us) {
        publish_again(table);
    }
    uint64_t query_us = table_query_due_us(table);
    if (query_us && now_us >= query_us) {
        table_answer_query(table);
    }
}

static uint64_t earlier(uint64_t one, uint64_t two)
{
    return one && (!two || one < two) ? one : two;
}

uint64_t table_deadline_us(const struct table *table)
{
    uint64_t due_us = earlier(earlier(table->knock.due_us, table->rope_due_us),
                              earlier(table->storage_retry_us, table->window_due_us));

    due_us = earlier(due_us, earlier(table->changes_due_us, table_query_due_us(table)));
    due_us = earlier(due_us, table->housekeeping.due_us);
    due_us = earlier(due_us, publish_is_stuck(table) ? table->resend_us : 0);
    if (!due_us) {
        return 0;
    }
    /* What was due before the machine started is due now. */
    return due_us > table_now_us(table) ? due_us - table->clock_offset_us : clock_us(table);
}

void table_configured(struct table *table)
{
    publish_info(table);
    table_autostart(table);
}
