/* Points and tie-breaks, computed by hand. */
#include "field.h"
#include "tests/support/test.h"

TEST(a_win_is_worth_the_same_at_every_table)
{
    field_begin(TOURNAMENT_SWISS, 9, 4, 1);
    field_expect_round("A-B-C D-E-F G-H-I");
    field_take("result 1 places=1,2,3 scores=9,5,1");
    field_take("result 2 places=2,2,1 scores=3,3,8");
    field_take("result 3 places=1,1,1 scores=4,4,4");
    field_expect_standings("A 12, F 12 scores, B 6, G 6 scores, H 6 lot, I 6 lot, "
                           "D 3, E 3 lot, C 0");
}

TEST(places_at_a_table_of_four_are_worth_12_8_4_and_0)
{
    field_begin(TOURNAMENT_SWISS, 4, 4, 1);
    field_expect_round("A-B-C-D");
    field_take("result 1 places=4,3,2,1 scores=1,2,3,4");
    field_expect_standings("D 12, C 8, B 4, A 0");
}

/* All have 2 points; A beat B, B beat C, C beat A: the direct result is equal, the scores are not.
 */
TEST(scores_decide_when_the_direct_result_is_a_circle)
{
    field_begin(TOURNAMENT_ROUND_ROBIN, 3, 2, 0);
    field_expect_round("A B-C");
    field_take("result 2 places=1,2 scores=9,2");
    field_expect_round("A-B C");
    field_take("result 3 places=1,2 scores=5,4");
    field_expect_round("A-C B");
    field_take("result 5 places=2,1 scores=1,3");
    field_expect_standings("B 2, A 2 scores, C 2 scores");
}

/* A and B have 4 points each, and A has beaten B. */
TEST(the_direct_result_decides_a_round_robin)
{
    field_begin(TOURNAMENT_ROUND_ROBIN, 4, 2, 0);
    field_expect_round("A-D B-C");
    field_results("D-A B-C");
    field_expect_round("A-B C-D");
    field_results("A-B C-D");
    field_expect_round("A-C D-B");
    field_results("A-C B-D");
    field_expect_standings("A 4, B 4 direct, C 2, D 2 direct");
}

/* C and A have 4 points; the opponents of C, A and D, have 4 + 0, and those of A, B and C, 2 + 4.
 */
TEST(the_points_of_the_opponents_decide_a_swiss_tournament)
{
    field_begin(TOURNAMENT_SWISS, 5, 2, 2);
    field_expect_round("A-B C-D E");
    field_results("A-B C-D");
    field_expect_round("A-C E-B D");
    field_results("A=C");
    field_results("B-E");
    field_expect_standings("A 3, C 3 lot, B 2, D 2 opponents, E 2 opponents");
}

TEST(the_last_criterion_is_the_lot)
{
    field_begin(TOURNAMENT_ROUND_ROBIN, 2, 2, 0);
    field.settings.entrants[0].lot = 2;
    field.settings.entrants[1].lot = 1;
    field_take("round after=0");
    field_take("result 1 places=1,1 scores=5,5");
    field_expect_standings("B 1, A 1 lot");
}
