/*
 * Random tables: seeded games during which the disk fails, the power goes and the broker is lost,
 * with every promise about the table checked after each act.
 *
 * A failure is printed with its seed and the shortest list of acts found that still leads to it;
 * that list can be given back with --replay.
 */
#include "invent.h"
#include "options.h"
#include "rules/line.h"
#include "table_world.h"
#include "tests/support/sweep_step.h"
#include "verify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS_DEFAULT = 40000,
    ACTS_MAX = 400,
    LINE_MAX_SIZE = 1024,
};

/* What happens to one table. */
struct acts {
    char ini[WORLD_INI_SIZE]; /* in one line, with ; for its ends */
    unsigned count;
    char lines[ACTS_MAX][ACT_SIZE];
};

/* What the playing process leaves behind, also when it dies. */
struct campaign {
    uint64_t seed;
    uint64_t steps;
    uint64_t done;
    uint64_t events;
    unsigned tables;
    char failure[FAILURE_SIZE];
    struct acts acts;
};

/*
 * Inventing acts
 */

static void invent_disk(struct chance *chance, char act[ACT_SIZE])
{
    static const int errors[] = {EIO, ENOSPC, EROFS};
    unsigned what = chance_below(chance, 100);
    unsigned at = chance_between(chance, 1, 30);
    unsigned count = chance_percent(chance, 20) ? 1000 : chance_between(chance, 1, 12);
    unsigned loss = chance_below(chance, FAKE_LOSSES);
    unsigned third = chance_below(chance, 3);

    if (what < 40) {
        snprintf(act, ACT_SIZE, "disk fail %u %u %d %u %u", at, count, errors[third], loss,
                 chance_below(chance, 2));
    } else if (what < 65) {
        snprintf(act, ACT_SIZE, "disk cut %u %u %u", at, loss, chance_below(chance, 100000));
    } else if (what < 75) {
        snprintf(act, ACT_SIZE, "disk full %u", chance_between(chance, 1, 40000));
    } else {
        snprintf(act, ACT_SIZE, "disk mend");
    }
}

static void invent_bus(struct chance *chance, char act[ACT_SIZE])
{
    unsigned what = chance_below(chance, 100);
    unsigned number = chance_between(chance, 1, 20);
    unsigned how = chance_below(chance, FAKE_BUS_LOSSES);

    if (what < 25) {
        snprintf(act, ACT_SIZE, "bus lose %u %u", number, how);
    } else if (what < 35) {
        snprintf(act, ACT_SIZE, "bus fail %u", number);
    } else if (what < 55) {
        snprintf(act, ACT_SIZE, "bus take %u %u", number, how & 1);
    } else {
        static const char *const plain[] = {"bus slow", "bus quick", "bus down", "bus up",
                                            "bus up"};
        snprintf(act, ACT_SIZE, "%s", plain[what % 5]);
    }
}

static void invent_say(struct inventor *inventor, const struct game *game, char act[ACT_SIZE])
{
    char line[LINE_SIZE];
    struct input read;

    do {
        struct input input = invent_input(inventor, game);
        line_write_input(&input, line, sizeof line);
    } while (strlen(line) + sizeof "say " > ACT_SIZE || line_read_input(line, &read));
    const char *said = line;
    if (read.kind == INPUT_NEW_GAME) {
        unsigned how = chance_below(&inventor->chance, 10);
        said = how < 2 ? "abandon" : how < 6 ? "anyway" : line;
    }
    snprintf(act, ACT_SIZE, "say %.*s", ACT_SIZE - 5, said);
}

static void invent_rope(struct chance *chance, char act[ACT_SIZE])
{
    unsigned what = chance_below(chance, 10);
    unsigned knots = chance_below(chance, 4);
    unsigned tenths = chance_below(chance, 10);

    if (what < 5) {
        snprintf(act, ACT_SIZE, "say rope %u.%u", knots, tenths);
    } else {
        snprintf(act, ACT_SIZE, "say %s", what < 8 ? "press" : what < 9 ? "hold" : "button 0");
    }
}

static void invent_act(struct inventor *inventor, const struct game *game, char act[ACT_SIZE])
{
    struct chance *chance = &inventor->chance;
    unsigned what = chance_below(chance, 100);

    if (what < 4) {
        invent_disk(chance, act);
    } else if (what < 10) {
        invent_bus(chance, act);
    } else if (what < 18) {
        static const unsigned waits_ms[] = {10, 300, 1100, 4000};
        snprintf(act, ACT_SIZE, "wait %u", waits_ms[chance_below(chance, 4)]);
    } else if (what < 22) {
        snprintf(act, ACT_SIZE, "again");
    } else if (what < 24) {
        unsigned loss = chance_below(chance, FAKE_LOSSES);
        snprintf(act, ACT_SIZE, "cut %u %u", loss, chance_below(chance, 100000));
    } else if (what < 26) {
        snprintf(act, ACT_SIZE, what < 25 ? "kill" : "stop");
    } else if (what < 31) {
        invent_rope(chance, act);
    } else if (what < 35) {
        static const char *const queries[] = {"history", "games", "look-back", "look-back"};
        snprintf(act, ACT_SIZE, "ask %s", queries[what - 31]);
    } else {
        invent_say(inventor, game, act);
    }
}

static void invent_table(struct chance *chance, char ini[WORLD_INI_SIZE])
{
    unsigned scenario = chance_between(chance, 1, SCENARIO_COUNT - 1);
    unsigned variant = chance_between(chance, 1, VARIANT_COUNT - 1);

    snprintf(
        ini, WORLD_INI_SIZE,
        "[game];scenario = %s;rules = %s;dice = %s;autostart = %s;"
        "[button.end];line = GPIO5;command = end-phase;[journal];keep_games = 100;",
        rules_scenario_name((enum scenario_id)scenario), rules_variant_name((enum variant)variant),
        chance_percent(chance, 20) ? "daemon" : "table", chance_percent(chance, 30) ? "yes" : "no");
}

/*
 * Playing
 */

static void begin(struct world *world, const struct acts *acts)
{
    char ini[WORLD_INI_SIZE];

    snprintf(ini, sizeof ini, "%s", acts->ini);
    for (char *end = strchr(ini, ';'); end; end = strchr(end, ';')) {
        *end = '\n';
    }
    world_begin(world, ini);
}

static const char *play_table(struct campaign *campaign, struct inventor *inventor)
{
    static struct world world;
    struct acts *acts = &campaign->acts;
    const char *failure = NULL;

    acts->count = 0;
    invent_table(&inventor->chance, acts->ini);
    begin(&world, acts);
    while (!failure && acts->count < ACTS_MAX && campaign->done < campaign->steps) {
        char *act = acts->lines[acts->count];
        invent_act(inventor, table_game(world.fake.table), act);
        acts->count++;
        campaign->done++;
        failure = world_act(&world, act);
    }
    if (!failure) {
        failure = world_settle(&world);
    }
    campaign->events += world.view.count;
    world_end(&world);
    return failure;
}

static void play_campaign(void *context)
{
    struct campaign *campaign = context;
    struct inventor inventor = {.chance = {.state = campaign->seed}};
    const char *failure = NULL;

    while (!failure && campaign->done < campaign->steps) {
        invent_round(&inventor, campaign->tables);
        failure = play_table(campaign, &inventor);
        campaign->tables++;
    }
    if (failure) {
        snprintf(campaign->failure, sizeof campaign->failure, "%s", failure);
    }
}

static void replay(void *context)
{
    static struct world world;
    struct campaign *campaign = context;
    const char *failure = NULL;

    begin(&world, &campaign->acts);
    for (unsigned i = 0; !failure && i < campaign->acts.count; i++) {
        failure = world_act(&world, campaign->acts.lines[i]);
    }
    if (!failure) {
        failure = world_settle(&world);
    }
    world_end(&world);
    if (failure) {
        snprintf(campaign->failure, sizeof campaign->failure, "%s", failure);
    }
}

/*
 * Shrinking
 */

static bool still_fails(struct campaign *checked, const char *failure)
{
    run_isolated(replay, checked, checked->failure);
    return strcmp(checked->failure, failure) == 0;
}

static void drop(struct acts *acts, unsigned first, unsigned count)
{
    acts->count -= count;
    memmove(acts->lines[first], acts->lines[first + count],
            (acts->count - first) * sizeof acts->lines[0]);
}

/* Takes acts out, many at once and then fewer, for as long as the failure stays the same. */
static void shrink(struct campaign *failed)
{
    struct campaign *checked = share_memory(sizeof *checked);
    unsigned size = failed->acts.count;

    checked->acts = failed->acts;
    if (!still_fails(checked, failed->failure)) {
        printf("# not shrunk: these acts alone do not lead to it\n");
        return;
    }
    while (size > 0) {
        for (unsigned first = 0; first + size <= failed->acts.count;) {
            checked->acts = failed->acts;
            drop(&checked->acts, first, size);
            if (still_fails(checked, failed->failure)) {
                failed->acts = checked->acts;
            } else {
                first += size;
            }
        }
        size /= 2;
    }
}

/*
 * The program
 */

static void print_acts(const struct acts *acts)
{
    printf("ini %s\n", acts->ini);
    /* The second bound is for gcc 14, which cannot know the first. */
    for (unsigned i = 0; i < acts->count && i < ACTS_MAX; i++) {
        printf("%s\n", acts->lines[i]);
    }
}

static int run_campaign(uint64_t seed, uint64_t steps)
{
    struct campaign *campaign = share_memory(sizeof *campaign);

    campaign->seed = seed;
    campaign->steps = steps;
    run_isolated(play_campaign, campaign, campaign->failure);
    if (campaign->failure[0]) {
        printf("# failed: %s\n# seed %" PRIu64 ", act %" PRIu64 ", shrinking %u acts\n",
               campaign->failure, seed, campaign->done, campaign->acts.count);
        shrink(campaign);
        print_acts(&campaign->acts);
        return EXIT_FAILURE;
    }
    printf("seed %" PRIu64 ": %" PRIu64 " acts at %u tables, %" PRIu64 " events arrived\n", seed,
           campaign->done, campaign->tables, campaign->events);
    return EXIT_SUCCESS;
}

static int run_list(const char *path)
{
    struct campaign *campaign = share_memory(sizeof *campaign);
    struct acts *acts = &campaign->acts;
    char line[LINE_MAX_SIZE];
    FILE *file = fopen(path, "r");

    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return EXIT_USAGE;
    }
    while (fgets(line, sizeof line, file) && acts->count < ACTS_MAX) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "ini ", 4) == 0) {
            snprintf(acts->ini, sizeof acts->ini, "%.*s", WORLD_INI_SIZE - 1, line + 4);
        } else if (line[0] && line[0] != '#') {
            snprintf(acts->lines[acts->count++], ACT_SIZE, "%.*s", ACT_SIZE - 1, line);
        }
    }
    fclose(file);
    run_isolated(replay, campaign, campaign->failure);
    printf("%u acts: %s\n", acts->count,
           campaign->failure[0] ? campaign->failure : "no promise is broken");
    return campaign->failure[0] ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static const char usage[] =
        "usage: random_table [--seed N] [--steps N]\n"
        "       random_table --replay FILE    check a list of acts that a failure printed\n";
    struct options options = {.seed = 1, .steps = STEPS_DEFAULT / sweep_step(6)};
    int code = options_read(argc, argv, usage, &options);

    if (code != OPTIONS_READ) {
        return code;
    }
    return options.replay ? run_list(options.replay) : run_campaign(options.seed, options.steps);
}
