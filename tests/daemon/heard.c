#include "heard.h"

#include "rules/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

/* What a configuration must not be touched with when it has problems. */
static void mark(struct heard *heard, FILE **stream)
{
    memset(heard, 0, sizeof *heard);
    memset(&heard->config, 'x', sizeof heard->config);
    *stream = fmemopen(heard->problems, sizeof heard->problems, "w");
    assert_non_null(*stream);
}

static void check_promise(const struct heard *heard, FILE *stream)
{
    int lines = 0;
    const char *bytes = (const char *)&heard->config;

    assert_int_equal(fclose(stream), 0);
    for (const char *at = heard->problems; *at; at++) {
        lines += *at == '\n';
    }
    assert_int_equal(heard->result, lines);
    for (size_t i = 0; heard->result && i < sizeof heard->config; i++) {
        assert_int_equal(bytes[i], 'x');
    }
}

void hear_bytes(struct heard *heard, const char *bytes, size_t size)
{
    FILE *stream;

    mark(heard, &stream);
    heard->result =
        config_load_text("t", bytes, size, &heard->config, config_print_problem, stream);
    check_promise(heard, stream);
}

void hear(struct heard *heard, const char *text)
{
    hear_bytes(heard, text, strlen(text));
}

void hear_files(struct heard *heard, const char *const *files, size_t count)
{
    FILE *stream;

    mark(heard, &stream);
    heard->result = config_load(files, count, &heard->config, config_print_problem, stream);
    check_promise(heard, stream);
}

void assert_problems(const char *text, const char *problems)
{
    struct heard heard;

    hear(&heard, text);
    assert_string_equal(heard.problems, problems);
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

const char *changes_between(const struct config *old, const struct config *new, unsigned *effects,
                            char changes[HEARD_SIZE])
{
    struct text text = text_begin(changes, HEARD_SIZE);

    *effects = config_compare(old, new, add_change, &text);
    return changes;
}
