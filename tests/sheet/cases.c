/*
 * Runs the tests of score sheets, NAME.txt:
 *
 *     == 40 points end the game at once
 *     open brandi-ahoi 2
 *     count points player=1 to=40 > over: 1 1. 40, 2 2. 10
 *
 * `open SHEET PLAYERS` begins, with the roles 1, 2, ... of the sheet or those behind it: `open ahoy
 * 2 3 1`. `undo` takes back the last change. Any other statement is a change. After `>` is the
 * phase with the ranking (player, place, score, title) when it has changed, `refused: SENTENCE`, or
 * `hint PLAYER: TEXT` for each hint that is new; nothing after a change that causes none of this.
 */
#include "tests/support/cases.h"

#include "sheet/score.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES_MAX = 200, LINES_MAX = 8, LINE_SIZE = 512 };

struct sheet_case {
    struct sheet sheet;
    struct score begun;
    struct score score;
    struct score_change changes[CHANGES_MAX];
    unsigned change_count;
    char lines[LINES_MAX][LINE_SIZE];
    unsigned line_count;
};

static struct sheet_case sheet_case;

static void *begin(void)
{
    sheet_case = (struct sheet_case){0};
    return &sheet_case;
}

static void fail_at(void *context, int line, const char *message)
{
    cases_fail("%s:%d: %s", (const char *)context, line, message);
}

static struct text next_line(struct sheet_case *it)
{
    assert_true(it->line_count < LINES_MAX);
    return text_begin(it->lines[it->line_count++], LINE_SIZE);
}

static void refused(struct sheet_case *it, const char *sentence)
{
    struct text line = next_line(it);

    text_add(&line, "refused: ");
    text_add(&line, sentence);
}

static void open_sheet(struct sheet_case *it, const char *words)
{
    unsigned roles[SHEET_PLAYERS_MAX] = {0, 1, 2, 3, 4, 5, 6, 7};
    char name[SHEET_NAME_SIZE];
    char path[SHEET_NAME_SIZE + 8];
    unsigned players;
    int used = 0;
    char problem_text[LINE_SIZE];
    struct text problem = text_begin(problem_text, sizeof problem_text);

    assert_int_equal(sscanf(words, "%31s %u%n", name, &players, &used), 2);
    for (unsigned i = 0; i < SHEET_PLAYERS_MAX && words[used]; i++) {
        char *rest;
        roles[i] = (unsigned)strtoul(words + used, &rest, 10) - 1;
        used = (int)(rest - words);
    }
    snprintf(path, sizeof path, "%s.ini", name);
    assert_int_equal(sheet_read_file(path, &it->sheet, fail_at, path), 0);
    if (!score_begin(&it->sheet, players, roles, &it->begun, &problem)) {
        refused(it, problem_text);
    }
    it->score = it->begun;
}

static void describe_end(struct sheet_case *it)
{
    struct score_rank ranking[SHEET_PLAYERS_MAX];
    struct text line = next_line(it);

    text_add(&line, score_phase_name(it->score.phase));
    if (it->score.phase != SCORE_OVER) {
        return;
    }
    score_rank(&it->sheet, &it->score, ranking);
    for (unsigned i = 0; i < it->score.player_count; i++) {
        const char *title = score_title(&it->sheet, &it->score, ranking[i].player);
        text_add(&line, i ? ", " : ": ");
        text_add_number(&line, ranking[i].player);
        text_add(&line, " ");
        text_add_number(&line, ranking[i].place);
        text_add(&line, ". ");
        text_add_number(&line, ranking[i].score);
        text_add(&line, title ? " " : "");
        text_add(&line, title ? title : "");
    }
}

static void describe_hints(struct sheet_case *it, const struct score *before)
{
    for (unsigned i = 0; i < it->sheet.hint_count; i++) {
        const struct sheet_rule *hint = &it->sheet.hints[i];
        for (unsigned player = 1; player <= it->score.player_count; player++) {
            if (score_evaluate(&it->sheet, &it->score, &hint->when, player) &&
                !score_evaluate(&it->sheet, before, &hint->when, player)) {
                struct text line = next_line(it);
                text_add(&line, "hint ");
                text_add_number(&line, player);
                text_add(&line, ": ");
                text_add(&line, hint->text);
            }
        }
    }
}

/* Each change is written and read again, as the logbook stores it. */
static void change(struct sheet_case *it, const char *statement)
{
    struct score_change *next = &it->changes[it->change_count];
    struct score before = it->score;
    char line[SCORE_CHANGE_SIZE];
    char problem_text[LINE_SIZE];
    struct text problem = text_begin(problem_text, sizeof problem_text);

    assert_true(it->change_count < CHANGES_MAX);
    if (!score_read_change(&it->sheet, statement, next, &problem)) {
        refused(it, problem_text);
        return;
    }
    score_write_change(&it->sheet, next, line);
    assert_string_equal(line, statement);
    if (!score_step(&it->sheet, &it->score, next, &problem)) {
        refused(it, problem_text);
        assert_memory_equal(&before, &it->score, sizeof before);
        return;
    }
    it->change_count++;
    if (it->score.phase != before.phase) {
        describe_end(it);
    }
    describe_hints(it, &before);
}

static void undo(struct sheet_case *it)
{
    assert_true(it->change_count > 0);
    it->change_count--;
    it->score = it->begun;
    for (unsigned i = 0; i < it->change_count; i++) {
        assert_true(
            score_step(&it->sheet, &it->score, &it->changes[i], &(struct text){.start = NULL}));
    }
}

static void run(void *self, char *statement)
{
    struct sheet_case *it = self;

    it->line_count = 0;
    if (strncmp(statement, "open ", 5) == 0) {
        open_sheet(it, statement + 5);
    } else if (strcmp(statement, "undo") == 0) {
        undo(it);
    } else {
        change(it, statement);
    }
}

static void compare(void *self, const char *const *lines)
{
    struct sheet_case *it = self;
    unsigned expected = 0;

    for (; lines[expected]; expected++) {
        if (expected >= it->line_count || strcmp(lines[expected], it->lines[expected]) != 0) {
            cases_fail("expected %s\n     but was %s", lines[expected],
                       expected < it->line_count ? it->lines[expected] : "nothing");
        }
    }
    if (expected < it->line_count) {
        cases_fail("not expected: %s", it->lines[expected]);
    }
}

static void end(void *self)
{
    (void)self;
}

int main(int argc, char **argv)
{
    return argc == 2 ? cases_run(argv[1], &(struct language){begin, run, compare, end}) : 64;
}
