/*
 * Numbers and strings as bytes in memory of the caller: small numbers take few bytes.
 *
 * Neither a writer nor a reader ever passes its end. One that would have is failed, stays so, and
 * writes or reads nothing more (a failed reader gives zeros), so that one look at the end is
 * enough.
 */
#ifndef DAEMON_BYTES_H
#define DAEMON_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct writer {
    uint8_t *data;
    size_t size;
    size_t length;
    bool failed;
};

struct reader {
    const uint8_t *data;
    size_t size;
    size_t offset;
    bool failed;
};

void bytes_put_bytes(struct writer *writer, const void *data, size_t size);
void bytes_put_u8(struct writer *writer, uint8_t number);
void bytes_put_u16(struct writer *writer, uint16_t number);
void bytes_put_u32(struct writer *writer, uint32_t number);

/* Seven bits a byte, lowest first, the eighth set in all but the last. */
void bytes_put_varint(struct writer *writer, uint64_t number);

/* The same for numbers that are near 0 on either side. */
void bytes_put_signed(struct writer *writer, int64_t number);

/* Its length and its bytes; fails if there is no end within size. */
void bytes_put_string(struct writer *writer, const char *string, size_t size);

void bytes_get_bytes(struct reader *reader, void *data, size_t size);
uint8_t bytes_get_u8(struct reader *reader);
uint16_t bytes_get_u16(struct reader *reader);
uint32_t bytes_get_u32(struct reader *reader);
uint64_t bytes_get_varint(struct reader *reader);
int64_t bytes_get_signed(struct reader *reader);

/* Fails if it does not fit with its end in size, or if it has an end within. */
void bytes_get_string(struct reader *reader, char *string, size_t size);

#endif
