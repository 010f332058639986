/*
 * A journal file as bytes: a header, then one frame a record. Works on memory alone.
 *
 * The header has 20 bytes, numbers lowest byte first, and keeps this meaning in every format:
 *   8  magic "shipahoy"
 *   2  format of what follows
 *   2  version of the rules the game is played by
 *   4  number of the game on this table, one more than that of the game before
 *   4  CRC-32C of these 16 bytes
 * A frame is the length of its record (varint), the record, and four bytes of CRC-32C over both.
 * That sum goes on from the header's and from the frame's place in the file, so that no frame of
 * another game, or from another place in this one, is ever taken for good.
 *
 * After the last frame there may be zeros up to the next full block. They are written together with
 * the first record in a block; the others then change neither the length of the file nor where it
 * lies, which spares the file system a commit of its own journal for each of them.
 */
#ifndef DAEMON_JOURNAL_FILE_H
#define DAEMON_JOURNAL_FILE_H

#include "journal/journal.h"
#include "record.h"

#include <stddef.h>
#include <stdint.h>

enum {
    JOURNAL_FORMAT = 1,
    JOURNAL_HEADER_SIZE = 20,
    JOURNAL_FRAME_SIZE_MAX = RECORD_SIZE_MAX + 6,
    JOURNAL_BLOCK_SIZE = 4096,
};

struct journal_header {
    uint16_t format;
    uint16_t rules;
    uint32_t number;
    uint32_t sum;
};

/* Where a file ends, so that the next frame can be made. */
struct journal_end {
    struct journal_header header;
    struct record_times times;
    uint64_t size;
};

/* A record as it is written. */
struct journal_frame {
    uint8_t data[JOURNAL_FRAME_SIZE_MAX];
    size_t size;
};

/* A file as far as it was read. */
struct journal_scan {
    struct journal_end end; /* after the last good record */
    size_t last_size;       /* of that record's frame */
    uint32_t records;
    char game[GAME_ID_SIZE];            /* "" if not even the first record is good */
    uint32_t torn_bytes;                /* of a record that was never finished, after end */
    char problem[JOURNAL_PROBLEM_SIZE]; /* "" or what is wrong and where */
    int stopped;                        /* what visit returned when it stopped, else 0 */
};

/* Begins an empty file: writes its header and says where it ends. */
void journal_file_begin(uint32_t number, uint8_t header[JOURNAL_HEADER_SIZE],
                        struct journal_end *end);

/* The header, of whatever format. 0, or -EBADMSG if it is none or damaged. */
int journal_file_header(const uint8_t *data, size_t size, struct journal_header *header);

/* How long the file is when it is filled up to a full block. */
uint64_t journal_file_full_size(const struct journal_end *end);

/* Makes the frame of the next record and moves end behind it. 0 or -EINVAL. */
int journal_file_frame(const struct record *record, struct journal_end *end,
                       struct journal_frame *frame);

/* The checksum of a frame at offset whose length and record are data. */
uint32_t journal_file_sum(const struct journal_header *header, uint64_t offset, const uint8_t *data,
                          size_t size);

/* Reads whatever data is and visits the good records at its start; visit may be NULL. */
void journal_file_scan(const uint8_t *data, size_t size, journal_visit_fn *visit, void *context,
                       struct journal_scan *scan);

#endif
