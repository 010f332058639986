/* Whether the table is ready for a game, or as the game that is played says. */
#include "common/log.h"
#include "internal.h"
#include "rules/say.h"

#include <string.h>

static bool has_problem(const struct sight_check *check, const struct problem *problem)
{
    for (unsigned i = 0; i < check->count; i++) {
        if (memcmp(&check->problems[i], problem, sizeof *problem) == 0) {
            return true;
        }
    }
    return false;
}

static void log_waiting(const struct table *table)
{
    static struct log_limit limit;
    const struct setup *setup = &table->config->setup;
    char message[SENTENCE_SIZE];

    sight_say_refusal(&table->check, setup, message, sizeof message);
    log_limited(&limit, LOG_LEVEL_NOTICE, "autostart: %s The game starts by itself then.", message);
}

/* Before a game it is told when one is to start by itself; in a game, when it begins. */
static void log_news(const struct table *table, const struct sight_check *before)
{
    static struct log_limit limit;
    const struct sight_check *now = &table->check;

    if (table->autostart_waits && now->kind == SIGHT_START && !now->ready) {
        log_waiting(table);
    }
    for (unsigned i = 0; now->kind == SIGHT_RESUME && i < now->count; i++) {
        const struct problem *problem = &now->problems[i];
        if (problem->trouble != TROUBLE_UNWELL && !has_problem(before, problem)) {
            char message[PROBLEM_TEXT_SIZE];
            problem_say(problem, "", message, sizeof message);
            log_limited(&limit, LOG_LEVEL_NOTICE, "%s", message);
        }
    }
}

/* Tried once, unless it is the disk that does not take the game: that is waited for, too. */
static void start(struct table *table)
{
    const struct input input = {.kind = INPUT_NEW_GAME};

    table->autostart_waits = false;
    table->ready.wanted = true;
    table_press(table, &input, NULL);
    if (table->play.game.phase == PHASE_LOBBY && table->storage_problem[0]) {
        table->autostart_waits = true;
        table->ready.wanted = true;
    }
}

static void start_if_ready(struct table *table)
{
    if (table->autostart_waits && table->play.game.phase != PHASE_LOBBY) {
        table->autostart_waits = false;
        table->ready.wanted = true;
    } else if (table->autostart_waits && table->check.ready && table->sight.looked &&
               !table->storage_problem[0]) {
        start(table);
    }
}

void table_look(struct table *table)
{
    const struct game *game = &table->play.game;
    struct sight_check before = table->check;

    if (game->phase == PHASE_LOBBY || game->phase == PHASE_OVER) {
        sight_check_start(&table->sight, &table->config->setup, &table->check);
    } else {
        sight_check_game(&table->sight, game, &table->check);
    }
    if (memcmp(&table->check, &before, sizeof before) != 0) {
        table->ready.wanted = true;
        /* A piece that lies unknown to the game may be raised: the choices come with the state. */
        table->state.wanted |= table->check.kind == SIGHT_RESUME;
        log_news(table, &before);
    }
    start_if_ready(table);
    if (table->ready.wanted) {
        publish_changes_soon(table);
    }
}

bool table_may_start(const struct table *table, const struct setup *setup, char *message,
                     size_t size)
{
    struct sight_check check;

    sight_check_start(&table->sight, setup, &check);
    if (!check.ready) {
        sight_say_refusal(&check, setup, message, size);
    }
    return check.ready;
}

void table_autostart(struct table *table)
{
    table->autostart_waits = table->config->autostart && table->play.game.phase == PHASE_LOBBY;
    table->check = (struct sight_check){0}; /* whatever is found is news */
    table_look(table);
}
