#include "records.h"

#include "answers.h"
#include "figures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES_MIN = 5 }; /* before the first record is announced */

static const json_t *find_record(const json_t *records, const json_t *like)
{
    size_t at;
    json_t *record;

    json_array_foreach(records, at, record)
    {
        if (json_equal(json_object_get(record, "record"), json_object_get(like, "record"))) {
            return record;
        }
    }
    return NULL;
}

static bool is_better(const json_t *record, const json_t *known)
{
    double value = json_number_value(json_object_get(record, "value"));
    double before = json_number_value(json_object_get(known, "value"));
    const char *unit = json_string_value(json_object_get(record, "unit"));

    return unit && strcmp(unit, "turns") == 0 ? value < before : value > before;
}

/* Whoever beats their own record of the same game has been celebrated for it already. */
static bool is_celebrated(const json_t *record, const json_t *known)
{
    return json_equal(json_object_get(record, "game"), json_object_get(known, "game")) &&
           json_equal(json_object_get(record, "player"), json_object_get(known, "player"));
}

static void announce(const struct records_ports *ports, json_t *record, const json_t *known)
{
    json_t *message = json_pack("{s:i}", "v", 1);

    json_object_update(message, record);
    json_object_set_new(message, "previous",
                        json_pack("{s:O, s:O}", "value", json_object_get(known, "value"), "player",
                                  json_object_get(known, "player")));
    char *text = json_dumps(message, JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (text) {
        ports->announce(ports->self, text);
    }
    free(text);
    json_decref(message);
}

int records_update(struct records *records, const struct records_ports *ports)
{
    int error = figures_refresh(ports->book);
    json_t *now = error ? NULL : answer_records(ports->book, &error);
    size_t at;
    json_t *record;

    if (!now) {
        return error ? error : -EAGAIN;
    }
    json_array_foreach(now, at, record)
    {
        const json_t *known = find_record(records->known, record);
        const char *game = json_string_value(json_object_get(record, "game"));
        if (known && is_better(record, known) && !is_celebrated(record, known) &&
            feeds_is_live(ports->feeds, game) && answer_game_count(ports->book) > GAMES_MIN) {
            announce(ports, record, known);
        }
    }
    json_decref(records->known);
    records->known = now;
    return 0;
}

void records_forget(struct records *records)
{
    json_decref(records->known);
    records->known = NULL;
}
