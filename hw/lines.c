#include "lines.h"

#include "rules/text.h"

#include <errno.h>
#include <string.h>

enum { NOT_FOUND = -1, SEVERAL = -2 };

static void add_spelling(struct text *text, const struct line_config *line)
{
    if (line->name[0]) {
        text_add(text, line->name);
        return;
    }
    if (line->chip[0]) {
        text_add(text, line->chip);
        text_add(text, ":");
    }
    text_add_number(text, line->offset);
}

static bool has_default(const char *default_chip)
{
    return default_chip[0] && strcmp(default_chip, "auto") != 0;
}

/* Names and paths are unique; labels are not: two expanders of one type have the same label. */
static int find_chip(const struct chip_list *list, const char *wanted)
{
    int found = NOT_FOUND;

    for (unsigned i = 0; i < list->count; i++) {
        const struct chip_info *chip = &list->chips[i];
        if (strcmp(chip->name, wanted) == 0 || strcmp(chip->path, wanted) == 0) {
            return (int)i;
        }
        if (strcmp(chip->label, wanted) == 0) {
            found = found == NOT_FOUND ? (int)i : SEVERAL;
        }
    }
    return found;
}

static int chip_of(const struct chip_list *list, const char *wanted, unsigned *chip,
                   struct text *problem)
{
    int found = find_chip(list, wanted);

    if (found >= 0) {
        *chip = (unsigned)found;
        return 0;
    }
    if (found == SEVERAL) {
        text_add(problem, "several chips are labelled ");
        text_add(problem, wanted);
        text_add(problem, "; use the name or path of one");
        return -ENOTUNIQ;
    }
    text_add(problem, "there is no chip with the name, path or label ");
    text_add(problem, wanted);
    return -ENOENT;
}

/* One chip can have several lines of the same name. */
static unsigned count_named(const struct chip_list *list, unsigned chip, const char *name,
                            struct line_place *place)
{
    const struct chip_info *info = &list->chips[chip];
    unsigned count = 0;

    for (unsigned offset = 0; offset < info->line_count; offset++) {
        if (strcmp(info->lines[offset].name, name) == 0) {
            *place = (struct line_place){chip, offset};
            count++;
        }
    }
    return count;
}

static unsigned count_anywhere(const struct chip_list *list, const char *name,
                               struct line_place *place)
{
    unsigned count = 0;

    for (unsigned chip = 0; chip < list->count; chip++) {
        count += count_named(list, chip, name, place);
    }
    return count;
}

static int find_by_name(const struct chip_list *list, const char *default_chip, const char *name,
                        struct line_place *place, struct text *problem)
{
    struct line_place found = {0};
    int preferred = has_default(default_chip) ? find_chip(list, default_chip) : NOT_FOUND;
    unsigned count = preferred >= 0 ? count_named(list, (unsigned)preferred, name, &found) : 0;

    if (count == 0) {
        count = count_anywhere(list, name, &found);
    }
    if (count == 1) {
        *place = found;
        return 0;
    }
    text_add(problem, count ? "several lines have that name; use the chip and the number of one"
                            : "no chip has a line of that name");
    return count ? -ENOTUNIQ : -ENOENT;
}

static int find_by_offset(const struct chip_list *list, const char *wanted, uint32_t offset,
                          struct line_place *place, struct text *problem)
{
    unsigned chip = 0;
    int error = chip_of(list, wanted, &chip, problem);

    if (error) {
        return error;
    }
    if (offset >= list->chips[chip].line_count) {
        text_add(problem, "the lines of ");
        text_add(problem, list->chips[chip].name);
        text_add(problem, " are numbered 0 to ");
        text_add_number(problem, (int64_t)list->chips[chip].line_count - 1);
        return -ENOENT;
    }
    *place = (struct line_place){chip, offset};
    return 0;
}

int lines_find(const struct chip_list *list, const char *default_chip,
               const struct line_config *line, struct line_place *place,
               char problem[LINES_PROBLEM_SIZE])
{
    struct text text = text_begin(problem, LINES_PROBLEM_SIZE);

    if (line->name[0]) {
        return find_by_name(list, default_chip, line->name, place, &text);
    }
    return find_by_offset(list, line->chip[0] ? line->chip : default_chip, line->offset, place,
                          &text);
}

void lines_report(const struct sensor_names *names, unsigned sensor, const struct line_config *line,
                  const char *reason, lines_problem_fn *report, void *context)
{
    char message[LINES_PROBLEM_SIZE];
    struct text text = text_begin(message, sizeof message);

    text_add(&text, "sensor ");
    text_add(&text, sensor_name(names, sensor));
    text_add(&text, ", line ");
    add_spelling(&text, line);
    text_add(&text, ": ");
    text_add(&text, reason);
    report(context, sensor, message);
}

/*
 * All of them
 */

struct finding {
    const struct chip_list *list;
    const struct line_config *lines;
    const struct sensor_names *names;
    struct wire *wires;
    unsigned count;
    lines_problem_fn *report;
    void *context;
    int error; /* of the first problem */
};

static void add_problem(struct finding *finding, unsigned sensor, int error, const char *reason)
{
    lines_report(finding->names, sensor, &finding->lines[sensor], reason, finding->report,
                 finding->context);
    finding->error = finding->error ? finding->error : error;
}

static void report_busy(struct finding *finding, unsigned sensor, const char *reason,
                        const char *who)
{
    char message[LINES_PROBLEM_SIZE];
    struct text text = text_begin(message, sizeof message);

    text_add(&text, reason);
    text_add(&text, who);
    add_problem(finding, sensor, -EBUSY, message);
}

static const struct wire *wire_at(const struct finding *finding, const struct line_place *place)
{
    for (unsigned i = 0; i < finding->count; i++) {
        const struct wire *wire = &finding->wires[i];
        if (wire->place.chip == place->chip && wire->place.offset == place->offset) {
            return wire;
        }
    }
    return NULL;
}

static void add_wire(struct finding *finding, unsigned sensor, const struct line_place *place)
{
    const struct chip_line *line = &finding->list->chips[place->chip].lines[place->offset];
    const struct wire *other = wire_at(finding, place);

    if (other) {
        report_busy(finding, sensor, "that is the line of sensor ",
                    sensor_name(finding->names, other->sensor));
        return;
    }
    if (line->used) {
        report_busy(finding, sensor, "it is in use by ",
                    line->consumer[0] ? line->consumer : "another program");
    }
    finding->wires[finding->count++] = (struct wire){(uint16_t)sensor, *place};
}

int lines_find_all(const struct chip_list *list, const char *default_chip,
                   const struct line_config lines[SENSOR_COUNT], const struct sensor_names *names,
                   struct wire wires[SENSOR_COUNT], lines_problem_fn *report, void *context)
{
    struct finding finding = {list, lines, names, wires, 0, report, context, 0};

    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        char problem[LINES_PROBLEM_SIZE];
        struct line_place place;

        if (!lines[sensor].fitted || line_is_radio(&lines[sensor])) {
            continue;
        }
        int error = lines_find(list, default_chip, &lines[sensor], &place, problem);
        if (error) {
            add_problem(&finding, sensor, error, problem);
        } else {
            add_wire(&finding, sensor, &place);
        }
    }
    return finding.error ? finding.error : (int)finding.count;
}
