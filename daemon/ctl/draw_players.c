/* The players with their points, fleets and trophies. */
#include "draw_parts.h"

#include "rules/rules.h"

enum {
    NAME_COLUMN = 2,
    SCORE_COLUMN = 26,
    NOTES_COLUMN = 38,
    FLEET_COLUMN = 11,
    PIECE_COLUMNS = 5,
};

enum ink draw_player_ink(const struct view *view, unsigned player)
{
    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (view->players[player].harbours & (1U << harbour)) {
            return (enum ink)(INK_HARBOUR + harbour);
        }
    }
    return INK_PLAIN;
}

static const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

static void draw_notes(const struct view *view, const struct view_player *player, struct pen *pen)
{
    pen_print(pen, INK_PLAIN, "%u ship%s, %u tower%s", player->ships, plural(player->ships),
              player->towers, plural(player->towers));
    if (view->teams) {
        pen_print(pen, INK_PLAIN, ", team %u", player->team);
    }
    if (player->barrels) {
        pen_print(pen, INK_PLAIN, ", %u barrel%s", player->barrels, plural(player->barrels));
    }
    if (player->chest) {
        pen_put(pen, INK_PLAIN, ", the chest");
    }
    if (player->out) {
        pen_put(pen, INK_WARNING, ", out");
    }
}

static void draw_headline(const struct board *board, unsigned number, struct pen pen)
{
    const struct view *view = board->view;
    const struct view_player *player = &view->players[number];
    unsigned left = pen.column;

    if (view->player == number && view->phase != PHASE_OVER) {
        pen_put(&pen, INK_STRONG, board->signs[SIGN_TURN]);
    }
    pen.column = left + NAME_COLUMN;
    struct pen name = pen;
    name.right = left + SCORE_COLUMN - 1;
    pen_put(&name, draw_player_ink(view, number), player->name);
    pen.column = left + SCORE_COLUMN;
    pen_print(&pen, INK_STRONG, "%3d point%s", player->score, player->score == 1 ? "" : "s");
    pen.column = left + NOTES_COLUMN;
    draw_notes(view, player, &pen);
    if (view->winners & (1U << number)) {
        pen_put(&pen, INK_STRONG, "  winner");
    }
}

static enum sign sign_of(enum piece piece, enum status status)
{
    switch (status) {
    case STATUS_STANDING:
        return rules_is_tower(piece) ? SIGN_TOWER : SIGN_SHIP;
    case STATUS_FLAT:
        return SIGN_FLAT;
    default:
        return SIGN_GONE;
    }
}

/* What is the matter with a piece, the most urgent first. */
static const char *mark_of(const struct view_piece *piece)
{
    if (piece->disturbed) {
        return "!";
    }
    if (piece->fighting) {
        return "x";
    }
    if (piece->entangled) {
        return "&";
    }
    return piece->cargo[0] == 'c' ? "$" : piece->cargo[0] == 'b' ? "o" : "";
}

static void draw_fleet(const struct board *board, enum harbour harbour, struct pen *pen)
{
    unsigned first = (unsigned)(harbour - 1) * PIECES_A_HARBOUR + 1;
    unsigned left = pen->column;

    for (unsigned i = 0; i < PIECES_A_HARBOUR; i++) {
        enum piece piece = (enum piece)(first + i);
        const struct view_piece *seen = &board->view->pieces[piece];
        enum sign sign = sign_of(piece, seen->status);
        enum ink ink = sign == SIGN_GONE ? INK_DIM : (enum ink)(INK_HARBOUR + harbour);

        pen->column = left + i * PIECE_COLUMNS;
        pen_put(pen, ink, board->signs[sign]);
        if (rules_is_tower(piece)) {
            pen_put(pen, ink, "T");
        } else {
            pen_print(pen, ink, "%u", i + 1);
        }
        pen_put(pen, INK_WARNING, mark_of(seen));
    }
    pen->column = left + PIECES_A_HARBOUR * PIECE_COLUMNS;
}

static void draw_trophies(uint32_t trophies, struct pen *pen)
{
    const char *before = "won ";

    for (enum piece piece = 1; piece < PIECE_COUNT; piece++) {
        if (trophies & bit(piece)) {
            pen_put(pen, INK_DIM, before);
            pen_put(pen, (enum ink)(INK_HARBOUR + rules_harbour_of(piece)),
                    rules_piece_name(piece));
            before = ", ";
        }
    }
}

/* A row for the name and one for each harbour; the trophies stand beside the first harbour. */
static unsigned draw_player(const struct board *board, unsigned number, struct pen pen)
{
    const struct view_player *player = &board->view->players[number];
    uint32_t trophies = player->trophies;
    unsigned rows = 1;

    draw_headline(board, number, pen);
    for (enum harbour harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (!(player->harbours & (1U << harbour))) {
            continue;
        }
        struct pen row = pen;
        row.row = pen.row + rows++;
        row.column = pen.column + NAME_COLUMN;
        pen_put(&row, INK_DIM, rules_harbour_name(harbour));
        row.column = pen.column + FLEET_COLUMN;
        draw_fleet(board, harbour, &row);
        row.column = pen.column + NOTES_COLUMN;
        draw_trophies(trophies, &row);
        trophies = 0;
    }
    return rows;
}

unsigned draw_players(const struct board *board, struct pen pen)
{
    unsigned rows = 0;

    for (unsigned number = 1; number <= board->view->player_count; number++) {
        struct pen at = pen;
        at.row += rows;
        rows += draw_player(board, number, at);
    }
    return rows;
}
