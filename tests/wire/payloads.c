/* Payloads, byte by byte. */
#include "tests/support/test.h"

#include "wire/wire.h"

#include "messages.h"

#include <jansson.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct wire_names names = {.table = "den", .game = "1"};

/* Sentences belong to rules/ and may change without a new record. */
static void remove_sentences(char *payload)
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

/* Compares a message with the next line of the record, which print_messages writes. */
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
    remove_sentences(tab + 1);
    remove_sentences(published);
    assert_string_equal(published, tab + 1);
    free(published);
    free(line);
}

TEST(every_message_is_as_recorded)
{
    FILE *record = fopen(MESSAGES_FILE, "r");

    assert_non_null(record);
    messages_emit(compare_with_record, record);
    assert_int_equal(fgetc(record), EOF);
    fclose(record);
}

TEST(the_announcement_for_home_assistant_is_as_recorded)
{
    struct setup setup;
    const struct wire_homeassistant table = {.id = "shipahoy-den",
                                             .table = "den",
                                             .base = "shipahoy/den/",
                                             .version = "1.0.0",
                                             .page_url = "http://den.local/#table=den",
                                             .setup = &setup};

    rules_default_setup(&setup, 2);
    char *payload = wire_homeassistant(&table);
    json_t *announced = json_loads(payload, JSON_REJECT_DUPLICATES, NULL);
    json_t *recorded = json_load_file(ANNOUNCEMENT_FILE, 0, NULL);
    assert_non_null(recorded);
    if (!json_equal(announced, recorded)) {
        fprintf(stderr, "%s\n", payload); /* longer than a message of cmocka */
        fail();
    }
    json_decref(announced);
    json_decref(recorded);
    free(payload);
}

static void note_event(void *context, const char *topic, const char *payload)
{
    bool *seen = context;

    (void)payload;
    if (strncmp(topic, "event/", strlen("event/")) == 0) {
        seen[rules_event_named(topic + strlen("event/"))] = true;
    }
}

TEST(record_has_every_kind_of_event)
{
    bool seen[EVENT_COUNT] = {0};

    messages_emit(note_event, seen);
    for (unsigned kind = 1; kind < EVENT_COUNT; kind++) {
        if (!seen[kind]) {
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

static void assert_knots(int32_t knots_milli, const char *knots)
{
    char expected[160];

    snprintf(expected, sizeof expected,
             "{\"knots\":%s,\"piece\":null,\"left\":0,\"over\":false,\"counts\":0,\"invalid\":0,"
             "\"presses\":0,\"pressed_counts\":0}",
             knots);
    assert_payload(wire_rope(&(struct wire_rope){.knots_milli = knots_milli}), expected);
}

TEST(knots_have_no_more_decimals_than_needed_in_any_locale)
{
    setlocale(LC_ALL, "de_DE.UTF-8"); /* with decimal commas, if it is installed */
    assert_knots(0, "0");
    assert_knots(1, "0.001");
    assert_knots(-50, "-0.05");
    assert_knots(1620, "1.62");
    assert_knots(2000, "2");
    assert_knots(-12345, "-12.345");
    setlocale(LC_ALL, "C");
}

TEST(the_longest_sentence_is_published)
{
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

TEST(evidence_without_a_sensor_is_none)
{
    const struct game game = messages_game();
    const struct event event = {.kind = EVENT_TURN_STARTED};
    const struct evidence none = {.at_us = 1};
    char *payload = wire_event(&game, &event, &names, 0, &none, "");

    assert_null(strstr(payload, "evidence"));
    free(payload);
}

TEST(evidence_by_mqtt_has_its_delay_even_if_it_is_0)
{
    const struct game game = messages_game();
    const struct event event = {.kind = EVENT_TURN_STARTED};
    const struct evidence evidence = {.sensor = SENSOR_CANNON_BEAM, .is_radio = true};
    char *payload = wire_event(&game, &event, &names, 0, &evidence, "cannon.beam");

    assert_non_null(strstr(payload, "\"source\":\"mqtt\",\"late_ms\":0}"));
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

TEST(memory_that_runs_out_anywhere_gives_no_payload)
{
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

/* As jansson reads it. */
static void then_read_as(const char *message, const char *expected)
{
    char *payload = wire_reply_refused("a", REFUSED_BAD_JSON, RULE_NONE, message);
    json_t *json = json_loads(payload, 0, NULL);

    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "message")), expected);
    json_decref(json);
    free(payload);
}

TEST(every_byte_of_ascii_is_read_as_it_was_written)
{
    for (int byte = 1; byte < 0x80; byte++) {
        const char text[] = {'a', (char)byte, 'z', '\0'};
        then_read_as(text, text);
    }
}

TEST(bytes_that_are_not_utf8_become_question_marks)
{
    then_read_as("\xc3\xa9 \xe2\x9a\x93 \xf0\x9f\x8f\xb4",
                 "\xc3\xa9 \xe2\x9a\x93 \xf0\x9f\x8f\xb4");
    then_read_as("a\xe2\x9a\"", "a??\"");
}
