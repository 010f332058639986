/* CRC-32C of what follows, number of the game, seq, id of the game. */
#include "mark.h"

#include "bytes.h"
#include "common/crc32c.h"
#include "inside.h"

#include <errno.h>
#include <string.h>

static const char mark_name[] = "acknowledged";

/* So many events may come again after a crash; in return the mark is written that rarely. */
enum { MARK_STEP = 16 };

enum { SUM_SIZE = 4, MARK_SIZE_MAX = SUM_SIZE + 8 + 1 + GAME_ID_SIZE };

void mark_read(const struct disk *disk, struct journal_mark *mark)
{
    uint8_t bytes[MARK_SIZE_MAX];
    int file = disk->open(disk->self, mark_name, DISK_READ);

    *mark = (struct journal_mark){0};
    if (file < 0) {
        return;
    }
    ssize_t count = disk->read(disk->self, file, 0, bytes, sizeof bytes);
    disk->close(disk->self, file);
    if (count < 0) {
        return;
    }
    struct reader reader = {.data = bytes, .size = (size_t)count};
    struct journal_mark read = {0};
    uint32_t sum = bytes_get_u32(&reader);
    read.number = bytes_get_u32(&reader);
    read.seq = bytes_get_u32(&reader);
    bytes_get_string(&reader, read.game, sizeof read.game);
    if (!reader.failed && sum == crc32c(0, bytes + SUM_SIZE, reader.offset - SUM_SIZE)) {
        *mark = read;
    }
}

int mark_write(const struct disk *disk, const struct journal_mark *mark)
{
    uint8_t bytes[MARK_SIZE_MAX];
    struct writer summed = {.data = bytes + SUM_SIZE, .size = sizeof bytes - SUM_SIZE};
    struct writer sum = {.data = bytes, .size = SUM_SIZE};

    bytes_put_u32(&summed, mark->number);
    bytes_put_u32(&summed, mark->seq);
    bytes_put_string(&summed, mark->game, sizeof mark->game);
    bytes_put_u32(&sum, crc32c(0, summed.data, summed.length));

    int file = disk->open(disk->self, mark_name, DISK_CREATE);
    if (file < 0) {
        return file;
    }
    size_t size = SUM_SIZE + summed.length;
    ssize_t count = disk->write(disk->self, file, 0, bytes, size);
    disk->close(disk->self, file);
    return count < 0 ? (int)count : count == (ssize_t)size ? 0 : -EIO;
}

/*
 * In memory
 */

const struct journal_mark *journal_acknowledged(const struct journal *journal)
{
    return &journal->mark;
}

static void write_if_possible(struct journal *journal)
{
    if (!mark_write(&journal->disk, &journal->mark)) {
        journal->mark_on_disk = journal->mark;
    }
}

void journal_acknowledge(struct journal *journal, const struct journal_mark *mark)
{
    const struct journal_mark *old = &journal->mark;
    const struct journal_mark *on_disk = &journal->mark_on_disk;

    if (mark->number < old->number || (mark->number == old->number && mark->seq <= old->seq)) {
        return;
    }
    journal->mark = *mark;
    if (mark->number != on_disk->number || mark->seq >= on_disk->seq + MARK_STEP) {
        write_if_possible(journal);
    }
}

void journal_limit_mark(struct journal *journal, uint32_t last_seq)
{
    struct journal_mark *mark = &journal->mark;

    if (strcmp(mark->game, journal->game) == 0 && mark->seq > last_seq) {
        mark->seq = last_seq;
        write_if_possible(journal);
    }
}
