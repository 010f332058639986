/*
 * A table that is knocked, whole: the edges of its switches through the filters into the game. A
 * switch rattles for as long as its piece rolls, and each for its own time.
 */
#include "table/knock.h"
#include "hw/filters.h"
#include "stage.h"
#include "tests/support/sweep_step.h"

enum {
    MS = 1000, /* microseconds */
    EDGES_MAX = 4000,
    SEEDS = 200,
};

struct knocked {
    struct stage stage;
    struct filters filters;
    struct chance chance;
    struct edge edges[EDGES_MAX];
    size_t count;
};

static const struct filter_settings settings = {
    .tilt_settle_ms = 150,
    .beam_min_us = 200,
    .button_ms = 30,
    .stuck_s = 30,
    .counts_per_knot = 20,
};

/* A game has begun, and what was said of that is heard already. */
static void begin_game(struct knocked *knocked, uint64_t seed)
{
    stage_begin(&knocked->stage, "");
    filters_init(&knocked->filters, &settings);
    knocked->chance = (struct chance){.state = seed};
    knocked->count = 0;
    say(&knocked->stage, "new-game");
    knocked->stage.seen = fake_bus_count(knocked->stage.fake.bus);
}

/* The switch rattles from at_us on for that long, and rests at the level. */
static void rattle(struct knocked *knocked, enum piece piece, uint64_t at_us, uint64_t long_us,
                   bool level)
{
    uint64_t until_us = at_us + long_us;
    uint8_t now = 1;

    for (; at_us < until_us || now == level; now = !now) {
        assert_true(knocked->count < EDGES_MAX);
        knocked->edges[knocked->count++] = (struct edge){
            .at_us = at_us, .sensor = (uint16_t)(SENSOR_TILT + (unsigned)piece), .level = now};
        at_us += chance_between(&knocked->chance, 1, 30) * MS;
    }
}

static void hand_over(struct knocked *knocked, struct fact_list *facts)
{
    for (unsigned i = 0; i < facts->count; i++) {
        fake_table_fact(&knocked->stage.fake, &facts->facts[i]);
    }
    facts->count = 0;
}

/* Time goes on to then, for the filters and the table alike. */
static void go_on(struct knocked *knocked, uint64_t until_us)
{
    static struct fact_list facts;
    struct fake_table *fake = &knocked->stage.fake;

    for (uint64_t due_us = filters_next_deadline_us(&knocked->filters); due_us <= until_us;
         due_us = filters_next_deadline_us(&knocked->filters)) {
        fake_table_wait(fake, due_us > fake->now_us ? due_us - fake->now_us : 0);
        filters_tick(&knocked->filters, due_us, &facts);
        hand_over(knocked, &facts);
    }
    fake_table_wait(fake, until_us - fake->now_us);
}

static void play(struct knocked *knocked)
{
    static struct fact_list facts;

    edges_sort(knocked->edges, knocked->count);
    for (size_t i = 0; i < knocked->count; i++) {
        go_on(knocked, knocked->edges[i].at_us);
        filters_edge(&knocked->filters, &knocked->edges[i], &facts);
        hand_over(knocked, &facts);
    }
    go_on(knocked, knocked->stage.fake.now_us + 20 * FAKE_SECOND_US);
}

/* Twelve pieces fall within 300 ms and rattle for up to 1.2 s each: told once, with all of them. */
TEST(S7_a_knock_is_one_disturbance_however_long_the_switches_rattle)
{
    static struct knocked knocked;

    for (uint64_t seed = 1; seed <= SEEDS; seed += sweep_step(7)) {
        begin_game(&knocked, seed);
        for (enum piece piece = PIECE_RED_1; piece <= PIECE_GREEN_TOWER; piece++) {
            rattle(&knocked, piece,
                   2 * FAKE_SECOND_US + chance_below(&knocked.chance, 300) * UINT64_C(1000),
                   chance_below(&knocked.chance, 1200) * UINT64_C(1000), true);
        }
        play(&knocked);
        then_said(&knocked.stage,
                  "event/disturbance 'rule':'S7' "
                  "'pieces':['red-1','red-2','red-3','red-tower','blue-1','blue-2','blue-3',"
                  "'blue-tower','green-1','green-2','green-3','green-tower']");
        stage_end(&knocked.stage);
    }
}

TEST(S7_what_only_rocks_when_the_table_is_knocked_is_not_named)
{
    static struct knocked knocked;

    begin_game(&knocked, 1);
    rattle(&knocked, PIECE_RED_1, 2 * FAKE_SECOND_US, 100 * MS, true);
    rattle(&knocked, PIECE_RED_2, 2 * FAKE_SECOND_US, 700 * MS, false);
    rattle(&knocked, PIECE_RED_3, 2 * FAKE_SECOND_US, 900 * MS, true);
    play(&knocked);
    then_said(&knocked.stage, "event/disturbance 'pieces':['red-1','red-3']");
    stage_end(&knocked.stage);
}

/* One piece after the other, each while all are still moving. */
TEST(S7_falls_that_go_on_do_not_put_off_the_disturbance)
{
    struct knock knock = {0};
    uint64_t now_us = FAKE_SECOND_US;

    for (enum piece piece = PIECE_RED_1; piece < PIECE_COUNT; piece++, now_us += 200 * MS) {
        const struct fact fall = {.kind = FACT_TOPPLED, .piece = piece, .pieces = UINT32_MAX};
        knock_add(&knock, &fall, now_us, FAKE_SECOND_US, 0);
    }
    assert_in_range(knock.due_us, 2 * FAKE_SECOND_US, 3 * FAKE_SECOND_US);
}
