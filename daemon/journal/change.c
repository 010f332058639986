/*
 * From one game to the next. At every moment a whole game has the name of the open one:
 *
 *   next-game  written and synced       the old game is open
 *   A.journal  second name of open-game the old game is open
 *   names synced
 *   open-game  replaced by next-game    the old or the new game is open
 *   names synced                        the new game is open, A is finished
 */
#include "inside.h"

#include "shelf.h"

#include <errno.h>
#include <string.h>

/* What is known of the next game before it is the open one. */
struct next_game {
    uint8_t header[JOURNAL_HEADER_SIZE];
    struct journal_end end;
    struct journal_frame first;
};

static int write_next(struct journal *journal, const struct record *record, struct next_game *next)
{
    const struct disk *disk = &journal->disk;
    uint8_t data[JOURNAL_BLOCK_SIZE] = {0};

    journal_file_begin(journal->number_max + 1, data, &next->end);
    int error = journal_file_frame(record, &next->end, &next->first);
    if (error) {
        return error;
    }
    memcpy(next->header, data, JOURNAL_HEADER_SIZE);
    memcpy(data + JOURNAL_HEADER_SIZE, next->first.data, next->first.size);
    int file = disk->open(disk->self, NEXT_NAME, DISK_CREATE);
    if (file < 0) {
        return file;
    }
    error = disk->truncate(disk->self, file, 0);
    if (!error) {
        error = journal_write_all(disk, file, 0, data, sizeof data);
    }
    if (!error) {
        error = disk->sync(disk->self, file);
    }
    disk->close(disk->self, file);
    return error;
}

static int undo_change(struct journal *journal)
{
    const struct disk *disk = &journal->disk;
    char old_name[DISK_NAME_SIZE];

    if (!journal->has_game) {
        return disk->remove(disk->self, OPEN_NAME);
    }
    shelf_name(journal->game, old_name);
    return disk->rename(disk->self, old_name, OPEN_NAME);
}

int journal_settle_names(struct journal *journal)
{
    if (journal->names == NAMES_TO_UNDO) {
        int error = undo_change(journal);
        if (error) {
            return error;
        }
        journal->names = NAMES_TO_SYNC;
    }
    if (journal->names == NAMES_TO_SYNC) {
        int error = journal->disk.sync_names(journal->disk.self);
        if (error) {
            return error;
        }
        journal->names = NAMES_SAFE;
    }
    return 0;
}

/* Gives the open game its second name, under which it stays when it is no longer the open one. */
static int shelve_open_game(const struct journal *journal, const char *old_name)
{
    const struct disk *disk = &journal->disk;
    int error = journal->has_game ? disk->link(disk->self, OPEN_NAME, old_name) : 0;

    /* It has the name already if an earlier change got so far and no further. */
    if (error && error != -EEXIST) {
        return error;
    }
    return disk->sync_names(disk->self);
}

static int put_next_in_place(struct journal *journal)
{
    const struct disk *disk = &journal->disk;
    char old_name[DISK_NAME_SIZE];

    shelf_name(journal->game, old_name);
    int error = shelve_open_game(journal, old_name);
    error = error ? error : disk->rename(disk->self, NEXT_NAME, OPEN_NAME);
    if (error) {
        return error; /* the second name, if it got one, does no harm */
    }
    error = disk->sync_names(disk->self);
    if (error) {
        journal->names = NAMES_TO_UNDO;
        (void)journal_settle_names(journal);
    }
    return error;
}

static bool game_exists(const struct journal *journal, const char *game)
{
    const struct disk *disk = &journal->disk;
    char name[DISK_NAME_SIZE];

    if (journal->has_game && strcmp(journal->game, game) == 0) {
        return true;
    }
    shelf_name(game, name);
    int file = disk->open(disk->self, name, DISK_READ);
    if (file < 0) {
        return false;
    }
    disk->close(disk->self, file);
    return true;
}

int journal_change_game(struct journal *journal, const struct record *record)
{
    struct next_game next = {.first = {.size = 0}};

    if (!shelf_takes(record->game)) {
        return -EINVAL;
    }
    if (game_exists(journal, record->game)) {
        return -EEXIST;
    }
    int error = write_next(journal, record, &next);
    error = error ? error : journal_make_room(journal, next.end.size);
    error = error ? error : put_next_in_place(journal);
    if (error) {
        return error;
    }
    journal_drop_file(journal);
    journal->has_game = true;
    memcpy(journal->game, record->game, sizeof journal->game);
    journal->records = 1;
    journal->end = next.end;
    journal->last = next.first;
    journal->size = journal_file_full_size(&next.end);
    journal->number_max = next.end.header.number;
    journal_keep(journal, 0, next.header, sizeof next.header);
    journal_keep(journal, sizeof next.header, next.first.data, next.first.size);
    return 0;
}
