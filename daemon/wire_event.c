/* Events: what all of them have, and the fields that words.h lists for each. */
#include "wire.h"

#include "rules/fields.h"
#include "rules/say.h"
#include "wire_json.h"

static json_t *ranking_of(const struct rank *ranking)
{
    struct building list = begin_list();

    for (unsigned i = 0; i < PLAYERS_MAX && ranking[i].player; i++) {
        struct building object = begin_object();
        put(&object, "player", json_integer(ranking[i].player));
        put(&object, "place", json_integer(ranking[i].place));
        put(&object, "points", json_integer(ranking[i].points));
        put(&object, "towers", json_integer(ranking[i].towers));
        append(&list, finish(&object));
    }
    return finish(&list);
}

static json_t *json_value(const struct value *value)
{
    switch (value->kind) {
    case VALUE_NONE:
        return json_null();
    case VALUE_NAME:
        return json_text(value->name);
    case VALUE_NUMBER:
        return json_integer(value->number);
    case VALUE_MILLI:
        return json_milli(value->number);
    case VALUE_PIECES:
        return json_pieces(value->set);
    case VALUE_PLAYERS:
        return json_players(value->set);
    case VALUE_RANKING:
        return ranking_of(value->ranking);
    }
    return NULL;
}

static void put_fields(struct building *object, const struct event *event)
{
    for (enum field field = 0; field < FIELD_COUNT; field++) {
        if (!(rules_event_fields(event->kind) & (UINT32_C(1) << field))) {
            continue;
        }
        struct value value = event_value(event, field);
        /* A table with one beam has no speed to speak of, rather than an unknown one. */
        if (value.kind != VALUE_NONE || field != FIELD_SPEED) {
            put(object, field_key(field), json_value(&value));
        }
    }
}

static json_t *json_evidence(const struct evidence *evidence, const char *sensor)
{
    struct building object = begin_object();

    put(&object, "sensor", json_text(sensor));
    put(&object, "at_us", json_integer((json_int_t)evidence->at_us));
    if (evidence->width_us) {
        put(&object, "width_us", json_integer(evidence->width_us));
    } else {
        put(&object, "settle_us", json_integer(evidence->settle_us));
    }
    put(&object, "bounces", json_integer(evidence->bounces));
    return finish(&object);
}

char *wire_event(const struct game *game, const struct event *event, const struct wire_names *names,
                 int64_t wall_ms, const struct evidence *evidence, const char *sensor)
{
    struct building object = begin_object();
    char message[SENTENCE_SIZE];

    say_event(game, event, message, sizeof message);
    put(&object, "v", json_integer(WIRE_VERSION));
    put(&object, "game", json_text_or_null(names->game));
    put(&object, "seq", json_integer(event->seq));
    put(&object, "at", json_time(wall_ms));
    put(&object, "event_type", json_string_nocheck(rules_event_name(event->kind)));
    put(&object, "turn", json_integer(event->turn));
    put(&object, "player", json_player(event->player));
    put(&object, "rule", json_rule(event->rule));
    put(&object, "message", json_text(message));
    put_fields(&object, event);
    if (evidence && evidence->sensor != SENSOR_NONE) {
        put(&object, "evidence", json_evidence(evidence, sensor));
    }
    return finish_text(&object);
}
