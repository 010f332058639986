/*
 * Runs the rules' tests, NAME.txt:
 *
 *     == C5 step cannot end while a combat is due
 *     given red-1 fights blue-1, turn blue, phase combat
 *     end-phase > refused combat-due C5
 *     now phase combat
 *
 * `given` sets up a position (support/given.c lists its statements); without it, it is a game of
 * four that has just begun. `now` makes claims about the game (support/now.c). Any other statement
 * is inputs, as they come over MQTT or from a sensor; all but the last must be accepted. After `>`
 * is everything that the last input causes: its events and deadline, a refusal, or `nothing`, and
 * on lines of their own the sentences in quotes. `taken-back INPUT` says the input and `undo`,
 * which must give the same game again.
 */
#include "tests/support/cases.h"
#include "tests/support/table.h"

#include <string.h>

enum { LINES_MAX = 32, TEXT_SIZE = 2048 };

struct rule_case {
    void *table; /* as the state of a cmocka test */
};

static struct rule_case rule_case;

static void *begin(void)
{
    rule_case = (struct rule_case){0};
    table_given(&rule_case.table, (const char *const[]){NULL}, cases_path(), cases_line());
    return &rule_case;
}

/* The text after the word, if the statement begins with it. */
static char *after(char *statement, const char *word)
{
    size_t length = strlen(word);

    return strncmp(statement, word, length) == 0 && statement[length] == ' '
               ? statement + length + 1
               : NULL;
}

/* All but the numbering is as it was. */
static void take_back(void **table, const char *input)
{
    struct game before = table_of(table)->play.game;

    table_when(table, LINES(input, "undo"), cases_path(), cases_line());
    assert_int_equal(table_of(table)->refusal, 0);
    before.seq = table_of(table)->play.game.seq;
    assert_memory_equal(&before, &table_of(table)->play.game, sizeof before);
}

static void run(void *self, char *statement)
{
    struct rule_case *it = self;
    char *parts[PARTS_MAX + 1];
    const char *const *lines = (const char *const *)parts;
    char *position = after(statement, "given");
    char *claims = after(statement, "now");
    char *input = after(statement, "taken-back");

    cases_split(position ? position : claims ? claims : statement, parts);
    if (position) {
        table_given(&it->table, lines, cases_path(), cases_line());
    } else if (claims) {
        table_now(&it->table, lines, cases_path(), cases_line());
    } else if (input) {
        take_back(&it->table, input);
    } else {
        table_when(&it->table, lines, cases_path(), cases_line());
    }
}

/* The events or the refusal, with `, ` between them, and the sentences, which are in quotes. */
static void compare(void *self, const char *const *lines)
{
    struct rule_case *it = self;
    char *events[LINES_MAX + PARTS_MAX + 1] = {NULL};
    const char *sentences[LINES_MAX + 1] = {NULL};
    char text[TEXT_SIZE];
    size_t used = 0;
    size_t event_count = 0;
    size_t sentence_count = 0;

    for (; *lines; lines++) {
        if (**lines == '"') {
            sentences[sentence_count++] = *lines;
            continue;
        }
        assert_true(used + strlen(*lines) < sizeof text && event_count < LINES_MAX);
        memcpy(text + used, *lines, strlen(*lines) + 1);
        cases_split(text + used, events + event_count);
        used += strlen(*lines) + 1;
        while (events[event_count]) {
            event_count++;
        }
    }
    if (event_count) {
        events[0] = strcmp(events[0], "nothing") == 0 ? NULL : events[0];
        table_then(&it->table, (const char *const *)events, cases_path(), cases_line());
    }
    if (sentence_count) {
        table_says(&it->table, sentences, cases_path(), cases_line());
    }
}

/* A refusal of the last input must not go unnoticed. */
static void end(void *self)
{
    struct rule_case *it = self;
    const struct table *table = table_of(&it->table);

    if (table->refusal && !table->compared) {
        cases_fail("the last input was refused");
    }
}

int main(int argc, char **argv)
{
    static const struct language language = {begin, run, compare, end};

    return argc == 2 ? cases_run(argv[1], &language) : 1;
}
