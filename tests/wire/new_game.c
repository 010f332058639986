/* new-game: the configuration, overridden by the fields of the command. */
#include "wire/wire.h"

#include <stdarg.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

enum { RED = 1 << HARBOUR_RED, BLUE = 1 << HARBOUR_BLUE };
enum { GREEN = 1 << HARBOUR_GREEN, YELLOW = 1 << HARBOUR_YELLOW };

/* The configuration of these tests: four named players, Dora first, fixed barrels. */
static struct setup configured(void)
{
    static const char *const names[PLAYER_COUNT] = {"", "Anna", "Ben", "Cleo", "Dora"};
    static const uint8_t barrels[HARBOUR_COUNT] = {
        [HARBOUR_RED] = HARBOUR_BLUE,
        [HARBOUR_BLUE] = HARBOUR_GREEN,
        [HARBOUR_GREEN] = HARBOUR_YELLOW,
        [HARBOUR_YELLOW] = HARBOUR_RED,
    };
    struct setup setup;

    rules_default_setup(&setup, 4);
    setup.first = 4;
    setup.house.ship_points = 5;
    memcpy(setup.barrels, barrels, sizeof barrels);
    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        memset(setup.seats[player].name, 0, NAME_SIZE);
        memcpy(setup.seats[player].name, names[player], strlen(names[player]));
    }
    return setup;
}

static struct command read_with(const char *payload, bool drawn)
{
    const struct setup setup = configured();
    const struct wire_defaults defaults = {
        .setup = &setup, .first_is_drawn = drawn, .barrels_are_drawn = drawn};
    struct command command;

    wire_read_command("new-game", payload, strlen(payload), &defaults, &command);
    return command;
}

static struct command read_text(const char *payload)
{
    struct command command = read_with(payload, false);

    assert_string_equal(command.message, "");
    assert_int_equal(command.refusal, REFUSED_NOT);
    return command;
}

static void assert_seat(const struct command *command, unsigned player, const char *name,
                        unsigned harbours, unsigned team)
{
    const struct seat *seat = &command->setup.seats[player];

    assert_string_equal(seat->name, name);
    assert_int_equal(seat->harbours, harbours);
    assert_int_equal(seat->team, team);
}

static void nothing_said_is_the_configuration(void **state)
{
    (void)state;
    const struct setup setup = configured();
    struct command command = read_text("{}");

    assert_memory_equal(&command.setup, &setup, sizeof setup);
    assert_false(command.first_is_drawn);
    assert_false(command.barrels_are_drawn);
    assert_false(command.input.abandon);
}

static void draws_of_the_configuration_are_left_to_the_caller(void **state)
{
    (void)state;
    struct command command = read_with("{}", true);
    static const uint8_t none[HARBOUR_COUNT];

    assert_true(command.first_is_drawn);
    assert_true(command.barrels_are_drawn);
    assert_int_equal(command.setup.first, PLAYER_NONE);
    assert_memory_equal(command.setup.barrels, none, sizeof none);
}

static void every_choice_is_taken_over(void **state)
{
    (void)state;
    struct command command = read_text("{\"rules\":\"advanced\",\"scenario\":\"sea-monster\","
                                       "\"dice\":\"daemon\",\"first\":2,\"abandon\":true}");

    assert_int_equal(command.setup.variant, VARIANT_ADVANCED);
    assert_int_equal(command.setup.scenario, SCENARIO_SEA_MONSTER);
    assert_int_equal(command.setup.dice, DICE_DAEMON);
    assert_int_equal(command.setup.first, 2);
    assert_true(command.input.abandon);
    assert_int_equal(command.setup.house.ship_points, 5);
}

static void start_game_takes_every_choice_but_to_abandon(void **state)
{
    (void)state;
    const struct setup setup = configured();
    const struct wire_defaults defaults = {.setup = &setup};
    static const char choice[] = "{\"dice\":\"daemon\"}";
    static const char abandon[] = "{\"abandon\":false}";
    struct command command;

    wire_read_command("start-game", choice, strlen(choice), &defaults, &command);
    assert_int_equal(command.refusal, REFUSED_NOT);
    assert_int_equal(command.input.kind, INPUT_NEW_GAME);
    assert_int_equal(command.setup.dice, DICE_DAEMON);
    wire_read_command("start-game", abandon, strlen(abandon), &defaults, &command);
    assert_int_equal(command.refusal, REFUSED_BAD_VALUE);
    assert_string_equal(command.message, "start-game cannot abandon a running game; use new-game.");
}

static void G2_the_first_player_is_named_or_drawn(void **state)
{
    (void)state;
    assert_true(read_text("{\"first\":\"draw\"}").first_is_drawn);
    assert_true(read_text("{\"first\":\"random\"}").first_is_drawn);
    assert_int_equal(read_text("{\"first\":\"3\"}").setup.first, 3);
    struct command command = read_with("{\"first\":3}", true);
    assert_false(command.first_is_drawn);
    assert_int_equal(command.setup.first, 3);
}

static void G2_a_configured_first_player_who_does_not_play_is_drawn(void **state)
{
    (void)state;
    struct command command = read_text("{\"players\":[{},{},{}]}");

    assert_true(command.first_is_drawn);
    assert_int_equal(command.setup.first, PLAYER_NONE);
}

static void G1_players_are_as_many_as_listed(void **state)
{
    (void)state;
    struct command command = read_text("{\"players\":[{\"name\":\"Emil\",\"harbours\":\"green\"},"
                                       "{\"name\":\"Fe\",\"harbours\":[\"red\"]},"
                                       "{\"harbours\":[\"blue\"]}]}");

    assert_int_equal(command.setup.players, 3);
    assert_seat(&command, 1, "Emil", GREEN, 0);
    assert_seat(&command, 2, "Fe", RED, 0);
    assert_seat(&command, 3, "Cleo", BLUE, 0);
    assert_seat(&command, 4, "", 0, 0);
}

static void G1_two_players_have_two_harbours_each(void **state)
{
    (void)state;
    struct command usual = read_text("{\"players\":[{},{}]}");
    struct command chosen = read_text("{\"players\":[{\"harbours\":\"red, green\"},"
                                      "{\"harbours\":[\"yellow\",\"blue\"]}]}");

    assert_seat(&usual, 1, "Anna", RED | BLUE, 0);
    assert_seat(&usual, 2, "Ben", GREEN | YELLOW, 0);
    assert_seat(&chosen, 1, "Anna", RED | GREEN, 0);
    assert_seat(&chosen, 2, "Ben", BLUE | YELLOW, 0);
}

static void G1_who_names_no_harbour_gets_a_free_one(void **state)
{
    (void)state;
    struct command command = read_text("{\"players\":[{},{\"harbours\":\"red\"},{}]}");

    assert_seat(&command, 1, "Anna", BLUE, 0);
    assert_seat(&command, 2, "Ben", RED, 0);
    assert_seat(&command, 3, "Cleo", GREEN, 0);
}

static void T1_players_opposite_each_other_are_a_team_unless_they_say_otherwise(void **state)
{
    (void)state;
    struct command usual = read_text("{\"teams\":true}");
    struct command chosen =
        read_text("{\"players\":[{\"team\":1},{\"team\":1},{\"team\":2},{\"team\":\"2\"}],"
                  "\"teams\":\"yes\"}");
    struct command alone =
        read_text("{\"players\":[{\"team\":1},{\"team\":2},{}],\"teams\":\"no\"}");

    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        assert_int_equal(usual.setup.seats[player].team, player % 2 ? 1 : 2);
        assert_int_equal(chosen.setup.seats[player].team, player <= 2 ? 1 : 2);
        assert_int_equal(alone.setup.seats[player].team, 0);
    }
    assert_true(usual.setup.teams);
    assert_false(alone.setup.teams);
}

static void T1_teams_of_the_configuration_count_when_a_command_asks_for_team_play(void **state)
{
    static const char payload[] = "{\"teams\":true}";
    struct setup setup = configured();
    const struct wire_defaults defaults = {.setup = &setup};
    struct command command;

    (void)state;
    setup.seats[1].team = 2;
    setup.seats[2].team = 2;
    wire_read_command("start-game", payload, strlen(payload), &defaults, &command);
    assert_seat(&command, 1, "Anna", RED, 2);
    assert_seat(&command, 2, "Ben", BLUE, 2);
    assert_seat(&command, 3, "Cleo", GREEN, 1);
    assert_seat(&command, 4, "Dora", YELLOW, 1);
    wire_read_command("start-game", "", 0, &defaults, &command);
    assert_seat(&command, 1, "Anna", RED, 0);
}

static void T1_no_team_is_said_as_null_in_the_defaults_and_understood(void **state)
{
    (void)state;
    struct command command =
        read_text("{\"players\":[{\"team\":null},{\"team\":1},{\"team\":null},{\"team\":null}],"
                  "\"teams\":true}");

    assert_seat(&command, 1, "Anna", RED, 2);
    assert_seat(&command, 4, "Dora", YELLOW, 1);
}

static void ME1_barrels_are_an_object_or_a_list_as_in_the_configuration(void **state)
{
    (void)state;
    static const uint8_t expected[HARBOUR_COUNT] = {
        [HARBOUR_RED] = HARBOUR_GREEN,
        [HARBOUR_BLUE] = HARBOUR_RED,
        [HARBOUR_GREEN] = HARBOUR_BLUE,
    };
    struct command object =
        read_text("{\"barrels\":{\"red\":\"green\",\"blue\":\"red\",\"green\":\"blue\"}}");
    struct command list = read_text("{\"barrels\":\"red:green, blue:red,green:blue\"}");

    assert_memory_equal(object.setup.barrels, expected, sizeof expected);
    assert_memory_equal(list.setup.barrels, expected, sizeof expected);
    assert_false(read_with("{\"barrels\":\"red:green\"}", true).barrels_are_drawn);
}

static void ME1_configured_barrels_that_do_not_fit_the_players_are_drawn(void **state)
{
    (void)state;
    assert_true(read_text("{\"players\":[{},{},{}]}").barrels_are_drawn);
    assert_false(read_text("{\"players\":[{},{}]}").barrels_are_drawn);
}

static void a_longer_name_leaves_no_trace_in_the_setup(void **state)
{
    (void)state;
    struct command command = read_text("{\"players\":[{\"name\":\"A\"},{},{},{}]}");
    static const char expected[NAME_SIZE] = "A";

    assert_memory_equal(command.setup.seats[1].name, expected, sizeof expected);
}

#define BARRELS                                                                                    \
    "\"barrels\" must be an object of harbours and destinations, such as {\"red\":\"blue\"}."
#define FIRST "\"first\" must be \"draw\" or the number of a player, 1 to 4."
#define HARBOURS "\"harbours\" must be one or two of \"red\", \"blue\", \"green\" and \"yellow\"."
#define NAME "\"name\" must be a string of 1 to 39 bytes without control characters."
#define PLAYERS "\"players\" must be a list of 2 to 4 players."

static void a_refusal_names_the_field_and_what_it_accepts(void **state)
{
    static const struct {
        const char *payload;
        const char *message;
    } bad[] = {
        {"{\"rules\":\"easy\"}", "\"rules\" must be \"basic\" or \"advanced\"."},
        {"{\"rules\":null}", "\"rules\" must be \"basic\" or \"advanced\"."},
        {"{\"scenario\":\"krakn\"}",
         "\"scenario\" must be \"none\", \"treasure-island\", \"pirate-ship\", \"sea-monster\", "
         "\"heavy-wind\", \"merchant\" or \"kraken\"; did you mean \"kraken\"?"},
        {"{\"teams\":1}", "\"teams\" must be true or false."},
        {"{\"dice\":\"loaded\"}", "\"dice\" must be \"table\" or \"daemon\"."},
        {"{\"first\":5}", FIRST},
        {"{\"first\":1.5}", FIRST},
        {"{\"abandon\":\"maybe\"}", "\"abandon\" must be true or false."},
        {"{\"barrels\":\"red\"}", BARRELS},
        {"{\"barrels\":{\"red\":1}}", BARRELS},
        {"{\"barrels\":\"red:blue,red:green\"}", BARRELS},
        {"{\"barrels\":null}", BARRELS},
        {"{\"players\":3}", PLAYERS},
        {"{\"players\":[{}]}", PLAYERS},
        {"{\"players\":[{},{},{},{},{}]}", PLAYERS},
        {"{\"players\":[\"Anna\",\"Ben\"]}",
         "\"players\" must be a list of objects such as {\"name\":\"Anna\"}."},
        {"{\"players\":[{\"harbours\":\"pink\"},{}]}", HARBOURS},
        {"{\"players\":[{\"harbours\":[\"red\",7]},{}]}", HARBOURS},
        {"{\"players\":[{\"harbours\":[]},{}]}", HARBOURS},
        {"{\"players\":[{\"team\":3},{}]}", "\"team\" must be 1 or 2."},
        {"{\"players\":[{\"nam\":\"Anna\"},{}]}",
         "Unknown field of a player \"nam\"; did you mean \"name\"?"},
        {"{\"players\":[{\"name\":\"\\u001b[31m\"},{}]}", NAME},
        {"{\"players\":[{\"name\":\"1234567890123456789012345678901234567890\"},{}]}", NAME},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct command command = read_with(bad[i].payload, false);
        assert_string_equal(command.message, bad[i].message);
        assert_int_equal(command.refusal, REFUSED_BAD_VALUE);
    }
}

static void lists_longer_than_any_that_fits_are_refused(void **state)
{
    (void)state;
    char payload[400] = "{\"barrels\":\"";
    size_t length = strlen(payload);

    memset(payload + length, ',', 300);
    memcpy(payload + length + 300, "\"}", sizeof "\"}");
    assert_int_equal(read_with(payload, false).refusal, REFUSED_BAD_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_said_is_the_configuration),
        cmocka_unit_test(draws_of_the_configuration_are_left_to_the_caller),
        cmocka_unit_test(every_choice_is_taken_over),
        cmocka_unit_test(start_game_takes_every_choice_but_to_abandon),
        cmocka_unit_test(G2_the_first_player_is_named_or_drawn),
        cmocka_unit_test(G2_a_configured_first_player_who_does_not_play_is_drawn),
        cmocka_unit_test(G1_players_are_as_many_as_listed),
        cmocka_unit_test(G1_two_players_have_two_harbours_each),
        cmocka_unit_test(G1_who_names_no_harbour_gets_a_free_one),
        cmocka_unit_test(T1_players_opposite_each_other_are_a_team_unless_they_say_otherwise),
        cmocka_unit_test(T1_teams_of_the_configuration_count_when_a_command_asks_for_team_play),
        cmocka_unit_test(T1_no_team_is_said_as_null_in_the_defaults_and_understood),
        cmocka_unit_test(ME1_barrels_are_an_object_or_a_list_as_in_the_configuration),
        cmocka_unit_test(ME1_configured_barrels_that_do_not_fit_the_players_are_drawn),
        cmocka_unit_test(a_longer_name_leaves_no_trace_in_the_setup),
        cmocka_unit_test(a_refusal_names_the_field_and_what_it_accepts),
        cmocka_unit_test(lists_longer_than_any_that_fits_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
