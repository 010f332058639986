#include "draw.h"

#include "draw_parts.h"
#include "live.h"

enum {
    COLUMNS_MIN = 40,
    ROWS_MIN = 10,
    BOARD_COLUMNS = 80, /* with more room the events stand beside the board */
    EVENTS_COLUMNS_MIN = 30,
    TIME_COLUMNS = 9, /* " 18:03:07" */
    SEQ_COLUMNS = 6,
    CONNECTION_TEXT_SIZE = 2 * LINK_TEXT_SIZE + 64,
};

#define UTF8_SIGN(name, utf8, ascii) [SIGN_##name] = (utf8),
#define ASCII_SIGN(name, utf8, ascii) [SIGN_##name] = (ascii),

const char *const *draw_signs(bool utf8)
{
    static const char *const utf8_signs[SIGN_COUNT] = {DRAW_SIGNS(UTF8_SIGN)};
    static const char *const ascii_signs[SIGN_COUNT] = {DRAW_SIGNS(ASCII_SIGN)};

    return utf8 ? utf8_signs : ascii_signs;
}

static void draw_title(const struct board *board, struct pen pen)
{
    const struct view *view = board->view;

    pen_put(&pen, INK_STRONG, " SHIP AHOY");
    if (!view->has_state) {
        return;
    }
    pen_print(&pen, INK_PLAIN, "  table %s", view->table);
    if (view->phase == PHASE_LOBBY) {
        return;
    }
    pen_print(&pen, INK_PLAIN, ", %s rules, scenario %s, turn %u", view->rules, view->scenario,
              view->turn);
    pen_put(&pen, INK_PLAIN, view->teams ? ", teams" : "");
}

static void draw_line(const struct board *board, struct pen pen)
{
    pen_fill(&pen, INK_DIM, board->signs[SIGN_RULE]);
}

/* Whether anybody is there, in a sentence. */
static void draw_connection(const struct board *board, struct pen pen)
{
    char trouble[CONNECTION_TEXT_SIZE];

    pen.column++;
    link_write_trouble(board->link, trouble, sizeof trouble);
    pen_put(&pen, INK_WARNING, trouble);
    if (!trouble[0]) {
        pen_print(&pen, INK_DIM, "Live, event %u", board->view->seq);
        pen_put(&pen, INK_DIM, "   ! put right  x fighting  $ chest  o barrel  & held   q quits");
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

    pen_print(&label, INK_DIM, " %s %*u ", event->time, SEQ_COLUMNS - 2, event->seq);
    return pen_wrap(behind_number(pen), is_urgent ? INK_WARNING : INK_PLAIN, event->message);
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

static unsigned draw_lobby(bool has_state, struct pen pen)
{
    enum { ROWS = 2 };
    struct pen hint = pen;

    pen_put(&pen, INK_PLAIN,
            has_state ? "  No game is running. To begin one:" : "  Nothing is known yet.");
    hint.row++;
    pen_put(&hint, INK_STRONG, has_state ? "    shipahoyctl send new-game" : "");
    return ROWS;
}

static unsigned draw_game(const struct board *board, struct pen pen)
{
    unsigned top = pen.row;

    if (!board->view->has_state || board->view->phase == PHASE_LOBBY) {
        return draw_lobby(board->view->has_state, pen);
    }
    pen.row += draw_players(board, pen);
    draw_line(board, pen);
    pen.row++;
    pen.row += draw_turn(board, pen);
    pen.row += draw_scenario(board, pen);
    return pen.row - top;
}

static void draw_board(const struct board *board, struct canvas *canvas)
{
    bool wide = canvas->columns >= BOARD_COLUMNS + EVENTS_COLUMNS_MIN;
    unsigned last = canvas->rows - 1;
    struct pen whole = {.canvas = canvas, .right = canvas->columns};
    struct pen pen = whole;

    draw_title(board, pen);
    pen.row = 1;
    draw_line(board, pen);
    pen.row++;
    struct pen events = pen;
    pen.right = wide ? BOARD_COLUMNS : canvas->columns;
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
    pen_fill(&blank, INK_PLAIN, " ");
    draw_connection(board, whole);
}

char *draw_screen(const struct view *view, const struct link *link, const struct screen *screen)
{
    struct board board = {.view = view, .link = link, .signs = draw_signs(screen->utf8)};
    struct canvas canvas;
    char *text = NULL;

    if (canvas_open(&canvas, screen->rows, screen->columns, screen->utf8) == 0) {
        if (screen->rows < ROWS_MIN || screen->columns < COLUMNS_MIN) {
            struct pen pen = {.canvas = &canvas, .right = screen->columns};
            pen_print(&pen, INK_PLAIN, "needs %d x %d", COLUMNS_MIN, ROWS_MIN);
        } else {
            draw_board(&board, &canvas);
        }
        text = canvas_text(&canvas, &screen->style);
    }
    canvas_close(&canvas);
    return text;
}
