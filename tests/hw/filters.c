/* What holds for all edges, however they bounce and in whatever batches they are read. */
#include "rig.h"

#include "tests/random/chance.h"
#include "tests/support/sweep_step.h"

#include <string.h>

enum { ROUNDS = 300 };

/* Edges of every sensor, at random, some close together and some far apart. */
static void draw_anything(struct rig *rig, struct chance *chance, unsigned count)
{
    uint64_t at_us = SECOND;

    for (unsigned i = 0; i < count; i++) {
        static const unsigned gaps_us[] = {1, 50, 300, 5 * MS, 40 * MS, 300 * MS, 3 * SECOND};
        unsigned sensor = chance_between(chance, 1, SENSOR_COUNT - 1);
        at_us += 1 + chance_below(chance, gaps_us[chance_below(chance, 7)]);
        rig->edges[rig->edge_count++] = (struct edge){
            .at_us = at_us, .sensor = (uint16_t)sensor, .level = chance_percent(chance, 50)};
    }
}

/* As a thread would: woken for each edge, and for each deadline on its own. */
static void run_one_by_one(struct rig *rig, const struct edge *edges, size_t count,
                           uint64_t until_us)
{
    for (size_t i = 0; i <= count; i++) {
        uint64_t next_us = i < count ? edges[i].at_us : until_us;
        uint64_t due_us = filters_next_deadline_us(&rig->filters);
        while (due_us <= next_us) {
            filters_tick(&rig->filters, due_us, &rig->facts);
            rig_note(rig);
            due_us = filters_next_deadline_us(&rig->filters);
        }
        if (i < count) {
            filters_edge(&rig->filters, &edges[i], &rig->facts);
            rig_note(rig);
        }
    }
}

TEST_EACH(rig_setup, rig_teardown)

#define FILTER_TEST(claim) TEST_WITH(struct rig *rig, claim)

FILTER_TEST(one_batch_and_one_by_one_give_the_same_facts)
{
    static struct edge edges[400];
    static char batch[RIG_TEXT_SIZE];

    rig->hidden[FACT_SENSED] = false;
    for (unsigned seed = 1; seed <= ROUNDS; seed += sweep_step(5)) {
        struct chance chance = {seed};
        rig_restart(rig, &rig->settings);
        draw_anything(rig, &chance, 400);
        memcpy(edges, rig->edges, sizeof edges);
        uint64_t until_us = edges[399].at_us + 100 * SECOND;
        rig_run(rig, until_us);
        memcpy(batch, rig->text, rig->text_length + 1);

        rig_restart(rig, &rig->settings);
        run_one_by_one(rig, edges, 400, until_us);
        assert_string_equal(rig->text, batch);
    }
}

FILTER_TEST(facts_do_not_depend_on_how_a_batch_is_ordered)
{
    static struct edge edges[400];
    static char sorted[RIG_TEXT_SIZE];

    for (unsigned seed = 1; seed <= ROUNDS; seed += sweep_step(5)) {
        struct chance chance = {seed};
        rig_restart(rig, &rig->settings);
        draw_anything(rig, &chance, 400);
        memcpy(edges, rig->edges, sizeof edges);
        rig_run(rig, edges[399].at_us + SECOND);
        memcpy(sorted, rig->text, rig->text_length + 1);

        /* Line by line, as lines with a queue each are read. */
        rig_restart(rig, &rig->settings);
        for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
            for (unsigned i = 0; i < 400; i++) {
                if (edges[i].sensor == sensor) {
                    rig->edges[rig->edge_count++] = edges[i];
                }
            }
        }
        rig_run(rig, edges[399].at_us + SECOND);
        assert_string_equal(rig->text, sorted);
    }
}

/* The line goes to level at at_us, after some bounces that take less than within_us. */
static void bounce(struct rig *rig, struct chance *chance, const char *sensor, uint64_t at_us,
                   bool level, unsigned within_us)
{
    unsigned bounces = chance_below(chance, 12);

    rig_edge(rig, sensor, at_us, level);
    for (unsigned i = 0; i < bounces; i++) {
        unsigned slot_us = within_us / 12;
        uint64_t off_us = at_us + i * slot_us + chance_between(chance, 1, slot_us / 2 - 1);
        rig_edge(rig, sensor, off_us, !level);
        rig_edge(rig, sensor, off_us + chance_between(chance, 1, slot_us / 2 - 1), level);
    }
}

/* Removes ` bounces=N` and ` width=N`, which depend on the bouncing. */
static void remove_bouncing(char *text)
{
    static const char *const words[] = {" bounces=", " width="};

    for (unsigned i = 0; i < 2; i++) {
        char *word = strstr(text, words[i]);
        for (; word; word = strstr(text, words[i])) {
            size_t length = strlen(words[i]);
            length += strspn(word + length, "0123456789");
            memmove(word, word + length, strlen(word + length) + 1);
        }
    }
}

/* Loaded, aimed, fired: a hit tower, two topples, one of them raised, a dock, a button, a hold. */
static void play_a_turn(struct rig *rig, struct chance *chance)
{
    bounce(rig, chance, "cannon.beam", 1 * SECOND, true, 1 * MS);
    bounce(rig, chance, "cannon.beam", 1 * SECOND + 4 * MS, false, 1 * MS);
    bounce(rig, chance, "blue-tower.beam", 1 * SECOND + 90 * MS, true, 1 * MS);
    bounce(rig, chance, "blue-tower.beam", 1 * SECOND + 99 * MS, false, 1 * MS);
    bounce(rig, chance, "blue-tower.tilt", 1 * SECOND + 100 * MS, true, 120 * MS);
    bounce(rig, chance, "blue-1.tilt", 1 * SECOND + 500 * MS, true, 120 * MS);
    bounce(rig, chance, "blue-1.tilt", 4 * SECOND, false, 120 * MS);
    bounce(rig, chance, "harbour.blue.dock", 5 * SECOND, true, 120 * MS);
    bounce(rig, chance, "button.end", 7 * SECOND, true, 25 * MS);
    bounce(rig, chance, "button.end", 7 * SECOND + 200 * MS, false, 25 * MS);
    bounce(rig, chance, "rope.button", 8 * SECOND, true, 25 * MS);
    bounce(rig, chance, "rope.button", 8 * SECOND + 300 * MS, false, 25 * MS);
    bounce(rig, chance, "rope.button", 9 * SECOND, true, 25 * MS);
    bounce(rig, chance, "rope.button", 11 * SECOND, false, 25 * MS);
}

FILTER_TEST(any_bouncing_of_a_turn_gives_the_same_facts)
{
    for (unsigned seed = 1; seed <= 10 * ROUNDS; seed += sweep_step(5)) {
        struct chance chance = {seed};
        rig_restart(rig, &rig->settings);
        play_a_turn(rig, &chance);
        rig_run(rig, 20 * SECOND);
        remove_bouncing(rig->text);
        rig_expect(rig, "ball-left cannon.beam at=1000000\n"
                        "hit blue-tower.beam at=1090000\n"
                        "toppled blue-tower.tilt at=1100000 settle=150000\n"
                        "toppled blue-1.tilt at=1500000 settle=150000\n"
                        "raised blue-1.tilt at=4000000 settle=150000\n"
                        "docked harbour.blue.dock at=5000000 level=1 settle=150000\n"
                        "pressed button.end at=7000000 settle=30000\n"
                        "rope-pressed rope.button at=8000000\n"
                        "rope-held rope.button at=9000000\n");
    }
}

FILTER_TEST(any_bouncing_pull_of_the_rope_ends_at_the_same_knots)
{
    static const char *const lines[4] = {"rope.a", "rope.b", "rope.a", "rope.b"};
    static const bool levels[4] = {true, true, false, false};

    for (unsigned seed = 1; seed <= ROUNDS; seed += sweep_step(5)) {
        struct chance chance = {seed};
        rig_restart(rig, &rig->settings);
        for (unsigned count = 0; count < 60; count++) {
            bounce(rig, &chance, lines[count % 4], SECOND + count * MS, levels[count % 4], 900);
        }
        rig_run(rig, 2 * SECOND);
        assert_int_equal(rig->filters.rope.counts, 60);
        assert_int_equal(rig->filters.rope.impossible, 0);
    }
}

FILTER_TEST(no_pulse_of_a_millisecond_is_missed)
{
    for (uint64_t width_us = 1000; width_us <= 20000; width_us += 7) {
        rig_restart(rig, &rig->settings);
        rig_edge(rig, "cannon.beam", 12345, true);
        rig_edge(rig, "cannon.beam", 12345 + width_us, false);
        rig_run(rig, 100 * MS);
        assert_memory_equal(rig->text, "ball-left", 9);
    }
}

FILTER_TEST(a_sensor_that_does_not_exist_changes_nothing)
{
    struct edge strange[] = {
        {SECOND, SENSOR_NONE, 1, 0}, {SECOND, SENSOR_COUNT, 1, 0}, {SECOND, UINT16_MAX, 1, 0}};

    for (unsigned i = 0; i < 3; i++) {
        filters_edge(&rig->filters, &strange[i], &rig->facts);
    }
    assert_int_equal(rig->facts.count, 0);
    assert_true(filters_next_deadline_us(&rig->filters) == NEVER_US);
}
