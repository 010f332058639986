/* Whole games, one for each scenario: what the scripts tell is what happens, to the last event. */
#include "tests/support/script.h"

#include "rules/line.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

enum { PATH_SIZE = 512 };

/* The script as it would read if it told what really happened. */
struct transcript {
    FILE *text;
    const char *violation;
    struct game last;
};

static void write_line(void *context, const char *text)
{
    struct transcript *transcript = context;

    fprintf(transcript->text, "%s\n", text);
}

static void write_step(void *context, const struct script_step *step)
{
    struct transcript *transcript = context;
    char text[LINE_SIZE];

    if (step->refusal) {
        script_write_refusal((enum refusal)step->refusal, step->outcome->rule, text, sizeof text);
        fprintf(transcript->text, "    > %s\n", text);
    }
    for (unsigned i = 0; i < step->outcome->count; i++) {
        line_write_event(&step->outcome->events[i], text, sizeof text);
        fprintf(transcript->text, "    > %s\n", text);
    }
    transcript->last = *step->game;
    if (!transcript->violation) {
        transcript->violation = rules_violation(step->game);
    }
}

/* Both texts line by line; fails at the first line that differs. */
static void assert_same_story(const char *path, FILE *told, char *happened)
{
    char expected[LINE_SIZE];
    char *rest;
    int number = 0;

    for (char *line = happened; *line; line = rest) {
        rest = line + strcspn(line, "\n");
        *rest++ = '\0';
        number++;
        if (!fgets(expected, sizeof expected, told)) {
            fail_msg("%s ends too early, before: %s", path, line);
        }
        expected[strcspn(expected, "\n")] = '\0';
        if (strcmp(line, expected) != 0) {
            fail_msg("%s:%d tells\n%s\nbut it was\n%s", path, number, expected, line);
        }
    }
    if (fgets(expected, sizeof expected, told)) {
        fail_msg("%s tells of what did not happen: %s", path, expected);
    }
}

static void plays_as_told(void **state)
{
    static const struct script_listener listener = {write_line, write_step};
    struct transcript transcript = {0};
    char path[PATH_SIZE];
    char *happened;
    size_t size;

    snprintf(path, sizeof path, "%s/%s.game", GAMES_DIR, (const char *)*state);
    FILE *script = fopen(path, "r");
    assert_non_null(script);
    transcript.text = open_memstream(&happened, &size);
    assert_non_null(transcript.text);
    int unreadable = script_play(script, &listener, &transcript);
    if (unreadable) {
        fail_msg("%s:%d is neither setup nor input", path, unreadable);
    }
    fclose(transcript.text);
    rewind(script);
    assert_same_story(path, script, happened);
    fclose(script);
    free(happened);
    assert_null(transcript.violation);
    assert_int_equal(transcript.last.phase, PHASE_OVER);
}

#define GAME(game)                                                                                 \
    {                                                                                              \
        .name = #game, .test_func = plays_as_told, .initial_state = #game                          \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAME(treasure_island), GAME(pirate_ship), GAME(sea_monster),
        GAME(heavy_wind),      GAME(merchant),    GAME(kraken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
