/* Bad input before a game: setups that do not fit, and lines that cannot be read. */
#include "tests/support/table.h"

#include "rules/line.h"

#include <string.h>

static void a_game_needs_a_setup(void **state)
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
};

static void a_setup_with_one_wrong_byte_is_refused(void **state)
{
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        given(state, "lobby");
        ((uint8_t *)&table_of(state)->setup)[broken[i].offset] = broken[i].value;
        when(state, "new-game");
        then(state, broken[i].expected);
    }
}

static void the_largest_numbers_a_house_may_have_are_accepted(void **state)
{
    given(state, "lobby", "window 60000 ms", "tolerance 0.999", "house ship_points=100",
          "house tower_points=100", "house pirate_points=100", "house chest_points=100",
          "house barrel_points=100", "house monster_lives=9", "house wind_bonus=9",
          "house kraken_knots=9", "house move_die=1,2,3,4,5,6,7,8,9,1,2,3");
    struct house *house = &table_of(state)->setup.house;
    house->combat_faces = DIE_FACES_MAX;
    memset(house->combat_die, FACE_SWORDS, sizeof house->combat_die);
    when(state, "new-game");
    then(state, "game-started first=1 G2", "turn-started G2", "phase-started phase=shooting G3");
}

static void the_shortest_shot_window_is_accepted(void **state)
{
    given(state, "lobby", "window 100 ms");
    when(state, "new-game");
    then(state, "game-started first=1 G2", "turn-started G2", "phase-started phase=shooting G3");
}

static void a_shot_window_has_bounds(void **state)
{
    given(state, "lobby", "window 99 ms");
    when(state, "new-game");
    then(state, "refused bad-value");
    given(state, "lobby", "window 60001 ms");
    when(state, "new-game");
    then(state, "refused bad-value");
}

static void a_barrel_goes_to_another_harbour_in_play(void **state)
{
    given(state, "lobby", "scenario merchant", "barrel red to red");
    when(state, "new-game");
    then(state, "refused bad-value ME1");
    given(state, "lobby", "players 3", "scenario merchant", "barrel red to yellow");
    when(state, "new-game");
    then(state, "refused bad-value ME1");
    given(state, "lobby", "scenario merchant");
    table_of(state)->setup.barrels[HARBOUR_GREEN] = HARBOUR_NONE;
    when(state, "new-game");
    then(state, "refused bad-value ME1");
    table_of(state)->setup.barrels[HARBOUR_GREEN] = HARBOUR_COUNT;
    when(state, "new-game");
    then(state, "refused bad-value ME1");
}

static void a_bad_setup_leaves_the_running_game_alone(void **state)
{
    given(state, "phase moving", "die 3");
    table_of(state)->setup.players = 0;
    when(state, "new-game abandon");
    then(state, "refused bad-value G1");
    now(state, "phase moving", "die 3");
}

static const struct {
    const char *line;
    const char *code;
} unreadable[] = {
    {"", "unknown-command"},
    {" \t ", "unknown-command"},
    {"dance", "unknown-command"},
    {"AIM red-1", "unknown-command"},
    {"aim", "missing-field"},
    {"aim red-4", "unknown-piece"},
    {"aim piece=", "unknown-piece"},
    {"aim ship=red-1", "bad-value"},
    {"aim red-1 red-2", "bad-value"},
    {"fire now", "bad-value"},
    {"engage red-1", "missing-field"},
    {"engage red-1 ghost", "unknown-piece"},
    {"roll-move 0", "bad-value"},
    {"roll-move -1", "bad-value"},
    {"roll-move 1.5", "bad-value"},
    {"roll-move two", "bad-value"},
    {"roll-move 1e9", "bad-value"},
    {"roll-combat red-1 blue-1 pistols", "bad-value"},
    {"move red-1 0", "bad-value"},
    {"move red-1 -1", "bad-value"},
    {"move red-1 .", "bad-value"},
    {"move red-1 1.2.3", "bad-value"},
    {"move red-1 knots=", "bad-value"},
    {"move red-1 99999999", "bad-value"},
    {"move red-1 9999999999999999999999", "bad-value"},
    {"load-barrel red-1", "missing-field"},
    {"load-barrel red-1 black", "bad-value"},
    {"knocked", "missing-field"},
    {"knocked red-1+ghost", "unknown-piece"},
    {"knocked an-unlikely-name-for-a-piece-of-this-game", "unknown-piece"},
    {"sensor-ok", "missing-field"},
    {"sensor-fault rope.a", "missing-field"},
    {"sensor-fault rope.a tired", "bad-value"},
    {"sensor-ok a-sensor-with-a-name-that-fits-nowhere", "bad-value"},
};

static void an_unreadable_line_is_refused_and_writes_no_input(void **state)
{
    struct input untouched;
    struct input input;

    (void)state;
    memset(&untouched, 'x', sizeof untouched);
    memset(&input, 'x', sizeof input);
    for (size_t i = 0; i < sizeof unreadable / sizeof unreadable[0]; i++) {
        int refusal = line_read_input(unreadable[i].line, &input);
        assert_string_equal(rules_refusal_name((enum refusal)refusal), unreadable[i].code);
        assert_memory_equal(&input, &untouched, sizeof input);
    }
}

static void a_line_longer_than_any_input_is_too_large(void **state)
{
    char line[LINE_SIZE + 1];
    struct input input;

    (void)state;
    memset(line, ' ', sizeof line);
    memcpy(line, "fire", strlen("fire"));
    line[LINE_SIZE] = '\0';
    assert_int_equal(line_read_input(line, &input), REFUSED_TOO_LARGE);
    line[LINE_SIZE - 1] = '\0';
    assert_int_equal(line_read_input(line, &input), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_needs_a_setup),
        cmocka_unit_test(a_setup_with_one_wrong_byte_is_refused),
        cmocka_unit_test(the_largest_numbers_a_house_may_have_are_accepted),
        cmocka_unit_test(the_shortest_shot_window_is_accepted),
        cmocka_unit_test(a_shot_window_has_bounds),
        REFUSAL(a_rope_tolerance_is_less_than_a_knot, "new-game", "refused bad-value", "lobby",
                "tolerance 1"),
        cmocka_unit_test(a_barrel_goes_to_another_harbour_in_play),
        cmocka_unit_test(a_bad_setup_leaves_the_running_game_alone),
        cmocka_unit_test(an_unreadable_line_is_refused_and_writes_no_input),
        cmocka_unit_test(a_line_longer_than_any_input_is_too_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
