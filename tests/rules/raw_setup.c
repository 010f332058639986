/* Setups with bytes that no game can have, and what completes a setup. */
#include "tests/support/table.h"

TEST(a_game_needs_a_setup)
{
    struct input input = {.kind = INPUT_NEW_GAME};

    given(state, "lobby");
    when_said(state, &input);
    then(state, "refused missing-field");
}

#define SETUP(member) offsetof(struct setup, member)
#define HARBOUR_BIT(colour) (1U << HARBOUR_##colour)

/* One byte of the usual setup of four players, what it is changed to, and what is said of it. */
static const struct {
    size_t offset;
    uint8_t value;
    const char *expected;
} broken[] = {
    {SETUP(players), 0, "refused bad-value G1"},
    {SETUP(players), 1, "refused bad-value G1"},
    {SETUP(players), 2, "refused bad-value G1"}, /* who would have one harbour each */
    {SETUP(players), 5, "refused bad-value G1"},
    {SETUP(players), 255, "refused bad-value G1"},
    {SETUP(seats[1].harbours), 0, "refused bad-value G1"},
    {SETUP(seats[1].harbours), HARBOUR_BIT(NONE), "refused bad-value G1"},
    {SETUP(seats[1].harbours), HARBOUR_BIT(BLUE), "refused bad-value G1"},
    {SETUP(seats[1].harbours), HARBOUR_BIT(RED) | HARBOUR_BIT(BLUE), "refused bad-value G1"},
    {SETUP(seats[4].harbours), 1U << HARBOUR_COUNT, "refused bad-value G1"},
    {SETUP(first), 0, "refused bad-value G2"},
    {SETUP(first), 5, "refused bad-value G2"},
    {SETUP(first), 255, "refused bad-value G2"},
    {SETUP(teams), 1, "refused bad-value T1"},
    {SETUP(variant), VARIANT_NONE, "refused bad-value"},
    {SETUP(variant), VARIANT_COUNT, "refused bad-value"},
    {SETUP(scenario), SCENARIO_NONE, "refused bad-value"},
    {SETUP(scenario), SCENARIO_COUNT, "refused bad-value"},
    {SETUP(scenario), 255, "refused bad-value"},
    {SETUP(dice), DICE_NONE, "refused bad-value"},
    {SETUP(dice), DICE_COUNT, "refused bad-value"},
    {SETUP(seats[1].name[NAME_SIZE - 1]), 'x', "refused bad-value"},
    {SETUP(seats[4].name[NAME_SIZE - 1]), 'x', "refused bad-value"},
    {SETUP(house.ship_points), HOUSE_POINTS_MAX + 1, "refused bad-value"},
    {SETUP(house.tower_points), HOUSE_POINTS_MAX + 1, "refused bad-value"},
    {SETUP(house.pirate_points), HOUSE_POINTS_MAX + 1, "refused bad-value"},
    {SETUP(house.chest_points), HOUSE_POINTS_MAX + 1, "refused bad-value"},
    {SETUP(house.barrel_points), HOUSE_POINTS_MAX + 1, "refused bad-value"},
    {SETUP(house.monster_lives), 0, "refused bad-value"},
    {SETUP(house.monster_lives), HOUSE_SMALL_MAX + 1, "refused bad-value"},
    {SETUP(house.wind_bonus), HOUSE_SMALL_MAX + 1, "refused bad-value"},
    {SETUP(house.kraken_knots), HOUSE_SMALL_MAX + 1, "refused bad-value"},
    {SETUP(house.move_faces), 0, "refused bad-value"},
    {SETUP(house.move_faces), DIE_FACES_MAX + 1, "refused bad-value"},
    {SETUP(house.combat_faces), 0, "refused bad-value"},
    {SETUP(house.combat_faces), DIE_FACES_MAX + 1, "refused bad-value"},
    {SETUP(house.move_die[5]), 0, "refused bad-value"},
    {SETUP(house.move_die[0]), DIE_VALUE_MAX + 1, "refused bad-value"},
    {SETUP(house.combat_die[5]), FACE_NONE, "refused bad-value"},
    {SETUP(house.combat_die[0]), FACE_COUNT, "refused bad-value"},
    {SETUP(barrels[HARBOUR_GREEN]), HARBOUR_NONE, "refused bad-value ME1"},
    {SETUP(barrels[HARBOUR_GREEN]), HARBOUR_COUNT, "refused bad-value ME1"},
};

TEST(a_setup_with_one_wrong_byte_is_refused)
{
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        given(state, "lobby", "scenario merchant");
        ((uint8_t *)&table_of(state)->setup)[broken[i].offset] = broken[i].value;
        when(state, "new-game");
        then(state, broken[i].expected);
    }
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

TEST(T1_who_has_not_chosen_joins_the_opposite_player_or_the_smaller_team)
{
    assert_teams("0000", "1212");
    assert_teams("0100", "2121");
    assert_teams("2000", "2121");
    assert_teams("1100", "1122");
    assert_teams("0220", "1221");
    assert_teams("2112", "2112");
    assert_teams("1110", "1112"); /* refused by rules_check_setup */
}

TEST(G1_who_has_chosen_no_harbour_gets_a_free_one)
{
    struct setup setup;

    rules_default_setup(&setup, 4);
    setup.seats[1].harbours = 0;
    setup.seats[2].harbours = HARBOUR_BIT(RED);
    rules_share_harbours(&setup);
    assert_int_equal(setup.seats[1].harbours, HARBOUR_BIT(BLUE));
    assert_int_equal(setup.seats[2].harbours, HARBOUR_BIT(RED));

    rules_default_setup(&setup, 2);
    setup.seats[1].harbours = 0;
    setup.seats[2].harbours = HARBOUR_BIT(RED) | HARBOUR_BIT(GREEN);
    rules_share_harbours(&setup);
    assert_int_equal(setup.seats[1].harbours, HARBOUR_BIT(BLUE) | HARBOUR_BIT(YELLOW));
}

TEST(a_name_has_1_to_40_characters_of_utf_8_and_is_not_blank)
{
    static const char *const good[] = {"A", "1234567890123456789012345678901234567890",
                                       " \u26f5 \U0001f3f4"};
    static const char *const bad[] = {"", " \u00a0\u3000", "Zo\xeb", "\x1b[31m",
                                      "12345678901234567890123456789012345678901"};

    for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(rules_is_name(good[i]));
    }
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(rules_is_name(bad[i]));
    }
}

TEST(ships_and_towers_of_all_harbours_and_the_neutral_ship_stand_at_the_start)
{
    const uint32_t yellow =
        bit(PIECE_YELLOW_1) | bit(PIECE_YELLOW_2) | bit(PIECE_YELLOW_3) | bit(PIECE_YELLOW_TOWER);
    const uint32_t all = bit(PIECE_YELLOW_TOWER + 1) - bit(PIECE_RED_1);
    struct setup setup;

    rules_default_setup(&setup, 4);
    assert_int_equal(rules_standing_pieces(&setup), all);
    rules_default_setup(&setup, 3);
    assert_int_equal(rules_standing_pieces(&setup), all & ~yellow);
    setup.scenario = SCENARIO_PIRATE_SHIP;
    assert_int_equal(rules_standing_pieces(&setup), (all & ~yellow) | bit(PIECE_PIRATE));
}
