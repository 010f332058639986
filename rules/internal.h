/* What the files of rules/ share among themselves; nobody else includes this. */
#ifndef RULES_INTERNAL_H
#define RULES_INTERNAL_H

#include "rules/rules.h"

/*
 * One cell of a phase's table: changes the game and emits events, or returns a refusal. It works
 * on a copy that rules_step throws away on a refusal, so it may refuse at any point.
 */
typedef int step_fn(struct game *game, const struct input *input, struct outcome *out);

/* Adds an event to out and gives it the next seq; the caller fills in its fields. */
struct event *emit(struct game *game, struct outcome *out, enum event_kind kind, enum rule rule);

/* A question about one piece: 0, or the refusal with its rule in out (which may be NULL). */
typedef int check_fn(const struct game *game, enum piece piece, struct outcome *out);

/* Returns the refusal, having noted the rule in out, if there is one. */
int refuse(struct outcome *out, enum refusal refusal, enum rule rule);

/* rules_step of a command on a copy: next is the game after it, and of no use on a refusal. */
int try_step(const struct game *game, const struct input *input, struct game *next,
             struct outcome *out);

/* Whether the table of steps has this input in the game's phase; empty cells refuse it. */
bool is_in_phase(const struct game *game, enum input_kind kind);

static inline unsigned count_bits(uint32_t set)
{
    unsigned count = 0;

    for (; set; set &= set - 1) {
        count++;
    }
    return count;
}

/* setup.c */
step_fn new_game;

/* turn.c */
/* The turn of game->player begins, with its first step. */
void begin_turn(struct game *game, struct outcome *out);
/* The step ends, into the next one or with the game: what was only for this step is gone. */
void leave_phase(struct game *game);
void enter_phase(struct game *game, enum phase phase, struct outcome *out);
step_fn end_shooting, end_moving, end_combat, end_repair;

/* shooting.c */
step_fn aim, fire, see_ball, see_foul, see_hit, close_window;

/* S9: the shot has had its time, and with it the step, or the game if somebody is out (E1). */
void end_shot(struct game *game, struct outcome *out);

/* tilt.c */
step_fn declare_topple, see_topple, raise_piece, see_knock;

/*
 * Referee: what a tilt sensor saw is remembered also when it is no news for the game. Whether it
 * was a tilt sensor, and something has changed.
 */
bool remember_sighting(struct game *game, const struct input *input);

/* moving.c */
step_fn roll_move, select_piece, move_piece, note_rope_over;

/* 0, or why the current player cannot move this piece now (M2, and the scenario's reasons). */
check_fn check_mover;

/* check_mover for what only a ship of the current player's own can do (TI1, ME2, HW1). */
check_fn check_own_ship;

/* 0 and the whole knots in cost, or why this is no length to move (M5). */
int measure(const struct game *game, int32_t knots_milli, unsigned *cost, struct outcome *out);

/* combat.c */
step_fn engage, roll_combat;
void end_combats_of(struct game *game, enum piece piece, enum rule rule, struct outcome *out);

/* pieces.c */
unsigned harbour_owner(const struct setup *setup, enum harbour harbour);
bool is_guest(const struct game *game, enum piece piece);
bool is_tile(const struct game *game, enum piece piece);
bool is_enemy(const struct game *game, unsigned player, enum piece piece);

/* Whether it is one of the things that stand: tiles do not. */
bool can_topple(const struct game *game, enum piece piece);

/* 0, or why a piece cannot shoot or attack: it is flat (A2) or the scenario forbids it (ME4). */
check_fn check_armed;

/*
 * 0 when the check lets at least one of the current player's pieces (those that count, if given)
 * pass; else why it refused the first.
 */
int check_any_own(const struct game *game, bool (*counts)(enum piece), check_fn *check,
                  struct outcome *out);

bool die_shows(const uint8_t *faces, unsigned count, uint32_t value);

/* The piece leaves play, as a trophy of player by or lost for all; winner took it, if a piece did.
 */
void capture(struct game *game, enum piece piece, unsigned by, enum piece winner, enum how how,
             enum rule rule, struct outcome *out);
void lose(struct game *game, enum piece piece, enum piece winner, enum rule rule,
          struct outcome *out);

/* ending.c */
/* E1: the game is over if somebody is out. */
void end_if_out(struct game *game, struct outcome *out);

#endif
