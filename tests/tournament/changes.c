/* What is refused, and changes as lines. */
#include "field.h"
#include "tests/support/test.h"

static void refuse_begin(struct tournament_settings settings, const char *expected)
{
    char sentence[256];
    struct text problem = text_begin(sentence, sizeof sentence);

    for (unsigned i = 0; i < settings.entrant_count && i < TOURNAMENT_ENTRANTS_MAX; i++) {
        settings.entrants[i].lot = i + 1;
    }
    assert_false(tournament_begin(&settings, &field, &problem));
    assert_string_equal(sentence, expected);
}

TEST(a_tournament_that_cannot_be_played_is_refused)
{
    refuse_begin((struct tournament_settings){.entrant_count = 1, .group = 2},
                 "A tournament is for 2 to 64 players or teams.");
    refuse_begin((struct tournament_settings){.entrant_count = 5, .group = 5},
                 "There are 2 to 4 players at a table.");
    refuse_begin((struct tournament_settings){.entrant_count = 5, .group = 3, .has_teams = true},
                 "Teams and an elimination are played by two at a table.");
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
        char sentence[256] = "";
        struct text problem = text_begin(sentence, sizeof sentence);
        bool is_taken = tournament_step(&field, &change, &problem);
        tournament_write_change(&field, &change, line);
        assert_int_equal(is_taken, tournament_read_change(&field, line, &again));
        if (is_taken) {
            assert_memory_equal(&again.result, &change.result, sizeof change.result);
        } else {
            assert_string_equal(sentence, "A score is between -100000 and 100000.");
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
