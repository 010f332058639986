/*
 * Which commands are possible, found by trying them.
 *
 * Nothing here knows a rule. What a verb needs comes from RULES_INPUTS. Not tried is what every
 * step refuses: a verb that the table of steps does not have in this phase, a piece out of play.
 * Two refusals save attempts: "not-yours" is about the first piece whatever else is named, and only
 * "missing-field" is cured by naming a value. The random player (tests/random) compares the list
 * with all commands.
 */
#include "rules/choices.h"

#include "rules_internal.h"

#include <stddef.h>

struct search {
    const struct game *game;
    uint32_t in_play;  /* pieces; what names another is refused whatever it is */
    struct game after; /* the last accepted attempt */
    struct outcome out;
    struct choices *found;
};

static struct choice *add(struct search *search, enum input_kind verb)
{
    struct choice *choice = &search->found->list[search->found->count++];

    *choice = (struct choice){.verb = verb};
    return choice;
}

static int attempt(struct search *search, const struct input *input)
{
    return try_step(search->game, input, &search->after, &search->out);
}

/* The next piece in play, or PIECE_COUNT; from PIECE_NONE, the first one. */
static enum piece next_piece(const struct search *search, enum piece piece)
{
    do {
        piece++;
    } while (piece < PIECE_COUNT && !(search->in_play & bit(piece)));
    return piece;
}

static struct input begin_input(const struct search *search, enum input_kind verb)
{
    /* No command depends on the time, but none comes before the shot. */
    return (struct input){.kind = verb, .at_us = search->game->turn.shot_at_us};
}

static bool is_first_event(const struct search *search, enum event_kind kind)
{
    return search->out.count > 0 && search->out.events[0].kind == kind;
}

/* fire, end-phase, move-wind */
static void list_plain(struct search *search, enum input_kind verb)
{
    struct input input = begin_input(search, verb);

    if (attempt(search, &input)) {
        return;
    }
    struct choice *choice = add(search, verb);
    choice->foul = is_first_event(search, EVENT_FOUL);
    if (verb == INPUT_END_PHASE) {
        choice->to = (enum phase)search->after.phase;
    }
}

/* The values, of those from 1 to max, with which the input is accepted; a set. */
static uint32_t find_values(struct search *search, const struct input *input, unsigned max)
{
    struct input rolled = *input;
    uint32_t values = 0;

    for (rolled.value = 1; rolled.value <= max; rolled.value++) {
        if (!attempt(search, &rolled)) {
            values |= bit(rolled.value);
        }
    }
    return values;
}

/* A roll: accepted as it is (A4), or with a value that the player reads off the die. */
static void list_roll(struct search *search, const struct input *input, unsigned value_max)
{
    int refusal = attempt(search, input);
    uint32_t values = refusal == REFUSED_MISSING_FIELD ? find_values(search, input, value_max) : 0;

    if (refusal && !values) {
        return;
    }
    struct choice *choice = add(search, input->kind);
    choice->piece = input->piece;
    choice->target = input->other;
    choice->values = search->game->setup.dice == DICE_DAEMON ? 0 : values;
}

static void list_roll_move(struct search *search, enum input_kind verb)
{
    struct input input = begin_input(search, verb);

    list_roll(search, &input, DIE_VALUE_MAX);
}

static void list_roll_combat(struct search *search, enum input_kind verb)
{
    struct input input = begin_input(search, verb);

    for (unsigned i = 0; i < search->game->combat_count; i++) {
        input.piece = (enum piece)search->game->combats[i].attacker;
        input.other = (enum piece)search->game->combats[i].target;
        list_roll(search, &input, FACE_COUNT - 1);
    }
}

/* One entry for all pieces, except for what would only be a disturbance. */
static void list_pieces(struct search *search, enum input_kind verb)
{
    struct input input = begin_input(search, verb);
    uint32_t pieces[2] = {0, 0};

    for (input.piece = next_piece(search, PIECE_NONE); input.piece < PIECE_COUNT;
         input.piece = next_piece(search, input.piece)) {
        if (!attempt(search, &input)) {
            bool disturbance = verb == INPUT_TOPPLE && is_first_event(search, EVENT_DISTURBANCE);
            pieces[disturbance] |= bit(input.piece);
        }
    }
    for (unsigned disturbance = 0; disturbance < 2; disturbance++) {
        if (pieces[disturbance]) {
            struct choice *choice = add(search, verb);
            choice->pieces = pieces[disturbance];
            choice->disturbance = (uint8_t)disturbance;
        }
    }
}

/* One entry for each piece, the unnamed ship included. */
static void list_moves(struct search *search, enum input_kind verb)
{
    struct input input = begin_input(search, verb);

    /* A reading that costs one knot; what is left after it says how far the piece could go. */
    input.knots_milli = KNOT + search->game->setup.rope_tolerance_milli;
    for (input.piece = PIECE_NONE; input.piece < PIECE_COUNT;
         input.piece = next_piece(search, input.piece)) {
        if (!attempt(search, &input)) {
            const struct event *moved = &search->out.events[0];
            struct choice *choice = add(search, verb);
            choice->piece = input.piece;
            choice->knots = moved->cost + moved->left;
        }
    }
}

/* One entry for each piece that has a second field to choose: a target or a harbour. */
static void list_pairs(struct search *search, enum input_kind verb)
{
    bool with_target = rules_input_fields(verb) & FIELD(TARGET);
    uint32_t seconds = with_target ? search->in_play : bit(HARBOUR_COUNT) - 2;
    struct input input = begin_input(search, verb);

    for (input.piece = next_piece(search, PIECE_NONE); input.piece < PIECE_COUNT;
         input.piece = next_piece(search, input.piece)) {
        uint32_t fitting = 0;
        int refusal = REFUSED_NOT;
        for (unsigned second = 1; second < PIECE_COUNT && refusal != REFUSED_NOT_YOURS; second++) {
            if (!(seconds & bit(second))) {
                continue;
            }
            input.other = with_target ? (enum piece)second : PIECE_NONE;
            input.harbour = with_target ? HARBOUR_NONE : (enum harbour)second;
            refusal = attempt(search, &input);
            fitting |= refusal ? 0 : bit(second);
        }
        if (fitting) {
            struct choice *choice = add(search, verb);
            choice->piece = input.piece;
            *(with_target ? &choice->pieces : &choice->harbours) = fitting;
        }
    }
}

/* How a verb's commands are found and grouped follows from its fields. */
static void list_verb(struct search *search, enum input_kind verb)
{
    uint32_t fields = rules_input_fields(verb);

    if (fields & FIELD(KNOTS)) {
        list_moves(search, verb);
    } else if (fields & FIELD(FACE)) {
        list_roll_combat(search, verb);
    } else if (fields & FIELD(DIE)) {
        list_roll_move(search, verb);
    } else if (fields & (FIELD(TARGET) | FIELD(HARBOUR))) {
        list_pairs(search, verb);
    } else if (fields & FIELD(PIECE)) {
        list_pieces(search, verb);
    } else {
        list_plain(search, verb);
    }
}

/* The same, in a game that knows of the fallen pieces. */
static void list_raise(struct search *search, uint32_t fallen)
{
    const struct game *game = search->game;
    struct input knocked = {.kind = INPUT_KNOCKED, .pieces = fallen};
    struct game known = *game;

    if (fallen && !rules_step(&known, &knocked, &search->out)) {
        search->game = &known;
    }
    list_verb(search, INPUT_RAISE);
    search->game = game;
}

static uint32_t pieces_in_play(const struct game *game)
{
    uint32_t pieces = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        pieces |= rules_in_play(game, (enum piece)piece) ? bit(piece) : 0;
    }
    return pieces;
}

static void add_undo(const struct play *play, struct choices *choices)
{
    struct event undone;

    choices->undo[0] = '\0';
    if (play_undoes(play, &undone) == 0) {
        choices->list[choices->count++] = (struct choice){.verb = INPUT_UNDO};
        say_undone(&play->game, &undone, choices->undo, sizeof choices->undo);
    }
}

void choices_list(const struct play *play, uint32_t fallen, struct choices *choices)
{
    struct search search;

    search.game = &play->game;
    search.in_play = pieces_in_play(&play->game);
    search.found = choices;
    choices->count = 0;
    for (enum input_kind verb = INPUT_NONE + 1; verb < INPUT_COUNT; verb++) {
        if (rules_input_source(verb) != SOURCE_COMMAND || !is_in_phase(&play->game, verb)) {
            continue;
        }
        if (verb == INPUT_RAISE) {
            list_raise(&search, fallen);
        } else {
            list_verb(&search, verb);
        }
    }
    add_undo(play, choices);
}

void choices_list_undo(const struct play *play, struct choices *choices)
{
    choices->count = 0;
    add_undo(play, choices);
}
