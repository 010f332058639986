/* new-game: the configuration, overridden by the fields of the command. */
#include "wire/wire.h"

#include "rules/text.h"

#include <stdarg.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

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

/* The seats as `Anna red+blue 1, Ben green`: name, harbours, and the team if there is one. */
static void assert_seats(const struct command *command, const char *expected)
{
    char seats[256];
    struct text text = text_begin(seats, sizeof seats);

    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        const struct seat *seat = &command->setup.seats[player];
        const char *between = " ";
        text_add(&text, player > 1 && seat->harbours ? ", " : "");
        text_add(&text, seat->name);
        for (enum harbour harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
            if (seat->harbours & bit(harbour)) {
                text_add(&text, between);
                text_add(&text, rules_harbour_name(harbour));
                between = "+";
            }
        }
        if (seat->team) {
            text_add(&text, " ");
            text_add_number(&text, seat->team);
        }
    }
    assert_string_equal(seats, expected);
}

static void assert_seats_of(const char *payload, const char *expected)
{
    struct command command = read_text(payload);

    assert_seats(&command, expected);
}

static void without_fields_it_is_the_configuration(void **state)
{
    const struct setup setup = configured();
    struct command command = read_text("{}");

    (void)state;
    assert_memory_equal(&command.setup, &setup, sizeof setup);
    assert_false(command.first_is_drawn);
    assert_false(command.barrels_are_drawn);
    assert_false(command.input.abandon);
}

static void draws_of_the_configuration_are_left_to_the_caller(void **state)
{
    static const uint8_t none[HARBOUR_COUNT];
    struct command command = read_with("{}", true);

    (void)state;
    assert_true(command.first_is_drawn);
    assert_true(command.barrels_are_drawn);
    assert_int_equal(command.setup.first, PLAYER_NONE);
    assert_memory_equal(command.setup.barrels, none, sizeof none);
}

static void every_field_overrides_the_configuration(void **state)
{
    struct command command = read_text("{\"rules\":\"advanced\",\"scenario\":\"sea-monster\","
                                       "\"dice\":\"daemon\",\"first\":2,\"abandon\":true,"
                                       "\"anyway\":\"yes\"}");

    (void)state;
    assert_int_equal(command.setup.variant, VARIANT_ADVANCED);
    assert_int_equal(command.setup.scenario, SCENARIO_SEA_MONSTER);
    assert_int_equal(command.setup.dice, DICE_DAEMON);
    assert_int_equal(command.setup.first, 2);
    assert_true(command.input.abandon);
    assert_true(command.anyway);
    assert_int_equal(command.setup.house.ship_points, 5);
}

static void start_game_accepts_every_field_but_abandon(void **state)
{
    const struct setup setup = configured();
    const struct wire_defaults defaults = {.setup = &setup};
    static const char choice[] = "{\"dice\":\"daemon\"}";
    static const char abandon[] = "{\"abandon\":false}";
    struct command command;

    (void)state;
    wire_read_command("start-game", choice, strlen(choice), &defaults, &command);
    assert_int_equal(command.refusal, REFUSED_NOT);
    assert_int_equal(command.input.kind, INPUT_NEW_GAME);
    assert_int_equal(command.setup.dice, DICE_DAEMON);
    wire_read_command("start-game", abandon, strlen(abandon), &defaults, &command);
    assert_int_equal(command.refusal, REFUSED_BAD_VALUE);
    assert_string_equal(command.message, "start-game cannot abandon a running game; use new-game.");
}

static void G2_the_first_player_is_chosen_or_drawn(void **state)
{
    struct command command = read_with("{\"first\":3}", true);

    (void)state;
    assert_false(command.first_is_drawn);
    assert_int_equal(command.setup.first, 3);
    assert_int_equal(read_text("{\"first\":\"3\"}").setup.first, 3);
    assert_true(read_text("{\"first\":\"draw\"}").first_is_drawn);
    assert_true(read_text("{\"first\":\"random\"}").first_is_drawn);
    command = read_text("{\"players\":[{},{},{}]}"); /* the configured first player is missing */
    assert_true(command.first_is_drawn);
    assert_int_equal(command.setup.first, PLAYER_NONE);
}

static void G1_players_have_the_harbours_they_choose_or_free_ones(void **state)
{
    (void)state;
    assert_seats_of("{\"players\":[{\"name\":\"Emil\",\"harbours\":\"green\"},"
                    "{\"name\":\"Fe\",\"harbours\":[\"red\"]},{\"harbours\":[\"blue\"]}]}",
                    "Emil green, Fe red, Cleo blue");
    assert_seats_of("{\"players\":[{},{}]}", "Anna red+blue, Ben green+yellow");
    assert_seats_of("{\"players\":[{\"harbours\":\"red, green\"},"
                    "{\"harbours\":[\"yellow\",\"blue\"]}]}",
                    "Anna red+green, Ben blue+yellow");
    assert_seats_of("{\"players\":[{},{\"harbours\":\"red\"},{}]}",
                    "Anna blue, Ben red, Cleo green");
}

static void T1_teams_are_chosen_or_completed(void **state)
{
    (void)state;
    assert_seats_of("{\"players\":[{\"team\":1},{\"team\":1},{\"team\":2},{\"team\":\"2\"}],"
                    "\"teams\":\"yes\"}",
                    "Anna red 1, Ben blue 1, Cleo green 2, Dora yellow 2");
    assert_seats_of("{\"players\":[{\"team\":1},{\"team\":2},{}],\"teams\":\"no\"}",
                    "Anna red, Ben blue, Cleo green");
    assert_seats_of("{\"players\":[{\"team\":null},{\"team\":1},{},{\"team\":null}],"
                    "\"teams\":true}",
                    "Anna red 2, Ben blue 1, Cleo green 2, Dora yellow 1");
}

static void T1_configured_teams_apply_only_with_team_play(void **state)
{
    static const char teams[] = "{\"teams\":true}";
    struct setup setup = configured();
    const struct wire_defaults defaults = {.setup = &setup};
    struct command command;

    (void)state;
    setup.seats[1].team = 2;
    setup.seats[2].team = 2;
    wire_read_command("start-game", teams, strlen(teams), &defaults, &command);
    assert_seats(&command, "Anna red 2, Ben blue 2, Cleo green 1, Dora yellow 1");
    wire_read_command("start-game", "", 0, &defaults, &command);
    assert_seats(&command, "Anna red, Ben blue, Cleo green, Dora yellow");
}

static void ME1_barrels_are_an_object_or_a_list(void **state)
{
    static const uint8_t expected[HARBOUR_COUNT] = {
        [HARBOUR_RED] = HARBOUR_GREEN,
        [HARBOUR_BLUE] = HARBOUR_RED,
        [HARBOUR_GREEN] = HARBOUR_BLUE,
    };
    struct command object =
        read_text("{\"barrels\":{\"red\":\"green\",\"blue\":\"red\",\"green\":\"blue\"}}");
    struct command list = read_text("{\"barrels\":\"red:green, blue:red,green:blue\"}");

    (void)state;
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

static void a_shorter_name_clears_the_rest_of_the_longer_one(void **state)
{
    static const char expected[NAME_SIZE] = "A";
    struct command command = read_text("{\"players\":[{\"name\":\"A\"},{},{},{}]}");

    (void)state;
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
        {"{\"players\":[{\"harbours\":\"red, red\"},{}]}", HARBOURS},
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

static void a_list_that_is_too_long_is_refused(void **state)
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
        cmocka_unit_test(without_fields_it_is_the_configuration),
        cmocka_unit_test(draws_of_the_configuration_are_left_to_the_caller),
        cmocka_unit_test(every_field_overrides_the_configuration),
        cmocka_unit_test(start_game_accepts_every_field_but_abandon),
        cmocka_unit_test(G2_the_first_player_is_chosen_or_drawn),
        cmocka_unit_test(G1_players_have_the_harbours_they_choose_or_free_ones),
        cmocka_unit_test(T1_teams_are_chosen_or_completed),
        cmocka_unit_test(T1_configured_teams_apply_only_with_team_play),
        cmocka_unit_test(ME1_barrels_are_an_object_or_a_list),
        cmocka_unit_test(ME1_configured_barrels_that_do_not_fit_the_players_are_drawn),
        cmocka_unit_test(a_shorter_name_clears_the_rest_of_the_longer_one),
        cmocka_unit_test(a_refusal_names_the_field_and_what_it_accepts),
        cmocka_unit_test(a_list_that_is_too_long_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
