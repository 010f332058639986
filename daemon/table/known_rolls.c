#include "known_rolls.h"

static struct die_rolls *rolls_of(struct known_rolls *rolls, enum input_kind kind)
{
    return kind == INPUT_ROLL_MOVE     ? &rolls->move
           : kind == INPUT_ROLL_COMBAT ? &rolls->combat
                                       : NULL;
}

void known_rolls_follow(struct known_rolls *rolls, const struct input *input,
                        const struct outcome *outcome)
{
    const struct event *undone = input->kind == INPUT_UNDO ? &outcome->events[0] : NULL;
    struct die_rolls *die = rolls_of(rolls, undone ? undone->undone : input->kind);

    if (input->kind == INPUT_NEW_GAME) {
        rolls->move.count = 0;
        rolls->combat.count = 0;
    } else if (die && undone && undone->value && die->count < JOURNAL_RECORDS_MAX) {
        die->values[die->count++] = (uint8_t)undone->value;
    } else if (die && !undone && input->value && die->count) {
        die->count--;
    }
}

uint8_t known_rolls_next(struct known_rolls *rolls, enum input_kind kind)
{
    const struct die_rolls *die = rolls_of(rolls, kind);

    return die && die->count ? die->values[die->count - 1] : 0;
}
