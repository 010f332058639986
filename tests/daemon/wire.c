/* What is published, to the letter. */
#include "wire/wire.h"

#include "messages.h"

#include <jansson.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

static const struct wire_names names = {.table = "den", .game = "1"};

/* Sentences are the rules' own and tested there: they may change without a word to the record. */
static void leave_out_sentences(char *payload)
{
    static const char key[] = "\"message\":\"";

    for (char *found = strstr(payload, key); found; found = strstr(found, key)) {
        found += strlen(key);
        char *end = found;
        while (*end && *end != '"') {
            end += *end == '\\' ? 2 : 1;
        }
        memmove(found, end, strlen(end) + 1);
    }
}

/* The message's line in the record; the record is written by print_messages. */
static void compare_with_record(void *context, const char *topic, const char *payload)
{
    char *published = strdup(payload);
    FILE *record = context;
    char *line = NULL;
    size_t size = 0;
    ssize_t length = getline(&line, &size, record);

    assert_true(length > 0);
    assert_non_null(published);
    line[length - 1] = '\0';
    char *tab = strchr(line, '\t');
    assert_non_null(tab);
    *tab = '\0';
    assert_string_equal(topic, line);
    leave_out_sentences(tab + 1);
    leave_out_sentences(published);
    assert_string_equal(published, tab + 1);
    free(published);
    free(line);
}

static void every_message_is_as_recorded(void **state)
{
    (void)state;
    FILE *record = fopen(MESSAGES_FILE, "r");

    assert_non_null(record);
    messages_tell(compare_with_record, record);
    assert_int_equal(fgetc(record), EOF);
    fclose(record);
}

static void note_event(void *context, const char *topic, const char *payload)
{
    bool *told = context;

    (void)payload;
    if (strncmp(topic, "event/", strlen("event/")) == 0) {
        told[rules_event_named(topic + strlen("event/"))] = true;
    }
}

static void record_has_every_kind_of_event(void **state)
{
    (void)state;
    bool told[EVENT_COUNT] = {0};

    messages_tell(note_event, told);
    for (unsigned kind = 1; kind < EVENT_COUNT; kind++) {
        if (!told[kind]) {
            fail_msg("%s is missing", rules_event_name((enum event_kind)kind));
        }
    }
}

static void assert_payload(char *payload, const char *expected)
{
    assert_non_null(payload);
    assert_string_equal(payload, expected);
    free(payload);
}

static void numbers_are_the_same_in_a_locale_with_decimal_commas(void **state)
{
    (void)state;
    const struct wire_rope rope = {.knots_milli = 1620};

    /* Where the machine has no such locale there is nothing to go wrong either. */
    setlocale(LC_ALL, "de_DE.UTF-8");
    char *payload = wire_rope(&rope);
    setlocale(LC_ALL, "C");
    assert_payload(
        payload,
        "{\"knots\":1.62,\"piece\":null,\"left\":0,\"over\":false,\"counts\":0,\"invalid\":0}");
}

static void every_thousandth_of_a_knot_is_printed_without_noise(void **state)
{
    (void)state;
    for (int32_t milli = 1; milli < 10 * KNOT; milli++) {
        char expected[96];
        int length =
            snprintf(expected, sizeof expected, "{\"knots\":%d.%03d", milli / KNOT, milli % KNOT);
        while (expected[length - 1] == '0') {
            length--;
        }
        length -= expected[length - 1] == '.';
        snprintf(expected + length, sizeof expected - (size_t)length,
                 ",\"piece\":null,\"left\":0,\"over\":false,\"counts\":0,\"invalid\":0}");
        assert_payload(wire_rope(&(struct wire_rope){.knots_milli = milli}), expected);
    }
}

static void a_rope_pulled_backwards_is_negative(void **state)
{
    (void)state;
    assert_payload(
        wire_rope(&(struct wire_rope){.knots_milli = -50}),
        "{\"knots\":-0.05,\"piece\":null,\"left\":0,\"over\":false,\"counts\":0,\"invalid\":0}");
}

static void assert_since(int64_t since_ms, const char *expected)
{
    const struct setup setup = {0};
    const struct wire_info info = {.version = "1",
                                   .backend = "sim",
                                   .rules = "basic",
                                   .since_ms = since_ms,
                                   .storage = "",
                                   .defaults = &setup};
    char *payload = wire_info(&info);

    assert_non_null(payload);
    assert_non_null(strstr(payload, expected));
    free(payload);
}

static void time_is_utc_with_milliseconds(void **state)
{
    (void)state;
    assert_since(0, "\"1970-01-01T00:00:00.000Z\"");
    assert_since(INT64_C(1709210096007), "\"2024-02-29T12:34:56.007Z\"");
    assert_since(-1, "\"1969-12-31T23:59:59.999Z\"");
}

static void a_name_that_is_not_utf8_is_published_with_question_marks(void **state)
{
    (void)state;
    struct game game = messages_game();

    memcpy(game.setup.seats[1].name, "A\xff\"", sizeof "A\xff\"");
    char *payload = wire_score(&game, &names);
    assert_non_null(payload);
    assert_non_null(strstr(payload, "\"name\":\"A?\\\"\""));
    free(payload);
}

static void the_longest_sentence_is_published(void **state)
{
    (void)state;
    struct game game = messages_game();
    struct event event = {.kind = EVENT_GAME_OVER, .winners = 0x1e};

    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        char *name = game.setup.seats[player].name;
        memset(name, 0, NAME_SIZE);
        for (size_t i = 0; i + 3 < NAME_SIZE; i += 3) {
            memcpy(name + i, "\xe2\x9a\x93", 3);
        }
    }
    char *payload = wire_event(&game, &event, &names, 0, NULL, NULL);
    assert_non_null(payload);
    assert_null(strchr(payload, '?'));
    free(payload);
}

static void evidence_without_a_sensor_is_none(void **state)
{
    (void)state;
    const struct game game = messages_game();
    const struct event event = {.kind = EVENT_TURN_STARTED};
    const struct evidence none = {.at_us = 1};
    char *payload = wire_event(&game, &event, &names, 0, &none, "");

    assert_null(strstr(payload, "evidence"));
    free(payload);
}

/*
 * Memory that runs out
 */

static size_t allocations_left = SIZE_MAX;

void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_realloc(void *memory, size_t size)
{
    if (allocations_left == 0) {
        return NULL;
    }
    allocations_left--;
    return __real_realloc(memory, size);
}

static void memory_that_runs_out_anywhere_gives_no_payload(void **state)
{
    (void)state;
    const struct game game = messages_game();
    char *payload = NULL;
    size_t count = 0;

    for (; !payload; count++) {
        allocations_left = count;
        payload = wire_state(&game, &names);
    }
    allocations_left = SIZE_MAX;
    char *whole = wire_state(&game, &names);
    assert_true(count > 2);
    assert_string_equal(payload, whole);
    free(payload);
    free(whole);
}

/*
 * Text from outside
 */

/* As another JSON library reads it. */
static void then_read_as(const char *message, const char *expected)
{
    char *payload = wire_reply_refused("a", REFUSED_BAD_JSON, RULE_NONE, message);
    json_t *json = json_loads(payload, 0, NULL);

    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "message")), expected);
    json_decref(json);
    free(payload);
}

static void every_byte_of_ascii_is_read_as_it_was_written(void **state)
{
    (void)state;
    for (int byte = 1; byte < 0x80; byte++) {
        const char text[] = {'a', (char)byte, 'z', '\0'};
        then_read_as(text, text);
    }
}

static void characters_of_all_lengths_are_read_as_they_were_written(void **state)
{
    (void)state;
    then_read_as("\xc3\xa9 \xe2\x9a\x93 \xf0\x9f\x8f\xb4",
                 "\xc3\xa9 \xe2\x9a\x93 \xf0\x9f\x8f\xb4");
    then_read_as("\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf",
                 "\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf");
}

static void what_is_not_utf8_is_read_with_question_marks(void **state)
{
    (void)state;
    then_read_as("a\xff", "a?");
    then_read_as("a\x80z", "a?z");    /* no character begins so */
    then_read_as("a\xe2\x9a", "a??"); /* it is cut off */
    then_read_as("a\xc0\xaf", "a??"); /* longer than needed */
    then_read_as("a\xe0\x80\xaf", "a???");
    then_read_as("a\xed\xa0\x80", "a???");          /* half of a pair */
    then_read_as("a\xf4\x90\x80\x80\"", "a????\""); /* beyond the last character */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_is_as_recorded),
        cmocka_unit_test(record_has_every_kind_of_event),
        cmocka_unit_test(numbers_are_the_same_in_a_locale_with_decimal_commas),
        cmocka_unit_test(every_thousandth_of_a_knot_is_printed_without_noise),
        cmocka_unit_test(a_rope_pulled_backwards_is_negative),
        cmocka_unit_test(time_is_utc_with_milliseconds),
        cmocka_unit_test(a_name_that_is_not_utf8_is_published_with_question_marks),
        cmocka_unit_test(the_longest_sentence_is_published),
        cmocka_unit_test(evidence_without_a_sensor_is_none),
        cmocka_unit_test(memory_that_runs_out_anywhere_gives_no_payload),
        cmocka_unit_test(every_byte_of_ascii_is_read_as_it_was_written),
        cmocka_unit_test(characters_of_all_lengths_are_read_as_they_were_written),
        cmocka_unit_test(what_is_not_utf8_is_read_with_question_marks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
