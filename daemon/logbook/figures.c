#include "figures.h"

#include "person.h"

#include <stdio.h>
#include <stdlib.h>

enum { TIME_SIZE = 32 };

int figures_refresh_game(struct book *book, int64_t game)
{
    static const char *const statements[] = {
        "DELETE FROM shot WHERE game = $1",
        "INSERT INTO shot (game, seq, seat, person, at, began, speed, hit) SELECT game, seq, seat, "
        "person, at, began, speed, hit FROM game_shot WHERE game = $1",
        "UPDATE game SET ended = (SELECT at FROM game_end WHERE game = $1), changed = 0 WHERE "
        "number = $1",
        "DELETE FROM figure WHERE game = $1",
        "INSERT INTO figure (game, seat, person, team, began, ended, scenario, turns, finished, "
        "place, points, won, shots, hits, fastest, ships, towers, pirate, combats_won, "
        "combats_lost, knots) SELECT game, seat, person, team, began, ended, scenario, turns, "
        "finished, place, points, won, shots, hits, fastest, ships, towers, pirate, combats_won, "
        "combats_lost, knots FROM game_figure WHERE game = $1",
        "UPDATE person SET changed = 1 WHERE person IN (SELECT p.root FROM person p JOIN seat s ON "
        "s.person = p.person WHERE s.game = $1)",
    };
    int error = 0;

    for (size_t i = 0; !error && i < sizeof statements / sizeof statements[0]; i++) {
        error = BOOK_WRITE(book, statements[i], NUMBER(game));
    }
    return error;
}

/* A list of what has to be computed again; read first, because the figures change its table. */
struct changed {
    char names[256][PERSON_SIZE];
    size_t count;
};

static int take_name(void *context, const char *const *columns)
{
    struct changed *changed = context;

    snprintf(changed->names[changed->count], PERSON_SIZE, "%s", columns[0]);
    changed->count++;
    return 0;
}

static int refresh_games(struct book *book, struct changed *changed)
{
    changed->count = 0;
    int error = book_run(
        book, "SELECT number FROM game WHERE changed = 1 AND scenario IS NOT NULL LIMIT 256", NULL,
        take_name, changed);
    for (size_t i = 0; !error && i < changed->count; i++) {
        error = figures_refresh_game(book, strtoll(changed->names[i], NULL, 10));
    }
    return error;
}

/* Runs of hits, and where and when the longest one ended; of several, the first. */
struct runs {
    int64_t hits; /* of the run that goes on */
    int64_t longest;
    int64_t game;
    char at[TIME_SIZE];
};

static int count_shot(void *context, const char *const *columns)
{
    struct runs *runs = context;

    runs->hits = columns[0][0] == '1' ? runs->hits + 1 : 0;
    if (runs->hits > runs->longest) {
        runs->longest = runs->hits;
        runs->game = strtoll(columns[1], NULL, 10);
        snprintf(runs->at, sizeof runs->at, "%s", columns[2]);
    }
    return 0;
}

static int refresh_person(struct book *book, const char *person)
{
    struct runs runs = {0};
    int error = book_run(
        book, "SELECT hit, game, at FROM player_shot WHERE person = $1 ORDER BY began, game, seq",
        BOOK_PARAMETERS(TEXT(person)), count_shot, &runs);

    return error ? error
                 : BOOK_WRITE(book,
                              "UPDATE person SET changed = 0, longest_hits = $2, longest_game = "
                              "$3, longest_at = $4 WHERE person = $1",
                              TEXT(person), NUMBER(runs.longest),
                              runs.longest ? NUMBER(runs.game) : NOTHING,
                              runs.longest ? TEXT(runs.at) : NOTHING);
}

static int refresh_persons(struct book *book, struct changed *changed)
{
    int error = 0;

    do {
        changed->count = 0;
        error = book_run(book, "SELECT person FROM person WHERE changed = 1 LIMIT 256", NULL,
                         take_name, changed);
        for (size_t i = 0; !error && i < changed->count; i++) {
            error = refresh_person(book, changed->names[i]);
        }
    } while (!error && changed->count > 0);
    return error;
}

static int count_changed(struct book *book, int64_t *count)
{
    return book_run(book,
                    "SELECT (SELECT COUNT(*) FROM game WHERE changed = 1 AND scenario IS NOT NULL) "
                    "+ (SELECT COUNT(*) FROM person WHERE changed = 1)",
                    NULL, book_take_number, count);
}

int figures_refresh(struct book *book)
{
    struct changed changed;
    int64_t count = 0;
    int error = count_changed(book, &count);

    if (error || count == 0) {
        return error;
    }
    error = book_begin(book);
    if (error) {
        return error;
    }
    error = refresh_games(book, &changed);
    return book_end(book, error ? error : refresh_persons(book, &changed));
}
