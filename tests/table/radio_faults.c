/*
 * radio_faults [FAULTS [SEED]]: games with twelve ships that report over MQTT through a bad radio.
 *
 * Ships fall, mostly after a shot, and are stood up again. Each report may be duplicated, delayed
 * by up to 5 s, overtaken by a later one or lost; sensors go offline, the broker restarts (and
 * delivers retained messages), and the gateway restarts (and sends all states that it knows once
 * more). A model computes from the messages that were delivered, and from the contract alone, which
 * pieces each shot captures, and which sensors are silent. The table must agree with it at every
 * moment, and its ready check must list what cannot be relied on.
 *
 * At the end it prints how often the contract cannot prevent a capture: a fall from before a shot
 * whose message arrives within its window.
 */
#include "radio_stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WINDOW_MS = 3000,
    LATE_MS = 500,
    SETTLE_MS = 150,
    DELAY_MAX_MS = 5000,
    SHIPS = 12,
    REPORTS_MAX = 512,
    INI_SIZE = 4096,
    LINE_SIZE = 256,
    TURNS_A_GAME = 20,
    READY_MS = 100, /* the ready check is published after the events */
};

#define FAULTS(X)                                                                                  \
    X(DUPLICATE, "duplicate")                                                                      \
    X(DELAYED, "delayed")                                                                          \
    X(REORDERED, "reordered")                                                                      \
    X(LOST, "lost")                                                                                \
    X(RETAINED, "retained")                                                                        \
    X(CACHED, "sent again by the gateway")                                                         \
    X(OFFLINE, "offline")                                                                          \
    X(BROKER, "broker restarts")                                                                   \
    X(GATEWAY, "gateway restarts")

#define FAULT_ENUM(name, ...) FAULT_##name,
#define FAULT_NAME(name, word) (word),
enum { FAULTS(FAULT_ENUM) FAULT_COUNT };
static const char *const fault_names[] = {FAULTS(FAULT_NAME)};

enum report_kind { REPORT_LEVEL, REPORT_ALIVE };

/* A message on its way to the daemon. */
struct report {
    uint64_t at_ms;
    unsigned order; /* of sending: reports of the same moment stay in order */
    enum piece piece;
    enum report_kind kind;
    bool level; /* or whether it is online */
    uint64_t fell_ms;
};

/* What the contract makes of the messages that were delivered. */
struct ship {
    bool lies;         /* the truth */
    bool is_retaining; /* its messages are retained by the broker */
    bool has_retained;
    bool retained;
    bool cached; /* as the gateway knows it */
    bool level;
    bool stable;
    bool is_bouncing;
    bool is_offline;
    bool is_heard;
    uint64_t began_ms;
    uint64_t last_ms;
    uint64_t fell_ms; /* truth behind the last edge */
};

static struct radio_stage radio;
static struct chance chance;
static struct ship ships[PIECE_COUNT];
static struct report reports[REPORTS_MAX];
static unsigned report_count;
static unsigned order;
static uint64_t shot_ms; /* 0: none in this turn */
static uint64_t faults[FAULT_COUNT];
static uint64_t captures;
static uint64_t too_late;
static uint64_t indistinguishable;
static uint64_t offline_in_shot;
static uint64_t listed;

static uint64_t now_ms(void)
{
    return radio.stage.fake.now_us / 1000;
}

static bool is_ship(unsigned piece)
{
    return piece && piece < PIECE_PIRATE && !rules_is_tower((enum piece)piece);
}

static enum piece any_ship(void)
{
    unsigned piece;

    do {
        piece = chance_between(&chance, PIECE_RED_1, PIECE_YELLOW_3);
    } while (!is_ship(piece));
    return (enum piece)piece;
}

static void fail_at(const char *what, enum piece piece)
{
    printf("failed at %llu ms: %s, %s\n", (unsigned long long)now_ms(), what,
           rules_piece_name(piece));
    exit(1);
}

static bool happens(unsigned percent)
{
    return chance_below(&chance, 100) < percent;
}

/*
 * The radio
 */

static void send_at(uint64_t at_ms, const struct report *report)
{
    if (report_count < REPORTS_MAX) {
        reports[report_count] = *report;
        reports[report_count].at_ms = at_ms;
        reports[report_count++].order = order++;
    }
}

/* A sensor reports; the radio does what it likes. */
static void report(enum piece piece, bool level)
{
    struct report sent = {.piece = piece, .level = level, .fell_ms = now_ms()};
    uint64_t delay_ms = chance_below(&chance, 80);

    if (happens(10)) {
        faults[FAULT_LOST]++;
        return;
    }
    if (happens(25)) {
        faults[FAULT_DELAYED]++;
        delay_ms = chance_below(&chance, DELAY_MAX_MS);
    }
    for (unsigned i = 0; i < report_count; i++) {
        if (reports[i].piece == piece && reports[i].at_ms > now_ms() + delay_ms) {
            faults[FAULT_REORDERED]++;
            break;
        }
    }
    send_at(now_ms() + delay_ms, &sent);
    while (happens(20)) {
        faults[FAULT_DUPLICATE]++;
        send_at(now_ms() + delay_ms + chance_below(&chance, DELAY_MAX_MS), &sent);
    }
}

static void move_ship(enum piece piece, bool lies)
{
    if (ships[piece].lies != lies) {
        ships[piece].lies = lies;
        report(piece, lies);
    }
}

static void restart_gateway(void)
{
    faults[FAULT_GATEWAY]++;
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (is_ship(piece)) {
            faults[FAULT_CACHED]++;
            send_at(now_ms() + chance_below(&chance, 300),
                    &(struct report){.piece = (enum piece)piece, .level = ships[piece].cached});
        }
    }
}

static void lose_sensor(void)
{
    enum piece piece = any_ship();

    faults[FAULT_OFFLINE]++;
    offline_in_shot += shot_ms && now_ms() <= shot_ms + WINDOW_MS + LATE_MS;
    send_at(now_ms(), &(struct report){.piece = piece, .kind = REPORT_ALIVE, .level = false});
    send_at(now_ms() + chance_below(&chance, 2 * DELAY_MAX_MS),
            &(struct report){.piece = piece, .kind = REPORT_ALIVE, .level = true});
}

/*
 * The model
 */

static void model_edge(struct ship *ship, bool level, uint64_t fell_ms)
{
    if (level == ship->level) {
        return;
    }
    if (!ship->is_bouncing) {
        ship->is_bouncing = true;
        ship->began_ms = now_ms();
        ship->fell_ms = fell_ms;
    }
    ship->level = level;
    ship->last_ms = now_ms();
}

static void model_level(struct ship *ship, bool level)
{
    if (level != ship->level) {
        ship->level = ship->stable = level;
        ship->is_bouncing = false;
    }
}

/* S3: arrived from the shot until late after the window. */
static bool is_in_shot(const struct ship *ship)
{
    return shot_ms && ship->began_ms >= shot_ms && ship->began_ms <= shot_ms + WINDOW_MS + LATE_MS;
}

static bool is_silent(const struct ship *ship)
{
    return ship->is_offline || !fake_bus_is_up(radio.stage.fake.bus);
}

/* Whether this decision captures the piece, also if its sensor has become silent since. */
static bool captures_now(enum piece piece, const struct game *game)
{
    const struct ship *ship = &ships[piece];
    bool is_fall = ship->level && !ship->stable;

    return is_fall && is_in_shot(ship) && rules_in_play(game, piece) &&
           rules_owner(game, piece) != game->player;
}

static void check_health(void)
{
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        bool expected = is_ship(piece) && is_silent(&ships[piece]);
        if (expected != (radio.filters.health[SENSOR_TILT + piece].state == HEALTH_SILENT)) {
            fail_at("a sensor is silent while it is offline or the broker is away, and only then",
                    (enum piece)piece);
        }
    }
}

/* Every sensor that cannot be relied on now, and every one that nobody has heard, is listed. */
static void check_ready(void)
{
    const char *ready = fake_bus_retained(radio.stage.fake.bus, FAKE_BASE "ready");
    char sensor[LINE_SIZE];

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        snprintf(sensor, sizeof sensor, "\"%s.tilt\"", rules_piece_name((enum piece)piece));
        if (is_ship(piece) && (is_silent(&ships[piece]) || !ships[piece].is_heard)) {
            listed++;
            if (!ready || !strstr(ready, sensor)) {
                fail_at("not listed in ready", (enum piece)piece);
            }
        }
    }
}

/*
 * Time
 */

static void deliver(const struct report *report)
{
    struct ship *ship = &ships[report->piece];
    char line[LINE_SIZE];
    bool is_up = fake_bus_is_up(radio.stage.fake.bus);

    if (report->kind == REPORT_ALIVE) {
        snprintf(line, sizeof line, "z/%s/availability {'state':'%s'}",
                 rules_piece_name(report->piece), report->level ? "online" : "offline");
        ship->is_offline = is_up ? !report->level : ship->is_offline;
    } else {
        snprintf(line, sizeof line, "z/%s {'contact':%s}", rules_piece_name(report->piece),
                 report->level ? "false" : "true");
        ship->cached = report->level;
        ship->has_retained |= ship->is_retaining && is_up;
        ship->retained = is_up ? report->level : ship->retained;
        if (is_up) {
            ship->is_offline = false;
            ship->is_heard = true;
            model_edge(ship, report->level, report->fell_ms);
        }
    }
    if (is_up) {
        radio_hear(&radio, line);
    }
}

static uint64_t next_delivery_ms(void)
{
    uint64_t next_ms = UINT64_MAX;

    for (unsigned i = 0; i < report_count; i++) {
        next_ms = reports[i].at_ms < next_ms ? reports[i].at_ms : next_ms;
    }
    return next_ms;
}

static uint64_t next_decision_ms(void)
{
    uint64_t next_ms = UINT64_MAX;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        uint64_t due_ms = ships[piece].last_ms + SETTLE_MS;
        next_ms = ships[piece].is_bouncing && due_ms < next_ms ? due_ms : next_ms;
    }
    return next_ms;
}

static void wait_until(uint64_t at_ms)
{
    if (at_ms > now_ms()) {
        radio_wait_ms(&radio, (unsigned)(at_ms - now_ms()));
    }
}

static void decide(uint64_t at_ms)
{
    bool expected[PIECE_COUNT] = {false};

    wait_until(at_ms - 1);
    struct game before = *table_game(radio.stage.fake.table);
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        struct ship *ship = &ships[piece];
        if (ship->is_bouncing && ship->last_ms + SETTLE_MS == at_ms) {
            expected[piece] = captures_now((enum piece)piece, &before);
            too_late += ship->level && !ship->stable && !is_in_shot(ship);
            indistinguishable += expected[piece] && ship->fell_ms < shot_ms;
            ship->is_bouncing = false;
            ship->stable = ship->level;
        }
    }
    wait_until(at_ms);
    const struct game *after = table_game(radio.stage.fake.table);
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        bool is_captured =
            before.status[piece] != STATUS_CAPTURED && after->status[piece] == STATUS_CAPTURED;
        if (is_captured != expected[piece]) {
            fail_at(is_captured ? "captured, and the contract does not say so"
                                : "not captured, and the contract says so",
                    (enum piece)piece);
        }
        captures += is_captured;
    }
}

static void deliver_until(uint64_t at_ms)
{
    for (unsigned done = 0; done < report_count;) {
        unsigned first = report_count;
        for (unsigned i = 0; i < report_count; i++) {
            if (reports[i].at_ms <= at_ms &&
                (first == report_count || reports[i].at_ms < reports[first].at_ms ||
                 (reports[i].at_ms == reports[first].at_ms &&
                  reports[i].order < reports[first].order))) {
                first = i;
            }
        }
        if (first == report_count) {
            return;
        }
        struct report report = reports[first];
        reports[first] = reports[--report_count];
        deliver(&report);
    }
}

static void go_on(uint64_t until_ms)
{
    while (now_ms() < until_ms) {
        uint64_t delivery_ms = next_delivery_ms();
        uint64_t decision_ms = next_decision_ms();
        uint64_t next_ms = delivery_ms < until_ms ? delivery_ms : until_ms;
        if (decision_ms <= next_ms) {
            decide(decision_ms);
        } else {
            wait_until(next_ms);
        }
        deliver_until(now_ms());
        check_health();
    }
}

static void restart_broker(void)
{
    faults[FAULT_BROKER]++;
    radio_disconnect(&radio);
    go_on(now_ms() + chance_between(&chance, 10, 1500));
    radio_connect(&radio);
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        struct ship *ship = &ships[piece];
        char line[LINE_SIZE];
        if (!is_ship(piece) || !ship->has_retained) {
            continue;
        }
        faults[FAULT_RETAINED]++;
        snprintf(line, sizeof line, "z/%s {'contact':%s}", rules_piece_name((enum piece)piece),
                 ship->retained ? "false" : "true");
        model_level(ship, ship->retained);
        radio_hear_retained(&radio, line);
    }
    check_health();
}

/*
 * Games
 */

static void begin(void)
{
    char ini[INI_SIZE] = "";

    memset(ships, 0, sizeof ships);
    report_count = 0;
    shot_ms = 0;
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        const char *name = rules_piece_name((enum piece)piece);
        if (is_ship(piece)) {
            snprintf(ini + strlen(ini), sizeof ini - strlen(ini),
                     "[piece.%s]\ntilt = mqtt z/%s contact=false alive=z/%s/availability\n", name,
                     name, name);
            ships[piece].is_retaining = happens(50);
        }
    }
    radio_begin(&radio, ini);
    say(&radio.stage, "new-game");
}

static void bump(void)
{
    enum piece piece = any_ship();

    move_ship(piece, happens(70));
    unsigned trouble = chance_below(&chance, 100);
    if (trouble < 4) {
        restart_broker();
    } else if (trouble < 8) {
        restart_gateway();
    } else if (trouble < 20) {
        lose_sensor();
    }
}

static void play_turn(void)
{
    for (unsigned i = 0; i < 2; i++) {
        bump();
        go_on(now_ms() + chance_below(&chance, 2000));
    }
    uint64_t fired_ms = now_ms();
    say(&radio.stage, "ball-left");
    radio_filter(&radio);
    shot_ms = fired_ms;
    while (now_ms() < shot_ms + WINDOW_MS + LATE_MS + 1000) {
        enum piece piece = any_ship();
        move_ship(piece, happens(80));
        if (happens(30)) {
            bump();
        }
        go_on(now_ms() + chance_below(&chance, 900));
    }
    /* People stand up what lies. */
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (is_ship(piece) && happens(70)) {
            move_ship((enum piece)piece, false);
        }
    }
    go_on(now_ms() + chance_below(&chance, 3000));
    shot_ms = 0;
    say(&radio.stage, "end-phase", "end-phase");
    radio_filter(&radio);
    go_on(now_ms() + READY_MS);
    check_ready();
}

static uint64_t count_faults(void)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < FAULT_COUNT; i++) {
        sum += faults[i];
    }
    return sum;
}

int main(int argc, char **argv)
{
    uint64_t wanted = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000;
    unsigned games = 0;
    time_t began = time(NULL);

    chance.state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    while (count_faults() < wanted) {
        begin();
        games++;
        for (unsigned turn = 0; turn < TURNS_A_GAME && count_faults() < wanted &&
                                table_game(radio.stage.fake.table)->phase != PHASE_OVER;
             turn++) {
            play_turn();
        }
        radio_end(&radio);
    }
    for (unsigned i = 0; i < FAULT_COUNT; i++) {
        printf("%8llu %s\n", (unsigned long long)faults[i], fault_names[i]);
    }
    printf("%8llu faults in %u games, %llu captures, all as the contract says; %lld s\n"
           "%8llu of the sensors went offline during a shot\n"
           "%8llu times a sensor that is silent or was not heard was listed in ready\n"
           "%8llu falls arrived outside a window\n"
           "%8llu captures of what fell before the shot and was reported within its window\n",
           (unsigned long long)count_faults(), games, (unsigned long long)captures,
           (long long)(time(NULL) - began), (unsigned long long)offline_in_shot,
           (unsigned long long)listed, (unsigned long long)too_late,
           (unsigned long long)indistinguishable);
    return 0;
}
