/* log: what happened in a game, played again from its record. */
#include "ctl.h"
#include "local_time.h"
#include "plain.h"
#include "recorded_games.h"
#include "rules/line.h"
#include "rules/say.h"
#include "sensor_view.h"
#include "wire/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIME_SIZE = 32 };

struct teller {
    const char *directory;
    struct recall *recall;
    const char *table;
    struct sensor_names sensors;
};

static const char *write_time(int64_t wall_ms, char text[TIME_SIZE])
{
    return local_time_write(wall_ms, "%Y-%m-%d %H:%M:%S", text, TIME_SIZE);
}

/*
 * The three ways to tell a game
 */

static int print_event(void *self, const struct recalled *recalled)
{
    const struct event *event = recalled->event;
    char sentence[SENTENCE_SIZE];
    char time[TIME_SIZE];

    (void)self;
    say_event(recalled->game, event, sentence, sizeof sentence);
    printf("%s %4u ", write_time(recalled->record->wall_ms, time), event->seq);
    plain_print(stdout, sentence);
    if (event->rule) {
        printf(" (%s)", rules_rule_name(event->rule));
    }
    putchar('\n');
    return 0;
}

static int print_event_json(void *self, const struct recalled *recalled)
{
    const struct teller *teller = self;
    const struct evidence *evidence = &recalled->record->evidence;
    struct wire_names names = {.table = teller->table, .game = recalled->game_id};
    char *json = wire_event(recalled->game, recalled->event, &names, recalled->record->wall_ms,
                            evidence, sensor_name(&teller->sensors, evidence->sensor));

    if (!json) {
        return -ENOMEM;
    }
    puts(json);
    free(json);
    return 0;
}

static int print_input(void *self, const struct record *record)
{
    char line[LINE_SIZE];

    (void)self;
    line_write_input(&record->input, line, sizeof line);
    plain_print(stdout, line);
    putchar('\n');
    return 0;
}

static int tell_file(struct teller *teller, const struct options *options, const char *path)
{
    struct journal_report report = {0};
    int error;

    if (options->values[OPTION_INPUTS]) {
        error = journal_read_file(path, print_input, NULL, &report);
    } else {
        recall_fn *print = options->values[OPTION_JSON] ? print_event_json : print_event;
        error = recall_file(teller->recall, path, print, teller, &report);
    }
    if (error || report.problem[0]) {
        fprintf(stderr, "shipahoyctl: %s: %s\n", path, error ? strerror(-error) : report.problem);
        return EXIT_UNAVAILABLE;
    }
    return EXIT_FINE;
}

/*
 * Which game
 */

static void print_players(const struct game *game, uint32_t players)
{
    const char *between = "";

    for (unsigned player = 1; player <= game->setup.players; player++) {
        if (players & bit(player)) {
            fputs(between, stdout);
            plain_print(stdout, game->setup.seats[player].name);
            between = ", ";
        }
    }
}

static void print_game(void *context, const struct recorded_game *recorded)
{
    const struct game *game = &recorded->game;
    bool *is_empty = context;
    char time[TIME_SIZE];

    *is_empty = false;
    printf("%s  %s  %u events  ", recorded->id, write_time(recorded->began_ms, time), game->seq);
    print_players(game, UINT32_MAX);
    if (game->phase == PHASE_OVER) {
        fputs("; won by ", stdout);
        print_players(game, rules_winners(game));
    }
    if (recorded->report.problem[0]) {
        fputs("; damaged: ", stdout);
        plain_print(stdout, recorded->report.problem);
    }
    putchar('\n');
}

static int tell_trouble(const char *what, const char *problem)
{
    fprintf(stderr, "shipahoyctl: %s: %s\n", what, problem);
    return EXIT_UNAVAILABLE;
}

/* A table at which nobody has played yet is not a failure. */
static int tell_no_game(const struct teller *teller)
{
    printf("No game is recorded in %s yet.\n", teller->directory);
    return EXIT_FINE;
}

/* Most tables are not where the default is. */
static int tell_no_directory(const struct teller *teller, const struct options *options, int error)
{
    if (error != -ENOENT) {
        return tell_trouble(teller->directory, strerror(-error));
    }
    if (options->values[OPTION_STATE_DIR]) {
        return tell_trouble(teller->directory, "no such directory");
    }
    return tell_trouble(teller->directory,
                        options->file_count
                            ? "no such directory; say where the games are with --state-dir DIR"
                            : "no such directory; name the table with --config FILE or "
                              "--state-dir DIR");
}

static int list_games(const struct teller *teller, const struct options *options)
{
    bool is_empty = true;
    int error = games_visit(teller->recall, teller->directory, print_game, &is_empty);

    if (error) {
        return tell_no_directory(teller, options, error);
    }
    return is_empty ? tell_no_game(teller) : EXIT_FINE;
}

static int tell_game(struct teller *teller, const struct call *call)
{
    const char *wanted = call->count > 0 ? call->words[0] : "";
    struct recorded_game game;

    if (wanted[0] && access(wanted, F_OK) == 0) {
        return tell_file(teller, call->options, wanted);
    }
    int error = games_find(teller->recall, teller->directory, wanted, &game);
    if (error) {
        return tell_no_directory(teller, call->options, error);
    }
    if (game.id[0]) {
        return tell_file(teller, call->options, game.path);
    }
    return wanted[0] ? tell_trouble(wanted, "no such game is recorded") : tell_no_game(teller);
}

int ctl_log(const struct call *call)
{
    struct config config;
    char directory[PATH_MAX];
    struct teller teller = {.directory = directory, .table = config.table};
    int code = options_configure(call->options, &config);

    options_state_directory(call->options, directory);
    plain_use_utf8();
    if (code) {
        return code;
    }
    if (call->count > 1) {
        return ctl_usage_error("log takes one game or file");
    }
    if (recall_open(&teller.recall, NULL)) {
        fputs("shipahoyctl: out of memory\n", stderr);
        return EXIT_INTERNAL;
    }
    sensor_view_name(&teller.sensors, &config.hw);
    code = call->options->values[OPTION_LIST] ? list_games(&teller, call->options)
                                              : tell_game(&teller, call);
    recall_close(teller.recall);
    return code;
}
