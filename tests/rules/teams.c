/* T: red and green play together against blue and yellow. */
#include "tests/support/table.h"

static void T1_team_mates_are_not_enemies(void **state)
{
    given(state, "teams", "phase combat");
    when(state, "engage red-1 green-1");
    then(state, "refused not-an-enemy C1");
    when(state, "engage red-1 yellow-1");
    then(state, "combat-started attacker=red-1 target=yellow-1 C1");
}

static void T1_without_teams_everybody_is_an_enemy(void **state)
{
    given(state, "phase combat");
    when(state, "engage red-1 green-1");
    then(state, "combat-started attacker=red-1 target=green-1 C1");
}

/* Chosen teams of players 1 to 4, 0 for none, and what becomes of them. */
static void assert_teams(const char *chosen, const char *expected)
{
    struct setup setup;

    rules_default_setup(&setup, 4);
    setup.teams = true;
    for (unsigned i = 0; i < PLAYERS_MAX; i++) {
        setup.seats[i + 1].team = (uint8_t)(chosen[i] - '0');
    }
    rules_form_teams(&setup);
    for (unsigned i = 0; i < PLAYERS_MAX; i++) {
        assert_int_equal(setup.seats[i + 1].team, expected[i] - '0');
    }
}

static void T1_who_has_not_chosen_joins_the_opposite_player_or_the_smaller_team(void **state)
{
    (void)state;
    assert_teams("0000", "1212");
    assert_teams("0100", "2121");
    assert_teams("2000", "2121");
    assert_teams("1100", "1122");
    assert_teams("0220", "1221");
    assert_teams("2112", "2112");
    assert_teams("1110", "1112"); /* refused by rules_check_setup */
}

static void T1_a_team_has_two_members(void **state)
{
    given(state, "lobby", "teams");
    table_of(state)->setup.seats[2].team = 1;
    when(state, "new-game");
    then(state, "refused bad-value T1");
    table_of(state)->setup.seats[2].team = 3;
    when(state, "new-game");
    then(state, "refused bad-value T1");
    table_of(state)->setup.seats[2].team = 0;
    when(state, "new-game");
    then(state, "refused bad-value T1");
    table_of(state)->setup.seats[2].team = 2;
    table_of(state)->setup.seats[4].team = 3;
    when(state, "new-game");
    then(state, "refused bad-value T1");
}

static void T2_the_game_ends_when_one_player_is_out(void **state)
{
    given(state, "teams", "green-2+green-3+green-tower captured by blue", "turn yellow");
    when(state, "fire", "end-phase", "topple green-1");
    then(state, "piece-toppled piece=green-1 S3", "piece-captured piece=green-1 by=4 how=shot S3",
         "player-out out=3 E1", "game-over ranking=2:4=4:1,1:0=3:0 winners=2+4 T2");
    now(state, "phase over", "winners blue+yellow");
}

static void T2_one_ball_may_put_a_whole_team_out(void **state)
{
    given(state, "teams", "green-2+green-3+green-tower captured by blue", "red-2+red-3 lost",
          "red-tower captured by blue", "turn yellow");
    when(state, "ball-left", "@100ms toppled green-1", "@200ms toppled red-1",
         "@3000ms window-over");
    then(state, "shot-over S4", "player-out out=1 E1", "player-out out=3 E1",
         "game-over ranking=2:6=4:2,1:0=3:0 winners=2+4 T2");
}

static void T2_the_points_of_a_member_who_is_out_count(void **state)
{
    given(state, "teams", "green-2+green-3+green-tower captured by blue",
          "blue-tower+yellow-tower+blue-1 captured by green", "yellow-1 captured by red",
          "turn yellow");
    when(state, "fire", "end-phase", "topple green-1");
    then(state, "piece-toppled piece=green-1 S3", "piece-captured piece=green-1 by=4 how=shot S3",
         "player-out out=3 E1", "game-over ranking=1:1=3:5,2:4=4:1 winners=1+3 T2");
    now(state, "green out", "winners red+green");
}

static void T2_a_tie_goes_to_more_towers(void **state)
{
    given(state, "teams", "green-2+green-3+green-tower captured by blue",
          "blue-tower+yellow-tower captured by green", "yellow-1 captured by red", "turn yellow");
    when(state, "fire", "end-phase", "topple green-1");
    then(state, "piece-toppled piece=green-1 S3", "piece-captured piece=green-1 by=4 how=shot S3",
         "player-out out=3 E1", "game-over ranking=1:1=3:4,2:4=4:1 winners=1+3 T2");
}

static void T2_still_tied_the_win_is_shared(void **state)
{
    given(state, "teams", "green-2+green-3+green-tower captured by blue",
          "blue-tower+blue-1+blue-2 captured by green", "yellow-1 captured by red", "turn yellow");
    when(state, "fire", "end-phase", "topple green-1");
    then(state, "piece-toppled piece=green-1 S3", "piece-captured piece=green-1 by=4 how=shot S3",
         "player-out out=3 E1", "game-over ranking=1:1=2:4=3:4=4:1 winners=1+2+3+4 T2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T1_team_mates_are_not_enemies),
        cmocka_unit_test(T1_without_teams_everybody_is_an_enemy),
        cmocka_unit_test(T1_who_has_not_chosen_joins_the_opposite_player_or_the_smaller_team),
        REFUSAL(T1_three_players_make_no_teams, "new-game", "refused bad-value T1", "lobby",
                "players 3", "teams"),
        cmocka_unit_test(T1_a_team_has_two_members),
        cmocka_unit_test(T2_the_game_ends_when_one_player_is_out),
        cmocka_unit_test(T2_one_ball_may_put_a_whole_team_out),
        cmocka_unit_test(T2_the_points_of_a_member_who_is_out_count),
        cmocka_unit_test(T2_a_tie_goes_to_more_towers),
        cmocka_unit_test(T2_still_tied_the_win_is_shared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
