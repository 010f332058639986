/* Records as lines: nothing is lost, and nothing else is ever accepted. */
#include "journal/file.h"

#include "common/crc32c.h"
#include "journal_trial.h"
#include "rules/line.h"
#include "tests/support/sweep_step.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { RANDOM_RECORDS = 200, CHANGES = 20000 };

/* Gives one field any value. */
static void spoil(struct chance *chance, struct input *input)
{
    uint32_t any = (uint32_t)chance_next(chance) >> chance_below(chance, 32);
    uint32_t *const fields[] = {(uint32_t *)&input->piece,
                                (uint32_t *)&input->other,
                                (uint32_t *)&input->harbour,
                                (uint32_t *)&input->value,
                                (uint32_t *)&input->health,
                                (uint32_t *)&input->knots_milli,
                                &input->pieces,
                                (uint32_t *)&input->speed_mmps};
    unsigned place = chance_below(chance, sizeof fields / sizeof fields[0] + 1);

    if (place < sizeof fields / sizeof fields[0]) {
        *fields[place] = any;
    } else {
        input->sensor[chance_below(chance, 3)] = " \t\n\x7f="[chance_below(chance, 6)];
    }
}

static void assert_survives(const struct record *record)
{
    char line[FIRST_RECORD_SIZE_MAX];
    struct record again;
    int length = record_write(record, line);

    assert_true(length > 0);
    assert_int_equal(strlen(line), length);
    assert_null(strpbrk(line, "\n\r\t"));
    assert_int_equal(record_read(line, &again), 0);
    assert_true(same_record(record, &again));
    assert_null(again.input.setup);
    for (int shorter = 0; shorter < length; shorter++) {
        char cut[FIRST_RECORD_SIZE_MAX];
        snprintf(cut, sizeof cut, "%.*s", shorter, line);
        assert_int_equal(record_read(cut, &again), -EBADMSG);
    }
}

TEST(every_kind_of_input_survives_with_all_its_fields)
{
    struct chance chance = {1};
    struct record record;

    for (unsigned kind = 1; kind < INPUT_COUNT; kind++) {
        for (unsigned i = 0; i < RANDOM_RECORDS; i += sweep_step(10)) {
            recording_any(&chance, (enum input_kind)kind, &record);
            assert_survives(&record);
        }
    }
}

TEST(a_record_reads_like_what_was_said)
{
    const struct record record = {
        .input = {.kind = INPUT_TOPPLED, .at_us = 12881000, .piece = PIECE_BLUE_2},
        .wall_ms = 1700000000123,
        .hash = 0xbadcafe,
        .evidence = {.sensor = SENSOR_TILT + PIECE_BLUE_2,
                     .at_us = 12731000,
                     .settle_us = 150000,
                     .bounces = 3},
        .id = "it's me",
    };
    char line[FIRST_RECORD_SIZE_MAX];

    assert_true(record_write(&record, line) > 0);
    assert_string_equal(line, "2023-11-14T22:13:20.123Z 12881000 toppled piece=blue-2 ; "
                              "by=blue-2.tilt at_us=12731000 settle_us=150000 bounces=3 "
                              "id=it's%20me hash=0badcafe");
}

static struct record longest(enum input_kind kind)
{
    struct record record = {
        .input = {.kind = kind, .at_us = UINT64_MAX},
        .wall_ms = 1700000000123,
        .evidence = {.sensor = SENSOR_TILT + PIECE_YELLOW_TOWER,
                     .at_us = UINT64_MAX,
                     .width_us = UINT32_MAX,
                     .settle_us = UINT32_MAX,
                     .bounces = UINT32_MAX,
                     .beams = 1},
    };

    memset(record.id, '\1', sizeof record.id - 1); /* three letters each */
    return record;
}

TEST(the_longest_records_fit)
{
    struct record engage = longest(INPUT_ENGAGE);
    struct record knocked = longest(INPUT_KNOCKED);
    struct record new_game = longest(INPUT_NEW_GAME);

    engage.input.piece = PIECE_YELLOW_TOWER;
    engage.input.other = PIECE_GREEN_TOWER;
    assert_survives(&engage);
    knocked.input.pieces = (1U << PIECE_COUNT) - 2;
    knocked.id[0] = '\0'; /* no command */
    assert_survives(&knocked);
    struct chance chance = {9};
    struct record any;
    recording_any(&chance, INPUT_NEW_GAME, &any);
    new_game.setup = any.setup;
    for (unsigned player = 1; player < PLAYER_COUNT; player++) {
        memset(new_game.setup.seats[player].name, '\1', NAME_SIZE - 1);
        new_game.setup.seats[player].harbours = 0x1e;
    }
    assert_survives(&new_game);
}

TEST(what_could_not_be_read_again_is_not_written)
{
    const struct record wrong[] = {
        {.input = {.kind = INPUT_NONE}},
        {.input = {.kind = INPUT_COUNT}},
        {.input = {.kind = INPUT_AIM}},
        {.input = {.kind = INPUT_AIM, .piece = PIECE_COUNT}},
        {.input = {.kind = INPUT_ENGAGE, .piece = PIECE_RED_1, .other = PIECE_COUNT}},
        {.input = {.kind = INPUT_LOAD_BARREL, .piece = PIECE_RED_1, .harbour = HARBOUR_COUNT}},
        {.input = {.kind = INPUT_MOVE, .knots_milli = -1}},
        {.input = {.kind = INPUT_SENSOR_OK, .sensor = "two words"}},
        {.input = {.kind = INPUT_SENSOR_FAULT, .sensor = "cannon.beam", .health = HEALTH_COUNT}},
        {.input = {.kind = INPUT_FIRE}, .evidence = {.sensor = SENSOR_COUNT}},
        {.input = {.kind = INPUT_FIRE}, .evidence = {.sensor = SENSOR_TILT}},
        {.input = {.kind = INPUT_FIRE}, .evidence = {.sensor = SENSOR_ROPE_A, .beams = 2}},
        {.input = {.kind = INPUT_FIRE}, .wall_ms = -1},
        {.input = {.kind = INPUT_FIRE}, .wall_ms = INT64_MAX},
        {.input = {.kind = INPUT_NEW_GAME}, .setup = {.seats = {{.name = "nobody"}}}},
    };
    struct record unended = {.input = {.kind = INPUT_FIRE}};
    char line[FIRST_RECORD_SIZE_MAX];

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(record_write(&wrong[i], line), -EINVAL);
    }
    memset(unended.id, 'i', sizeof unended.id);
    assert_int_equal(record_write(&unended, line), -EINVAL);
}

static bool reads_as_written(const struct input *input)
{
    char text[LINE_SIZE];
    char text_again[LINE_SIZE];
    struct input again;

    if (line_write_input(input, text, sizeof text) >= sizeof text || strpbrk(text, "\n\x7f") ||
        line_read_input(text, &again)) {
        return false;
    }
    line_write_input(&again, text_again, sizeof text_again);
    /* The text has no place for pieces that do not exist. */
    return strcmp(text, text_again) == 0 && (!again.pieces || again.pieces == input->pieces);
}

/* Whatever an input is. Of what can be read, only a few numbers above 999999.999 are not written.
 */
TEST(what_is_written_can_be_read)
{
    struct chance chance = {3};
    unsigned written = 0;
    unsigned refused = 0;

    for (unsigned i = 0; i < CHANGES; i++) {
        struct record record;
        enum input_kind kind = (enum input_kind)chance_between(&chance, 1, INPUT_COUNT - 1);
        if (kind == INPUT_NEW_GAME) {
            continue;
        }
        recording_any(&chance, kind, &record);
        spoil(&chance, &record.input);
        char line[FIRST_RECORD_SIZE_MAX];
        bool is_readable = reads_as_written(&record.input);
        bool is_written = record_write(&record, line) > 0;
        assert_true(is_readable || !is_written);
        written += is_written;
        refused += is_readable && !is_written;
    }
    assert_in_range(written, CHANGES / 20, CHANGES - CHANGES / 20);
    assert_in_range(refused, 0, CHANGES / 1000);
}

/* Blanks, zeros before numbers, capital letters, another order: what is not written is not read. */
TEST(one_record_has_one_line)
{
    struct chance chance = {2};
    unsigned good = 0;

    for (unsigned i = 0; i < CHANGES; i += sweep_step(4)) {
        char line[FIRST_RECORD_SIZE_MAX];
        char again[FIRST_RECORD_SIZE_MAX];
        struct record record;
        recording_any(&chance, i % 8 ? INPUT_ENGAGE : INPUT_NEW_GAME, &record);
        int length = record_write(&record, line);
        assert_true(length > 0);
        line[chance_below(&chance, (unsigned)length)] =
            " ;=:,+%0189azAZ-T.\x80\x1b"[chance_below(&chance, 20)];
        if (record_read(line, &record) == 0) {
            assert_true(record_write(&record, again) > 0);
            assert_string_equal(line, again);
            good++;
        }
    }
    assert_in_range(good, 1, CHANGES - 1);
}

TEST(the_checksum_is_crc_32c)
{
    assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283);
    assert_int_equal(crc32c(crc32c(0, "12345", 5), "6789", 4), 0xe3069283);
    assert_int_equal(crc32c(0, "", 0), 0);
}
