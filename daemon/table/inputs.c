/* Applies inputs; and facts: what the sensors report becomes inputs, or commands, or readings. */
#include "common/log.h"
#include "hw/settings.h"
#include "rules/line.h"
#include "table_internal.h"

#include <stdio.h>
#include <string.h>

/*
 * Any input
 */

/* The rope measures from zero when a game begins, and after a ship was selected or has moved. */
static void follow_up(struct table *table, const struct input *input)
{
    const struct sensors *sensors = &table->ports.sensors;
    uint16_t tilt = (uint16_t)(SENSOR_TILT + input->piece);

    if (input->kind == INPUT_NEW_GAME) {
        pairing_cancel(table->pairing);
    }
    if (input->kind == INPUT_NEW_GAME || input->kind == INPUT_RAISE) {
        sources_reset(table->sources, input->piece);
    }
    if (input->kind == INPUT_NEW_GAME || input->kind == INPUT_SELECT || input->kind == INPUT_MOVE) {
        observed_zero_rope(&table->observed);
        sensors->zero_rope(sensors->self);
    }
    if (input->kind == INPUT_TOPPLE && table->config->hw.lines[tilt].fitted &&
        observed_is_silent(&table->observed, input->piece)) {
        sensors->report_silent(sensors->self, tilt);
    }
}

static struct evidence complete(const struct table *table, const struct evidence *measured)
{
    struct evidence evidence = measured ? *measured : (struct evidence){0};

    if (line_is_radio(&table->config->hw.lines[evidence.sensor])) {
        evidence.is_radio = true;
        evidence.late_ms = config_late_ms(table->config, evidence.sensor);
    }
    return evidence;
}

int table_apply(struct table *table, const struct input *input, const struct evidence *measured,
                const char *id)
{
    struct session *session = table->session;
    struct evidence evidence = complete(table, measured);
    int refusal = session_apply(session, input, &evidence, id);

    if (!refusal || refusal == (int)REFUSED_STORAGE) {
        publisher_storage(table->publisher);
    }
    if (refusal) {
        return refusal;
    }
    outbox_offer_step(&table->outbox, session);
    publisher_game(table->publisher);
    observed_input(&table->observed, input, session_before(session), session_game(session));
    if (rules_rope_shown(session_before(session)) || rules_rope_shown(session_game(session))) {
        publisher_rope(table->publisher);
    }
    table_changed(table);
    follow_up(table, input);
    return 0;
}

/*
 * Facts that are game inputs
 */

static int apply_fact(struct table *table, const struct fact *fact, struct input input)
{
    if (!input.at_us) {
        input.at_us = session_time_us(table->session, fact->at_us);
    }
    return table_apply(table, &input, &fact->evidence, "");
}

static int apply_piece(struct table *table, const struct fact *fact, enum input_kind kind)
{
    return apply_fact(table, fact, (struct input){.kind = kind, .piece = fact->piece});
}

/* A switch that chatters is judged so long after it began. */
static uint64_t patience_us(const struct table *table)
{
    return TILT_SETTLES_MAX * UINT64_C(1000) * table->config->timing.tilt_settle_ms;
}

static bool is_radio(const struct table *table, unsigned sensor)
{
    return line_is_radio(&table->config->hw.lines[sensor]);
}

/* S3: by radio, a fall may be reported late. 0 for one that is not. */
static uint32_t late_ms(const struct table *table, unsigned sensor)
{
    return is_radio(table, sensor) ? config_late_ms(table->config, sensor) : 0;
}

static int apply_fall(struct table *table, const struct fact *fact)
{
    return apply_fact(table, fact,
                      (struct input){
                          .kind = INPUT_TOPPLED,
                          .piece = fact->piece,
                          .value = late_ms(table, fact->sensor),
                      });
}

/* A cannon that reports over MQTT may report its ball after the falls. */
static uint64_t cannon_late_us(const struct table *table)
{
    return late_ms(table, SENSOR_CANNON_BEAM) * UINT64_C(1000);
}

static int topple(struct table *table, const struct fact *fact)
{
    uint64_t at_us = session_time_us(table->session, fact->at_us);

    if (rules_shot_explains(session_game(table->session), at_us, late_ms(table, fact->sensor))) {
        return apply_fall(table, fact);
    }
    knock_add(&table->knock, fact, session_now_us(table->session), patience_us(table),
              cannon_late_us(table));
    return 0;
}

/* The rules hear also of a piece that only rocked: that may confirm what a person said. */
static int rise(struct table *table, const struct fact *fact)
{
    uint32_t piece = bit(fact->piece);

    if ((table->knock.pieces & piece) && !(session_game(table->session)->lying & piece)) {
        knock_remove(&table->knock, piece);
    }
    return apply_piece(table, fact, INPUT_RAISED);
}

/*
 * Falls that are reported by radio prove no knock: messages that were held back arrive together.
 * With a piece that is wired they do.
 */
static bool is_knock(const struct table *table)
{
    const struct knock *knock = &table->knock;
    bool has_wired = false;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        has_wired |= (knock->pieces & bit(piece)) && !is_radio(table, SENSOR_TILT + piece);
    }
    return has_wired && (knock->pieces & (knock->pieces - 1));
}

int table_flush_knock(struct table *table)
{
    struct knock *knock = &table->knock;
    int refusal = 0;

    while (knock->pieces && refusal != REFUSED_STORAGE) {
        const struct fact *first = knock_first(knock);
        bool is_one = !is_knock(table);
        uint32_t pieces = is_one ? bit(first->piece) : knock->pieces;
        refusal = is_one ? apply_fall(table, first)
                         : apply_fact(table, first,
                                      (struct input){.kind = INPUT_KNOCKED, .pieces = pieces});
        if (refusal == REFUSED_STORAGE) {
            knock->due_us = session_now_us(table->session) + STORAGE_RETRY_US;
        } else {
            knock_remove(knock, pieces);
        }
    }
    return refusal == REFUSED_STORAGE ? refusal : 0;
}

/*
 * What fell before the ball is not its result. A wired cannon reports its ball in time, so that all
 * that waits fell before; one that reports over MQTT may be late.
 */
static int fire(struct table *table, const struct fact *ball)
{
    struct knock after = table->knock;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        bool fell_before =
            !is_radio(table, ball->sensor) || after.fallen[piece].at_us < ball->at_us;
        knock_remove(fell_before ? &after : &table->knock, bit(piece));
    }
    int refusal = table_flush_knock(table);
    if (refusal) {
        knock_join(&table->knock, &after);
        return refusal;
    }
    refusal = apply_fact(table, ball,
                         (struct input){.kind = INPUT_BALL_LEFT, .speed_mmps = ball->speed_mmps});
    if (refusal == (int)REFUSED_STORAGE) {
        knock_join(&table->knock, &after);
        return refusal;
    }
    for (const struct fact *fall = knock_first(&after); fall; fall = knock_first(&after)) {
        if (topple(table, fall) == (int)REFUSED_STORAGE) {
            knock_join(&table->knock, &after);
            return 0; /* the ball is recorded; they wait for the disk on their own */
        }
        knock_remove(&after, bit(fall->piece));
    }
    return refusal;
}

/* The sensors may find another table than the game left, for example after a start. */
static int compare(struct table *table, const struct fact *looked)
{
    const struct game *game = session_game(table->session);
    uint32_t differ = (looked->lying ^ game->lying) & looked->pieces & ~game->declared;
    int refusal = 0;

    /* A level that is known without an edge: nobody knows when the piece fell, so no shot did it.
     */
    if (is_radio(table, looked->sensor) && (differ & looked->lying)) {
        return apply_fact(table, looked,
                          (struct input){.kind = INPUT_KNOCKED, .pieces = differ & looked->lying});
    }

    for (unsigned piece = 1; piece < PIECE_COUNT && refusal != REFUSED_STORAGE; piece++) {
        bool lies = looked->lying & bit(piece);
        struct fact fact = {
            .kind = lies ? FACT_TOPPLED : FACT_RAISED,
            .at_us = looked->at_us,
            .piece = (enum piece)piece,
            .sensor = (uint16_t)(SENSOR_TILT + piece),
            .evidence = {.at_us = looked->at_us, .sensor = (uint16_t)(SENSOR_TILT + piece)},
        };
        if (differ & bit(piece)) {
            refusal = lies ? topple(table, &fact) : rise(table, &fact);
        }
    }
    return refusal;
}

void table_report_lying(struct table *table)
{
    struct fact looked = {
        .kind = FACT_LOOKED,
        .at_us = table->ports.clock.now_us(table->ports.clock.self),
        .pieces = rules_standing_pieces(&session_game(table->session)->setup),
    };

    looked.lying = observed_lying(&table->observed) & looked.pieces;
    compare(table, &looked);
}

static int health(struct table *table, const struct fact *fact)
{
    static struct log_limit limits[SENSOR_COUNT]; /* one that chatters hides no other */
    struct input input = {
        .kind = fact->health == HEALTH_OK ? INPUT_SENSOR_OK : INPUT_SENSOR_FAULT,
        .health = fact->health,
    };
    const char *name = table->ports.sensors.name(table->ports.sensors.self, fact->sensor);

    log_limited(&limits[fact->sensor], LOG_LEVEL_NOTICE, "sensor %s: %s", name,
                rules_health_name(fact->health));
    snprintf(input.sensor, sizeof input.sensor, "%s", name);
    return apply_fact(table, fact, input);
}

/* ME3: the dock of the harbour that the chosen ship's barrel goes to. */
static int dock(struct table *table, const struct fact *fact)
{
    const struct game *game = session_game(table->session);
    enum piece ship = game->turn.selected;

    if (!fact->level || !rules_barrel_of(game, ship)) {
        return 0;
    }
    return apply_fact(table, fact,
                      (struct input){
                          .kind = INPUT_DELIVER_BARREL,
                          .piece = ship,
                          .harbour = fact->harbour,
                      });
}

static int record_fact(struct table *table, const struct fact *fact)
{
    switch (fact->kind) {
    case FACT_BALL_LEFT:
        return fire(table, fact);
    case FACT_HIT:
        return apply_piece(table, fact, INPUT_HIT);
    case FACT_TOPPLED:
        return topple(table, fact);
    case FACT_RAISED:
        return rise(table, fact);
    case FACT_LOOKED:
        return compare(table, fact);
    case FACT_HEALTH:
        return health(table, fact);
    case FACT_DOCKED:
        return dock(table, fact);
    default:
        return 0;
    }
}

/*
 * Facts that are commands or readings
 */

static void press(struct table *table, const struct fact *fact)
{
    struct input input;
    const char *command = table->config->hw.buttons[fact->button].command;

    if (line_read_input(command, &input)) {
        return; /* the configuration was checked; a button that has gone since says nothing */
    }
    table_press(table, &input, &fact->evidence);
}

static void confirm_move(struct table *table, const struct fact *fact)
{
    struct input input = {.kind = INPUT_MOVE, .piece = session_game(table->session)->turn.selected};

    table_press(table, &input, &fact->evidence);
}

static void end_step(struct table *table, const struct fact *fact)
{
    struct input input = {.kind = INPUT_END_PHASE};

    table_press(table, &input, &fact->evidence);
}

/* M5: a rope that is out too far is reported while it is still being pulled. */
static void pull(struct table *table, const struct fact *fact)
{
    const struct game *game = session_game(table->session);

    /* Behind all that was seen before it; if that cannot be recorded, the next reading says so. */
    if (observed_rope_is_trusted(&table->observed) && !game->turn.rope_over &&
        rules_rope_is_over(game, fact->knots_milli) && !table_record_seen(table)) {
        apply_fact(table, fact,
                   (struct input){.kind = INPUT_ROPE_OVER, .knots_milli = fact->knots_milli});
    }
    publisher_rope(table->publisher);
}

/*
 * Holding
 */

static void hold(struct held_facts *held, const struct fact *fact)
{
    if (held->count == FACTS_HELD_MAX) {
        static struct log_limit limit;
        log_limited(&limit, LOG_LEVEL_WARNING,
                    "the disk has failed for too long: what a sensor saw is lost");
        return;
    }
    held->facts[(held->first + held->count) % FACTS_HELD_MAX] = *fact;
    held->count++;
}

int table_retry_held(struct table *table)
{
    struct held_facts *held = &table->held;

    while (held->count) {
        if (record_fact(table, &held->facts[held->first]) == (int)REFUSED_STORAGE) {
            return REFUSED_STORAGE;
        }
        held->first = (held->first + 1) % FACTS_HELD_MAX;
        held->count--;
    }
    return 0;
}

int table_record_seen(struct table *table)
{
    int refusal = table_flush_knock(table);

    if (!refusal) {
        refusal = table_retry_held(table);
    }
    /* Among what was held there may have been pieces that wait for others now. */
    return refusal ? refusal : table_flush_knock(table);
}

static void record(struct table *table, const struct fact *fact)
{
    switch (fact->kind) {
    case FACT_ROPE_PRESSED:
        confirm_move(table, fact);
        return;
    case FACT_ROPE_HELD:
        end_step(table, fact);
        return;
    case FACT_PRESSED:
        press(table, fact);
        return;
    default:
        break;
    }
    /* Facts stay in order: behind those that are held. */
    if (table->held.count || record_fact(table, fact) == (int)REFUSED_STORAGE) {
        hold(&table->held, fact);
    }
}

/* Events are published before anything else that follows from the fact. */
void table_fact(struct table *table, const struct fact *fact)
{
    observed_fact(&table->observed, fact, session_game(table->session)->declared);
    if (fact->kind == FACT_ROPE_AT) {
        pull(table, fact);
    }
    if (fact->kind == FACT_ROPE_PRESSED) {
        publisher_rope(table->publisher);
    }
    if (observed_passes(&table->observed, fact, session_game(table->session)->declared)) {
        record(table, fact);
    }
    if (fact->kind == FACT_HEALTH) {
        publisher_info(table->publisher);
    }
    if (fact->kind == FACT_HEALTH || fact->kind == FACT_SENSED) {
        publisher_sensor(table->publisher, fact->sensor);
    }
    if (fact->kind != FACT_SENSED) {
        table_changed(table);
    }
}
