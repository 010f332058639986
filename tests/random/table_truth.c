#include "table_truth.h"

#include "journal/archive.h"
#include "journal/file.h"
#include "rules/play.h"
#include "wire/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PAST_MAX = 2048 };

/* One look at the disk. */
struct look {
    const struct fake_table *fake;
    const struct fake_view *view;
    const struct promises *promises;
    size_t seen;   /* events of the view that were found */
    size_t kept;   /* promises that were found */
    bool is_ahead; /* the disk has more than the view */
    const char *failure;

    char game[GAME_ID_SIZE];
    struct play play;
};

/* Memory of a game's past; there is one look at a time. */
static struct past past[PAST_MAX];

static void compare_event(struct look *look, const struct record *record, const struct event *event)
{
    struct wire_names names = {.table = "den", .game = look->game};

    if (look->seen == look->view->count) {
        look->is_ahead = true;
        return;
    }
    char *json = wire_event(&look->play.game, event, &names, record->wall_ms, &record->evidence,
                            sensor_name(&look->fake->names, record->evidence.sensor));
    if (!json || strcmp(json, look->view->events[look->seen].payload) != 0) {
        look->failure = "what was seen is what is on the disk, in that order";
    }
    free(json);
    look->seen++;
}

static void compare_promise(struct look *look, const struct record *record)
{
    for (size_t i = 0; record->id[0] && i < look->promises->count; i++) {
        const struct promise *promise = &look->promises->made[i];
        if (strcmp(promise->id, record->id) == 0) {
            look->kept++;
            if (promise->seq != look->play.game.seq) {
                look->failure = "a command is recorded with the seq it was answered with";
            }
        }
    }
}

static int compare_record(void *self, const struct record *record)
{
    struct look *look = self;
    struct input input = record->input;
    struct outcome out;

    input.setup = &record->setup;
    if (input.kind == INPUT_NEW_GAME) {
        play_begin(&look->play, past, PAST_MAX);
        memcpy(look->game, record->game, sizeof look->game);
    }
    if (play_step(&look->play, &input, &out) ||
        (uint32_t)rules_hash(&look->play.game) != record->hash) {
        look->failure = "what is recorded can be played again";
        return -EPROTO;
    }
    for (unsigned i = 0; i < out.count && !look->failure; i++) {
        compare_event(look, record, &out.events[i]);
    }
    compare_promise(look, record);
    return look->failure ? -EPROTO : 0;
}

static void compare_file(struct look *look, const char *name)
{
    struct journal_scan scan;
    size_t size;
    const uint8_t *data = fake_disk_get(look->fake->disk, name, &size);

    if (data && !look->failure) {
        journal_file_scan(data, size, compare_record, look, &scan);
        if (scan.problem[0] && !look->failure) {
            look->failure = "a game on the disk can be read";
        }
    }
}

/* A change of games that failed may have left the open one a second name. */
static bool is_open_game(const struct fake_table *fake, const char *name)
{
    size_t size;

    return fake_disk_get(fake->disk, name, &size) == fake_disk_get(fake->disk, "open-game", &size);
}

const char *truth_compare(const struct fake_table *fake, const struct fake_view *view,
                          const struct promises *promises, bool everything_arrived)
{
    static struct look look;
    struct archive archive;

    look = (struct look){.fake = fake, .view = view, .promises = promises};
    if (archive_read(&fake->disk_interface, &archive)) {
        look.failure = "the finished games can be read";
    }
    for (size_t i = 0; i < archive.count; i++) {
        if (!is_open_game(fake, archive.games[i].name)) {
            compare_file(&look, archive.games[i].name);
        }
    }
    archive_free(&archive);
    compare_file(&look, "open-game");
    if (look.failure) {
        return look.failure;
    }
    if (look.seen < view->count) {
        return "what was seen is on the disk";
    }
    if (look.kept < promises->count) {
        return "what was answered ok is on the disk";
    }
    return everything_arrived && look.is_ahead ? "every event arrives" : NULL;
}
