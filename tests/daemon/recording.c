#include "recording.h"

#include "hw/sensor.h"
#include "rules/line.h"
#include "rules/play.h"
#include "rules/rules.h"
#include "tests/random/deal.h"
#include "tests/random/sensible.h"

#include <stdio.h>
#include <string.h>

#define WALL_END_MS UINT64_C(253402300800000) /* the year 10000 */

enum {
    PAST_MAX = 512,
    MS_US = 1000,
    SECOND_US = 1000000,
    WALL_START_MS = 1700000000, /* in thousands */
};

struct player {
    struct inventor inventor;
    struct play play;
    struct past past[PAST_MAX];
};

/* What the sensor that saw it would say of a fact. */
static struct evidence evidence_of(struct inventor *inventor, const struct input *input)
{
    struct evidence evidence = {.at_us = input->at_us};

    switch (input->kind) {
    case INPUT_BALL_LEFT:
        evidence.sensor = SENSOR_CANNON_BEAM;
        evidence.width_us = draw(inventor, 2000, 9000);
        return evidence;
    case INPUT_TOPPLED:
    case INPUT_RAISED:
        evidence.sensor = (uint16_t)(SENSOR_TILT + (unsigned)input->piece);
        evidence.settle_us = draw(inventor, 150000, 200000);
        evidence.bounces = draw(inventor, 0, 12);
        return evidence;
    case INPUT_HIT:
        evidence.sensor = (uint16_t)(SENSOR_BEAM + (unsigned)input->piece);
        evidence.width_us = draw(inventor, 500, 3000);
        return evidence;
    default:
        return (struct evidence){0};
    }
}

/* People take seconds, a ball does not. */
static uint64_t next_pause_us(struct inventor *inventor, const struct game *game)
{
    return game->turn.shot == SHOT_OPEN ? draw(inventor, SECOND_US / 10, 2 * SECOND_US)
                                        : draw(inventor, SECOND_US, 15 * SECOND_US);
}

static void fill_record(struct player *player, const struct input *input, unsigned game,
                        struct record *record)
{
    *record = (struct record){
        .input = *input,
        .wall_ms = (int64_t)WALL_START_MS * 1000 + (int64_t)(input->at_us / MS_US) +
                   draw(&player->inventor, 0, 1),
        .hash = (uint32_t)rules_hash(&player->play.game),
        .evidence = evidence_of(&player->inventor, input),
    };
    record->input.setup = NULL;
    if (input->kind == INPUT_NEW_GAME) {
        record->setup = *input->setup;
        snprintf(record->game, sizeof record->game, "game-%u", game);
    }
}

/* The next input with the fields of its kind and no others, as a command or a sensor gives it. */
static bool next_input(struct player *player, bool is_first, struct input *input)
{
    struct inventor *inventor = &player->inventor;
    char line[LINE_SIZE];

    inventor->now_us += next_pause_us(inventor, &player->play.game);
    if (is_first) {
        deal_setup(&inventor->chance, chance_below(&inventor->chance, COMBINATIONS),
                   &inventor->setup);
        *input = (struct input){
            .kind = INPUT_NEW_GAME, .at_us = inventor->now_us, .setup = &inventor->setup};
        return true;
    }
    struct input thought = invent_input(inventor, &player->play.game);
    line_write_input(&thought, line, sizeof line);
    if (thought.kind == INPUT_NEW_GAME || line_read_input(line, input)) {
        return false;
    }
    input->at_us = thought.at_us;
    return true;
}

void recording_add_game(struct recording *recording, uint64_t seed, unsigned length)
{
    static struct player player; /* all of it is set below */
    unsigned first = recording->count;
    struct outcome outcome;
    struct input input;

    player.inventor = (struct inventor){.chance = {seed}, .now_us = SECOND_US};
    play_begin(&player.play, player.past, PAST_MAX);
    recording->games++;
    while (recording->count - first < length && recording->count < RECORDING_MAX &&
           player.play.game.phase != PHASE_OVER) {
        if (next_input(&player, recording->count == first, &input) &&
            play_step(&player.play, &input, &outcome) == 0) {
            fill_record(&player, &input, recording->games, &recording->records[recording->count++]);
        }
    }
}

unsigned recording_game_start(const struct recording *recording, unsigned index)
{
    unsigned start = 0;

    for (unsigned i = 0; i <= index; i++) {
        if (recording->records[i].input.kind == INPUT_NEW_GAME) {
            start = i;
        }
    }
    return start;
}

/*
 * Records that no game would give
 */

static uint32_t any_number(struct chance *chance, uint32_t limit)
{
    uint32_t number = (uint32_t)chance_next(chance) >> chance_below(chance, 32);

    return limit ? number % limit : number;
}

static void any_text(struct chance *chance, char *text, unsigned size)
{
    unsigned length = chance_between(chance, 0, size - 1);

    for (unsigned i = 0; i < length; i++) {
        text[i] = (char)chance_between(chance, 1, 255);
    }
}

static uint16_t any_sensor(struct chance *chance)
{
    static struct sensor_names names;
    struct button_names buttons = {.name = {"one"}, .count = 1};
    unsigned sensor;

    sensor_names_init(&names, &buttons);
    do {
        sensor = chance_between(chance, 1, SENSOR_COUNT - 1);
    } while (!names.name[sensor][0]);
    return (uint16_t)sensor;
}

/* What a field of an input can hold besides nothing: up to nine digits. */
static uint32_t some_number(struct chance *chance)
{
    return 1 + any_number(chance, 999999999);
}

static void any_fields(struct chance *chance, struct input *input)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789.-_";
    uint32_t has = rules_input_fields(input->kind);
    bool may_lack = !rules_input_needs(input->kind);

    if ((has & (FIELD(PIECE) | FIELD(ATTACKER))) && !(may_lack && chance_percent(chance, 50))) {
        input->piece = (enum piece)chance_between(chance, 1, PIECE_COUNT - 1);
    }
    if (has & FIELD(TARGET)) {
        input->other = (enum piece)chance_between(chance, 1, PIECE_COUNT - 1);
    }
    if (has & FIELD(HARBOUR)) {
        input->harbour = (enum harbour)chance_between(chance, 1, HARBOUR_COUNT - 1);
    }
    if (has & FIELD(FACE)) {
        input->value = chance_below(chance, FACE_COUNT);
    } else if ((has & FIELD(DIE)) && chance_percent(chance, 80)) {
        input->value = some_number(chance);
    }
    if ((has & FIELD(KNOTS)) && !(may_lack && chance_percent(chance, 20))) {
        input->knots_milli = (int32_t)some_number(chance);
    }
    if (has & FIELD(PIECES)) {
        input->pieces = chance_between(chance, 1, (1U << (PIECE_COUNT - 1)) - 1) << 1;
    }
    if ((has & FIELD(SPEED)) && chance_percent(chance, 80)) {
        input->speed_mmps = some_number(chance);
    }
    if (has & FIELD(HEALTH)) {
        input->health = (enum health)chance_between(chance, 1, HEALTH_COUNT - 1);
    }
    if (has & FIELD(SENSOR)) {
        unsigned length = chance_between(chance, 1, sizeof input->sensor - 1);
        for (unsigned i = 0; i < length; i++) {
            input->sensor[i] = letters[chance_below(chance, sizeof letters - 1)];
        }
    }
}

static void any_setup(struct chance *chance, struct setup *setup)
{
    deal_setup(chance, chance_below(chance, COMBINATIONS), setup);
    for (unsigned player = 1; player <= setup->players; player++) {
        memset(setup->seats[player].name, 0, NAME_SIZE);
        any_text(chance, setup->seats[player].name, NAME_SIZE);
    }
}

void recording_any(struct chance *chance, enum input_kind kind, struct record *record)
{
    *record = (struct record){
        .input = {.kind = kind, .at_us = chance_next(chance) >> chance_below(chance, 64)},
        .wall_ms = (int64_t)(chance_next(chance) % WALL_END_MS),
        .hash = (uint32_t)chance_next(chance),
    };
    any_fields(chance, &record->input);
    if (chance_percent(chance, 50)) {
        record->evidence = (struct evidence){
            .sensor = any_sensor(chance),
            .at_us = chance_next(chance),
            .width_us = any_number(chance, 0),
            .settle_us = any_number(chance, 0),
            .bounces = any_number(chance, 0),
            .beams = (uint8_t)chance_below(chance, EVIDENCE_BEAMS_MAX + 1),
        };
    }
    if (chance_percent(chance, 50)) {
        any_text(chance, record->id, sizeof record->id);
    }
    if (kind == INPUT_NEW_GAME) {
        record->input.abandon = chance_percent(chance, 50);
        any_setup(chance, &record->setup);
    }
}

/*
 * Comparing
 */

static bool same_input(const struct input *left, const struct input *right)
{
    return left->kind == right->kind && left->at_us == right->at_us &&
           left->piece == right->piece && left->other == right->other &&
           left->harbour == right->harbour && left->value == right->value &&
           left->knots_milli == right->knots_milli && left->pieces == right->pieces &&
           left->speed_mmps == right->speed_mmps && left->health == right->health &&
           strcmp(left->sensor, right->sensor) == 0 && left->abandon == right->abandon;
}

static bool same_evidence(const struct evidence *left, const struct evidence *right)
{
    return left->sensor == right->sensor && left->at_us == right->at_us &&
           left->width_us == right->width_us && left->settle_us == right->settle_us &&
           left->bounces == right->bounces && left->beams == right->beams;
}

bool same_record(const struct record *left, const struct record *right)
{
    return same_input(&left->input, &right->input) && left->wall_ms == right->wall_ms &&
           left->hash == right->hash && same_evidence(&left->evidence, &right->evidence) &&
           strcmp(left->id, right->id) == 0 && strcmp(left->game, right->game) == 0 &&
           memcmp(&left->setup, &right->setup, sizeof left->setup) == 0;
}

int compare_records(void *context, const struct record *record)
{
    struct comparison *comparison = context;

    if (comparison->seen >= comparison->count ||
        !same_record(record, &comparison->expected[comparison->seen])) {
        comparison->differs = true;
    }
    comparison->seen++;
    return 0;
}

int refuse_records(void *context, const struct record *record)
{
    (void)context;
    (void)record;
    return 1;
}

int ignore_records(void *context, const struct record *record)
{
    (void)context;
    (void)record;
    return 0;
}
