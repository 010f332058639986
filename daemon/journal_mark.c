/* CRC-32C of what follows, number of the game, seq, id of the game. */
#include "journal_mark.h"

#include "bytes.h"

#include <errno.h>

static const char mark_name[] = "acknowledged";

enum { SUM_SIZE = 4, MARK_SIZE_MAX = SUM_SIZE + 8 + 1 + GAME_ID_SIZE };

void mark_read(const struct disk *disk, struct mark *mark)
{
    uint8_t bytes[MARK_SIZE_MAX];
    int file = disk->open(disk->self, mark_name, DISK_READ);

    *mark = (struct mark){0};
    if (file < 0) {
        return;
    }
    ssize_t count = disk->read(disk->self, file, 0, bytes, sizeof bytes);
    disk->close(disk->self, file);
    if (count < 0) {
        return;
    }
    struct reader reader = {.data = bytes, .size = (size_t)count};
    struct mark read = {0};
    uint32_t sum = bytes_get_u32(&reader);
    read.number = bytes_get_u32(&reader);
    read.at.seq = bytes_get_u32(&reader);
    bytes_get_string(&reader, read.at.game, sizeof read.at.game);
    if (!reader.failed && sum == crc32c(0, bytes + SUM_SIZE, reader.offset - SUM_SIZE)) {
        *mark = read;
    }
}

int mark_write(const struct disk *disk, const struct mark *mark)
{
    uint8_t bytes[MARK_SIZE_MAX];
    struct writer summed = {.data = bytes + SUM_SIZE, .size = sizeof bytes - SUM_SIZE};
    struct writer sum = {.data = bytes, .size = SUM_SIZE};

    bytes_put_u32(&summed, mark->number);
    bytes_put_u32(&summed, mark->at.seq);
    bytes_put_string(&summed, mark->at.game, sizeof mark->at.game);
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
