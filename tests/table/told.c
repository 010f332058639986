/* What keeps events from the broker, as the log tells it. */
#include "stage.h"
#include "tests/support/fake_log.h"

#include <errno.h>
#include <limits.h>

TABLE_TEST(what_keeps_events_back_is_told_once_until_it_changes_or_ends)
{
    struct fake_bus_faults faults = {.fail_at = 1, .fail_count = UINT_MAX, .fail_errno = ENOBUFS};
    const char *told = "events cannot be sent: ";

    say(stage, "new-game");
    fake_log_forget();
    fake_bus_set_faults(stage->fake.bus, &faults);
    fake_table_say(&stage->fake, "aim red-1", "");
    fake_table_wait(&stage->fake, FAKE_SECOND_US);
    assert_true(fake_log_has(told));
    fake_log_forget();
    fake_table_wait(&stage->fake, 5 * FAKE_SECOND_US);
    assert_false(fake_log_has(told));
    faults.fail_errno = ENOMEM;
    fake_bus_set_faults(stage->fake.bus, &faults);
    fake_table_wait(&stage->fake, FAKE_SECOND_US);
    assert_true(fake_log_has(told));
    fake_bus_set_faults(stage->fake.bus, NULL);
    fake_table_wait(&stage->fake, FAKE_SECOND_US);
    fake_log_forget();
    fake_bus_set_faults(stage->fake.bus, &faults);
    fake_table_say(&stage->fake, "aim red-2", "");
    fake_table_wait(&stage->fake, FAKE_SECOND_US);
    assert_true(fake_log_has(told));
}

TABLE_TEST(an_open_game_that_has_vanished_is_told)
{
    fake_table_kill(&stage->fake);
    fake_log_forget();
    assert_int_equal(fake_table_start(&stage->fake), 0);
    assert_false(fake_log_has("there is no open game"));
    fake_table_connect(&stage->fake);
    say(stage, "new-game");
    fake_table_wait(&stage->fake, 5 * FAKE_SECOND_US);
    fake_table_kill(&stage->fake);
    struct disk disk = fake_disk_interface(stage->fake.disk);
    assert_int_equal(disk.remove(disk.self, "open-game"), 0);
    assert_int_equal(fake_table_start(&stage->fake), 0);
    assert_true(fake_log_has("there is no open game, but the broker has event "));
}
