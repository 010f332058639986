/*
 * Runs tests of what words on the command line become, NAME.txt (support/cases.h):
 *
 *     send move red-1 2          the command as JSON; our id is `me`
 *     reply {"ok":true}          what is printed for a reply, after `accepted` or `refused`
 *     choices {"choices":[...]}  what is possible, for
 *     possible move piece=red-1  the lines that fit these words, and
 *     advice aim {"piece":"x"}   what is printed after a refused command
 *     sim fire                   the edges of the sensors: the level, @, microseconds after the
 * last counts_per_knot 20, reverse, second_beam_mm 40, lying blue-1+pirate: the table of sim
 *
 * What there is none of is `nothing`.
 */
#include "tests/support/cases.h"

#include "ctl/choices_text.h"
#include "ctl/command_json.h"
#include "ctl/plain.h"
#include "ctl/reply_text.h"
#include "ctl/sim_script.h"
#include "rules/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 16, RESULT_SIZE = 4096, PROBLEM_SIZE = 200, CHOICES_SIZE = 1024 };

struct ctl_case {
    struct hw_config hw;
    uint32_t lying;
    char choices[CHOICES_SIZE];
    char result[RESULT_SIZE]; /* with a newline after each line */
};

static struct ctl_case ctl_case;

static void *begin(void)
{
    memset(&ctl_case, 0, sizeof ctl_case);
    plain_use_utf8();
    setenv("TZ", "CEST-2", 1);
    return &ctl_case;
}

static int split(char *text, char *words[WORDS_MAX])
{
    int count = 0;

    for (char *rest = text, *word; (word = strsep(&rest, " "));) {
        assert_true(count < WORDS_MAX);
        words[count++] = word;
    }
    return count;
}

/* Takes a text that is freed; NULL is nothing. */
static void set_result(struct ctl_case *it, char *text)
{
    snprintf(it->result, sizeof it->result, "%s", text && text[0] ? text : "nothing\n");
    free(text);
}

static void send(struct ctl_case *it, char *text)
{
    char problem[PROBLEM_SIZE] = "";
    char *words[WORDS_MAX];
    int count = split(text, words);
    char *json = command_json(words[0], words + 1, count - 1, "me", problem, sizeof problem);

    snprintf(it->result, sizeof it->result, "%s\n", json ? json : problem);
    free(json);
}

static void reply(struct ctl_case *it, char *text)
{
    struct reply_verdict verdict = {0};
    char *lines = reply_text(text, strlen(text), &verdict);

    snprintf(it->result, sizeof it->result, "%s\n%s",
             !lines             ? "nothing"
             : verdict.accepted ? "accepted"
                                : "refused",
             lines ? lines : "");
    free(lines);
}

static void set_choices(struct ctl_case *it, char *text)
{
    snprintf(it->choices, sizeof it->choices, "%s", text);
}

static void list_possible(struct ctl_case *it, char *text)
{
    char *words[WORDS_MAX];
    int count = text[0] ? split(text, words) : 0;

    set_result(it, choices_lines(it->choices, strlen(it->choices), words, count));
}

static void advise(struct ctl_case *it, char *text)
{
    char *command = text + strcspn(text, " ");

    *command++ = '\0';
    set_result(it, choices_advice(it->choices, strlen(it->choices), text, command, "./ctl"));
}

/* The count that a quadrature decoder comes to; both lines must be low at the end. */
static int decode_rope(const struct sim_script *script)
{
    static const int order[2][2] = {{0, 3}, {1, 2}}; /* [a][b]: place in the cycle 00 10 11 01 */
    int levels[2] = {0, 0};
    int count = 0;

    for (size_t i = 0; i < script->count; i++) {
        int before = order[levels[0]][levels[1]];
        int line = strcmp(script->edges[i].sensor, "rope.b") == 0;
        assert_int_not_equal(levels[line], script->edges[i].level);
        levels[line] = script->edges[i].level;
        int step = (order[levels[0]][levels[1]] - before + 4) % 4;
        assert_true(step == 1 || step == 3);
        count += step == 1 ? 1 : -1;
    }
    assert_int_equal(levels[0] + levels[1], 0);
    return count;
}

static void add_edges(struct text *result, const struct sim_script *script)
{
    const char *last = "";

    for (size_t i = 0; i < script->count; i++) {
        const struct sim_edge *edge = &script->edges[i];
        if (strcmp(edge->sensor, last) != 0) {
            text_add(result, last[0] ? "\n" : "");
            text_add(result, edge->sensor);
            last = edge->sensor;
        }
        text_add(result, edge->level ? " 1@" : " 0@");
        text_add_number(result, edge->delay_us);
    }
    text_add(result, script->count ? "\n" : "");
}

static void sim(struct ctl_case *it, char *text)
{
    const struct sim_scene scene = {.hw = &it->hw, .lying = it->lying};
    struct text result = text_begin(it->result, sizeof it->result);
    struct sim_script script = {0};
    char *words[WORDS_MAX];
    int count = split(text, words);
    int error = sim_script_write(&script, words, count, &scene);

    text_add(&result, error ? "refused: " : "");
    text_add(&result, script.sentence);
    text_add(&result, "\n");
    if (script.count && strncmp(script.edges[0].sensor, "rope.b", 5) == 0 &&
        strcmp(script.edges[0].sensor, "rope.button") != 0) {
        text_add(&result, "rope ");
        text_add_number(&result, decode_rope(&script));
        text_add(&result, "\n");
    } else {
        add_edges(&result, &script);
    }
    sim_script_free(&script);
}

static void set_counts(struct ctl_case *it, char *text)
{
    it->hw.counts_per_knot = (uint32_t)strtoul(text, NULL, 10);
}

static void set_reverse(struct ctl_case *it, char *text)
{
    (void)text;
    it->hw.rope_reverse = true;
}

static void set_second_beam(struct ctl_case *it, char *text)
{
    it->hw.lines[SENSOR_CANNON_BEAM2].fitted = true;
    it->hw.beam_gap_um = 1000 * (uint32_t)strtoul(text, NULL, 10);
}

static void set_lying(struct ctl_case *it, char *text)
{
    for (char *name; (name = strsep(&text, "+"));) {
        it->lying |= bit(rules_piece_named(name));
    }
}

static const struct {
    const char *word;
    void (*run)(struct ctl_case *it, char *text);
} statements[] = {
    {"send", send},
    {"reply", reply},
    {"choices", set_choices},
    {"possible", list_possible},
    {"advice", advise},
    {"sim", sim},
    {"counts_per_knot", set_counts},
    {"reverse", set_reverse},
    {"second_beam_mm", set_second_beam},
    {"lying", set_lying},
};

static void run(void *self, char *statement)
{
    char *text = statement + strcspn(statement, " ");

    text += *text ? (*text = '\0', 1) : 0;
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (strcmp(statement, statements[i].word) == 0) {
            statements[i].run(self, text);
            return;
        }
    }
    cases_fail("there is no statement %s", statement);
}

static void compare(void *self, const char *const *lines)
{
    const struct ctl_case *it = self;
    char expected[RESULT_SIZE];
    struct text text = text_begin(expected, sizeof expected);

    if (!lines[0]) {
        return;
    }
    for (; *lines; lines++) {
        text_add(&text, *lines);
        text_add(&text, "\n");
    }
    if (strcmp(expected, it->result) != 0) {
        cases_fail("expected\n%sgot\n%s", expected, it->result);
    }
}

static void end(void *self)
{
    (void)self;
}

int main(int argc, char **argv)
{
    static const struct language language = {begin, run, compare, end};

    return argc == 2 ? cases_run(argv[1], &language) : 1;
}
