/* Home Assistant: what is announced and when it is cleared, and events that come at most once. */
#include "stage.h"

#include <stdio.h>
#include <string.h>

#define CONFIG_OF(table) "homeassistant/device/shipahoy-" table "/config"
#define WITH_HOME_ASSISTANT                                                                        \
    "[mqtt]\nhomeassistant = yes\n[player.1]\nname = Anna\n[player.2]\nname = Ben\n"

static unsigned count_since(const struct stage *stage, size_t first, const char *topic)
{
    unsigned count = 0;

    for (size_t i = first; i < fake_bus_count(stage->fake.bus); i++) {
        count += strcmp(fake_bus_message(stage->fake.bus, i)->topic, topic) == 0;
    }
    return count;
}

static const char *announced(const struct stage *stage)
{
    return fake_bus_retained(stage->fake.bus, CONFIG_OF("den"));
}

static bool is_cleared(const struct stage *stage, const char *topic)
{
    const char *config = fake_bus_retained(stage->fake.bus, topic);

    return !config || !config[0];
}

TABLE_TEST_WITH(the_announcement_has_the_names_and_the_page_of_the_table, WITH_HOME_ASSISTANT)
{
    then_has(announced(stage), "'identifiers':['shipahoy-den'] 'unique_id':'shipahoy-den-event'");
    then_has(announced(stage), "'configuration_url':'http://");
    then_has(announced(stage), "/#table=den&prefix=shipahoy'");
    then_has(announced(stage), "'state_topic':'shipahoy/den/homeassistant'");
}

TABLE_TEST_WITH(the_page_is_linked_where_the_configuration_says,
                "[mqtt]\nhomeassistant = yes\npage_url = http://pi:9001/scoreboard.html\n")
{
    then_has(announced(stage),
             "'configuration_url':'http://pi:9001/scoreboard.html#table=den&prefix=shipahoy'");
}

TABLE_TEST_WITH(scores_have_the_names_of_the_players, WITH_HOME_ASSISTANT)
{
    assert_non_null(strstr(announced(stage), "\"Score of player 1\""));
    say(stage, "new-game");
    assert_non_null(strstr(announced(stage), "\"Score of Anna\""));
    assert_non_null(strstr(announced(stage), "\"Score of Ben\""));
    assert_non_null(strstr(announced(stage), "\"Score of player 3\""));
    assert_non_null(strstr(announced(stage), "\"sensor.ship_ahoy_den_score_of_player_1\""));
    size_t before = fake_bus_count(stage->fake.bus);
    say(stage, "end-phase", "roll-move 2");
    assert_int_equal(count_since(stage, before, CONFIG_OF("den")), 0);
}

TABLE_TEST(nothing_is_announced_unless_it_is_wanted)
{
    say(stage, "new-game");
    assert_null(announced(stage));
    assert_int_equal(count_since(stage, 0, FAKE_BASE "homeassistant"), 0);
}

TABLE_TEST_WITH(an_announcement_that_is_no_longer_wanted_is_cleared_once, WITH_HOME_ASSISTANT)
{
    stage->fake.config.mqtt.homeassistant = false;
    stage_restart(stage);
    assert_true(is_cleared(stage, CONFIG_OF("den")));
    fake_table_wait(&stage->fake, 1000); /* for the disk */
    size_t before = fake_bus_count(stage->fake.bus);
    stage_restart(stage);
    assert_int_equal(count_since(stage, before, CONFIG_OF("den")), 0);
}

TABLE_TEST_WITH(a_table_that_is_renamed_is_announced_under_its_new_name_alone, WITH_HOME_ASSISTANT)
{
    snprintf(stage->fake.config.table, sizeof stage->fake.config.table, "attic");
    stage_restart(stage);
    assert_true(is_cleared(stage, CONFIG_OF("den")));
    assert_false(is_cleared(stage, CONFIG_OF("attic")));
    fake_table_wait(&stage->fake, 1000); /* for the disk */
    size_t before = fake_bus_count(stage->fake.bus);
    stage_restart(stage);
    assert_int_equal(count_since(stage, before, CONFIG_OF("den")), 0);
}

TABLE_TEST_WITH(it_is_cleared_again_until_the_broker_has_acknowledged_it, WITH_HOME_ASSISTANT)
{
    const struct fake_bus_faults slow = {.is_slow = true};

    stage->fake.config.mqtt.homeassistant = false;
    fake_bus_set_faults(stage->fake.bus, &slow);
    stage_restart(stage);
    size_t before = fake_bus_count(stage->fake.bus);
    stage_restart(stage);
    assert_int_equal(count_since(stage, before, CONFIG_OF("den")), 1);
}

TABLE_TEST_WITH(each_event_is_published_once_for_automations, WITH_HOME_ASSISTANT)
{
    const struct fake_bus_faults slow = {.is_slow = true};

    say(stage, "new-game");
    fake_bus_set_faults(stage->fake.bus, &slow);
    size_t before = fake_bus_count(stage->fake.bus);
    say(stage, "ball-left");
    assert_int_equal(count_since(stage, before, FAKE_BASE "homeassistant"), 1);
    then_said(stage, "event/shot-fired", "homeassistant 'event_type':'shot-fired'");
    before = fake_bus_count(stage->fake.bus);
    stage_restart(stage);
    assert_int_equal(count_since(stage, before, FAKE_BASE "event/shot-fired"), 1);
    assert_int_equal(count_since(stage, before, FAKE_BASE "homeassistant"), 0);
}
