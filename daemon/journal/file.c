/* The header of a file, and what is wrong with one that is damaged or torn. */
#include "file.h"

#include "common/crc32c.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char magic[] = "shipahoy-journal ";
static const char binary_magic[] = "shipahoy\1"; /* what development versions wrote */

/*
 * The header
 */

static size_t write_header(const struct journal_header *header, char text[JOURNAL_HEADER_SIZE_MAX])
{
    int length = snprintf(text, JOURNAL_HEADER_SIZE_MAX,
                          "%s%" PRIu32 " rules=%" PRIu32 " number=%" PRIu32 " game=%s", magic,
                          header->format, header->rules, header->number, header->game);

    return (size_t)length;
}

void journal_file_begin(uint32_t number, const char *game, char text[JOURNAL_HEADER_SIZE_MAX],
                        struct journal_end *end)
{
    struct journal_header header = {
        .format = JOURNAL_FORMAT, .rules = JOURNAL_RULES_VERSION, .number = number};

    snprintf(header.game, sizeof header.game, "%s", game);
    size_t length = write_header(&header, text);
    header.sum = crc32c(0, text, length);
    header.size = journal_file_end_line(text, length, header.sum);
    *end = (struct journal_end){.header = header, .size = header.size};
}

/* The first line without its end if it has the words of a header and their checksum, else NULL. */
static const char *find_header(const uint8_t *data, size_t size, char line[JOURNAL_HEADER_SIZE_MAX],
                               struct journal_header *header)
{
    const uint8_t *end =
        memchr(data, '\n', size < JOURNAL_HEADER_SIZE_MAX ? size : JOURNAL_HEADER_SIZE_MAX);
    char sum[JOURNAL_SUM_SIZE];

    if (!end || end - data < JOURNAL_SUM_SIZE || memchr(data, '\0', (size_t)(end - data))) {
        return NULL;
    }
    header->size = (size_t)(end - data) + 1;
    size_t length = header->size - JOURNAL_SUM_SIZE;
    header->sum = crc32c(0, data, length);
    journal_file_end_line(sum, 0, header->sum);
    memcpy(line, data, length);
    line[length] = '\0';
    return memcmp(data + length, sum, JOURNAL_SUM_SIZE) == 0 ? line : NULL;
}

int journal_file_header(const uint8_t *data, size_t size, struct journal_header *header)
{
    char line[JOURNAL_HEADER_SIZE_MAX];
    struct journal_header read = {0};

    if (!find_header(data, size, line, &read) ||
        sscanf(line, "shipahoy-journal %" SCNu32, &read.format) != 1) {
        return -EBADMSG;
    }
    if (read.format == JOURNAL_FORMAT) {
        char again[JOURNAL_HEADER_SIZE_MAX];
        int words =
            sscanf(line, "shipahoy-journal %*u rules=%" SCNu32 " number=%" SCNu32 " game=%31s",
                   &read.rules, &read.number, read.game);
        write_header(&read, again);
        if (words != 3 || strcmp(line, again) != 0) {
            return -EBADMSG;
        }
    }
    *header = read;
    return 0;
}

/*
 * Reading files
 */

/* NULL and the size of the line at offset, or what is wrong with it. */
static const char *check_line(const uint8_t *data, size_t size, size_t offset,
                              const struct journal_header *header, size_t *line_size)
{
    size_t longest = offset == header->size ? JOURNAL_FIRST_LINE_SIZE_MAX : JOURNAL_LINE_SIZE_MAX;
    size_t left = size - offset;
    const uint8_t *line = data + offset;
    const uint8_t *end = memchr(line, '\n', left < longest ? left : longest);
    char sum[JOURNAL_SUM_SIZE];

    if (!end) {
        return left < longest ? "it is not complete" : "it is too long";
    }
    *line_size = (size_t)(end - line) + 1;
    if (*line_size < JOURNAL_SUM_SIZE || memchr(line, '\0', *line_size)) {
        return "it is not complete";
    }
    size_t length = *line_size - JOURNAL_SUM_SIZE;
    journal_file_end_line(sum, 0, journal_file_sum(header, offset, (const char *)line, length));
    return memcmp(line + length, sum, JOURNAL_SUM_SIZE) == 0 ? NULL : "its checksum does not match";
}

/*
 * A crash leaves at most one record that is not whole, and nothing after it: a record is appended
 * only behind one that is safe. So if a good line follows, or there is more than one record could
 * leave behind, then something else has happened to the file.
 */
static bool is_torn(const uint8_t *data, size_t size, const struct journal_end *end, size_t written)
{
    size_t line_size;

    if (written - end->size > JOURNAL_LINE_SIZE_MAX) {
        return false;
    }
    for (size_t later = (size_t)end->size + 1; later < written; later++) {
        if (!check_line(data, size, later, &end->header, &line_size)) {
            return false;
        }
    }
    return true;
}

static void blame_record(struct journal_scan *scan, const char *what)
{
    snprintf(scan->problem, sizeof scan->problem,
             "line %" PRIu32 " at byte %" PRIu64 " is damaged: %s", scan->records + 2,
             scan->end.size, what);
}

static bool begins_with(const uint8_t *data, size_t size, const char *text)
{
    return size >= strlen(text) && memcmp(data, text, strlen(text)) == 0;
}

static bool header_is_ours(const uint8_t *data, size_t size, struct journal_scan *scan)
{
    struct journal_header *header = &scan->end.header;
    char *problem = scan->problem;

    if (begins_with(data, size, binary_magic)) {
        snprintf(
            problem, sizeof scan->problem,
            "the game is recorded in the binary format of an older program, and this one reads "
            "text only");
    } else if (!begins_with(data, size, magic)) {
        snprintf(problem, sizeof scan->problem, "this is not a journal");
    } else if (journal_file_header(data, size, header)) {
        snprintf(problem, sizeof scan->problem, "line 1, the header, is damaged");
    } else if (header->format != JOURNAL_FORMAT) {
        snprintf(problem, sizeof scan->problem,
                 "the game is recorded in format %" PRIu32
                 ", and this program reads format %d only",
                 header->format, JOURNAL_FORMAT);
    } else if (header->rules != JOURNAL_RULES_VERSION) {
        snprintf(problem, sizeof scan->problem,
                 "the game is played by version %" PRIu32
                 " of the rules, and this program plays by version %d: it cannot go on",
                 header->rules, JOURNAL_RULES_VERSION);
    }
    return problem[0] == '\0';
}

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\n';
}

/* What is at the end of a file and no record: nothing, a torn record, or damage. */
static void take_rest(const uint8_t *data, size_t size, const char *fault,
                      struct journal_scan *scan)
{
    size_t filled = size;

    while (filled > scan->end.size && is_blank(data[filled - 1])) {
        filled--;
    }
    /* File systems put zeros where a crash kept them from writing. */
    size_t written = filled;
    while (written > scan->end.size && (is_blank(data[written - 1]) || !data[written - 1])) {
        written--;
    }
    if (scan->records > 0 && is_torn(data, size, &scan->end, written)) {
        scan->torn_bytes = (uint32_t)(filled - scan->end.size);
    } else {
        blame_record(scan, fault);
    }
}

/* The record of a line that was checked. 0 or -EBADMSG. */
static int read_line(const uint8_t *data, size_t line_size, const struct journal_header *header,
                     struct record *record)
{
    char text[JOURNAL_FIRST_LINE_SIZE_MAX];
    size_t length = line_size - JOURNAL_SUM_SIZE;

    memcpy(text, data, length);
    text[length] = '\0';
    int error = record_read(text, record);
    if (!error && record->input.kind == INPUT_NEW_GAME) {
        memcpy(record->game, header->game, sizeof record->game);
    }
    return error;
}

/* False when there is no next record; the scan says why. */
static bool scan_record(const uint8_t *data, size_t size, journal_visit_fn *visit, void *context,
                        struct journal_scan *scan)
{
    struct journal_end *end = &scan->end;
    size_t offset = (size_t)end->size;
    struct record record;
    size_t line_size;
    const char *fault = check_line(data, size, offset, &end->header, &line_size);

    if (fault) {
        take_rest(data, size, fault, scan);
        return false;
    }
    if (read_line(data + offset, line_size, &end->header, &record)) {
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
    scan->records++;
    scan->last_size = line_size;
    end->size += line_size;
    return true;
}

void journal_file_scan(const uint8_t *data, size_t size, journal_visit_fn *visit, void *context,
                       struct journal_scan *scan)
{
    *scan = (struct journal_scan){0};
    if (!header_is_ours(data, size, scan)) {
        return;
    }
    scan->end.size = scan->end.header.size;
    while (scan_record(data, size, visit, context, scan)) {
    }
}

int journal_file_visit(const uint8_t *data, size_t size, journal_visit_fn *visit, void *context)
{
    struct journal_scan scan;

    journal_file_scan(data, size, visit, context, &scan);
    if (scan.stopped) {
        return scan.stopped;
    }
    return scan.problem[0] ? -EBADMSG : 0;
}
