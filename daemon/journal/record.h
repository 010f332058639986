/*
 * A record as bytes. Times are written as differences to the record before, fields only if an input
 * of that kind has them, and evidence and command ids only if there are any: a command takes about
 * sixteen bytes on the disk, since SD cards wear out.
 *
 * The bytes of a record:
 *   kind     one byte: enum input_kind, and three flags
 *   at       signed: input.at_us since the record before
 *   wall     signed: milliseconds that the wall clock ran ahead of that
 *   hash     four bytes
 *   fields   those of rules_input_fields, in the order of enum field: varints, knots signed, the
 *            name of a sensor as a string
 *   evidence sensor, at (signed, since input.at_us), width, settle, bounces, beams: varints
 *   id       a string
 *   game     new-game: the id as a string, then struct setup
 * A struct setup is copied byte by byte, as it is hashed, but a run of zeros as a 0 and its length.
 */
#ifndef DAEMON_JOURNAL_RECORD_H
#define DAEMON_JOURNAL_RECORD_H

#include "journal/journal.h"

#include <stddef.h>
#include <stdint.h>

/* No record is longer: a setup without two zeros in a row, and all else of the greatest length. */
enum { RECORD_SIZE_MAX = 640 };

/* The times of the record before; zeroed at the start of a file. */
struct record_times {
    uint64_t at_us;
    int64_t wall_ms;
};

/* The length, with times moved on to this record; or -EINVAL for what could not be read again. */
int record_write(const struct record *record, struct record_times *times, uint8_t *data,
                 size_t size);

/* 0, with times moved on to this record; or -EBADMSG and nothing written. Reads any bytes. */
int record_read(const uint8_t *data, size_t size, struct record_times *times,
                struct record *record);

#endif
