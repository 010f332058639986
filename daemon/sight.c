#include "daemon/sight.h"

#include <string.h>

static uint32_t bit(unsigned piece)
{
    return UINT32_C(1) << piece;
}

/*
 * Seeing
 */

static void sense(struct sensor_state *sensor, const struct fact *fact)
{
    sensor->level = fact->level;
    sensor->edges = fact->edges;
    sensor->rate = fact->rate;
    sensor->pulse_us = fact->pulse_us;
    sensor->at_us = fact->at_us;
    sensor->health = sensor->health ? sensor->health : HEALTH_OK;
}

static void pull(struct sight *sight, int32_t knots_milli)
{
    sight->rope_milli = knots_milli;
    if (knots_milli < sight->rope_in_milli) {
        sight->rope_in_milli = knots_milli;
    }
}

void sight_fact(struct sight *sight, const struct fact *fact)
{
    struct sensor_state *sensor = &sight->sensors[fact->sensor];

    switch (fact->kind) {
    case FACT_SENSED:
        sense(sensor, fact);
        break;
    case FACT_HEALTH:
        sensor->health = (uint8_t)fact->health;
        break;
    case FACT_TOPPLED:
        sensor->settled = 1;
        break;
    case FACT_RAISED:
        sensor->settled = 0;
        break;
    case FACT_BLOCKED:
        sensor->settled = fact->level;
        break;
    case FACT_ROPE_AT:
        sight->rope_counts = fact->counts;
        sight->rope_invalid = fact->invalid;
        pull(sight, fact->knots_milli);
        break;
    case FACT_ROPE_PRESSED: /* readings are told now and then, this one is exact */
        pull(sight, fact->knots_milli);
        break;
    default:
        break;
    }
}

void sight_zero_rope(struct sight *sight)
{
    sight->rope_milli = 0;
    sight->rope_in_milli = 0;
    sight->rope_counts = 0;
}

void sight_overrule(struct sight *sight, enum piece piece)
{
    sight->sensors[SENSOR_TILT + piece].settled = 0;
}

bool sight_believes(const struct sight *sight, unsigned sensor)
{
    return sight->sensors[sensor].health <= HEALTH_OK;
}

/*
 * Judging
 */

static enum piece piece_of(unsigned sensor)
{
    if (sensor >= SENSOR_TILT && sensor < SENSOR_TILT + PIECE_COUNT) {
        return (enum piece)(sensor - SENSOR_TILT);
    }
    if (sensor >= SENSOR_BEAM && sensor < SENSOR_BEAM + PIECE_COUNT) {
        return (enum piece)(sensor - SENSOR_BEAM);
    }
    return PIECE_NONE;
}

static bool is_tilt(unsigned sensor)
{
    return sensor >= SENSOR_TILT && sensor < SENSOR_TILT + PIECE_COUNT;
}

static void add(struct sight_check *check, unsigned sensor, enum trouble trouble,
                enum health health)
{
    check->problems[check->count++] = (struct problem){
        .sensor = (uint16_t)sensor,
        .trouble = (uint8_t)trouble,
        .piece = (uint8_t)piece_of(sensor),
        .health = (uint8_t)(trouble == TROUBLE_UNWELL ? health : HEALTH_NONE),
        .blocks = trouble != TROUBLE_UNWELL,
    };
}

/* There is no absolute zero: the rope is in where it was wound in furthest since the last one. */
static bool rope_is_out(const struct sight *sight, const struct setup *setup)
{
    return sight_believes(sight, SENSOR_ROPE_A) && sight_believes(sight, SENSOR_ROPE_B) &&
           sight->rope_milli - sight->rope_in_milli > setup->rope_tolerance_milli;
}

static enum trouble trouble_at_start(const struct sight *sight, unsigned sensor,
                                     const struct setup *setup)
{
    if (sensor == SENSOR_ROPE_A && rope_is_out(sight, setup)) {
        return TROUBLE_ROPE_OUT;
    }
    if (!sight->sensors[sensor].settled) {
        return TROUBLE_NONE;
    }
    return is_tilt(sensor) ? TROUBLE_LIES : TROUBLE_BLOCKED;
}

/* What was last seen of a piece is in the game already, together with what people have said. */
static enum trouble trouble_in_game(const struct sight *sight, unsigned sensor,
                                    const struct game *game)
{
    enum piece piece = piece_of(sensor);

    if (!is_tilt(sensor)) {
        return sight->sensors[sensor].settled ? TROUBLE_BLOCKED : TROUBLE_NONE;
    }
    if (!piece || !rules_in_play(game, piece) || !rules_disturbed(game, piece)) {
        return TROUBLE_NONE;
    }
    return game->lying & bit(piece) ? TROUBLE_FELL : TROUBLE_ROSE;
}

bool problem_keeps_from(const struct problem *problem, const struct setup *setup)
{
    return problem->blocks &&
           (!problem->piece || (rules_standing_pieces(setup) & bit(problem->piece)));
}

void sight_check_start(const struct sight *sight, const struct setup *setup,
                       struct sight_check *check)
{
    *check = (struct sight_check){.kind = SIGHT_START, .ready = true};
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        enum health health = (enum health)sight->sensors[sensor].health;
        enum trouble trouble =
            sight_believes(sight, sensor) ? trouble_at_start(sight, sensor, setup) : TROUBLE_UNWELL;
        if (trouble) {
            add(check, sensor, trouble, health);
            check->ready &= !problem_keeps_from(&check->problems[check->count - 1], setup);
        }
    }
}

void sight_check_game(const struct sight *sight, const struct game *game, struct sight_check *check)
{
    *check = (struct sight_check){.kind = SIGHT_RESUME, .ready = true};
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        enum health health = (enum health)sight->sensors[sensor].health;
        enum trouble trouble = trouble_in_game(sight, sensor, game);
        if (!sight_believes(sight, sensor) && trouble != TROUBLE_FELL && trouble != TROUBLE_ROSE) {
            trouble = TROUBLE_UNWELL;
        }
        if (trouble) {
            add(check, sensor, trouble, health);
            check->ready &= !check->problems[check->count - 1].blocks;
        }
    }
}
