#include "model.h"

#include <stdio.h>
#include <string.h>

enum { ID_SIZE = 16, STEP_SIZE = 128 };

/* A window that outlasts every trouble, so that no run has another shot than the first. */
static const char ini[] = "scenario = merchant\n"
                          "[house]\nbarrels = red:blue,blue:green,green:yellow,yellow:red\n"
                          "[timing]\nshot_window_ms = 60000\n"
                          "[button.end]\nline = GPIO5\ncommand = end-phase\n";

/* What is said in one breath has a ; between it: after a crash all of it is said again. */
static const char *const script[] = {
    "new-game",
    "aim red-1",
    "roll-move 2",
    "ball-left speed_mps=4.125",
    "hit blue-1",
    "toppled blue-1",
    "toppled blue-2",
    "topple green-1",
    "undo",
    "window-over",
    "knocked red-2+yellow-1+green-tower",
    "raise red-2",
    "raised red-2",
    "roll-move 3",
    "load-barrel red-1 red",
    "select red-1",
    "rope 1.1; press",
    "rope 3.5",
    "move red-2 1",
    "select red-1",
    "dock blue",
    "hold",
    "engage red-2 blue-3",
    "end-phase",
    "roll-combat red-2 blue-3 swords",
    "button 0",
    "sensor-fault sensor=cannon.beam health=chattering",
    "fire",
    "toppled red-1",
    "end-phase",
    "end-phase",
    "roll-combat blue-3 red-2 flag",
    "sensor-ok sensor=cannon.beam",
    "new-game",
    "raised red-1",
    "raised blue-1",
    "raised blue-2",
    "raised yellow-1",
    "raised green-tower",
    "abandon",
    "ball-left",
    "toppled yellow-tower",
    "raised yellow-tower",
    "undo",
    "ball-left",
    "window-over",
    "toppled red-3; wait 1000",
    "raise red-3",
    "roll-move 1",
    "undo",
    "end-phase",
};

struct model model;

const char *run_say(struct stage *stage, unsigned step)
{
    char parts[STEP_SIZE];
    char id[ID_SIZE];
    char *rest;
    const char *reply = NULL;

    snprintf(parts, sizeof parts, "%s", script[step]);
    for (char *part = strtok_r(parts, ";", &rest); part; part = strtok_r(NULL, ";", &rest)) {
        snprintf(id, sizeof id, "%u%c", step, 'a' + (int)(part - parts) % 26);
        reply = fake_table_say(&stage->fake, part + strspn(part, " "), id);
    }
    return reply;
}

static unsigned seq_of(const struct stage *stage)
{
    return table_game(stage->fake.table)->seq;
}

const char *run_step(unsigned step)
{
    return script[step];
}

bool run_has_done(const struct stage *stage, unsigned step)
{
    return seq_of(stage) == model.seq[step] &&
           table_game(stage->fake.table)->lying == model.lying[step];
}

bool run_has_not_begun(const struct stage *stage, unsigned step)
{
    return step > 0 ? run_has_done(stage, step - 1) : seq_of(stage) == 0;
}

void run_prepare(struct stage *stage)
{
    char text[1024];

    snprintf(text, sizeof text, "[game]\nfirst = 1\n%s", ini);
    fake_table_begin(&stage->fake, text);
    stage->seen = 0;
}

int model_play(void **state)
{
    (void)state;
    model.steps = sizeof script / sizeof script[0];
    run_prepare(&model.stage);
    fake_disk_set_faults(model.stage.fake.disk, NULL);
    assert_int_equal(fake_table_start(&model.stage.fake), 0);
    fake_table_connect(&model.stage.fake);
    for (unsigned step = 0; step < model.steps; step++) {
        model.reply[step] = run_say(&model.stage, step);
        model.seq[step] = seq_of(&model.stage);
        model.lying[step] = table_game(model.stage.fake.table)->lying;
        assert_null(rules_violation(table_game(model.stage.fake.table)));
    }
    model.operations = fake_disk_operations(model.stage.fake.disk);
    model.publications = fake_bus_publications(model.stage.fake.bus);
    assert_null(fake_view_read(&model.view, model.stage.fake.bus));
    print_message("%u operations of the disk, %u publications, %zu events\n", model.operations,
                  model.publications, model.view.count);
    return 0;
}

int model_forget(void **state)
{
    (void)state;
    fake_view_free(&model.view);
    fake_table_end(&model.stage.fake);
    return 0;
}

void assert_done(const struct stage *stage, unsigned step)
{
    if (!run_has_done(stage, step)) {
        print_error("%s: seq %u instead of %u\n", script[step], seq_of(stage), model.seq[step]);
        fail();
    }
}

void assert_like_model(struct stage *stage)
{
    const char *const topics[] = {FAKE_BASE "state", FAKE_BASE "score"};
    struct fake_view view = {0};
    size_t index;

    fake_table_hear(&stage->fake);
    const char *complaint = fake_view_read(&view, stage->fake.bus);
    assert_string_equal(complaint ? complaint : "", "");
    if (!fake_views_agree(&view, &model.view, &index)) {
        print_error("event %zu of %zu: %s\ninstead of %s\n", index, view.count,
                    index < view.count ? view.events[index].payload : "nothing",
                    index < model.view.count ? model.view.events[index].payload : "nothing");
        fail();
    }
    for (unsigned i = 0; i < 2; i++) {
        const char *is = fake_bus_retained(stage->fake.bus, topics[i]);
        const char *should_be = fake_bus_retained(model.stage.fake.bus, topics[i]);
        if (!fake_payloads_agree(is, should_be)) {
            print_error("%s: %s\ninstead of %s\n", topics[i], is, should_be);
            fail();
        }
    }
    fake_view_free(&view);
    uint64_t hash = rules_hash(table_game(stage->fake.table));
    fake_table_cut(&stage->fake, LOSE_ALL, 0);
    assert_int_equal(fake_table_start(&stage->fake), 0);
    assert_true(rules_hash(table_game(stage->fake.table)) == hash);
}
