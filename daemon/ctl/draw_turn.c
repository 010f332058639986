/* The step of the turn, the points left, close combats and what the scenario adds. */
#include "draw_parts.h"

#include "rules/text.h"

#include <string.h>

enum { LABEL_COLUMNS = 11, KNOTS_TEXT_SIZE = 32 };

static void put_label(struct pen *pen, const char *label)
{
    unsigned left = pen->column;

    pen_put(pen, INK_DIM, label);
    pen->column = left + LABEL_COLUMNS;
}

static void draw_steps(const struct view *view, struct pen pen)
{
    bool advanced = strcmp(view->rules, rules_variant_name(VARIANT_ADVANCED)) == 0;
    enum phase last = advanced ? PHASE_REPAIR : PHASE_COMBAT;

    put_label(&pen, "  step");
    for (enum phase phase = PHASE_SHOOTING; phase <= last; phase++) {
        bool is_now = phase == view->phase;
        pen_put(&pen, INK_DIM, phase == PHASE_SHOOTING ? "" : "  ");
        pen_print(&pen, is_now ? INK_STRONG : INK_DIM, is_now ? "[%s]" : " %s ",
                  rules_phase_name(phase));
    }
    if (view->phase == PHASE_SHOOTING && view->shot == SHOT_OPEN) {
        pen_put(&pen, INK_WARNING, "   the ball is out");
    } else if (view->phase == PHASE_SHOOTING && view->shooter) {
        pen_print(&pen, INK_PLAIN, "   aiming from %s", rules_piece_name(view->shooter));
    }
}

/* M4: n points are n knot distances, so a die of 3 is a rope of three pieces. */
static void draw_rope(const struct board *board, struct pen pen)
{
    const struct view *view = board->view;
    unsigned knots = view->left > view->die ? view->left : view->die;
    char pulled[KNOTS_TEXT_SIZE];
    struct text text = text_begin(pulled, sizeof pulled);

    put_label(&pen, "  points");
    if (view->phase != PHASE_MOVING || !view->die) {
        pen_put(&pen, INK_DIM, view->phase == PHASE_MOVING ? "roll the die" : "-");
        return;
    }
    for (unsigned knot = 1; knot <= knots; knot++) {
        bool is_left = knot <= view->left;
        pen_put(&pen, INK_DIM, board->signs[SIGN_ROPE]);
        pen_put(&pen, is_left ? INK_STRONG : INK_DIM,
                board->signs[is_left ? SIGN_KNOT : SIGN_SPENT_KNOT]);
    }
    pen_print(&pen, INK_PLAIN, "  %u of %u left", view->left, view->die);
    if (view->rope.knots_milli > 0) {
        text_add_milli(&text, view->rope.knots_milli);
        pen_print(&pen, view->rope.over ? INK_WARNING : INK_PLAIN, ", the rope is out %s knot%s%s",
                  pulled, view->rope.knots_milli == KNOT ? "" : "s",
                  view->rope.over ? ": too far" : "");
    }
}

static void draw_combats(const struct view *view, struct pen pen)
{
    const char *before = "";

    put_label(&pen, "  combats");
    for (unsigned i = 0; i < view->combat_count; i++) {
        const struct view_combat *combat = &view->combats[i];
        pen_print(&pen, combat->due ? INK_STRONG : INK_PLAIN, "%s%s x %s%s", before,
                  rules_piece_name(combat->attacker), rules_piece_name(combat->target),
                  combat->due ? " (to roll)" : "");
        before = ", ";
    }
    if (view->combat_count == 0) {
        pen_put(&pen, INK_DIM, "-");
    }
}

static void draw_winners(const struct view *view, struct pen pen)
{
    const char *before = "The game is over. ";

    put_label(&pen, "  step");
    for (unsigned player = 1; player <= view->player_count; player++) {
        if (view->winners & (1U << player)) {
            pen_put(&pen, INK_PLAIN, before);
            pen_put(&pen, draw_player_ink(view, player), view->players[player].name);
            before = " and ";
        }
    }
    pen_put(&pen, INK_PLAIN, " won.");
}

unsigned draw_turn(const struct board *board, struct pen pen)
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
    pen_print(pen, in_play ? INK_STRONG : INK_DIM, "%s %s ",
              board->signs[in_play ? SIGN_GUEST : SIGN_GONE], rules_piece_name(guest));
    pen_put(pen, INK_PLAIN, rules_status_name(seen->status));
    if (seen->lives) {
        pen_print(pen, INK_PLAIN, ", lives %u", seen->lives);
    }
    pen_put(pen, INK_WARNING, seen->disturbed ? ", put it right" : "");
    pen_put(pen, INK_PLAIN, "  ");
}

static void draw_cargo(const struct view *view, struct pen *pen)
{
    for (enum piece piece = 1; piece < PIECE_COUNT; piece++) {
        if (view->pieces[piece].cargo[0]) {
            pen_print(pen, INK_PLAIN, "%s has %s  ", rules_piece_name(piece),
                      view->pieces[piece].cargo);
        }
        if (view->pieces[piece].entangled) {
            pen_print(pen, INK_WARNING, "it holds %s  ", rules_piece_name(piece));
        }
    }
}

unsigned draw_scenario(const struct board *board, struct pen pen)
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
        pen_put(&pen, INK_PLAIN, "the chest is on the island  ");
    }
    for (enum harbour harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (view->barrels[harbour]) {
            pen_print(&pen, INK_PLAIN, "%s>%s  ", rules_harbour_name(harbour),
                      rules_harbour_name(view->barrels[harbour]));
        }
    }
    draw_cargo(view, &pen);
    return 1;
}
