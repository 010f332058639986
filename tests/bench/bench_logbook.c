/*
 * The logbook with 10 000 games of 300 events: how fast they are stored and queries are answered,
 * and what the database needs. And beside a table: how fast it catches up with the games of a
 * table, and whether the table is slower or larger while it runs.
 *
 * BENCH_DATABASE names another database for the first part, which may have games of an earlier run:
 * the missing ones are added. BENCH_GAMES is another number of games; 0 leaves this part out.
 * BENCH_ROUNDS is another number of turns beside the table.
 */
#include "game_play.h"
#include "listener.h"
#include "logbook/answers.h"
#include "process.h"
#include "rig.h"
#include "samples.h"
#include "stored_games.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    GAMES_DEFAULT = 10000,
    QUERIES = 200,
    KEPT_GAMES = 50, /* by a table */
    GAME_INPUTS = 200,
    ROUNDS_DEFAULT = 8,
    TURN_COMMANDS = 250, /* long enough for the logbook to read states, too */
    COMMAND_PAUSE_MS = 15,
    IDLE_MS = 300,
    POLL_MS = 5,
    CATCH_UP_MS = 120000,
    PAYLOAD_SIZE = 128,
};

static struct book book;
static unsigned game_count = GAMES_DEFAULT;

/*
 * The database
 */

static void open_book(const char *where)
{
    char problem[DATABASE_PROBLEM_SIZE];

    if (book_open(&book, where, problem, sizeof problem)) {
        rig_fail("%s: %s", where, problem);
    }
}

/* Returns how long it took, without making the game. */
static double store_game_us(unsigned number)
{
    char id[STORED_ID_SIZE];
    json_t *replies = stored_replies(number);
    double began_us = rig_now_us();
    size_t i;
    json_t *reply;

    stored_id(number, id);
    json_array_foreach(replies, i, reply)
    {
        if (book_store(&book, "bench", id, json_object_get(reply, "events"),
                       json_object_get(reply, "states"), i + 1 == json_array_size(replies)) < 0) {
            rig_fail("%s: %s", id, book_problem(&book));
        }
    }
    json_decref(replies);
    return rig_now_us() - began_us;
}

static unsigned count_games(void)
{
    int64_t count = 0;

    if (book_run(&book, "SELECT COUNT(*) FROM game", NULL, book_take_number, &count)) {
        rig_fail("%s", book_problem(&book));
    }
    return (unsigned)count;
}

static void print_storing(void)
{
    unsigned first = count_games();
    double us = 0;

    for (unsigned number = first; number < game_count; number++) {
        us += store_game_us(number);
    }
    if (us > 0) {
        printf("%-46s %9.0f events/s, %u games\n", "stored, with states (target: more than 5000)",
               (game_count - first) * (double)STORED_EVENTS / us * 1e6, game_count - first);
    }
}

static void print_size(const char *path, unsigned games)
{
    struct stat info;

    if (stat(path, &info) == 0) {
        printf("%-46s %9.1f KiB\n", "database, per game", (double)info.st_size / games / 1024);
    }
}

/*
 * Queries
 */

typedef void payload_fn(unsigned number, char payload[PAYLOAD_SIZE]);

static void any_player(unsigned number, char payload[PAYLOAD_SIZE])
{
    char name[STORED_ID_SIZE];

    stored_player(number, name);
    snprintf(payload, PAYLOAD_SIZE, "{\"player\":\"%s\"}", name);
}

static void any_scenario(unsigned number, char payload[PAYLOAD_SIZE])
{
    snprintf(payload, PAYLOAD_SIZE, "{\"scenario\":\"%s\"}", number % 2 ? "kraken" : "merchant");
}

static void any_page(unsigned number, char payload[PAYLOAD_SIZE])
{
    char id[STORED_ID_SIZE];

    stored_id((number * 7919 + 20) % game_count, id);
    snprintf(payload, PAYLOAD_SIZE, "{\"before\":\"%s\"}", id);
}

static void any_game(unsigned number, char payload[PAYLOAD_SIZE])
{
    char id[STORED_ID_SIZE];

    stored_id(number * 7919 % game_count, id);
    snprintf(payload, PAYLOAD_SIZE, "{\"game\":\"%s\"}", id);
}

static void nothing(unsigned number, char payload[PAYLOAD_SIZE])
{
    (void)number;
    snprintf(payload, PAYLOAD_SIZE, "{}");
}

static double ask_ms(const char *verb, const char *payload)
{
    const struct answer_settings settings = {.directory = "."};
    int error = 0;
    double began_us = rig_now_us();
    char *reply = answer(&book, &settings, ANSWER_QUERY, verb, payload, strlen(payload), &error);
    double ms = (rig_now_us() - began_us) / 1e3;

    if (error || !reply || !strstr(reply, "\"ok\":true")) {
        rig_fail("%s %s: %s", verb, payload, reply ? reply : "no reply");
    }
    free(reply);
    return ms;
}

static void print_query(const char *what, const char *verb, payload_fn *write_payload,
                        unsigned count)
{
    struct samples samples = {0};
    char payload[PAYLOAD_SIZE];

    for (unsigned number = 0; number < count; number++) {
        write_payload(number, payload);
        samples_add(&samples, ask_ms(verb, payload));
    }
    printf("%-46s %9.2f %9.2f %9.2f\n", what, samples_percentile(&samples, 0),
           samples_percentile(&samples, 50), samples_percentile(&samples, 100));
}

static void print_queries(void)
{
    printf("%-46s %9s %9s %9s\n", "query, ms", "best", "median", "worst");
    print_query("the first one, all figures of players to do", "records", nothing, 1);
    print_query("statistics of a player (target: 50)", "statistics", any_player, QUERIES);
    print_query("statistics of all players", "statistics", nothing, QUERIES / 20);
    print_query("a page of games (target: 20)", "games", any_page, QUERIES);
    print_query("the same, of a player", "games", any_player, QUERIES);
    print_query("the same, of a scenario", "games", any_scenario, QUERIES);
    print_query("a game with events and states", "game", any_game, QUERIES);
    print_query("progress of a player", "progress", any_player, QUERIES);
    print_query("records", "records", nothing, QUERIES);
    print_query("badges of all players", "badges", nothing, QUERIES / 20);
}

/* One more game, and the records: what a shot costs while a game is being played. */
static void print_news(void)
{
    struct samples samples = {0};
    unsigned first = count_games();
    double us = 0;

    for (unsigned number = first; number < first + QUERIES; number++) {
        us += store_game_us(number);
        samples_add(&samples, ask_ms("records", "{}"));
    }
    printf("%-46s %9.2f %9.2f %9.2f\n", "records after a game has changed",
           samples_percentile(&samples, 0), samples_percentile(&samples, 50),
           samples_percentile(&samples, 100));
    printf("%-46s %9.0f events/s\n", "games more, with states (target: 5000)",
           QUERIES * (double)STORED_EVENTS / us * 1e6);
}

/*
 * Beside a table
 */

/* Returns the number of its events. */
static unsigned play(const struct rig *rig, const char *table, unsigned games)
{
    struct listener replies;
    struct listener events;
    char topic[PAYLOAD_SIZE];

    game_open(&replies, rig->port, table);
    snprintf(topic, sizeof topic, "bench/%s/event/+", table);
    listener_open(&events, rig->port, topic);
    for (unsigned game = 0; game < games; game++) {
        for (unsigned input = 0; input < GAME_INPUTS; input++) {
            if (input == 0) {
                game_begin(&replies, table);
            } else {
                game_say(&replies, table, input - 1);
            }
            listener_await(&replies, game * GAME_INPUTS + input + 1);
            listener_work(&events, 0);
        }
    }
    unsigned heard;
    do {
        heard = events.heard;
        listener_work(&events, 1000);
    } while (events.heard > heard);
    listener_close(&replies);
    listener_close(&events);
    return heard;
}

static int take_sum(void *context, const char *const *columns)
{
    *(double *)context = columns[0] ? strtod(columns[0], NULL) : 0;
    return 0;
}

static void await_events(unsigned count)
{
    double began_us = rig_now_us();
    double stored = 0;

    while (stored < count) {
        if (rig_now_us() - began_us > CATCH_UP_MS * 1e3) {
            rig_fail("%.0f of %u events are stored", stored, count);
        }
        rig_pause_ms(POLL_MS);
        if (book.database.run(book.database.self, "SELECT SUM(read_seq) FROM game", NULL, take_sum,
                              &stored)) {
            rig_fail("%s", book.database.problem(book.database.self));
        }
    }
}

static pid_t start_logbook(struct rig *rig, enum rig_place place)
{
    return rig_start_daemon(rig, SHIPAHOY_LOGBOOK, "book", place);
}

/* A table with as many games as it keeps, and a logbook that has none of them. */
static void print_catching_up(struct rig *rig, const char *database)
{
    unsigned count = play(rig, "den", KEPT_GAMES);

    open_book(database);
    double began_us = rig_now_us();
    pid_t pid = start_logbook(rig, RIG_DISK);
    await_events(count);
    double seconds = (rig_now_us() - began_us) / 1e6;
    printf("%-46s %9.0f events/s\n", "catching up with one table, from its start", count / seconds);
    printf("%-46s %9.0f KiB\n", "memory of shipahoy-logbook then",
           process_number(pid, "status", "VmRSS"));
    rig_stop(rig, pid);
    book_close(&book);
}

/* What runs beside the table in a turn: each has what the one before it has, and more. */
enum company { ALONE, SUBSCRIBER, LOGBOOK_IN_MEMORY, LOGBOOK, COMPANIES };

static const char *const companies[COMPANIES] = {
    [ALONE] = "alone",
    [SUBSCRIBER] = "with mosquitto_sub, events and status",
    [LOGBOOK_IN_MEMORY] = "with the logbook, its database in memory",
    [LOGBOOK] = "with the logbook, on the table's disk",
};

/* Of every second turn, so that two halves of the same show the noise. */
struct measured {
    struct samples us;
    struct samples kib;
};

static void time_commands(const struct rig *rig, struct samples *us)
{
    struct listener replies;

    game_open(&replies, rig->port, "den");
    game_begin(&replies, "den");
    listener_await(&replies, 1);
    for (unsigned i = 0; i < TURN_COMMANDS; i++) {
        double began_us = rig_now_us();
        game_say(&replies, "den", i);
        listener_await(&replies, i + 2);
        samples_add(us, replies.heard_us - began_us);
        rig_pause_ms(COMMAND_PAUSE_MS);
    }
    listener_close(&replies);
}

/* Until it has read what was played without it. */
static void await_idle(pid_t pid)
{
    double before_us;
    double after_us = process_effort(pid).cpu_us;

    do {
        before_us = after_us;
        rig_pause_ms(IDLE_MS);
        after_us = process_effort(pid).cpu_us;
    } while (after_us > before_us);
}

static pid_t start_subscriber(struct rig *rig)
{
    char port[PAYLOAD_SIZE];

    snprintf(port, sizeof port, "%u", rig->port);
    return rig_start(rig, (const char *const[]){"mosquitto_sub", "-V", "5", "-p", port, "-t",
                                                "bench/+/event/+", "-t", "bench/+/status", NULL});
}

static void take_turn(struct rig *rig, pid_t table, enum company company, struct measured *measured)
{
    pid_t pid = company == ALONE ? 0
                : company == SUBSCRIBER
                    ? start_subscriber(rig)
                    : start_logbook(rig, company == LOGBOOK ? RIG_DISK : RIG_MEMORY);

    if (pid) {
        await_idle(pid);
    }
    time_commands(rig, &measured->us);
    samples_add(&measured->kib, process_number(table, "status", "VmRSS"));
    if (pid) {
        rig_stop(rig, pid);
    }
}

static void print_table(struct rig *rig, pid_t table)
{
    static struct measured all[COMPANIES][2];
    const char *rounds = getenv("BENCH_ROUNDS");
    unsigned count = rounds ? (unsigned)strtoul(rounds, NULL, 10) : ROUNDS_DEFAULT;

    for (unsigned round = 0; round < count; round++) {
        for (unsigned i = 0; i < COMPANIES; i++) {
            enum company company = (i + round / 2) % COMPANIES; /* nobody is always the first */
            take_turn(rig, table, company, &all[company][round % 2]);
        }
    }
    printf("%u turns each, of %d commands; a column for the odd and the even ones\n", count,
           TURN_COMMANDS);
    printf("%-46s %15s %15s %15s\n", "command to reply of a table, us", "median", "p99",
           "its memory, KiB");
    for (unsigned i = 0; i < COMPANIES; i++) {
        printf("%-46s", companies[i]);
        for (unsigned percent = 50; percent <= 99; percent += 49) {
            printf(" %7.0f %7.0f", samples_percentile(&all[i][0].us, percent),
                   samples_percentile(&all[i][1].us, percent));
        }
        printf(" %7.0f %7.0f\n", samples_percentile(&all[i][0].kib, 50),
               samples_percentile(&all[i][1].kib, 50));
    }
}

static void make_folder(const char *parent, char folder[RIG_PATH_SIZE])
{
    snprintf(folder, RIG_PATH_SIZE, "%.200s/book", parent);
    if (mkdir(folder, 0700)) {
        rig_fail("%s cannot be made", folder);
    }
}

static void print_beside_table(struct rig *rig)
{
    char folder[RIG_PATH_SIZE];
    char database[RIG_PATH_SIZE + 32];

    make_folder(rig->folders[RIG_MEMORY], folder);
    make_folder(rig->folders[RIG_DISK], folder);
    snprintf(database, sizeof database, "sqlite:%s/logbook.db", folder);
    pid_t table = rig_start_daemon(rig, rig->daemon, "den", RIG_DISK);
    print_catching_up(rig, database);
    print_table(rig, table);
    rig_stop(rig, table);
}

static void print_database(const struct rig *rig)
{
    static const char sqlite[] = "sqlite:";
    char where[RIG_PATH_SIZE + 32];
    const char *other = getenv("BENCH_DATABASE");

    snprintf(where, sizeof where, "%s%s/stored.db", sqlite, rig->folders[RIG_DISK]);
    open_book(other ? other : where);
    printf("%s, %u games of %d events, %d players\n", book.database.name, game_count, STORED_EVENTS,
           STORED_PLAYERS);
    print_storing();
    print_queries();
    print_news();
    printf("%-46s %9.0f KiB\n", "memory of the benchmark then",
           process_number(getpid(), "status", "VmRSS"));
    unsigned games = count_games();
    book_close(&book);
    print_size((other ? other : where) + strlen(sqlite), games);
}

int main(void)
{
    static struct rig rig;

    const char *games = getenv("BENCH_GAMES");

    setlocale(LC_CTYPE, "C.UTF-8");
    setvbuf(stdout, NULL, _IOLBF, 0); /* it takes minutes */
    if (games) {
        game_count = (unsigned)strtoul(games, NULL, 10);
    }
    rig_open(&rig);
    if (game_count > 0) {
        print_database(&rig);
    }
    print_beside_table(&rig);
    rig_close(&rig);
    return EXIT_SUCCESS;
}
