/*
 * A journal file as text: a header line, then one line a record. Works on memory alone.
 *
 *   shipahoy-journal 2 rules=3 number=7 game=20261116-204501-3f9a0c71 #89abcdef
 *   2026-11-16T20:45:01.123Z 5000000 new-game rules=basic … ; id=a1 hash=0badcafe #01234567
 *   2026-11-16T20:45:09.004Z 12881000 aim piece=red-1 ; hash=600dcafe #76543210
 *
 * The header has the format of the file, the version of the rules that the game is played by, the
 * number of the game on this table (one more than that of the game before) and its id; its first
 * word and its checksum are the same in every format.
 *
 * A record without its checksum:
 *
 *   TIME AT INPUT ; [by=SENSOR at_us=AT width_us=N settle_us=N bounces=N beams=N late_ms=N]
 *   [id=ID] hash=HASH
 *
 * TIME is UTC with milliseconds, AT the table's clock in microseconds, INPUT a line of
 * rules/line.h. Evidence and the id of a command are there if there are any, and of the evidence
 * only numbers other than 0; late_ms is there, also with 0, if a message over MQTT reported it.
 * Push buttons are called button.1 to button.16 here, in the order of the configuration. new-game
 * is followed by its setup:
 *
 *   new-game [abandon] rules=basic scenario=none teams=0 dice=table players=2 first=1
 *   window_ms=3000 tolerance_milli=200 points=1,2,1,3,2 lives=2 wind=1 kraken=3
 *   move_die=1,1,2,2,3,3 combat_die=flag,flag,flag,swords,swords,swords [barrels=red:blue,…]
 *   player1=Anna:red+blue:0 player2=Ben:green+yellow:0
 *
 * Blanks, control characters and the like in names and ids are written as %XX.
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

#include <stddef.h>
#include <stdint.h>

enum {
    JOURNAL_FORMAT = 2,
    JOURNAL_SUM_SIZE = 11, /* ` #`, eight digits and the end of the line */
    JOURNAL_HEADER_SIZE_MAX = 128,
    /* The longest records; only new-game, the first record of a file, is so long. */
    RECORD_SIZE_MAX = 480,
    FIRST_RECORD_SIZE_MAX = 4096,
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

/* A file as far as it was read. */
struct journal_scan {
    struct journal_end end; /* after the last good record */
    size_t last_size;       /* of that record's line */
    uint32_t records;
    uint32_t torn_bytes;                /* of a record that was never finished, after end */
    char problem[JOURNAL_PROBLEM_SIZE]; /* "" or what is wrong and where */
    int stopped;                        /* what visit returned when it stopped, else 0 */
};

/*
 * record.c: what is appended
 */

/* A record without its checksum: the length, or -EINVAL for what could not be read again. */
int record_write(const struct record *record, char line[FIRST_RECORD_SIZE_MAX]);

/*
 * 0, or -EBADMSG and nothing written. Accepts only what record_write writes. The id of a game is
 * not in its record, but in the header of the file.
 */
int record_read(const char *line, struct record *record);

/* Fills text up with blanks, from length on, and ends the line. */
void journal_file_fill(char *text, size_t length, size_t size);

/* How long the file is when it is filled up to a full block. */
uint64_t journal_file_full_size(const struct journal_end *end);

/*
 * Writes the line of the next record, of at most JOURNAL_LINE_SIZE_MAX bytes or, if it is the first
 * one, JOURNAL_FIRST_LINE_SIZE_MAX, and moves end behind it. 0 or -EINVAL.
 */
int journal_file_line(const struct record *record, struct journal_end *end, char *text);

/* Puts checksum and end of line behind text, which is to be at offset. The size of it all. */
size_t journal_file_seal(const struct journal_header *header, uint64_t offset, char *text,
                         size_t length);

/* The checksum of such a line, and the end of any line: a checksum. The size of it all. */
uint32_t journal_file_sum(const struct journal_header *header, uint64_t offset, const char *text,
                          size_t length);
size_t journal_file_end_line(char *text, size_t length, uint32_t sum);

/*
 * file.c: the file as a whole
 */

/* Begins an empty file: writes its header and says where it ends. The id must be a file name. */
void journal_file_begin(uint32_t number, const char *game, char text[JOURNAL_HEADER_SIZE_MAX],
                        struct journal_end *end);

/* The header, of whatever format. 0, or -EBADMSG if it is none or damaged. */
int journal_file_header(const uint8_t *data, size_t size, struct journal_header *header);

/* Reads whatever data is and visits the good records at its start; visit may be NULL. */
void journal_file_scan(const uint8_t *data, size_t size, journal_visit_fn *visit, void *context,
                       struct journal_scan *scan);

/* The same for a file that should be whole: 0, -EBADMSG if it is damaged, or what visit returned.
 */
int journal_file_visit(const uint8_t *data, size_t size, journal_visit_fn *visit, void *context);

#endif
