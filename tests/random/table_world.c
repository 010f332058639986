#include "table_world.h"

#include "rules/line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLE_S = 70, ID_SIZE = 16 };

void world_begin(struct world *world, const char *ini)
{
    memset(world, 0, sizeof *world);
    fake_table_begin(&world->fake, ini);
    if (fake_table_start(&world->fake) == 0) {
        fake_table_connect(&world->fake);
    }
}

void world_end(struct world *world)
{
    fake_view_free(&world->view);
    fake_table_end(&world->fake);
}

/*
 * Commands
 */

static const char *note_promise(struct world *world, const char *id, const char *reply)
{
    unsigned seq;

    if (!fake_reply_is_ok(reply) || world->promised == PROMISES_MAX || strstr(reply, "\"more\"")) {
        return NULL;
    }
    const char *found = strstr(reply, "\"seq\":");
    if (!found || sscanf(found, "\"seq\":%u", &seq) != 1 ||
        seq != table_game(world->fake.table)->seq) {
        return "ok comes with the seq of the last event";
    }
    struct promise *promise = &world->made[world->promised++];
    snprintf(promise->id, sizeof promise->id, "%s", id);
    promise->seq = seq;
    return NULL;
}

static bool is_command(const char *line)
{
    struct input input;

    return strcmp(line, "abandon") == 0 || strcmp(line, "anyway") == 0 ||
           (line_read_input(line, &input) == 0 && rules_input_source(input.kind) == SOURCE_COMMAND);
}

static bool makes_sense(const char *line)
{
    struct input input;

    return strcmp(line, "abandon") == 0 || strcmp(line, "anyway") == 0 ||
           strncmp(line, "blocked ", 8) == 0 || strncmp(line, "clear ", 6) == 0 ||
           strcmp(line, "press") == 0 || strcmp(line, "hold") == 0 ||
           strncmp(line, "rope ", 5) == 0 || strncmp(line, "dock ", 5) == 0 ||
           strncmp(line, "button ", 7) == 0 || line_read_input(line, &input) == 0;
}

static const char *say(struct world *world, const char *line)
{
    char id[ID_SIZE];

    if (!makes_sense(line)) {
        return NULL;
    }
    if (!is_command(line)) {
        fake_table_say(&world->fake, line, "");
        return NULL;
    }
    snprintf(id, sizeof id, "%u", ++world->commands);
    snprintf(world->command, sizeof world->command, "%s", line);
    world->is_restarted = false;
    world->reply = fake_table_say(&world->fake, line, id);
    return note_promise(world, id, world->reply);
}

/* The answer must be as before; a refusal is forgotten in a restart, and a fault passes. */
static const char *say_again(struct world *world)
{
    char id[ID_SIZE];
    const char *before = world->reply;

    if (!world->command[0]) {
        return NULL;
    }
    snprintf(id, sizeof id, "%u", world->commands);
    const char *reply = fake_table_say(&world->fake, world->command, id);
    bool is_final = before && !strstr(before, "\"storage\"") &&
                    (fake_reply_is_ok(before) || !world->is_restarted);
    bool is_given = reply && !strstr(reply, "\"storage\"");
    if (is_final && is_given) {
        return strcmp(reply, before) == 0 ? NULL : "the same id is answered alike";
    }
    if (is_given) {
        world->reply = reply;
    }
    return NULL;
}

/* Compares the state in a reply to look-back with what is retained of the same event. */
static const char *compare_state(const struct world *world, const char *reply, uint32_t seq)
{
    const char *retained = fake_bus_retained(world->fake.bus, FAKE_BASE "state");
    const char *state = strstr(reply, "\"state\":");
    char expected[ID_SIZE + sizeof "\"seq\":,"];

    snprintf(expected, sizeof expected, "\"seq\":%" PRIu32 ",", seq);
    /* After the end of a game the state may change without an event. */
    if (!retained || !strstr(retained, expected) ||
        table_game(world->fake.table)->phase == PHASE_OVER) {
        return NULL;
    }
    state += strlen("\"state\":");
    size_t length = strlen(retained);
    return strncmp(state, retained, length) == 0 && strcmp(state + length, "}") == 0
               ? NULL
               : "look-back tells what was published";
}

static const char *ask(struct world *world, const char *verb)
{
    uint32_t seq = table_game(world->fake.table)->seq;
    char json[ACT_SIZE] = "{\"states\":true}";
    bool is_look_back = strcmp(verb, "look-back") == 0;

    if (is_look_back) {
        snprintf(json, sizeof json, "{\"seq\":%" PRIu32 "}", seq ? seq : 1);
    } else if (strcmp(verb, "games") == 0) {
        snprintf(json, sizeof json, "{}");
    }
    const char *reply = fake_table_send(&world->fake, verb, json);
    if (!reply) {
        return NULL; /* the broker is away, or has not acknowledged the last answer */
    }
    if (!fake_reply_is_ok(reply)) {
        return strstr(reply, "\"storage\"") || strstr(reply, "\"no-game\"")
                   ? NULL
                   : "a query is refused only for lack of a disk or of a game";
    }
    return is_look_back ? compare_state(world, reply, seq) : NULL;
}

/*
 * The world
 */

static void act_on_disk(struct world *world, const char *act)
{
    struct fake_faults faults = {0};
    unsigned loss = 0;
    unsigned reads = 0;

    if (sscanf(act, "fail %u %u %d %u %u", &faults.fail_at, &faults.fail_count, &faults.fail_errno,
               &loss, &reads) == 5) {
        faults.failed_sync = (enum fake_loss)(loss % FAKE_LOSSES);
        faults.reads_go_well = reads;
    } else if (sscanf(act, "cut %u %u %" SCNu64, &faults.cut_at, &loss, &world->cut_seed) == 3) {
        world->cut_loss = (enum fake_loss)(loss % FAKE_LOSSES);
    } else {
        (void)sscanf(act, "full %" SCNu64, &faults.capacity_bytes);
    }
    fake_disk_set_faults(world->fake.disk, &faults);
}

static void act_on_bus(struct world *world, const char *act)
{
    struct fake_bus *bus = world->fake.bus;
    struct fake_bus_faults faults = {0};
    unsigned one = 0;
    unsigned two = 0;

    if (strcmp(act, "up") == 0) {
        fake_table_connect(&world->fake);
    } else if (strcmp(act, "down") == 0) {
        fake_table_disconnect(&world->fake);
    } else if (sscanf(act, "take %u %u", &one, &two) == 2) {
        fake_bus_acknowledge(bus, one, two);
    } else {
        faults.is_slow = strcmp(act, "slow") == 0;
        if (sscanf(act, "lose %u %u", &faults.lose_at, &one) == 2) {
            faults.loss = (enum fake_bus_loss)(one % FAKE_BUS_LOSSES);
        }
        (void)sscanf(act, "fail %u", &faults.fail_at);
        fake_bus_set_faults(bus, &faults);
    }
    fake_table_hear(&world->fake);
}

/* The daemon is not running: it is started, on a disk that works if it must. */
static const char *start(struct world *world, bool connect)
{
    world->is_restarted = true;
    if (fake_table_start(&world->fake) || fake_disk_is_off(world->fake.disk)) {
        fake_table_cut(&world->fake, world->cut_loss, world->cut_seed);
        if (fake_table_start(&world->fake)) {
            return "a table on a working disk starts";
        }
    }
    const char *failure = fake_view_read(&world->view, world->fake.bus);
    if (connect) {
        fake_table_connect(&world->fake);
    }
    return failure;
}

static const char *compare_with_disk(struct world *world, bool everything_arrived)
{
    struct promises promises = {world->made, world->promised};
    const char *failure = fake_view_read(&world->view, world->fake.bus);

    return failure ? failure
                   : truth_compare(&world->fake, &world->view, &promises, everything_arrived);
}

static const char *cut(struct world *world, enum fake_loss loss, uint64_t seed)
{
    bool was_up = fake_bus_is_up(world->fake.bus);

    fake_table_cut(&world->fake, loss, seed);
    const char *failure = compare_with_disk(world, false);
    return failure ? failure : start(world, was_up);
}

static const char *end_daemon(struct world *world, void end(struct fake_table *fake))
{
    bool was_up = fake_bus_is_up(world->fake.bus);

    end(&world->fake);
    return start(world, was_up);
}

static const char *act_on_world(struct world *world, const char *act)
{
    unsigned loss;
    uint64_t seed;
    unsigned ms;

    if (strncmp(act, "say ", 4) == 0) {
        return say(world, act + 4);
    }
    if (strcmp(act, "again") == 0) {
        return say_again(world);
    }
    if (strncmp(act, "ask ", 4) == 0) {
        return ask(world, act + 4);
    }
    if (strncmp(act, "disk ", 5) == 0) {
        act_on_disk(world, act + 5);
    } else if (strncmp(act, "bus ", 4) == 0) {
        act_on_bus(world, act + 4);
    } else if (sscanf(act, "wait %u", &ms) == 1) {
        fake_table_wait(&world->fake, ms * UINT64_C(1000));
    } else if (sscanf(act, "cut %u %" SCNu64, &loss, &seed) == 2) {
        return cut(world, (enum fake_loss)(loss % FAKE_LOSSES), seed);
    } else if (strcmp(act, "kill") == 0) {
        return end_daemon(world, fake_table_kill);
    } else if (strcmp(act, "stop") == 0) {
        return end_daemon(world, fake_table_stop);
    }
    return NULL;
}

const char *world_act(struct world *world, const char *act)
{
    const char *failure = act_on_world(world, act);

    if (!failure && fake_disk_is_off(world->fake.disk)) {
        failure = cut(world, world->cut_loss, world->cut_seed);
    }
    if (!failure) {
        failure = rules_violation(table_game(world->fake.table));
    }
    return failure ? failure : fake_view_read(&world->view, world->fake.bus);
}

/* Whether a retained payload is about the game as it stands. */
static bool is_fresh(const struct world *world, const char *topic)
{
    const char *payload = fake_bus_retained(world->fake.bus, topic);
    const struct fake_view_event *last = fake_view_last(&world->view);
    unsigned seq = table_game(world->fake.table)->seq;
    const char *found = payload ? strstr(payload, "\"seq\":") : NULL;

    return found && (unsigned)strtoul(found + strlen("\"seq\":"), NULL, 10) == seq &&
           (last ? last->seq : 0) == seq;
}

const char *world_settle(struct world *world)
{
    fake_disk_set_faults(world->fake.disk, NULL);
    fake_bus_set_faults(world->fake.bus, NULL);
    fake_table_hear(&world->fake);
    if (!fake_bus_is_up(world->fake.bus)) {
        fake_table_connect(&world->fake);
    }
    fake_table_wait(&world->fake, SETTLE_S * FAKE_SECOND_US);
    const char *failure = compare_with_disk(world, true);
    if (failure) {
        return failure;
    }
    if (table_deadline_us(world->fake.table)) {
        return "nothing is due when nothing happens";
    }
    if (!is_fresh(world, FAKE_BASE "state") || !is_fresh(world, FAKE_BASE "choices") ||
        !is_fresh(world, FAKE_BASE "score")) {
        return "retained values are those after the last event";
    }
    /* Only the next connection makes up for an info that could not be handed over. */
    fake_table_connect(&world->fake);
    return strstr(fake_bus_retained(world->fake.bus, FAKE_BASE "info"), "\"storage\":null")
               ? NULL
               : "a disk that works again is noticed";
}
