/* Varints, strings and their checksum. */
#include "bytes.h"

#include <string.h>

enum { VARINT_BITS = 7, VARINT_MORE = 0x80, VARINT_SHIFT_MAX = 63 };

void bytes_put_bytes(struct writer *writer, const void *data, size_t size)
{
    if (writer->failed || size > writer->size - writer->length) {
        writer->failed = true;
        return;
    }
    memcpy(writer->data + writer->length, data, size);
    writer->length += size;
}

void bytes_put_u8(struct writer *writer, uint8_t number)
{
    bytes_put_bytes(writer, &number, sizeof number);
}

void bytes_put_u16(struct writer *writer, uint16_t number)
{
    bytes_put_u8(writer, (uint8_t)(number & UINT8_MAX));
    bytes_put_u8(writer, (uint8_t)(number >> 8));
}

void bytes_put_u32(struct writer *writer, uint32_t number)
{
    bytes_put_u16(writer, (uint16_t)(number & UINT16_MAX));
    bytes_put_u16(writer, (uint16_t)(number >> 16));
}

void bytes_put_varint(struct writer *writer, uint64_t number)
{
    for (; number >= VARINT_MORE; number >>= VARINT_BITS) {
        bytes_put_u8(writer, (uint8_t)((number & (VARINT_MORE - 1)) | VARINT_MORE));
    }
    bytes_put_u8(writer, (uint8_t)number);
}

/* 0, -1, 1, -2 and so on become 0, 1, 2, 3. */
void bytes_put_signed(struct writer *writer, int64_t number)
{
    uint64_t twice = (uint64_t)number << 1;

    bytes_put_varint(writer, number < 0 ? ~twice : twice);
}

void bytes_put_string(struct writer *writer, const char *string, size_t size)
{
    size_t length = strnlen(string, size);

    if (length == size) {
        writer->failed = true;
        return;
    }
    bytes_put_varint(writer, length);
    bytes_put_bytes(writer, string, length);
}

void bytes_get_bytes(struct reader *reader, void *data, size_t size)
{
    if (reader->failed || size > reader->size - reader->offset) {
        reader->failed = true;
        memset(data, 0, size);
        return;
    }
    memcpy(data, reader->data + reader->offset, size);
    reader->offset += size;
}

uint8_t bytes_get_u8(struct reader *reader)
{
    uint8_t number;

    bytes_get_bytes(reader, &number, sizeof number);
    return number;
}

uint16_t bytes_get_u16(struct reader *reader)
{
    uint16_t low = bytes_get_u8(reader);

    return (uint16_t)(low | (uint16_t)(bytes_get_u8(reader) << 8));
}

uint32_t bytes_get_u32(struct reader *reader)
{
    uint32_t low = bytes_get_u16(reader);

    return low | (uint32_t)bytes_get_u16(reader) << 16;
}

uint64_t bytes_get_varint(struct reader *reader)
{
    uint64_t number = 0;

    for (unsigned shift = 0; shift <= VARINT_SHIFT_MAX; shift += VARINT_BITS) {
        uint8_t byte = bytes_get_u8(reader);
        uint64_t bits = byte & (VARINT_MORE - 1);
        if ((bits << shift) >> shift != bits) {
            break;
        }
        number |= bits << shift;
        if (!(byte & VARINT_MORE)) {
            return number;
        }
    }
    reader->failed = true;
    return 0;
}

int64_t bytes_get_signed(struct reader *reader)
{
    uint64_t number = bytes_get_varint(reader);

    return (int64_t)(number & 1 ? ~(number >> 1) : number >> 1);
}

void bytes_get_string(struct reader *reader, char *string, size_t size)
{
    uint64_t length = bytes_get_varint(reader);

    memset(string, 0, size);
    if (length >= size) {
        reader->failed = true;
        return;
    }
    bytes_get_bytes(reader, string, (size_t)length);
    if (strnlen(string, size) != length) {
        reader->failed = true;
    }
}

/* Four bits at a time: a table of 64 bytes, and a record has a few dozen bytes at most. */
