/*
 * What `watch` shows of a table: the last state, the rope and the last events, read from the topics
 * of the table, whatever they hold.
 */
#ifndef CTL_VIEW_H
#define CTL_VIEW_H

#include "rules/game.h"
#include "rules/say.h"

#include <stddef.h>

enum {
    VIEW_TEXT_SIZE = SENTENCE_SIZE,
    VIEW_WORD_SIZE = 64,
    VIEW_EVENTS_MAX = 64,
    VIEW_COMBATS_MAX = 16, /* more do not fit on a screen anyway */
};

struct view_player {
    char name[NAME_SIZE];
    uint32_t harbours; /* a set: 1 << enum harbour */
    uint32_t trophies; /* a set: 1 << enum piece */
    int score;
    unsigned team; /* 0: none */
    unsigned ships;
    unsigned towers;
    unsigned barrels;
    bool out;
    bool chest;
};

struct view_piece {
    enum status status;
    bool disturbed;
    bool entangled;
    bool fighting;
    char cargo[VIEW_WORD_SIZE];
    unsigned lives;
};

struct view_combat {
    enum piece attacker;
    enum piece target;
    bool due;
};

struct view_event {
    uint32_t seq;
    enum event_kind kind;
    char time[VIEW_WORD_SIZE]; /* local, hours to seconds */
    char message[VIEW_TEXT_SIZE];
    char rule[VIEW_WORD_SIZE];
};

struct view_rope {
    int32_t knots_milli;
    enum piece piece;
    bool over;
};

struct view {
    bool has_state;
    char table[VIEW_WORD_SIZE];
    char game[VIEW_WORD_SIZE];
    uint32_t seq;
    enum phase phase;
    unsigned turn;
    unsigned player;
    char rules[VIEW_WORD_SIZE];
    char scenario[VIEW_WORD_SIZE];
    bool teams;
    unsigned die; /* 0: not rolled */
    unsigned left;
    enum shot shot;
    enum piece shooter;
    unsigned player_count;
    struct view_player players[PLAYER_COUNT];
    struct view_piece pieces[PIECE_COUNT];
    unsigned combat_count;
    struct view_combat combats[VIEW_COMBATS_MAX];
    char chest[VIEW_WORD_SIZE];          /* "": not in this scenario */
    enum harbour barrels[HARBOUR_COUNT]; /* where the barrel lying at a harbour is to go */
    uint32_t winners;                    /* a set: 1 << player */

    struct view_rope rope;

    /* The last events of one game, oldest first. */
    char events_of[VIEW_WORD_SIZE];
    unsigned event_count;
    struct view_event events[VIEW_EVENTS_MAX];
};

/*
 * Reads what was published on a topic below the table's base (`state`, `event/NAME`, ...). What
 * cannot be read changes nothing; an event that has been seen already is dropped. True when there
 * is something new to show.
 */
bool view_hear(struct view *view, const char *topic, const void *payload, size_t size);

/* Reads the events of a reply to `history`; the same for all of them. */
bool view_hear_history(struct view *view, const void *payload, size_t size);

/* The newest event, or NULL. */
const struct view_event *view_last_event(const struct view *view);

#endif
