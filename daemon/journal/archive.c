/* Which finished games there are, in which order, and which of them have to go. */
#include "archive.h"

#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char finished_suffix[] = ".journal";
static const char damaged_suffix[] = ".damaged";

enum { DAMAGED_NAMES_MAX = 1000, ARCHIVE_CAPACITY_FIRST = 64 };

bool archive_takes(const char *game)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t length = strnlen(game, GAME_ID_SIZE);

    return length > 0 && length < GAME_ID_SIZE && strspn(game, letters) == length;
}

void archive_name(const char *game, char name[DISK_NAME_SIZE])
{
    snprintf(name, DISK_NAME_SIZE, "%s%s", game, finished_suffix);
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name);

    return length > strlen(suffix) && strcmp(name + length - strlen(suffix), suffix) == 0;
}

static int read_header(const struct disk *disk, const char *name, struct journal_header *header)
{
    uint8_t bytes[JOURNAL_HEADER_SIZE_MAX];
    int file = disk->open(disk->self, name, DISK_READ);

    if (file < 0) {
        return file;
    }
    ssize_t count = disk->read(disk->self, file, 0, bytes, sizeof bytes);
    disk->close(disk->self, file);
    return count < 0 ? (int)count : journal_file_header(bytes, (size_t)count, header);
}

struct reading {
    const struct disk *disk;
    struct archive *archive;
    size_t capacity;
    int error;
};

static bool make_room(struct reading *reading)
{
    if (reading->archive->count < reading->capacity) {
        return true;
    }
    size_t capacity = reading->capacity ? 2 * reading->capacity : ARCHIVE_CAPACITY_FIRST;
    struct archive_game *games = realloc(reading->archive->games, capacity * sizeof *games);
    if (!games) {
        reading->error = -ENOMEM;
        return false;
    }
    reading->archive->games = games;
    reading->capacity = capacity;
    return true;
}

static void take_file(void *context, const char *name, uint64_t size)
{
    struct reading *reading = context;
    struct journal_header header;

    if (!has_suffix(name, finished_suffix) || strlen(name) >= DISK_NAME_SIZE) {
        return;
    }
    int error = read_header(reading->disk, name, &header);
    if (error && error != -EBADMSG) {
        reading->archive->unread = error;
    }
    if (error || !make_room(reading)) {
        return;
    }
    struct archive_game *game = &reading->archive->games[reading->archive->count++];
    *game = (struct archive_game){.size = size, .number = header.number};
    memcpy(game->name, name, strlen(name) + 1);
    memcpy(game->game, header.game, sizeof game->game);
}

/* By number; by name where somebody has copied files together, so that the order is always one. */
static int compare(const void *left, const void *right)
{
    const struct archive_game *one = left;
    const struct archive_game *other = right;

    if (one->number != other->number) {
        return one->number < other->number ? -1 : 1;
    }
    return strcmp(one->name, other->name);
}

int archive_read(const struct disk *disk, struct archive *archive)
{
    struct reading reading = {.disk = disk, .archive = archive};

    *archive = (struct archive){0};
    int error = disk->list(disk->self, take_file, &reading);
    if (archive->count > 0) {
        qsort(archive->games, archive->count, sizeof archive->games[0], compare);
    }
    return error ? error : reading.error;
}

void archive_free(struct archive *archive)
{
    free(archive->games);
    *archive = (struct archive){0};
}

int journal_prune(const struct disk *disk, const struct journal_limits *limits, uint32_t before,
                  uint32_t acknowledged, struct journal_loss *loss)
{
    struct archive archive;
    uint64_t bytes = 0;
    int error = archive_read(disk, &archive);

    for (size_t i = 0; i < archive.count; i++) {
        bytes += archive.games[i].size;
    }
    for (size_t i = 0; !error && i < archive.count; i++) {
        const struct archive_game *game = &archive.games[i];
        bool is_acknowledged = game->number < acknowledged;
        bool is_one_too_many = is_acknowledged && archive.count - i > limits->games_max;
        if (game->number >= before || !(is_one_too_many || bytes > limits->bytes_max)) {
            break;
        }
        error = disk->remove(disk->self, game->name);
        bytes -= game->size;
        if (!error && !is_acknowledged) {
            loss->games++;
            memcpy(loss->last, game->name, sizeof loss->last);
        }
    }
    archive_free(&archive);
    return error;
}

int archive_set_aside(const struct disk *disk, const char *file, const char *game,
                      char kept_as[DISK_NAME_SIZE])
{
    const char *base = archive_takes(game) ? game : "unknown";
    char name[DISK_NAME_SIZE];

    for (unsigned copy = 1; copy <= DAMAGED_NAMES_MAX; copy++) {
        if (copy == 1) {
            snprintf(name, sizeof name, "%s%s", base, damaged_suffix);
        } else {
            snprintf(name, sizeof name, "%s-%u%s", base, copy, damaged_suffix);
        }
        int other = disk->open(disk->self, name, DISK_READ);
        if (other >= 0) {
            disk->close(disk->self, other);
            continue;
        }
        int error = other == -ENOENT ? disk->rename(disk->self, file, name) : other;
        error = error ? error : disk->sync_names(disk->self);
        if (!error) {
            memcpy(kept_as, name, sizeof name);
        }
        return error;
    }
    return -EEXIST;
}

/*
 * Reading again
 */

/* What is too long to be a game is loaded as an empty one, which is damaged. */
static int load(const struct disk *disk, const char *name, struct journal_game *game)
{
    int error = disk_read_file(disk, name, JOURNAL_SIZE_MAX, &game->data, &game->size);

    if (error == -EFBIG) {
        game->data = calloc(1, 1);
        game->size = 0;
        error = game->data ? 0 : -ENOMEM;
    }
    return error;
}

int journal_load_finished(const struct disk *disk, uint32_t after, uint32_t before,
                          bool skips_unreadable, struct journal_game *game)
{
    struct archive archive;
    int result = archive_read(disk, &archive);

    result = result || skips_unreadable ? result : archive.unread;
    for (size_t i = 0; !result && i < archive.count; i++) {
        uint32_t number = archive.games[i].number;
        if (number > after && number < before) {
            result = load(disk, archive.games[i].name, game);
            game->number = number;
            result = result == 0 ? 1 : result == -EIO && skips_unreadable ? 0 : result;
        }
    }
    archive_free(&archive);
    return result;
}

int journal_list_finished(const struct disk *disk, struct journal_entry **entries, size_t *count)
{
    struct archive archive;
    int error = archive_read(disk, &archive);
    struct journal_entry *list = error ? NULL : calloc(archive.count + 1, sizeof *list);
    size_t listed = 0;

    for (size_t i = 0; list && i < archive.count; i++) {
        const struct archive_game *game = &archive.games[i];
        if (game->game[0]) {
            list[listed].number = game->number;
            memcpy(list[listed++].game, game->game, sizeof game->game);
        }
    }
    archive_free(&archive);
    if (!list) {
        return error ? error : -ENOMEM;
    }
    *entries = list;
    *count = listed;
    return 0;
}

/* Somebody may have renamed a file: the game is the one that its header names. */
int journal_load_named(const struct disk *disk, const char *id, struct journal_game *game)
{
    char name[DISK_NAME_SIZE];
    struct journal_header header;

    if (!archive_takes(id)) {
        return -ENOENT;
    }
    archive_name(id, name);
    int error = load(disk, name, game);
    if (error) {
        return error;
    }
    if (!journal_file_header(game->data, game->size, &header) && strcmp(header.game, id) != 0) {
        journal_free_game(game);
        return -ENOENT;
    }
    game->number = 0;
    return 0;
}

int journal_visit_game(const struct journal_game *game, journal_visit_fn *visit, void *context)
{
    return journal_file_visit(game->data, game->size, visit, context);
}

void journal_free_game(struct journal_game *game)
{
    free(game->data);
    *game = (struct journal_game){0};
}
