/* Bad input: a refusal with its code, never a crash, never a changed game (then checks that). */
#include "tests/support/table.h"

#include "rules/line.h"

#include <stdio.h>
#include <string.h>

static void say(void **state, struct input input)
{
    when_said(state, &input);
}

static void a_piece_that_does_not_exist_is_unknown(void **state)
{
    static const enum piece strange[] = {PIECE_COUNT, (enum piece)31, (enum piece)32,
                                         (enum piece)100000, (enum piece)UINT32_MAX};

    given(state, "phase combat");
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        say(state, (struct input){.kind = INPUT_TOPPLED, .piece = strange[i]});
        then(state, "refused unknown-piece");
        say(state,
            (struct input){.kind = INPUT_ENGAGE, .piece = strange[i], .other = PIECE_BLUE_1});
        then(state, "refused unknown-piece");
        say(state, (struct input){.kind = INPUT_ENGAGE, .piece = PIECE_RED_1, .other = strange[i]});
        then(state, "refused unknown-piece");
    }
}

static void a_piece_that_is_needed_must_be_named(void **state)
{
    static const enum input_kind kinds[] = {
        INPUT_AIM,         INPUT_TOPPLE, INPUT_RAISE,   INPUT_SELECT, INPUT_ENGAGE,
        INPUT_ROLL_COMBAT, INPUT_HIT,    INPUT_TOPPLED, INPUT_RAISED, INPUT_KNOCKED};

    given(state, "players 4");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        say(state, (struct input){.kind = kinds[i]});
        then(state, "refused missing-field");
    }
    say(state, (struct input){.kind = INPUT_ENGAGE, .piece = PIECE_RED_1});
    then(state, "refused missing-field");
}

static void a_piece_of_a_harbour_not_in_play_is_unknown(void **state)
{
    given(state, "players 3", "phase combat");
    when(state, "engage red-1 yellow-1");
    then(state, "refused unknown-piece G1");
    when(state, "toppled yellow-tower");
    then(state, "refused unknown-piece G1");
}

static void a_piece_of_another_scenario_is_not_in_this_one(void **state)
{
    given(state, "phase moving", "die 3");
    when(state, "move pirate 1");
    then(state, "refused not-in-scenario");
    when(state, "topple monster");
    then(state, "refused not-in-scenario");
    when(state, "select kraken");
    then(state, "refused not-in-scenario");
    when(state, "raise wind");
    then(state, "refused not-in-scenario");
}

static void a_tile_does_not_topple_and_is_no_enemy(void **state)
{
    given(state, "scenario kraken");
    when(state, "toppled kraken");
    then(state, "refused bad-value KR3");
    when(state, "raise kraken");
    then(state, "refused bad-value KR3");
    given(state, "scenario heavy-wind", "phase combat");
    when(state, "topple wind");
    then(state, "refused bad-value");
    when(state, "engage red-1 wind");
    then(state, "refused not-an-enemy C1");
}

static void a_harbour_that_does_not_exist_is_a_bad_value(void **state)
{
    given(state, "scenario merchant", "phase moving");
    say(state,
        (struct input){.kind = INPUT_LOAD_BARREL, .piece = PIECE_RED_1, .harbour = HARBOUR_COUNT});
    then(state, "refused bad-value");
    say(state, (struct input){.kind = INPUT_LOAD_BARREL,
                              .piece = PIECE_RED_1,
                              .harbour = (enum harbour)UINT32_MAX});
    then(state, "refused bad-value");
    say(state, (struct input){.kind = INPUT_DELIVER_BARREL, .piece = PIECE_RED_1});
    then(state, "refused missing-field");
}

static void a_command_that_does_not_exist_is_unknown(void **state)
{
    given(state, "players 4");
    say(state, (struct input){.kind = INPUT_NONE});
    then(state, "refused unknown-command");
    say(state, (struct input){.kind = INPUT_COUNT});
    then(state, "refused unknown-command");
    say(state, (struct input){.kind = (enum input_kind)UINT32_MAX});
    then(state, "refused unknown-command");
    when(state, "history");
    then(state, "refused unknown-command");
}

static void a_knock_of_pieces_that_do_not_exist_felled_nothing(void **state)
{
    given(state, "players 4");
    say(state, (struct input){.kind = INPUT_KNOCKED, .pieces = UINT32_C(1) << 31 | 1});
    then(state, "refused nothing-there S7");
}

static void a_die_value_off_the_die_is_a_bad_value(void **state)
{
    static const uint32_t values[] = {4, 9, 255, 257, 259, UINT32_MAX};

    given(state, "phase moving");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        say(state, (struct input){.kind = INPUT_ROLL_MOVE, .value = values[i]});
        then(state, "refused bad-value M1");
    }
    given(state, "phase combat", "red-1 fights blue-1");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        say(state, (struct input){.kind = INPUT_ROLL_COMBAT,
                                  .piece = PIECE_RED_1,
                                  .other = PIECE_BLUE_1,
                                  .value = values[i]});
        then(state, "refused bad-value C2");
    }
}

static void negative_and_huge_knots_are_bad_values(void **state)
{
    static const int32_t lengths[] = {-1, -1000, INT32_MIN, KNOTS_MILLI_MAX + 1, INT32_MAX};

    given(state, "phase moving", "die 3");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        say(state,
            (struct input){.kind = INPUT_MOVE, .piece = PIECE_RED_1, .knots_milli = lengths[i]});
        then(state, "refused bad-value M5");
        say(state, (struct input){.kind = INPUT_ROPE_OVER, .knots_milli = lengths[i]});
        then(state, "refused bad-value M5");
    }
    when(state, "move red-1 100");
    then(state, "refused not-enough-points M5");
}

static void no_knots_are_no_move(void **state)
{
    given(state, "phase moving", "die 3");
    say(state, (struct input){.kind = INPUT_MOVE, .piece = PIECE_RED_1});
    then(state, "refused missing-field M5");
    say(state, (struct input){.kind = INPUT_ROPE_OVER});
    then(state, "refused missing-field M5");
}

static void a_sensor_has_a_name_and_a_fault_has_a_health(void **state)
{
    given(state, "players 4");
    say(state, (struct input){.kind = INPUT_SENSOR_OK});
    then(state, "refused missing-field");
    say(state, (struct input){.kind = INPUT_SENSOR_FAULT, .sensor = "rope.a"});
    then(state, "refused missing-field");
    say(state,
        (struct input){.kind = INPUT_SENSOR_FAULT, .sensor = "rope.a", .health = HEALTH_COUNT});
    then(state, "refused bad-value");
}

static void a_sensors_name_without_an_end_is_cut(void **state)
{
    struct input input = {.kind = INPUT_SENSOR_OK};

    memset(input.sensor, 'x', sizeof input.sensor);
    given(state, "players 4");
    when_said(state, &input);
    then(state, "sensor-ok sensor=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
}

/* Every input of the contract, where it belongs, and the scenario it needs. */
static const struct {
    const char *line;
    const char *phases;
    const char *scenario;
} inputs[] = {
    {"aim red-1", "shooting", "none"},
    {"fire", "shooting", "none"},
    {"hit blue-1", "shooting", "none"},
    {"window-over", "shooting", "none"},
    {"roll-move 2", "moving", "none"},
    {"select red-1", "moving", "none"},
    {"move red-1 1", "moving", "none"},
    {"rope-over 3", "moving", "none"},
    {"engage red-1 blue-1", "combat", "none"},
    {"roll-combat red-1 blue-1 flag", "combat", "none"},
    {"take-chest red-1", "moving", "treasure-island"},
    {"load-barrel red-1 red", "moving", "merchant"},
    {"deliver-barrel red-1 blue", "moving", "merchant"},
    {"catch-wind red-1", "moving", "heavy-wind"},
    {"move-wind", "moving", "heavy-wind"},
    {"entangle red-1", "moving combat", "kraken"},
    {"topple blue-1", "shooting moving combat repair", "none"},
    {"toppled blue-1", "shooting moving combat repair", "none"},
    {"raise blue-1", "shooting moving combat repair", "none"},
    {"raised blue-1", "shooting moving combat repair", "none"},
    {"knocked blue-1+red-1", "shooting moving combat repair", "none"},
    {"ball-left", "shooting moving combat repair", "none"},
    {"end-phase", "shooting moving combat repair", "none"},
    {"undo", "shooting moving combat repair", "none"},
    {"sensor-fault rope.a stuck", "shooting moving combat repair", "none"},
    {"sensor-ok rope.a", "shooting moving combat repair", "none"},
};
enum { INPUTS = sizeof inputs / sizeof inputs[0] };

static void given_phase(void **state, const char *scenario, enum phase phase)
{
    char scenario_line[LINE_SIZE];
    char phase_line[LINE_SIZE];

    snprintf(scenario_line, sizeof scenario_line, "scenario %s", scenario);
    snprintf(phase_line, sizeof phase_line, "phase %s", rules_phase_name(phase));
    given(state, "advanced", scenario_line, phase_line);
}

static void every_input_is_refused_outside_its_steps(void **state)
{
    for (enum phase phase = PHASE_SHOOTING; phase <= PHASE_REPAIR; phase++) {
        for (unsigned i = 0; i < INPUTS; i++) {
            given_phase(state, inputs[i].scenario, phase);
            when(state, inputs[i].line);
            if (!strstr(inputs[i].phases, rules_phase_name(phase))) {
                then(state, "refused not-in-phase G3");
            } else if (table_of(state)->refusal == REFUSED_NOT_IN_PHASE) {
                assert_int_not_equal(table_of(state)->outcome.rule, RULE_G3);
            }
        }
    }
}

static void inputs_of_a_scenario_are_refused_in_the_plain_game(void **state)
{
    given(state, "phase moving", "die 3");
    for (unsigned i = 0; i < INPUTS; i++) {
        if (strcmp(inputs[i].scenario, "none") != 0) {
            when(state, inputs[i].line);
            then(state, "refused not-in-scenario");
        }
    }
}

static void nothing_but_a_new_game_is_accepted_in_the_lobby(void **state)
{
    given(state, "lobby");
    for (unsigned i = 0; i < INPUTS; i++) {
        when(state, inputs[i].line);
        then(state, "refused no-game");
    }
    when(state, "new-game");
    then(state, "game-started first=1 G2", "turn-started G2", "phase-started phase=shooting G3");
}

/* What these see is remembered also after the end (Referee). */
static bool is_of_tilt_sensor(const char *line)
{
    return strncmp(line, "toppled ", 8) == 0 || strncmp(line, "raised ", 7) == 0 ||
           strncmp(line, "knocked ", 8) == 0;
}

static void nothing_but_undo_and_a_new_game_is_accepted_after_the_end(void **state)
{
    given(state, "phase over", "green-1+green-2+green-3+green-tower captured by red");
    for (unsigned i = 0; i < INPUTS; i++) {
        if (strcmp(inputs[i].line, "undo") != 0 && !is_of_tilt_sensor(inputs[i].line)) {
            when(state, inputs[i].line);
            then(state, "refused no-game");
        }
    }
    when(state, "new-game");
    then(state, "game-started first=1 G2", "turn-started G2", "phase-started phase=shooting G3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_piece_that_does_not_exist_is_unknown),
        cmocka_unit_test(a_piece_that_is_needed_must_be_named),
        cmocka_unit_test(a_piece_of_a_harbour_not_in_play_is_unknown),
        cmocka_unit_test(a_piece_of_another_scenario_is_not_in_this_one),
        cmocka_unit_test(a_tile_does_not_topple_and_is_no_enemy),
        cmocka_unit_test(a_harbour_that_does_not_exist_is_a_bad_value),
        cmocka_unit_test(a_command_that_does_not_exist_is_unknown),
        cmocka_unit_test(a_knock_of_pieces_that_do_not_exist_felled_nothing),
        cmocka_unit_test(a_die_value_off_the_die_is_a_bad_value),
        cmocka_unit_test(negative_and_huge_knots_are_bad_values),
        cmocka_unit_test(no_knots_are_no_move),
        cmocka_unit_test(a_sensor_has_a_name_and_a_fault_has_a_health),
        cmocka_unit_test(a_sensors_name_without_an_end_is_cut),
        cmocka_unit_test(every_input_is_refused_outside_its_steps),
        cmocka_unit_test(inputs_of_a_scenario_are_refused_in_the_plain_game),
        cmocka_unit_test(nothing_but_a_new_game_is_accepted_in_the_lobby),
        cmocka_unit_test(nothing_but_undo_and_a_new_game_is_accepted_after_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
