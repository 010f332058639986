/* E: points, the end, and who has won. */
#include "tests/support/table.h"

#define ALL_BUT_GREEN_1 "green-2+green-3+green-tower captured by red"

static void E1_a_player_without_pieces_is_out_and_the_game_ends(void **state)
{
    given(state, ALL_BUT_GREEN_1, "turn blue");
    when(state, "ball-left", "end-phase", "topple green-1");
    then(state, "piece-toppled piece=green-1 S3", "piece-captured piece=green-1 by=2 how=shot S3",
         "player-out out=3 E1", "game-over ranking=1:4,2:1,4:0,3:0 winners=1 E3");
    now(state, "phase over", "green out", "winners red", "shot done");
}

static void E1_nobody_is_out_while_the_shot_is_open(void **state)
{
    given(state, ALL_BUT_GREEN_1);
    when(state, "ball-left", "@100ms toppled green-1");
    then(state, "piece-toppled piece=green-1 S3", "piece-captured piece=green-1 by=1 how=shot S3",
         "deadline 3000ms");
    now(state, "phase shooting", "shot open", "ships green 0", "towers green 0", "green not out",
        "no winners");
    when(state, "@3000ms window-over");
    then(state, "shot-over S4", "player-out out=3 E1",
         "game-over ranking=1:5,2:0=4:0,3:0 winners=1 E3");
    now(state, "phase over", "green out", "winners red", "shot done");
}

static void E1_players_who_lost_everything_to_one_ball_are_out_together(void **state)
{
    given(state, ALL_BUT_GREEN_1, "blue-2+blue-3+blue-tower captured by yellow",
          "red-1 captured by green", "red-2+red-tower captured by blue");
    when(state, "ball-left", "@100ms toppled green-1", "@900ms toppled blue-1",
         "@1000ms toppled yellow-1", "@3000ms window-over");
    then(state, "shot-over S4", "player-out out=2 E1", "player-out out=3 E1",
         "game-over ranking=1:7,4:4,2:3,3:1 winners=1 E3");
    now(state, "phase over", "blue out", "green out", "yellow-1 captured by red");
}

static void E1_a_second_ball_does_not_end_the_wait(void **state)
{
    given(state, ALL_BUT_GREEN_1);
    when(state, "ball-left", "@100ms toppled green-1", "@500ms ball-left");
    then(state, "foul S8", "deadline 3000ms");
    when(state, "@600ms toppled blue-1");
    then(state, "disturbance pieces=blue-1 S7", "deadline 3000ms");
    when(state, "@3000ms window-over");
    then(state, "shot-over S4", "player-out out=3 E1",
         "game-over ranking=1:5,2:0=4:0,3:0 winners=1 E3");
}

static void E1_close_combat_ends_it_as_well(void **state)
{
    given(state, ALL_BUT_GREEN_1, "green-1 fights red-1", "green-1 fights blue-1", "phase combat");
    when(state, "roll-combat red-1 green-1 flag");
    then(state, "combat-rolled attacker=red-1 target=green-1 value=flag C2",
         "piece-captured piece=green-1 with=red-1 by=1 how=combat C2",
         "combat-ended attacker=green-1 target=red-1 C6",
         "combat-ended attacker=green-1 target=blue-1 C6", "player-out out=3 E1",
         "game-over ranking=1:5,2:0=4:0,3:0 winners=1 E3");
}

static void E2_ships_count_one_and_towers_two(void **state)
{
    given(state, "blue-1+green-1+yellow-1 captured by red", "red-tower captured by blue",
          "red-1+yellow-tower captured by green", "blue-2 lost");
    now(state, "score red 3", "score blue 2", "score green 3", "score yellow 0");
}

static void E2_pieces_lost_for_all_count_for_nobody(void **state)
{
    given(state, "scenario sea-monster", "blue-1+blue-tower lost");
    now(state, "score red 0", "score blue 0", "score green 0", "score yellow 0");
}

static void E2_a_house_may_count_differently(void **state)
{
    given(state, "house ship_points=3", "house tower_points=7", "blue-1 captured by red",
          "red-tower captured by blue");
    now(state, "score red 3", "score blue 7");
    given(state, "scenario pirate-ship", "house pirate_points=5", "pirate captured by red");
    now(state, "score red 5");
    given(state, "scenario merchant", "house barrel_points=4", "red delivered from blue");
    now(state, "score red 4");
    given(state, "scenario treasure-island", "house chest_points=9", "red-1 has chest",
          "phase over", "green-1+green-2+green-3+green-tower lost");
    now(state, "score red 9", "winners red");
}

static void E3_most_points_win(void **state)
{
    given(state, ALL_BUT_GREEN_1, "red-1+red-2+red-tower+yellow-tower captured by blue");
    when(state, "fire", "end-phase", "topple green-1");
    then(state, "piece-toppled piece=green-1 S3", "piece-captured piece=green-1 by=1 how=shot S3",
         "player-out out=3 E1", "game-over ranking=2:6,1:5,4:0,3:0 winners=2 E3");
}

static void E3_a_tie_goes_to_more_towers(void **state)
{
    given(state, ALL_BUT_GREEN_1, "red-1+red-tower+yellow-tower captured by blue");
    when(state, "fire", "end-phase", "topple green-1");
    then(state, "piece-toppled piece=green-1 S3", "piece-captured piece=green-1 by=1 how=shot S3",
         "player-out out=3 E1", "game-over ranking=2:5,1:5,4:0,3:0 winners=2 E3");
}

static void E3_still_tied_they_win_together(void **state)
{
    given(state, ALL_BUT_GREEN_1, "red-1+red-2+red-3+yellow-tower captured by blue");
    when(state, "fire", "end-phase", "topple green-1");
    then(state, "piece-toppled piece=green-1 S3", "piece-captured piece=green-1 by=1 how=shot S3",
         "player-out out=3 E1", "game-over ranking=1:5=2:5,4:0,3:0 winners=1+2 E3");
    now(state, "winners red+blue");
}

static void E3_all_who_are_left_may_win_together(void **state)
{
    given(state, "scenario sea-monster", "phase combat", "green-2+green-3+green-tower lost",
          "monster fights green-1 for yellow", "turn yellow");
    when(state, "roll-combat monster green-1 flag");
    then(state, "combat-rolled attacker=monster target=green-1 value=flag C2",
         "piece-lost piece=green-1 with=monster SM2",
         "combat-ended attacker=monster target=green-1 C6", "player-out out=3 E1",
         "game-over ranking=1:0=2:0=4:0,3:0 winners=1+2+4 E3");
}

static void E4_whoever_is_out_is_last_whatever_the_trophies(void **state)
{
    given(state, ALL_BUT_GREEN_1, "red-1+red-2+red-tower+yellow-tower+blue-tower captured by green",
          "turn blue");
    when(state, "fire", "end-phase", "topple green-1");
    then(state, "piece-toppled piece=green-1 S3", "piece-captured piece=green-1 by=2 how=shot S3",
         "player-out out=3 E1", "game-over ranking=1:4,2:1,4:0,3:8 winners=1 E3");
    now(state, "score green 8", "winners red");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(E1_a_player_without_pieces_is_out_and_the_game_ends),
        cmocka_unit_test(E1_nobody_is_out_while_the_shot_is_open),
        cmocka_unit_test(E1_players_who_lost_everything_to_one_ball_are_out_together),
        cmocka_unit_test(E1_a_second_ball_does_not_end_the_wait),
        cmocka_unit_test(E1_close_combat_ends_it_as_well),
        cmocka_unit_test(E2_ships_count_one_and_towers_two),
        cmocka_unit_test(E2_pieces_lost_for_all_count_for_nobody),
        cmocka_unit_test(E2_a_house_may_count_differently),
        cmocka_unit_test(E3_most_points_win),
        cmocka_unit_test(E3_a_tie_goes_to_more_towers),
        cmocka_unit_test(E3_still_tied_they_win_together),
        cmocka_unit_test(E3_all_who_are_left_may_win_together),
        cmocka_unit_test(E4_whoever_is_out_is_last_whatever_the_trophies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
