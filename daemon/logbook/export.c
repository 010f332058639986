#include "export.h"

#include "book.h"
#include "common/exit_codes.h"
#include "figures.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, PROBLEM_SIZE = 600, COLUMNS = 24 };

/* A file: the columns in the order of the query. A name with = is JSON or a number as it is stored.
 */
static const struct sheet {
    const char *name;
    const char *columns[COLUMNS];
    const char *sql;
} sheets[] = {
    {"games",
     {"game", "table", "began", "ended", "=seq", "=turns", "rules", "scenario", "=teams", "sheet"},
     "SELECT g.game, NULLIF(g.table_name, ''), g.began, g.ended, g.seq, g.turns, g.rules, "
     "g.scenario, "
     "g.teams, h.name FROM game g LEFT JOIN sheet h ON h.game = g.number ORDER BY g.began, g.game"},
    {"players",
     {"game", "=seat", "name", "player", "=team", "=place", "=points", "=won", "=shots", "=hits",
      "=fastest_mmps", "=ships", "=towers", "=pirate", "=combats_won", "=combats_lost",
      "=milliknots"},
     "SELECT g.game, s.seat, s.name, r.name, s.team, COALESCE(f.place, s.place), "
     "COALESCE(f.points, s.points), "
     "COALESCE(f.won, CASE WHEN s.place = 1 THEN 1 WHEN s.place > 1 THEN 0 END), f.shots, f.hits, "
     "f.fastest, "
     "f.ships, f.towers, f.pirate, f.combats_won, f.combats_lost, f.knots FROM game g JOIN seat s "
     "ON s.game "
     "= g.number JOIN person p ON p.person = s.person JOIN person r ON r.person = p.root LEFT JOIN "
     "figure f "
     "ON f.game = s.game AND f.seat = s.seat ORDER BY g.began, g.game, s.seat"},
    {"events",
     {"game", "=seq", "at", "event_type", "=turn", "=player", "=undone", "=event"},
     "SELECT g.game, e.seq, e.at, e.type, e.turn, e.player, e.undone, e.body FROM game g JOIN "
     "event e ON "
     "e.game = g.number ORDER BY g.began, g.game, e.seq"},
};

struct output {
    FILE *file;
    const struct sheet *sheet;
    bool is_csv;
};

static void write_csv(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"') {
            fputc('"', file);
        }
        fputc(*text, file);
    }
    fputc('"', file);
}

static void write_json(FILE *file, const char *column, const char *text)
{
    bool is_plain = column[0] == '=';

    fprintf(file, "\"%s\":", column + is_plain);
    if (!text || is_plain) {
        fputs(text ? text : "null", file);
        return;
    }
    json_t *string = json_string(text);
    json_dumpf(string, file, JSON_ENCODE_ANY);
    json_decref(string);
}

static int write_row(void *context, const char *const *columns)
{
    const struct output *output = context;
    const char *const *names = output->sheet->columns;

    for (unsigned i = 0; i < COLUMNS && names[i]; i++) {
        if (!output->is_csv) {
            fputs(i ? "," : "{", output->file);
            write_json(output->file, names[i], columns[i]);
            continue;
        }
        fputs(i ? "," : "", output->file);
        if (columns[i]) {
            write_csv(output->file, columns[i]);
        }
    }
    fputs(output->is_csv ? "\r\n" : "}\n", output->file);
    return ferror(output->file) ? 1 : 0;
}

static void write_head(const struct output *output)
{
    const char *const *names = output->sheet->columns;

    for (unsigned i = 0; i < COLUMNS && names[i]; i++) {
        fprintf(output->file, "%s%s", i ? "," : "", names[i] + (names[i][0] == '='));
    }
    fputs("\r\n", output->file);
}

/* 0, or -errno of the file, or an error of the book. */
static int write_sheet(struct book *book, const struct sheet *sheet, const char *path, bool is_csv)
{
    struct output output = {fopen(path, "w"), sheet, is_csv};

    if (!output.file) {
        return -errno;
    }
    if (is_csv) {
        write_head(&output);
    }
    int result = book->database.run(book->database.self, sheet->sql, NULL, write_row, &output);
    bool has_failed = fclose(output.file) != 0 || result > 0;
    return result < 0 ? result : has_failed ? -EIO : 0;
}

int export_games(const char *database, const char *format, const char *directory)
{
    char problem[PROBLEM_SIZE];
    struct book book;
    int error = book_open(&book, database, problem, sizeof problem);

    if (!error) {
        error = figures_refresh(&book);
        snprintf(problem, sizeof problem, "%s", book_problem(&book));
    }
    if (error) {
        fprintf(stderr, "shipahoy-logbook: database: %s\n", problem);
        book_close(&book);
        return EXIT_UNAVAILABLE;
    }
    mkdir(directory, 0777);
    for (size_t i = 0; !error && i < sizeof sheets / sizeof sheets[0]; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s.%s", directory, sheets[i].name, format);
        error = write_sheet(&book, &sheets[i], path, strcmp(format, "csv") == 0);
        if (error) {
            fprintf(stderr, "shipahoy-logbook: %s: %s\n", path, strerror(-error));
        }
    }
    book_close(&book);
    return error ? EXIT_UNAVAILABLE : EXIT_FINE;
}

int export_database(const char *where, const char *file)
{
    char problem[PROBLEM_SIZE];
    struct database database;
    int error = database_open(&database, where, problem, sizeof problem);

    if (!error) {
        error = database.back_up(database.self, file);
        snprintf(problem, sizeof problem, "%s",
                 error == -ENOTSUP ? "use pg_dump" : database.problem(database.self));
        database.close(database.self);
    }
    if (error) {
        fprintf(stderr, "shipahoy-logbook: %s: %s\n", file, problem);
    }
    return error ? EXIT_UNAVAILABLE : EXIT_FINE;
}
