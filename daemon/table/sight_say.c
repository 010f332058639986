/* Problems in sentences. */
#include "rules/text.h"
#include "sight.h"

/* So many fit into a sentence that a person reads to its end. */
enum { REFUSAL_PROBLEMS_MAX = 5 };

#define SIGHT_NAME(name, word) [SIGHT_##name] = (word),
#define TROUBLE_WHAT(name, what, remedy) [TROUBLE_##name] = (what),
#define TROUBLE_REMEDY(name, what, remedy) [TROUBLE_##name] = (remedy),

static const char *const checks[SIGHT_CHECK_COUNT] = {SIGHT_CHECKS(SIGHT_NAME)};
static const char *const whats[TROUBLE_COUNT] = {SIGHT_TROUBLES(TROUBLE_WHAT)};
static const char *const remedies[TROUBLE_COUNT] = {SIGHT_TROUBLES(TROUBLE_REMEDY)};

const char *sight_check_name(enum sight_check_kind kind)
{
    return checks[kind];
}

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
    case TROUBLE_UNWELL:
        text_add(text, sensor);
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
}

void problem_say(const struct problem *problem, const char *sensor, char *text, size_t size)
{
    struct text sentence = text_begin(text, size);

    add_what(&sentence, problem, "The ", sensor);
    text_add(&sentence, ": ");
    text_add(&sentence, remedies[problem->trouble]);
    text_add(&sentence, ".");
}

void sight_say_refusal(const struct sight_check *check, const struct setup *setup, char *text,
                       size_t size)
{
    struct text sentence = text_begin(text, size);
    unsigned named = 0;
    unsigned left_out = 0;

    text_add(&sentence, "Not ready: ");
    for (unsigned i = 0; i < check->count; i++) {
        const struct problem *problem = &check->problems[i];
        if (!problem_keeps_from(problem, setup)) {
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
