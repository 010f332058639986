/*
 * The open game: found, read, appended to, visited again. How one game follows another is in
 * journal_change.c.
 */
#include "journal_inside.h"

#include "journal_shelf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* So many events may come again after a crash; in return the mark is written that rarely. */
enum { MARK_STEP = 16 };

static void report_scan(const struct journal_scan *scan, struct journal_report *report)
{
    *report = (struct journal_report){.records = scan->records, .torn_bytes = scan->torn_bytes};
    memcpy(report->problem, scan->problem, sizeof report->problem);
}

static void count_number(struct journal *journal, uint32_t number)
{
    if (number > journal->number_max) {
        journal->number_max = number;
    }
}

static void take_game(struct journal *journal, const uint8_t *data, const struct journal_scan *scan)
{
    char name[DISK_NAME_SIZE];

    journal->has_game = true;
    memcpy(journal->game, scan->game, sizeof journal->game);
    journal->end = scan->end;
    journal->last.size = scan->last_size;
    memcpy(journal->last.data, data + scan->end.size - scan->last_size, scan->last_size);
    journal->end_is_unsure = true;
    /* A second name of this file is what a change of games left behind that did not come about. */
    shelf_name(journal->game, name);
    (void)journal->disk.remove(journal->disk.self, name);
}

/* Reads the open game, checking all of it before any of it is shown. */
static int read_game(struct journal *journal, journal_visit_fn *visit, void *context,
                     struct journal_report *report)
{
    struct journal_scan scan;
    uint8_t *data;
    size_t size;
    int error = disk_read_file(&journal->disk, OPEN_NAME, &data, &size);

    if (error) {
        return error == -ENOENT ? 0 : error;
    }
    journal_file_scan(data, size, NULL, NULL, &scan);
    if (!scan.problem[0]) {
        journal_file_scan(data, size, visit, context, &scan);
    }
    report_scan(&scan, report);
    count_number(journal, scan.end.header.number);
    if (scan.problem[0]) {
        error = shelf_set_aside(&journal->disk, OPEN_NAME, scan.game, report->kept_as);
    } else {
        take_game(journal, data, &scan);
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
    opened->limits = *limits;
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
    (void)shelf_prune(disk, limits);
    *journal = opened;
    return 0;
}

void journal_close(struct journal *journal)
{
    if (!journal) {
        return;
    }
    if (memcmp(&journal->mark, &journal->mark_on_disk, sizeof journal->mark) != 0) {
        (void)mark_write(&journal->disk, &journal->mark);
    }
    journal_drop_file(journal);
    free(journal);
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
    error = need_file(journal);
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

/*
 * Reading again
 */

static int visit_data(const uint8_t *data, size_t size, journal_visit_fn *visit, void *context)
{
    struct journal_scan scan;

    journal_file_scan(data, size, visit, context, &scan);
    if (scan.stopped) {
        return scan.stopped;
    }
    return scan.problem[0] ? -EBADMSG : 0;
}

int journal_visit(struct journal *journal, journal_visit_fn *visit, void *context)
{
    char shelved_name[DISK_NAME_SIZE];
    uint8_t *data;
    size_t size;

    if (!journal->has_game) {
        return 0;
    }
    shelf_name(journal->game, shelved_name);
    int error = disk_read_file(
        &journal->disk, journal->names == NAMES_TO_UNDO ? shelved_name : OPEN_NAME, &data, &size);
    if (error) {
        return error;
    }
    if (size < journal->end.size) {
        error = -EBADMSG;
    } else {
        error = visit_data(data, (size_t)journal->end.size, visit, context);
    }
    free(data);
    return error;
}

static int visit_finished(const struct disk *disk, const char *name, journal_visit_fn *visit,
                          void *context)
{
    uint8_t *data;
    size_t size;
    int error = disk_read_file(disk, name, &data, &size);

    if (!error) {
        error = visit_data(data, size, visit, context);
        free(data);
    }
    return error;
}

int journal_visit_unacknowledged(struct journal *journal, journal_visit_fn *visit, void *context)
{
    struct shelf shelf;
    int result = shelf_read(&journal->disk, &shelf);

    result = result ? result : shelf.unread;
    for (size_t i = 0; !result && i < shelf.count; i++) {
        if (shelf.games[i].number >= journal->mark.number &&
            (!journal->has_game || shelf.games[i].number < journal->end.header.number)) {
            result = visit_finished(&journal->disk, shelf.games[i].name, visit, context);
            /* What is damaged will not get better, and the games after it must not wait for it. */
            result = result == -EBADMSG ? 0 : result;
        }
    }
    shelf_free(&shelf);
    return result;
}

int journal_read_file(const char *path, journal_visit_fn *visit, void *context,
                      struct journal_report *report)
{
    struct journal_scan scan;
    uint8_t *data;
    size_t size;
    int error = disk_read_path(path, &data, &size);

    if (error) {
        return error;
    }
    journal_file_scan(data, size, visit, context, &scan);
    free(data);
    report_scan(&scan, report);
    return scan.stopped;
}

/*
 * The mark
 */

const struct journal_mark *journal_acknowledged(const struct journal *journal)
{
    return &journal->mark.at;
}

/* The number of a game, 0 if it is not there any more. */
static uint32_t number_of(const struct journal *journal, const char *game)
{
    char name[DISK_NAME_SIZE];
    struct shelf shelf;
    uint32_t number = 0;

    if (journal->has_game && strcmp(game, journal->game) == 0) {
        return journal->end.header.number;
    }
    if (strcmp(game, journal->mark.at.game) == 0) {
        return journal->mark.number;
    }
    shelf_name(game, name);
    (void)shelf_read(&journal->disk, &shelf);
    for (size_t i = 0; i < shelf.count; i++) {
        if (strcmp(shelf.games[i].name, name) == 0) {
            number = shelf.games[i].number;
        }
    }
    shelf_free(&shelf);
    return number;
}

void journal_acknowledge(struct journal *journal, const char *game, uint32_t seq)
{
    struct mark mark = {.number = number_of(journal, game)};
    const struct mark *old = &journal->mark;

    if (mark.number == 0 || mark.number < old->number ||
        (mark.number == old->number && seq <= old->at.seq)) {
        return;
    }
    memcpy(mark.at.game, game, strnlen(game, GAME_ID_SIZE - 1));
    mark.at.seq = seq;
    journal->mark = mark;
    if (mark.number != journal->mark_on_disk.number ||
        seq >= journal->mark_on_disk.at.seq + MARK_STEP) {
        if (!mark_write(&journal->disk, &mark)) {
            journal->mark_on_disk = mark;
        }
    }
}

void journal_limit_mark(struct journal *journal, uint32_t last_seq)
{
    struct mark *mark = &journal->mark;

    if (strcmp(mark->at.game, journal->game) != 0 || mark->at.seq <= last_seq) {
        return;
    }
    mark->at.seq = last_seq;
    if (!mark_write(&journal->disk, mark)) {
        journal->mark_on_disk = *mark;
    }
}
