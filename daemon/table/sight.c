#include "sight.h"

enum { MISSED_MAX = 3 };

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

/*
 * Seeing
 */

static void sense(struct sight *sight, const struct fact *fact)
{
    struct sensor_state *sensor = &sight->sensors[fact->sensor];

    if (is_tilt(fact->sensor)) {
        sight->missed[piece_of(fact->sensor)] = 0;
    }
    sensor->level = fact->level;
    sensor->edges = fact->edges;
    sensor->rate = fact->rate;
    sensor->pulse_us = fact->pulse_us;
    sensor->at_us = fact->at_us;
    sensor->health = sensor->health ? sensor->health : HEALTH_OK;
}

/*
 * At the start a switch tells what it finds, which is no news, and one that is not well may tell
 * anything: a person knows better.
 */
static bool is_overruled(const struct sight *sight, enum piece piece, uint32_t told)
{
    bool is_news = sight->looked && sight_believes(sight, SENSOR_TILT + (unsigned)piece);

    return !is_news && (told & bit(piece));
}

static void see_piece(struct sight *sight, enum piece piece, bool lies, uint32_t told)
{
    sight->missed[piece] = 0;
    if (!is_overruled(sight, piece, told)) {
        sight->sensors[SENSOR_TILT + piece].settled = lies;
    }
}

static void look(struct sight *sight, const struct fact *fact, uint32_t told)
{
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (fact->pieces & ~told & bit(piece)) {
            sight->sensors[SENSOR_TILT + piece].settled = (fact->lying & bit(piece)) != 0;
        }
    }
    sight->looked = sight->looked || fact->sensor == SENSOR_NONE;
}

static void pull(struct sight *sight, int32_t knots_milli)
{
    sight->rope_milli = knots_milli;
    if (knots_milli < sight->rope_in_milli) {
        sight->rope_in_milli = knots_milli;
    }
}

void sight_fact(struct sight *sight, const struct fact *fact, uint32_t told)
{
    struct sensor_state *sensor = &sight->sensors[fact->sensor];

    switch (fact->kind) {
    case FACT_SENSED:
        sense(sight, fact);
        break;
    case FACT_HEALTH:
        sensor->health = (uint8_t)fact->health;
        break;
    case FACT_TOPPLED:
    case FACT_RAISED:
        see_piece(sight, fact->piece, fact->kind == FACT_TOPPLED, told);
        break;
    case FACT_LOOKED:
        look(sight, fact, told);
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

static void take_word(struct sight *sight, const struct input *input)
{
    struct sensor_state *sensor = &sight->sensors[SENSOR_TILT + input->piece];
    uint8_t *missed = &sight->missed[input->piece];

    if (input->kind == INPUT_RAISE) {
        sensor->settled = 0;
    } else if (!sensor->settled && *missed < MISSED_MAX) {
        ++*missed;
    }
}

/* A piece that a person had raised lies again, as its sensor saw it. */
static void take_word_back(struct sight *sight, uint32_t pieces)
{
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (pieces & bit(piece)) {
            sight->sensors[SENSOR_TILT + piece].settled = 1;
        }
    }
}

void sight_input(struct sight *sight, const struct input *input, const struct game *before,
                 const struct game *after)
{
    if (input->kind == INPUT_TOPPLE || input->kind == INPUT_RAISE) {
        take_word(sight, input);
    } else if (input->kind == INPUT_UNDO) {
        take_word_back(sight, after->lying & ~before->lying & ~after->declared);
    }
}

bool sight_believes(const struct sight *sight, unsigned sensor)
{
    return sight->sensors[sensor].health <= HEALTH_OK;
}

bool sight_believes_rope(const struct sight *sight)
{
    return sight_believes(sight, SENSOR_ROPE_A) && sight_believes(sight, SENSOR_ROPE_B);
}

bool sight_lets_pass(const struct sight *sight, const struct fact *fact, uint32_t told)
{
    switch (fact->kind) {
    case FACT_SENSED:
    case FACT_BLOCKED:
    case FACT_ROPE_AT:
        return false;
    case FACT_HEALTH:
    case FACT_LOOKED:
        return true;
    case FACT_TOPPLED:
    case FACT_RAISED:
        return sight_believes(sight, fact->sensor) && !is_overruled(sight, fact->piece, told);
    default:
        return sight_believes(sight, fact->sensor);
    }
}

uint32_t sight_lying(const struct sight *sight)
{
    uint32_t lying = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (sight->sensors[SENSOR_TILT + piece].settled &&
            sight_believes(sight, SENSOR_TILT + piece)) {
            lying |= bit(piece);
        }
    }
    return lying;
}

bool sight_misses(const struct sight *sight, enum piece piece)
{
    if (sight->missed[piece] < MISSED_MAX) {
        return false;
    }
    for (unsigned other = 1; other < PIECE_COUNT; other++) {
        if (other != (unsigned)piece && sight->sensors[SENSOR_TILT + other].edges) {
            return true;
        }
    }
    return false;
}

/*
 * Judging
 */

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
    return sight_believes_rope(sight) &&
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

static enum trouble trouble_of_piece(enum piece piece, const struct game *game)
{
    if (!piece || !rules_disturbed(game, piece)) {
        return TROUBLE_NONE;
    }
    return (game->lying & bit(piece)) ? TROUBLE_FELL : TROUBLE_ROSE;
}

/* What the game knows of a piece is told also when its sensor is not well: it was well then. */
static enum trouble trouble_in_game(const struct sight *sight, unsigned sensor,
                                    const struct game *game)
{
    enum trouble trouble = is_tilt(sensor) ? trouble_of_piece(piece_of(sensor), game)
                           : sight->sensors[sensor].settled ? TROUBLE_BLOCKED
                                                            : TROUBLE_NONE;

    if (!sight_believes(sight, sensor) && trouble != TROUBLE_FELL && trouble != TROUBLE_ROSE) {
        return TROUBLE_UNWELL;
    }
    return trouble;
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
        if (trouble) {
            add(check, sensor, trouble, health);
            check->ready &= !check->problems[check->count - 1].blocks;
        }
    }
}
