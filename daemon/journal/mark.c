/*
 * The acknowledged mark on disk: one small file that is overwritten in place: CRC-32C of what
 * follows, number of the game, seq, id of the game.
 */
#include "mark.h"

#include "bytes.h"
#include "common/crc32c.h"
#include "inside.h"

#include <errno.h>
#include <string.h>

static const char mark_name[] = "acknowledged";

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

int journal_write_mark(const struct disk *disk, const struct journal_mark *mark)
{
    uint8_t bytes[MARK_SIZE_MAX];
    struct writer summed = {.data = bytes + SUM_SIZE, .size = sizeof bytes - SUM_SIZE};
    struct writer sum = {.data = bytes, .size = SUM_SIZE};

    bytes_put_u32(&summed, mark->number);
    bytes_put_u32(&summed, mark->seq);
    bytes_put_string(&summed, mark->game, sizeof mark->game);
    bytes_put_u32(&sum, crc32c(0, summed.data, summed.length));

    int file = disk->open(disk->self, mark_name, DISK_WRITE);
    bool is_new = file == -ENOENT;
    if (is_new) {
        file = disk->open(disk->self, mark_name, DISK_CREATE);
    }
    if (file < 0) {
        return file;
    }
    size_t size = SUM_SIZE + summed.length;
    int error = journal_write_all(disk, file, 0, bytes, size);
    error = error ? error : disk->sync(disk->self, file);
    disk->close(disk->self, file);
    if (!error && is_new) {
        error = disk->sync_names(disk->self);
    }
    return error;
}

/*
 * In memory
 */

const struct journal_mark *journal_acknowledged(const struct journal *journal)
{
    return &journal->mark;
}

bool journal_mark_is_written(const struct journal *journal)
{
    const struct journal_mark *mark = &journal->mark;
    const struct journal_mark *written = &journal->mark_on_disk;

    return mark->number == written->number && mark->seq == written->seq;
}

void journal_mark_written(struct journal *journal, const struct journal_mark *mark)
{
    journal->mark_on_disk = *mark;
}

void journal_acknowledge(struct journal *journal, const struct journal_mark *mark)
{
    const struct journal_mark *old = &journal->mark;

    if (mark->number > old->number || (mark->number == old->number && mark->seq > old->seq)) {
        journal->mark = *mark;
    }
}

bool journal_contradicts_mark(const struct journal *journal, uint32_t last_seq)
{
    const struct journal_mark *mark = &journal->mark;
    uint32_t number = journal->end.header.number;

    if (!journal->has_game || mark->number < number) {
        return false;
    }
    return mark->number > number || strcmp(mark->game, journal->game) != 0 || mark->seq > last_seq;
}
