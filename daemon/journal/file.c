/* Header, frames, and what is to be thought of a file whose end is missing or whose bytes differ.
 */
#include "file.h"

#include "bytes.h"
#include "common/crc32c.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SUMMED_HEADER_SIZE = JOURNAL_HEADER_SIZE - sizeof(uint32_t) };

static const uint8_t magic[8] = "shipahoy";

void journal_file_begin(uint32_t number, uint8_t header[JOURNAL_HEADER_SIZE],
                        struct journal_end *end)
{
    struct writer writer = {.data = header, .size = JOURNAL_HEADER_SIZE};

    bytes_put_bytes(&writer, magic, sizeof magic);
    bytes_put_u16(&writer, JOURNAL_FORMAT);
    bytes_put_u16(&writer, JOURNAL_RULES_VERSION);
    bytes_put_u32(&writer, number);
    uint32_t sum = crc32c(0, header, SUMMED_HEADER_SIZE);
    bytes_put_u32(&writer, sum);
    *end = (struct journal_end){
        .header = {JOURNAL_FORMAT, JOURNAL_RULES_VERSION, number, sum},
        .size = JOURNAL_HEADER_SIZE,
    };
}

int journal_file_header(const uint8_t *data, size_t size, struct journal_header *header)
{
    struct reader reader = {.data = data, .size = size, .offset = sizeof magic};

    if (size < JOURNAL_HEADER_SIZE || memcmp(data, magic, sizeof magic) != 0) {
        return -EBADMSG;
    }
    header->format = bytes_get_u16(&reader);
    header->rules = bytes_get_u16(&reader);
    header->number = bytes_get_u32(&reader);
    header->sum = bytes_get_u32(&reader);
    return header->sum == crc32c(0, data, SUMMED_HEADER_SIZE) ? 0 : -EBADMSG;
}

uint64_t journal_file_full_size(const struct journal_end *end)
{
    return (end->size + JOURNAL_BLOCK_SIZE - 1) / JOURNAL_BLOCK_SIZE * JOURNAL_BLOCK_SIZE;
}

uint32_t journal_file_sum(const struct journal_header *header, uint64_t offset, const uint8_t *data,
                          size_t size)
{
    uint8_t place[2 * sizeof(uint32_t)];
    struct writer writer = {.data = place, .size = sizeof place};

    bytes_put_u32(&writer, (uint32_t)(offset & UINT32_MAX));
    bytes_put_u32(&writer, (uint32_t)(offset >> 32));
    return crc32c(crc32c(header->sum, place, sizeof place), data, size);
}

int journal_file_frame(const struct record *record, struct journal_end *end,
                       struct journal_frame *frame)
{
    struct writer writer = {.data = frame->data, .size = sizeof frame->data};
    uint8_t bytes[RECORD_SIZE_MAX];
    int size = record_write(record, &end->times, bytes, sizeof bytes);

    if (size < 0) {
        return size;
    }
    bytes_put_varint(&writer, (uint64_t)size);
    bytes_put_bytes(&writer, bytes, (size_t)size);
    bytes_put_u32(&writer, journal_file_sum(&end->header, end->size, frame->data, writer.length));
    frame->size = writer.length;
    end->size += writer.length;
    return 0;
}

/*
 * Reading
 */

struct frame {
    const uint8_t *record;
    size_t record_size;
    size_t size;
};

/* NULL and the frame at offset, or what is wrong with it. */
static const char *read_frame(const uint8_t *data, size_t size, size_t offset,
                              const struct journal_header *header, struct frame *frame)
{
    struct reader reader = {.data = data, .size = size, .offset = offset};
    uint64_t length = bytes_get_varint(&reader);

    if (reader.failed || length == 0 || length > RECORD_SIZE_MAX) {
        return "its length is impossible";
    }
    frame->record = data + reader.offset;
    frame->record_size = (size_t)length;
    if (length > size - reader.offset) {
        return "it is not complete";
    }
    reader.offset += (size_t)length;
    size_t summed = reader.offset - offset;
    uint32_t sum = bytes_get_u32(&reader);
    if (reader.failed) {
        return "it is not complete";
    }
    frame->size = reader.offset - offset;
    return sum == journal_file_sum(header, offset, data + offset, summed)
               ? NULL
               : "its checksum does not match";
}

/*
 * A crash leaves at most one record that is not whole, and nothing after it: a record is appended
 * only behind one that is safe. So if a good frame follows, or there is more than one record could
 * leave behind, then something else has happened to the file.
 */
static bool is_torn(const uint8_t *data, size_t size, const struct journal_end *end, size_t written)
{
    struct frame frame;

    if (written - end->size > JOURNAL_FRAME_SIZE_MAX) {
        return false;
    }
    for (size_t later = (size_t)end->size + 1; later < written; later++) {
        if (!read_frame(data, size, later, &end->header, &frame)) {
            return false;
        }
    }
    return true;
}

static void blame_record(struct journal_scan *scan, const char *what)
{
    snprintf(scan->problem, sizeof scan->problem, "record %u at byte %llu is damaged: %s",
             scan->records + 1, (unsigned long long)scan->end.size, what);
}

static bool header_is_ours(const uint8_t *data, size_t size, struct journal_scan *scan)
{
    struct journal_header *header = &scan->end.header;
    char *problem = scan->problem;

    if (size < sizeof magic || memcmp(data, magic, sizeof magic) != 0) {
        snprintf(problem, sizeof scan->problem, "this is not a journal");
    } else if (journal_file_header(data, size, header)) {
        snprintf(problem, sizeof scan->problem, "the header, bytes 0 to %d, is damaged",
                 JOURNAL_HEADER_SIZE - 1);
    } else if (header->format != JOURNAL_FORMAT) {
        snprintf(problem, sizeof scan->problem,
                 "the game is recorded in format %u, and this program knows format %d only",
                 header->format, JOURNAL_FORMAT);
    } else if (header->rules != JOURNAL_RULES_VERSION) {
        snprintf(problem, sizeof scan->problem,
                 "the game is played by version %u of the rules, and this program plays by version "
                 "%d: it cannot go on",
                 header->rules, JOURNAL_RULES_VERSION);
    }
    return problem[0] == '\0';
}

static void take_broken_frame(const uint8_t *data, size_t size, const char *fault,
                              struct journal_scan *scan)
{
    size_t written = size;

    while (written > scan->end.size && data[written - 1] == 0) {
        written--;
    }
    if (scan->records > 0 && is_torn(data, size, &scan->end, written)) {
        scan->torn_bytes = (uint32_t)(written - scan->end.size);
    } else {
        blame_record(scan, fault);
    }
}

/* False when there is no next record; the scan says why. */
static bool scan_record(const uint8_t *data, size_t size, journal_visit_fn *visit, void *context,
                        struct journal_scan *scan)
{
    struct journal_end *end = &scan->end;
    struct record_times times = end->times;
    struct record record;
    struct frame frame;
    const char *fault = read_frame(data, size, (size_t)end->size, &end->header, &frame);

    if (fault) {
        take_broken_frame(data, size, fault, scan);
        return false;
    }
    if (record_read(frame.record, frame.record_size, &times, &record)) {
        blame_record(scan, "it cannot be understood");
        return false;
    }
    if ((record.input.kind == INPUT_NEW_GAME) != (scan->records == 0)) {
        blame_record(scan, "a game begins with new-game, and with nothing else");
        return false;
    }
    scan->stopped = visit ? visit(context, &record) : 0;
    if (scan->stopped) {
        blame_record(scan, "it does not fit the game before it");
        return false;
    }
    if (scan->records == 0) {
        memcpy(scan->game, record.game, sizeof scan->game);
    }
    scan->records++;
    scan->last_size = frame.size;
    end->times = times;
    end->size += frame.size;
    return true;
}

void journal_file_scan(const uint8_t *data, size_t size, journal_visit_fn *visit, void *context,
                       struct journal_scan *scan)
{
    *scan = (struct journal_scan){0};
    if (!header_is_ours(data, size, scan)) {
        return;
    }
    scan->end.size = JOURNAL_HEADER_SIZE;
    while (scan_record(data, size, visit, context, scan)) {
    }
}
