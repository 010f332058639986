#include "diagnosis.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    PLACE_SIZE = RADIO_TOPIC_SIZE + 2 * LINE_TEXT_SIZE,
    TREMBLE_EDGES = 4, /* one line of an encoder at rest on its edge may send so many */
};

/* Where to look: `its wire at GPIO17`, `its source mqtt ship/state`. */
static const char *wire_of(const struct sensor_case *it, char place[PLACE_SIZE])
{
    struct text text = text_begin(place, PLACE_SIZE);

    text_add(&text, it->is_radio ? "its source" : "its wire");
    if (it->reading.line[0]) {
        text_add(&text, " ");
        text_add(&text, it->reading.line);
    } else if (it->line.fitted && it->is_radio == line_is_radio(&it->line)) {
        text_add(&text, it->is_radio ? " " : " at ");
        config_write_line(&it->line, !it->is_radio, &text);
    }
    return place;
}

/* A sensor that is active from the start may have the wrong polarity. */
static const char *polarity_of(const struct sensor_case *it)
{
    if (it->is_radio) {
        return "its source has the wrong value";
    }
    return it->line.active_low ? "active-low is wrong here" : "active-low is missing";
}

/* A finding and what to do about it: wires and polarity, which a simulated sensor has not. */
__attribute__((format(printf, 5, 6))) static void judge(const struct sensor_case *it,
                                                        struct diagnosis *diagnosis,
                                                        enum verdict verdict, const char *finding,
                                                        const char *format, ...)
{
    int length = snprintf(diagnosis->advice, sizeof diagnosis->advice, "%s", finding);

    diagnosis->verdict = verdict;
    if (!it->simulated) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(diagnosis->advice + length, sizeof diagnosis->advice - (size_t)length, format,
                  arguments);
        va_end(arguments);
    }
}

static void judge_active(const struct sensor_case *it, const char *how, struct diagnosis *diagnosis)
{
    static const char *const causes[] = {
        [SENSOR_KIND_MUZZLE] = "something is in the beam, its two halves are out of line",
        [SENSOR_KIND_BEAM] = "something is in the beam, its two halves are out of line",
        [SENSOR_KIND_ROPE_BUTTON] = "the button jams",
        [SENSOR_KIND_BUTTON] = "the button jams",
        [SENSOR_KIND_TILT] = "the piece lies",
        [SENSOR_KIND_DOCK] = "a ship is in the harbour",
        [SENSOR_KIND_ENCODER] = "the encoder rests there",
    };

    judge(it, diagnosis, VERDICT_FAULTY, how, ": %s, or %s", causes[it->kind], polarity_of(it));
}

static void judge_chattering(const struct sensor_case *it, struct diagnosis *diagnosis)
{
    char place[PLACE_SIZE];

    if (it->is_radio) {
        judge(it, diagnosis, VERDICT_FAULTY, "too many messages", ": a loose contact; check %s",
              wire_of(it, place));
    } else if (it->line.fitted && (it->line.bias == BIAS_AS_IS || it->line.bias == BIAS_NONE)) {
        judge(it, diagnosis, VERDICT_FAULTY, "too many edges",
              ": a loose contact, or it needs pull-up or pull-down; check %s", wire_of(it, place));
    } else {
        judge(it, diagnosis, VERDICT_FAULTY, "too many edges",
              ": a loose contact, or a long wire beside the mains; check %s", wire_of(it, place));
    }
}

static void judge_health(const struct sensor_case *it, struct diagnosis *diagnosis)
{
    char place[PLACE_SIZE];

    switch (it->reading.health) {
    case HEALTH_STUCK:
        judge_active(it, "active for too long", diagnosis);
        break;
    case HEALTH_CHATTERING:
        judge_chattering(it, diagnosis);
        break;
    case HEALTH_IMPOSSIBLE:
        judge(it, diagnosis, VERDICT_FAULTY, "it contradicts its neighbour",
              ": wires swapped or loose, or too fast; check %s", wire_of(it, place));
        break;
    case HEALTH_SILENT:
        judge(it, diagnosis, VERDICT_FAULTY,
              it->is_radio ? "it, its gateway or the broker is offline" : "no signal any more",
              ": check %s", wire_of(it, place));
        break;
    default:
        break;
    }
}

/* Beams and buttons rest at 0; a piece may lie, a ship be at home, an encoder stop anywhere. */
static bool rests_at_0(enum sensor_kind kind)
{
    return kind == SENSOR_KIND_MUZZLE || kind == SENSOR_KIND_BEAM ||
           kind == SENSOR_KIND_ROPE_BUTTON || kind == SENSOR_KIND_BUTTON;
}

static void judge_readings(const struct sensor_case *it, struct diagnosis *diagnosis)
{
    const struct sensor_reading *reading = &it->reading;
    bool has_changed = reading->edges > 1; /* the first may be its level at the start */
    char place[PLACE_SIZE];

    if (it->kind == SENSOR_KIND_ENCODER && reading->edges == 0 && it->partner_changes) {
        judge(it, diagnosis, VERDICT_FAULTY, "only the other line of the rope changes",
              ": check %s", wire_of(it, place));
    } else if (reading->level && !has_changed && rests_at_0(it->kind)) {
        judge_active(it, "always 1", diagnosis);
    } else if (reading->level && !has_changed && it->kind == SENSOR_KIND_TILT) {
        judge(it, diagnosis, VERDICT_OK, "lying since the start", "; if it stands, %s",
              polarity_of(it));
    } else if (it->is_radio && !reading->has_reported) {
        judge(it, diagnosis, VERDICT_NO_SIGNAL, "not heard since the start",
              ": move it, or check %s", wire_of(it, place));
    } else if (!reading->heard) {
        judge(it, diagnosis, VERDICT_NO_SIGNAL, "never changed", ": move it, or check %s",
              wire_of(it, place));
    }
}

static void add_figure(struct text *text, const char *before, int16_t figure, const char *unit)
{
    if (figure != RADIO_UNKNOWN) {
        text_add(text, text->length ? ", " : "");
        text_add(text, before);
        text_add_number(text, figure);
        text_add(text, unit);
    }
}

/* Battery and link, in front of the advice. */
static void add_link(const struct radio_link *link, struct diagnosis *diagnosis)
{
    char advice[DIAGNOSIS_SIZE];
    struct text text = text_begin(advice, sizeof advice);

    add_figure(&text, "battery ", link->battery, " %");
    add_figure(&text, "link quality ", link->linkquality, "");
    add_figure(&text, "", link->rssi, " dBm");
    text_add(&text, text.length && diagnosis->advice[0] ? "; " : "");
    text_add(&text, diagnosis->advice);
    memcpy(diagnosis->advice, advice, sizeof advice);
}

void diagnose(const struct sensor_case *it, struct diagnosis *diagnosis)
{
    *diagnosis = (struct diagnosis){.verdict = VERDICT_OK};
    judge_health(it, diagnosis);
    if (diagnosis->verdict == VERDICT_OK) {
        judge_readings(it, diagnosis);
    }
    if (it->reading.is_radio) {
        add_link(&it->reading.link, diagnosis);
    }
}

struct sensor_case diagnosis_case(const struct sensor_view *view, const struct hw_config *hw,
                                  unsigned sensor)
{
    unsigned partner = sensor == SENSOR_ROPE_A ? SENSOR_ROPE_B : SENSOR_ROPE_A;
    /* One that was paired is not in our configuration. */
    bool is_radio = view->readings[sensor].heard ? view->readings[sensor].is_radio
                                                 : line_is_radio(&hw->lines[sensor]);

    return (struct sensor_case){
        .kind = sensor_place(sensor).kind,
        .reading = view->readings[sensor],
        .line = hw->lines[sensor],
        .simulated = !is_radio && sensor_view_is_simulated(view, hw),
        .is_radio = is_radio,
        .partner_changes = view->readings[partner].edges > TREMBLE_EDGES,
    };
}

bool diagnosis_is_due(const struct sensor_case *it)
{
    return it->line.fitted || it->reading.heard;
}
