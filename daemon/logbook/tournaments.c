#include "tournaments.h"

#include "common/log.h"
#include "finished.h"
#include "person.h"
#include "rules/rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Lines that are no changes of the tournament. */
static const char undo_line[] = "undo";
static const char close_line[] = "close";

struct tournaments {
    struct tournaments_ports ports;
    struct kept_tournament *kept[TOURNAMENTS_MAX]; /* in the order in which they began */
    unsigned count;
};

/* 0, so that a reply can end with it. */
static int refuse(struct tournaments_reply *reply, enum tournament_refusal refusal)
{
    reply->refusal = refusal;
    return 0;
}

static void forget(struct kept_tournament *kept)
{
    free(kept->changes);
    free(kept);
}

/*
 * Loading
 */

static bool has_room(struct kept_tournament *kept)
{
    enum { STEP = 64 };

    if (kept->change_count % STEP == 0) {
        void *changes =
            realloc(kept->changes, (kept->change_count + STEP) * sizeof kept->changes[0]);
        kept->changes = changes ? changes : kept->changes;
        return changes;
    }
    return true;
}

/* The tournament after the first count changes. */
static bool replay(const struct kept_tournament *kept, unsigned count, struct tournament *now)
{
    enum tournament_refusal refusal = tournament_begin(&kept->settings, now);

    for (unsigned i = 0; !refusal && i < count; i++) {
        refusal = tournament_step(now, &kept->changes[i]);
    }
    return !refusal;
}

/* The stored lines of a tournament that were not undone. */
struct lines {
    char (*lines)[TOURNAMENT_LINE_SIZE];
    unsigned count;
    unsigned room;
    uint32_t seq;
    bool is_closed;
};

static bool add_line(struct lines *lines, const char *line)
{
    if (lines->count == lines->room) {
        unsigned room = 2 * lines->room + 64;
        void *grown = realloc(lines->lines, room * sizeof lines->lines[0]);
        if (!grown) {
            return false;
        }
        lines->lines = grown;
        lines->room = room;
    }
    snprintf(lines->lines[lines->count++], sizeof lines->lines[0], "%s", line);
    return true;
}

/* seq, line */
static int take_line(void *context, const char *const *columns)
{
    struct lines *lines = context;

    lines->seq = (uint32_t)strtoul(columns[0], NULL, 10);
    if (strcmp(columns[1], undo_line) == 0) {
        lines->count -= lines->count > 0;
        return 0;
    }
    if (strcmp(columns[1], close_line) == 0) {
        lines->is_closed = true;
        return 0;
    }
    return add_line(lines, columns[1]) ? 0 : -EAGAIN;
}

/* A line can be read only with the tournament as it was then. */
static int step_through(struct kept_tournament *kept, const struct lines *lines)
{
    kept->seq = lines->seq;
    kept->change_count = 0;
    if (!replay(kept, 0, &kept->now)) {
        return -EILSEQ;
    }
    for (unsigned i = 0; i < lines->count; i++) {
        struct tournament_change change;
        if (!has_room(kept)) {
            return -EAGAIN;
        }
        if (!tournament_read_change(&kept->now, lines->lines[i], &change) ||
            tournament_step(&kept->now, &change)) {
            return -EILSEQ;
        }
        if (change.verb == TOURNAMENT_ROUND_VERB) { /* an undo of what follows pairs nobody anew */
            change.seats = tournament_seats(&kept->now);
        }
        kept->changes[kept->change_count++] = change;
    }
    return 0;
}

/* -ENOENT: it is closed; -EILSEQ: its changes cannot be replayed; or an error of book.h. */
static int load(struct tournaments *tournaments, struct kept_tournament *kept)
{
    struct lines lines = {0};
    int error = book_run(tournaments->ports.book,
                         "SELECT seq, line FROM tournament_change WHERE tournament = $1 ORDER BY "
                         "seq",
                         BOOK_PARAMETERS(NUMBER(kept->number)), take_line, &lines);

    if (!error) {
        error = lines.is_closed ? -ENOENT : step_through(kept, &lines);
    }
    free(lines.lines);
    kept->is_stale = error;
    return error;
}

/* number, tournament, name, began, settings */
static int take_tournament(void *context, const char *const *columns)
{
    struct tournaments *tournaments = context;
    struct kept_tournament *kept = calloc(1, sizeof *kept);
    json_t *settings = json_loads(columns[4], 0, NULL);
    bool is_read = kept && settings && !tournament_read_settings(settings, &kept->settings);

    json_decref(settings);
    if (!is_read || tournaments->count == TOURNAMENTS_MAX) {
        log_error("tournament %s: it cannot be read; it is set aside", columns[1]);
        free(kept);
        return 0;
    }
    kept->is_stale = true;
    kept->number = strtoll(columns[0], NULL, 10);
    snprintf(kept->id, sizeof kept->id, "%s", columns[1]);
    snprintf(kept->name, sizeof kept->name, "%s", columns[2]);
    snprintf(kept->began, sizeof kept->began, "%s", columns[3]);
    tournaments->kept[tournaments->count++] = kept;
    return 0;
}

static void drop(struct tournaments *tournaments, unsigned index)
{
    forget(tournaments->kept[index]);
    tournaments->count--;
    for (unsigned i = index; i < tournaments->count; i++) {
        tournaments->kept[i] = tournaments->kept[i + 1];
    }
}

/* Loads those whose stored changes are not known. One that is gone or unreadable stops no other. */
static int refresh(struct tournaments *tournaments)
{
    unsigned index = 0;

    while (index < tournaments->count) {
        struct kept_tournament *kept = tournaments->kept[index];
        int error = kept->is_stale ? load(tournaments, kept) : 0;
        if (error == -ENOENT) {
            tournaments->ports.show(tournaments->ports.self, kept->id, NULL);
            drop(tournaments, index);
        } else if (error == -EILSEQ) {
            log_error("tournament %s: its changes cannot be replayed; it is set aside", kept->id);
            drop(tournaments, index);
        } else if (error) {
            return error;
        } else {
            index++;
        }
    }
    return 0;
}

int tournaments_open(struct tournaments **opened, const struct tournaments_ports *ports)
{
    struct tournaments *tournaments = calloc(1, sizeof *tournaments);

    if (!tournaments) {
        return -EAGAIN;
    }
    tournaments->ports = *ports;
    int error = book_run(ports->book,
                         "SELECT number, tournament, name, began, settings FROM tournament WHERE "
                         "gone_at IS NULL ORDER BY number",
                         NULL, take_tournament, tournaments);
    error = error ? error : refresh(tournaments);
    if (error) {
        tournaments_close(tournaments);
        return error;
    }
    *opened = tournaments;
    return 0;
}

void tournaments_close(struct tournaments *tournaments)
{
    while (tournaments && tournaments->count > 0) {
        forget(tournaments->kept[--tournaments->count]);
    }
    free(tournaments);
}

/*
 * Showing
 */

static void show(struct tournaments *tournaments, const struct kept_tournament *kept)
{
    char *state = tournament_write_state(kept);

    if (state) {
        tournaments->ports.show(tournaments->ports.self, kept->id, state);
    }
    free(state);
}

static int clear(void *context, const char *const *columns)
{
    struct tournaments *tournaments = context;

    tournaments->ports.show(tournaments->ports.self, columns[0], NULL);
    return 0;
}

int tournaments_show(struct tournaments *tournaments)
{
    int error = refresh(tournaments);

    if (error) {
        return error;
    }
    for (unsigned i = 0; i < tournaments->count; i++) {
        show(tournaments, tournaments->kept[i]);
    }
    return book_run(tournaments->ports.book,
                    "SELECT tournament FROM tournament WHERE gone_at IS NOT NULL ORDER BY gone_at "
                    "DESC LIMIT $1",
                    BOOK_PARAMETERS(NUMBER(2L * TOURNAMENTS_MAX)), clear, tournaments);
}

/*
 * Beginning
 */

static int take_reply(void *context, const char *const *columns)
{
    struct tournaments_reply *reply = context;

    reply->seq = (uint32_t)strtoul(columns[0], NULL, 10);
    snprintf(reply->tournament, sizeof reply->tournament, "%s", columns[1]);
    return 0;
}

/* Only of a new tournament: older ones may have longer names. */
static enum tournament_refusal check_names(const struct tournament_settings *settings)
{
    static char keys[TOURNAMENT_ENTRANTS_MAX * TOURNAMENT_MEMBERS_MAX][PERSON_SIZE];
    unsigned members = settings->has_teams ? 2 : 1;
    unsigned count = settings->entrant_count * members;

    for (unsigned i = 0; i < count; i++) {
        const char *name = settings->entrants[i / members].members[i % members];
        if (!rules_is_name(name) || !person_key(name, keys[i])) {
            return TOURNAMENT_REFUSED_PLAYER_NAMES;
        }
        for (unsigned j = 0; j < i; j++) {
            if (strcmp(keys[i], keys[j]) == 0) {
                return TOURNAMENT_REFUSED_NAMES_REPEAT;
            }
        }
    }
    return TOURNAMENT_REFUSED_NONE;
}

/* A random order, in which each has the same chance. */
static void draw_lots(struct tournament_settings *settings)
{
    for (unsigned i = 0; i < settings->entrant_count; i++) {
        uint32_t random = i;
        (void)!getrandom(&random, sizeof random, 0);
        unsigned other = random % (i + 1);
        settings->entrants[i].lot = settings->entrants[other].lot;
        settings->entrants[other].lot = i + 1;
    }
}

static int store_tournament(struct book *book, struct kept_tournament *kept, const char *id)
{
    json_t *settings = tournament_write_settings(&kept->settings);
    char *text = json_dumps(settings, JSON_COMPACT);
    int error =
        text ? BOOK_WRITE(book,
                          "INSERT INTO tournament (number, tournament, name, settings, "
                          "opened_by, began) SELECT COALESCE(MAX(number), 0) + 1, $1, $2, "
                          "$3, $4, $5 FROM tournament",
                          TEXT(kept->id), TEXT(kept->name), TEXT(text), TEXT(id), TEXT(kept->began))
             : -EAGAIN;

    json_decref(settings);
    free(text);
    return error ? error
                 : book_run(book, "SELECT number FROM tournament WHERE tournament = $1",
                            BOOK_PARAMETERS(TEXT(kept->id)), book_take_number, &kept->number);
}

static enum tournament_refusal set_up(struct kept_tournament *kept, const char *name,
                                      const json_t *fields)
{
    enum tournament_refusal refusal = tournament_read_settings(fields, &kept->settings);

    if (!rules_is_name(name)) {
        return TOURNAMENT_REFUSED_TOURNAMENT_NAME;
    }
    snprintf(kept->name, sizeof kept->name, "%s", name);
    if (!refusal) {
        refusal = check_names(&kept->settings);
    }
    if (refusal) {
        return refusal;
    }
    draw_lots(&kept->settings);
    stamp_id(kept->id);
    stamp_time(0, kept->began);
    return tournament_begin(&kept->settings, &kept->now);
}

int tournaments_begin(struct tournaments *tournaments, const char *id, const char *name,
                      const json_t *fields, struct tournaments_reply *reply)
{
    struct book *book = tournaments->ports.book;

    *reply = (struct tournaments_reply){0};
    int error = id ? book_run(book, "SELECT 0, tournament FROM tournament WHERE opened_by = $1",
                              BOOK_PARAMETERS(TEXT(id)), take_reply, reply)
                   : 0;
    if (error || reply->tournament[0]) {
        return error;
    }
    if (tournaments->count == TOURNAMENTS_MAX) {
        return refuse(reply, TOURNAMENT_REFUSED_TOURNAMENTS_FULL);
    }
    struct kept_tournament *kept = calloc(1, sizeof *kept);
    if (!kept) {
        return -EAGAIN;
    }
    reply->refusal = set_up(kept, name, fields);
    if (!reply->refusal) {
        error = book_begin(book);
        error = error ? error : book_end(book, store_tournament(book, kept, id));
    }
    if (error || reply->refusal) {
        forget(kept);
        return error;
    }
    tournaments->kept[tournaments->count++] = kept;
    snprintf(reply->tournament, sizeof reply->tournament, "%s", kept->id);
    show(tournaments, kept);
    return 0;
}

/*
 * Changes
 */

static unsigned index_of(const struct tournaments *tournaments, const char *id)
{
    unsigned index = 0;

    while (index < tournaments->count && strcmp(tournaments->kept[index]->id, id) != 0) {
        index++;
    }
    return index;
}

const struct kept_tournament *tournaments_find(const struct tournaments *tournaments,
                                               const char *tournament)
{
    unsigned index = index_of(tournaments, tournament);

    return index < tournaments->count ? tournaments->kept[index] : NULL;
}

static int store_line(struct tournaments *tournaments, const struct kept_tournament *kept,
                      const char *id, const char *line)
{
    struct book *book = tournaments->ports.book;
    char at[STAMP_TIME_SIZE];

    stamp_time(0, at);
    int error =
        BOOK_WRITE(book,
                   "INSERT INTO tournament_change (tournament, seq, id, at, line) VALUES "
                   "($1, $2, $3, $4, $5)",
                   NUMBER(kept->number), NUMBER(kept->seq + 1), TEXT(id), TEXT(at), TEXT(line));
    if (!error && line == close_line) {
        error = BOOK_WRITE(book, "UPDATE tournament SET gone_at = $2 WHERE number = $1",
                           NUMBER(kept->number), TEXT(at));
    }
    return error;
}

static int store(struct tournaments *tournaments, struct kept_tournament *kept, const char *id,
                 const char *line)
{
    int error = book_begin(tournaments->ports.book);

    if (error) {
        return error;
    }
    error = book_end(tournaments->ports.book, store_line(tournaments, kept, id, line));
    kept->is_stale = error;
    kept->seq += !error;
    return error;
}

/*
 * The tournament of a command, or NULL: then the reply is complete, because the command was carried
 * out before or is refused, or there is an error.
 */
static struct kept_tournament *find(struct tournaments *tournaments, const char *id,
                                    const char *tournament, struct tournaments_reply *reply,
                                    int *error)
{
    *reply = (struct tournaments_reply){0};
    *error = id ? book_run(tournaments->ports.book,
                           "SELECT c.seq, t.tournament FROM tournament_change c JOIN tournament t "
                           "ON t.number = c.tournament WHERE t.tournament = $1 AND c.id = $2",
                           BOOK_PARAMETERS(TEXT(tournament), TEXT(id)), take_reply, reply)
                : 0;
    *error = *error ? *error : refresh(tournaments);
    if (*error || reply->tournament[0]) {
        return NULL;
    }
    unsigned index = index_of(tournaments, tournament);
    if (index == tournaments->count) {
        refuse(reply, TOURNAMENT_REFUSED_NOT_FOUND);
        return NULL;
    }
    return tournaments->kept[index];
}

static void finish_reply(const struct kept_tournament *kept, struct tournaments_reply *reply)
{
    snprintf(reply->tournament, sizeof reply->tournament, "%s", kept->id);
    reply->seq = kept->seq;
}

/*
 * Stores a change and shows its effect; refused if it does not fit. A round is stored with its
 * pairings, so that it stays as it is when the pairing code changes.
 */
static int carry_out(struct tournaments *tournaments, struct kept_tournament *kept, const char *id,
                     const struct tournament_change *wanted, struct tournaments_reply *reply)
{
    struct tournament_change change = *wanted;
    struct tournament *next = malloc(sizeof *next);
    int error = next && has_room(kept) ? 0 : -EAGAIN;

    if (kept->seq >= TOURNAMENTS_CHANGES_MAX) {
        refuse(reply, TOURNAMENT_REFUSED_CHANGES_FULL);
    } else if (!error) {
        *next = kept->now;
        reply->refusal = tournament_step(next, &change);
    }
    if (!error && !reply->refusal) {
        char line[TOURNAMENT_LINE_SIZE];
        if (change.verb == TOURNAMENT_ROUND_VERB) {
            change.seats = tournament_seats(next);
        }
        tournament_write_change(&kept->now, &change, line);
        error = store(tournaments, kept, id, line);
    }
    if (!error && !reply->refusal) {
        kept->now = *next;
        kept->changes[kept->change_count++] = change;
        show(tournaments, kept);
        finish_reply(kept, reply);
    }
    free(next);
    return error;
}

int tournaments_change(struct tournaments *tournaments, const char *id, const char *tournament,
                       const struct tournament_change *change, struct tournaments_reply *reply)
{
    int error;
    struct kept_tournament *kept = find(tournaments, id, tournament, reply, &error);

    return kept ? carry_out(tournaments, kept, id, change, reply) : error;
}

/* Games that are known when the round begins do not count for it. */
int tournaments_round(struct tournaments *tournaments, const char *id, const char *tournament,
                      struct tournaments_reply *reply)
{
    struct tournament_change change = {.verb = TOURNAMENT_ROUND_VERB};
    int error = book_run(tournaments->ports.book, "SELECT MAX(number) FROM game", NULL,
                         book_take_number, &change.after);

    return error ? error : tournaments_change(tournaments, id, tournament, &change, reply);
}

int tournaments_undo(struct tournaments *tournaments, const char *id, const char *tournament,
                     struct tournaments_reply *reply)
{
    int error;
    struct kept_tournament *kept = find(tournaments, id, tournament, reply, &error);

    if (!kept) {
        return error;
    }
    if (kept->change_count == 0) {
        return refuse(reply, TOURNAMENT_REFUSED_NOTHING_TO_UNDO);
    }
    error = store(tournaments, kept, id, undo_line);
    if (!error) {
        replay(kept, --kept->change_count, &kept->now);
        show(tournaments, kept);
        finish_reply(kept, reply);
    }
    return error;
}

int tournaments_end(struct tournaments *tournaments, const char *id, const char *tournament,
                    struct tournaments_reply *reply)
{
    int error;
    struct kept_tournament *kept = find(tournaments, id, tournament, reply, &error);

    if (!kept) {
        return error;
    }
    error = store(tournaments, kept, id, close_line);
    if (!error) {
        finish_reply(kept, reply);
        tournaments->ports.show(tournaments->ports.self, kept->id, NULL);
        drop(tournaments, index_of(tournaments, tournament));
    }
    return error;
}

/*
 * Results of tables
 */

/* A result of a game, and whether the latest stored one of that game is the same. */
struct known {
    const char *line;
    const char *game; /* the end of the line */
    bool is_known;
};

/* line; the _ of a game's id is a wildcard, so that other games may be among them */
static int compare_line(void *context, const char *const *columns)
{
    struct known *known = context;
    const char *game = strstr(columns[0], " game=");

    if (game && strcmp(game, known->game) == 0) {
        known->is_known = strcmp(columns[0], known->line) == 0;
    }
    return 0;
}

/* Also if it was undone: a referee has taken it back. */
static int was_stored(struct tournaments *tournaments, const struct kept_tournament *kept,
                      const char *line, bool *is_known)
{
    struct known known = {line, strstr(line, " game="), false};
    char pattern[TOURNAMENT_LINE_SIZE];

    snprintf(pattern, sizeof pattern, "result %%%s", known.game);
    int error =
        book_run(tournaments->ports.book,
                 "SELECT line FROM tournament_change WHERE tournament = $1 AND line LIKE "
                 "$2 ORDER BY seq",
                 BOOK_PARAMETERS(NUMBER(kept->number), TEXT(pattern)), compare_line, &known);
    *is_known = known.is_known;
    return error;
}

/* What was found last; too large for the stack. */
static struct finished_game games[FINISHED_GAMES_MAX];
static char persons[TOURNAMENT_ENTRANTS_MAX * TOURNAMENT_MEMBERS_MAX][PERSON_SIZE];

static int take_game(struct tournaments *tournaments, struct kept_tournament *kept,
                     const struct finished_game *game)
{
    struct tournament_change change;
    struct tournaments_reply reply = {0};
    char line[TOURNAMENT_LINE_SIZE];
    bool is_known;

    if (!finished_match(&kept->now, persons, game, &change)) {
        return 0;
    }
    tournament_write_change(&kept->now, &change, line);
    int error = was_stored(tournaments, kept, line, &is_known);
    return error || is_known ? error : carry_out(tournaments, kept, NULL, &change, &reply);
}

/* Shows which pairings are being played, if that has changed. */
static int look_at_tables(struct tournaments *tournaments, struct kept_tournament *kept)
{
    struct book *book = tournaments->ports.book;
    bool is_played[TOURNAMENT_PAIRINGS_MAX] = {false};
    unsigned count;
    int error = finished_find_open(book, kept->now.after, games, &count);

    if (!error && count > 0) {
        error = finished_find_persons(book, &kept->settings, persons);
    }
    for (unsigned i = 0; !error && i < count; i++) {
        struct tournament_change change;
        if (finished_match(&kept->now, persons, &games[i], &change)) {
            is_played[change.pairing] = true;
        }
    }
    if (!error && memcmp(is_played, kept->is_played, sizeof is_played) != 0) {
        memcpy(kept->is_played, is_played, sizeof is_played);
        show(tournaments, kept);
    }
    return error;
}

static int take_results(struct tournaments *tournaments, struct kept_tournament *kept)
{
    struct book *book = tournaments->ports.book;
    int64_t after = kept->now.after;
    unsigned count = 0;
    int error = 0;

    if (kept->now.round == 0) {
        return 0;
    }
    do {
        error = finished_find(book, after, games, &count);
        if (!error && count > 0) {
            after = games[count - 1].number;
            error = finished_find_persons(book, &kept->settings, persons);
        }
        for (unsigned i = 0; !error && i < count; i++) {
            error = take_game(tournaments, kept, &games[i]);
        }
    } while (!error && count == FINISHED_GAMES_MAX);
    return error ? error : look_at_tables(tournaments, kept);
}

int tournaments_take_results(struct tournaments *tournaments)
{
    int error = refresh(tournaments);

    for (unsigned i = 0; !error && i < tournaments->count; i++) {
        error = take_results(tournaments, tournaments->kept[i]);
    }
    return error;
}
