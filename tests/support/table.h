/*
 * A table to test the rules at, in the words people use: given a position, when something is said,
 * then exactly this follows, and now the game stands like that.
 *
 *     given(state, "players 4", "red-1 fights blue-1", "turn blue", "phase combat");
 *     when(state, "end-phase");
 *     then(state, "refused combat-due C5");
 *     now(state, "phase combat", "red-1 fights blue-1");
 *
 * A colour stands for the player of that harbour. Several pieces or colours have a + between them.
 * The statements that given knows are the list in given.c; now.c writes all claims that hold.
 */
#ifndef TESTS_SUPPORT_TABLE_H
#define TESTS_SUPPORT_TABLE_H

#include "test.h"

#include "rules/play.h"

enum { TABLE_PAST_MAX = 64 };

struct table {
    struct play play;
    struct past past[TABLE_PAST_MAX];
    unsigned remembers; /* how much of past is used */
    struct setup setup; /* of the next new-game */
    bool lobby;         /* no game has been started */
    uint64_t clock_us;

    /* The last thing said, and what came of it. */
    struct input said;
    struct play before;
    int refusal;
    struct outcome outcome;
    bool compared; /* then or says has looked at it */
};

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

/*
 * A game that has just started, with four players and basic rules unless the lines say otherwise,
 * brought into the position that the lines describe. Fails the test if no game can get there.
 */
#define given(state, ...) table_given((state), LINES(__VA_ARGS__), __FILE__, __LINE__)

/*
 * Says each line (rules/line.h) to the game, at the time of the table's clock, which `@2950ms` or
 * `@3000001us` before a line sets first. All but the last must be accepted. `new-game` plays as the
 * given lines say; `new-game abandon` leaves the game that is running.
 */
#define when(state, ...) table_when((state), LINES(__VA_ARGS__), __FILE__, __LINE__)

/* The same for one input that no line can say. */
#define when_said(state, input) table_when_said((state), (input), __FILE__, __LINE__)

/*
 * Compares all that came of the last line: the events in the form of line_write_event, and then
 * `deadline 3000ms` if a window is open; or the one line `refused CODE RULE`. Checks as well that
 * the outcome is sound: numbering, sentences, invariants, and that a refusal changed nothing.
 */
#define then(state, ...) table_then((state), LINES(__VA_ARGS__), __FILE__, __LINE__)

/* Claims about the game as it stands. */
#define now(state, ...) table_now((state), LINES(__VA_ARGS__), __FILE__, __LINE__)

void table_given(void **state, const char *const *lines, const char *file, int line);
void table_when(void **state, const char *const *lines, const char *file, int line);
void table_when_said(void **state, const struct input *input, const char *file, int line);
void table_then(void **state, const char *const *lines, const char *file, int line);
void table_says(void **state, const char *const *lines, const char *file, int line);
void table_now(void **state, const char *const *lines, const char *file, int line);

/* The table that given prepared. */
struct table *table_of(void **state);

#endif
