#include "scoring.h"

#include "common/log.h"
#include "person.h"
#include "rules/rules.h"
#include "stamp.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of lines that are no changes of the score. */
static const char undo_line[] = "undo";
static const char close_line[] = "close";

struct scored_game {
    struct standing standing;
    bool is_stale; /* after an error: whether the last change was stored is not known */
};

struct scoring {
    struct scoring_ports ports;
    struct scored_game *games[SCORING_GAMES_MAX]; /* in the order in which they began */
    unsigned count;
};

static int refuse(struct scoring_reply *reply, const char *code, const char *message)
{
    reply->refusal = code;
    snprintf(reply->message, sizeof reply->message, "%s", message);
    return 0;
}

static void forget_game(struct scored_game *game)
{
    free(game->standing.changes);
    free(game);
}

static void remove_game(struct scoring *scoring, unsigned index)
{
    forget_game(scoring->games[index]);
    scoring->count--;
    for (unsigned i = index; i < scoring->count; i++) {
        scoring->games[i] = scoring->games[i + 1];
    }
}

/*
 * The score
 */

/* Room for one more change; it grows in steps. False: out of memory. */
static bool has_room(struct standing *standing)
{
    enum { STEP = 64 };

    if (standing->change_count % STEP == 0) {
        struct standing_change *changes = realloc(
            standing->changes, (standing->change_count + STEP) * sizeof standing->changes[0]);
        if (!changes) {
            return false;
        }
        standing->changes = changes;
    }
    return true;
}

/* The score after the first count changes. */
static bool replay(const struct standing *standing, unsigned count, struct score *score)
{
    char sentence[SCORING_MESSAGE_SIZE];
    struct text problem = text_begin(sentence, sizeof sentence);

    *score = standing->begun;
    for (unsigned i = 0; i < count; i++) {
        if (!score_step(&standing->sheet, score, &standing->changes[i].change, &problem)) {
            return false;
        }
    }
    return true;
}

/*
 * Loading
 */

static void ignore_problem(void *context, int line, const char *message)
{
    (void)context;
    (void)line;
    (void)message;
}

/* number, game, name, source, over_at */
static int take_game(void *context, const char *const *columns)
{
    struct scoring *scoring = context;
    struct scored_game *game = calloc(1, sizeof *game);

    if (!game) {
        return -EAGAIN;
    }
    struct standing *standing = &game->standing;
    standing->number = strtoll(columns[0], NULL, 10);
    snprintf(standing->game, sizeof standing->game, "%s", columns[1]);
    snprintf(standing->sheet_name, sizeof standing->sheet_name, "%s", columns[2]);
    snprintf(standing->over_at, sizeof standing->over_at, "%s", columns[4] ? columns[4] : "");
    if (scoring->count == SCORING_GAMES_MAX ||
        sheet_read(columns[3], strlen(columns[3]), &standing->sheet, ignore_problem, NULL)) {
        log_error("sheet game %s: this version cannot read its sheet; it is set aside",
                  standing->game);
        forget_game(game);
        return 0;
    }
    scoring->games[scoring->count++] = game;
    return 0;
}

struct seats {
    struct standing *standing;
    unsigned roles[SHEET_PLAYERS_MAX];
    unsigned count;
};

static int take_seat(void *context, const char *const *columns)
{
    struct seats *seats = context;

    if (seats->count == SHEET_PLAYERS_MAX) {
        return -EBADMSG;
    }
    snprintf(seats->standing->names[seats->count], NAME_SIZE, "%s", columns[0]);
    seats->roles[seats->count++] = columns[1] ? (unsigned)strtoul(columns[1], NULL, 10) : 0;
    return 0;
}

/* seq, line */
static int take_change(void *context, const char *const *columns)
{
    struct standing *standing = context;
    char sentence[SCORING_MESSAGE_SIZE];
    struct text problem = text_begin(sentence, sizeof sentence);

    standing->seq = (uint32_t)strtoul(columns[0], NULL, 10);
    if (strcmp(columns[1], undo_line) == 0) {
        standing->change_count -= standing->change_count > 0;
        return 0;
    }
    if (!has_room(standing)) {
        return -EAGAIN;
    }
    struct standing_change *next = &standing->changes[standing->change_count];
    next->seq = standing->seq;
    if (!score_read_change(&standing->sheet, columns[1], &next->change, &problem)) {
        return -EBADMSG;
    }
    standing->change_count++;
    return 0;
}

/* The players and the changes of a game. */
static int load_game(struct scoring *scoring, struct scored_game *game)
{
    struct book *book = scoring->ports.book;
    struct standing *standing = &game->standing;
    struct seats seats = {.standing = standing};
    char sentence[SCORING_MESSAGE_SIZE];
    struct text problem = text_begin(sentence, sizeof sentence);

    standing->seq = 0;
    standing->change_count = 0;
    int error = book_run(book, "SELECT name, role FROM seat WHERE game = $1 ORDER BY seat",
                         BOOK_PARAMETERS(NUMBER(standing->number)), take_seat, &seats);
    if (!error) {
        error = book_run(book, "SELECT seq, line FROM sheet_change WHERE game = $1 ORDER BY seq",
                         BOOK_PARAMETERS(NUMBER(standing->number)), take_change, standing);
    }
    if (!error &&
        (!score_begin(&standing->sheet, seats.count, seats.roles, &standing->begun, &problem) ||
         !replay(standing, standing->change_count, &standing->score))) {
        error = -EBADMSG;
    }
    game->is_stale = error;
    return error;
}

/* What happened to a change whose transaction failed, say because the server went away. */
static int take_over_at(void *context, const char *const *columns)
{
    struct standing *standing = context;

    snprintf(standing->over_at, sizeof standing->over_at, "%s", columns[0] ? columns[0] : "");
    return 0;
}

static int reload_game(struct scoring *scoring, struct scored_game *game)
{
    int error =
        book_run(scoring->ports.book, "SELECT over_at FROM sheet WHERE game = $1",
                 BOOK_PARAMETERS(NUMBER(game->standing.number)), take_over_at, &game->standing);

    return error ? error : load_game(scoring, game);
}

int scoring_open(struct scoring **opened, const struct scoring_ports *ports)
{
    struct scoring *scoring = calloc(1, sizeof *scoring);

    if (!scoring) {
        return -EAGAIN;
    }
    scoring->ports = *ports;
    int error = book_run(ports->book,
                         "SELECT h.game, g.game, h.name, h.source, h.over_at FROM sheet h JOIN "
                         "game g ON g.number = h.game WHERE h.gone_at IS NULL ORDER BY h.game",
                         NULL, take_game, scoring);
    for (unsigned i = 0; !error && i < scoring->count; i++) {
        error = load_game(scoring, scoring->games[i]);
        if (error == -EBADMSG) { /* the other games go on */
            log_error("sheet game %s: its changes cannot be replayed; it is set aside",
                      scoring->games[i]->standing.game);
            remove_game(scoring, i--);
            error = 0;
        }
    }
    if (error) {
        scoring_close(scoring);
        return error;
    }
    *opened = scoring;
    return 0;
}

void scoring_close(struct scoring *scoring)
{
    if (scoring) {
        for (unsigned i = 0; i < scoring->count; i++) {
            forget_game(scoring->games[i]);
        }
        free(scoring);
    }
}

/*
 * Showing
 */

static void show(struct scoring *scoring, const struct standing *standing)
{
    char *state = standing_write(standing);

    if (state) {
        scoring->ports.show(scoring->ports.self, standing->game, state);
    }
    free(state);
}

/* The game is stored as gone: its state is cleared. */
static void drop_game(struct scoring *scoring, unsigned index)
{
    scoring->ports.show(scoring->ports.self, scoring->games[index]->standing.game, NULL);
    remove_game(scoring, index);
}

static int clear_game(void *context, const char *const *columns)
{
    struct scoring *scoring = context;

    scoring->ports.show(scoring->ports.self, columns[0], NULL);
    return 0;
}

/* Cleared again are as many as could have ended unnoticed: all that were shown, twice. */
int scoring_show(struct scoring *scoring)
{
    for (unsigned i = 0; i < scoring->count; i++) {
        struct scored_game *game = scoring->games[i];
        int error = game->is_stale ? reload_game(scoring, game) : 0;
        if (error) {
            return error;
        }
        show(scoring, &game->standing);
    }
    return book_run(scoring->ports.book,
                    "SELECT g.game FROM sheet h JOIN game g ON g.number = h.game WHERE h.gone_at "
                    "IS NOT NULL ORDER BY h.gone_at DESC LIMIT $1",
                    BOOK_PARAMETERS(NUMBER(2L * SCORING_GAMES_MAX)), clear_game, scoring);
}

static int expire(struct scoring *scoring, unsigned index)
{
    char now[STANDING_TIME_SIZE];

    stamp_time(0, now);
    int error = BOOK_WRITE(scoring->ports.book, "UPDATE sheet SET gone_at = $2 WHERE game = $1",
                           NUMBER(scoring->games[index]->standing.number), TEXT(now));
    if (!error) {
        drop_game(scoring, index);
    }
    return error;
}

int scoring_tick(struct scoring *scoring)
{
    char until[STANDING_TIME_SIZE];
    int error = 0;

    stamp_time(SCORING_SHOWN_S, until);
    for (unsigned i = scoring->count; !error && i > 0; i--) {
        const char *over_at = scoring->games[i - 1]->standing.over_at;
        if (over_at[0] && strcmp(over_at, until) < 0) {
            error = expire(scoring, i - 1);
        }
    }
    return error;
}

/*
 * Beginning
 */

static int take_seq(void *context, const char *const *columns)
{
    struct scoring_reply *reply = context;

    reply->seq = (uint32_t)strtoul(columns[0], NULL, 10);
    snprintf(reply->game, sizeof reply->game, "%s", columns[1]);
    return 0;
}

static int take_number(void *context, const char *const *columns)
{
    *(int64_t *)context = strtoll(columns[0], NULL, 10);
    return 0;
}

/* Whether the players and their roles fit; false: the reply says why not. */
static bool seat_players(struct standing *standing, const struct scoring_player *players,
                         unsigned count, struct scoring_reply *reply)
{
    char persons[SHEET_PLAYERS_MAX][PERSON_SIZE];
    unsigned roles[SHEET_PLAYERS_MAX];
    const struct sheet *sheet = &standing->sheet;
    struct text problem = text_begin(reply->message, sizeof reply->message);

    for (unsigned i = 0; i < count; i++) {
        const char *name = players[i].name;
        if (!rules_is_name(name) || !person_key(name, persons[i])) {
            static_assert(NAME_CHARACTERS_MAX == 40, "as the sentence says");
            refuse(reply, "bad-value", "players: expected names of 1 to 40 characters.");
            return false;
        }
        for (unsigned j = 0; j < i; j++) {
            if (strcmp(persons[i], persons[j]) == 0) {
                refuse(reply, "bad-value", "players: each player needs a name of their own.");
                return false;
            }
        }
        memcpy(standing->names[i], name, strlen(name) + 1);
        roles[i] = 0;
        while (players[i].role && roles[i] < sheet->role_count &&
               strcmp(sheet->roles[roles[i]], players[i].role) != 0) {
            roles[i]++;
        }
        roles[i] = players[i].role ? roles[i] : sheet->role_count;
        if (players[i].role && roles[i] == sheet->role_count) {
            refuse(reply, "bad-value", "players: the sheet has no such role.");
            return false;
        }
    }
    if (!score_begin(sheet, count, roles, &standing->begun, &problem)) {
        reply->refusal = "bad-value";
        return false;
    }
    standing->score = standing->begun;
    return true;
}

static int store_seats(struct book *book, const struct standing *standing)
{
    int error = 0;

    for (unsigned i = 0; !error && i < standing->begun.player_count; i++) {
        char person[PERSON_SIZE];
        person_key(standing->names[i], person);
        error = BOOK_WRITE(
            book, "INSERT INTO seat (game, seat, name, person, role) VALUES ($1, $2, $3, $4, $5)",
            NUMBER(standing->number), NUMBER(i + 1), TEXT(standing->names[i]), TEXT(person),
            standing->sheet.role_count ? NUMBER(standing->begun.roles[i + 1]) : NOTHING);
        if (!error) {
            error = person_add(book, standing->number, person, standing->names[i]);
        }
    }
    return error;
}

static int store_game(struct book *book, struct standing *standing, const char *source,
                      const char *id)
{
    char now[STANDING_TIME_SIZE];

    stamp_time(0, now);
    int error = BOOK_WRITE(
        book,
        "INSERT INTO game (number, game, table_name, began, seq, read_seq, turns, changed) "
        "SELECT COALESCE(MAX(number), 0) + 1, $1, '', $2, 0, 0, 0, 0 FROM game",
        TEXT(standing->game), TEXT(now));
    if (!error) {
        error = book_run(book, "SELECT number FROM game WHERE game = $1",
                         BOOK_PARAMETERS(TEXT(standing->game)), take_number, &standing->number);
    }
    if (!error) {
        error = BOOK_WRITE(
            book, "INSERT INTO sheet (game, name, source, opened_by) VALUES ($1, $2, $3, $4)",
            NUMBER(standing->number), TEXT(standing->sheet_name), TEXT(source), TEXT(id));
    }
    return error ? error : store_seats(book, standing);
}

/* A place for one more game: that of the oldest one that is over, if there is no other. */
static int make_place(struct scoring *scoring, struct scoring_reply *reply)
{
    if (scoring->count < SCORING_GAMES_MAX) {
        return 0;
    }
    for (unsigned i = 0; i < scoring->count; i++) {
        if (scoring->games[i]->standing.over_at[0]) {
            return expire(scoring, i);
        }
    }
    return refuse(reply, "refused", "32 sheet games are open: close one of them first.");
}

int scoring_begin(struct scoring *scoring, const char *id, const char *sheet,
                  const struct scoring_player *players, unsigned count, struct scoring_reply *reply)
{
    struct book *book = scoring->ports.book;
    const struct sheet_file *file = sheet_files_find(scoring->ports.files, sheet);

    *reply = (struct scoring_reply){0};
    int error = id ? book_run(book,
                              "SELECT 0, g.game FROM sheet h JOIN game g ON g.number = h.game "
                              "WHERE h.opened_by = $1",
                              BOOK_PARAMETERS(TEXT(id)), take_seq, reply)
                   : 0;
    if (error || reply->game[0]) {
        return error;
    }
    if (!file) {
        return refuse(reply, "not-found", "There is no such sheet.");
    }
    struct scored_game *game = calloc(1, sizeof *game);
    if (!game) {
        return -EAGAIN;
    }
    struct standing *standing = &game->standing;
    standing->sheet = file->sheet;
    memcpy(standing->sheet_name, file->name, sizeof file->name);
    stamp_id(standing->game);
    if (seat_players(standing, players, count, reply)) {
        error = make_place(scoring, reply);
        if (!error && !reply->refusal) {
            error = book_begin(book);
        }
        if (!error && !reply->refusal) {
            error = book_end(book, store_game(book, standing, file->source, id));
        }
    }
    if (error || reply->refusal) {
        forget_game(game);
        return error;
    }
    scoring->games[scoring->count++] = game;
    memcpy(reply->game, standing->game, sizeof reply->game);
    show(scoring, standing);
    return 0;
}

/*
 * Changes
 */

/* The end, and the results that count until it is undone. */
static int store_end(struct book *book, const struct standing *standing, const struct score *next,
                     const char *at)
{
    struct score_rank ranking[SHEET_PLAYERS_MAX];
    bool is_over = next->phase == SCORE_OVER;
    struct parameter over_at = is_over ? TEXT(at) : NOTHING;
    int error = BOOK_WRITE(book, "UPDATE sheet SET over_at = $2 WHERE game = $1",
                           NUMBER(standing->number), over_at);

    if (!error) {
        error = BOOK_WRITE(book, "UPDATE game SET ended = $2 WHERE number = $1",
                           NUMBER(standing->number), over_at);
    }
    score_rank(&standing->sheet, next, ranking);
    for (unsigned i = 0; !error && i < next->player_count; i++) {
        error = BOOK_WRITE(book,
                           "UPDATE seat SET place = $3, points = $4 WHERE game = $1 AND seat = $2",
                           NUMBER(standing->number), NUMBER(ranking[i].player),
                           is_over ? NUMBER(ranking[i].place) : NOTHING,
                           is_over ? NUMBER(ranking[i].score) : NOTHING);
    }
    return error;
}

static int store_line(struct book *book, const struct standing *standing, const char *id,
                      const char *line, const char *at, const struct score *next)
{
    int error = BOOK_WRITE(
        book, "INSERT INTO sheet_change (game, seq, id, at, line) VALUES ($1, $2, $3, $4, $5)",
        NUMBER(standing->number), NUMBER(standing->seq + 1), TEXT(id), TEXT(at), TEXT(line));

    if (!error) {
        error =
            BOOK_WRITE(book, "UPDATE game SET seq = $2, turns = $3 WHERE number = $1",
                       NUMBER(standing->number), NUMBER(standing->seq + 1), NUMBER(next->round));
    }
    if (!error && (next->phase == SCORE_OVER) != (standing->score.phase == SCORE_OVER)) {
        error = store_end(book, standing, next, at);
    }
    if (!error && line == close_line) {
        error = BOOK_WRITE(book, "UPDATE sheet SET gone_at = $2 WHERE game = $1",
                           NUMBER(standing->number), TEXT(at));
    }
    return error;
}

/* Stores a line after which the score is next. */
static int store(struct scoring *scoring, struct scored_game *game, const char *id,
                 const char *line, const struct score *next)
{
    struct book *book = scoring->ports.book;
    struct standing *standing = &game->standing;
    char at[STANDING_TIME_SIZE];
    int error = book_begin(book);

    if (error) {
        return error;
    }
    stamp_time(0, at);
    error = book_end(book, store_line(book, standing, id, line, at, next));
    if (error) {
        game->is_stale = true;
        return error;
    }
    standing->seq++;
    if (next->phase != SCORE_OVER) {
        standing->over_at[0] = '\0';
    } else if (!standing->over_at[0]) {
        memcpy(standing->over_at, at, sizeof at);
    }
    standing->score = *next;
    return 0;
}

static unsigned index_of(const struct scoring *scoring, const char *game)
{
    unsigned index = 0;

    while (index < scoring->count && strcmp(scoring->games[index]->standing.game, game) != 0) {
        index++;
    }
    return index;
}

/*
 * The game of a command, or NULL: then the reply is complete, because the command was carried out
 * before or is refused, or there is an error.
 */
static struct scored_game *find_game(struct scoring *scoring, const char *id, const char *game,
                                     struct scoring_reply *reply, int *error)
{
    *reply = (struct scoring_reply){0};
    *error = id ? book_run(scoring->ports.book,
                           "SELECT c.seq, g.game FROM sheet_change c JOIN game g ON g.number = "
                           "c.game WHERE g.game = $1 AND c.id = $2",
                           BOOK_PARAMETERS(TEXT(game), TEXT(id)), take_seq, reply)
                : 0;
    if (*error || reply->game[0]) {
        return NULL;
    }
    unsigned index = index_of(scoring, game);
    if (index == scoring->count) {
        refuse(reply, "not-found", "There is no such sheet game, or it is closed.");
        return NULL;
    }
    struct scored_game *found = scoring->games[index];
    if (found->is_stale) {
        *error = reload_game(scoring, found);
    }
    return *error ? NULL : found;
}

static int finish_reply(const struct standing *standing, struct scoring_reply *reply)
{
    memcpy(reply->game, standing->game, sizeof reply->game);
    reply->seq = standing->seq;
    return 0;
}

static bool is_full(const struct standing *standing, struct scoring_reply *reply)
{
    if (standing->seq >= SCORING_CHANGES_MAX) {
        refuse(reply, "too-long", "This game has 4096 changes: a referee can close it.");
    }
    return reply->refusal;
}

/* The change with the index of its counter or flag. False: the reply says that there is none. */
static bool find_change(const struct sheet *sheet, const struct scoring_change *change,
                        struct score_change *found, struct scoring_reply *reply)
{
    int index = change->verb == SCORE_COUNT  ? sheet_find_counter(sheet, change->name)
                : change->verb == SCORE_FLAG ? sheet_find_flag(sheet, change->name)
                                             : 0;

    if (index < 0) {
        refuse(reply, "bad-value",
               change->verb == SCORE_FLAG ? "flag: the sheet has no such flag."
                                          : "counter: the sheet has no such counter.");
        return false;
    }
    *found = (struct score_change){change->verb, (unsigned)index, change->player, change->is_set,
                                   change->number};
    return true;
}

int scoring_change(struct scoring *scoring, const char *id, const char *game,
                   const struct scoring_change *change, struct scoring_reply *reply)
{
    char line[SCORE_CHANGE_SIZE];
    struct standing_change next;
    int error;
    struct scored_game *found = find_game(scoring, id, game, reply, &error);

    if (!found || is_full(&found->standing, reply) ||
        !find_change(&found->standing.sheet, change, &next.change, reply)) {
        return error;
    }
    struct standing *standing = &found->standing;
    struct score score = standing->score;
    struct text problem = text_begin(reply->message, sizeof reply->message);
    if (!score_step(&standing->sheet, &score, &next.change, &problem)) {
        reply->refusal = "refused";
        return 0;
    }
    score_write_change(&standing->sheet, &next.change, line);
    error = has_room(standing) ? store(scoring, found, id, line, &score) : -EAGAIN;
    if (error) {
        return error;
    }
    next.seq = standing->seq;
    standing->changes[standing->change_count++] = next;
    show(scoring, standing);
    return finish_reply(standing, reply);
}

int scoring_undo(struct scoring *scoring, const char *id, const char *game,
                 struct scoring_reply *reply)
{
    struct score score;
    int error;
    struct scored_game *found = find_game(scoring, id, game, reply, &error);

    if (!found || is_full(&found->standing, reply)) {
        return error;
    }
    struct standing *standing = &found->standing;
    if (standing->change_count == 0) {
        return refuse(reply, "refused", "There is nothing to undo.");
    }
    replay(standing, standing->change_count - 1, &score);
    error = store(scoring, found, id, undo_line, &score);
    if (error) {
        return error;
    }
    standing->change_count--;
    show(scoring, standing);
    return finish_reply(standing, reply);
}

int scoring_abandon(struct scoring *scoring, const char *id, const char *game,
                    struct scoring_reply *reply)
{
    int error;
    struct scored_game *found = find_game(scoring, id, game, reply, &error);

    if (!found) {
        return error;
    }
    error = store(scoring, found, id, close_line, &found->standing.score);
    if (error) {
        return error;
    }
    finish_reply(&found->standing, reply);
    drop_game(scoring, index_of(scoring, game));
    return 0;
}
