#include "draw_doctor.h"

#include "live.h"
#include "pen.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    NAME_COLUMN = 1,
    LEVEL_COLUMN = 21,
    EDGES_COLUMN = 23,
    RATE_COLUMN = 31,
    PULSE_COLUMN = 38,
    AGO_COLUMN = 47,
    HEALTH_COLUMN = 55,
    LINE_COLUMN = 66,
    ADVICE_COLUMN = 3, /* below its sensor; without a signal, in place of the readings */
    HEAD_ROWS = 2,
    FOOT_ROWS = 1,
    RATE_LASTS_MS = 2000, /* then its rate is 0 */
    SENTENCE_MAX = 600,
    PLACE_SIZE = 128,
    SPAN_SIZE = 32,
};

struct entry {
    unsigned sensor;
    struct sensor_case it;
    struct diagnosis diagnosis;
};

struct entries {
    unsigned count;
    unsigned by_verdict[VERDICT_COUNT];
    struct entry list[SENSOR_COUNT];
};

/*
 * Which sensors, in which order
 */

static void find_entries(const struct doctor_data *data, struct entries *entries)
{
    *entries = (struct entries){0};
    for (unsigned sensor = 1; sensor < SENSOR_COUNT; sensor++) {
        struct entry *entry = &entries->list[entries->count];
        entry->sensor = sensor;
        entry->it = diagnosis_case(data->view, &data->config->hw, sensor);
        if (diagnosis_is_due(&entry->it)) {
            diagnose(&entry->it, &entry->diagnosis);
            entries->by_verdict[entry->diagnosis.verdict]++;
            entries->count++;
        }
    }
}

static int order(int64_t one, int64_t two)
{
    return (one > two) - (one < two);
}

static bool is_faulty(const struct entry *entry)
{
    return entry->diagnosis.verdict == VERDICT_FAULTY;
}

static int compare_faulty_first(const void *one, const void *two)
{
    const struct entry *left = one;
    const struct entry *right = two;
    int by_fault = order(is_faulty(right), is_faulty(left));

    return by_fault ? by_fault : order(left->sensor, right->sensor);
}

static int compare_last_moved_first(const void *one, const void *two)
{
    const struct entry *left = one;
    const struct entry *right = two;
    bool is_alike = is_faulty(left) == is_faulty(right);
    int by_time = is_alike ? order(right->it.reading.at_ms, left->it.reading.at_ms) : 0;

    return by_time ? by_time : compare_faulty_first(one, two);
}

bool doctor_finds_fault(const struct doctor_data *data)
{
    struct entries entries;

    find_entries(data, &entries);
    return entries.by_verdict[VERDICT_FAULTY] > 0;
}

/*
 * One sensor
 */

/* `4.1 ms`, `3 s`, `12 min`: two digits or three, whatever the size. */
static const char *span_text(int64_t span_us, char text[SPAN_SIZE])
{
    static const struct {
        int64_t unit_us;
        int64_t below; /* so many of the unit */
        const char *name;
    } units[] = {
        {1000, 1000, "ms"},
        {1000000, 120, "s"},
        {60000000, 120, "min"},
        {INT64_C(3600000000), 100, "h"},
        {INT64_C(86400000000), INT64_MAX, "d"},
    };
    unsigned unit = 0;

    while (span_us / units[unit].unit_us >= units[unit].below) {
        unit++;
    }
    bool is_fraction = unit == 0 && span_us < 10 * units[unit].unit_us;
    snprintf(text, SPAN_SIZE, "%.*f %s", is_fraction, (double)span_us / (double)units[unit].unit_us,
             units[unit].name);
    return text;
}

static struct pen at_column(struct pen pen, unsigned column)
{
    pen.column = column;
    return pen;
}

static void draw_at(struct pen pen, unsigned column, enum style style, const char *text)
{
    pen.column = column;
    pen_put(&pen, style, text);
}

static void draw_readings(const struct doctor_data *data, const struct entry *entry, struct pen pen)
{
    const struct sensor_reading *reading = &entry->it.reading;
    int64_t ago_ms = data->now_ms > reading->at_ms ? data->now_ms - reading->at_ms : 0;
    bool is_quiet = reading->at_ms && ago_ms > RATE_LASTS_MS;
    enum style style = is_faulty(entry) ? STYLE_WARNING : STYLE_PLAIN;
    char span[SPAN_SIZE];
    char place[PLACE_SIZE] = "";
    struct text text = text_begin(place, sizeof place);
    struct pen numbers = at_column(pen, EDGES_COLUMN);

    draw_at(pen, LEVEL_COLUMN, reading->level ? STYLE_STRONG : STYLE_PLAIN,
            reading->level ? "1" : "0");
    pen_print(&numbers, STYLE_PLAIN, "%7u %4u/s", reading->edges, is_quiet ? 0 : reading->rate);
    if (reading->width_us) {
        draw_at(pen, PULSE_COLUMN, STYLE_PLAIN, span_text(reading->width_us, span));
    }
    if (reading->at_ms) {
        draw_at(pen, AGO_COLUMN, STYLE_PLAIN, span_text(ago_ms * 1000, span));
    }
    draw_at(pen, HEALTH_COLUMN, style, rules_health_name(reading->health));
    if (entry->it.simulated) {
        text_add(&text, "simulated");
    } else if (entry->it.is_radio && !line_is_radio(&entry->it.line)) {
        text_add(&text, reading->line[0] ? reading->line : "paired");
    } else if (entry->it.line.fitted) {
        config_write_line(&entry->it.line, false, &text);
    }
    draw_at(pen, LINE_COLUMN, STYLE_DIM, place);
}

static struct pen advice_pen(const struct entry *entry, struct pen pen)
{
    bool beside = !entry->it.reading.heard;

    pen.column = beside ? LEVEL_COLUMN : ADVICE_COLUMN;
    pen.row += !beside;
    return pen;
}

static unsigned entry_rows(const struct entry *entry, struct pen pen)
{
    struct pen advice = advice_pen(entry, pen);
    const char *text = entry->diagnosis.advice;

    return text[0] ? advice.row - pen.row + pen_wrap_rows(&advice, text) : 1;
}

static void draw_entry(const struct doctor_data *data, const struct entry *entry, struct pen pen)
{
    enum style style = is_faulty(entry) ? STYLE_WARNING : STYLE_DIM;
    struct pen name = at_column(pen, NAME_COLUMN);

    name.right = LEVEL_COLUMN - 1;
    pen_put(&name, STYLE_PLAIN, sensor_name(&data->view->names, entry->sensor));
    if (entry->it.reading.heard) {
        draw_readings(data, entry, pen);
    }
    pen_wrap(advice_pen(entry, pen), style, entry->diagnosis.advice);
}

/*
 * The whole
 */

static void draw_head(const struct doctor_data *data, struct pen pen)
{
    struct pen title = pen;

    pen_put(&title, STYLE_STRONG, " SHIP AHOY");
    pen_print(&title, STYLE_PLAIN, "  the sensors of table %s", data->config->table);
    pen_print(&title, STYLE_PLAIN, data->view->backend[0] ? ", backend %s" : "%s",
              data->view->backend);
    pen_put(&title, STYLE_PLAIN,
            sensor_view_is_simulated(data->view, &data->config->hw) ? ": those configured or moved"
                                                                    : "");
    pen.row++;
    draw_at(pen, NAME_COLUMN, STYLE_DIM, "sensor");
    draw_at(pen, LEVEL_COLUMN - 2, STYLE_DIM, "now");
    draw_at(pen, EDGES_COLUMN + 2, STYLE_DIM, "edges");
    draw_at(pen, RATE_COLUMN + 2, STYLE_DIM, "rate");
    draw_at(pen, PULSE_COLUMN, STYLE_DIM, "pulse");
    draw_at(pen, AGO_COLUMN, STYLE_DIM, "ago");
    draw_at(pen, HEALTH_COLUMN, STYLE_DIM, "health");
    draw_at(pen, LINE_COLUMN, STYLE_DIM, "line");
}

static void draw_foot(const struct doctor_data *data, const struct entries *entries, struct pen pen)
{
    char trouble[SENTENCE_MAX];

    pen.column = NAME_COLUMN;
    link_write_trouble(data->link, trouble, sizeof trouble);
    pen_put(&pen, STYLE_WARNING, trouble);
    if (!trouble[0]) {
        pen_print(&pen, STYLE_DIM, "%u sensor%s: %u ok, %u faulty, %u without a signal%s",
                  entries->count, entries->count == 1 ? "" : "s", entries->by_verdict[VERDICT_OK],
                  entries->by_verdict[VERDICT_FAULTY], entries->by_verdict[VERDICT_NO_SIGNAL],
                  data->has_keys ? "   q quits" : "");
    }
}

/* The problems that the daemon reports; returns their rows. */
static unsigned draw_problems(const struct sensor_view *view, struct pen pen)
{
    unsigned rows = 0;

    for (unsigned i = 0; i < view->problem_count; i++) {
        struct pen problem = at_column(pen, NAME_COLUMN);
        problem.row += rows;
        rows += pen_wrap(problem, STYLE_WARNING, view->problems[i]);
    }
    return rows;
}

static unsigned problem_rows(const struct sensor_view *view, struct pen pen)
{
    unsigned rows = 0;

    pen.column = NAME_COLUMN;
    for (unsigned i = 0; i < view->problem_count; i++) {
        rows += pen_wrap_rows(&pen, view->problems[i]);
    }
    return rows;
}

static unsigned rows_of_all(const struct entries *entries, struct pen pen)
{
    unsigned rows = 0;

    for (unsigned i = 0; i < entries->count; i++) {
        rows += entry_rows(&entries->list[i], pen);
    }
    return rows ? rows : 1;
}

/* As many as fit above the row end; the last row says how many do not. */
static void draw_entries(const struct doctor_data *data, const struct entries *entries,
                         struct pen pen, unsigned end)
{
    bool all_fit = pen.row + rows_of_all(entries, pen) <= end;
    unsigned drawn = 0;

    if (entries->count == 0) {
        draw_at(pen, NAME_COLUMN, STYLE_PLAIN,
                sensor_view_is_simulated(data->view, &data->config->hw)
                    ? "All sensors are simulated, and none has moved yet; try `sim fire`."
                    : "No sensor is configured, and none has sent a signal.");
    }
    for (; drawn < entries->count; drawn++) {
        unsigned rows = entry_rows(&entries->list[drawn], pen);
        if (!all_fit && pen.row + rows + 1 > end) {
            break;
        }
        draw_entry(data, &entries->list[drawn], pen);
        pen.row += rows;
    }
    if (drawn < entries->count) {
        pen.column = NAME_COLUMN;
        pen_print(&pen, STYLE_DIM, "and %u more; --once lists all", entries->count - drawn);
    }
}

static unsigned whole_rows(const struct doctor_data *data, const struct entries *entries,
                           struct pen pen)
{
    return HEAD_ROWS + rows_of_all(entries, pen) + problem_rows(data->view, pen) + FOOT_ROWS;
}

unsigned draw_doctor_rows(const struct doctor_data *data, unsigned columns)
{
    struct entries entries;

    find_entries(data, &entries);
    return whole_rows(data, &entries, (struct pen){.right = columns});
}

void draw_doctor(const struct doctor_data *data, WINDOW *window, bool utf8)
{
    struct pen pen = pen_begin(window, utf8);
    struct entries entries;
    unsigned rows = (unsigned)getmaxy(window);
    unsigned last = rows - FOOT_ROWS;

    find_entries(data, &entries);
    bool all_fit = whole_rows(data, &entries, pen) <= rows;
    qsort(entries.list, entries.count, sizeof entries.list[0],
          all_fit ? compare_faulty_first : compare_last_moved_first);
    draw_head(data, pen);
    unsigned problems = problem_rows(data->view, pen);
    unsigned end = last > problems + HEAD_ROWS ? last - problems : last;
    pen.row = HEAD_ROWS;
    draw_entries(data, &entries, pen, end);
    pen.row = end;
    draw_problems(data->view, pen);
    pen.row = last;
    struct pen blank = pen;
    pen_fill(&blank, STYLE_PLAIN, " ");
    draw_foot(data, &entries, pen);
}
