/* One table of the fields an input can have, and the order in which a record holds its parts. */
#include "record.h"

#include "bytes.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

enum {
    KIND_MASK = 0x1f,
    HAS_EVIDENCE = 0x20,
    HAS_ID = 0x40,
    ABANDONS = 0x80,
    US_A_MS = 1000,
};

static_assert(INPUT_COUNT - 1 <= KIND_MASK, "a kind must fit beside the flags");
static_assert(sizeof(enum piece) == sizeof(uint32_t), "a field is moved as 32 bits");

enum form { FORM_UNUSED, FORM_NUMBER, FORM_SIGNED, FORM_STRING };

/* A field in the input, and the values it may have: less than limit, 0: any. */
#define AT(member) offsetof(struct input, member)
static const struct {
    size_t offset;
    enum form form;
    uint32_t limit;
} fields[FIELD_COUNT] = {
    [FIELD_PIECE] = {AT(piece), FORM_NUMBER, PIECE_COUNT},
    [FIELD_ATTACKER] = {AT(piece), FORM_NUMBER, PIECE_COUNT},
    [FIELD_TARGET] = {AT(other), FORM_NUMBER, PIECE_COUNT},
    [FIELD_HARBOUR] = {AT(harbour), FORM_NUMBER, HARBOUR_COUNT},
    [FIELD_DIE] = {AT(value), FORM_NUMBER, 0},
    [FIELD_FACE] = {AT(value), FORM_NUMBER, FACE_COUNT},
    [FIELD_KNOTS] = {AT(knots_milli), FORM_SIGNED, 0},
    [FIELD_PIECES] = {AT(pieces), FORM_NUMBER, UINT32_C(1) << PIECE_COUNT},
    [FIELD_SPEED] = {AT(speed_mmps), FORM_NUMBER, 0},
    [FIELD_SENSOR] = {AT(sensor), FORM_STRING, 0},
    [FIELD_HEALTH] = {AT(health), FORM_NUMBER, HEALTH_COUNT},
};

static bool may_be_recorded(enum input_kind kind)
{
    enum source source = rules_input_source(kind);

    return source != SOURCE_NONE && source != SOURCE_QUESTION;
}

static bool has_field(enum input_kind kind, unsigned field)
{
    return rules_input_fields(kind) & (UINT32_C(1) << field);
}

static bool is_too_great(unsigned field, uint64_t number)
{
    return number > UINT32_MAX || (fields[field].limit && number >= fields[field].limit);
}

/*
 * What the wall clock would say if both clocks ran alike, so that only their difference is written.
 * Times come from files too, so everything wraps and nothing overflows.
 */
static uint64_t expected_wall_ms(const struct record_times *before, uint64_t at_us)
{
    int64_t passed_us = (int64_t)(at_us - before->at_us);

    return (uint64_t)before->wall_ms + (uint64_t)(passed_us / US_A_MS);
}

/*
 * Out
 */

static void put_times(struct writer *writer, const struct record *record,
                      struct record_times *times)
{
    uint64_t expected_ms = expected_wall_ms(times, record->input.at_us);

    bytes_put_signed(writer, (int64_t)(record->input.at_us - times->at_us));
    bytes_put_signed(writer, (int64_t)((uint64_t)record->wall_ms - expected_ms));
    *times = (struct record_times){record->input.at_us, record->wall_ms};
}

static void put_field(struct writer *writer, const struct input *input, unsigned field)
{
    const char *member = (const char *)input + fields[field].offset;
    uint32_t number;

    if (fields[field].form == FORM_STRING) {
        bytes_put_string(writer, member, sizeof input->sensor);
        return;
    }
    memcpy(&number, member, sizeof number);
    writer->failed |= fields[field].form == FORM_UNUSED;
    if (fields[field].form == FORM_SIGNED) {
        bytes_put_signed(writer, (int32_t)number);
    } else {
        writer->failed |= is_too_great(field, number);
        bytes_put_varint(writer, number);
    }
}

static void put_evidence(struct writer *writer, const struct record *record)
{
    const struct evidence *evidence = &record->evidence;

    writer->failed |= evidence->sensor >= SENSOR_COUNT;
    bytes_put_varint(writer, evidence->sensor);
    bytes_put_signed(writer, (int64_t)(evidence->at_us - record->input.at_us));
    bytes_put_varint(writer, evidence->width_us);
    bytes_put_varint(writer, evidence->settle_us);
    bytes_put_varint(writer, evidence->bounces);
    bytes_put_varint(writer, evidence->beams);
}

static void put_setup(struct writer *writer, const struct setup *setup)
{
    const uint8_t *bytes = (const uint8_t *)setup;

    for (size_t i = 0; i < sizeof *setup;) {
        size_t zeros = 0;
        while (i + zeros < sizeof *setup && bytes[i + zeros] == 0) {
            zeros++;
        }
        if (zeros) {
            bytes_put_u8(writer, 0);
            bytes_put_varint(writer, zeros);
            i += zeros;
        } else {
            bytes_put_u8(writer, bytes[i++]);
        }
    }
}

int record_write(const struct record *record, struct record_times *times, uint8_t *data,
                 size_t size)
{
    struct writer writer = {.size = size};
    struct record_times moved_on = *times;
    enum input_kind kind = record->input.kind;
    bool has_evidence = record->evidence.sensor != SENSOR_NONE;
    bool has_id = record->id[0] != '\0';

    if (!may_be_recorded(kind)) {
        return -EINVAL;
    }
    writer.data = data;
    bytes_put_u8(&writer,
                 (uint8_t)((uint8_t)kind | (has_evidence ? HAS_EVIDENCE : 0) |
                           (has_id ? HAS_ID : 0) | (record->input.abandon ? ABANDONS : 0)));
    put_times(&writer, record, &moved_on);
    bytes_put_u32(&writer, record->hash);
    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        if (has_field(kind, field)) {
            put_field(&writer, &record->input, field);
        }
    }
    if (has_evidence) {
        put_evidence(&writer, record);
    }
    if (has_id) {
        bytes_put_string(&writer, record->id, sizeof record->id);
    }
    if (kind == INPUT_NEW_GAME) {
        bytes_put_string(&writer, record->game, sizeof record->game);
        put_setup(&writer, &record->setup);
    }
    if (writer.failed) {
        return -EINVAL;
    }
    *times = moved_on;
    return (int)writer.length;
}

/*
 * In
 */

static void get_times(struct reader *reader, struct record *record, struct record_times *times)
{
    record->input.at_us = times->at_us + (uint64_t)bytes_get_signed(reader);
    uint64_t expected_ms = expected_wall_ms(times, record->input.at_us);
    record->wall_ms = (int64_t)(expected_ms + (uint64_t)bytes_get_signed(reader));
    *times = (struct record_times){record->input.at_us, record->wall_ms};
}

static void get_field(struct reader *reader, struct input *input, unsigned field)
{
    char *member = (char *)input + fields[field].offset;
    uint32_t number;

    if (fields[field].form == FORM_STRING) {
        bytes_get_string(reader, member, sizeof input->sensor);
        return;
    }
    if (fields[field].form == FORM_SIGNED) {
        int64_t wide = bytes_get_signed(reader);
        reader->failed |= wide < INT32_MIN || wide > INT32_MAX;
        number = (uint32_t)(uint64_t)wide;
    } else {
        uint64_t wide = bytes_get_varint(reader);
        reader->failed |= is_too_great(field, wide);
        number = (uint32_t)wide;
    }
    memcpy(member, &number, sizeof number);
}

static uint32_t get_number(struct reader *reader, uint32_t max)
{
    uint64_t number = bytes_get_varint(reader);

    reader->failed |= number > max;
    return (uint32_t)number;
}

static void get_evidence(struct reader *reader, struct record *record)
{
    struct evidence *evidence = &record->evidence;

    evidence->sensor = (uint16_t)get_number(reader, SENSOR_COUNT - 1);
    reader->failed |= evidence->sensor == SENSOR_NONE;
    evidence->at_us = record->input.at_us + (uint64_t)bytes_get_signed(reader);
    evidence->width_us = get_number(reader, UINT32_MAX);
    evidence->settle_us = get_number(reader, UINT32_MAX);
    evidence->bounces = get_number(reader, UINT32_MAX);
    evidence->beams = (uint8_t)get_number(reader, EVIDENCE_BEAMS_MAX);
}

static void get_setup(struct reader *reader, struct setup *setup)
{
    uint8_t *bytes = (uint8_t *)setup;

    for (size_t i = 0; i < sizeof *setup && !reader->failed;) {
        bytes[i] = bytes_get_u8(reader);
        if (bytes[i] != 0) {
            i++;
            continue;
        }
        uint64_t zeros = bytes_get_varint(reader);
        if (zeros == 0 || zeros > sizeof *setup - i) {
            reader->failed = true;
            return;
        }
        memset(bytes + i, 0, (size_t)zeros);
        i += (size_t)zeros;
    }
}

int record_read(const uint8_t *data, size_t size, struct record_times *times, struct record *record)
{
    struct reader reader = {.data = data, .size = size};
    struct record_times moved_on = *times;
    struct record read = {0};
    unsigned flags = bytes_get_u8(&reader);

    read.input.kind = (enum input_kind)(flags & KIND_MASK);
    read.input.abandon = flags & ABANDONS;
    if (!may_be_recorded(read.input.kind)) {
        return -EBADMSG;
    }
    get_times(&reader, &read, &moved_on);
    read.hash = bytes_get_u32(&reader);
    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        if (has_field(read.input.kind, field)) {
            get_field(&reader, &read.input, field);
        }
    }
    if (flags & HAS_EVIDENCE) {
        get_evidence(&reader, &read);
    }
    if (flags & HAS_ID) {
        bytes_get_string(&reader, read.id, sizeof read.id);
    }
    if (read.input.kind == INPUT_NEW_GAME) {
        bytes_get_string(&reader, read.game, sizeof read.game);
        get_setup(&reader, &read.setup);
    }
    if (reader.failed || reader.offset != size) {
        return -EBADMSG;
    }
    *times = moved_on;
    *record = read;
    return 0;
}
