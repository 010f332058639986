#include "session.h"

#include "common/log.h"
#include "reply_cache.h"
#include "rules/text.h"
#include "wire/wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PROBLEM_SIZE = 128,
    WINDOW_GRACE_US = 100000, /* for facts on their way when the shot window ends */
    MAINTENANCE_US = 1000000, /* from an acknowledgement to the sync of the mark */
    NAMES_MAX = 8,            /* attempts to find an unused id for a game */
};

/*
 * A job that syncs the acknowledged mark and removes old games. What follows the job belongs to it
 * while it runs.
 */
struct maintenance {
    bool is_running;
    uint64_t due_us; /* 0: nothing has changed */
    struct job job;
    struct journal_limits limits;
    struct journal_mark mark;
    bool has_mark; /* to be synced */
    uint32_t before;
    int mark_error;
    struct journal_loss loss;
};

/*
 * Rolls that were taken back. Nobody rolls the daemon's dice again by an undo: they show the same
 * again, in the same order.
 */
struct known_rolls {
    uint8_t values[JOURNAL_RECORDS_MAX]; /* the next one last */
    unsigned count;
};

struct session {
    const struct config *config;
    const struct table_ports *ports;
    session_replayed_fn *replayed; /* while the journal is read */
    void *context;

    struct journal *journal;
    struct recall *recall;
    struct maintenance maintenance;
    struct play play;
    struct past past[JOURNAL_RECORDS_MAX]; /* so that undo reaches the start of every game */
    char game_id[GAME_ID_SIZE];            /* "" in the lobby */
    bool too_long_is_logged;               /* for this game */
    struct known_rolls move_rolls;
    struct known_rolls combat_rolls;

    uint64_t clock_offset_us; /* table time is the clock's time plus this */
    uint64_t opened_us;       /* by the clock */
    uint64_t window_due_us;   /* 0: no window is open */

    struct reply_cache replies;

    uint64_t storage_retry_us;          /* 0: the disk works */
    char storage_problem[PROBLEM_SIZE]; /* "" while it works */
    bool end_is_unsafe;

    struct play before;     /* the last step */
    struct record record;   /* of it */
    struct outcome outcome; /* of it */
};

const struct play *session_play(const struct session *session)
{
    return &session->play;
}

const struct game *session_game(const struct session *session)
{
    return &session->play.game;
}

const char *session_game_id(const struct session *session)
{
    return session->game_id;
}

struct journal *session_journal(const struct session *session)
{
    return session->journal;
}

struct recall *session_recall(const struct session *session)
{
    return session->recall;
}

const struct outcome *session_outcome(const struct session *session)
{
    return &session->outcome;
}

static struct known_rolls *rolls_of(struct session *session, enum input_kind kind)
{
    return kind == INPUT_ROLL_MOVE     ? &session->move_rolls
           : kind == INPUT_ROLL_COMBAT ? &session->combat_rolls
                                       : NULL;
}

uint8_t session_known_roll(struct session *session, enum input_kind kind)
{
    const struct known_rolls *rolls = rolls_of(session, kind);

    return rolls && rolls->count ? rolls->values[rolls->count - 1] : 0;
}

/* After an accepted input. */
static void note_roll(struct session *session, const struct input *input)
{
    const struct event *undone = input->kind == INPUT_UNDO ? &session->outcome.events[0] : NULL;
    struct known_rolls *rolls = rolls_of(session, undone ? undone->undone : input->kind);

    if (input->kind == INPUT_NEW_GAME) {
        session->move_rolls.count = 0;
        session->combat_rolls.count = 0;
    } else if (rolls && undone && undone->value && rolls->count < JOURNAL_RECORDS_MAX) {
        rolls->values[rolls->count++] = (uint8_t)undone->value;
    } else if (rolls && !undone && input->value && rolls->count) {
        rolls->count--;
    }
}

const struct record *session_record(const struct session *session)
{
    return &session->record;
}

const struct game *session_before(const struct session *session)
{
    return &session->before.game;
}

/*
 * Time
 */

static uint64_t clock_us(const struct session *session)
{
    return session->ports->clock.now_us(session->ports->clock.self);
}

uint64_t session_time_us(const struct session *session, uint64_t at_clock_us)
{
    /* A node may report what happened before the start: table time does not go back so far. */
    uint64_t counted_us = at_clock_us > session->opened_us ? at_clock_us : session->opened_us;

    return counted_us + session->clock_offset_us;
}

uint64_t session_now_us(const struct session *session)
{
    return session_time_us(session, clock_us(session));
}

uint64_t session_clock_us(const struct session *session, uint64_t time_us)
{
    /* What was due before the machine started is due now. */
    return time_us > session_now_us(session) ? time_us - session->clock_offset_us
                                             : clock_us(session);
}

/* S3: how late the fall of a piece in play may be reported; 0 if none is by radio. */
static uint32_t largest_late_ms(const struct session *session)
{
    uint32_t largest_ms = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        unsigned tilt = SENSOR_TILT + piece;
        if (line_is_radio(&session->config->hw.lines[tilt]) &&
            rules_in_play(&session->play.game, (enum piece)piece)) {
            uint32_t late_ms = config_late_ms(session->config, tilt);
            largest_ms = late_ms > largest_ms ? late_ms : largest_ms;
        }
    }
    return largest_ms;
}

/* S3: the window closes when a tilt that began in it has had time to settle and to be reported. */
static void set_window(struct session *session)
{
    uint64_t settle_us = session->config->timing.tilt_settle_ms * UINT64_C(1000);
    uint64_t deadline_us = session->outcome.deadline_us;

    session->window_due_us = 0;
    if (deadline_us) {
        uint64_t late_us = largest_late_ms(session) * UINT64_C(1000);
        session->window_due_us = deadline_us + late_us + settle_us + WINDOW_GRACE_US;
    }
}

uint64_t session_window_due_us(const struct session *session)
{
    return session->window_due_us;
}

void session_set_window_due_us(struct session *session, uint64_t due_us)
{
    session->window_due_us = due_us;
}

/*
 * Storage
 */

/* A disk that is nearly full may fail and work in turns. */
static struct log_limit storage_changes;

static void storage_failed(struct session *session, int error)
{
    if (strcmp(session->storage_problem, strerror(-error)) != 0) {
        log_limited(&storage_changes, LOG_LEVEL_ERROR,
                    "journal: %s; nothing can be recorded, so nothing is accepted until it can",
                    strerror(-error));
        snprintf(session->storage_problem, sizeof session->storage_problem, "%s", strerror(-error));
    }
    session->storage_retry_us = session_now_us(session) + STORAGE_RETRY_US;
}

static void storage_works(struct session *session)
{
    session->storage_retry_us = 0;
    session->end_is_unsafe = false;
    if (session->storage_problem[0]) {
        log_limited(&storage_changes, LOG_LEVEL_NOTICE,
                    "journal: the disk works again, the game goes on");
        session->storage_problem[0] = '\0';
    }
}

const char *session_storage_problem(const struct session *session)
{
    return session->storage_problem;
}

uint64_t session_retry_due_us(const struct session *session)
{
    return session->storage_retry_us;
}

bool session_end_is_unsafe(const struct session *session)
{
    return session->end_is_unsafe;
}

void session_probe_storage(struct session *session)
{
    int error = journal_probe(session->journal);

    if (error) {
        storage_failed(session, error);
    } else {
        storage_works(session);
    }
}

/*
 * Ids of commands
 */

static void remember_step(struct session *session, const struct recalled_step *step)
{
    char *json = wire_reply_ok(step->record->id, step->game, step->outcome);

    if (json) {
        reply_cache_add(&session->replies, step->record->id, json);
    }
    free(json);
}

struct search {
    struct session *session;
    const char *id;
};

static int compare_id(void *self, const struct recalled_step *step)
{
    enum { FOUND = 1 };
    const struct search *search = self;

    if (strcmp(step->record->id, search->id) != 0) {
        return 0;
    }
    remember_step(search->session, step);
    return FOUND;
}

const char *session_known_reply(struct session *session, const char *id)
{
    struct search search = {.session = session, .id = id};
    const char *known = reply_cache_find(&session->replies, id);

    if (known || !reply_cache_may_have_accepted(&session->replies, id)) {
        return known;
    }
    (void)recall_steps(session->recall, NULL, compare_id, &search);
    return reply_cache_find(&session->replies, id);
}

void session_remember_reply(struct session *session, const char *id, const char *json)
{
    reply_cache_add(&session->replies, id, json);
}

static void note_id(struct session *session, const struct record *record)
{
    if (record->input.kind == INPUT_NEW_GAME) {
        reply_cache_begin_game(&session->replies);
    }
    reply_cache_accept(&session->replies, record->id);
}

static int remember_id(void *self, const struct recalled_step *step)
{
    if (step->record->id[0]) {
        remember_step(self, step);
    }
    return 0;
}

static void remember_last_game(struct session *session)
{
    uint32_t number = journal_number(session->journal);
    struct journal_game last = {0};

    if (number < 2 ||
        journal_load_finished(session->ports->disk, number - 2, number, false, &last) <= 0) {
        return;
    }
    (void)recall_steps(session->recall, &last, remember_id, session);
    journal_free_game(&last);
}

/*
 * The acknowledged mark, and finished games beyond what is kept
 */

static struct journal_limits limits_of(const struct config *config)
{
    return (struct journal_limits){
        .games_max = config->journal.keep_games,
        .bytes_max = config->journal.keep_kib * UINT64_C(1024),
    };
}

static void log_loss(const struct journal_loss *loss)
{
    if (loss->games) {
        log_warning("journal: removed %u finished games that the broker lacks events of, up to %s, "
                    "because all games together are larger than [journal] keep_kib",
                    loss->games, loss->last);
    }
}

static void maintain(void *self)
{
    struct session *session = self;
    struct maintenance *job = &session->maintenance;

    if (job->has_mark) {
        job->mark_error = journal_sync_mark(session->ports->disk);
    }
    /* A failure does not stop the game; the next attempt is made with the next mark or game. */
    (void)journal_prune(session->ports->disk, &job->limits, job->before, job->mark.number,
                        &job->loss);
}

static void maintained(void *self)
{
    struct session *session = self;
    struct maintenance *job = &session->maintenance;

    job->is_running = false;
    if (job->has_mark && !job->mark_error) {
        journal_mark_synced(session->journal, &job->mark);
    }
    log_loss(&job->loss);
    session_mark_changed(session);
}

static void maintain_soon(struct session *session)
{
    struct maintenance *job = &session->maintenance;

    if (!job->is_running && !job->due_us) {
        job->due_us = session_now_us(session) + MAINTENANCE_US;
    }
}

void session_mark_changed(struct session *session)
{
    if (!journal_mark_is_safe(session->journal)) {
        maintain_soon(session);
    }
}

uint64_t session_maintenance_due_us(const struct session *session)
{
    return session->maintenance.due_us;
}

void session_maintain(struct session *session)
{
    struct maintenance *job = &session->maintenance;
    const struct jobs *jobs = &session->ports->jobs;

    *job = (struct maintenance){
        .job = {.self = session, .work = maintain, .done = maintained},
        .limits = limits_of(session->config),
        .mark = *journal_acknowledged(session->journal),
        .has_mark =
            !journal_mark_is_safe(session->journal) && !journal_write_mark(session->journal),
        .before = journal_number(session->journal),
    };
    job->is_running = jobs->begin(jobs->self, &job->job) == 0;
}

/*
 * Applying
 */

/*
 * "20261116-204501-3f9a0c71": when it began, and a random number. It is unique among all tables of
 * a club, also if they start a game in the same second, as after a power cut.
 */
static void name_game(const struct session *session, int64_t wall_ms, char id[GAME_ID_SIZE])
{
    const struct random *random = &session->ports->random;
    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm utc;

    gmtime_r(&seconds, &utc);
    size_t length = strftime(id, GAME_ID_SIZE, "%Y%m%d-%H%M%S-", &utc);
    snprintf(id + length, GAME_ID_SIZE - length, "%08x", random->draw(random->self, UINT32_MAX));
}

/* Two games that begin in the same second may get the same id: then another number is drawn. */
static int append(struct session *session)
{
    struct record *record = &session->record;
    int error = -EEXIST;

    for (unsigned i = 0; error == -EEXIST && i < NAMES_MAX; i++) {
        if (record->input.kind == INPUT_NEW_GAME) {
            name_game(session, record->wall_ms, record->game);
        }
        error = journal_append(session->journal, record);
    }
    return error;
}

static void fill_record(struct session *session, const struct input *input,
                        const struct evidence *evidence, const char *id)
{
    struct record *record = &session->record;

    record->input = *input;
    record->wall_ms = session->ports->clock.wall_ms(session->ports->clock.self);
    record->hash = (uint32_t)rules_hash(&session->play.game);
    record->evidence = evidence ? *evidence : (struct evidence){0};
    struct text text = text_begin(record->id, sizeof record->id);
    text_add(&text, id);
    if (input->kind == INPUT_NEW_GAME) {
        record->setup = *input->setup;
    }
}

/* Whether the game is at its maximum length and this would make it longer. */
static bool is_too_long(struct session *session, const struct input *input)
{
    if (input->kind == INPUT_UNDO || input->kind == INPUT_NEW_GAME ||
        !journal_is_full(session->journal)) {
        return false;
    }
    if (!session->too_long_is_logged) {
        log_warning("game %s has reached its maximum length of %d records: only undo and new-game "
                    "with abandon are accepted, and what sensors report is not recorded",
                    session->game_id, JOURNAL_RECORDS_MAX);
        session->too_long_is_logged = true;
    }
    return true;
}

int session_apply(struct session *session, const struct input *input,
                  const struct evidence *evidence, const char *id)
{
    if (is_too_long(session, input)) {
        session->outcome.rule = RULE_NONE;
        return REFUSED_TOO_LONG;
    }
    play_make_room(&session->play);
    session->before = session->play;
    int refusal = play_step(&session->play, input, &session->outcome);
    if (refusal) {
        return refusal;
    }
    fill_record(session, input, evidence, id);
    int error = append(session);
    if (error) {
        session->play = session->before;
        session->outcome.rule = RULE_NONE;
        if (error == -EINVAL) {
            return REFUSED_BAD_VALUE; /* no disk will ever take it, so nobody may wait for that */
        }
        storage_failed(session, error);
        return REFUSED_STORAGE;
    }
    if (input->kind == INPUT_NEW_GAME) {
        snprintf(session->game_id, sizeof session->game_id, "%s", session->record.game);
        session->too_long_is_logged = false;
        maintain_soon(session);
    }
    note_roll(session, input);
    note_id(session, &session->record);
    set_window(session);
    storage_works(session);
    return 0;
}

/*
 * Opening
 */

static int replay_record(void *self, const struct record *record)
{
    struct session *session = self;
    struct input input = record->input;
    const struct game before = session->play.game;

    input.setup = &record->setup;
    if (play_step(&session->play, &input, &session->outcome) ||
        (uint32_t)rules_hash(&session->play.game) != record->hash) {
        return -EPROTO;
    }
    note_roll(session, &input);
    session->replayed(session->context, &input, &before, &session->play.game);
    if (input.kind == INPUT_NEW_GAME) {
        snprintf(session->game_id, sizeof session->game_id, "%s", record->game);
    }
    /*
     * Table time continues from the latest record, whatever the machine's clock says after a
     * restart. A tilt has the time at which it began, which may be before a command that was
     * recorded earlier.
     */
    if (input.at_us > session->clock_offset_us) {
        session->clock_offset_us = input.at_us;
    }
    set_window(session);
    note_id(session, record);
    return 0;
}

static void forget_game(struct session *session)
{
    play_begin(&session->play, session->past, JOURNAL_RECORDS_MAX);
    session->game_id[0] = '\0';
    session->window_due_us = 0;
}

/*
 * A game that has lost its end would give the numbers of published events to other events, and no
 * client that has seen the first would accept the second.
 */
static int set_shortened_game_aside(struct session *session)
{
    const struct journal_mark *mark = journal_acknowledged(session->journal);
    char kept_as[DISK_NAME_SIZE];

    if (!journal_contradicts_mark(session->journal, session->play.game.seq)) {
        return 0;
    }
    int error = journal_set_aside(session->journal, kept_as);
    if (error) {
        return error;
    }
    log_error(
        "journal: game %s ends with event %u, but the broker has event %u of game %s: the end "
        "of the record is lost; the game is kept as %s",
        session->game_id, session->play.game.seq, mark->seq, mark->game, kept_as);
    forget_game(session);
    return 0;
}

/* A game stays the open one until the next begins, so after the first there always is one. */
static void log_missing_game(const struct session *session, const struct journal_report *report)
{
    const struct journal_mark *mark = journal_acknowledged(session->journal);

    if (!session->game_id[0] && !report->problem[0] && mark->number) {
        log_warning("journal: there is no open game, but the broker has event %u of game %s: its "
                    "record is lost, or was set aside before",
                    mark->seq, mark->game);
    }
}

static void judge_report(struct session *session, const struct journal_report *report)
{
    log_missing_game(session, report);
    log_loss(&report->loss);
    if (report->torn_bytes) {
        log_notice("journal: the last %u bytes were torn by a crash and are cut off",
                   report->torn_bytes);
    }
    if (report->problem[0]) {
        log_error("journal: %s; the game is kept as %s", report->problem, report->kept_as);
        forget_game(session);
    }
}

/* unsafe: 0, or why the disk does not take the last record once more. */
static int read_journal(struct session *session, int *unsafe)
{
    struct journal_limits limits = limits_of(session->config);
    struct journal_report report;
    int error = journal_open(&session->journal, session->ports->disk, &limits, replay_record,
                             session, &report);

    if (error) {
        return error;
    }
    *unsafe = report.unsure;
    judge_report(session, &report);
    error = set_shortened_game_aside(session);
    if (!error && session->game_id[0]) {
        log_notice("game %s goes on: turn %u, %s", session->game_id, session->play.game.turn.number,
                   rules_phase_name((enum phase)session->play.game.phase));
    }
    return error ? error : recall_open(&session->recall, session->journal);
}

int session_open(struct session **opened, const struct config *config,
                 const struct table_ports *ports, session_replayed_fn *replayed, void *context)
{
    struct session *session = calloc(1, sizeof *session);
    int unsafe = 0;

    if (!session) {
        return -ENOMEM;
    }
    session->config = config;
    session->ports = ports;
    session->replayed = replayed;
    session->context = context;
    forget_game(session);
    int error = read_journal(session, &unsafe);
    if (error) {
        session_close(session);
        return error;
    }
    remember_last_game(session);
    session->opened_us = clock_us(session);
    session->clock_offset_us -= session->opened_us;
    if (unsafe) {
        session->end_is_unsafe = session->game_id[0] != '\0';
        storage_failed(session, unsafe);
    }
    *opened = session;
    return 0;
}

void session_close(struct session *session)
{
    if (session) {
        recall_close(session->recall);
        journal_close(session->journal);
        reply_cache_clear(&session->replies);
        free(session);
    }
}
