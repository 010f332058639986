#include "invent.h"

#include "deal.h"
#include "rules/line.h"
#include "sensible.h"

#include <string.h>

enum { SECOND_US = 1000000 };

void invent_round(struct inventor *inventor, unsigned round)
{
    static const unsigned wildness[] = {2, 10, 30, 80};

    inventor->round = round;
    inventor->undos = 0;
    inventor->wild = wildness[draw(inventor, 0, 3)];
    inventor->now_us = toss(inventor, 2) ? UINT64_MAX - draw(inventor, 0, 5 * SECOND_US)
                                         : draw(inventor, 0, SECOND_US);
}

/* Mostly what there is, sometimes nothing, sometimes what never was. */
static unsigned any_of(struct inventor *inventor, unsigned count)
{
    unsigned what = draw(inventor, 0, 99);

    if (what < 3) {
        return (unsigned)chance_next(&inventor->chance);
    }
    return what < 10 ? count + draw(inventor, 0, 2) : what < 25 ? 0 : draw(inventor, 0, count - 1);
}

static int32_t any_knots(struct inventor *inventor)
{
    int32_t knots_milli = (int32_t)draw(inventor, 0, 4 * KNOT);

    if (toss(inventor, 10)) {
        return (int32_t)chance_next(&inventor->chance);
    }
    return toss(inventor, 10) ? -knots_milli : knots_milli;
}

static void any_sensor(struct inventor *inventor, char sensor[SENSOR_SIZE])
{
    unsigned length = toss(inventor, 10) ? SENSOR_SIZE : draw(inventor, 0, SENSOR_SIZE - 1);

    memset(sensor, 'a' + (char)draw(inventor, 0, 25), length);
}

/* new-game where it does not belong, or with a setup that does not fit, or with none. */
static void any_new_game(struct inventor *inventor, struct input *input)
{
    deal_setup(&inventor->chance, draw(inventor, 0, COMBINATIONS - 1), &inventor->setup);
    for (unsigned spoilt = draw(inventor, 0, 2); spoilt > 0; spoilt--) {
        deal_spoil(&inventor->chance, &inventor->setup);
    }
    input->setup = toss(inventor, 90) ? &inventor->setup : NULL;
    input->abandon = toss(inventor, 10);
}

/* Anything at all. */
static struct input wild_input(struct inventor *inventor)
{
    struct input input = {0};

    input.kind = (enum input_kind)any_of(inventor, INPUT_COUNT);
    input.piece = (enum piece)any_of(inventor, PIECE_COUNT);
    input.other = (enum piece)any_of(inventor, PIECE_COUNT);
    input.harbour = (enum harbour)any_of(inventor, HARBOUR_COUNT);
    input.value = any_of(inventor, DIE_VALUE_MAX);
    input.knots_milli = any_knots(inventor);
    input.pieces = toss(inventor, 80) ? (uint32_t)chance_next(&inventor->chance) : 0;
    input.speed_mmps = any_of(inventor, 9999);
    input.health = (enum health)any_of(inventor, HEALTH_COUNT);
    any_sensor(inventor, input.sensor);
    if (input.kind == INPUT_NEW_GAME) {
        any_new_game(inventor, &input);
    }
    return input;
}

/* The table's clock mostly goes on; a wild input may come from any time. */
static uint64_t next_time(struct inventor *inventor, bool wild)
{
    static const unsigned steps_us[] = {0, 1, 1000, SECOND_US, 5 * SECOND_US};
    unsigned step = draw(inventor, 0, 4);
    uint64_t left_us = UINT64_MAX - inventor->now_us;
    unsigned step_us = toss(inventor, 60) ? 0 : draw(inventor, 0, steps_us[step]);

    inventor->now_us += step_us < left_us ? step_us : left_us;
    if (wild && toss(inventor, 30)) {
        unsigned shift = draw(inventor, 0, 63);
        return chance_next(&inventor->chance) >> shift;
    }
    return inventor->now_us;
}

struct input invent_input(struct inventor *inventor, const struct game *game)
{
    bool wild = toss(inventor, inventor->wild);
    struct input input;

    if (wild) {
        input = wild_input(inventor);
    } else if (inventor->undos > 0) {
        inventor->undos--;
        input = (struct input){.kind = INPUT_UNDO};
    } else {
        input = toss(inventor, 12) ? accident(inventor, game) : sensible_input(inventor, game);
    }
    input.at_us = next_time(inventor, wild);
    return input;
}

void invent_text(struct inventor *inventor, const struct input *input, char *text, unsigned size)
{
    static const char letters[] = " =+-.019az";
    unsigned length = 0;

    if (toss(inventor, 5)) {
        length = draw(inventor, 0, size - 1);
        memset(text, letters[draw(inventor, 0, sizeof letters - 2)], length);
        text[length] = '\0';
        return;
    }
    line_write_input(input, text, size);
    length = (unsigned)strlen(text);
    for (unsigned spoilt = draw(inventor, 0, 2); length > 0 && spoilt > 0; spoilt--) {
        unsigned where = draw(inventor, 0, length - 1);
        text[where] = letters[draw(inventor, 0, sizeof letters - 2)];
    }
    if (toss(inventor, 30)) {
        text[draw(inventor, 0, length)] = '\0';
    }
}
