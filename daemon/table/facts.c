/* Facts: what the sensors report becomes inputs of the game, or commands, or readings. */
#include "common/log.h"
#include "hw/settings.h"
#include "rules/line.h"
#include "table_internal.h"

#include <stdio.h>
#include <string.h>

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

static int topple(struct table *table, const struct fact *fact)
{
    uint64_t at_us = session_time_us(table->session, fact->at_us);

    if (rules_shot_explains(session_game(table->session), at_us)) {
        return apply_piece(table, fact, INPUT_TOPPLED);
    }
    knock_add(&table->knock, fact, session_now_us(table->session), patience_us(table));
    return 0;
}

/* The rules hear also of a piece that only rocked: that may confirm what a person said. */
static int rise(struct table *table, const struct fact *fact)
{
    uint32_t piece = bit(fact->piece);

    if ((table->knock.pieces & piece) && !(session_game(table->session)->lying & piece)) {
        knock_remove(&table->knock, fact->piece);
    }
    return apply_piece(table, fact, INPUT_RAISED);
}

int table_flush_knock(struct table *table)
{
    if (!table->knock.pieces) {
        return 0;
    }
    struct knock knock = table->knock;
    bool several = knock.pieces & (knock.pieces - 1);
    const struct fact *first = knock_first(&knock);

    table->knock = (struct knock){0};
    int refusal = several ? apply_fact(table, first,
                                       (struct input){
                                           .kind = INPUT_KNOCKED,
                                           .pieces = knock.pieces,
                                       })
                          : apply_piece(table, first, INPUT_TOPPLED);
    if (refusal != REFUSED_STORAGE) {
        return 0;
    }
    table->knock = knock;
    table->knock.due_us = session_now_us(table->session) + STORAGE_RETRY_US;
    return refusal;
}

/* The sensors may find another table than the game left, for example after a start. */
static int compare(struct table *table, const struct fact *looked)
{
    const struct game *game = session_game(table->session);
    uint32_t differ = (looked->lying ^ game->lying) & looked->pieces & ~game->declared;
    int refusal = 0;

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
        if (table_flush_knock(table)) {
            return REFUSED_STORAGE;
        }
        return apply_fact(table, fact,
                          (struct input){.kind = INPUT_BALL_LEFT, .speed_mmps = fact->speed_mmps});
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
