#include "stage.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 2048, TEXTS = 8, ROPE_PAUSE_US = 50000, CHANGES_PAUSE_US = 1000 };

void stage_begin(struct stage *stage, const char *ini)
{
    char text[TEXT_SIZE];

    snprintf(text, sizeof text, "[game]\nfirst = 1\n%s", ini);
    fake_table_begin(&stage->fake, text);
    stage->seen = 0;
    assert_int_equal(fake_table_start(&stage->fake), 0);
    fake_table_connect(&stage->fake);
}

void stage_end(struct stage *stage)
{
    fake_table_end(&stage->fake);
}

void stage_restart(struct stage *stage)
{
    fake_table_kill(&stage->fake);
    assert_int_equal(fake_table_start(&stage->fake), 0);
    fake_table_connect(&stage->fake);
}

void stage_run(void (*test)(struct stage *stage), const char *ini)
{
    static struct stage stage;

    stage_begin(&stage, ini);
    test(&stage);
    stage_end(&stage);
}

const char *quoted(const char *text)
{
    static char texts[TEXTS][TEXT_SIZE];
    static unsigned next;
    char *copy = texts[next++ % TEXTS];

    snprintf(copy, TEXT_SIZE, "%s", text);
    for (char *quote = strchr(copy, '\''); quote; quote = strchr(quote, '\'')) {
        *quote = '"';
    }
    return copy;
}

/* A part of a sentence has _ for its blanks. */
static const char *with_blanks(char *part)
{
    for (char *blank = strchr(part, '_'); blank; blank = strchr(blank, '_')) {
        *blank = ' ';
    }
    return part;
}

static bool has_parts(const char *text, const char *parts)
{
    char copy[TEXT_SIZE];
    char *rest;

    snprintf(copy, sizeof copy, "%s", quoted(parts));
    for (char *part = strtok_r(copy, " ", &rest); part; part = strtok_r(NULL, " ", &rest)) {
        if (!strstr(text, part) && !strstr(text, with_blanks(part))) {
            return false;
        }
    }
    return true;
}

void stage_say(struct stage *stage, const char *const *lines)
{
    for (; *lines; lines++) {
        stage->seen = fake_bus_count(stage->fake.bus);
        fake_table_say(&stage->fake, *lines, "");
    }
}

static void fail_at(const char *file, int line, const char *expected, const char *is)
{
    print_error("%s:%d:\n  expected %s\n  and got  %s\n", file, line, expected, is);
    _fail(file, line);
}

static bool is_said(const struct fake_message *message, const char *expected)
{
    const char *topic = message->topic + strlen(FAKE_BASE);
    size_t length = strcspn(expected, " ");

    return strncmp(message->topic, FAKE_BASE, strlen(FAKE_BASE)) == 0 && strlen(topic) == length &&
           strncmp(topic, expected, length) == 0 && has_parts(message->payload, expected + length);
}

void stage_then(struct stage *stage, const char *const *lines, const char *file, int line)
{
    char got[TEXT_SIZE];

    for (; stage->seen < fake_bus_count(stage->fake.bus); stage->seen++) {
        const struct fake_message *message = fake_bus_message(stage->fake.bus, stage->seen);
        if (message->retain) {
            continue;
        }
        if (!*lines || !is_said(message, *lines)) {
            snprintf(got, sizeof got, "%s %s", message->topic, message->payload);
            fail_at(file, line, *lines ? *lines : "nothing more", got);
        }
        lines++;
    }
    if (*lines) {
        fail_at(file, line, *lines, "nothing more");
    }
}

void stage_has(const char *text, const char *parts, const char *file, int line)
{
    if (!text || !has_parts(text, parts)) {
        fail_at(file, line, parts, text ? text : "nothing");
    }
}

void stage_topic(char topic[TOPIC_SIZE], const char *text)
{
    bool is_whole = text[0] == '/';

    snprintf(topic, TOPIC_SIZE, "%s%.*s", is_whole ? "" : FAKE_BASE, (int)strcspn(text, " "),
             text + is_whole);
}

/* The rope's topic is not told more often than its pause allows. */
void stage_retained(struct stage *stage, const char *topic, const char *parts, const char *file,
                    int line)
{
    char whole[TOPIC_SIZE];

    stage_topic(whole, topic);
    fake_table_wait(&stage->fake, strcmp(topic, "rope") == 0 ? ROPE_PAUSE_US : CHANGES_PAUSE_US);
    stage_has(fake_bus_retained(stage->fake.bus, whole), parts, file, line);
}
