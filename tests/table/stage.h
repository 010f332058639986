/*
 * A simulated table with a subscriber who compares all that is said.
 *
 *     TABLE_TEST(S3_a_piece_that_falls_is_a_trophy)
 *     {
 *         say(stage, "new-game", "ball-left", "toppled blue-3");
 *         then_said(stage, "event/piece-toppled 'piece':'blue-3'", "event/piece-captured 'by':1");
 *     }
 *
 * A line of what was said is a topic without its base, and parts of the payload that must be in it,
 * with blanks between them, ' for " and _ for a blank in a sentence.
 */
#ifndef TESTS_TABLE_STAGE_H
#define TESTS_TABLE_STAGE_H

#include "tests/support/test.h"

#include "tests/support/fake_table.h"

struct stage {
    struct fake_table fake;
    size_t seen; /* messages that have been compared */
};

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A test at a table that runs and is connected; with more configuration. */
#define TABLE_TEST(claim) TABLE_TEST_WITH(claim, "")
#define TABLE_TEST_WITH(claim, ini)                                                                \
    static void begin_and_##claim(void (*test)(struct stage * stage))                              \
    {                                                                                              \
        stage_run(test, (ini));                                                                    \
    }                                                                                              \
    TEST_OF(struct stage *stage, claim, begin_and_##claim)

void stage_run(void (*test)(struct stage *stage), const char *ini);

/* A table that runs and is connected; ini as for fake_table_begin, and the first player is 1. */
void stage_begin(struct stage *stage, const char *ini);
void stage_end(struct stage *stage);

/* The daemon starts again, after a kill, and is connected. */
void stage_restart(struct stage *stage);

/* Says lines (see fake_table_say), and forgets what was said before the last of them. */
#define say(stage, ...) stage_say((stage), LINES(__VA_ARGS__))

/* Compares all events and replies since the last line began, or since the last comparison. */
#define then_said(stage, ...) stage_then((stage), LINES(__VA_ARGS__), __FILE__, __LINE__)
#define then_nothing_said(stage)                                                                   \
    stage_then((stage), (const char *const[]){NULL}, __FILE__, __LINE__)

/* That the retained value of a topic has these parts, once it has followed the events. */
#define then_retained(stage, topic, parts)                                                         \
    stage_retained((stage), (topic), (parts), __FILE__, __LINE__)

/* That a text, which may be NULL, has these parts. */
#define then_has(text, parts) stage_has((text), (parts), __FILE__, __LINE__)

void stage_say(struct stage *stage, const char *const *lines);
void stage_then(struct stage *stage, const char *const *lines, const char *file, int line);
void stage_retained(struct stage *stage, const char *topic, const char *parts, const char *file,
                    int line);
void stage_has(const char *text, const char *parts, const char *file, int line);

/* The text with " for '; valid until the next but seven calls. */
const char *quoted(const char *text);

/* The topic that the text begins with, below our base unless it begins with /. */
void stage_topic(char topic[TOPIC_SIZE], const char *text);

#endif
