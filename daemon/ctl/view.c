#include "view.h"

#include "view_json.h"

#include <string.h>
#include <time.h>

/* As the clock on the wall shows it; "" when it is no time. */
static void read_time(const json_t *event, char *text, size_t size)
{
    time_t seconds = (time_t)(read_time_ms(event, "at") / 1000);
    struct tm local;

    text[0] = '\0';
    if (seconds && localtime_r(&seconds, &local)) {
        strftime(text, size, "%H:%M:%S", &local);
    }
}

/* Where the event belongs in the order of seq. */
static unsigned place_of(const struct view *view, uint32_t seq)
{
    unsigned place = view->event_count;

    while (place > 0 && view->events[place - 1].seq >= seq) {
        place--;
    }
    return place;
}

static bool insert_event(struct view *view, const struct view_event *event)
{
    unsigned place = place_of(view, event->seq);

    if (place < view->event_count && view->events[place].seq == event->seq) {
        return false; /* delivered at least once: this one again */
    }
    if (view->event_count == VIEW_EVENTS_MAX) {
        if (place == 0) {
            return false;
        }
        memmove(view->events, view->events + 1, --view->event_count * sizeof view->events[0]);
        place--;
    }
    memmove(view->events + place + 1, view->events + place,
            (view->event_count - place) * sizeof view->events[0]);
    view->events[place] = *event;
    view->event_count++;
    return true;
}

static bool hear_event(struct view *view, const json_t *json)
{
    struct view_event event = {
        .seq = read_number(json, "seq"),
        .kind = rules_event_named(peek_text(json, "event_type")),
    };

    if (read_number(json, "v") != 1 || event.seq == 0) {
        return false;
    }
    if (strcmp(peek_text(json, "game"), view->events_of) != 0) {
        read_text(json, "game", view->events_of, sizeof view->events_of);
        view->event_count = 0;
    }
    read_time(json, event.time, sizeof event.time);
    read_text(json, "message", event.message, sizeof event.message);
    read_text(json, "rule", event.rule, sizeof event.rule);
    return insert_event(view, &event);
}

static bool hear_state(struct view *view, const json_t *json)
{
    return view_read_state(view, json);
}

static bool hear_rope(struct view *view, const json_t *json)
{
    enum { MILLI = 1000 };
    double knots = json_number_value(json_object_get(json, "knots"));

    if (!(knots >= 0 && knots * MILLI <= KNOTS_MILLI_MAX)) {
        knots = 0;
    }
    view->rope = (struct view_rope){
        .knots_milli = (int32_t)(knots * MILLI + 0.5),
        .piece = read_piece(json, "piece"),
        .over = read_flag(json, "over"),
    };
    return true;
}

typedef bool hear_fn(struct view *view, const json_t *json);

static hear_fn *hearer_of(const char *topic)
{
    static const char events[] = "event/";

    if (strncmp(topic, events, strlen(events)) == 0) {
        return hear_event;
    }
    if (strcmp(topic, "state") == 0) {
        return hear_state;
    }
    return strcmp(topic, "rope") == 0 ? hear_rope : NULL;
}

bool view_hear(struct view *view, const char *topic, const void *payload, size_t size)
{
    hear_fn *hear = hearer_of(topic);
    bool is_new = false;

    json_t *json = hear ? json_loadb(payload, size, 0, NULL) : NULL;
    if (json) {
        is_new = hear(view, json);
        json_decref(json);
    }
    return is_new;
}

bool view_hear_history(struct view *view, const void *payload, size_t size)
{
    json_t *reply = json_loadb(payload, size, 0, NULL);
    bool is_new = false;
    size_t at;
    const json_t *event;

    json_array_foreach(json_object_get(reply, "events"), at, event)
    {
        is_new = hear_event(view, event) || is_new;
    }
    json_decref(reply);
    return is_new;
}

const struct view_event *view_last_event(const struct view *view)
{
    return view->event_count ? &view->events[view->event_count - 1] : NULL;
}
