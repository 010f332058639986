#include "loaded.h"

#include "rules/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

enum { OUTPUT_SIZE = 16384 };

static struct config config;
static char problems[OUTPUT_SIZE];

static FILE *begin(void)
{
    memset(&config, 'x', sizeof config);
    memset(problems, 0, sizeof problems);
    FILE *stream = fmemopen(problems, sizeof problems, "w");
    assert_non_null(stream);
    return stream;
}

/* Every problem is counted, and a configuration with problems is unchanged. */
static const char *end(FILE *stream, int result)
{
    int lines = 0;
    const char *bytes = (const char *)&config;

    assert_int_equal(fclose(stream), 0);
    for (const char *at = problems; *at; at++) {
        lines += *at == '\n';
    }
    assert_int_equal(result, lines);
    for (size_t i = 0; result && i < sizeof config; i++) {
        assert_int_equal(bytes[i], 'x');
    }
    return problems;
}

const char *problems_in_bytes(const char *bytes, size_t size)
{
    FILE *stream = begin();

    return end(stream, config_load_text("t", bytes, size, &config, config_print_problem, stream));
}

const char *problems_in(const char *text)
{
    return problems_in_bytes(text, strlen(text));
}

const char *problems_in_files(const char *const *files, size_t count)
{
    FILE *stream = begin();

    return end(stream, config_load(files, count, &config, config_print_problem, stream));
}

void assert_problems(const char *text, const char *expected)
{
    assert_string_equal(problems_in(text), expected);
}

const struct config *load(const char *text)
{
    assert_problems(text, "");
    return &config;
}

const struct config *load_files(const char *const *files, size_t count)
{
    assert_string_equal(problems_in_files(files, count), "");
    return &config;
}

static void add_change(void *context, const char *section, const char *key,
                       enum config_effect effect)
{
    struct text *text = context;

    text_add(text, "[");
    text_add(text, section);
    text_add(text, "] ");
    text_add(text, key);
    text_add(text, effect == CONFIG_LIVE        ? ": live\n"
                   : effect == CONFIG_NEXT_GAME ? ": next game\n"
                   : effect == CONFIG_RESTART   ? ": restart\n"
                                                : ": ?\n");
}

const char *update(struct config *current, const struct config *next, unsigned *effects)
{
    static char changes[OUTPUT_SIZE];
    struct text text = text_begin(changes, sizeof changes);

    *effects = config_update(current, next, add_change, &text);
    return changes;
}
