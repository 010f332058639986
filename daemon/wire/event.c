/* Events, with the fields that words.h lists for each, and replies to commands. */
#include "wire/wire.h"

#include "json_internal.h"
#include "rules/fields.h"
#include "rules/say.h"

static void put_ranking(struct json_text *json, const char *key, const struct rank *ranking)
{
    open_list(json, key);
    for (unsigned i = 0; i < PLAYERS_MAX && ranking[i].player; i++) {
        open_object(json, NULL);
        put_number(json, "player", ranking[i].player);
        put_number(json, "place", ranking[i].place);
        put_number(json, "points", ranking[i].points);
        put_number(json, "towers", ranking[i].towers);
        close_object(json);
    }
    close_list(json);
}

static void put_value(struct json_text *json, const char *key, const struct value *value)
{
    switch (value->kind) {
    case VALUE_NONE:
        put_null(json, key);
        break;
    case VALUE_NAME:
        put_text(json, key, value->name);
        break;
    case VALUE_NUMBER:
        put_number(json, key, value->number);
        break;
    case VALUE_MILLI:
        put_milli(json, key, value->number);
        break;
    case VALUE_PIECES:
        put_pieces(json, key, value->set);
        break;
    case VALUE_PLAYERS:
        put_players(json, key, value->set);
        break;
    case VALUE_RANKING:
        put_ranking(json, key, value->ranking);
        break;
    }
}

static void put_fields(struct json_text *json, const struct event *event)
{
    uint32_t known = rules_event_fields(event->kind);

    for (enum field field = 0; field < FIELD_COUNT; field++) {
        if (!(known & bit(field))) {
            continue;
        }
        struct value value = event_value(event, field);
        /* A cannon with one beam does not measure the speed. */
        if (value.kind != VALUE_NONE || field != FIELD_SPEED) {
            put_value(json, field_key(field), &value);
        }
    }
}

static void put_evidence(struct json_text *json, const struct evidence *evidence,
                         const char *sensor)
{
    open_object(json, "evidence");
    put_text(json, "sensor", sensor);
    put_number(json, "at_us", (int64_t)evidence->at_us);
    if (evidence->width_us) {
        put_number(json, "width_us", evidence->width_us);
    } else {
        put_number(json, "settle_us", evidence->settle_us);
    }
    put_number(json, "bounces", evidence->bounces);
    if (evidence->beams) {
        put_number(json, "beams", evidence->beams);
    }
    if (evidence->is_radio) {
        put_word(json, "source", "mqtt");
        put_number(json, "late_ms", evidence->late_ms);
    }
    close_object(json);
}

char *wire_event(const struct game *game, const struct event *event, const struct wire_names *names,
                 int64_t wall_ms, const struct evidence *evidence, const char *sensor)
{
    struct json_text json = json_begin();
    char message[SENTENCE_SIZE];

    say_event(game, event, message, sizeof message);
    put_number(&json, "v", WIRE_VERSION);
    put_text_or_null(&json, "game", names->game);
    put_number(&json, "seq", event->seq);
    put_time(&json, "at", wall_ms);
    put_word(&json, "event_type", rules_event_name(event->kind));
    put_number(&json, "turn", event->turn);
    put_player(&json, "player", event->player);
    put_rule(&json, "rule", event->rule);
    put_text(&json, "message", message);
    put_fields(&json, event);
    if (evidence && evidence->sensor != SENSOR_NONE) {
        put_evidence(&json, evidence, sensor);
    }
    return json_end(&json);
}

/*
 * Replies
 */

static struct json_text begin_reply(const char *id, bool ok)
{
    struct json_text json = json_begin();

    put_text_or_null(&json, "id", id);
    put_truth(&json, "ok", ok);
    return json;
}

char *wire_reply_ok(const char *id, const struct game *game, const struct outcome *outcome)
{
    struct json_text json = begin_reply(id, true);

    put_number(&json, "seq", game->seq);
    open_list(&json, "messages");
    for (unsigned i = 0; i < outcome->count; i++) {
        char sentence[SENTENCE_SIZE];
        say_event(game, &outcome->events[i], sentence, sizeof sentence);
        put_text(&json, NULL, sentence);
    }
    close_list(&json);
    return json_end(&json);
}

char *wire_reply_refused(const char *id, enum refusal refusal, enum rule rule, const char *message)
{
    struct json_text json = begin_reply(id, false);

    put_word(&json, "error", rules_refusal_name(refusal));
    put_rule(&json, "rule", rule);
    put_text(&json, "message", message);
    return json_end(&json);
}

static void put_list(struct json_text *json, const char *key, const struct wire_list *list)
{
    open_list(json, key);
    for (size_t i = 0; i < list->count; i++) {
        put_json(json, NULL, list->parts[i]);
    }
    close_list(json);
}

char *wire_reply_history(const char *id, uint32_t seq, bool more, const struct wire_list *events,
                         const struct wire_list *states)
{
    struct json_text json = begin_reply(id, true);

    put_number(&json, "seq", seq);
    put_truth(&json, "more", more);
    put_list(&json, "events", events);
    if (states) {
        put_list(&json, "states", states);
    }
    return json_end(&json);
}

char *wire_reply_games(const char *id, bool more, const struct wire_list *games)
{
    struct json_text json = begin_reply(id, true);

    put_truth(&json, "more", more);
    put_list(&json, "games", games);
    return json_end(&json);
}

char *wire_reply_look_back(const char *id, uint32_t seq, const char *state)
{
    struct json_text json = begin_reply(id, true);

    put_number(&json, "seq", seq);
    put_json(&json, "state", state);
    return json_end(&json);
}

static void put_names(struct json_text *json, const char *key, const struct setup *setup,
                      uint32_t players)
{
    open_list(json, key);
    for (unsigned player = 1; player <= setup->players; player++) {
        if (players & bit(player)) {
            put_text(json, NULL, setup->seats[player].name);
        }
    }
    close_list(json);
}

char *wire_game_entry(const struct wire_past_game *past)
{
    struct json_text json = json_begin();
    const struct setup *setup = &past->game->setup;

    put_text(&json, "game", past->id);
    put_time(&json, "began", past->began_ms);
    if (past->ended_ms) {
        put_time(&json, "ended", past->ended_ms);
    } else {
        put_null(&json, "ended");
    }
    put_number(&json, "seq", past->game->seq);
    put_word(&json, "scenario", rules_scenario_name(setup->scenario));
    put_names(&json, "players", setup, UINT32_MAX);
    put_names(&json, "winners", setup, rules_winners(past->game));
    put_truth(&json, "damaged", past->is_damaged);
    return json_end(&json);
}
