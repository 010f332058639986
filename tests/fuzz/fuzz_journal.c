/*
 * Journal files from anywhere. The first byte chooses: the rest is a file, or the records of one,
 * to which header and checksums are added, so that what is behind them is reached too.
 */
#include "journal/bytes.h"
#include "journal/file.h"

#include <stdlib.h>
#include <string.h>

enum { MODES = 3, FILE_SIZE_MAX = 1 << 16 };

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

/* Whatever can be read can be written, and is then read as the same. */
static int write_again(void *context, const struct record *record)
{
    struct record_times before = {1, 2};
    struct record_times after = before;
    uint8_t bytes[RECORD_SIZE_MAX];
    struct record again;
    int size = record_write(record, &after, bytes, sizeof bytes);

    (void)context;
    require(size > 0);
    require(record_read(bytes, (size_t)size, &before, &again) == 0);
    require(again.input.kind == record->input.kind && again.input.at_us == record->input.at_us);
    require(again.wall_ms == record->wall_ms && again.hash == record->hash);
    require(strcmp(again.id, record->id) == 0 && strcmp(again.game, record->game) == 0);
    require(memcmp(&again.setup, &record->setup, sizeof again.setup) == 0);
    return 0;
}

static void scan(const uint8_t *data, size_t size)
{
    struct journal_scan result;
    uint8_t *exact = malloc(size); /* so that reading past its end is noticed */

    require(exact || size == 0);
    if (size > 0) {
        memcpy(exact, data, size);
    }
    journal_file_scan(exact, size, write_again, NULL, &result);
    require(result.end.size + result.torn_bytes <= size || result.records == 0);
    require(result.problem[0] || result.records > 0);
    free(exact);
}

/* A header and a frame for each length-prefixed piece of data, with the sums that belong there. */
static size_t frame_pieces(const uint8_t *data, size_t size, uint8_t *file)
{
    struct reader reader = {.data = data, .size = size};
    struct journal_end end;

    journal_file_begin(1, file, &end);
    struct writer writer = {.data = file, .size = FILE_SIZE_MAX, .length = (size_t)end.size};
    while (reader.offset < size && !writer.failed) {
        size_t begin = writer.length;
        size_t length = bytes_get_u8(&reader);
        length = length < size - reader.offset ? length : size - reader.offset;
        bytes_put_varint(&writer, length);
        bytes_put_bytes(&writer, data + reader.offset, length);
        reader.offset += length;
        if (!writer.failed) {
            bytes_put_u32(
                &writer, journal_file_sum(&end.header, begin, file + begin, writer.length - begin));
        }
    }
    return writer.length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t file[FILE_SIZE_MAX];
    struct record_times times = {0, 0};
    struct record record;

    if (size == 0) {
        return 0;
    }
    switch (data[0] % MODES) {
    case 0:
        scan(data + 1, size - 1);
        break;
    case 1:
        scan(file, frame_pieces(data + 1, size - 1, file));
        break;
    default:
        if (record_read(data + 1, size - 1, &times, &record) == 0) {
            write_again(NULL, &record);
        }
        break;
    }
    return 0;
}
