/*
 * A journal file as text: a header line, then one line a record. Works on memory alone.
 *
 *   shipahoy-journal 2 rules=2 number=7 game=20261116-204501-3f9a #89abcdef
 *   2026-11-16T20:45:01.123Z 5000000 new-game rules=basic … ; id=a1 hash=0badcafe #01234567
 *   2026-11-16T20:45:09.004Z 12881000 aim piece=red-1 ; hash=600dcafe #76543210
 *
 * The header has the format of the file, the version of the rules that the game is played by, the
 * number of the game on this table (one more than that of the game before) and its id; its first
 * word and its checksum are the same in every format. For records see record.h.
 *
 * A line ends with its checksum, a CRC-32C. That of a record goes on from the header's and from the
 * record's place in the file, so that no record of another game, or from another place in this one,
 * is ever taken for good.
 *
 * After the last record there may be a line of blanks up to the next full block. It is written
 * together with the first record in a block; the others then change neither the length of the file
 * nor where it lies, which spares the file system a commit of its own journal for each of them.
 */
#ifndef DAEMON_JOURNAL_FILE_H
#define DAEMON_JOURNAL_FILE_H

#include "journal/journal.h"
#include "record.h"

#include <stddef.h>
#include <stdint.h>

enum {
    JOURNAL_FORMAT = 2,
    JOURNAL_SUM_SIZE = 11, /* ` #`, eight digits and the end of the line */
    JOURNAL_HEADER_SIZE_MAX = 128,
    JOURNAL_LINE_SIZE_MAX = RECORD_SIZE_MAX + JOURNAL_SUM_SIZE,
    JOURNAL_FIRST_LINE_SIZE_MAX = FIRST_RECORD_SIZE_MAX + JOURNAL_SUM_SIZE,
    JOURNAL_BLOCK_SIZE = 16384,
};

struct journal_header {
    uint32_t format;
    uint32_t rules;
    uint32_t number;
    char game[GAME_ID_SIZE];
    uint32_t sum;
    size_t size; /* with the end of the line */
};

/* Where a file ends, so that the next record can be added. */
struct journal_end {
    struct journal_header header;
    uint64_t size;
};

/* A record as it is written: its line with checksum and end. */
struct journal_line {
    char text[JOURNAL_FIRST_LINE_SIZE_MAX];
    size_t size;
};

/* A file as far as it was read. */
struct journal_scan {
    struct journal_end end; /* after the last good record */
    size_t last_size;       /* of that record's line */
    uint32_t records;
    uint32_t torn_bytes;                /* of a record that was never finished, after end */
    char problem[JOURNAL_PROBLEM_SIZE]; /* "" or what is wrong and where */
    int stopped;                        /* what visit returned when it stopped, else 0 */
};

/* Begins an empty file: writes its header and says where it ends. The id must be a file name. */
void journal_file_begin(uint32_t number, const char *game, char text[JOURNAL_HEADER_SIZE_MAX],
                        struct journal_end *end);

/* The header, of whatever format. 0, or -EBADMSG if it is none or damaged. */
int journal_file_header(const uint8_t *data, size_t size, struct journal_header *header);

/* Fills text up with blanks, from length on, and ends the line. */
void journal_file_fill(char *text, size_t length, size_t size);

/* How long the file is when it is filled up to a full block. */
uint64_t journal_file_full_size(const struct journal_end *end);

/* Makes the line of the next record and moves end behind it. 0 or -EINVAL. */
int journal_file_line(const struct record *record, struct journal_end *end,
                      struct journal_line *line);

/* Puts checksum and end of line behind text, which is to be at offset. The size of it all. */
size_t journal_file_seal(const struct journal_header *header, uint64_t offset, char *text,
                         size_t length);

/* Reads whatever data is and visits the good records at its start; visit may be NULL. */
void journal_file_scan(const uint8_t *data, size_t size, journal_visit_fn *visit, void *context,
                       struct journal_scan *scan);

/* The same for a file that should be whole: 0, -EBADMSG if it is damaged, or what visit returned.
 */
int journal_file_visit(const uint8_t *data, size_t size, journal_visit_fn *visit, void *context);

#endif
