/* Records as text, and their lines in a file with place and checksum. */
#include "file.h"

#include "common/crc32c.h"
#include "common/utc.h"
#include "hw/sensor.h"
#include "rules/fields.h"
#include "rules/line.h"
#include "rules/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLACE_SIZE = 8, BITS_A_BYTE = 8, BYTE_MASK = 0xff };
enum { MS_A_SECOND = 1000, DECIMAL = 10, HEX = 16 };
enum { HEX_DIGITS = 8 }; /* of hashes and checksums */

static const char hex_digits[] = "0123456789abcdef";

static void write_hex(uint32_t number, char digits[HEX_DIGITS])
{
    for (unsigned i = HEX_DIGITS; i-- > 0; number >>= 4) {
        digits[i] = hex_digits[number & 15];
    }
}

/* The years that have four digits. */
#define WALL_MS_END INT64_C(253402300800000)

/*
 * Names of sensors in records
 */

static struct sensor_names names;
static pthread_once_t names_are_set = PTHREAD_ONCE_INIT;

static void set_names(void)
{
    struct button_names buttons = {.count = BUTTONS_MAX};

    for (unsigned i = 0; i < BUTTONS_MAX; i++) {
        snprintf(buttons.name[i], sizeof buttons.name[i], "%u", i + 1);
    }
    sensor_names_init(&names, &buttons);
}

static const struct sensor_names *sensors(void)
{
    pthread_once(&names_are_set, set_names);
    return &names;
}

/*
 * Writing records
 */

struct line {
    struct text text;
    bool failed; /* it cannot be read again */
};

static void put(struct line *line, const char *text)
{
    text_add(&line->text, text);
}

/* ` key=` */
static void put_key(struct line *line, const char *key)
{
    put(line, " ");
    put(line, key);
    put(line, "=");
}

static void put_number(struct line *line, uint64_t number)
{
    text_add_unsigned(&line->text, number);
}

static void put_hash(struct line *line, uint32_t hash)
{
    char digits[HEX_DIGITS];

    write_hex(hash, digits);
    text_add_some(&line->text, digits, sizeof digits);
}

/* Plain text as it is; separators of the line, and what no terminal shows, as %XX. */
static void put_text(struct line *line, const char *text, size_t size)
{
    bool is_plain = strnlen(text, size) < size && text_is_plain(text);

    line->failed |= strnlen(text, size) == size;
    for (; !line->failed && *text; text++) {
        unsigned char byte = (unsigned char)*text;
        bool is_readable = byte < 0x80 ? isgraph(byte) && !strchr("%:;#=+", byte) : is_plain;
        char escape[] = {'%', hex_digits[byte >> 4], hex_digits[byte & 15]};
        text_add_some(&line->text, is_readable ? text : escape, is_readable ? 1 : sizeof escape);
    }
}

static void put_time(struct line *line, int64_t wall_ms)
{
    line->failed |= wall_ms < 0 || wall_ms >= WALL_MS_END;
    if (!line->failed) {
        char text[UTC_SIZE];
        utc_write(wall_ms, text);
        put(line, text);
    }
}

/* Faces that are not used follow after a slash, because the hash covers them, too. */
static void put_die(struct line *line, const char *key, const uint8_t die[DIE_FACES_MAX],
                    unsigned faces, bool is_combat)
{
    unsigned count = DIE_FACES_MAX;

    while (count > 0 && !die[count - 1]) {
        count--;
    }
    line->failed |= faces > count;
    put_key(line, key);
    for (unsigned i = 0; !line->failed && i < count; i++) {
        put(line, i == faces ? "/" : i ? "," : "");
        if (is_combat) {
            put(line, rules_face_name((enum face)die[i]));
        } else {
            put_number(line, die[i]);
        }
    }
}

static void put_barrels(struct line *line, const uint8_t barrels[HARBOUR_COUNT])
{
    const char *before = " barrels=";

    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (barrels[harbour]) {
            put(line, before);
            put(line, rules_harbour_name((enum harbour)harbour));
            put(line, ":");
            put(line, rules_harbour_name((enum harbour)barrels[harbour]));
            before = ",";
        }
    }
}

/* Seats without a player are written, too, because the hash covers them. */
static void put_seat(struct line *line, unsigned player, const struct seat *seat)
{
    const char *before = "";

    if (!seat->name[0] && !seat->harbours && !seat->team) {
        return;
    }
    put(line, " player");
    put_number(line, player);
    put(line, "=");
    put_text(line, seat->name, sizeof seat->name);
    put(line, ":");
    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (seat->harbours & (1U << harbour)) {
            put(line, before);
            put(line, rules_harbour_name((enum harbour)harbour));
            before = "+";
        }
    }
    put(line, ":");
    put_number(line, seat->team);
}

static void put_word(struct line *line, const char *key, const char *word)
{
    put_key(line, key);
    put(line, word);
}

static void put_value(struct line *line, const char *key, uint64_t number)
{
    put_key(line, key);
    put_number(line, number);
}

static void put_points(struct line *line, const struct house *house)
{
    const uint8_t points[] = {house->tower_points, house->pirate_points, house->chest_points,
                              house->barrel_points};

    put_value(line, "points", house->ship_points);
    for (size_t i = 0; i < sizeof points; i++) {
        put(line, ",");
        put_number(line, points[i]);
    }
}

static void put_setup(struct line *line, const struct setup *setup)
{
    const struct house *house = &setup->house;

    put_word(line, "rules", rules_variant_name((enum variant)setup->variant));
    put_word(line, "scenario", rules_scenario_name((enum scenario_id)setup->scenario));
    put_value(line, "teams", setup->teams);
    put_word(line, "dice", rules_dice_name((enum dice)setup->dice));
    put_value(line, "players", setup->players);
    put_value(line, "first", setup->first);
    put_value(line, "window_ms", setup->shot_window_ms);
    put_value(line, "tolerance_milli", setup->rope_tolerance_milli);
    put_points(line, house);
    put_value(line, "lives", house->monster_lives);
    put_value(line, "wind", house->wind_bonus);
    put_value(line, "kraken", house->kraken_knots);
    put_die(line, "move_die", house->move_die, house->move_faces, false);
    put_die(line, "combat_die", house->combat_die, house->combat_faces, true);
    put_barrels(line, setup->barrels);
    for (unsigned player = 1; player < PLAYER_COUNT; player++) {
        put_seat(line, player, &setup->seats[player]);
    }
}

static void put_input(struct line *line, const struct record *record)
{
    char text[LINE_SIZE];
    enum source source = rules_input_source(record->input.kind);

    if (source == SOURCE_NONE) {
        line->failed = true;
        return;
    }
    if (record->input.kind == INPUT_NEW_GAME) {
        put(line, record->input.abandon ? "new-game abandon" : "new-game");
        put_setup(line, &record->setup);
        return;
    }
    line->failed |= !input_can_be_written(&record->input) ||
                    line_write_input(&record->input, text, sizeof text) >= sizeof text;
    put(line, text);
}

static void put_measured(struct line *line, const char *key, uint64_t number)
{
    if (number) {
        put_value(line, key, number);
    }
}

static void put_evidence(struct line *line, const struct evidence *evidence)
{
    if (evidence->sensor == SENSOR_NONE) {
        return;
    }
    line->failed |= evidence->sensor >= SENSOR_COUNT || !sensors()->name[evidence->sensor][0] ||
                    evidence->beams > EVIDENCE_BEAMS_MAX;
    put_word(line, "by", sensor_name(sensors(), evidence->sensor));
    put_measured(line, "at_us", evidence->at_us);
    put_measured(line, "width_us", evidence->width_us);
    put_measured(line, "settle_us", evidence->settle_us);
    put_measured(line, "bounces", evidence->bounces);
    put_measured(line, "beams", evidence->beams);
    if (evidence->is_radio) {
        put_value(line, "late_ms", evidence->late_ms);
    }
}

/* The length, or -EINVAL. */
static int compose(const struct record *record, char text[FIRST_RECORD_SIZE_MAX])
{
    bool is_first = record->input.kind == INPUT_NEW_GAME;
    size_t size = is_first ? FIRST_RECORD_SIZE_MAX : RECORD_SIZE_MAX;
    struct line line = {.text = text_begin(text, size)};

    put_time(&line, record->wall_ms);
    put(&line, " ");
    put_number(&line, record->input.at_us);
    put(&line, " ");
    put_input(&line, record);
    put(&line, " ;");
    put_evidence(&line, &record->evidence);
    if (record->id[0]) {
        put_key(&line, "id");
        put_text(&line, record->id, sizeof record->id);
    }
    put_key(&line, "hash");
    put_hash(&line, record->hash);
    return line.failed || line.text.length >= size ? -EINVAL : (int)line.text.length;
}

/*
 * Reading records. It need not be strict: what was read is written again and compared.
 */

struct reading {
    struct record record;
    bool failed;
};

static uint64_t read_number(struct reading *reading, const char *text, uint64_t max)
{
    char *end;

    errno = 0;
    uint64_t number = strtoull(text, &end, DECIMAL);
    reading->failed |= errno || end == text || *end || number > max;
    return number;
}

/* Cuts the text at the first such character and returns what follows it, or "". */
static char *cut(char *text, char at)
{
    char *found = strchr(text, at);

    if (!found) {
        return text + strlen(text);
    }
    *found = '\0';
    return found + 1;
}

static void read_text(struct reading *reading, const char *text, char *value, size_t size)
{
    size_t length = 0;

    for (; *text && length + 1 < size; length++) {
        if (*text == '%' && isxdigit((unsigned char)text[1]) && isxdigit((unsigned char)text[2])) {
            const char digits[] = {text[1], text[2], '\0'};
            value[length] = (char)strtoul(digits, NULL, HEX);
            text += 3;
        } else {
            value[length] = *text++;
        }
    }
    value[length] = '\0';
    reading->failed |= *text != '\0';
}

static void read_time(struct reading *reading, char *text)
{
    struct tm utc = {0};
    char *fraction = cut(text, '.');

    if (!strptime(text, "%Y-%m-%dT%H:%M:%S", &utc)) {
        reading->failed = true;
        return;
    }
    (void)cut(fraction, 'Z');
    reading->record.wall_ms = (int64_t)timegm(&utc) * MS_A_SECOND +
                              (int64_t)read_number(reading, fraction, MS_A_SECOND - 1);
}

static uint8_t read_byte(struct reading *reading, const char *text)
{
    return (uint8_t)read_number(reading, text, UINT8_MAX);
}

static void read_points(struct reading *reading, char *text)
{
    struct house *house = &reading->record.setup.house;
    uint8_t *const points[] = {&house->ship_points, &house->tower_points, &house->pirate_points,
                               &house->chest_points, &house->barrel_points};

    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        char *rest = cut(text, ',');
        *points[i] = read_byte(reading, text);
        text = rest;
    }
}

/* Adds faces to the first count; returns how many there are then. */
static uint8_t read_faces(struct reading *reading, char *text, uint8_t die[DIE_FACES_MAX],
                          uint8_t count, bool is_combat)
{
    while (*text && count < DIE_FACES_MAX) {
        char *rest = cut(text, ',');
        die[count++] = is_combat ? (uint8_t)rules_face_named(text) : read_byte(reading, text);
        text = rest;
    }
    return count;
}

/* Returns how many faces are used. */
static uint8_t read_die(struct reading *reading, char *text, uint8_t die[DIE_FACES_MAX],
                        bool is_combat)
{
    char *spare = cut(text, '/');
    uint8_t count = read_faces(reading, text, die, 0, is_combat);

    read_faces(reading, spare, die, count, is_combat);
    return count;
}

static void read_barrels(struct reading *reading, char *text)
{
    while (*text) {
        char *rest = cut(text, ',');
        const char *to = cut(text, ':');
        reading->record.setup.barrels[rules_harbour_named(text)] = (uint8_t)rules_harbour_named(to);
        text = rest;
    }
}

static void read_seat(struct reading *reading, struct seat *seat, char *text)
{
    char *harbours = cut(text, ':');
    const char *team = cut(harbours, ':');

    read_text(reading, text, seat->name, sizeof seat->name);
    while (*harbours) {
        char *rest = cut(harbours, '+');
        seat->harbours |= (uint8_t)(1U << rules_harbour_named(harbours));
        harbours = rest;
    }
    seat->team = read_byte(reading, team);
}

static void read_house_word(struct reading *reading, const char *key, char *value)
{
    struct house *house = &reading->record.setup.house;

    if (strcmp(key, "points") == 0) {
        read_points(reading, value);
    } else if (strcmp(key, "lives") == 0) {
        house->monster_lives = read_byte(reading, value);
    } else if (strcmp(key, "wind") == 0) {
        house->wind_bonus = read_byte(reading, value);
    } else if (strcmp(key, "kraken") == 0) {
        house->kraken_knots = read_byte(reading, value);
    } else if (strcmp(key, "move_die") == 0) {
        house->move_faces = read_die(reading, value, house->move_die, false);
    } else if (strcmp(key, "combat_die") == 0) {
        house->combat_faces = read_die(reading, value, house->combat_die, true);
    } else {
        reading->failed = true;
    }
}

static void read_setup_word(struct reading *reading, const char *key, char *value)
{
    struct setup *setup = &reading->record.setup;
    bool is_seat = strncmp(key, "player", 6) == 0 && key[6] >= '1' && key[6] < '0' + PLAYER_COUNT;

    if (strcmp(key, "abandon") == 0) {
        reading->record.input.abandon = true;
    } else if (strcmp(key, "rules") == 0) {
        setup->variant = (uint8_t)rules_variant_named(value);
    } else if (strcmp(key, "scenario") == 0) {
        setup->scenario = (uint8_t)rules_scenario_named(value);
    } else if (strcmp(key, "teams") == 0) {
        setup->teams = read_byte(reading, value);
    } else if (strcmp(key, "dice") == 0) {
        setup->dice = (uint8_t)rules_dice_named(value);
    } else if (strcmp(key, "players") == 0) {
        setup->players = read_byte(reading, value);
    } else if (strcmp(key, "first") == 0) {
        setup->first = read_byte(reading, value);
    } else if (strcmp(key, "window_ms") == 0) {
        setup->shot_window_ms = (uint32_t)read_number(reading, value, UINT32_MAX);
    } else if (strcmp(key, "tolerance_milli") == 0) {
        setup->rope_tolerance_milli = (uint16_t)read_number(reading, value, UINT16_MAX);
    } else if (strcmp(key, "barrels") == 0) {
        read_barrels(reading, value);
    } else if (is_seat) {
        read_seat(reading, &setup->seats[key[6] - '0'], value);
    } else {
        read_house_word(reading, key, value);
    }
}

static void read_input(struct reading *reading, char *text)
{
    static const char new_game[] = "new-game";
    struct record *record = &reading->record;
    uint64_t at_us = record->input.at_us;
    char *rest;

    if (strncmp(text, new_game, strlen(new_game)) != 0) {
        reading->failed |= line_read_input(text, &record->input) != 0;
        record->input.at_us = at_us;
        return;
    }
    record->input.kind = INPUT_NEW_GAME;
    strtok_r(text, " ", &rest);
    for (char *word = strtok_r(NULL, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = cut(word, '=');
        read_setup_word(reading, word, value);
    }
}

static void read_other_word(struct reading *reading, const char *key, const char *value)
{
    struct record *record = &reading->record;
    struct evidence *evidence = &record->evidence;
    char *end;

    if (strcmp(key, "by") == 0) {
        evidence->sensor = (uint16_t)sensor_named(sensors(), value);
    } else if (strcmp(key, "at_us") == 0) {
        evidence->at_us = read_number(reading, value, UINT64_MAX);
    } else if (strcmp(key, "width_us") == 0) {
        evidence->width_us = (uint32_t)read_number(reading, value, UINT32_MAX);
    } else if (strcmp(key, "settle_us") == 0) {
        evidence->settle_us = (uint32_t)read_number(reading, value, UINT32_MAX);
    } else if (strcmp(key, "bounces") == 0) {
        evidence->bounces = (uint32_t)read_number(reading, value, UINT32_MAX);
    } else if (strcmp(key, "beams") == 0) {
        evidence->beams = (uint8_t)read_number(reading, value, EVIDENCE_BEAMS_MAX);
    } else if (strcmp(key, "late_ms") == 0) {
        evidence->is_radio = true;
        evidence->late_ms = (uint32_t)read_number(reading, value, UINT32_MAX);
    } else if (strcmp(key, "id") == 0) {
        read_text(reading, value, record->id, sizeof record->id);
    } else if (strcmp(key, "hash") == 0) {
        record->hash = (uint32_t)strtoul(value, &end, HEX);
    } else {
        reading->failed = true;
    }
}

static bool parse(const char *line, struct record *record)
{
    char copy[FIRST_RECORD_SIZE_MAX];
    struct reading reading = {.failed = strlen(line) >= sizeof copy};
    char *rest;

    if (reading.failed) {
        return false;
    }
    memcpy(copy, line, strlen(line) + 1);
    char *others = strstr(copy, " ;");
    if (!others) {
        return false;
    }
    *others = '\0';
    char *at = cut(copy, ' ');
    char *input = cut(at, ' ');
    read_time(&reading, copy);
    reading.record.input.at_us = read_number(&reading, at, UINT64_MAX);
    read_input(&reading, input);
    for (char *word = strtok_r(others + 2, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        const char *value = cut(word, '=');
        read_other_word(&reading, word, value);
    }
    *record = reading.record;
    return !reading.failed;
}

int record_write(const struct record *record, char line[FIRST_RECORD_SIZE_MAX])
{
    struct record again;
    int length = compose(record, line);

    if (length < 0 || record->input.kind != INPUT_NEW_GAME) {
        return length;
    }
    /* A setup may have values that cannot be written, or unused bytes that the hash covers. */
    if (!parse(line, &again) || memcmp(&again.setup, &record->setup, sizeof again.setup) != 0) {
        return -EINVAL;
    }
    return length;
}

int record_read(const char *line, struct record *record)
{
    char again[FIRST_RECORD_SIZE_MAX];
    struct record read;

    if (!parse(line, &read) || compose(&read, again) < 0 || strcmp(line, again) != 0) {
        return -EBADMSG;
    }
    *record = read;
    return 0;
}

/*
 * Lines of a file
 */

uint32_t journal_file_sum(const struct journal_header *header, uint64_t offset, const char *text,
                          size_t length)
{
    uint8_t place[PLACE_SIZE];

    for (unsigned i = 0; i < PLACE_SIZE; i++) {
        place[i] = (uint8_t)(offset >> (BITS_A_BYTE * i) & BYTE_MASK);
    }
    return crc32c(crc32c(header->sum, place, sizeof place), text, length);
}

size_t journal_file_end_line(char *text, size_t length, uint32_t sum)
{
    char *end = text + length;

    *end++ = ' ';
    *end++ = '#';
    write_hex(sum, end);
    end[HEX_DIGITS] = '\n';
    return length + JOURNAL_SUM_SIZE;
}

size_t journal_file_seal(const struct journal_header *header, uint64_t offset, char *text,
                         size_t length)
{
    return journal_file_end_line(text, length, journal_file_sum(header, offset, text, length));
}

void journal_file_fill(char *text, size_t length, size_t size)
{
    if (length < size) {
        memset(text + length, ' ', size - length);
        text[size - 1] = '\n';
    }
}

uint64_t journal_file_full_size(const struct journal_end *end)
{
    return (end->size + JOURNAL_BLOCK_SIZE - 1) / JOURNAL_BLOCK_SIZE * JOURNAL_BLOCK_SIZE;
}

int journal_file_line(const struct record *record, struct journal_end *end, char *text)
{
    int length = record_write(record, text);

    if (length < 0) {
        return length;
    }
    end->size += journal_file_seal(&end->header, end->size, text, (size_t)length);
    return 0;
}
