/* Inputs that no line can describe, and every input outside its step: refused, and nothing changes.
 */
#include "tests/support/table.h"

#include "rules/line.h"

#include <stdio.h>
#include <string.h>

static void say(void **state, struct input input)
{
    when_said(state, &input);
}

TEST(a_piece_that_does_not_exist_is_unknown)
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

TEST(a_harbour_that_does_not_exist_is_a_bad_value)
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

TEST(a_command_that_does_not_exist_is_unknown)
{
    given(state, "players 4");
    say(state, (struct input){.kind = INPUT_NONE});
    then(state, "refused unknown-command");
    say(state, (struct input){.kind = INPUT_COUNT});
    then(state, "refused unknown-command");
    say(state, (struct input){.kind = (enum input_kind)UINT32_MAX});
    then(state, "refused unknown-command");
}

TEST(a_knock_of_pieces_that_do_not_exist_felled_nothing)
{
    given(state, "players 4");
    say(state, (struct input){.kind = INPUT_KNOCKED, .pieces = UINT32_C(1) << 31 | 1});
    then(state, "refused nothing-there S7");
}

TEST(a_die_value_off_the_die_is_a_bad_value)
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

TEST(negative_and_huge_knots_are_bad_values)
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

TEST(no_knots_are_no_move)
{
    given(state, "phase moving", "die 3");
    say(state, (struct input){.kind = INPUT_MOVE, .piece = PIECE_RED_1});
    then(state, "refused missing-field M5");
    say(state, (struct input){.kind = INPUT_ROPE_OVER});
    then(state, "refused missing-field M5");
}

TEST(a_sensor_has_a_name_and_a_fault_has_a_health)
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

TEST(a_sensors_name_without_an_end_is_cut)
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

TEST(every_input_is_refused_outside_its_steps)
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

TEST(inputs_of_a_scenario_are_refused_in_the_plain_game)
{
    given(state, "phase moving", "die 3");
    for (unsigned i = 0; i < INPUTS; i++) {
        if (strcmp(inputs[i].scenario, "none") != 0) {
            when(state, inputs[i].line);
            then(state, "refused not-in-scenario");
        }
    }
}

TEST(nothing_but_a_new_game_is_accepted_in_the_lobby)
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

TEST(nothing_but_undo_and_a_new_game_is_accepted_after_the_end)
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

TEST(a_single_step_has_no_past_to_go_back_to)
{
    struct input undo = {.kind = INPUT_UNDO};
    struct outcome out;

    given(state, "players 4");
    when(state, "aim red-1");
    struct game game = table_of(state)->play.game;
    assert_int_equal(rules_step(&game, &undo, &out), REFUSED_NOTHING_TO_UNDO);
}
