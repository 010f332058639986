/*
 * The game as a plain value: its setup, its state, its inputs and its events.
 *
 * The structs up to struct game are copied with `=`, compared with memcmp and hashed byte by byte,
 * so they must not have padding: -Wpadded is an error for them.
 */
#ifndef RULES_GAME_H
#define RULES_GAME_H

#include "rules/words.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PLAYERS_MIN = 2,
    PLAYERS_MAX = 4,
    PLAYER_NONE = 0,
    PLAYER_COUNT = PLAYERS_MAX + 1, /* arrays are indexed by player, 1 to 4 */
    TEAMS_MAX = 2,
    PIECES_A_HARBOUR = 4,
    NAME_CHARACTERS_MAX = 40,
    NAME_SIZE = 4 * NAME_CHARACTERS_MAX + 1, /* bytes of UTF-8 with the end */
    SENSOR_SIZE = 32,
    DIE_FACES_MAX = 12,
    DIE_VALUE_MAX = 9,
    HOUSE_POINTS_MAX = 100,
    HOUSE_SMALL_MAX = 9,
    KNOT = 1000,              /* a rope reading is in thousandths of a knot */
    KNOTS_MILLI_MAX = 100000, /* a hundred knots: longer than any rope */
    SHOT_WINDOW_MIN_MS = 100,
    SHOT_WINDOW_MAX_MS = 60000,
    SHOT_WINDOW_MS = 3000,
    ROPE_TOLERANCE_MILLI = 200,
    /* Four fleets of four in all-against-all (96 pairs) and a neutral piece that fights all 16. */
    COMBATS_MAX = 112,
    /* Most events: a piece in combat with all its enemies leaves play, and that ends the game. */
    EVENTS_MAX = 32,
};

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"

/* House rules: the numbers that a table may change. */
struct house {
    uint8_t ship_points;
    uint8_t tower_points;
    uint8_t pirate_points;
    uint8_t chest_points;
    uint8_t barrel_points;
    uint8_t monster_lives;
    uint8_t wind_bonus;
    uint8_t kraken_knots;
    uint8_t move_faces;   /* how many of move_die are used */
    uint8_t combat_faces; /* how many of combat_die are used */
    uint8_t move_die[DIE_FACES_MAX];
    uint8_t combat_die[DIE_FACES_MAX]; /* enum face */
};

/* A player; seats are numbered clockwise (G2). */
struct seat {
    char name[NAME_SIZE];
    uint8_t harbours; /* a set: 1 << enum harbour */
    uint8_t team;     /* 1 or 2 in team play, else 0 */
};

/* Everything that is fixed before the first turn, including what was drawn. */
struct setup {
    uint32_t shot_window_ms;
    uint16_t rope_tolerance_milli;
    uint8_t variant;  /* enum variant */
    uint8_t scenario; /* enum scenario_id */
    uint8_t teams;
    uint8_t dice; /* enum dice: who rolls; the rules do not use it */
    uint8_t players;
    uint8_t first;                  /* the player who begins */
    uint8_t barrels[HARBOUR_COUNT]; /* ME1: the destination of each harbour's barrel */
    uint8_t spare[6];
    struct house house;
    struct seat seats[PLAYER_COUNT];
};

/* C1: two pieces in close combat. */
struct combat {
    uint8_t attacker; /* the piece that began it */
    uint8_t target;
    uint8_t began_by; /* the player who began it, and who rolls for a neutral piece (PS2) */
    uint8_t rolled;   /* in this turn (C8) */
};

/* The state of the current turn. */
struct turn {
    uint64_t shot_at_us;
    uint64_t counts_until_us; /* S3: the end of the window, or when a person (S9) or a second ball
                                 (S8) ended it */
    uint32_t hits;            /* pieces whose own beam saw the ball; a set: 1 << enum piece */
    uint32_t number;
    uint8_t shot; /* enum shot */
    uint8_t shooter;
    uint8_t die;  /* 0: not rolled */
    uint8_t left; /* points */
    uint8_t selected;
    uint8_t rope_over;          /* M5: reported for this pull */
    uint8_t neutral_moved;      /* PS2: the neutral piece may attack this turn */
    uint8_t extra[PIECE_COUNT]; /* HW1: knots that only this ship may use */
    uint8_t spare[4];
};

struct treasure {
    uint8_t holder; /* PIECE_NONE: on the island */
};

struct monster {
    uint8_t lives;
    uint8_t down; /* SM3: wounded, and not seen upright since */
};

struct wind {
    uint8_t moved;               /* HW2: in this turn */
    uint8_t caught[PIECE_COUNT]; /* HW1: in this turn */
};

/* Indexed by the harbour where the barrel starts. */
struct barrel {
    uint8_t destination;
    uint8_t carrier;      /* PIECE_NONE: at its harbour, or delivered */
    uint8_t delivered_by; /* the player, or PLAYER_NONE */
};

struct merchant {
    struct barrel barrels[HARBOUR_COUNT];
};

struct kraken {
    uint8_t holds;      /* KR2: the entangled ship */
    uint8_t moved;      /* KR2: in this step, so that it may be laid under a ship */
    uint8_t free_knots; /* KR4: still to be used */
};

union scenario_state {
    struct treasure treasure;
    struct monster monster;
    struct wind wind;
    struct merchant merchant;
    struct kraken kraken;
    uint8_t bytes[24];
};

struct game {
    struct setup setup;
    struct turn turn;
    uint32_t seq; /* of the last event */
    /*
     * The state of the table, which no undo and no end of the game changes (Referee); two sets of
     * pieces: those that lie on their side according to the last report, whatever their status, and
     * those whose last report was a person's command.
     */
    uint32_t lying;
    uint32_t declared;
    uint8_t phase;                    /* enum phase */
    uint8_t player;                   /* whose turn it is */
    uint8_t status[PIECE_COUNT];      /* enum status; STATUS_ABSENT: not in this game */
    uint8_t captured_by[PIECE_COUNT]; /* a player */
    uint8_t combat_count;
    uint8_t spare[7];
    struct combat combats[COMBATS_MAX];
    union scenario_state scenario;
};

#pragma GCC diagnostic pop

/* A command, a fact or a deadline. Fields that an input of this kind does not have are 0. */
struct input {
    enum input_kind kind;
    uint64_t at_us; /* when it began, on a monotonic clock */
    enum piece piece;
    enum piece other;
    enum harbour harbour;
    uint32_t value; /* of a die: a number or an enum face; toppled: how late a sensor may report */
    int32_t knots_milli; /* a rope reading */
    uint32_t pieces;     /* a set: 1 << enum piece */
    uint32_t speed_mmps; /* of the ball, 0 if not measured */
    enum health health;
    char sensor[SENSOR_SIZE];
    bool abandon;              /* new-game: replace the game that is running */
    const struct setup *setup; /* new-game; read during the step only */
};

/* E3, E4, T2: players in one place are tied. */
struct rank {
    uint8_t player;
    uint8_t place;
    uint8_t towers;
    int32_t points;
};

/* Something that happened. Fields that an event of this kind does not have are 0. */
struct event {
    enum event_kind kind;
    enum rule rule;
    uint32_t seq;
    uint32_t turn;
    uint8_t player; /* whose turn it was */
    enum piece piece;
    enum piece other;
    enum harbour harbour;
    enum harbour barrel; /* its colour, which is its destination */
    uint32_t value;
    int32_t knots_milli;
    uint32_t cost;
    uint32_t left;
    uint32_t by;
    enum how how;
    enum phase phase;
    uint32_t pieces;
    uint32_t speed_mmps;
    uint32_t winners; /* a set: 1 << player */
    uint32_t from;
    uint32_t to;
    enum input_kind undone; /* the input that was taken back; its fields are set, too */
    enum health health;
    char sensor[SENSOR_SIZE];
    struct rank ranking[PLAYERS_MAX];
};

/* The result of a step. */
struct outcome {
    enum rule rule;       /* of a refusal */
    uint64_t deadline_us; /* when window-over is due; 0: no shot window is open */
    unsigned count;
    struct event events[EVENTS_MAX];
};

#endif
