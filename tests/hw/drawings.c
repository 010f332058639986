/*
 * Runs the tests of the filters in drawings/NAME.txt (support/cases.h). Each begins with the
 * default settings; its statements:
 *
 *     set tilt_settle_ms 60             changes a setting
 *     cannon.beam 1s 100us __###_##     edges of a line: start, time per character, `#` is active
 *     cannon.beam 1s 5ms 200x#_         the same, with the drawing repeated
 *     edge cannon.beam 60s 0            one edge, whatever the level was
 *     pull 0 40 1s 100us                edges of the encoder from count to count, one per 100 us
 *     until 2s                          filters all edges until then, and lets time pass
 *     zero 3s                           sets the rope to zero
 *     status rope.a lossy 1s            the status of a line: lossy, gone, back
 *     look red-1+blue-2 1s              asks how pieces stand
 *     show sensed                       facts of this kind are compared (all but `sensed` are)
 *     hide rope-at                      facts of this kind are not compared
 *     idle                              there is no deadline
 *     STATEMENT > FACT                  all that it emits
 *
 * Times are sums: 1s+500ms-1us.
 */
#include "rig.h"

#include "tests/support/cases.h"

#include "rules/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 6, EXPECTED_SIZE = 4096 };

struct words {
    char *word[WORDS_MAX];
    unsigned count;
};

static struct words split(char *line)
{
    struct words words = {.count = 0};

    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        assert_true(words.count < WORDS_MAX);
        words.word[words.count++] = word;
    }
    return words;
}

static uint64_t time_of(const char *text)
{
    uint64_t sum_us = 0;

    while (*text) {
        char *unit;
        long long number = strtoll(text, &unit, 10);
        uint64_t unit_us = unit[0] == 's' ? SECOND : unit[0] == 'm' ? MS : 1;
        assert_true(unit != text);
        sum_us += (uint64_t)number * unit_us;
        text = unit + strcspn(unit, "+-");
    }
    return sum_us;
}

static unsigned sensor_of(const struct rig *rig, const char *name)
{
    unsigned sensor = sensor_named(&rig->names, name);

    if (sensor == SENSOR_NONE) {
        fail_msg("there is no statement or sensor %s", name);
    }
    return sensor;
}

static void draw(struct rig *rig, const struct words *words)
{
    char *drawing = words->word[3];
    unsigned long times = strtoul(drawing, &drawing, 10);
    uint64_t at_us = time_of(words->word[1]);
    uint32_t unit_us = (uint32_t)time_of(words->word[2]);

    assert_int_equal(words->count, 4);
    sensor_of(rig, words->word[0]);
    drawing += *drawing == 'x';
    do {
        rig_draw(rig, words->word[0], at_us, unit_us, drawing);
        at_us += strlen(drawing) * unit_us;
    } while (times-- > 1);
}

static void add_edge(struct rig *rig, const struct words *words)
{
    rig_edge(rig, words->word[1], time_of(words->word[2]), words->word[3][0] == '1');
}

/* The levels of lines a and b after so many counts from 00: 10, 11, 01, 00. */
static unsigned levels_at(long counts)
{
    static const unsigned levels[4] = {0, 2, 3, 1};

    return levels[counts & 3];
}

static void pull(struct rig *rig, const struct words *words)
{
    long from = strtol(words->word[1], NULL, 10);
    long to = strtol(words->word[2], NULL, 10);
    uint64_t at_us = time_of(words->word[3]);

    while (from != to) {
        long next = from < to ? from + 1 : from - 1;
        unsigned changed = levels_at(from) ^ levels_at(next);
        rig_edge(rig, changed == 2 ? "rope.a" : "rope.b", at_us, levels_at(next) & changed);
        from = next;
        at_us += time_of(words->word[4]);
    }
}

static void set(struct rig *rig, const struct words *words)
{
    struct filter_settings *settings = &rig->settings;
    uint32_t number = (uint32_t)strtoul(words->word[2], NULL, 10);

    if (strcmp(words->word[1], "tilt_settle_ms") == 0) {
        settings->tilt_settle_ms = number;
    } else if (strcmp(words->word[1], "stuck_s") == 0) {
        settings->stuck_s = number;
    } else if (strcmp(words->word[1], "two_beams") == 0) {
        settings->two_beams = number;
    } else if (strcmp(words->word[1], "rope_reverse") == 0) {
        settings->rope_reverse = number;
    } else {
        fail_msg("there is no setting %s", words->word[1]);
    }
    filters_apply(&rig->filters, settings);
}

static void run_until(struct rig *rig, const struct words *words)
{
    rig_run(rig, time_of(words->word[1]));
}

static void zero(struct rig *rig, const struct words *words)
{
    filters_zero_rope(&rig->filters, time_of(words->word[1]), &rig->facts);
    rig_note(rig);
}

static void report_status(struct rig *rig, const struct words *words)
{
    const char *kind = words->word[2];
    struct line_status status = {
        .sensor = (uint16_t)sensor_of(rig, words->word[1]),
        .kind = kind[0] == 'l'   ? LINE_LOSSY
                : kind[0] == 'g' ? LINE_GONE
                                 : LINE_BACK,
    };

    filters_line_status(&rig->filters, &status, time_of(words->word[3]), &rig->facts);
    rig_note(rig);
}

static void look(struct rig *rig, const struct words *words)
{
    uint32_t pieces = 0;

    for (char *name = strtok(words->word[1], "+"); name; name = strtok(NULL, "+")) {
        pieces |= bit(rules_piece_named(name));
    }
    filters_look(&rig->filters, pieces, time_of(words->word[2]));
}

static void show_or_hide(struct rig *rig, const struct words *words)
{
    unsigned kind = 1;

    while (kind < FACT_COUNT && strcmp(fact_name((enum fact_kind)kind), words->word[1]) != 0) {
        kind++;
    }
    assert_true(kind < FACT_COUNT);
    rig->hidden[kind] = strcmp(words->word[0], "hide") == 0;
}

static void expect_idle(struct rig *rig, const struct words *words)
{
    (void)words;
    assert_true(filters_next_deadline_us(&rig->filters) == NEVER_US);
}

static const struct {
    const char *word;
    void (*run)(struct rig *rig, const struct words *words);
    unsigned words;
} statements[] = {
    {"edge", add_edge, 4},    {"pull", pull, 5},         {"set", set, 3},
    {"until", run_until, 2},  {"zero", zero, 2},         {"status", report_status, 4},
    {"look", look, 3},        {"show", show_or_hide, 2}, {"hide", show_or_hide, 2},
    {"idle", expect_idle, 1},
};

static void *begin(void)
{
    static void *rig;

    assert_int_equal(rig_setup(&rig), 0);
    return rig;
}

static void run(void *rig, char *line)
{
    struct words words = split(line);

    assert_true(words.count > 0);
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (strcmp(words.word[0], statements[i].word) == 0) {
            assert_int_equal(words.count, statements[i].words);
            statements[i].run(rig, &words);
            return;
        }
    }
    draw(rig, &words);
}

/* A statement without `>` must not emit anything. */
static void compare(void *state, const char *const *lines)
{
    struct rig *rig = state;
    char expected[EXPECTED_SIZE];
    struct text text = text_begin(expected, sizeof expected);

    for (; *lines; lines++) {
        text_add(&text, *lines);
        text_add(&text, "\n");
    }
    if (strcmp(rig->text, expected) != 0) {
        cases_fail("expected\n%s, got\n%s", expected, rig->text);
    }
    rig_expect(rig, expected);
}

static void end(void *rig)
{
    rig_teardown(&rig);
}

int main(int argc, char **argv)
{
    static const struct language language = {begin, run, compare, end};

    return argc == 2 ? cases_run(argv[1], &language) : EXIT_FAILURE;
}
