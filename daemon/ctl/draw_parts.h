/* What the scoreboard is made of. Each part draws from the pen on and returns its height in rows.
 */
#ifndef DAEMON_CTL_DRAW_PARTS_H
#define DAEMON_CTL_DRAW_PARTS_H

#include "canvas.h"
#include "view.h"

/* Signs on the board: X(NAME, in UTF-8, in ASCII). */
#define DRAW_SIGNS(X)                                                                              \
    X(RULE, "─", "-")                                                                              \
    X(TURN, "▶", ">")                                                                              \
    X(SHIP, "▲", "A")                                                                              \
    X(TOWER, "■", "H")                                                                             \
    X(GUEST, "◆", "*")                                                                             \
    X(FLAT, "▬", "_")                                                                              \
    X(GONE, "·", ".")                                                                              \
    X(KNOT, "●", "O")                                                                              \
    X(SPENT_KNOT, "○", "o")                                                                        \
    X(ROPE, "──", "--")

#define DRAW_ENUM_SIGN(name, ...) SIGN_##name,
enum sign { DRAW_SIGNS(DRAW_ENUM_SIGN) SIGN_COUNT };

struct board {
    const struct view *view;
    const struct link *link;
    const char *const *signs; /* by enum sign */
};

/* The signs for a terminal. */
const char *const *draw_signs(bool utf8);

unsigned draw_players(const struct board *board, struct pen pen);
unsigned draw_turn(const struct board *board, struct pen pen);
unsigned draw_scenario(const struct board *board, struct pen pen);

/* The colour of a player: that of the first harbour. */
enum ink draw_player_ink(const struct view *view, unsigned player);

#endif
