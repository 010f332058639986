/* then and says: all that came of the last line, and that it is sound. */
#include "script.h"
#include "table.h"

#include "rules/line.h"
#include "rules/say.h"
#include "rules/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINES_MAX = EVENTS_MAX + 1 };

struct lines {
    unsigned count;
    char text[LINES_MAX][LINE_SIZE];
};

static void add_deadline(struct lines *lines, uint64_t at_us)
{
    char *text = lines->text[lines->count++];

    if (at_us % 1000 == 0) {
        snprintf(text, LINE_SIZE, "deadline %" PRIu64 "ms", at_us / 1000);
    } else {
        snprintf(text, LINE_SIZE, "deadline %" PRIu64 "us", at_us);
    }
}

static void describe(const struct table *table, struct lines *lines)
{
    const struct outcome *out = &table->outcome;

    if (table->refusal) {
        script_write_refusal((enum refusal)table->refusal, out->rule, lines->text[lines->count++],
                             LINE_SIZE);
    }
    for (unsigned i = 0; i < out->count; i++) {
        line_write_event(&out->events[i], lines->text[lines->count++], LINE_SIZE);
    }
    if (out->deadline_us) {
        add_deadline(lines, out->deadline_us);
    }
}

static bool same(const struct lines *actual, const char *const *expected)
{
    unsigned alike = 0;

    while (alike < actual->count && expected[alike] &&
           strcmp(actual->text[alike], expected[alike]) == 0) {
        alike++;
    }
    return alike == actual->count && !expected[alike];
}

static void print_both(const struct lines *actual, const char *const *expected)
{
    print_error("expected\n");
    for (; *expected; expected++) {
        print_error("    %s\n", *expected);
    }
    print_error("but it was\n");
    for (unsigned i = 0; i < actual->count; i++) {
        print_error("    %s\n", actual->text[i]);
    }
}

/* A sentence for people has no hole in it. */
static bool is_sentence(const char *text, size_t length)
{
    return length > 0 && length < SENTENCE_SIZE && !strpbrk(text, "{}");
}

static bool same_bytes(const void *one, const void *two, size_t size)
{
    return memcmp(one, two, size) == 0;
}

static const char *refusal_unsound(const struct table *table)
{
    char text[SENTENCE_SIZE];
    size_t length = say_refusal(&table->play.game, &table->said, (enum refusal)table->refusal,
                                table->outcome.rule, text, sizeof text);

    if (!same_bytes(&table->play.game, &table->before.game, sizeof table->play.game) ||
        table->play.count != table->before.count) {
        return "the refusal changed the game";
    }
    return is_sentence(text, length) ? NULL : "the refusal has no sentence";
}

/* Each event has the next number, the turn it happened in, and a sentence. */
static const char *events_unsound(const struct table *table)
{
    const struct game *after = &table->play.game;
    bool begins = table->said.kind == INPUT_NEW_GAME;
    bool goes_back = table->said.kind == INPUT_UNDO;
    uint32_t seq = begins ? 0 : table->before.game.seq;
    uint32_t turn = begins ? 0 : goes_back ? after->turn.number : table->before.game.turn.number;
    unsigned player = begins || goes_back ? after->player : table->before.game.player;

    if (table->outcome.rule) {
        return "an accepted step names the rule of a refusal";
    }
    for (unsigned i = 0; i < table->outcome.count; i++) {
        const struct event *event = &table->outcome.events[i];
        char text[SENTENCE_SIZE];
        if (event->kind == EVENT_TURN_STARTED) {
            turn++;
            player = after->player;
        }
        if (event->seq != ++seq) {
            return "the events are not numbered one by one";
        }
        if (event->turn != turn || event->player != player) {
            return "an event is not of the turn it happened in";
        }
        if (!is_sentence(text, say_event(after, event, text, sizeof text))) {
            return "an event has no sentence";
        }
    }
    if (table->outcome.rule) {
        return "what was accepted has a rule against it";
    }
    return seq == after->seq && turn == after->turn.number ? NULL : "the game lost count";
}

void table_then(void **state, const char *const *lines, const char *file, int line)
{
    struct table *table = table_of(state);
    struct lines actual = {0};
    const char *unsound = table->refusal ? refusal_unsound(table) : events_unsound(table);

    describe(table, &actual);
    table->compared = true;
    if (!same(&actual, lines)) {
        print_both(&actual, lines);
        _fail(file, line);
    }
    if (!unsound) {
        unsound = rules_violation(&table->play.game);
    }
    if (unsound) {
        print_error("then: unsound, %s\n", unsound);
        _fail(file, line);
    }
}

static void add_quoted(struct lines *lines, const char *sentence)
{
    struct text text = text_begin(lines->text[lines->count++], LINE_SIZE);

    text_add(&text, "\"");
    text_add(&text, sentence);
    text_add(&text, "\"");
}

void table_says(void **state, const char *const *lines, const char *file, int line)
{
    struct table *table = table_of(state);
    const struct game *game = &table->play.game;
    const struct outcome *out = &table->outcome;
    struct lines actual = {0};
    char sentence[SENTENCE_SIZE];

    table->compared = true;
    if (table->refusal) {
        say_refusal(game, &table->said, (enum refusal)table->refusal, out->rule, sentence,
                    sizeof sentence);
        add_quoted(&actual, sentence);
    }
    for (unsigned i = 0; i < out->count; i++) {
        say_event(game, &out->events[i], sentence, sizeof sentence);
        add_quoted(&actual, sentence);
    }
    if (!same(&actual, lines)) {
        print_both(&actual, lines);
        _fail(file, line);
    }
}
