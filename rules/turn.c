/* G: the turn and its steps. */
#include "rules_internal.h"

void begin_turn(struct game *game, struct outcome *out)
{
    const struct scenario *scenario = scenario_of(game);

    game->turn = (struct turn){.number = game->turn.number + 1, .shot = SHOT_UNFIRED};
    for (unsigned i = 0; i < game->combat_count; i++) {
        game->combats[i].rolled = 0;
    }
    if (scenario->begin_turn) {
        scenario->begin_turn(game);
    }
    emit(game, out, EVENT_TURN_STARTED, RULE_G2);
    enter_phase(game, PHASE_SHOOTING, out);
}

void leave_phase(struct game *game)
{
    const struct scenario *scenario = scenario_of(game);

    game->turn.selected = PIECE_NONE;
    game->turn.rope_over = 0;
    if (scenario->end_phase) {
        scenario->end_phase(game);
    }
}

/* G4: every step is entered, even when there is nothing to do in it. */
void enter_phase(struct game *game, enum phase phase, struct outcome *out)
{
    leave_phase(game);
    game->phase = (uint8_t)phase;
    emit(game, out, EVENT_PHASE_STARTED, RULE_G3)->phase = phase;
}

static void pass_turn(struct game *game, struct outcome *out)
{
    game->player = (uint8_t)(game->player % game->setup.players + 1);
    begin_turn(game, out);
}

int end_shooting(struct game *game, const struct input *input, struct outcome *out)
{
    if (game->turn.shot == SHOT_OPEN) {
        cut_window(game, input->at_us);
        end_shot(game, out);
    } else {
        enter_phase(game, PHASE_MOVING, out);
    }
    return 0;
}

int end_moving(struct game *game, const struct input *input, struct outcome *out)
{
    (void)input;
    enter_phase(game, PHASE_COMBAT, out);
    return 0;
}

int end_combat(struct game *game, const struct input *input, struct outcome *out)
{
    (void)input;
    for (unsigned i = 0; i < game->combat_count; i++) {
        if (rules_combat_due(game, i)) {
            return refuse(out, REFUSED_COMBAT_DUE, RULE_C5);
        }
    }
    if (game->setup.variant == VARIANT_ADVANCED) {
        enter_phase(game, PHASE_REPAIR, out);
    } else {
        pass_turn(game, out);
    }
    return 0;
}

int end_repair(struct game *game, const struct input *input, struct outcome *out)
{
    (void)input;
    pass_turn(game, out);
    return 0;
}
