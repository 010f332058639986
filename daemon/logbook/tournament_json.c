#include "tournament_json.h"

#include "rules/text.h"

#include <stdio.h>
#include <string.h>

static bool read_name(const json_t *value, char name[NAME_SIZE])
{
    const char *text = json_string_value(value);

    if (!text || !text[0] || strlen(text) >= NAME_SIZE || !text_is_plain(text)) {
        return false;
    }
    memcpy(name, text, strlen(text) + 1);
    return true;
}

/*
 * Settings
 */

/* A name, or two of a team. */
static bool read_entrant(const json_t *value, struct tournament_settings *settings)
{
    struct tournament_entrant *entrant = &settings->entrants[settings->entrant_count++];
    bool is_team = json_is_array(value);

    if (settings->entrant_count > 1 && is_team != settings->has_teams) {
        return false;
    }
    settings->has_teams = is_team;
    if (!is_team) {
        return read_name(value, entrant->members[0]);
    }
    return json_array_size(value) == TOURNAMENT_MEMBERS_MAX &&
           read_name(json_array_get(value, 0), entrant->members[0]) &&
           read_name(json_array_get(value, 1), entrant->members[1]);
}

static enum tournament_refusal read_players(const json_t *players,
                                            struct tournament_settings *settings)
{
    if (json_array_size(players) > TOURNAMENT_ENTRANTS_MAX) {
        return TOURNAMENT_REFUSED_PLAYER_COUNT;
    }
    for (size_t i = 0; i < json_array_size(players); i++) {
        if (!read_entrant(json_array_get(players, i), settings)) {
            return TOURNAMENT_REFUSED_PLAYER_NAMES;
        }
    }
    return json_is_array(players) ? TOURNAMENT_REFUSED_NONE : TOURNAMENT_REFUSED_PLAYER_NAMES;
}

static bool read_tables(const json_t *tables, struct tournament_settings *settings)
{
    bool is_list = !tables || json_is_array(tables);

    for (size_t i = 0; is_list && i < json_array_size(tables); i++) {
        is_list = i < TOURNAMENT_TABLES_MAX &&
                  read_name(json_array_get(tables, i), settings->tables[settings->table_count++]);
    }
    return is_list;
}

static bool read_count(const json_t *value, unsigned max, unsigned *count)
{
    json_int_t number = json_integer_value(value);

    *count = value ? (unsigned)number : *count;
    return !value || (json_is_integer(value) && number >= 1 && number <= max);
}

enum tournament_refusal tournament_read_settings(const json_t *fields,
                                                 struct tournament_settings *settings)
{
    const char *system = json_string_value(json_object_get(fields, "system"));
    const json_t *lots = json_object_get(fields, "lots");
    unsigned found = 0;

    *settings = (struct tournament_settings){.group = 2};
    while (system && found < TOURNAMENT_SYSTEM_COUNT &&
           strcmp(system, tournament_system_name((enum tournament_system)found)) != 0) {
        found++;
    }
    if (!system || found == TOURNAMENT_SYSTEM_COUNT) {
        return TOURNAMENT_REFUSED_BAD_SYSTEM;
    }
    settings->system = (enum tournament_system)found;
    if (!read_count(json_object_get(fields, "group"), TOURNAMENT_GROUP_MAX, &settings->group)) {
        return TOURNAMENT_REFUSED_BAD_GROUP;
    }
    if (!read_count(json_object_get(fields, "rounds"), TOURNAMENT_ROUNDS_MAX, &settings->rounds)) {
        return TOURNAMENT_REFUSED_BAD_ROUNDS;
    }
    if (!read_tables(json_object_get(fields, "tables"), settings)) {
        return TOURNAMENT_REFUSED_BAD_TABLES;
    }
    enum tournament_refusal refusal = read_players(json_object_get(fields, "players"), settings);
    for (unsigned i = 0; !refusal && i < settings->entrant_count; i++) {
        settings->entrants[i].lot = (unsigned)json_integer_value(json_array_get(lots, i));
    }
    return refusal;
}

static json_t *write_tables(const struct tournament_settings *settings)
{
    json_t *tables = json_array();

    for (unsigned i = 0; i < settings->table_count; i++) {
        json_array_append_new(tables, json_string(settings->tables[i]));
    }
    return tables;
}

json_t *tournament_write_settings(const struct tournament_settings *settings)
{
    json_t *players = json_array();
    json_t *lots = json_array();

    for (unsigned i = 0; i < settings->entrant_count; i++) {
        const struct tournament_entrant *entrant = &settings->entrants[i];
        json_array_append_new(players,
                              settings->has_teams
                                  ? json_pack("[s, s]", entrant->members[0], entrant->members[1])
                                  : json_string(entrant->members[0]));
        json_array_append_new(lots, json_integer(entrant->lot));
    }
    json_t *written = json_pack(
        "{s:s, s:i, s:o, s:o, s:o}", "system", tournament_system_name(settings->system), "group",
        (int)settings->group, "players", players, "tables", write_tables(settings), "lots", lots);
    if (settings->rounds) {
        json_object_set_new(written, "rounds", json_integer(settings->rounds));
    }
    return written;
}

/*
 * The state
 */

static json_t *write_players(const struct tournament_settings *settings)
{
    json_t *players = json_array();

    for (unsigned i = 0; i < settings->entrant_count; i++) {
        const struct tournament_entrant *entrant = &settings->entrants[i];
        char name[TOURNAMENT_MEMBERS_MAX * NAME_SIZE + 4];
        json_t *members = json_pack("[s]", entrant->members[0]);
        snprintf(name, sizeof name, "%s%s%s", entrant->members[0], settings->has_teams ? " & " : "",
                 entrant->members[1]);
        if (settings->has_teams) {
            json_array_append_new(members, json_string(entrant->members[1]));
        }
        json_array_append_new(players,
                              json_pack("{s:i, s:s, s:o, s:i, s:b}", "id", (int)i + 1, "name", name,
                                        "members", members, "lot", (int)entrant->lot, "withdrawn",
                                        entrant->is_withdrawn));
    }
    return players;
}

static json_t *write_result(const struct tournament *now, const struct tournament_pairing *pairing)
{
    const struct tournament_result *result = &pairing->result;
    json_t *places = json_array();
    json_t *scores = json_array();
    json_t *points = json_array();

    for (unsigned i = 0; i < pairing->count; i++) {
        json_array_append_new(places, json_integer(result->places[i]));
        json_array_append_new(scores, json_integer(result->scores[i]));
        json_array_append_new(points, json_integer(tournament_points(now, pairing, i)));
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "by", tournament_source_name(result->source),
                     "places", places, "scores", scores, "points", points, "game",
                     result->game[0] ? json_string(result->game) : json_null());
}

static json_t *write_pairings(const struct kept_tournament *kept)
{
    const struct tournament *now = &kept->now;
    json_t *pairings = json_array();

    for (unsigned i = 0; i < now->pairing_count; i++) {
        const struct tournament_pairing *pairing = &now->pairings[i];
        json_t *players = json_array();
        bool is_open = pairing->result.source == TOURNAMENT_BY_NONE;
        for (unsigned j = 0; j < pairing->count; j++) {
            json_array_append_new(players, json_integer(pairing->entrants[j] + 1));
        }
        json_array_append_new(pairings,
                              json_pack("{s:i, s:i, s:o, s:o, s:b, s:o}", "id", (int)i + 1, "round",
                                        (int)pairing->round, "players", players, "table",
                                        pairing->table == TOURNAMENT_NO_TABLE
                                            ? json_null()
                                            : json_string(now->settings.tables[pairing->table]),
                                        "playing", is_open && kept->is_played[i], "result",
                                        is_open ? json_null() : write_result(now, pairing)));
    }
    return pairings;
}

static json_t *write_standings(const struct tournament *now)
{
    struct tournament_standing standings[TOURNAMENT_ENTRANTS_MAX];
    json_t *list = json_array();

    tournament_rank(now, standings);
    for (unsigned i = 0; i < now->settings.entrant_count; i++) {
        const struct tournament_standing *it = &standings[i];
        json_array_append_new(
            list,
            json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o}", "player", (int)it->entrant + 1,
                      "place", (int)it->place, "played", (int)it->played, "points", (int)it->points,
                      "opponents", (int)it->opponents, "direct", (int)it->direct, "scores",
                      (int)it->scores, "behind",
                      i == 0 ? json_null() : json_string(tournament_criterion_name(it->behind))));
    }
    return list;
}

static json_t *write_criteria(const struct tournament *now)
{
    enum tournament_criterion criteria[TOURNAMENT_CRITERION_COUNT];
    unsigned count = tournament_criteria(now, criteria);
    json_t *list = json_array();

    for (unsigned i = 0; i < count; i++) {
        json_array_append_new(list, json_string(tournament_criterion_name(criteria[i])));
    }
    return list;
}

static json_t *write_undo(const struct kept_tournament *kept)
{
    if (kept->change_count == 0) {
        return json_null();
    }
    const struct tournament_change *change = &kept->changes[kept->change_count - 1];
    json_t *undo = json_pack("{s:s}", "verb", tournament_verb_name(change->verb));
    if (change->verb == TOURNAMENT_WITHDRAW_VERB) {
        json_object_set_new(undo, "player", json_integer(change->entrant + 1));
    } else if (change->verb != TOURNAMENT_ROUND_VERB) {
        json_object_set_new(undo, "pairing", json_integer(change->pairing + 1));
    }
    return undo;
}

char *tournament_write_state(const struct kept_tournament *kept)
{
    const struct tournament *now = &kept->now;
    const char *phase = now->round == 0 ? "before" : tournament_is_over(now) ? "over" : "playing";
    json_t *state = json_pack(
        "{s:i, s:s, s:s, s:s, s:I, s:s, s:i, s:b, s:s, s:i, s:o, s:b}", "v", 1, "tournament",
        kept->id, "name", kept->name, "began", kept->began, "seq", (json_int_t)kept->seq, "system",
        tournament_system_name(now->settings.system), "group", (int)now->settings.group, "teams",
        now->settings.has_teams, "phase", phase, "round", (int)now->round, "rounds",
        now->rounds ? json_integer(now->rounds) : json_null(), "can_pair",
        tournament_can_pair(now));

    if (!state) {
        return NULL;
    }
    json_object_set_new(state, "tables", write_tables(&now->settings));
    json_object_set_new(state, "players", write_players(&now->settings));
    json_object_set_new(state, "pairings", write_pairings(kept));
    json_object_set_new(state, "standings", write_standings(now));
    json_object_set_new(state, "tie_breaks", write_criteria(now));
    json_object_set_new(state, "undo", write_undo(kept));
    char *text = json_dumps(state, JSON_COMPACT);
    json_decref(state);
    return text;
}
