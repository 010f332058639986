#include "book_text.h"

#include "grid.h"
#include "local_time.h"
#include "plain.h"
#include "read_json.h"
#include "rules/say.h"

#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = SENTENCE_SIZE };

#define COLUMNS(...)                                                                               \
    .columns = (const struct grid_column[]){__VA_ARGS__},                                          \
    .column_count = sizeof((const struct grid_column[]){__VA_ARGS__}) / sizeof(struct grid_column)

/*
 * Cells
 */

/* "-" if there is no such time. */
__attribute__((format(strftime, 4, 0))) static void
add_time(struct grid *grid, const json_t *object, const char *key, const char *format)
{
    char cell[CELL_SIZE];

    local_time_write(read_time_ms(object, key), format, cell, sizeof cell);
    grid_add(grid, cell[0] ? cell : "-");
}

static void add_number(struct grid *grid, const json_t *number, const char *format)
{
    char cell[CELL_SIZE];

    snprintf(cell, sizeof cell, format, json_number_value(number));
    grid_add(grid, json_is_number(number) ? cell : "-");
}

static void add_count(struct grid *grid, const json_t *object, const char *key)
{
    add_number(grid, json_object_get(object, key), "%.0f");
}

/* The texts of a list with commas between them, and behind each its number from another list. */
static void add_list(struct grid *grid, const json_t *texts, const json_t *numbers)
{
    char cell[CELL_SIZE] = "";
    size_t length = 0;
    size_t place;
    const json_t *text;

    json_array_foreach(texts, place, text)
    {
        const json_t *number = json_array_get(numbers, place);
        const char *word = json_string_value(text) ? json_string_value(text) : "?";
        int added = snprintf(cell + length, sizeof cell - length, "%s%s", place ? ", " : "", word);
        if (json_is_number(number) && length + (size_t)added < sizeof cell) {
            added += snprintf(cell + length + (size_t)added, sizeof cell - length - (size_t)added,
                              " %.0f", json_number_value(number));
        }
        length += (size_t)added;
        if (length >= sizeof cell) {
            break; /* cut off */
        }
    }
    grid_add(grid, cell[0] ? cell : "-");
}

/*
 * Lists
 */

/* A table does not say whether a game is running: only that one has no end. */
static void add_winners(struct grid *grid, const json_t *game)
{
    const json_t *winners = json_object_get(game, "winners");
    const json_t *running = json_object_get(game, "running");
    bool is_running = running ? json_is_true(running) : !peek_text(game, "ended")[0];

    if (json_array_size(winners) > 0) {
        add_list(grid, winners, NULL);
    } else {
        grid_add(grid, is_running                   ? "(running)"
                       : read_flag(game, "damaged") ? "(damaged)"
                                                    : "(abandoned)");
    }
}

/* A table does not say its name, nor the points. */
static void write_games(const json_t *games, FILE *file)
{
    struct grid grid = {COLUMNS({"Began (local time)", false}, {"Table", false},
                                {"Scenario", false}, {"Events", true}, {"Players", false},
                                {"Winners", false}, {"Game", false})};
    size_t place;
    const json_t *game;

    json_array_foreach(games, place, game)
    {
        add_time(&grid, game, "began", "%Y-%m-%d %H:%M");
        grid_add(&grid, peek_text(game, "table")[0] ? peek_text(game, "table") : "-");
        const char *played = peek_text(game, peek_text(game, "sheet")[0] ? "sheet" : "scenario");
        grid_add(&grid, played[0] ? played : "-");
        add_count(&grid, game, "seq");
        add_list(&grid, json_object_get(game, "players"), json_object_get(game, "points"));
        add_winners(&grid, game);
        grid_add(&grid, peek_text(game, "game"));
    }
    grid_print(&grid, file);
}

static void write_players(const json_t *players, FILE *file)
{
    struct grid grid = {COLUMNS({"Player", false}, {"Games", true}, {"First", false},
                                {"Last", false}, {"Merged", false}, {"Spellings", false})};
    size_t place;
    const json_t *player;

    json_array_foreach(players, place, player)
    {
        grid_add(&grid, peek_text(player, "player"));
        add_count(&grid, player, "games");
        add_time(&grid, player, "first", "%Y-%m-%d");
        add_time(&grid, player, "last", "%Y-%m-%d");
        add_list(&grid, json_object_get(player, "merged"), NULL);
        add_list(&grid, json_object_get(player, "spellings"), NULL);
    }
    grid_print(&grid, file);
}

static void add_share(struct grid *grid, const json_t *share)
{
    json_t *percent = json_is_number(share) ? json_real(100 * json_number_value(share)) : NULL;

    add_number(grid, percent, "%.0f %%");
    json_decref(percent);
}

static void add_combats(struct grid *grid, const json_t *player)
{
    char cell[CELL_SIZE];

    snprintf(cell, sizeof cell, "%u-%u", read_number(player, "combats_won"),
             read_number(player, "combats_lost"));
    grid_add(grid, cell);
}

/* The members of an object with their numbers, each on a line. */
static void write_members(const json_t *player, const char *key, const struct grid_column *titles,
                          FILE *file)
{
    struct grid grid = {.columns = titles, .column_count = 2};
    const json_t *members = json_object_get(player, key);
    const char *name;
    json_t *number;

    json_object_foreach((json_t *)members, name, number)
    {
        grid_add(&grid, name);
        add_number(&grid, number, "%.0f");
    }
    if (grid.count > 0) {
        fputc('\n', file);
        grid_print(&grid, file);
    }
}

static void write_statistics(const json_t *players, FILE *file)
{
    static const struct grid_column won[] = {{"Scenario", false}, {"Won", true}};
    static const struct grid_column beat[] = {{"Opponent", false}, {"Beaten", true}};
    struct grid grid = {COLUMNS({"Player", false}, {"Games", true}, {"Won", true}, {"Points", true},
                                {"Shots", true}, {"Hits", true}, {"Share", true}, {"Run", true},
                                {"m/s", true}, {"Ships", true}, {"Towers", true}, {"Pirate", true},
                                {"Combats", true}, {"Knots", true})};
    size_t place;
    const json_t *player;

    json_array_foreach(players, place, player)
    {
        const json_t *captured = json_object_get(player, "captured");
        grid_add(&grid, peek_text(player, "player"));
        add_count(&grid, player, "games");
        add_count(&grid, player, "won");
        add_count(&grid, player, "points");
        add_count(&grid, player, "shots");
        add_count(&grid, player, "hits");
        add_share(&grid, json_object_get(player, "hit_share"));
        add_count(&grid, player, "longest_hits");
        add_number(&grid, json_object_get(player, "fastest_mps"), "%.2f");
        add_count(&grid, captured, "ships");
        add_count(&grid, captured, "towers");
        add_count(&grid, captured, "pirate");
        add_combats(&grid, player);
        add_number(&grid, json_object_get(player, "knots"), "%.1f");
    }
    grid_print(&grid, file);
    if (json_array_size(players) == 1) {
        write_members(json_array_get(players, 0), "won_by_scenario", won, file);
        write_members(json_array_get(players, 0), "beat", beat, file);
    }
}

static void write_older(const json_t *games, FILE *file)
{
    const json_t *last = json_array_get(games, json_array_size(games) - 1);

    fputs("There are older games: before=", file);
    plain_print(file, peek_text(last, "game"));
    fputc('\n', file);
}

bool book_write(const json_t *reply, FILE *file)
{
    static const struct {
        const char *key;
        void (*write)(const json_t *list, FILE *file);
        const char *none;
    } lists[] = {
        {"games", write_games, "No games found."},
        {"players", write_players, "Nobody has played yet."},
        {"statistics", write_statistics, "There are no statistics yet: nobody has played."},
    };

    for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const json_t *list = json_object_get(reply, lists[i].key);
        if (json_is_array(list)) {
            if (json_array_size(list) == 0) {
                fprintf(file, "%s\n", lists[i].none);
            } else {
                lists[i].write(list, file);
            }
            if (read_flag(reply, "more") && list == json_object_get(reply, "games")) {
                write_older(list, file);
            }
            return true;
        }
    }
    return false;
}
