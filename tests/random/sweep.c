#include "sweep.h"

#include <stddef.h>

enum {
    VALUES = DIE_VALUE_MAX + 2, /* none, all of a die and one more */
    FACES = FACE_COUNT + 1,
    KNOTS = DIE_VALUE_MAX + HOUSE_SMALL_MAX + 1,
    LENGTHS = 2 * KNOTS + 1, /* none; each number of knots as it is, and with the tolerance */
};

void sweep_list(const struct play *play, struct choices *choices)
{
    struct play rolled_by_players = *play;

    if (play->game.setup.dice) {
        rolled_by_players.game.setup.dice = DICE_TABLE;
    }
    choices_list(&rolled_by_players, 0, choices);
}

bool sweep_covers(enum input_kind kind)
{
    return rules_input_source(kind) == SOURCE_COMMAND && kind != INPUT_NEW_GAME;
}

static bool has_bit(uint32_t set, unsigned value)
{
    return value < 32 && (set & bit(value));
}

static bool fits_move(const struct choice *choice, const struct game *game,
                      const struct input *input)
{
    unsigned cost = rules_rope_cost(game, input->knots_milli);

    return choice->piece == input->piece && cost >= 1 && cost <= choice->knots;
}

/* A4: a value that is named although none is rolled is ignored. */
static bool fits_roll_combat(const struct choice *choice, const struct input *input)
{
    bool same = choice->piece == input->piece && choice->target == input->other;
    bool swapped = choice->piece == input->other && choice->target == input->piece;

    return (same || swapped) && (!choice->values || has_bit(choice->values, input->value));
}

static bool fits(const struct choice *choice, const struct game *game, const struct input *input)
{
    if (choice->verb != input->kind) {
        return false;
    }
    switch (input->kind) {
    case INPUT_MOVE:
        return fits_move(choice, game, input);
    case INPUT_ROLL_COMBAT:
        return fits_roll_combat(choice, input);
    case INPUT_ROLL_MOVE:
        return has_bit(choice->values, input->value);
    case INPUT_ENGAGE:
        return choice->piece == input->piece && has_bit(choice->pieces, input->other);
    case INPUT_LOAD_BARREL:
    case INPUT_DELIVER_BARREL:
        return choice->piece == input->piece && has_bit(choice->harbours, input->harbour);
    default:
        return !choice->pieces || has_bit(choice->pieces, input->piece);
    }
}

const struct choice *sweep_find(const struct choices *choices, const struct game *game,
                                const struct input *input)
{
    for (unsigned i = 0; i < choices->count; i++) {
        if (fits(&choices->list[i], game, input)) {
            return &choices->list[i];
        }
    }
    return NULL;
}

static const char *check_outcome(const struct choice *choice, const struct game *after,
                                 const struct outcome *out)
{
    enum event_kind first = out->events[0].kind;

    if (choice->to != (choice->verb == INPUT_END_PHASE ? after->phase : 0)) {
        return "end-phase leads to the step that the list names";
    }
    if (choice->foul != (first == EVENT_FOUL)) {
        return "fire is a foul exactly if the list says so";
    }
    return choice->disturbance != (choice->verb == INPUT_TOPPLE && first == EVENT_DISTURBANCE)
               ? "topple is a disturbance exactly if the list says so"
               : NULL;
}

static const char *try_command(const struct play *play, const struct choices *choices,
                               const struct input *input)
{
    struct game after = play->game;
    struct outcome out;
    struct event undone;
    bool is_undo = input->kind == INPUT_UNDO;
    const struct choice *choice = sweep_find(choices, &play->game, input);
    int refusal = is_undo ? play_undoes(play, &undone) : rules_step(&after, input, &out);

    if (!choice) {
        return refusal ? NULL : "what is not in the list of possible commands is refused";
    }
    if (refusal) {
        return "what is in the list of possible commands is accepted";
    }
    return is_undo ? NULL : check_outcome(choice, &after, &out);
}

/* The n-th length in thousandths of a knot. */
static int32_t length_of(const struct game *game, unsigned n)
{
    int32_t knots_milli = (int32_t)((n + 1) / 2) * KNOT;

    return n % 2 ? knots_milli : knots_milli + (n ? game->setup.rope_tolerance_milli : 0);
}

/* How many possibilities a field has in the sweep; 1 for a field that the verb does not have. */
static unsigned count_of(uint32_t fields, uint32_t field, unsigned count)
{
    return (fields & field) ? count : 1;
}

const char *sweep_commands(const struct play *play, const struct choices *choices, uint64_t at_us,
                           uint64_t *tried)
{
    for (enum input_kind kind = INPUT_NONE + 1; kind < INPUT_COUNT; kind++) {
        uint32_t fields = sweep_covers(kind) ? rules_input_fields(kind) : 0;
        unsigned pieces = count_of(fields, FIELD(PIECE) | FIELD(ATTACKER), PIECE_COUNT);
        unsigned others = count_of(fields, FIELD(TARGET), PIECE_COUNT);
        unsigned harbours = count_of(fields, FIELD(HARBOUR), HARBOUR_COUNT);
        unsigned values =
            count_of(fields, FIELD(DIE), VALUES) * count_of(fields, FIELD(FACE), FACES);
        unsigned lengths = count_of(fields, FIELD(KNOTS), LENGTHS);
        unsigned all = sweep_covers(kind) ? pieces * others * harbours * values * lengths : 0;

        /* The number of a command is made of the numbers of its fields. */
        for (unsigned number = 0; number < all; number++) {
            unsigned rest = number;
            struct input input = {.kind = kind, .at_us = at_us};
            input.piece = (enum piece)(rest % pieces);
            rest /= pieces;
            input.other = (enum piece)(rest % others);
            rest /= others;
            input.harbour = (enum harbour)(rest % harbours);
            rest /= harbours;
            input.value = rest % values;
            input.knots_milli = length_of(&play->game, rest / values);
            const char *failure = try_command(play, choices, &input);
            if (failure) {
                return failure;
            }
            ++*tried;
        }
    }
    return NULL;
}
