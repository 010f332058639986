/* Records as bytes: nothing is lost, little is spent, and nothing else is ever accepted. */
#include "journal/record.h"

#include "common/crc32c.h"
#include "journal/bytes.h"
#include "journal_trial.h"

#include <errno.h>
#include <string.h>

enum { RANDOM_RECORDS = 200, RANDOM_BYTES = 100000, COMMAND_BYTES_MAX = 20, FRAME_BYTES = 5 };

static void assert_survives(const struct record *record, struct record_times before)
{
    uint8_t bytes[RECORD_SIZE_MAX];
    struct record_times written = before;
    struct record_times read = before;
    struct record again;
    int size = record_write(record, &written, bytes, sizeof bytes);

    assert_true(size > 0);
    assert_int_equal(record_read(bytes, (size_t)size, &read, &again), 0);
    assert_true(same_record(record, &again));
    assert_memory_equal(&written, &read, sizeof read);
    assert_null(again.input.setup);
    for (int shorter = 0; shorter < size; shorter++) {
        read = before;
        assert_int_equal(record_read(bytes, (size_t)shorter, &read, &again), -EBADMSG);
        assert_memory_equal(&before, &read, sizeof read);
    }
}

static void every_kind_of_input_survives_with_all_its_fields(void **state)
{
    struct chance chance = {1};
    struct record record;

    (void)state;
    for (unsigned kind = 1; kind < INPUT_COUNT; kind++) {
        if (rules_input_source((enum input_kind)kind) == SOURCE_QUESTION) {
            continue;
        }
        for (unsigned i = 0; i < RANDOM_RECORDS; i++) {
            struct record_times before = {chance_next(&chance), (int64_t)chance_next(&chance)};
            recording_any(&chance, (enum input_kind)kind, &record);
            assert_survives(&record, before);
        }
    }
}

static void the_longest_record_fits(void **state)
{
    struct record record = {
        .input = {.kind = INPUT_NEW_GAME, .at_us = UINT64_C(1) << 63},
        .wall_ms = INT64_MIN,
        .evidence = {.sensor = SENSOR_COUNT - 1,
                     .width_us = UINT32_MAX,
                     .settle_us = UINT32_MAX,
                     .bounces = UINT32_MAX},
    };

    (void)state;
    memset(record.id, 'i', sizeof record.id - 1);
    memset(record.game, 'g', sizeof record.game - 1);
    for (size_t i = 0; i < sizeof record.setup; i += 2) {
        ((uint8_t *)&record.setup)[i] = UINT8_MAX; /* single zeros cost most */
    }
    assert_survives(&record, (struct record_times){0, 0});
}

static void what_could_not_be_read_again_is_not_written(void **state)
{
    const struct record wrong[] = {
        {.input = {.kind = INPUT_NONE}},
        {.input = {.kind = INPUT_COUNT}},
        {.input = {.kind = INPUT_HISTORY}},
        {.input = {.kind = INPUT_AIM, .piece = PIECE_COUNT}},
        {.input = {.kind = INPUT_ENGAGE, .other = PIECE_COUNT}},
        {.input = {.kind = INPUT_LOAD_BARREL, .harbour = HARBOUR_COUNT}},
        {.input = {.kind = INPUT_ROLL_COMBAT, .value = FACE_COUNT}},
        {.input = {.kind = INPUT_KNOCKED, .pieces = UINT32_C(1) << PIECE_COUNT}},
        {.input = {.kind = INPUT_SENSOR_FAULT, .health = HEALTH_COUNT}},
        {.input = {.kind = INPUT_FIRE}, .evidence = {.sensor = SENSOR_COUNT}},
    };
    struct record unended = {.input = {.kind = INPUT_FIRE}};
    struct record_times times = {7, 8};
    uint8_t bytes[RECORD_SIZE_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(record_write(&wrong[i], &times, bytes, sizeof bytes), -EINVAL);
    }
    memset(unended.id, 'i', sizeof unended.id);
    assert_int_equal(record_write(&unended, &times, bytes, sizeof bytes), -EINVAL);
    assert_int_equal(times.at_us, 7);
    assert_int_equal(times.wall_ms, 8);
}

static void any_bytes_give_a_record_or_an_error(void **state)
{
    struct chance chance = {2};
    unsigned good = 0;

    (void)state;
    for (unsigned i = 0; i < RANDOM_BYTES; i++) {
        uint8_t bytes[64];
        struct record_times times = {0, 0};
        struct record record;
        size_t size = chance_below(&chance, sizeof bytes + 1);
        for (size_t byte = 0; byte < size; byte++) {
            bytes[byte] = (uint8_t)chance_below(&chance, chance_percent(&chance, 50) ? 4 : 256);
        }
        if (record_read(bytes, size, &times, &record) == 0) {
            assert_survives(&record, (struct record_times){0, 0});
            good++;
        }
    }
    assert_true(good > 0);
}

static void a_command_takes_few_bytes(void **state)
{
    static struct recording tape;
    struct record_times times = {0, 0};
    uint8_t bytes[RECORD_SIZE_MAX];

    (void)state;
    recording_add_game(&tape, 3, 300);
    for (unsigned i = 0; i < tape.count; i++) {
        int size = record_write(&tape.records[i], &times, bytes, sizeof bytes);
        if (rules_input_source(tape.records[i].input.kind) == SOURCE_COMMAND && i > 0) {
            assert_in_range(size + FRAME_BYTES, 1, COMMAND_BYTES_MAX);
        }
    }
}

static void the_checksum_is_crc_32c(void **state)
{
    (void)state;
    assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283);
    assert_int_equal(crc32c(crc32c(0, "12345", 5), "6789", 4), 0xe3069283);
    assert_int_equal(crc32c(0, "", 0), 0);
}

/*
 * Records hold words as numbers. When this fails, old games can no longer be read as they were
 * meant: raise JOURNAL_RULES_VERSION, and put the new sum here.
 */
static void the_order_of_the_words_belongs_to_the_version(void **state)
{
    uint32_t sum = 0;
    const uint32_t sizes[] = {sizeof(struct setup), SENSOR_TILT, SENSOR_BEAM, SENSOR_DOCK,
                              SENSOR_BUTTON};

    (void)state;
#define SUM_NAME(name, ...) sum = crc32c(sum, #__VA_ARGS__, sizeof #__VA_ARGS__);
    RULES_HARBOURS(SUM_NAME)
    RULES_PIECES(SUM_NAME)
    RULES_VARIANTS(SUM_NAME)
    RULES_SCENARIOS(SUM_NAME)
    RULES_FACES(SUM_NAME)
    RULES_HEALTHS(SUM_NAME)
    RULES_DICE(SUM_NAME)
    RULES_INPUTS(SUM_NAME)
#undef SUM_NAME
    sum = crc32c(sum, sizes, sizeof sizes);
    assert_int_equal(JOURNAL_RULES_VERSION, 2);
    assert_int_equal(sum, 0x8c8deb6a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_input_survives_with_all_its_fields),
        cmocka_unit_test(the_longest_record_fits),
        cmocka_unit_test(what_could_not_be_read_again_is_not_written),
        cmocka_unit_test(any_bytes_give_a_record_or_an_error),
        cmocka_unit_test(a_command_takes_few_bytes),
        cmocka_unit_test(the_checksum_is_crc_32c),
        cmocka_unit_test(the_order_of_the_words_belongs_to_the_version),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
