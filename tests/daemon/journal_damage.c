/* What is thought of a file that is not as it was written: cut off, or set aside and never played.
 */
#include "journal_trial.h"

#include "common/crc32c.h"
#include "journal/file.h"
#include "tests/support/sweep_step.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { GAME_LENGTH = 20, SCRIBBLES = 3000 };

static const struct journal_limits no_limits = {.games_max = 100, .bytes_max = UINT64_MAX};

/* A game, its file with the blanks at its end, and where its records end. */
static struct recording tape;
static uint8_t file[2 * JOURNAL_BLOCK_SIZE];
static size_t file_size;
static size_t ends[GAME_LENGTH + 1]; /* by number of records */

static int record_game(void **state)
{
    char header[JOURNAL_HEADER_SIZE_MAX];
    struct journal_end end;

    (void)state;
    recording_add_game(&tape, 21, GAME_LENGTH + 1);
    assert_int_equal(tape.count, GAME_LENGTH + 1);
    journal_file_begin(1, tape.records[0].game, header, &end);
    memcpy(file, header, end.size);
    for (unsigned i = 0; i < GAME_LENGTH; i++) {
        ends[i] = (size_t)end.size;
        assert_int_equal(journal_file_line(&tape.records[i], &end, (char *)file + ends[i]), 0);
    }
    ends[GAME_LENGTH] = (size_t)end.size;
    file_size = (size_t)journal_file_full_size(&end);
    journal_file_fill((char *)file, (size_t)end.size, file_size);
    return 0;
}

/* The journal with that file as the open game, and what was read of it. */
static struct trial opening;
static struct comparison comparison;

/* As it is on the disk now. */
static void open_again(journal_visit_fn *visit)
{
    trial_close(&opening);
    comparison = (struct comparison){.expected = tape.records, .count = tape.count};
    assert_int_equal(journal_open(&opening.journal, &opening.disk, &no_limits, visit, &comparison,
                                  &opening.report),
                     0);
    assert_false(comparison.differs);
}

static void open_with(journal_visit_fn *visit, const uint8_t *data, size_t size)
{
    trial_end(&opening);
    trial_begin(&opening, &tape);
    fake_disk_put(opening.fake, "open-game", data, size);
    open_again(visit);
}

static void open_file(const uint8_t *data, size_t size)
{
    open_with(compare_records, data, size);
}

static int end_opening(void **state)
{
    (void)state;
    trial_end(&opening);
    opening = (struct trial){0};
    return 0;
}

/* The game was set aside as it was, nothing of it is played, and a new one can begin. */
static void assert_set_aside(const uint8_t *data, size_t size)
{
    size_t kept_size;
    size_t open_size;
    const uint8_t *kept = fake_disk_get(opening.fake, opening.report.kept_as, &kept_size);

    assert_string_not_equal(opening.report.problem, "");
    assert_non_null(kept);
    assert_int_equal(kept_size, size);
    assert_memory_equal(kept, data, size);
    assert_null(fake_disk_get(opening.fake, "open-game", &open_size));
    assert_int_equal(journal_append(opening.journal, &tape.records[1]), -ENOENT);
    assert_int_equal(journal_append(opening.journal, &tape.records[0]), 0);
}

static unsigned records_within(size_t size)
{
    unsigned count = 0;

    while (count < GAME_LENGTH && ends[count + 1] <= size) {
        count++;
    }
    return count;
}

TEST_ALL(record_game, NULL)
TEST_EACH(NULL, end_opening)

TEST(a_file_torn_at_any_byte_loses_its_last_record_at_most)
{
    for (size_t size = ends[1]; size <= ends[GAME_LENGTH]; size += sweep_step(7)) {
        unsigned whole = records_within(size);
        open_file(file, size);
        assert_string_equal(opening.report.problem, "");
        assert_int_equal(comparison.seen, whole);
        assert_in_range(opening.report.torn_bytes, 0, size - ends[whole]);
        assert_int_equal(journal_append(opening.journal, &tape.records[whole]), 0);
        open_again(compare_records);
        assert_int_equal(comparison.seen, whole + 1);
        assert_int_equal(opening.report.torn_bytes, 0);
    }
}

TEST(a_file_without_a_whole_first_record_is_set_aside)
{
    for (size_t size = 0; size < ends[1]; size++) {
        open_file(file, size);
        assert_int_equal(comparison.seen, 0);
        assert_set_aside(file, size);
    }
}

TEST(a_bit_that_flips_is_noticed_or_costs_the_last_record)
{
    unsigned step = sweep_step(13);

    /* Every bit of the records, and some of the blanks behind them. */
    for (size_t bit = 0; bit < 8 * file_size; bit += bit / 8 < ends[GAME_LENGTH] ? step : 129) {
        size_t byte = bit / 8;
        file[byte] ^= (uint8_t)(1U << bit % 8);
        open_file(file, file_size);
        if (byte < ends[GAME_LENGTH - 1]) {
            assert_int_equal(comparison.seen, 0);
            assert_set_aside(file, file_size);
        } else if (opening.report.problem[0]) {
            assert_set_aside(file, file_size);
        } else {
            assert_int_equal(comparison.seen,
                             byte < ends[GAME_LENGTH] ? GAME_LENGTH - 1 : GAME_LENGTH);
        }
        file[byte] ^= (uint8_t)(1U << bit % 8);
    }
}

TEST(scribbled_bytes_never_become_a_record)
{
    struct chance chance = {31};
    uint8_t copy[sizeof file];

    for (unsigned i = 0; i < SCRIBBLES; i += sweep_step(10)) {
        size_t begin = chance_below(&chance, (unsigned)ends[GAME_LENGTH]);
        size_t size = chance_below(&chance, 1U << chance_below(&chance, 12));
        memcpy(copy, file, file_size);
        for (size_t byte = begin; byte < begin + size && byte < file_size; byte++) {
            copy[byte] = chance_percent(&chance, 50) ? (uint8_t)chance_below(&chance, 256) : 0;
        }
        open_file(copy, file_size); /* asserts that all that is seen was played */
    }
}

TEST(a_record_from_elsewhere_is_not_accepted)
{
    uint8_t copy[sizeof file];
    size_t second = ends[2] - ends[1];

    memcpy(copy, file, ends[2]);
    memcpy(copy + ends[2], file + ends[1], second); /* the second record once more */
    memcpy(copy + ends[2] + second, file + ends[2], file_size - ends[2]);
    open_file(copy, ends[2] + second);
    assert_int_equal(comparison.seen, 2);
    assert_int_equal(opening.report.torn_bytes, second - 1); /* but the end of the line */
    open_file(copy, file_size);
    assert_set_aside(copy, file_size);
}

TEST(damage_is_told_with_its_place)
{
    char expected[JOURNAL_PROBLEM_SIZE];

    file[ends[4] + 3] ^= 1;
    open_file(file, file_size);
    snprintf(expected, sizeof expected,
             "line 6 at byte %zu is damaged: its checksum does not match", ends[4]);
    assert_string_equal(opening.report.problem, expected);
    assert_string_equal(opening.report.kept_as, "game-1.damaged");
    file[ends[4] + 3] ^= 1;
}

TEST(a_second_damaged_game_does_not_replace_the_first)
{
    open_file(file, 3);
    assert_string_equal(opening.report.kept_as, "unknown.damaged");
    fake_disk_put(opening.fake, "open-game", file, 4);
    open_again(compare_records);
    assert_string_equal(opening.report.kept_as, "unknown-2.damaged");
    assert_int_equal(fake_disk_count(opening.fake, ".damaged"), 2);
}

/* A file with this header, which is whole. */
static void open_with_header(const char *header)
{
    uint8_t copy[sizeof file];
    int size = snprintf((char *)copy, sizeof copy, "%s #%08x\n", header,
                        crc32c(0, header, strlen(header)));

    memcpy(copy + size, file + ends[0], file_size - ends[0]);
    size_t copy_size = (size_t)size + file_size - ends[0];
    open_file(copy, copy_size);
    assert_set_aside(copy, copy_size);
}

TEST(another_version_is_named_and_set_aside)
{
    static const char binary[] = "shipahoy\1\0\2\0\1\0\0\0abcd";
    char header[JOURNAL_HEADER_SIZE_MAX];
    char expected[JOURNAL_PROBLEM_SIZE];

    open_with_header("shipahoy-journal 3 and whatever else it has");
    assert_string_equal(opening.report.problem, "the game is recorded in format 3, and this "
                                                "program reads format 2 only");
    snprintf(header, sizeof header, "shipahoy-journal 2 rules=%d number=1 game=game-1",
             JOURNAL_RULES_VERSION + 1);
    open_with_header(header);
    snprintf(expected, sizeof expected,
             "the game is played by version %d of the rules, and this program plays by version %d: "
             "it cannot go on",
             JOURNAL_RULES_VERSION + 1, JOURNAL_RULES_VERSION);
    assert_string_equal(opening.report.problem, expected);
    open_file((const uint8_t *)binary, sizeof binary);
    assert_non_null(strstr(opening.report.problem, "binary format"));
    assert_set_aside((const uint8_t *)binary, sizeof binary);
}

TEST(a_record_that_does_not_fit_the_game_sets_it_aside)
{
    open_with(refuse_records, file, file_size);
    assert_non_null(strstr(opening.report.problem, "does not fit the game before it"));
    assert_set_aside(file, file_size);
}

TEST(a_file_that_is_too_long_is_set_aside_unread)
{
    static uint8_t data[JOURNAL_SIZE_MAX + 1];

    memcpy(data, file, ends[GAME_LENGTH]);
    open_file(data, sizeof data);
    assert_int_equal(comparison.seen, 0);
    assert_non_null(strstr(opening.report.problem, "longer than"));
    assert_set_aside(data, sizeof data);
}
