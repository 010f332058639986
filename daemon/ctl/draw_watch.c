#include "draw_watch.h"

#include "live.h"
#include "pen.h"
#include "rules/rules.h"
#include "rules/text.h"

#include <string.h>

enum {
    COLUMNS_MIN = 40,
    ROWS_MIN = 10,
    BOARD_COLUMNS = 80, /* with more room the events stand beside the board */
    EVENTS_COLUMNS_MIN = 30,
    TIME_COLUMNS = 9, /* " 18:03:07" */
    SEQ_COLUMNS = 6,
    NAME_COLUMN = 2,
    HINT_COLUMN = 4,
    SCORE_COLUMN = 26,
    NOTES_COLUMN = 38,
    FLEET_COLUMN = 11,
    PIECE_COLUMNS = 5,
    LABEL_COLUMNS = 11,
    KNOTS_TEXT_SIZE = 32,
    HINT_SIZE = 1024,
    CONNECTION_TEXT_SIZE = 2 * LINK_TEXT_SIZE + 64,
};

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
    const char *command;
    const char *const *signs; /* by enum sign */
};

#define UTF8_SIGN(name, utf8, ascii) [SIGN_##name] = (utf8),
#define ASCII_SIGN(name, utf8, ascii) [SIGN_##name] = (ascii),

static const char *const *signs_for(bool utf8)
{
    static const char *const utf8_signs[SIGN_COUNT] = {DRAW_SIGNS(UTF8_SIGN)};
    static const char *const ascii_signs[SIGN_COUNT] = {DRAW_SIGNS(ASCII_SIGN)};

    return utf8 ? utf8_signs : ascii_signs;
}

/*
 * The players with their points, fleets and trophies. Each part draws from the pen on and returns
 * its height in rows.
 */

static enum style player_style(const struct view *view, unsigned player)
{
    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (view->players[player].harbours & (1U << harbour)) {
            return (enum style)(STYLE_HARBOUR + harbour);
        }
    }
    return STYLE_PLAIN;
}

static const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

static void draw_notes(const struct view *view, const struct view_player *player, struct pen *pen)
{
    pen_print(pen, STYLE_PLAIN, "%u ship%s, %u tower%s", player->ships, plural(player->ships),
              player->towers, plural(player->towers));
    if (view->teams) {
        pen_print(pen, STYLE_PLAIN, ", team %u", player->team);
    }
    if (player->barrels) {
        pen_print(pen, STYLE_PLAIN, ", %u barrel%s", player->barrels, plural(player->barrels));
    }
    if (player->chest) {
        pen_put(pen, STYLE_PLAIN, ", the chest");
    }
    if (player->out) {
        pen_put(pen, STYLE_WARNING, ", out");
    }
}

static void draw_headline(const struct board *board, unsigned number, struct pen pen)
{
    const struct view *view = board->view;
    const struct view_player *player = &view->players[number];
    unsigned left = pen.column;

    if (view->player == number && view->phase != PHASE_OVER) {
        pen_put(&pen, STYLE_STRONG, board->signs[SIGN_TURN]);
    }
    pen.column = left + NAME_COLUMN;
    struct pen name = pen;
    name.right = left + SCORE_COLUMN - 1;
    pen_put(&name, player_style(view, number), player->name);
    pen.column = left + SCORE_COLUMN;
    pen_print(&pen, STYLE_STRONG, "%3d point%s", player->score, player->score == 1 ? "" : "s");
    pen.column = left + NOTES_COLUMN;
    draw_notes(view, player, &pen);
    if (view->winners & (1U << number)) {
        pen_put(&pen, STYLE_STRONG, "  winner");
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

/* The mark of a piece, the most urgent first. */
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
        enum style style = sign == SIGN_GONE ? STYLE_DIM : (enum style)(STYLE_HARBOUR + harbour);

        pen->column = left + i * PIECE_COLUMNS;
        pen_put(pen, style, board->signs[sign]);
        if (rules_is_tower(piece)) {
            pen_put(pen, style, "T");
        } else {
            pen_print(pen, style, "%u", i + 1);
        }
        pen_put(pen, STYLE_WARNING, mark_of(seen));
    }
    pen->column = left + PIECES_A_HARBOUR * PIECE_COLUMNS;
}

static void draw_trophies(uint32_t trophies, struct pen *pen)
{
    const char *before = "won ";

    for (enum piece piece = 1; piece < PIECE_COUNT; piece++) {
        if (trophies & bit(piece)) {
            pen_put(pen, STYLE_DIM, before);
            pen_put(pen, (enum style)(STYLE_HARBOUR + rules_harbour_of(piece)),
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
        pen_put(&row, STYLE_DIM, rules_harbour_name(harbour));
        row.column = pen.column + FLEET_COLUMN;
        draw_fleet(board, harbour, &row);
        row.column = pen.column + NOTES_COLUMN;
        draw_trophies(trophies, &row);
        trophies = 0;
    }
    return rows;
}

static unsigned draw_players(const struct board *board, struct pen pen)
{
    unsigned rows = 0;

    for (unsigned number = 1; number <= board->view->player_count; number++) {
        struct pen at = pen;
        at.row += rows;
        rows += draw_player(board, number, at);
    }
    return rows;
}

/*
 * The step of the turn, the knots left, close combats and what the scenario adds
 */

static void put_label(struct pen *pen, const char *label)
{
    unsigned left = pen->column;

    pen_put(pen, STYLE_DIM, label);
    pen->column = left + LABEL_COLUMNS;
}

static void draw_steps(const struct view *view, struct pen pen)
{
    bool advanced = strcmp(view->rules, rules_variant_name(VARIANT_ADVANCED)) == 0;
    enum phase last = advanced ? PHASE_REPAIR : PHASE_COMBAT;

    put_label(&pen, "  step");
    for (enum phase phase = PHASE_SHOOTING; phase <= last; phase++) {
        bool is_now = phase == view->phase;
        pen_put(&pen, STYLE_DIM, phase == PHASE_SHOOTING ? "" : "  ");
        pen_print(&pen, is_now ? STYLE_STRONG : STYLE_DIM, is_now ? "[%s]" : " %s ",
                  rules_phase_name(phase));
    }
    if (view->phase == PHASE_SHOOTING && view->shot == SHOT_OPEN) {
        pen_put(&pen, STYLE_WARNING, "   the ball is out");
    } else if (view->phase == PHASE_SHOOTING && view->shooter) {
        pen_print(&pen, STYLE_PLAIN, "   aiming from %s", rules_piece_name(view->shooter));
    }
}

/* M4: n points are n knot distances, so a die of 3 is a rope of three pieces. */
static void draw_rope(const struct board *board, struct pen pen)
{
    const struct view *view = board->view;
    unsigned knots = view->left > view->die ? view->left : view->die;
    char pulled[KNOTS_TEXT_SIZE];
    struct text text = text_begin(pulled, sizeof pulled);

    put_label(&pen, "  knots");
    if (view->phase != PHASE_MOVING || !view->die) {
        pen_put(&pen, STYLE_DIM, view->phase == PHASE_MOVING ? "roll the die" : "-");
        return;
    }
    for (unsigned knot = 1; knot <= knots; knot++) {
        bool is_left = knot <= view->left;
        pen_put(&pen, STYLE_DIM, board->signs[SIGN_ROPE]);
        pen_put(&pen, is_left ? STYLE_STRONG : STYLE_DIM,
                board->signs[is_left ? SIGN_KNOT : SIGN_SPENT_KNOT]);
    }
    pen_print(&pen, STYLE_PLAIN, "  %u of %u left", view->left, view->die);
    if (view->rope.knots_milli > 0) {
        text_add_milli(&text, view->rope.knots_milli);
        pen_print(&pen, view->rope.over ? STYLE_WARNING : STYLE_PLAIN,
                  ", the rope is out %s knot%s%s", pulled,
                  view->rope.knots_milli == KNOT ? "" : "s", view->rope.over ? ": too far" : "");
    }
}

static void draw_combats(const struct view *view, struct pen pen)
{
    const char *before = "";

    put_label(&pen, "  combats");
    for (unsigned i = 0; i < view->combat_count; i++) {
        const struct view_combat *combat = &view->combats[i];
        pen_print(&pen, combat->due ? STYLE_STRONG : STYLE_PLAIN, "%s%s x %s%s", before,
                  rules_piece_name(combat->attacker), rules_piece_name(combat->target),
                  combat->due ? " (to roll)" : "");
        before = ", ";
    }
    if (view->combat_count == 0) {
        pen_put(&pen, STYLE_DIM, "-");
    }
}

static void draw_winners(const struct view *view, struct pen pen)
{
    const char *before = "The game is over. ";

    put_label(&pen, "  step");
    for (unsigned player = 1; player <= view->player_count; player++) {
        if (view->winners & (1U << player)) {
            pen_put(&pen, STYLE_PLAIN, before);
            pen_put(&pen, player_style(view, player), view->players[player].name);
            before = " and ";
        }
    }
    pen_put(&pen, STYLE_PLAIN, " won.");
}

static unsigned draw_turn(const struct board *board, struct pen pen)
{
    enum { ROWS = 3 };

    if (board->view->phase == PHASE_OVER) {
        draw_winners(board->view, pen);
        return 1;
    }
    draw_steps(board->view, pen);
    pen.row++;
    draw_rope(board, pen);
    pen.row++;
    draw_combats(board->view, pen);
    return ROWS;
}

static void draw_guest(const struct board *board, enum piece guest, struct pen *pen)
{
    const struct view_piece *seen = &board->view->pieces[guest];
    bool in_play = seen->status == STATUS_STANDING || seen->status == STATUS_FLAT;

    if (seen->status == STATUS_ABSENT) {
        return;
    }
    pen_print(pen, in_play ? STYLE_STRONG : STYLE_DIM, "%s %s ",
              board->signs[in_play ? SIGN_GUEST : SIGN_GONE], rules_piece_name(guest));
    pen_put(pen, STYLE_PLAIN, rules_status_name(seen->status));
    if (seen->lives) {
        pen_print(pen, STYLE_PLAIN, ", lives %u", seen->lives);
    }
    pen_put(pen, STYLE_WARNING, seen->disturbed ? ", put it right" : "");
    pen_put(pen, STYLE_PLAIN, "  ");
}

static void draw_cargo(const struct view *view, struct pen *pen)
{
    for (enum piece piece = 1; piece < PIECE_COUNT; piece++) {
        if (view->pieces[piece].cargo[0]) {
            pen_print(pen, STYLE_PLAIN, "%s has %s  ", rules_piece_name(piece),
                      view->pieces[piece].cargo);
        }
        if (view->pieces[piece].entangled) {
            pen_print(pen, STYLE_WARNING, "it holds %s  ", rules_piece_name(piece));
        }
    }
}

static unsigned draw_scenario(const struct board *board, struct pen pen)
{
    const struct view *view = board->view;

    if (!view->scenario[0] ||
        strcmp(view->scenario, rules_scenario_name(SCENARIO_NO_SCENARIO)) == 0) {
        return 0;
    }
    put_label(&pen, "  scenario");
    for (enum piece guest = PIECE_PIRATE; guest <= PIECE_KRAKEN; guest++) {
        draw_guest(board, guest, &pen);
    }
    if (strcmp(view->chest, "island") == 0) {
        pen_put(&pen, STYLE_PLAIN, "the chest is on the island  ");
    }
    for (enum harbour harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (view->barrels[harbour]) {
            pen_print(&pen, STYLE_PLAIN, "%s>%s  ", rules_harbour_name(harbour),
                      rules_harbour_name(view->barrels[harbour]));
        }
    }
    draw_cargo(view, &pen);
    return 1;
}

/*
 * The whole screen
 */

static void draw_title(const struct board *board, struct pen pen)
{
    const struct view *view = board->view;

    pen_put(&pen, STYLE_STRONG, " SHIP AHOY");
    if (!view->has_state) {
        return;
    }
    pen_print(&pen, STYLE_PLAIN, "  table %s", view->table);
    if (view->phase == PHASE_LOBBY) {
        return;
    }
    pen_print(&pen, STYLE_PLAIN, ", %s rules, scenario %s, turn %u", view->rules, view->scenario,
              view->turn);
    pen_put(&pen, STYLE_PLAIN, view->teams ? ", teams" : "");
}

static void draw_line(const struct board *board, struct pen pen)
{
    pen_fill(&pen, STYLE_DIM, board->signs[SIGN_RULE]);
}

/* The connection, in a sentence. */
static void draw_connection(const struct board *board, struct pen pen)
{
    char trouble[CONNECTION_TEXT_SIZE];

    pen.column++;
    link_write_trouble(board->link, trouble, sizeof trouble);
    pen_put(&pen, STYLE_WARNING, trouble);
    if (!trouble[0]) {
        pen_print(&pen, STYLE_DIM, "Live, event %u", board->view->seq);
        pen_put(&pen, STYLE_DIM, "   ! put right  x fighting  $ chest  o barrel  & held   q quits");
    }
}

/* The pen where the sentence of an event begins, behind its time and number. */
static struct pen behind_number(struct pen pen)
{
    pen.column += TIME_COLUMNS + SEQ_COLUMNS;
    return pen;
}

static unsigned draw_event(const struct view_event *event, struct pen pen)
{
    bool is_urgent = event->kind == EVENT_DISTURBANCE || event->kind == EVENT_FOUL ||
                     event->kind == EVENT_SENSOR_FAULT;
    struct pen label = pen;

    pen_print(&label, STYLE_DIM, " %s %*u ", event->time, SEQ_COLUMNS - 2, event->seq);
    return pen_wrap(behind_number(pen), is_urgent ? STYLE_WARNING : STYLE_PLAIN, event->message);
}

/* The last events that fit as a whole, the newest at the bottom; the newest one in any case. */
static void draw_events(const struct board *board, struct pen pen, unsigned rows)
{
    const struct view *view = board->view;
    struct pen sentence = behind_number(pen);
    unsigned first = view->event_count;

    for (unsigned used = 0; first > 0; first--) {
        used += pen_wrap_rows(&sentence, view->events[first - 1].message);
        if (used > rows && first < view->event_count) {
            break;
        }
    }
    for (unsigned i = first; i < view->event_count; i++) {
        pen.row += draw_event(&view->events[i], pen);
    }
}

static unsigned draw_lobby(const struct board *board, struct pen pen)
{
    char hint[HINT_SIZE] = "";
    struct text text = text_begin(hint, sizeof hint);
    struct pen row = pen;

    if (board->view->has_state) {
        text_add(&text, board->command);
        text_add(&text, " send new-game");
    }
    pen_put(&row, STYLE_PLAIN, hint[0] ? "  No game is running. To begin one:" : "  No state yet.");
    pen.row++;
    pen.column += HINT_COLUMN;
    return 1 + pen_wrap(pen, STYLE_STRONG, hint);
}

static unsigned draw_game(const struct board *board, struct pen pen)
{
    unsigned top = pen.row;

    if (!board->view->has_state || board->view->phase == PHASE_LOBBY) {
        return draw_lobby(board, pen);
    }
    pen.row += draw_players(board, pen);
    draw_line(board, pen);
    pen.row++;
    pen.row += draw_turn(board, pen);
    pen.row += draw_scenario(board, pen);
    return pen.row - top;
}

static void draw_board(const struct board *board, struct pen whole)
{
    bool wide = whole.right >= BOARD_COLUMNS + EVENTS_COLUMNS_MIN;
    unsigned last = (unsigned)getmaxy(whole.window) - 1;
    struct pen pen = whole;

    draw_title(board, pen);
    pen.row = 1;
    draw_line(board, pen);
    pen.row++;
    struct pen events = pen;
    pen.right = wide ? BOARD_COLUMNS : whole.right;
    pen.row += draw_game(board, pen);
    if (wide) {
        events.column = BOARD_COLUMNS + 1;
    } else {
        draw_line(board, pen);
        events.row = pen.row + 1;
    }
    if (events.row < last) {
        draw_events(board, events, last - events.row);
    }
    /* On a low screen the parts above may have come down to here. */
    whole.row = last;
    struct pen blank = whole;
    pen_fill(&blank, STYLE_PLAIN, " ");
    draw_connection(board, whole);
}

void draw_watch(const struct view *view, const struct link *link, const char *command,
                WINDOW *window, bool utf8)
{
    struct board board = {.view = view, .link = link, .command = command, .signs = signs_for(utf8)};
    struct pen pen = pen_begin(window, utf8);

    if (getmaxy(window) < ROWS_MIN || getmaxx(window) < COLUMNS_MIN) {
        pen_print(&pen, STYLE_PLAIN, "Needs %d columns, %d rows.", COLUMNS_MIN, ROWS_MIN);
    } else {
        draw_board(&board, pen);
    }
}
