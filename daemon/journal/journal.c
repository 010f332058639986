/*
 * The open game: found, read, appended to, and followed by the next one; and the acknowledged mark.
 * Finished games are in archive.c.
 */
#include "journal/journal.h"

#include "archive.h"
#include "common/crc32c.h"
#include "file.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No game can have a file of such a name, since finished games have a suffix. */
#define OPEN_NAME "open-game"
#define NEXT_NAME "next-game"
#define PROBE_NAME "probe"
#define MARK_NAME "acknowledged"

enum { NO_FILE = -1 };

/* What must be done to the names in the directory before anything else may be recorded. */
enum names_state {
    NAMES_SAFE,
    NAMES_TO_SYNC,
    NAMES_TO_UNDO, /* the next game has the name of the open one, but may not be on disk */
};

struct journal {
    struct disk disk;
    uint32_t number_max; /* of all games ever seen here */

    bool has_game;
    uint32_t records;
    struct journal_end end; /* behind the last record that is safe */
    size_t last_size;       /* of that record */
    uint64_t size;          /* of the file, the blanks at its end included */
    uint8_t *data;          /* the open game up to its end, as on disk; after it anything */
    size_t capacity;
    bool end_is_unsure; /* what is on disk at the end and behind it is not known */
    enum names_state names;
    int file; /* of the open game, or NO_FILE */

    struct journal_mark mark;
    struct journal_mark safe_mark; /* the last one that was synced */
    int mark_file;
};

/* How many bytes of the open game are kept in memory at first: those of a long evening. */
enum { CAPACITY_FIRST = 1 << 16 };

static_assert(JOURNAL_HEADER_SIZE_MAX + JOURNAL_FIRST_LINE_SIZE_MAX <= JOURNAL_BLOCK_SIZE,
              "a game begins with one block");
static_assert(2 * JOURNAL_RECORDS_MAX * JOURNAL_LINE_SIZE_MAX + 2 * JOURNAL_BLOCK_SIZE <=
                  JOURNAL_SIZE_MAX,
              "whatever is written can be read");

static const char *id_of(const struct journal *journal)
{
    return journal->end.header.game;
}

static int write_all(const struct disk *disk, int file, uint64_t offset, const char *text,
                     size_t size)
{
    while (size > 0) {
        ssize_t count = disk->write(disk->self, file, offset, text, size);
        if (count <= 0) {
            return count < 0 ? (int)count : -EIO;
        }
        text += count;
        offset += (uint64_t)count;
        size -= (size_t)count;
    }
    return 0;
}

/*
 * The acknowledged mark: one line with a checksum in a small file that is overwritten in place
 */

enum { MARK_SIZE = 128 };

static size_t write_mark_text(const struct journal_mark *mark, char text[MARK_SIZE])
{
    int length = snprintf(text, MARK_SIZE, "game=%s number=%" PRIu32 " seq=%" PRIu32, mark->game,
                          mark->number, mark->seq);

    length += snprintf(text + length, (size_t)(MARK_SIZE - length), " #%08" PRIx32 "\n",
                       crc32c(0, text, (size_t)length));
    return (size_t)length;
}

/* No mark at all (zeroed) if there is none, or none that can be trusted. */
static void read_mark(const struct disk *disk, struct journal_mark *mark)
{
    char text[MARK_SIZE + 1] = "";
    char again[MARK_SIZE];
    struct journal_mark read = {0};
    int file = disk->open(disk->self, MARK_NAME, DISK_READ);

    *mark = (struct journal_mark){0};
    if (file < 0) {
        return;
    }
    ssize_t count = disk->read(disk->self, file, 0, text, MARK_SIZE);
    disk->close(disk->self, file);
    if (count <= 0 || sscanf(text, "game=%31s number=%" SCNu32 " seq=%" SCNu32, read.game,
                             &read.number, &read.seq) != 3) {
        return;
    }
    if (strncmp(text, again, write_mark_text(&read, again)) == 0) {
        *mark = read;
    }
}

static int need_mark_file(struct journal *journal)
{
    const struct disk *disk = &journal->disk;

    if (journal->mark_file == NO_FILE) {
        int file = disk->open(disk->self, MARK_NAME, DISK_CREATE);
        if (file < 0) {
            return file;
        }
        journal->mark_file = file;
    }
    return 0;
}

static void drop_mark_file(struct journal *journal)
{
    if (journal->mark_file != NO_FILE) {
        journal->disk.close(journal->disk.self, journal->mark_file);
        journal->mark_file = NO_FILE;
    }
}

int journal_write_mark(struct journal *journal)
{
    char text[MARK_SIZE];
    size_t length = write_mark_text(&journal->mark, text);
    int error = need_mark_file(journal);

    if (error) {
        return error;
    }
    journal_file_fill(text, length, sizeof text); /* over what was there before */
    error = write_all(&journal->disk, journal->mark_file, 0, text, sizeof text);
    if (error) {
        drop_mark_file(journal);
    }
    return error;
}

int journal_sync_mark(const struct disk *disk)
{
    int file = disk->open(disk->self, MARK_NAME, DISK_WRITE);

    if (file < 0) {
        return file;
    }
    int error = disk->sync(disk->self, file);
    disk->close(disk->self, file);
    return error ? error : disk->sync_names(disk->self);
}

const struct journal_mark *journal_acknowledged(const struct journal *journal)
{
    return &journal->mark;
}

bool journal_mark_is_safe(const struct journal *journal)
{
    const struct journal_mark *mark = &journal->mark;
    const struct journal_mark *safe = &journal->safe_mark;

    return mark->number == safe->number && mark->seq == safe->seq;
}

void journal_mark_synced(struct journal *journal, const struct journal_mark *mark)
{
    journal->safe_mark = *mark;
}

void journal_acknowledge(struct journal *journal, const struct journal_mark *mark)
{
    const struct journal_mark *old = &journal->mark;

    if (mark->number > old->number || (mark->number == old->number && mark->seq > old->seq)) {
        journal->mark = *mark;
        (void)journal_write_mark(journal); /* if it fails, it is written again before the sync */
    }
}

bool journal_contradicts_mark(const struct journal *journal, uint32_t last_seq)
{
    const struct journal_mark *mark = &journal->mark;
    uint32_t number = journal->end.header.number;

    if (!journal->has_game || mark->number < number) {
        return false;
    }
    return mark->number > number || strcmp(mark->game, id_of(journal)) != 0 || mark->seq > last_seq;
}

/*
 * In memory
 */

static int make_room(struct journal *journal, uint64_t size)
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

/*
 * What a failure or a crash may have left unsure
 */

static void drop_file(struct journal *journal)
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

static int undo_change(struct journal *journal)
{
    const struct disk *disk = &journal->disk;
    char old_name[DISK_NAME_SIZE];

    if (!journal->has_game) {
        return disk->remove(disk->self, OPEN_NAME);
    }
    archive_name(id_of(journal), old_name);
    return disk->rename(disk->self, old_name, OPEN_NAME);
}

static int settle_names(struct journal *journal)
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
    uint64_t last = journal->end.size - journal->last_size;

    if (!journal->end_is_unsure) {
        return 0;
    }
    int error = need_file(journal);
    if (error) {
        return error;
    }
    error = write_all(disk, journal->file, last, (const char *)journal->data + last,
                      journal->last_size);
    if (!error) {
        error = disk->truncate(disk->self, journal->file, journal->end.size);
    }
    if (!error) {
        error = disk->sync(disk->self, journal->file);
    }
    if (error) {
        drop_file(journal);
        return error;
    }
    journal->size = journal->end.size;
    journal->end_is_unsure = false;
    return 0;
}

static int settle(struct journal *journal)
{
    int error = settle_names(journal);

    return error ? error : settle_end(journal);
}

/*
 * Opening
 */

static void count_number(struct journal *journal, uint32_t number)
{
    if (number > journal->number_max) {
        journal->number_max = number;
    }
}

static void take_game(struct journal *journal, uint8_t *data, size_t size,
                      const struct journal_scan *scan)
{
    char name[DISK_NAME_SIZE];

    journal->data = data;
    journal->capacity = size;
    journal->has_game = true;
    journal->records = scan->records;
    journal->end = scan->end;
    journal->last_size = scan->last_size;
    journal->end_is_unsure = true;
    /* A second name of this file is what a change of games left behind that did not come about. */
    archive_name(id_of(journal), name);
    (void)journal->disk.remove(journal->disk.self, name);
}

static void report_scan(const struct journal_scan *scan, struct journal_report *report)
{
    *report = (struct journal_report){.records = scan->records, .torn_bytes = scan->torn_bytes};
    memcpy(report->problem, scan->problem, sizeof report->problem);
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
        return archive_set_aside(&journal->disk, OPEN_NAME, "", report->kept_as);
    }
    if (error) {
        return error == -ENOENT ? 0 : error;
    }
    journal_file_scan(data, size, NULL, NULL, &scan);
    if (!scan.problem[0]) {
        journal_file_scan(data, size, visit, context, &scan);
    }
    report_scan(&scan, report);
    count_number(journal, scan.end.header.number);
    if (!scan.problem[0]) {
        take_game(journal, data, size, &scan);
        return 0;
    }
    free(data);
    return archive_set_aside(&journal->disk, OPEN_NAME, scan.end.header.game, report->kept_as);
}

static int count_finished(struct journal *journal)
{
    struct archive archive;
    int error = archive_read(&journal->disk, &archive);

    if (archive.count > 0) {
        count_number(journal, archive.games[archive.count - 1].number);
    }
    archive_free(&archive);
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
    opened->mark_file = NO_FILE;
    opened->names = NAMES_TO_SYNC;
    read_mark(disk, &opened->mark);
    opened->safe_mark = opened->mark;
    count_number(opened, opened->mark.number);
    int error = count_finished(opened);
    error = error ? error : read_game(opened, visit, context, report);
    if (error) {
        journal_close(opened);
        return error;
    }
    report->unsure = settle(opened);
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
    if (!journal_mark_is_safe(journal) && !journal_write_mark(journal)) {
        (void)journal_sync_mark(&journal->disk);
    }
    drop_mark_file(journal);
    drop_file(journal);
    free(journal->data);
    free(journal);
}

int journal_set_aside(struct journal *journal, char kept_as[DISK_NAME_SIZE])
{
    int error = archive_set_aside(&journal->disk, OPEN_NAME, id_of(journal), kept_as);

    if (!error) {
        drop_file(journal);
        journal->has_game = false;
        journal->end_is_unsure = false;
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
 * Appending
 */

static int write_record(struct journal *journal, const struct record *record)
{
    struct journal_end end = journal->end;
    int error = make_room(journal, end.size + JOURNAL_LINE_SIZE_MAX + JOURNAL_BLOCK_SIZE);

    if (error) {
        return error;
    }
    char *text = (char *)journal->data + end.size; /* where it stays, if all goes well */
    error = journal_file_line(record, &end, text);
    error = error ? error : need_file(journal);
    if (error) {
        return error;
    }
    bool is_longer = end.size > journal->size;
    uint64_t size = is_longer ? journal_file_full_size(&end) : journal->size;
    size_t line_length = (size_t)(end.size - journal->end.size);
    size_t written = is_longer ? (size_t)(size - journal->end.size) : line_length;
    journal_file_fill(text, line_length, written);
    error = write_all(&journal->disk, journal->file, journal->end.size, text, written);
    if (!error) {
        error = journal->disk.sync(journal->disk.self, journal->file);
    }
    if (error) {
        journal->end_is_unsure = true;
        drop_file(journal);
        /* At once if possible, or a crash now could bring back what is being refused. */
        (void)settle_end(journal);
        return error;
    }
    journal->records++;
    journal->end = end;
    journal->last_size = line_length;
    journal->size = size;
    return 0;
}

/*
 * From one game to the next. At every moment a whole game has the name of the open one:
 *
 *   next-game  written and synced       the old game is open
 *   A.journal  second name of open-game the old game is open
 *   names synced
 *   open-game  replaced by next-game    the old or the new game is open
 *   names synced                        the new game is open, A is finished
 */

/* The first block of the next game, before it is the open one. */
struct next_game {
    char text[JOURNAL_BLOCK_SIZE];
    struct journal_end end;
    size_t first_size; /* of its record */
};

static int write_next(struct journal *journal, const struct record *record, struct next_game *next)
{
    const struct disk *disk = &journal->disk;

    journal_file_begin(journal->number_max + 1, record->game, next->text, &next->end);
    size_t header_size = (size_t)next->end.size;
    int error = journal_file_line(record, &next->end, next->text + header_size);
    if (error) {
        return error;
    }
    next->first_size = (size_t)next->end.size - header_size;
    journal_file_fill(next->text, (size_t)next->end.size, sizeof next->text);
    int file = disk->open(disk->self, NEXT_NAME, DISK_CREATE);
    if (file < 0) {
        return file;
    }
    error = disk->truncate(disk->self, file, 0);
    if (!error) {
        error = write_all(disk, file, 0, next->text, sizeof next->text);
    }
    if (!error) {
        error = disk->sync(disk->self, file);
    }
    disk->close(disk->self, file);
    return error;
}

/* Gives the open game its second name, under which it stays when it is no longer the open one. */
static int archive_open_game(const struct journal *journal, const char *old_name)
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

    archive_name(id_of(journal), old_name);
    int error = archive_open_game(journal, old_name);
    error = error ? error : disk->rename(disk->self, NEXT_NAME, OPEN_NAME);
    if (error) {
        return error; /* the second name, if it got one, does no harm */
    }
    error = disk->sync_names(disk->self);
    if (error) {
        journal->names = NAMES_TO_UNDO;
        (void)settle_names(journal);
    }
    return error;
}

static bool game_exists(const struct journal *journal, const char *game)
{
    const struct disk *disk = &journal->disk;
    char name[DISK_NAME_SIZE];

    if (journal->has_game && strcmp(id_of(journal), game) == 0) {
        return true;
    }
    archive_name(game, name);
    int file = disk->open(disk->self, name, DISK_READ);
    if (file < 0) {
        return false;
    }
    disk->close(disk->self, file);
    return true;
}

static int change_game(struct journal *journal, const struct record *record)
{
    struct next_game next;

    if (!archive_takes(record->game)) {
        return -EINVAL;
    }
    if (game_exists(journal, record->game)) {
        return -EEXIST;
    }
    int error = write_next(journal, record, &next);
    error = error ? error : make_room(journal, next.end.size);
    error = error ? error : put_next_in_place(journal);
    if (error) {
        return error;
    }
    drop_file(journal);
    journal->has_game = true;
    journal->records = 1;
    journal->end = next.end;
    journal->last_size = next.first_size;
    journal->size = journal_file_full_size(&next.end);
    journal->number_max = next.end.header.number;
    memcpy(journal->data, next.text, (size_t)next.end.size);
    return 0;
}

int journal_append(struct journal *journal, const struct record *record)
{
    bool begins = record->input.kind == INPUT_NEW_GAME;

    if (!begins && !journal->has_game) {
        return -ENOENT;
    }
    int error = settle(journal);
    if (error) {
        return error;
    }
    return begins ? change_game(journal, record) : write_record(journal, record);
}

/* Room for a record's block, and that a sync reaches the disk, are what the next append needs. */
int journal_probe(struct journal *journal)
{
    const struct disk *disk = &journal->disk;
    static const char block[JOURNAL_BLOCK_SIZE];
    int error = settle(journal);

    if (error) {
        return error;
    }
    int file = disk->open(disk->self, PROBE_NAME, DISK_CREATE);
    if (file < 0) {
        return file;
    }
    error = write_all(disk, file, 0, block, sizeof block);
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

int journal_visit(struct journal *journal, journal_visit_fn *visit, void *context)
{
    if (!journal->has_game) {
        return 0;
    }
    return journal_file_visit(journal->data, (size_t)journal->end.size, visit, context);
}

int journal_copy(const struct journal *journal, struct journal_game *game)
{
    size_t size = journal->has_game ? (size_t)journal->end.size : 0;
    uint8_t *data = size ? malloc(size) : NULL;

    if (size && !data) {
        return -ENOMEM;
    }
    if (size) {
        memcpy(data, journal->data, size);
    }
    *game = (struct journal_game){.number = journal_number(journal), .data = data, .size = size};
    return 0;
}

int journal_read_file(const char *path, journal_visit_fn *visit, void *context,
                      struct journal_report *report)
{
    struct journal_scan scan;
    uint8_t *data;
    size_t size;
    int error = disk_read_path(path, JOURNAL_SIZE_MAX, &data, &size);

    if (error) {
        return error;
    }
    journal_file_scan(data, size, visit, context, &scan);
    free(data);
    report_scan(&scan, report);
    return scan.stopped;
}
