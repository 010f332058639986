/*
 * Journal files from anywhere. The first byte chooses: the rest is a file, or the records of one,
 * to which header and checksums are added, so that what is behind them is reached too, or a record.
 */
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
    char line[FIRST_RECORD_SIZE_MAX];
    struct record again;

    (void)context;
    require(record_write(record, line) > 0);
    require(record_read(line, &again) == 0);
    require(again.input.kind == record->input.kind && again.input.at_us == record->input.at_us);
    require(again.wall_ms == record->wall_ms && again.hash == record->hash);
    require(strcmp(again.id, record->id) == 0);
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

/* A header, and each line of data with the checksum that belongs there. */
static size_t seal_lines(const uint8_t *data, size_t size, char *file)
{
    struct journal_end end;

    journal_file_begin(1, "game", file, &end);
    while (size > 0 && end.size + JOURNAL_FIRST_LINE_SIZE_MAX < FILE_SIZE_MAX) {
        const uint8_t *newline = memchr(data, '\n', size);
        size_t length = newline ? (size_t)(newline - data) : size;
        size_t sealed = length < FIRST_RECORD_SIZE_MAX ? length : FIRST_RECORD_SIZE_MAX;
        memcpy(file + end.size, data, sealed);
        end.size += journal_file_seal(&end.header, end.size, file + end.size, sealed);
        length += newline != NULL;
        data += length;
        size -= length;
    }
    return (size_t)end.size;
}

static void read_record(const uint8_t *data, size_t size)
{
    char line[FIRST_RECORD_SIZE_MAX + 1];
    struct record record;
    size_t length = size < FIRST_RECORD_SIZE_MAX ? size : FIRST_RECORD_SIZE_MAX;

    memcpy(line, data, length);
    line[length] = '\0';
    if (record_read(line, &record) == 0) {
        write_again(NULL, &record);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char file[FILE_SIZE_MAX];

    if (size == 0) {
        return 0;
    }
    switch (data[0] % MODES) {
    case 0:
        scan(data + 1, size - 1);
        break;
    case 1:
        scan((const uint8_t *)file, seal_lines(data + 1, size - 1, file));
        break;
    default:
        read_record(data + 1, size - 1);
        break;
    }
    return 0;
}
