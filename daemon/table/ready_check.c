#include "ready_check.h"

#include "hw/sensor.h"
#include "rules/text.h"

/* The number of problems in one refusal, so that a person reads it to its end. */
enum { REFUSAL_PROBLEMS_MAX = 5, BATTERY_LOW = 15 };

#define CHECK_NAME(name, word) [CHECK_##name] = (word),
#define TROUBLE_WHAT(name, what, remedy) [TROUBLE_##name] = (what),
#define TROUBLE_REMEDY(name, what, remedy) [TROUBLE_##name] = (remedy),

static const char *const checks[CHECK_COUNT] = {READY_CHECKS(CHECK_NAME)};
static const char *const whats[TROUBLE_COUNT] = {READY_TROUBLES(TROUBLE_WHAT)};
static const char *const remedies[TROUBLE_COUNT] = {READY_TROUBLES(TROUBLE_REMEDY)};

const char *ready_check_name(enum check_kind kind)
{
    return checks[kind];
}

static bool is_in(unsigned sensor, unsigned first)
{
    return sensor >= first && sensor < first + PIECE_COUNT;
}

static bool is_tilt(unsigned sensor)
{
    return is_in(sensor, SENSOR_TILT);
}

static enum piece piece_of(unsigned sensor)
{
    if (is_tilt(sensor)) {
        return (enum piece)(sensor - SENSOR_TILT);
    }
    return is_in(sensor, SENSOR_BEAM) ? (enum piece)(sensor - SENSOR_BEAM) : PIECE_NONE;
}

/* A sensor that reports only that a piece falls cannot say that it stands again. */
static bool blocks(const struct sensor_state *sensor, enum trouble trouble)
{
    return trouble != TROUBLE_FAULTY && trouble != TROUBLE_UNHEARD && trouble != TROUBLE_BATTERY &&
           !(trouble == TROUBLE_LIES && sensor->is_once);
}

static void add(struct ready_check *check, const struct observed *observed, unsigned sensor,
                enum trouble trouble)
{
    const struct sensor_state *state = &observed->sensors[sensor];

    check->problems[check->count++] = (struct problem){
        .sensor = (uint16_t)sensor,
        .trouble = (uint8_t)trouble,
        .piece = (uint8_t)piece_of(sensor),
        .health = trouble == TROUBLE_FAULTY ? state->health : HEALTH_NONE,
        .blocks = blocks(state, trouble),
        .percent = trouble == TROUBLE_BATTERY ? (uint8_t)state->link.battery : 0,
    };
}

/* Of a sensor that works as far as is known. */
static enum trouble trouble_of_radio(const struct sensor_state *sensor)
{
    bool has_battery = sensor->link.battery != RADIO_UNKNOWN;

    if (!sensor->is_radio) {
        return TROUBLE_NONE;
    }
    if (!sensor->heard_us) {
        return TROUBLE_UNHEARD;
    }
    return has_battery && sensor->link.battery < BATTERY_LOW ? TROUBLE_BATTERY : TROUBLE_NONE;
}

static bool rope_is_out(const struct observed *observed, const struct setup *setup)
{
    return observed_rope_is_trusted(observed) && observed->rope_milli > setup->rope_tolerance_milli;
}

static enum trouble trouble_at_start(const struct observed *observed, unsigned sensor,
                                     const struct setup *setup)
{
    if (sensor == SENSOR_ROPE_A && rope_is_out(observed, setup)) {
        return TROUBLE_ROPE_OUT;
    }
    if (!observed->sensors[sensor].settled) {
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

/* What the game knows about a piece is listed also if its sensor is faulty now. */
static enum trouble trouble_in_game(const struct observed *observed, unsigned sensor,
                                    const struct game *game)
{
    enum trouble trouble = is_tilt(sensor) ? trouble_of_piece(piece_of(sensor), game)
                           : observed->sensors[sensor].settled ? TROUBLE_BLOCKED
                                                               : TROUBLE_NONE;

    if (!observed_is_trusted(observed, sensor) && trouble != TROUBLE_FELL &&
        trouble != TROUBLE_ROSE) {
        return TROUBLE_FAULTY;
    }
    return trouble;
}

bool problem_prevents_start(const struct problem *problem, const struct setup *setup)
{
    return problem->blocks &&
           (!problem->piece || (rules_standing_pieces(setup) & bit(problem->piece)));
}

void ready_check_start(const struct observed *observed, const struct setup *setup,
                       struct ready_check *check)
{
    *check = (struct ready_check){.kind = CHECK_START, .ready = true};
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        enum trouble trouble = observed_is_trusted(observed, sensor)
                                   ? trouble_at_start(observed, sensor, setup)
                                   : TROUBLE_FAULTY;
        trouble = trouble ? trouble : trouble_of_radio(&observed->sensors[sensor]);
        if (trouble) {
            add(check, observed, sensor, trouble);
            check->ready &= !problem_prevents_start(&check->problems[check->count - 1], setup);
        }
    }
}

void ready_check_game(const struct observed *observed, const struct game *game,
                      struct ready_check *check)
{
    *check = (struct ready_check){.kind = CHECK_RESUME, .ready = true};
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        enum trouble trouble = trouble_in_game(observed, sensor, game);
        trouble = trouble ? trouble : trouble_of_radio(&observed->sensors[sensor]);
        if (trouble) {
            add(check, observed, sensor, trouble);
            check->ready &= !check->problems[check->count - 1].blocks;
        }
    }
}

/*
 * Messages
 */

static void add_beam(struct text *text, const struct problem *problem)
{
    if (problem->sensor == SENSOR_CANNON_BEAM) {
        text_add(text, "cannon's beam");
    } else if (problem->sensor == SENSOR_CANNON_BEAM2) {
        text_add(text, "cannon's second beam");
    } else {
        text_add(text, "beam of ");
        text_add(text, rules_piece_name((enum piece)problem->piece));
    }
}

static void add_what(struct text *text, const struct problem *problem, const char *the,
                     const char *sensor)
{
    switch ((enum trouble)problem->trouble) {
    case TROUBLE_BLOCKED:
        text_add(text, the);
        add_beam(text, problem);
        break;
    case TROUBLE_ROPE_OUT:
        text_add(text, the);
        text_add(text, "rope");
        break;
    case TROUBLE_FAULTY:
        text_add(text, sensor);
        break;
    case TROUBLE_UNHEARD:
    case TROUBLE_BATTERY:
        text_add(text,
                 is_tilt(problem->sensor) ? rules_piece_name((enum piece)problem->piece) : sensor);
        break;
    default:
        text_add(text, rules_piece_name((enum piece)problem->piece));
        break;
    }
    text_add(text, " ");
    text_add(text, whats[problem->trouble]);
    if (problem->health) {
        text_add(text, " ");
        text_add(text, rules_health_name((enum health)problem->health));
    }
    if (problem->trouble == TROUBLE_BATTERY) {
        text_add(text, " ");
        text_add_number(text, problem->percent);
        text_add(text, " %");
    }
}

/* How a sensor is made to report. */
static const char *remedy_unheard(unsigned sensor)
{
    switch (sensor_place(sensor).kind) {
    case SENSOR_KIND_TILT:
        return "tip it once";
    case SENSOR_KIND_ENCODER:
        return "pull the rope once";
    case SENSOR_KIND_ROPE_BUTTON:
    case SENSOR_KIND_BUTTON:
        return "press it once";
    case SENSOR_KIND_DOCK:
        return "put a ship there once";
    default:
        return "interrupt it once";
    }
}

void problem_message(const struct problem *problem, const char *sensor, char *text, size_t size)
{
    struct text sentence = text_begin(text, size);

    add_what(&sentence, problem, "The ", sensor);
    text_add(&sentence, ": ");
    text_add(&sentence, problem->trouble == TROUBLE_UNHEARD ? remedy_unheard(problem->sensor)
                                                            : remedies[problem->trouble]);
    text_add(&sentence, ".");
}

void ready_check_refusal(const struct ready_check *check, const struct setup *setup, char *text,
                         size_t size)
{
    struct text sentence = text_begin(text, size);
    unsigned named = 0;
    unsigned left_out = 0;

    text_add(&sentence, "Not ready: ");
    for (unsigned i = 0; i < check->count; i++) {
        const struct problem *problem = &check->problems[i];
        if (!problem_prevents_start(problem, setup)) {
            continue;
        }
        if (named == REFUSAL_PROBLEMS_MAX) {
            left_out++;
            continue;
        }
        text_add(&sentence, named++ ? "; " : "");
        add_what(&sentence, problem, "the ", "");
    }
    if (left_out) {
        text_add(&sentence, "; and ");
        text_add_number(&sentence, left_out);
        text_add(&sentence, " more");
    }
    text_add(&sentence, ". Put it right, or say anyway=true.");
}
