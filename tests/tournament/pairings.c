/* Who plays whom. */
#include "field.h"
#include "tests/support/test.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* How often these two are paired. */
static unsigned meetings(unsigned one, unsigned other)
{
    unsigned count = 0;

    for (unsigned i = 0; i < field.pairing_count; i++) {
        const struct tournament_pairing *pairing = &field.pairings[i];
        count += memchr(pairing->entrants, (int)one, pairing->count) &&
                 memchr(pairing->entrants, (int)other, pairing->count);
    }
    return count;
}

static unsigned byes_of(unsigned entrant)
{
    unsigned count = 0;

    for (unsigned i = 0; i < field.pairing_count; i++) {
        count += field.pairings[i].count == 1 && field.pairings[i].entrants[0] == entrant;
    }
    return count;
}

/* The better lot wins each game. */
static void play_round(void)
{
    unsigned first = field.pairing_count;

    field_take("round after=0");
    for (unsigned i = first; i < field.pairing_count; i++) {
        const struct tournament_pairing *pairing = &field.pairings[i];
        struct tournament_change change = {.verb = TOURNAMENT_RESULT_VERB, .pairing = i};
        if (pairing->count == 1 || pairing->result.source != TOURNAMENT_BY_NONE) {
            continue;
        }
        change.result.source = TOURNAMENT_BY_REFEREE;
        for (unsigned j = 0; j < pairing->count; j++) {
            change.result.places[j] = 1;
            for (unsigned k = 0; k < pairing->count; k++) {
                change.result.places[j] = (uint8_t)(change.result.places[j] +
                                                    (pairing->entrants[k] < pairing->entrants[j]));
            }
        }
        assert_int_equal(tournament_step(&field, &change), TOURNAMENT_REFUSED_NONE);
    }
}

TEST(a_round_robin_of_five_has_five_rounds_and_one_bye_each)
{
    field_begin(TOURNAMENT_ROUND_ROBIN, 5, 2, 0);
    field_expect_round("A B-E C-D");
    field_results("B-E C-D");
    field_expect_round("A-B C D-E");
    field_results("A-B D-E");
    field_expect_round("A-C D-B E");
    field_results("A-C B-D");
    field_expect_round("A-D E-C B");
    field_results("A-D C-E");
    field_expect_round("A-E D B-C");
    assert_false(tournament_is_over(&field));
    field_results("A-E B=C");
    assert_true(tournament_is_over(&field));
    field_refuse("round after=0", "All rounds have been played.");
}

TEST(everybody_meets_everybody_once_in_a_round_robin)
{
    for (unsigned count = 2; count <= 32; count++) {
        field_begin(TOURNAMENT_ROUND_ROBIN, count, 2, 0);
        while (!tournament_is_over(&field)) {
            play_round();
        }
        for (unsigned i = 0; i < count; i++) {
            assert_int_equal(byes_of(i), count % 2);
            for (unsigned j = 0; j < i; j++) {
                assert_int_equal(meetings(i, j), 1);
            }
        }
    }
}

TEST(a_round_robin_at_tables_of_three_and_four_ends_when_all_have_met)
{
    for (unsigned group = 3; group <= 4; group++) {
        for (unsigned count = 2; count <= 20; count++) {
            field_begin(TOURNAMENT_ROUND_ROBIN, count, group, 0);
            while (!tournament_is_over(&field)) {
                play_round();
            }
            for (unsigned i = 0; i < count; i++) {
                assert_int_equal(byes_of(i), 0);
                for (unsigned j = 0; j < i; j++) {
                    assert_true(meetings(i, j) > 0);
                }
            }
        }
    }
}

/* After the first round A, C and E have a win each, and the bye of G is worth one without a score.
 */
TEST(a_swiss_tournament_of_seven_has_byes_and_no_repetition)
{
    field_begin(TOURNAMENT_SWISS, 7, 2, 0);
    assert_int_equal(field.rounds, 3);
    field_expect_round("A-B C-D E-F G");
    field_results("A-B C-D E-F");
    field_expect_standings("A 2, C 2 lot, E 2 lot, G 2 scores, B 0, D 0 lot, F 0 lot");
    field_expect_round("A-C E-G B-D F");
    field_results("A-C G-E B-D");
    field_expect_standings("A 4, G 4 opponents, E 2, B 2 opponents, C 2 lot, F 2 opponents, D 0");
    field_expect_round("A-G E-B C-F D");
    field_results("G-A E-B F-C");
    assert_true(tournament_is_over(&field));
}

TEST(a_swiss_tournament_repeats_nothing_while_it_can_be_avoided)
{
    for (unsigned count = 4; count <= 33; count++) {
        field_begin(TOURNAMENT_SWISS, count, 2, 0);
        while (!tournament_is_over(&field)) {
            play_round();
        }
        for (unsigned i = 0; i < count; i++) {
            assert_true(byes_of(i) <= 1);
            for (unsigned j = 0; j < i; j++) {
                assert_true(meetings(i, j) <= 1);
            }
        }
    }
}

TEST(a_swiss_tournament_of_all_rounds_is_paired_to_its_end)
{
    for (unsigned count = 2; count <= 24; count++) {
        field_begin(TOURNAMENT_SWISS, count, 2, count - 1);
        for (unsigned round = 1; round < count; round++) {
            play_round();
        }
        assert_true(tournament_is_over(&field));
    }
}

/* How many pairings of the last round had met before. */
static unsigned repetitions(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < field.pairing_count; i++) {
        const struct tournament_pairing *pairing = &field.pairings[i];
        count += pairing->round == field.round && pairing->count == 2 &&
                 meetings(pairing->entrants[0], pairing->entrants[1]) > 1;
    }
    return count;
}

/* The fewest repetitions among those of the set, of all ways to pair them. */
static unsigned fewest_repetitions(unsigned set)
{
    unsigned fewest = set ? UINT_MAX : 0;
    unsigned first = 0;

    while (set && !(set & (1U << first))) {
        first++;
    }
    for (unsigned other = first + 1; set >> other; other++) {
        if (set & (1U << other)) {
            unsigned count = (meetings(first, other) > 0) +
                             fewest_repetitions(set & ~(1U << first | 1U << other));
            fewest = count < fewest ? count : fewest;
        }
    }
    return fewest;
}

/* Begins a round, and enters results by a throw of dice that is the same in each run. */
static void play_by_dice(unsigned *dice)
{
    unsigned first = field.pairing_count;

    field_take("round after=0");
    for (unsigned i = first; i < field.pairing_count; i++) {
        static const char *const results[] = {"places=1,2 scores=3,1", "places=2,1 scores=1,3"};
        char line[TOURNAMENT_LINE_SIZE];
        *dice = *dice * 1103515245U + 12345U;
        snprintf(line, sizeof line, "result %u %s", i + 1, results[*dice >> 16 & 1]);
        if (field.pairings[i].count > 1) {
            field_take(line);
        }
    }
}

TEST(a_swiss_tournament_repeats_no_more_than_it_has_to)
{
    unsigned dice = 1;
    unsigned repeated = 0;

    for (unsigned game = 0; game < 60; game++) {
        unsigned count = 4 + game % 3 * 2;
        field_begin(TOURNAMENT_SWISS, count, 2, count - 1);
        for (unsigned round = 1; round < count; round++) {
            unsigned expected = fewest_repetitions((1U << count) - 1);
            play_by_dice(&dice);
            assert_int_equal(repetitions(), expected);
            repeated += expected > 0;
        }
    }
    assert_true(repeated > 0);
}

TEST(a_large_swiss_tournament_repeats_one_pairing_of_a_round_at_most)
{
    unsigned dice = 7919;

    field_begin(TOURNAMENT_SWISS, 32, 2, 31);
    while (!tournament_is_over(&field)) {
        play_by_dice(&dice);
        assert_true(repetitions() <= 1);
    }
}

TEST(a_tournament_has_room_for_512_pairings)
{
    field_begin(TOURNAMENT_SWISS, 64, 2, 63);
    for (unsigned round = 1; round <= 16; round++) {
        play_round();
    }
    field_refuse("round after=0", "There is no room for another round: a tournament has up to 64 "
                                  "rounds and 512 pairings.");
}

TEST(tables_of_a_swiss_tournament_are_as_equal_as_possible)
{
    field_begin(TOURNAMENT_SWISS, 9, 4, 2);
    field_expect_round("A-B-C D-E-F G-H-I");
    field_take("result 1 places=1,2,3 scores=9,5,1");
    field_take("result 2 places=1,2,3 scores=8,4,1");
    field_take("result 3 places=1,1,3 scores=6,6,1");
    field_expect_round("A-D-G H-B-E C-F-I");
}

TEST(an_elimination_of_six_gives_the_first_two_lots_a_bye)
{
    field_begin(TOURNAMENT_ELIMINATION, 6, 2, 0);
    assert_int_equal(field.rounds, 3);
    field_expect_round("A D-E B C-F");
    field_results("E-D F-C");
    field_expect_round("A-E B-F");
    field_refuse("round after=0", "Each pairing needs a single winner first.");
    field_results("A-E");
    field_results("B=F");
    field_refuse("round after=0", "Each pairing needs a single winner first.");
    field_results("F-B");
    field_expect_round("A-F");
    field_refuse("result 6 places=1,2 scores=3,1",
                 "The winner plays in the next round already: undo that round first.");
    field_results("F-A");
    assert_true(tournament_is_over(&field));
    field_expect_standings("F 6, A 4, B 2, E 2 shared, C 0, D 0 shared");
}

TEST(whoever_withdraws_loses_without_a_game)
{
    field_begin(TOURNAMENT_ROUND_ROBIN, 4, 2, 0);
    field_expect_round("A-D B-C");
    field_results("A-D");
    field_take("withdraw 3");
    assert_int_equal(field.pairings[1].result.source, TOURNAMENT_BY_WALKOVER);
    field_refuse("withdraw 3", "They have withdrawn already.");
    field_expect_round("A-B C-D");
    assert_int_equal(field.pairings[3].result.source, TOURNAMENT_BY_WALKOVER);
    field_take("withdraw 4");
    field_refuse("withdraw 2", "A tournament needs two players or teams.");
    field_results("B-A");
    field_expect_round("A-C D-B");
    assert_true(tournament_is_over(&field));
    field_expect_standings("B 6, A 4, D 2, C 0");
}

TEST(the_winner_of_an_elimination_may_withdraw)
{
    field_begin(TOURNAMENT_ELIMINATION, 4, 2, 0);
    field_expect_round("A-D B-C");
    field_results("A-D B-C");
    field_take("withdraw 1");
    field_expect_round("A-B");
    assert_true(tournament_is_over(&field));
    field_expect_standings("B 4, A 2, C 0, D 0 shared");
}

TEST(a_swiss_tournament_goes_on_without_those_who_left)
{
    field_begin(TOURNAMENT_SWISS, 5, 2, 3);
    field_expect_round("A-B C-D E");
    field_take("withdraw 2");
    field_results("C-D");
    field_expect_standings("C 2, A 2 scores, E 2 lot, D 0, B 0 scores");
    field_expect_round("C-A E-D");
}

TEST(a_table_plays_on_without_the_one_who_left)
{
    field_begin(TOURNAMENT_SWISS, 3, 3, 1);
    field_expect_round("A-B-C");
    field_take("withdraw 3");
    assert_int_equal(field.pairings[0].result.source, TOURNAMENT_BY_NONE);
    field_take("result 1 places=2,1,3 scores=4,7,0");
    field_expect_standings("B 12, A 6, C 0");
}

TEST(tables_are_given_in_order_and_can_be_changed)
{
    field_begin(TOURNAMENT_SWISS, 6, 2, 2);
    field.settings.table_count = 2;
    field_expect_round("A-B C-D E-F");
    assert_int_equal(field.pairings[1].table, 1);
    assert_int_equal(field.pairings[2].table, TOURNAMENT_NO_TABLE);
    field_take("table 3 1");
    assert_int_equal(field.pairings[2].table, 0);
    field_refuse("table 3 3", "The tournament has no such table.");
    field_take("table 3 0");
    assert_int_equal(field.pairings[2].table, TOURNAMENT_NO_TABLE);
}
