#include "replay_recording.h"

#include "common/exit_codes.h"
#include "config/config.h"
#include "hw/regular_file.h"
#include "hw/replay.h"
#include "journal/replay.h"
#include "recorded_commands.h"
#include "rules/say.h"
#include "table/table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    DIRECTORY_SIZE = 512,
    GAMES_MAX = 1024,
    TAIL_US = 1000000, /* after the last edge, besides the times that the settings give */
};

struct replay_run {
    struct config config;
    char directory[DIRECTORY_SIZE];
    struct disk disk;
    struct table *table; /* NULL before the first edge */
    struct replay *replay;
    struct sensor_names names;
    struct recorded_commands commands;
    uint64_t now_us;
    uint64_t began_us;
    uint32_t drawn;
    int error; /* of the table, which is opened on the way */
};

/*
 * Ports of the table
 */

static uint64_t now_us(void *self)
{
    return ((struct replay_run *)self)->now_us;
}

/* The time since the recording began: that is what is printed. */
static int64_t wall_ms(void *self)
{
    const struct replay_run *run = self;

    return (int64_t)((run->now_us - run->began_us) / 1000);
}

/* The journal of the game has its dice and draws; without it they follow one after the other. */
static uint32_t draw(void *self, uint32_t below)
{
    return ((struct replay_run *)self)->drawn++ % below;
}

/* There are no finished games to be read or removed. */
static int begin_no_job(void *self, struct job *job)
{
    (void)self;
    (void)job;
    return -ENOTSUP;
}

static int subscribe_nothing(void *self, const char *topic)
{
    (void)self;
    (void)topic;
    return -ENOTCONN;
}

static int publish_nothing(void *self, const struct publication *publication)
{
    (void)self;
    (void)publication;
    return -ENOTCONN;
}

static void zero_rope(void *self)
{
    replay_zero_rope(((struct replay_run *)self)->replay);
}

static void report_silent(void *self, uint16_t sensor)
{
    replay_report_silent(((struct replay_run *)self)->replay, sensor);
}

static int simulate_nothing(void *self, const char *sensor, unsigned level)
{
    (void)self;
    (void)sensor;
    (void)level;
    return -ENOTSUP;
}

static void set_no_radio(void *self, const bool is_radio[SENSOR_COUNT])
{
    (void)self;
    (void)is_radio;
}

/* The recording has the edges of all sensors. */
static int put_nothing(void *self, const struct edge *edges, size_t count)
{
    (void)self;
    (void)edges;
    (void)count;
    return 0;
}

static int pair_nothing(void *self, uint16_t sensor, const char *source)
{
    (void)self;
    (void)sensor;
    (void)source;
    return -ENOTSUP;
}

static uint16_t named(void *self, const char *name)
{
    return (uint16_t)sensor_named(&((struct replay_run *)self)->names, name);
}

static const char *name_of(void *self, uint16_t sensor)
{
    return sensor_name(&((struct replay_run *)self)->names, sensor);
}

static int open_table(struct replay_run *run)
{
    return table_open(&run->table, &run->config,
                      &(struct table_ports){
                          .disk = &run->disk,
                          .jobs = {run, begin_no_job},
                          .bus = {run, publish_nothing, subscribe_nothing, subscribe_nothing},
                          .clock = {run, now_us, wall_ms},
                          .random = {run, draw},
                          .sensors = {run, zero_rope, report_silent, simulate_nothing, set_no_radio,
                                      put_nothing, pair_nothing, name_of, named},
                      });
}

/*
 * Replaying
 */

/* Does what the table has to do before that time. */
static void set_clock(struct replay_run *run, uint64_t until_us)
{
    uint64_t due_us = table_deadline_us(run->table);

    for (; due_us && due_us <= until_us; due_us = table_deadline_us(run->table)) {
        run->now_us = due_us > run->now_us ? due_us : run->now_us;
        table_tick(run->table);
    }
    run->now_us = until_us > run->now_us ? until_us : run->now_us;
}

static void repeat_command(struct replay_run *run, const struct recorded_command *command)
{
    set_clock(run, command->at_us);
    int refusal = table_repeat(run->table, &command->input);
    if (refusal) {
        fprintf(stderr, "%9.3f s: %s is refused now: %s\n", (double)wall_ms(run) / 1000,
                rules_input_name(command->input.kind), rules_refusal_name((enum refusal)refusal));
    }
}

/* Each command at its time, so that its effect on the sensors precedes the next edge. */
static uint64_t next_command_us(void *self)
{
    const struct replay_run *run = self;
    const struct recorded_command *command = recorded_commands_next(&run->commands, NEVER_US);

    return command && !run->error ? command->at_us : NEVER_US;
}

static void advance(void *self, uint64_t until_us)
{
    struct replay_run *run = self;

    if (!run->table) {
        run->now_us = until_us;
        run->began_us = until_us;
        run->error = run->error ? run->error : open_table(run);
    }
    if (run->error) {
        return;
    }
    for (const struct recorded_command *command = recorded_commands_next(&run->commands, until_us);
         command; command = recorded_commands_next(&run->commands, until_us)) {
        repeat_command(run, command);
        recorded_commands_done(&run->commands);
    }
    set_clock(run, until_us);
}

/* The journal of the game already has the commands of push buttons. */
static void apply_fact(void *self, const struct fact *fact)
{
    struct replay_run *run = self;

    if (run->table && (fact->kind != FACT_PRESSED || !run->commands.count)) {
        table_fact(run->table, fact);
    }
}

static int play(struct replay_run *run, const char *path)
{
    const struct config *config = &run->config;
    struct replay_problem problem;
    int error;
    FILE *file = regular_file_read(path, &error);

    if (!file) {
        fprintf(stderr, "%s: %s\n", path, regular_file_problem(error));
        return EXIT_UNAVAILABLE;
    }
    error = replay_file(run->replay, file, &problem);
    fclose(file);
    if (error) {
        fprintf(stderr, "%s:%u: %s\n", path, problem.line, problem.message);
        return EXIT_UNAVAILABLE;
    }
    uint64_t end_us = recorded_commands_end_us(&run->commands, replay_now_us(run->replay));
    replay_wait(run->replay, end_us + TAIL_US + UINT64_C(1000) * config->setup.shot_window_ms +
                                 UINT64_C(1000) * TILT_SETTLES_MAX * config->timing.tilt_settle_ms);
    return EXIT_FINE;
}

/*
 * Printing
 */

static int print_event(void *self, const struct recalled *recalled)
{
    const struct event *event = recalled->event;
    char sentence[SENTENCE_SIZE];

    (void)self;
    say_event(recalled->game, event, sentence, sizeof sentence);
    printf("%9.3f s  %s%s%s%s\n", (double)recalled->record->wall_ms / 1000, sentence,
           event->rule ? " (" : "", event->rule ? rules_rule_name(event->rule) : "",
           event->rule ? ")" : "");
    return 0;
}

struct names {
    char name[GAMES_MAX][DISK_NAME_SIZE];
    unsigned count;
    unsigned left_out; /* more games than there is room for */
};

static void note_name(void *self, const char *name, uint64_t size)
{
    struct names *names = self;

    (void)size;
    if (strcmp(name, "acknowledged") == 0) {
        return;
    }
    if (names->count < GAMES_MAX) {
        snprintf(names->name[names->count++], DISK_NAME_SIZE, "%s", name);
    } else {
        names->left_out++;
    }
}

static void remove_file(void *self, const char *name, uint64_t size)
{
    const struct disk *disk = self;

    (void)size;
    disk->remove(disk->self, name);
}

/* By the time at which they began; the open game, the last, has a name of its own. */
static int compare_names(const void *left, const void *right)
{
    const char *one = left;
    const char *other = right;
    int is_open = (strcmp(one, "open-game") == 0) - (strcmp(other, "open-game") == 0);

    return is_open ? is_open : strcmp(one, other);
}

static int print_games(const struct replay_run *run, const struct names *names)
{
    struct recall *recall;
    int error = recall_open(&recall, NULL);

    for (unsigned i = 0; i < names->count && !error; i++) {
        char path[DIRECTORY_SIZE + DISK_NAME_SIZE];
        struct journal_report report;
        snprintf(path, sizeof path, "%s/%s", run->directory, names->name[i]);
        error = recall_file(recall, path, print_event, NULL, &report);
    }
    if (names->left_out) {
        fprintf(stderr, "there are %u games more than the %d that can be printed\n",
                names->left_out, GAMES_MAX);
    }
    recall_close(recall);
    return error;
}

static int print_and_remove(struct replay_run *run)
{
    static struct names names;

    names.count = 0;
    names.left_out = 0;
    table_close(run->table);
    int error = run->disk.list(run->disk.self, note_name, &names);
    qsort(names.name, names.count, sizeof names.name[0], compare_names);
    if (!error) {
        error = print_games(run, &names);
    }
    run->disk.list(run->disk.self, remove_file, &run->disk);
    disk_close(&run->disk);
    rmdir(run->directory);
    return error;
}

static int open_directory(struct replay_run *run)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(run->directory, DIRECTORY_SIZE, "%s/shipahoy-replay-XXXXXX",
                          parent && parent[0] ? parent : "/tmp");

    if (length >= DIRECTORY_SIZE) {
        return -ENAMETOOLONG;
    }
    if (!mkdtemp(run->directory)) {
        return -errno;
    }
    int error = disk_open(&run->disk, run->directory);
    if (error) {
        rmdir(run->directory);
    }
    return error;
}

int replay_recording(const char *recording, const char *journal, const struct config *config)
{
    static struct replay_run run;
    struct filter_settings filters = config_filter_settings(config);
    struct button_names buttons = config_button_names(config);
    struct replay_listener listener = {&run, advance, apply_fact, next_command_us};

    run = (struct replay_run){.config = *config};
    run.config.hw.backend = BACKEND_SIM; /* there are no GPIO lines */
    run.config.autostart &= !journal;    /* the journal has the games that were started */
    if (journal && !recorded_commands_read(&run.commands, journal)) {
        return EXIT_UNAVAILABLE;
    }
    int error = open_directory(&run);
    if (error) {
        fprintf(stderr, "%s: %s\n", run.directory, strerror(-error));
        return EXIT_UNAVAILABLE;
    }
    sensor_names_init(&run.names, &buttons);
    run.replay = replay_open(&buttons, &filters, &listener);
    int code = run.replay ? play(&run, recording) : EXIT_INTERNAL;
    error = print_and_remove(&run);
    replay_close(run.replay);
    error = run.error ? run.error : error;
    recorded_commands_free(&run.commands);
    if (error) {
        fprintf(stderr, "%s: %s\n", recording, strerror(-error));
        return EXIT_INTERNAL;
    }
    return code;
}
