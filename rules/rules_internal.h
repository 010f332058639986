/* What the files of rules/ share: the step functions, the checks and the table of a scenario. */
#ifndef RULES_RULES_INTERNAL_H
#define RULES_RULES_INTERNAL_H

#include "rules/rules.h"

/*
 * One cell of the table of steps: changes the game and emits events, or returns a refusal. It works
 * on a copy that rules_step discards on a refusal, so it may refuse at any point.
 */
typedef int step_fn(struct game *game, const struct input *input, struct outcome *out);

/* Adds an event to out and gives it the next seq; the caller fills in its fields. */
struct event *emit(struct game *game, struct outcome *out, enum event_kind kind, enum rule rule);

/* A check of one piece: 0, or the refusal with its rule in out (which may be NULL). */
typedef int check_fn(const struct game *game, enum piece piece, struct outcome *out);

/* Returns the refusal and stores its rule in out, unless out is NULL. */
int refuse(struct outcome *out, enum refusal refusal, enum rule rule);

/* rules_step of a command on a copy: next is the game after it, and of no use on a refusal. */
int try_step(const struct game *game, const struct input *input, struct game *next,
             struct outcome *out);

/* Whether the table of steps has a cell for this input in the game's phase. */
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
/* Begins the turn of game->player and its first step. */
void begin_turn(struct game *game, struct outcome *out);
/* Ends the step: clears what holds for one step only. */
void leave_phase(struct game *game);
void enter_phase(struct game *game, enum phase phase, struct outcome *out);
step_fn end_shooting, end_moving, end_combat, end_repair;

/* shooting.c */
step_fn aim, fire, see_ball, see_foul, see_hit, close_window;

/* S8, S9: what falls after this time is not a result of the shot, also if it is reported late. */
void cut_window(struct game *game, uint64_t at_us);

/* S9: ends the shot and the step, or the game if somebody is out (E1). */
void end_shot(struct game *game, struct outcome *out);

/* tilt.c */
step_fn declare_topple, see_topple, raise_piece, see_knocked;

/*
 * Referee: stores what a tilt sensor reports, also when the game refuses it. Returns whether
 * game->lying or game->declared has changed; false for an input of another kind.
 */
bool note_tilt_sensor(struct game *game, const struct input *input);

/* moving.c */
step_fn roll_move, select_piece, move_piece, note_rope_over;

/* 0, or why the current player cannot move this piece now (M2, and the scenario's reasons). */
check_fn check_mover;

/* M5: 0 and the whole knots in cost, or why this is not a valid length. */
int measure(const struct game *game, int32_t knots_milli, unsigned *cost, struct outcome *out);

/* combat.c */
step_fn engage, roll_combat;
void end_combats_of(struct game *game, enum piece piece, enum rule rule, struct outcome *out);

/* pieces.c */
unsigned harbour_owner(const struct setup *setup, enum harbour harbour);
bool is_neutral(const struct game *game, enum piece piece);
bool is_tile(const struct game *game, enum piece piece);
bool is_enemy(const struct game *game, unsigned player, enum piece piece);

/* Whether the piece stands and can topple; tiles lie. */
bool can_topple(const struct game *game, enum piece piece);

/* 0, or why a piece cannot shoot or attack: it is flat (A2) or the scenario forbids it (ME4). */
check_fn check_armed;

/*
 * 0 when at least one of the current player's pieces in play passes the check, else the refusal of
 * the first; counts, if given, selects the pieces.
 */
int check_any_own(const struct game *game, bool (*counts)(enum piece), check_fn *check,
                  struct outcome *out);

bool die_shows(const uint8_t *faces, unsigned count, uint32_t value);

/* The piece leaves play: captured by player by, or lost for all. winner is the piece that won, if
 * any. */
void capture(struct game *game, enum piece piece, unsigned by, enum piece winner, enum how how,
             enum rule rule, struct outcome *out);
void lose(struct game *game, enum piece piece, enum piece winner, enum rule rule,
          struct outcome *out);

/* ending.c */
/* E1: ends the game if somebody is out. */
void end_game_if_out(struct game *game, struct outcome *out);

/*
 * What a scenario changes, as a table of hooks; every hook may be NULL.
 *
 * A new scenario is a line in RULES_SCENARIOS, a file in scenarios/ with its table and, if it has
 * state of its own, a member of union scenario_state. Its pieces, inputs, events and rules are
 * lines in the lists of words.h, its sentences lines in say.c.
 */
struct scenario {
    /* A piece that belongs to nobody and may be moved instead of an own ship. */
    enum piece neutral;
    enum rule neutral_rule; /* for moving it */

    /* The rule about its capture by a shot; a tile cannot topple at all. */
    enum rule neutral_falls_rule;
    bool neutral_is_tile;

    /* Whether the neutral piece attacks in close combat, and the rule about what it wins. */
    bool neutral_attacks;
    enum rule neutral_attack_rule;
    enum rule neutral_wins_rule;

    /* PS2: whether the current player may name the neutral piece as the shooter. */
    bool neutral_shoots;

    /* A tile that is no enemy and moves by inputs of the scenario only; the rule for that. */
    enum piece tile;
    enum rule tile_rule;

    /* Whether the draw in the setup is valid for the scenario; the rule about the draw. */
    bool (*draw_fits)(const struct setup *setup);
    enum rule draw_rule;

    /* Inputs of this scenario, by phase; a cell here overrides the cell of the basic game. */
    step_fn *const (*steps)[INPUT_COUNT];

    /* At the start of the game, of each turn, and whenever a step of the turn ends. */
    void (*begin_game)(struct game *game);
    void (*begin_turn)(struct game *game);
    void (*end_phase)(struct game *game);

    /* 0, or why this piece cannot move in this scenario. */
    int (*check_free)(const struct game *game, enum piece piece, struct outcome *out);

    /* 0, or why this piece can neither shoot nor attack. */
    int (*check_armed)(const struct game *game, enum piece piece, struct outcome *out);

    /* 0, or why attacker cannot attack this target. */
    int (*check_target)(const struct game *game, enum piece attacker, enum piece target,
                        struct outcome *out);

    /* SM4: the neutral piece may move out of a close combat, which then ends. */
    bool neutral_leaves_combat;

    /* KR4: knots that the neutral piece may move in the close combat step. */
    unsigned (*neutral_knots)(const struct game *game);

    /* After the neutral piece was moved. */
    void (*neutral_moved)(struct game *game, struct outcome *out);

    /* A shot toppled the neutral piece; may refuse. NULL: it falls like a ship. */
    int (*neutral_toppled)(struct game *game, bool was_lying, struct outcome *out);

    /* Attacker won against the neutral piece. NULL: it surrenders like a ship. */
    void (*neutral_beaten)(struct game *game, enum piece attacker, struct outcome *out);

    /* The neutral piece was raised; returns whether the game required it. */
    bool (*neutral_raised)(struct game *game);

    /* The piece has left play; winner is the piece that took it in close combat, if one did. */
    void (*left_play)(struct game *game, enum piece piece, enum piece winner, struct outcome *out);

    /* Points of the player apart from trophies. */
    int (*points)(const struct game *game, unsigned player);

    /* NULL, or the broken invariant of the scenario's own state; see rules_violation. */
    const char *(*violation)(const struct game *game);
};

/* The table of the scenario that is played; without a scenario all its hooks are NULL. */
const struct scenario *scenario_of(const struct game *game);

/* The same for a setup. */
const struct scenario *scenario_of_setup(const struct setup *setup);

#endif
