#include "rejudge.h"

#include "common/exit_codes.h"
#include "config/config.h"
#include "hw/regular_file.h"
#include "hw/replay.h"
#include "journal/replay.h"
#include "rejudge_words.h"
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

struct rejudge {
    struct config config;
    char directory[DIRECTORY_SIZE];
    struct disk disk;
    struct table *table; /* NULL before the first edge */
    struct replay *replay;
    struct sensor_names names;
    struct words words;
    uint64_t now_us;
    uint64_t began_us;
    uint32_t drawn;
    int error; /* of the table, which is opened on the way */
};

/*
 * The world as the table sees it
 */

static uint64_t now_us(void *self)
{
    return ((struct rejudge *)self)->now_us;
}

/* The time since the recording began: that is what is printed. */
static int64_t wall_ms(void *self)
{
    const struct rejudge *rejudge = self;

    return (int64_t)((rejudge->now_us - rejudge->began_us) / 1000);
}

/* What was drawn or rolled then is in the record of the game; without it, one after the other. */
static uint32_t draw(void *self, uint32_t below)
{
    return ((struct rejudge *)self)->drawn++ % below;
}

/* There is no past here that would have to be read or removed. */
static int begin_no_job(void *self, struct job *job)
{
    (void)self;
    (void)job;
    return -ENOTSUP;
}

static int publish_nothing(void *self, const struct publication *publication)
{
    (void)self;
    (void)publication;
    return -ENOTCONN;
}

static void zero_rope(void *self)
{
    replay_zero_rope(((struct rejudge *)self)->replay);
}

static void suspect(void *self, uint16_t sensor)
{
    replay_report_silent(((struct rejudge *)self)->replay, sensor);
}

static int simulate_nothing(void *self, const char *sensor, unsigned level)
{
    (void)self;
    (void)sensor;
    (void)level;
    return -ENOTSUP;
}

static const char *name_of(void *self, uint16_t sensor)
{
    return sensor_name(&((struct rejudge *)self)->names, sensor);
}

static int open_table(struct rejudge *rejudge)
{
    return table_open(&rejudge->table, &rejudge->config,
                      &(struct table_ports){
                          .disk = &rejudge->disk,
                          .jobs = {rejudge, begin_no_job},
                          .bus = {rejudge, publish_nothing},
                          .clock = {rejudge, now_us, wall_ms},
                          .random = {rejudge, draw},
                          .sensors = {rejudge, zero_rope, suspect, simulate_nothing, name_of},
                      });
}

/*
 * Playing
 */

/* The table's own deadlines come in between. */
static void set_clock(struct rejudge *rejudge, uint64_t until_us)
{
    uint64_t due_us = table_deadline_us(rejudge->table);

    for (; due_us && due_us <= until_us; due_us = table_deadline_us(rejudge->table)) {
        rejudge->now_us = due_us > rejudge->now_us ? due_us : rejudge->now_us;
        table_tick(rejudge->table);
    }
    rejudge->now_us = until_us > rejudge->now_us ? until_us : rejudge->now_us;
}

static void say_word(struct rejudge *rejudge, const struct word *word)
{
    set_clock(rejudge, word->at_us);
    int refusal = table_repeat(rejudge->table, &word->input);
    if (refusal) {
        fprintf(stderr, "%9.3f s: %s is refused now: %s\n", (double)wall_ms(rejudge) / 1000,
                rules_input_name(word->input.kind), rules_refusal_name((enum refusal)refusal));
    }
}

/* Each word in its time, so that what it makes of the sensors comes before the next. */
static uint64_t next_word_us(void *self)
{
    const struct rejudge *rejudge = self;
    const struct word *word = words_next(&rejudge->words, NEVER_US);

    return word && !rejudge->error ? word->at_us : NEVER_US;
}

static void hear_time(void *self, uint64_t until_us)
{
    struct rejudge *rejudge = self;

    if (!rejudge->table) {
        rejudge->now_us = until_us;
        rejudge->began_us = until_us;
        rejudge->error = rejudge->error ? rejudge->error : open_table(rejudge);
    }
    if (rejudge->error) {
        return;
    }
    for (const struct word *word = words_next(&rejudge->words, until_us); word;
         word = words_next(&rejudge->words, until_us)) {
        say_word(rejudge, word);
        words_said(&rejudge->words);
    }
    set_clock(rejudge, until_us);
}

/* With the record of the game push buttons have said there already what they had to say. */
static void hear_fact(void *self, const struct fact *fact)
{
    struct rejudge *rejudge = self;

    if (rejudge->table && (fact->kind != FACT_PRESSED || !rejudge->words.count)) {
        table_fact(rejudge->table, fact);
    }
}

static int play(struct rejudge *rejudge, const char *path)
{
    const struct config *config = &rejudge->config;
    struct replay_problem problem;
    int error;
    FILE *file = regular_file_read(path, &error);

    if (!file) {
        fprintf(stderr, "%s: %s\n", path, regular_file_problem(error));
        return EXIT_UNAVAILABLE;
    }
    error = replay_file(rejudge->replay, file, &problem);
    fclose(file);
    if (error) {
        fprintf(stderr, "%s:%u: %s\n", path, problem.line, problem.message);
        return EXIT_UNAVAILABLE;
    }
    uint64_t end_us = words_end_us(&rejudge->words, replay_now_us(rejudge->replay));
    replay_wait(rejudge->replay,
                end_us + TAIL_US + UINT64_C(1000) * config->setup.shot_window_ms +
                    UINT64_C(1000) * TILT_SETTLES_MAX * config->timing.tilt_settle_ms);
    return EXIT_FINE;
}

/*
 * Telling
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

static int print_games(const struct rejudge *rejudge, const struct names *names)
{
    struct recall *recall;
    int error = recall_open(&recall, NULL);

    for (unsigned i = 0; i < names->count && !error; i++) {
        char path[DIRECTORY_SIZE + DISK_NAME_SIZE];
        struct journal_report report;
        snprintf(path, sizeof path, "%s/%s", rejudge->directory, names->name[i]);
        error = recall_file(recall, path, print_event, NULL, &report);
    }
    if (names->left_out) {
        fprintf(stderr, "there are %u games more than the %d that can be printed\n",
                names->left_out, GAMES_MAX);
    }
    recall_close(recall);
    return error;
}

static int tell_and_remove(struct rejudge *rejudge)
{
    static struct names names;

    names.count = 0;
    names.left_out = 0;
    table_close(rejudge->table);
    int error = rejudge->disk.list(rejudge->disk.self, note_name, &names);
    qsort(names.name, names.count, sizeof names.name[0], compare_names);
    if (!error) {
        error = print_games(rejudge, &names);
    }
    rejudge->disk.list(rejudge->disk.self, remove_file, &rejudge->disk);
    disk_close(&rejudge->disk);
    rmdir(rejudge->directory);
    return error;
}

static int open_directory(struct rejudge *rejudge)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(rejudge->directory, DIRECTORY_SIZE, "%s/shipahoy-replay-XXXXXX",
                          parent && parent[0] ? parent : "/tmp");

    if (length >= DIRECTORY_SIZE) {
        return -ENAMETOOLONG;
    }
    if (!mkdtemp(rejudge->directory)) {
        return -errno;
    }
    int error = disk_open(&rejudge->disk, rejudge->directory);
    if (error) {
        rmdir(rejudge->directory);
    }
    return error;
}

int rejudge_recording(const char *recording, const char *journal, const struct config *config)
{
    static struct rejudge rejudge;
    struct filter_settings filters = config_filter_settings(config);
    struct button_names buttons = config_button_names(config);
    struct replay_listener listener = {&rejudge, hear_time, hear_fact, next_word_us};

    rejudge = (struct rejudge){.config = *config};
    rejudge.config.hw.backend = BACKEND_SIM; /* nobody looks at real lines */
    rejudge.config.autostart &= !journal;    /* the record says which games were started */
    if (journal && !words_read(&rejudge.words, journal)) {
        return EXIT_UNAVAILABLE;
    }
    int error = open_directory(&rejudge);
    if (error) {
        fprintf(stderr, "%s: %s\n", rejudge.directory, strerror(-error));
        return EXIT_UNAVAILABLE;
    }
    sensor_names_init(&rejudge.names, &buttons);
    rejudge.replay = replay_open(&buttons, &filters, &listener);
    int code = rejudge.replay ? play(&rejudge, recording) : EXIT_INTERNAL;
    error = tell_and_remove(&rejudge);
    replay_close(rejudge.replay);
    error = rejudge.error ? rejudge.error : error;
    words_free(&rejudge.words);
    if (error) {
        fprintf(stderr, "%s: %s\n", recording, strerror(-error));
        return EXIT_INTERNAL;
    }
    return code;
}
