/* What is kept beside the open game: finished games, and how far the broker has followed. */
#include "journal_trial.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { GAMES = 6, GAME_LENGTH = 5, THREE_GAMES_BYTES = 3 * 16384 };

static struct recording tape;

static int play(void **state)
{
    (void)state;
    for (unsigned game = 1; game <= GAMES; game++) {
        recording_add_game(&tape, game, GAME_LENGTH);
    }
    return 0;
}

static const struct record *records_of(size_t game)
{
    return &tape.records[(game - 1) * GAME_LENGTH];
}

static struct journal *open_journal(const struct disk *disk, uint32_t games_max, uint64_t bytes_max)
{
    const struct journal_limits limits = {.games_max = games_max, .bytes_max = bytes_max};
    struct journal_report report;
    struct journal *journal;

    assert_int_equal(journal_open(&journal, disk, &limits, ignore_records, NULL, &report), 0);
    assert_string_equal(report.problem, "");
    assert_int_equal(report.unsure, 0);
    return journal;
}

static void append_games(struct journal *journal, unsigned first, unsigned last)
{
    for (unsigned i = (first - 1) * GAME_LENGTH; i < last * GAME_LENGTH; i++) {
        assert_int_equal(journal_append(journal, &tape.records[i]), 0);
    }
}

/* A disk with all games played on it, the last still open. */
struct shelf_test {
    struct fake_disk *fake;
    struct disk disk;
    struct journal *journal;
};

static void given_games(struct shelf_test *test)
{
    test->fake = fake_disk_new();
    test->disk = fake_disk_interface(test->fake);
    test->journal = open_journal(&test->disk, 100, UINT64_MAX);
    append_games(test->journal, 1, GAMES);
}

/* Prunes games of which the broker has those before `acknowledged`, and says how many were lost. */
static unsigned prune_unsent(struct shelf_test *test, struct journal_limits limits,
                             uint32_t acknowledged)
{
    struct journal_loss loss = {0};

    assert_int_equal(journal_prune(&test->disk, &limits, GAMES, acknowledged, &loss), 0);
    return loss.games;
}

static void prune(struct shelf_test *test, uint32_t games_max, uint64_t bytes_max, uint32_t before)
{
    const struct journal_limits limits = {.games_max = games_max, .bytes_max = bytes_max};
    struct journal_loss loss = {0};

    assert_int_equal(journal_prune(&test->disk, &limits, before, GAMES, &loss), 0);
    assert_int_equal(loss.games, 0);
}

static void end_test(struct shelf_test *test)
{
    journal_close(test->journal);
    fake_disk_free(test->fake);
}

static void acknowledge(const struct shelf_test *test, unsigned game, uint32_t seq)
{
    struct journal_mark mark = {.number = game, .seq = seq};

    snprintf(mark.game, sizeof mark.game, "game-%u", game);
    journal_acknowledge(test->journal, &mark);
}

static bool is_kept(const struct shelf_test *test, const char *name)
{
    size_t size;

    return fake_disk_get(test->fake, name, &size) != NULL;
}

static void the_oldest_finished_games_go_when_there_are_too_many(void **state)
{
    struct shelf_test test;

    (void)state;
    given_games(&test);
    assert_int_equal(fake_disk_count(test.fake, ".journal"), GAMES - 1);
    prune(&test, 2, UINT64_MAX, GAMES);
    assert_int_equal(fake_disk_count(test.fake, ".journal"), 2);
    assert_true(is_kept(&test, "game-4.journal"));
    assert_true(is_kept(&test, "game-5.journal"));
    end_test(&test);
}

/* It may be the open game under its second name, on the way to the next one. */
static void no_game_goes_that_was_not_finished_when_the_pruning_began(void **state)
{
    struct shelf_test test;

    (void)state;
    given_games(&test);
    prune(&test, 0, 0, 4);
    assert_int_equal(fake_disk_count(test.fake, ".journal"), 2);
    assert_true(is_kept(&test, "game-4.journal"));
    assert_true(is_kept(&test, "game-5.journal"));
    end_test(&test);
}

static void the_oldest_finished_games_go_when_they_are_too_large(void **state)
{
    struct shelf_test test;

    (void)state;
    given_games(&test);
    prune(&test, 100, THREE_GAMES_BYTES, GAMES);
    assert_int_equal(fake_disk_count(test.fake, ".journal"), 3);
    assert_true(is_kept(&test, "game-3.journal"));
    end_test(&test);
}

static void a_game_that_the_broker_lacks_is_kept_however_many_there_are(void **state)
{
    const struct journal_limits limits = {.games_max = 0, .bytes_max = UINT64_MAX};
    struct shelf_test test;

    (void)state;
    given_games(&test);
    assert_int_equal(prune_unsent(&test, limits, 3), 0);
    assert_int_equal(fake_disk_count(test.fake, ".journal"), GAMES - 3);
    assert_true(is_kept(&test, "game-3.journal"));
    end_test(&test);
}

static void a_game_that_the_broker_lacks_goes_for_lack_of_room_and_is_counted(void **state)
{
    const struct journal_limits limits = {.games_max = 100, .bytes_max = THREE_GAMES_BYTES};
    struct shelf_test test;

    (void)state;
    given_games(&test);
    assert_int_equal(prune_unsent(&test, limits, 2), GAMES - 1 - 3 - 1);
    assert_int_equal(fake_disk_count(test.fake, ".journal"), 3);
    end_test(&test);
}

static void lower_limits_hold_from_the_next_start(void **state)
{
    struct shelf_test test;

    (void)state;
    given_games(&test);
    assert_int_equal(fake_disk_count(test.fake, ".journal"), GAMES - 1);
    acknowledge(&test, GAMES, 1);
    journal_close(test.journal);
    test.journal = open_journal(&test.disk, 1, UINT64_MAX);
    assert_int_equal(fake_disk_count(test.fake, ".journal"), 1);
    assert_true(is_kept(&test, "game-5.journal"));
    end_test(&test);
}

static void files_that_are_no_journals_are_left_alone(void **state)
{
    struct shelf_test test;

    (void)state;
    given_games(&test);
    fake_disk_put(test.fake, "notes.journal", "dear diary", 10);
    fake_disk_put(test.fake, "notes.txt", "dear diary", 10);
    journal_close(test.journal);
    test.journal = open_journal(&test.disk, 0, 0);
    assert_int_equal(fake_disk_count(test.fake, ".journal"), 1);
    assert_true(is_kept(&test, "notes.journal"));
    assert_true(is_kept(&test, "notes.txt"));
    end_test(&test);
}

static void a_game_id_is_used_once_and_is_a_file_name(void **state)
{
    struct record record = tape.records[0];
    struct shelf_test test;

    (void)state;
    given_games(&test);
    assert_int_equal(journal_append(test.journal, &record), -EEXIST); /* a finished game */
    memcpy(record.game, "game-6", sizeof "game-6");
    assert_int_equal(journal_append(test.journal, &record), -EEXIST); /* the open game */
    memcpy(record.game, "../etc", sizeof "../etc");
    assert_int_equal(journal_append(test.journal, &record), -EINVAL);
    record.game[0] = '\0';
    assert_int_equal(journal_append(test.journal, &record), -EINVAL);
    end_test(&test);
}

static void nothing_is_recorded_before_a_game_begins(void **state)
{
    struct fake_disk *fake = fake_disk_new();
    struct disk disk = fake_disk_interface(fake);
    struct journal *journal = open_journal(&disk, 1, 1);

    (void)state;
    assert_int_equal(journal_append(journal, &tape.records[1]), -ENOENT);
    assert_int_equal(journal_visit(journal, refuse_records, NULL), 0);
    assert_int_equal(fake_disk_count(fake, ""), 0);
    journal_close(journal);
    fake_disk_free(fake);
}

static void a_question_is_refused_and_costs_nothing(void **state)
{
    const struct record question = {.input = {.kind = INPUT_HISTORY, .from = 1}};
    struct shelf_test test;

    (void)state;
    given_games(&test);
    unsigned syncs = fake_disk_syncs(test.fake);
    assert_int_equal(journal_append(test.journal, &question), -EINVAL);
    assert_int_equal(fake_disk_syncs(test.fake), syncs);
    end_test(&test);
}

static void an_append_is_one_sync(void **state)
{
    struct shelf_test test;

    (void)state;
    test.fake = fake_disk_new();
    test.disk = fake_disk_interface(test.fake);
    test.journal = open_journal(&test.disk, 1, UINT64_MAX);
    assert_int_equal(journal_append(test.journal, &tape.records[0]), 0);
    for (unsigned i = 1; i < GAME_LENGTH; i++) {
        unsigned syncs = fake_disk_syncs(test.fake);
        assert_int_equal(journal_append(test.journal, &tape.records[i]), 0);
        assert_int_equal(fake_disk_syncs(test.fake), syncs + 1);
    }
    end_test(&test);
}

static void the_open_game_is_visited_again_without_the_disk(void **state)
{
    struct comparison comparison = {.expected = records_of(GAMES), .count = GAME_LENGTH};
    struct shelf_test test;

    (void)state;
    given_games(&test);
    fake_disk_set_faults(test.fake, NULL); /* counts anew */
    assert_int_equal(journal_visit(test.journal, compare_records, &comparison), 0);
    assert_int_equal(comparison.seen, GAME_LENGTH);
    assert_false(comparison.differs);
    assert_int_equal(journal_visit(test.journal, refuse_records, NULL), 1);
    assert_int_equal(fake_disk_operations(test.fake), 0);
    end_test(&test);
}

/*
 * The mark
 */

static void then_mark(const struct journal *journal, const char *game, uint32_t seq)
{
    assert_string_equal(journal_acknowledged(journal)->game, game);
    assert_int_equal(journal_acknowledged(journal)->seq, seq);
}

static void the_mark_survives_a_restart(void **state)
{
    struct shelf_test test;

    (void)state;
    given_games(&test);
    then_mark(test.journal, "", 0);
    acknowledge(&test, 6, 3);
    then_mark(test.journal, "game-6", 3);
    journal_close(test.journal);
    test.journal = open_journal(&test.disk, 100, UINT64_MAX);
    then_mark(test.journal, "game-6", 3);
    end_test(&test);
}

static void the_mark_never_goes_back(void **state)
{
    struct shelf_test test;

    (void)state;
    given_games(&test);
    acknowledge(&test, 5, 9);
    acknowledge(&test, 6, 3);
    acknowledge(&test, 6, 2);
    acknowledge(&test, 5, 10);
    then_mark(test.journal, "game-6", 3);
    end_test(&test);
}

static void the_mark_is_written_and_synced_by_whoever_may_wait(void **state)
{
    struct shelf_test test;

    (void)state;
    given_games(&test);
    fake_disk_set_faults(test.fake, NULL);
    for (uint32_t seq = 1; seq <= 160; seq++) {
        acknowledge(&test, 6, seq);
    }
    assert_int_equal(fake_disk_operations(test.fake), 0);
    assert_false(journal_mark_is_written(test.journal));
    assert_int_equal(journal_write_mark(&test.disk, journal_acknowledged(test.journal)), 0);
    journal_mark_written(test.journal, journal_acknowledged(test.journal));
    assert_true(journal_mark_is_written(test.journal));
    acknowledge(&test, 6, 161);
    /* Closing writes the mark; with the power gone it cannot. */
    const struct fake_faults cut = {.cut_at = 1};
    fake_disk_set_faults(test.fake, &cut);
    journal_close(test.journal);
    fake_disk_restart(test.fake, LOSE_ALL, 0);
    test.journal = open_journal(&test.disk, 100, UINT64_MAX);
    then_mark(test.journal, "game-6", 160);
    end_test(&test);
}

static void a_mark_beyond_the_end_of_the_game_contradicts_it(void **state)
{
    struct shelf_test test;
    char kept_as[DISK_NAME_SIZE];

    (void)state;
    given_games(&test);
    assert_false(journal_contradicts_mark(test.journal, 3));
    acknowledge(&test, 5, 9);
    assert_false(journal_contradicts_mark(test.journal, 3));
    acknowledge(&test, 6, 3);
    assert_false(journal_contradicts_mark(test.journal, 3));
    assert_true(journal_contradicts_mark(test.journal, 2));
    acknowledge(&test, 7, 1);
    assert_true(journal_contradicts_mark(test.journal, 3));
    assert_int_equal(journal_set_aside(test.journal, kept_as), 0);
    assert_string_equal(kept_as, "game-6.damaged");
    assert_false(journal_contradicts_mark(test.journal, 3));
    assert_int_equal(journal_append(test.journal, &tape.records[1]), -ENOENT);
    end_test(&test);
}

static void finished_games_are_loaded_one_after_the_other(void **state)
{
    struct shelf_test test;
    struct journal_game game = {0};

    (void)state;
    given_games(&test);
    assert_int_equal(journal_number(test.journal), GAMES);
    for (unsigned i = 1; i < GAMES; i++) {
        struct comparison comparison = {.expected = records_of(i), .count = GAME_LENGTH};
        assert_int_equal(journal_load_finished(&test.disk, i - 1, GAMES, &game), 1);
        assert_int_equal(game.number, i);
        assert_int_equal(journal_visit_game(&game, compare_records, &comparison), 0);
        assert_int_equal(comparison.seen, GAME_LENGTH);
        assert_false(comparison.differs);
        journal_free_game(&game);
    }
    assert_int_equal(journal_load_finished(&test.disk, GAMES - 1, GAMES, &game), 0);
    end_test(&test);
}

static void a_game_that_is_gone_is_passed_over(void **state)
{
    struct shelf_test test;
    struct journal_game game = {0};

    (void)state;
    given_games(&test);
    prune(&test, 2, UINT64_MAX, GAMES);
    assert_int_equal(journal_load_finished(&test.disk, 0, GAMES, &game), 1);
    assert_int_equal(game.number, 4);
    journal_free_game(&game);
    end_test(&test);
}

static void a_disk_that_cannot_be_read_is_told(void **state)
{
    const struct fake_faults faults = {.fail_at = 1, .fail_errno = EIO};
    struct shelf_test test;
    struct journal_game game = {0};

    (void)state;
    given_games(&test);
    fake_disk_set_faults(test.fake, &faults);
    assert_int_equal(journal_load_finished(&test.disk, 0, GAMES, &game), -EIO);
    end_test(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_finished_games_go_when_there_are_too_many),
        cmocka_unit_test(no_game_goes_that_was_not_finished_when_the_pruning_began),
        cmocka_unit_test(the_oldest_finished_games_go_when_they_are_too_large),
        cmocka_unit_test(a_game_that_the_broker_lacks_is_kept_however_many_there_are),
        cmocka_unit_test(a_game_that_the_broker_lacks_goes_for_lack_of_room_and_is_counted),
        cmocka_unit_test(lower_limits_hold_from_the_next_start),
        cmocka_unit_test(files_that_are_no_journals_are_left_alone),
        cmocka_unit_test(a_game_id_is_used_once_and_is_a_file_name),
        cmocka_unit_test(nothing_is_recorded_before_a_game_begins),
        cmocka_unit_test(a_question_is_refused_and_costs_nothing),
        cmocka_unit_test(an_append_is_one_sync),
        cmocka_unit_test(the_open_game_is_visited_again_without_the_disk),
        cmocka_unit_test(the_mark_survives_a_restart),
        cmocka_unit_test(the_mark_never_goes_back),
        cmocka_unit_test(the_mark_is_written_and_synced_by_whoever_may_wait),
        cmocka_unit_test(a_mark_beyond_the_end_of_the_game_contradicts_it),
        cmocka_unit_test(finished_games_are_loaded_one_after_the_other),
        cmocka_unit_test(a_game_that_is_gone_is_passed_over),
        cmocka_unit_test(a_disk_that_cannot_be_read_is_told),
    };

    return cmocka_run_group_tests(tests, play, NULL);
}
