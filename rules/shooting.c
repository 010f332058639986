/*
 * S: the shot.
 *
 *   ball leaves the barrel                                  window over
 *        │◀──────────────── shot window ────────────────────▶│
 *        │      tilt begins ──▶ counts          (S3)         │   tilt begins ──▶ disturbance (S7)
 *        │      fall reported by radio ──▶ counts            │◀── late ──▶│ then a disturbance
 *        │                 second ball ──▶ foul (S8): from here on nothing counts
 *        │                              end-phase ──▶ the window ends here (S9)
 */
#include "rules_internal.h"

#include <stddef.h>

/* S1, PS2: 0, or why the current player cannot shoot from this piece. */
static int check_shooter(const struct game *game, enum piece piece, struct outcome *out)
{
    bool neutral_may_shoot = is_neutral(game, piece) && scenario_of(game)->neutral_shoots;

    if (rules_owner(game, piece) != game->player && !neutral_may_shoot) {
        return refuse(out, REFUSED_NOT_YOURS, RULE_S1);
    }
    if (rules_in_combat(game, piece)) {
        return refuse(out, REFUSED_IN_COMBAT, RULE_C4);
    }
    return check_armed(game, piece, out);
}

int aim(struct game *game, const struct input *input, struct outcome *out)
{
    if (game->turn.shot != SHOT_UNFIRED) {
        return refuse(out, REFUSED_NOT_IN_PHASE, RULE_S2);
    }
    int refusal = check_shooter(game, input->piece, out);
    if (refusal) {
        return refusal;
    }
    game->turn.shooter = (uint8_t)input->piece;
    emit(game, out, EVENT_AIMED, RULE_S1)->piece = input->piece;
    return 0;
}

/* Saturates: with a wrong clock the end must not wrap around and precede the shot. */
static uint64_t add_ms(uint64_t at_us, uint32_t ms)
{
    uint64_t us = ms * UINT64_C(1000);

    return us < UINT64_MAX - at_us ? at_us + us : UINT64_MAX;
}

static uint64_t window_end_us(const struct game *game)
{
    return add_ms(game->turn.shot_at_us, game->setup.shot_window_ms);
}

static bool is_cut(const struct game *game)
{
    return game->turn.counts_until_us != window_end_us(game);
}

void cut_window(struct game *game, uint64_t at_us)
{
    if (at_us < game->turn.counts_until_us || (game->turn.shot == SHOT_OPEN && !is_cut(game))) {
        /* At the very end of the window it differs from one that was not cut by a microsecond. */
        game->turn.counts_until_us = at_us + (at_us == window_end_us(game));
    }
}

uint64_t rules_deadline(const struct game *game)
{
    return game->turn.shot == SHOT_OPEN ? window_end_us(game) : 0;
}

static void open_window(struct game *game, const struct input *input, struct outcome *out)
{
    game->turn.shot = SHOT_OPEN;
    game->turn.shot_at_us = input->at_us;
    game->turn.counts_until_us = window_end_us(game);
    struct event *event = emit(game, out, EVENT_SHOT_FIRED, RULE_S2);
    event->piece = game->turn.shooter;
    event->speed_mmps = input->speed_mmps;
}

static int foul(struct game *game, const struct input *input, enum rule rule, struct outcome *out)
{
    if (game->turn.shot != SHOT_UNFIRED) {
        /* S8: what falls from then on may be a result of the second ball, also if the ball is
         * reported after the shot. */
        cut_window(game, input->at_us > 0 ? input->at_us - 1 : 0);
    }
    emit(game, out, EVENT_FOUL, rule)->speed_mmps = input->speed_mmps;
    return 0;
}

int fire(struct game *game, const struct input *input, struct outcome *out)
{
    if (game->turn.shot != SHOT_UNFIRED) {
        return foul(game, input, RULE_S8, out);
    }
    /* S1: without a named shooter, one piece that may shoot is enough. */
    int refusal = game->turn.shooter ? 0 : check_any_own(game, NULL, check_shooter, out);
    if (!refusal) {
        open_window(game, input, out);
    }
    return refusal;
}

/* S1: a ball that has left the barrel cannot be refused, so it is a foul. */
int see_ball(struct game *game, const struct input *input, struct outcome *out)
{
    return fire(game, input, out) ? foul(game, input, RULE_S1, out) : 0;
}

int see_foul(struct game *game, const struct input *input, struct outcome *out)
{
    return foul(game, input, RULE_S8, out);
}

/* S4: a target's own beam reports a hit; its tilt switch reports whether it falls. */
int see_hit(struct game *game, const struct input *input, struct outcome *out)
{
    if (game->turn.shot != SHOT_OPEN) {
        return refuse(out, REFUSED_NOT_IN_PHASE, RULE_S4);
    }
    game->turn.hits |= bit(input->piece);
    emit(game, out, EVENT_SHOT_HIT, RULE_S4)->piece = input->piece;
    return 0;
}

int close_window(struct game *game, const struct input *input, struct outcome *out)
{
    if (game->turn.shot != SHOT_OPEN || input->at_us < window_end_us(game)) {
        return refuse(out, REFUSED_NOT_IN_PHASE, RULE_S9);
    }
    end_shot(game, out);
    return 0;
}

/* S4, S6: the event lists the pieces that were hit and did not fall. */
static void emit_shot_over(struct game *game, struct outcome *out)
{
    uint32_t shaken = 0;
    bool shaken_tower = false;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if ((game->turn.hits & bit(piece)) && !(game->lying & bit(piece))) {
            shaken |= bit(piece);
            shaken_tower |= rules_is_tower((enum piece)piece);
        }
    }
    emit(game, out, EVENT_SHOT_OVER, shaken_tower ? RULE_S6 : RULE_S4)->pieces = shaken;
}

void end_shot(struct game *game, struct outcome *out)
{
    game->turn.shot = SHOT_DONE;
    emit_shot_over(game, out);
    end_game_if_out(game, out);
    if (game->phase != PHASE_OVER) {
        enter_phase(game, PHASE_MOVING, out);
    }
}

bool rules_shot_explains(const struct game *game, uint64_t at_us, uint32_t late_ms)
{
    uint64_t until_us = add_ms(window_end_us(game), late_ms);

    if (is_cut(game) && game->turn.counts_until_us < until_us) {
        until_us = game->turn.counts_until_us;
    }
    return game->turn.shot != SHOT_UNFIRED && at_us >= game->turn.shot_at_us && at_us <= until_us;
}
