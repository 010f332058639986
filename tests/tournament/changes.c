/* What is refused, and changes as lines. */
#include "field.h"
#include "tests/support/test.h"

static void refuse_begin(struct tournament_settings settings, const char *expected)
{
    for (unsigned i = 0; i < settings.entrant_count && i < TOURNAMENT_ENTRANTS_MAX; i++) {
        settings.entrants[i].lot = i + 1;
    }
    assert_string_equal(tournament_refusal_sentence(tournament_begin(&settings, &field)), expected);
}

TEST(a_tournament_that_cannot_be_played_is_refused)
{
    refuse_begin((struct tournament_settings){.entrant_count = 1, .group = 2},
                 "A tournament is for 2 to 64 players or teams.");
    refuse_begin((struct tournament_settings){.entrant_count = 5, .group = 5},
                 "There are 2 to 4 players at a table.");
    refuse_begin((struct tournament_settings){.entrant_count = 5, .group = 3, .has_teams = true},
                 "Teams and a knockout are played by two at a table.");
    refuse_begin((struct tournament_settings){.entrant_count = 5, .group = 2, .rounds = 2},
                 "Only a Swiss system has a chosen number of rounds.");
    refuse_begin(
        (struct tournament_settings){
            .system = TOURNAMENT_SWISS, .entrant_count = 5, .group = 2, .rounds = 5},
        "There are fewer rounds than players or teams.");
    refuse_begin((struct tournament_settings){.entrant_count = 33, .group = 2},
                 "A round robin is for up to 32 players or teams.");
}

TEST(wrong_results_are_refused)
{
    field_begin(TOURNAMENT_SWISS, 7, 3, 2);
    field_expect_round("A-B-C D-E F-G");
    field_refuse("result 1 places=1,2,4 scores=0,0,0",
                 "Expected a place for each player, such as 1, 2, 2 or 1, 1, 3.");
    field_refuse("result 1 places=1,1,2 scores=0,0,0",
                 "Expected a place for each player, such as 1, 2, 2 or 1, 1, 3.");
    field_refuse("result 1 places=2,2,3 scores=0,0,0",
                 "Expected a place for each player, such as 1, 2, 2 or 1, 1, 3.");
    field_take("result 1 places=1,1,3 scores=0,0,-5");
    field_refuse("round after=0", "Each pairing of this round needs a result first.");
    field_refuse("withdraw 8", "There is no such player or team.");
}

/* Otherwise the stored line could never be read again. */
TEST(a_result_is_taken_only_if_its_line_can_be_read_again)
{
    static const int32_t scores[] = {INT32_MIN, -100001, -100000, 0, 100000, 100001, INT32_MAX};

    field_begin(TOURNAMENT_SWISS, 2, 2, 1);
    field_expect_round("A-B");
    for (size_t i = 0; i < sizeof scores / sizeof scores[0]; i++) {
        struct tournament_change change = {
            .verb = TOURNAMENT_RESULT_VERB,
            .table = TOURNAMENT_NO_TABLE,
            .result = {TOURNAMENT_BY_TABLE, {1, 2}, {0, scores[i]}, "20260503-184211-1"}};
        struct tournament_change again;
        char line[TOURNAMENT_LINE_SIZE];
        enum tournament_refusal refusal = tournament_step(&field, &change);
        tournament_write_change(&field, &change, line);
        assert_int_equal(!refusal, tournament_read_change(&field, line, &again));
        if (refusal) {
            assert_int_equal(refusal, TOURNAMENT_REFUSED_SCORE_RANGE);
        } else {
            assert_memory_equal(&again.result, &change.result, sizeof change.result);
        }
    }
    assert_int_equal(field.pairings[0].result.scores[1], 100000);
}

TEST(a_bye_has_no_result)
{
    field_begin(TOURNAMENT_SWISS, 3, 2, 1);
    field_expect_round("A-B C");
    field_refuse("result 2 places=1 scores=0", "A bye has no result.");
}

TEST(a_result_can_be_corrected)
{
    field_begin(TOURNAMENT_SWISS, 2, 2, 1);
    field_expect_round("A-B");
    field_take("result 1 places=1,2 scores=7,4 game=20260503-184211-1");
    assert_int_equal(field.pairings[0].result.source, TOURNAMENT_BY_TABLE);
    assert_string_equal(field.pairings[0].result.game, "20260503-184211-1");
    field_take("result 1 places=2,1 scores=4,7");
    assert_int_equal(field.pairings[0].result.source, TOURNAMENT_BY_REFEREE);
    field_expect_standings("B 2, A 0");
}

TEST(lines_that_are_no_changes_are_not_read)
{
    static const char *const lines[] = {
        "",
        "round",
        "round after=",
        "round after=x",
        "rounds",
        "round after=0 pairings=",
        "round after=0 pairings=1-2,",
        "round after=0 pairings=1--2",
        "round after=0 pairings=0-2",
        "round after=0 pairings=1-65",
        "round after=0 pairings=1-2 3",
        "withdraw",
        "withdraw 0",
        "withdraw 1 2",
        "withdraw x",
        "table 1",
        "table 1 99",
        "result 1",
        "result 9 places=1,2 scores=0,0",
        "result 1 places=1 scores=0",
        "result 1 places=1,2 scores=0,0 by=me",
        "result 1 places=1,2 scores=9999999,0",
        "undo",
    };
    struct tournament_change change;

    field_begin(TOURNAMENT_SWISS, 2, 2, 1);
    field_expect_round("A-B");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (tournament_read_change(&field, lines[i], &change)) {
            fail_msg("%s", lines[i]);
        }
    }
}

/* The pairing code of another version may pair differently: what was begun stays as it was. */
TEST(a_recorded_round_has_its_recorded_pairings)
{
    field_begin(TOURNAMENT_SWISS, 5, 2, 2);
    field_take("round after=3 pairings=2-4,5-1,3");
    assert_int_equal(field.pairing_count, 3);
    assert_memory_equal(field.pairings[0].entrants, ((uint8_t[]){1, 3}), 2);
    assert_memory_equal(field.pairings[1].entrants, ((uint8_t[]){4, 0}), 2);
    assert_int_equal(field.pairings[2].count, 1);
    assert_int_equal(field.pairings[2].entrants[0], 2);
    assert_int_equal(field.after, 3);
}

TEST(a_recorded_round_that_does_not_fit_the_tournament_is_refused)
{
    static const char *const rounds[] = {
        "round after=0 pairings=1-2,1",   /* twice */
        "round after=0 pairings=1-2-3",   /* too many at a table */
        "round after=0 pairings=1-2,3-6", /* nobody */
    };

    field_begin(TOURNAMENT_SWISS, 5, 2, 2);
    for (size_t i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
        field_refuse(rounds[i], tournament_refusal_sentence(TOURNAMENT_REFUSED_NO_ROOM));
    }
}

/* The longest line: 64 entrants, and the largest number of a game. */
TEST(the_pairings_of_a_round_are_read_as_they_were_written)
{
    for (unsigned group = 2; group <= TOURNAMENT_GROUP_MAX; group++) {
        struct tournament_change change = {
            .verb = TOURNAMENT_ROUND_VERB, .table = TOURNAMENT_NO_TABLE, .after = INT64_MAX};
        struct tournament_change again;
        char line[TOURNAMENT_LINE_SIZE];

        field_begin(TOURNAMENT_SWISS, TOURNAMENT_ENTRANTS_MAX, group, 2);
        assert_int_equal(tournament_step(&field, &change), TOURNAMENT_REFUSED_NONE);
        change.seats = tournament_seats(&field);
        assert_int_equal(change.seats.count, TOURNAMENT_ENTRANTS_MAX);
        tournament_write_change(&field, &change, line);
        assert_true(tournament_read_change(&field, line, &again));
        assert_memory_equal(&again.seats, &change.seats, sizeof change.seats);
        assert_true(again.after == change.after);
    }
}
