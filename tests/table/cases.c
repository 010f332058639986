/*
 * Runs tests of the table, NAME.txt. Statements are what people and sensors say, with `, ` between
 * them (support/fake_table.h), and besides:
 *
 *     ini [button.end], line = GPIO5     configuration, before the table starts; a line each
 *     config [game], rules = advanced    another configuration, while it runs
 *     next-config [game]                 another one that holds from the next start
 *     rename attic                       so for the name of the table
 *     send aim {"piece":"red-1"}         a command as JSON
 *     id a aim red-1                     a command with an id
 *     repeat 300 ball-left; wait 10      the same many times
 *     retained state "seq":3             the value of a topic, once it has followed the events
 *     retained-now state "seq":3         the same, without waiting for that
 *     retained-lacks ready TEXT          it is without this text
 *     cleared sensor/red-1/tilt          it is empty
 *     restart, power-cut                 the daemon starts again, after a kill or without power
 *     kill, start                        the same in two steps, without a connection
 *     disconnect, connect                the broker goes and comes
 *     disk EIO, disk once EIO            the disk fails, always or once; `disk works`
 *     fell blue-1 250000                 a switch reports a fall so many microseconds ago
 *     looked blue-1+red-1 lying red-1    what the switches of these pieces find
 *     sensed blue-1.tilt 7               a switch has had so many edges
 *     draw 4                             the next draw
 *     message command/aim {}             a message; /z/one is a topic without our base
 *     retained-message command/aim {}    one from before
 *     broker slow                        it acknowledges when it is told to; `broker well`
 *     broker ENOBUFS                     nothing can be published
 *     files .journal 3                   so many have a name that ends so
 *     remove open-game                   a file vanishes
 *     acknowledge 2, acknowledge last 1  the oldest or the newest messages
 *     from-here, published state 1       how often a topic was published since then
 *     first-published status             and which was the first
 *     simulated cannon.beam 1            the last edge for the simulation
 *     log TEXT, no-log TEXT, forget-log  the log has it or has not
 *     idle                               nothing is due
 *     suspected blue-1.tilt, rope-zeroed 2
 *
 * and for sensors over MQTT, whose edges are filtered as the sensor thread does:
 *
 *     edge blue-1.tilt 1                 an edge of a wired sensor
 *     health blue-1.tilt silent          as the filters have it; so for `edges-of cannon.beam 2`,
 *                                        `rope-counts 3`, `rope-lost yes`
 *     by-radio blue-1.tilt, by-wire cannon.beam
 *     subscribed z/one, not-subscribed z/one, subscriptions 3
 *     no-new-subscription                since `from-here`
 *     paired TEXT, stored, stored ENOENT what is to be stored, and that it is, or why not
 *     shot-at 0                          the time of the shot
 *
 * The lines after `>` are all events and replies since the statement began: a topic without its
 * base and parts of its payload. `nothing`: there is none.
 */
#include "radio_stage.h"

#include "tests/support/cases.h"
#include "tests/support/fake_log.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    INI_SIZE = 1024,
    EXPECTED_MAX = 32,
    EXPECTED_SIZE = 2048,
    WORD_SIZE = 32,
    LINE_SIZE = 512,
    FOR_EVER = 1000000
};

struct table_case {
    struct radio_stage radio;
    char ini[INI_SIZE];
    bool is_wired; /* its sensors are real ones, which have not been looked at yet */
    bool runs;
    size_t counted;      /* messages before `from-here`, */
    unsigned subscribed; /* and subscriptions */
};

static struct table_case table_case;

static void *begin(void)
{
    memset(&table_case, 0, sizeof table_case);
    strcpy(table_case.ini, "[game]\nfirst = 1\n");
    return &table_case;
}

static void start(struct table_case *it)
{
    struct fake_table *fake = &it->radio.stage.fake;

    fake_table_begin(fake, it->ini);
    fake->config.hw.backend = it->is_wired ? BACKEND_GPIOD : BACKEND_SIM;
    assert_int_equal(fake_table_start(fake), 0);
    fake_table_connect(fake);
    radio_begin_filters(&it->radio);
    it->runs = true;
}

/* Ends the text at its first blank; what is behind it. */
static char *cut(char *text)
{
    char *rest = text + strcspn(text, " ");

    if (*rest) {
        *rest++ = '\0';
    }
    return rest;
}

/* Adds the parts of a text as lines. */
static void add_lines(char *text, char ini[INI_SIZE])
{
    char *parts[PARTS_MAX + 1];
    size_t length = strlen(ini);

    cases_split(text, parts);
    for (unsigned i = 0; parts[i]; i++) {
        length += (size_t)snprintf(ini + length, INI_SIZE - length, "%s\n", parts[i]);
        assert_true(length < INI_SIZE);
    }
}

static void change_config(struct stage *stage, char *text)
{
    char ini[INI_SIZE] = "";

    add_lines(text, ini);
    fake_table_read_config(&stage->fake.config, ini);
}

static void configure(struct stage *stage, char *text)
{
    change_config(stage, text);
    table_configured(stage->fake.table);
}

static void rename_table(struct stage *stage, char *text)
{
    snprintf(stage->fake.config.table, sizeof stage->fake.config.table, "%s", text);
}

static void send(struct stage *stage, char *text)
{
    char *json = cut(text);

    fake_table_send(&stage->fake, text, json);
}

static void say_with_id(struct stage *stage, char *text)
{
    char *line = cut(text);

    fake_table_say(&stage->fake, line, text);
}

static void run_line(struct stage *stage, char *line);

static void repeat(struct stage *stage, char *text)
{
    char lines[LINE_SIZE];
    char *all;
    char *rest;

    for (unsigned long times = strtoul(text, &all, 10); times > 0; times--) {
        snprintf(lines, sizeof lines, "%s", all);
        for (char *line = strtok_r(lines, ";", &rest); line; line = strtok_r(NULL, ";", &rest)) {
            run_line(stage, line + 1);
        }
    }
}

static void let_pass(struct stage *stage, char *text)
{
    (void)stage;
    radio_wait_ms(&table_case.radio, (unsigned)strtoul(text, NULL, 10));
}

static void check_retained(struct stage *stage, char *text)
{
    char *parts = cut(text);

    stage_retained(stage, text, parts, cases_path(), cases_line());
}

/* The retained value of the topic that the text begins with; "" if it was cleared. */
static const char *retained(const struct stage *stage, const char *text)
{
    char topic[TOPIC_SIZE];

    stage_topic(topic, text);
    const char *payload = fake_bus_retained(stage->fake.bus, topic);
    if (!payload) {
        cases_fail("nothing was published on %s", topic);
    }
    return payload;
}

static void check_retained_now(struct stage *stage, char *text)
{
    stage_has(retained(stage, text), text + strcspn(text, " "), cases_path(), cases_line());
}

static void check_retained_lacks(struct stage *stage, char *text)
{
    assert_null(strstr(retained(stage, text), text + strcspn(text, " ") + 1));
}

static void check_cleared(struct stage *stage, char *text)
{
    assert_string_equal(retained(stage, text), "");
}

static void restart(struct stage *stage, char *text)
{
    (void)text;
    stage_restart(stage);
}

static void kill_daemon(struct stage *stage, char *text)
{
    (void)text;
    fake_table_kill(&stage->fake);
}

static void start_daemon(struct stage *stage, char *text)
{
    (void)text;
    assert_int_equal(fake_table_start(&stage->fake), 0);
}

static void cut_power(struct stage *stage, char *text)
{
    (void)text;
    fake_table_cut(&stage->fake, LOSE_ALL, 0);
    assert_int_equal(fake_table_start(&stage->fake), 0);
    fake_table_connect(&stage->fake);
    stage->seen = fake_bus_count(stage->fake.bus);
}

static void disconnect(struct stage *stage, char *text)
{
    (void)text;
    fake_table_disconnect(&stage->fake);
}

static void connect(struct stage *stage, char *text)
{
    (void)text;
    fake_table_connect(&stage->fake);
}

static int error_named(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } errors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC},   {"EROFS", EROFS},  {"EINVAL", EINVAL},
                  {"ENOENT", ENOENT}, {"ENOBUFS", ENOBUFS}, {"ENOMEM", ENOMEM}};

    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (strcmp(errors[i].name, name) == 0) {
            return errors[i].number;
        }
    }
    cases_fail("there is no error %s", name);
}

static void set_disk(struct stage *stage, char *text)
{
    bool is_once = strncmp(text, "once ", 5) == 0;
    bool works = strcmp(text, "works") == 0;
    const struct fake_faults faults = {
        .fail_at = 1,
        .fail_count = is_once ? 1 : FOR_EVER,
        .fail_errno = works ? 0 : error_named(is_once ? text + 5 : text),
        .failed_sync = LOSE_ALL,
    };

    fake_disk_set_faults(stage->fake.disk, works ? NULL : &faults);
}

static void check_files(struct stage *stage, char *text)
{
    const char *number = cut(text);

    assert_int_equal(fake_disk_count(stage->fake.disk, text), strtoul(number, NULL, 10));
}

static void remove_file(struct stage *stage, char *text)
{
    const struct disk *disk = &stage->fake.disk_interface;

    assert_int_equal(disk->remove(disk->self, text), 0);
}

static enum piece piece_of(const char *name)
{
    enum piece piece = rules_piece_named(name);

    if (!piece) {
        cases_fail("there is no piece %s", name);
    }
    return piece;
}

static uint32_t pieces_of(char *names)
{
    uint32_t pieces = 0;
    char *rest;

    for (char *name = strtok_r(names, "+", &rest); name; name = strtok_r(NULL, "+", &rest)) {
        pieces |= bit(piece_of(name));
    }
    return pieces;
}

static void report_fall(struct stage *stage, char *text)
{
    char *ago = cut(text);
    uint64_t at_us = stage->fake.now_us - strtoull(ago, NULL, 10);
    uint16_t sensor = (uint16_t)(SENSOR_TILT + (unsigned)piece_of(text));
    struct fact fact = {
        .kind = FACT_TOPPLED,
        .at_us = at_us,
        .piece = piece_of(text),
        .sensor = sensor,
        .evidence = {.at_us = at_us, .settle_us = 150000, .bounces = 7, .sensor = sensor},
    };
    fake_table_fact(&stage->fake, &fact);
}

static void report_look(struct stage *stage, char *text, unsigned sensor)
{
    char *lying = strstr(text, " lying ");

    if (lying) {
        *lying = '\0';
        lying += strlen(" lying ");
    }
    fake_table_fact(&stage->fake, &(struct fact){.kind = FACT_LOOKED,
                                                 .at_us = stage->fake.now_us,
                                                 .sensor = (uint16_t)sensor,
                                                 .pieces = pieces_of(text),
                                                 .lying = lying ? pieces_of(lying) : 0});
}

static void look(struct stage *stage, char *text)
{
    report_look(stage, text, SENSOR_NONE);
}

static void look_again(struct stage *stage, char *text)
{
    char name[WORD_SIZE];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " "), text);
    report_look(stage, text, SENSOR_TILT + (unsigned)piece_of(name));
}

static void sense(struct stage *stage, char *text)
{
    char *edges = cut(text);

    fake_table_fact(&stage->fake,
                    &(struct fact){.kind = FACT_SENSED,
                                   .sensor = (uint16_t)sensor_named(&stage->fake.names, text),
                                   .edges = (uint32_t)strtoul(edges, NULL, 10)});
}

static void pass_message(struct stage *stage, char *text, bool is_retained)
{
    const char *payload = cut(text);
    char topic[TOPIC_SIZE];

    stage_topic(topic, text);
    fake_table_message(&stage->fake, &(struct bus_news){.kind = BUS_MESSAGE,
                                                        .topic = topic,
                                                        .payload = payload,
                                                        .size = strlen(payload),
                                                        .retained = is_retained});
}

static void hear_message(struct stage *stage, char *text)
{
    pass_message(stage, text, false);
}

static void hear_retained(struct stage *stage, char *text)
{
    pass_message(stage, text, true);
}

static void set_broker(struct stage *stage, char *text)
{
    const struct fake_bus_faults slow = {.is_slow = true};

    if (text[0] == 'E') {
        const struct fake_bus_faults broken = {
            .fail_at = 1, .fail_count = UINT_MAX, .fail_errno = error_named(text)};
        fake_bus_set_faults(stage->fake.bus, &broken);
        return;
    }
    fake_bus_set_faults(stage->fake.bus, strcmp(text, "slow") == 0 ? &slow : NULL);
    fake_table_hear(&stage->fake);
}

/* `3`: the oldest three messages; `last 1`: the newest one. */
static void acknowledge(struct stage *stage, char *text)
{
    bool is_last = strncmp(text, "last ", 5) == 0;

    fake_bus_acknowledge(stage->fake.bus, (unsigned)strtoul(is_last ? text + 5 : text, NULL, 10),
                         is_last);
    fake_table_hear(&stage->fake);
}

static void count_from_here(struct stage *stage, char *text)
{
    (void)text;
    table_case.counted = fake_bus_count(stage->fake.bus);
    table_case.subscribed = fake_bus_subscribed(stage->fake.bus);
}

static void check_published(struct stage *stage, char *text)
{
    const char *number = cut(text);
    char topic[TOPIC_SIZE];
    unsigned long count = 0;

    stage_topic(topic, text);
    for (size_t i = table_case.counted; i < fake_bus_count(stage->fake.bus); i++) {
        count += strcmp(fake_bus_message(stage->fake.bus, i)->topic, topic) == 0;
    }
    if (count != strtoul(number, NULL, 10)) {
        cases_fail("%s was published %lu times", text, count);
    }
}

static void check_first_published(struct stage *stage, char *text)
{
    char topic[TOPIC_SIZE];

    stage_topic(topic, text);
    assert_string_equal(fake_bus_message(stage->fake.bus, table_case.counted)->topic, topic);
}

static void check_simulated(struct stage *stage, char *text)
{
    assert_string_equal(stage->fake.simulated, text);
}

static void set_draw(struct stage *stage, char *text)
{
    stage->fake.draws[0] = (uint32_t)strtoul(text, NULL, 10);
    stage->fake.draw_count = 1;
}

static void check_log(struct stage *stage, char *text)
{
    (void)stage;
    if (!fake_log_has(text)) {
        cases_fail("the log does not have: %s", text);
    }
}

static void check_no_log(struct stage *stage, char *text)
{
    (void)stage;
    if (fake_log_has(text)) {
        cases_fail("the log has: %s", text);
    }
}

static void forget_log(struct stage *stage, char *text)
{
    (void)stage;
    (void)text;
    fake_log_forget();
}

/* State and rope follow their events after a moment, and the acknowledged mark after a second. */
static void check_idle(struct stage *stage, char *text)
{
    (void)text;
    fake_table_wait(&stage->fake, FAKE_SECOND_US + 1000);
    assert_int_equal(table_deadline_us(stage->fake.table), 0);
}

static void check_suspected(struct stage *stage, char *text)
{
    assert_int_equal(stage->fake.suspected, sensor_named(&stage->fake.names, text));
}

static void check_rope_zeroed(struct stage *stage, char *text)
{
    assert_int_equal(stage->fake.rope_zeroed, strtoul(text, NULL, 10));
}

/*
 * Sensors over MQTT
 */

static uint16_t sensor_of(const struct stage *stage, const char *name)
{
    unsigned sensor = sensor_named(&stage->fake.names, name);

    if (sensor == SENSOR_NONE) {
        cases_fail("there is no sensor %s", name);
    }
    return (uint16_t)sensor;
}

static void pass_edge(struct stage *stage, char *text)
{
    char *level = cut(text);

    radio_wired(&table_case.radio, sensor_of(stage, text), level[0] == '1');
}

static void check_health(struct stage *stage, char *text)
{
    char *health = cut(text);
    enum health is = table_case.radio.filters.health[sensor_of(stage, text)].state;
    assert_string_equal(rules_health_name(is), health);
}

static void check_edges(struct stage *stage, char *text)
{
    char *edges = cut(text);

    assert_int_equal(table_case.radio.filters.health[sensor_of(stage, text)].edges,
                     strtoul(edges, NULL, 10));
}

static void check_rope_counts(struct stage *stage, char *text)
{
    (void)stage;
    assert_int_equal(table_case.radio.filters.rope.counts, strtol(text, NULL, 10));
}

static void check_rope_lost(struct stage *stage, char *text)
{
    (void)stage;
    assert_string_equal(table_case.radio.filters.rope.impossible ? "yes" : "no", text);
}

static void check_by_radio(struct stage *stage, char *text)
{
    assert_true(stage->fake.is_radio[sensor_of(stage, text)]);
}

static void check_by_wire(struct stage *stage, char *text)
{
    assert_false(stage->fake.is_radio[sensor_of(stage, text)]);
}

static void check_subscribed(struct stage *stage, char *text)
{
    assert_true(fake_bus_is_subscribed(stage->fake.bus, text));
}

static void check_not_subscribed(struct stage *stage, char *text)
{
    assert_false(fake_bus_is_subscribed(stage->fake.bus, text));
}

static void check_subscriptions(struct stage *stage, char *text)
{
    assert_int_equal(fake_bus_subscriptions(stage->fake.bus), strtoul(text, NULL, 10));
}

static void check_no_new_subscription(struct stage *stage, char *text)
{
    (void)text;
    assert_int_equal(fake_bus_subscribed(stage->fake.bus), table_case.subscribed);
}

static void check_paired(struct stage *stage, char *text)
{
    assert_string_equal(stage->fake.paired, strcmp(text, "nothing") == 0 ? "" : text);
}

static void report_stored(struct stage *stage, char *text)
{
    table_paired(stage->fake.table, text[0] ? -error_named(text) : 0);
}

static void check_shot_at(struct stage *stage, char *text)
{
    assert_int_equal(table_game(stage->fake.table)->turn.shot_at_us, strtoull(text, NULL, 10));
}

static const struct {
    const char *word;
    void (*run)(struct stage *stage, char *text);
    bool takes_all; /* its text may have commas */
} statements[] = {
    {"config", configure, true},
    {"next-config", change_config, true},
    {"send", send, true},
    {"retained", check_retained, true},
    {"retained-now", check_retained_now, true},
    {"retained-lacks", check_retained_lacks, true},
    {"log", check_log, true},
    {"no-log", check_no_log, true},
    {"message", hear_message, true},
    {"retained-message", hear_retained, true},
    {"simulated", check_simulated, true},
    {"rename", rename_table, false},
    {"cleared", check_cleared, false},
    {"wait", let_pass, false},
    {"id", say_with_id, false},
    {"repeat", repeat, false},
    {"restart", restart, false},
    {"kill", kill_daemon, false},
    {"start", start_daemon, false},
    {"power-cut", cut_power, false},
    {"disconnect", disconnect, false},
    {"connect", connect, false},
    {"disk", set_disk, false},
    {"files", check_files, false},
    {"remove", remove_file, false},
    {"fell", report_fall, false},
    {"looked", look, false},
    {"looked-again", look_again, false},
    {"sensed", sense, false},
    {"draw", set_draw, false},
    {"idle", check_idle, false},
    {"broker", set_broker, false},
    {"acknowledge", acknowledge, false},
    {"from-here", count_from_here, false},
    {"published", check_published, false},
    {"first-published", check_first_published, false},
    {"forget-log", forget_log, false},
    {"suspected", check_suspected, false},
    {"rope-zeroed", check_rope_zeroed, false},
    {"edge", pass_edge, false},
    {"health", check_health, false},
    {"edges-of", check_edges, false},
    {"rope-counts", check_rope_counts, false},
    {"rope-lost", check_rope_lost, false},
    {"by-radio", check_by_radio, false},
    {"by-wire", check_by_wire, false},
    {"subscribed", check_subscribed, false},
    {"not-subscribed", check_not_subscribed, false},
    {"subscriptions", check_subscriptions, false},
    {"no-new-subscription", check_no_new_subscription, false},
    {"paired", check_paired, false},
    {"stored", report_stored, false},
    {"shot-at", check_shot_at, false},
};
enum { STATEMENTS = sizeof statements / sizeof statements[0] };

/* Its place in the list, or STATEMENTS for what people and sensors say. */
static size_t find_statement(const char *line)
{
    size_t length = strcspn(line, " ");
    size_t i = 0;

    while (i < STATEMENTS && (strlen(statements[i].word) != length ||
                              strncmp(line, statements[i].word, length) != 0)) {
        i++;
    }
    return i;
}

static void run_line(struct stage *stage, char *line)
{
    size_t at = find_statement(line);
    size_t length = strcspn(line, " ");

    if (strncmp(line, "retained ", strlen("retained ")) != 0) {
        stage->seen = fake_bus_count(stage->fake.bus);
    }
    if (at < STATEMENTS) {
        statements[at].run(stage, line + length + (line[length] == ' '));
    } else {
        fake_table_say(&stage->fake, line, "");
    }
    radio_filter(&table_case.radio);
}

static void run(void *self, char *statement)
{
    struct table_case *it = self;
    size_t at = find_statement(statement);
    char *lines[PARTS_MAX + 1];

    if (strncmp(statement, "ini ", 4) == 0) {
        add_lines(statement + 4, it->ini);
        return;
    }
    if (strcmp(statement, "wired") == 0) {
        it->is_wired = true;
        return;
    }
    if (!it->runs) {
        start(it);
    }
    if (at < STATEMENTS && statements[at].takes_all) {
        run_line(&it->radio.stage, statement);
        return;
    }
    cases_split(statement, lines);
    for (unsigned i = 0; lines[i]; i++) {
        run_line(&it->radio.stage, lines[i]);
    }
}

static void compare(void *self, const char *const *lines)
{
    struct table_case *it = self;
    char *expected[EXPECTED_MAX + PARTS_MAX + 1] = {NULL};
    char text[EXPECTED_SIZE];
    size_t count = 0;
    size_t used = 0;

    if (!lines[0]) {
        return;
    }
    for (; *lines && strcmp(*lines, "nothing") != 0; lines++) {
        assert_true(used + strlen(*lines) < sizeof text && count < EXPECTED_MAX);
        memcpy(text + used, *lines, strlen(*lines) + 1);
        cases_split(text + used, expected + count);
        used += strlen(*lines) + 1;
        while (expected[count]) {
            count++;
        }
    }
    stage_then(&it->radio.stage, (const char *const *)expected, cases_path(), cases_line());
}

static void end(void *self)
{
    struct table_case *it = self;

    stage_end(&it->radio.stage);
}

int main(int argc, char **argv)
{
    static const struct language language = {begin, run, compare, end};

    return argc == 2 ? cases_run(argv[1], &language) : 1;
}
