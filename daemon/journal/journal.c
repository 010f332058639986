/*
 * The open game: found, read, appended to. How one game follows another is in journal_change.c, and
 * what is read again in journal_past.c.
 */
#include "inside.h"

#include "shelf.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many bytes of the open game are kept in memory at first: those of a long evening. */
enum { CAPACITY_FIRST = 16384 };

static_assert(JOURNAL_HEADER_SIZE + 2 * JOURNAL_RECORDS_MAX * JOURNAL_FRAME_SIZE_MAX +
                      JOURNAL_BLOCK_SIZE <=
                  JOURNAL_SIZE_MAX,
              "whatever is written can be read");

static void count_number(struct journal *journal, uint32_t number)
{
    if (number > journal->number_max) {
        journal->number_max = number;
    }
}

static int take_game(struct journal *journal, const uint8_t *data, const struct journal_scan *scan)
{
    char name[DISK_NAME_SIZE];
    int error = journal_make_room(journal, scan->end.size);

    if (error) {
        return error;
    }
    journal_keep(journal, 0, data, (size_t)scan->end.size);
    journal->has_game = true;
    memcpy(journal->game, scan->game, sizeof journal->game);
    journal->records = scan->records;
    journal->end = scan->end;
    journal->last.size = scan->last_size;
    memcpy(journal->last.data, data + scan->end.size - scan->last_size, scan->last_size);
    journal->end_is_unsure = true;
    /* A second name of this file is what a change of games left behind that did not come about. */
    shelf_name(journal->game, name);
    (void)journal->disk.remove(journal->disk.self, name);
    return 0;
}

/* Reads the open game, checking all of it before any of it is shown. */
static int read_game(struct journal *journal, journal_visit_fn *visit, void *context,
                     struct journal_report *report)
{
    struct journal_scan scan;
    uint8_t *data;
    size_t size;
    int error = disk_read_file(&journal->disk, OPEN_NAME, JOURNAL_SIZE_MAX, &data, &size);

    if (error == -EFBIG) {
        snprintf(report->problem, sizeof report->problem,
                 "the open game is longer than %d bytes, which no game can be", JOURNAL_SIZE_MAX);
        return shelf_set_aside(&journal->disk, OPEN_NAME, "", report->kept_as);
    }
    if (error) {
        return error == -ENOENT ? 0 : error;
    }
    journal_file_scan(data, size, NULL, NULL, &scan);
    if (!scan.problem[0]) {
        journal_file_scan(data, size, visit, context, &scan);
    }
    journal_report_scan(&scan, report);
    count_number(journal, scan.end.header.number);
    if (scan.problem[0]) {
        error = shelf_set_aside(&journal->disk, OPEN_NAME, scan.game, report->kept_as);
    } else {
        error = take_game(journal, data, &scan);
    }
    free(data);
    return error;
}

static int count_finished(struct journal *journal)
{
    struct shelf shelf;
    int error = shelf_read(&journal->disk, &shelf);

    if (shelf.count > 0) {
        count_number(journal, shelf.games[shelf.count - 1].number);
    }
    shelf_free(&shelf);
    return error;
}

int journal_open(struct journal **journal, const struct disk *disk,
                 const struct journal_limits *limits, journal_visit_fn *visit, void *context,
                 struct journal_report *report)
{
    struct journal *opened = calloc(1, sizeof *opened);

    if (!opened) {
        return -ENOMEM;
    }
    *report = (struct journal_report){0};
    opened->disk = *disk;
    opened->file = NO_FILE;
    opened->names = NAMES_TO_SYNC;
    mark_read(disk, &opened->mark);
    opened->mark_on_disk = opened->mark;
    count_number(opened, opened->mark.number);
    int error = count_finished(opened);
    error = error ? error : read_game(opened, visit, context, report);
    if (error) {
        journal_close(opened);
        return error;
    }
    report->unsure = journal_settle(opened);
    /* A table can be played at although old games cannot be removed; it is tried again later. */
    (void)journal_prune(disk, limits, journal_number(opened), opened->mark.number, &report->loss);
    *journal = opened;
    return 0;
}

void journal_close(struct journal *journal)
{
    if (!journal) {
        return;
    }
    if (!journal_mark_is_written(journal)) {
        (void)journal_write_mark(&journal->disk, &journal->mark);
    }
    journal_drop_file(journal);
    free(journal->data);
    free(journal);
}

int journal_set_aside(struct journal *journal, char kept_as[DISK_NAME_SIZE])
{
    int error = shelf_set_aside(&journal->disk, OPEN_NAME, journal->game, kept_as);

    if (!error) {
        journal_drop_file(journal);
        journal->has_game = false;
        journal->end_is_unsure = false;
        journal->game[0] = '\0';
    }
    return error;
}

uint32_t journal_number(const struct journal *journal)
{
    return journal->has_game ? journal->end.header.number : journal->number_max + 1;
}

bool journal_is_full(const struct journal *journal)
{
    return journal->has_game && journal->records >= JOURNAL_RECORDS_MAX;
}

/*
 * In memory
 */

int journal_make_room(struct journal *journal, uint64_t size)
{
    size_t capacity = journal->capacity ? journal->capacity : CAPACITY_FIRST;

    while (capacity < size) {
        capacity *= 2;
    }
    if (capacity == journal->capacity) {
        return 0;
    }
    uint8_t *data = realloc(journal->data, capacity);
    if (!data) {
        return -ENOMEM;
    }
    journal->data = data;
    journal->capacity = capacity;
    return 0;
}

void journal_keep(struct journal *journal, uint64_t offset, const uint8_t *data, size_t size)
{
    memcpy(journal->data + offset, data, size);
}

/*
 * Appending
 */

void journal_drop_file(struct journal *journal)
{
    if (journal->file != NO_FILE) {
        journal->disk.close(journal->disk.self, journal->file);
        journal->file = NO_FILE;
    }
}

/* Opened when it is needed, so that a disk that was read-only for a while can be used again. */
static int need_file(struct journal *journal)
{
    if (journal->file == NO_FILE) {
        int file = journal->disk.open(journal->disk.self, OPEN_NAME, DISK_WRITE);
        if (file < 0) {
            return file;
        }
        journal->file = file;
    }
    return 0;
}

int journal_write_all(const struct disk *disk, int file, uint64_t offset, const uint8_t *data,
                      size_t size)
{
    while (size > 0) {
        ssize_t count = disk->write(disk->self, file, offset, data, size);
        if (count <= 0) {
            return count < 0 ? (int)count : -EIO;
        }
        data += count;
        offset += (uint64_t)count;
        size -= (size_t)count;
    }
    return 0;
}

/*
 * After a sync that failed nobody knows what is on the disk, and the kernel takes the pages for
 * clean: a second sync would succeed without having written them. So nothing of that record is
 * relied upon: the file is cut back to the record before, and the next one is written anew, which
 * makes its pages dirty again. After a start even the last record may be one that only the kernel
 * remembers, so it is written again as well.
 *
 * That all this is safe before the next record is written keeps the promise that at most one
 * unfinished record is at the end.
 */
static int settle_end(struct journal *journal)
{
    const struct disk *disk = &journal->disk;
    const struct journal_frame *last = &journal->last;

    if (!journal->end_is_unsure) {
        return 0;
    }
    int error = need_file(journal);
    if (error) {
        return error;
    }
    error = journal_write_all(disk, journal->file, journal->end.size - last->size, last->data,
                              last->size);
    if (!error) {
        error = disk->truncate(disk->self, journal->file, journal->end.size);
    }
    if (!error) {
        error = disk->sync(disk->self, journal->file);
    }
    if (error) {
        journal_drop_file(journal);
        return error;
    }
    journal->size = journal->end.size;
    journal->end_is_unsure = false;
    return 0;
}

int journal_settle(struct journal *journal)
{
    int error = journal_settle_names(journal);

    return error ? error : settle_end(journal);
}

static int write_record(struct journal *journal, const struct record *record)
{
    uint8_t data[JOURNAL_FRAME_SIZE_MAX + JOURNAL_BLOCK_SIZE] = {0};
    struct journal_end end = journal->end;
    struct journal_frame frame = {.size = 0};
    int error = journal_file_frame(record, &end, &frame);

    if (error) {
        return error;
    }
    bool is_longer = end.size > journal->size;
    uint64_t size = is_longer ? journal_file_full_size(&end) : journal->size;
    size_t written = is_longer ? (size_t)(size - journal->end.size) : frame.size;

    memcpy(data, frame.data, frame.size);
    error = journal_make_room(journal, end.size);
    if (!error) {
        error = need_file(journal);
    }
    if (error) {
        return error;
    }
    error = journal_write_all(&journal->disk, journal->file, journal->end.size, data, written);
    if (!error) {
        error = journal->disk.sync(journal->disk.self, journal->file);
    }
    if (error) {
        journal->end_is_unsure = true;
        journal_drop_file(journal);
        /* At once if possible, or a crash now could bring back what is being refused. */
        (void)settle_end(journal);
        return error;
    }
    journal_keep(journal, journal->end.size, frame.data, frame.size);
    journal->records++;
    journal->end = end;
    journal->last = frame;
    journal->size = size;
    return 0;
}

int journal_append(struct journal *journal, const struct record *record)
{
    bool begins = record->input.kind == INPUT_NEW_GAME;

    if (!begins && !journal->has_game) {
        return -ENOENT;
    }
    int error = journal_settle(journal);
    if (error) {
        return error;
    }
    return begins ? journal_change_game(journal, record) : write_record(journal, record);
}

/* Room for a record's block, and that a sync reaches the disk, are what the next append needs. */
int journal_probe(struct journal *journal)
{
    const struct disk *disk = &journal->disk;
    static const uint8_t block[JOURNAL_BLOCK_SIZE];
    int error = journal_settle(journal);

    if (error) {
        return error;
    }
    int file = disk->open(disk->self, PROBE_NAME, DISK_CREATE);
    if (file < 0) {
        return file;
    }
    error = journal_write_all(disk, file, 0, block, sizeof block);
    if (!error) {
        error = disk->sync(disk->self, file);
    }
    disk->close(disk->self, file);
    int remove_error = disk->remove(disk->self, PROBE_NAME);
    return error ? error : remove_error;
}
