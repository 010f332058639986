/*
 * The game of Ship Ahoy as one pure step. Owns no memory, reads no clock, rolls no die.
 *
 * A zeroed struct game is an empty table: the lobby. Everything that happens is an input; what
 * follows from it comes back as events. The same inputs give the same game on every machine.
 * Taking inputs back needs the past as well: see play.h.
 */
#ifndef RULES_RULES_H
#define RULES_RULES_H

#include "rules/game.h"

/*
 * Applies one input. On 0 the game has changed and out lists the events in order. There are none if
 * a tilt sensor only confirmed a command, or reported a piece that is out of play or a game that is
 * over: then only game->lying and game->declared have changed.
 * On a refusal (> 0, see rules_refusal_name) the game is unchanged and out has no events, only the
 * rule that forbids the input, if there is one.
 */
int rules_step(struct game *game, const struct input *input, struct outcome *out);

/* What rules_step would return for it. */
int rules_try(const struct game *game, const struct input *input);

/* When window-over is due, as in out->deadline_us; for a game that was loaded. */
uint64_t rules_deadline(const struct game *game);

/*
 * Whether a topple that began at this time is a result of this turn's shot (S3). One that was
 * reported by radio has the time of its arrival, which may be late_ms after the window; else 0.
 */
bool rules_shot_explains(const struct game *game, uint64_t at_us, uint32_t late_ms);

/* Rulebook numbers, basic rules, no scenario; 2 to 4 players with default names, player 1 first. */
void rules_default_setup(struct setup *setup, unsigned players);

/* G1: gives the free harbours, in order, to players without a harbour. */
void rules_share_harbours(struct setup *setup);

/*
 * T1: assigns a team to players without one: players who sit opposite each other play together if
 * the teams chosen so far allow it. Without team play it clears all teams.
 */
void rules_form_teams(struct setup *setup);

/*
 * Whether a player can have this name: 1 to NAME_CHARACTERS_MAX characters of UTF-8, not all
 * invisible, and none of them a control character.
 */
bool rules_is_name(const char *name);

/* 0, or the refusal, with the rule that the setup breaks in rule. */
int rules_check_setup(const struct setup *setup, enum rule *rule);

/* The pieces of this setup that can topple, and stand at the start; a set: 1 << enum piece. */
uint32_t rules_standing_pieces(const struct setup *setup);

/* NULL, or the first invariant that does not hold for this game. */
const char *rules_violation(const struct game *game);

/* Equal games have equal hashes, on every machine. */
uint64_t rules_hash(const struct game *game);

/*
 * Queries
 */

bool rules_is_ship(enum piece piece);
bool rules_is_tower(enum piece piece);

/* The harbour a ship or tower belongs to, HARBOUR_NONE for the others. */
enum harbour rules_harbour_of(enum piece piece);

/* The owner of a harbour or piece, PLAYER_NONE if it has none or is not in this game. */
unsigned rules_harbour_owner(const struct game *game, enum harbour harbour);
unsigned rules_owner(const struct game *game, enum piece piece);

bool rules_in_play(const struct game *game, enum piece piece);
bool rules_in_combat(const struct game *game, enum piece piece);

/* Whether the piece lies although its status is standing, or stands although it is flat (S5, S7,
 * SM3, A3). */
bool rules_disturbed(const struct game *game, enum piece piece);

/* KR2. */
bool rules_entangled(const struct game *game, enum piece piece);

/* TI1: whether the piece has the chest. */
bool rules_has_chest(const struct game *game, enum piece piece);

/* ME2: the harbour from which the barrel that this ship carries comes, or HARBOUR_NONE. */
enum harbour rules_barrel_of(const struct game *game, enum piece piece);

/* ME3: how many barrels this player has delivered. */
unsigned rules_barrels_delivered(const struct game *game, unsigned player);

/* SM3: life points left, 0 when there is no monster in play. */
unsigned rules_monster_lives(const struct game *game);

/* The knots this piece may still move: points and its extra knots. PIECE_NONE: points. */
unsigned rules_knots_left(const struct game *game, enum piece piece);

/* M5: what a rope reading costs, in whole knots. */
unsigned rules_rope_cost(const struct game *game, int32_t knots_milli);

/* M5, KR4: whether the rope is in use in this step, and whether it is out too far. */
bool rules_rope_shown(const struct game *game);
bool rules_rope_is_over(const struct game *game, int32_t knots_milli);

/* C5: the current player still has to roll for this close combat (0 to combat_count - 1). */
bool rules_combat_due(const struct game *game, unsigned combat);

unsigned rules_ships(const struct game *game, unsigned player);
unsigned rules_towers(const struct game *game, unsigned player);
bool rules_is_out(const struct game *game, unsigned player);

/* E2; the chest counts when the game is over. */
int rules_score(const struct game *game, unsigned player);

/* E3, E4, T2: best first; returns how many. Winners are a set: 1 << player. */
unsigned rules_ranking(const struct game *game, struct rank ranking[PLAYERS_MAX]);
uint32_t rules_winners(const struct game *game);

#endif
