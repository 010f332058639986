/* The table: daemon, rope, sensors, and the check before a game. */
#include "wire/wire.h"

#include "json_internal.h"

#include <string.h>

static void put_default_players(struct json_text *json, const struct setup *setup)
{
    open_list(json, "players");
    for (unsigned player = 1; player <= setup->players; player++) {
        const struct seat *seat = &setup->seats[player];
        open_object(json, NULL);
        put_text(json, "name", seat->name);
        put_harbours(json, seat->harbours);
        put_player(json, "team", seat->team);
        close_object(json);
    }
    close_list(json);
}

/* In the format of start-game, so that a client can change a field and send it back. */
static void put_defaults(struct json_text *json, const struct setup *setup)
{
    open_object(json, "defaults");
    put_word(json, "rules", rules_variant_name((enum variant)setup->variant));
    put_word(json, "scenario", rules_scenario_name((enum scenario_id)setup->scenario));
    put_truth(json, "teams", setup->teams);
    put_word(json, "dice", rules_dice_name((enum dice)setup->dice));
    if (setup->first) {
        put_number(json, "first", setup->first);
    } else {
        put_word(json, "first", "draw");
    }
    put_default_players(json, setup);
    close_object(json);
}

/* What a capture is worth in the next game, so that a client can explain it. */
static void put_points(struct json_text *json, const struct house *house)
{
    open_object(json, "points");
    put_number(json, "ship", house->ship_points);
    put_number(json, "tower", house->tower_points);
    put_number(json, "pirate", house->pirate_points);
    put_number(json, "chest", house->chest_points);
    put_number(json, "barrel", house->barrel_points);
    close_object(json);
}

char *wire_info(const struct wire_info *info)
{
    struct json_text json = json_begin();

    put_number(&json, "v", WIRE_VERSION);
    put_text(&json, "version", info->version);
    put_text(&json, "backend", info->backend);
    put_text(&json, "rules", info->rules);
    put_number(&json, "sensors", info->sensors);
    put_time(&json, "since", info->since_ms);
    put_text_or_null(&json, "storage", info->storage);
    put_number(&json, "lost_games", info->lost_games);
    open_list(&json, "faults");
    for (unsigned i = 0; i < info->fault_count; i++) {
        put_text(&json, NULL, info->faults[i]);
    }
    close_list(&json);
    put_defaults(&json, info->defaults);
    put_points(&json, &info->defaults->house);
    return json_end(&json);
}

char *wire_rope(const struct wire_rope *rope)
{
    struct json_text json = json_begin();

    put_milli(&json, "knots", rope->knots_milli);
    put_piece(&json, "piece", rope->piece);
    put_number(&json, "left", rope->left);
    put_truth(&json, "over", rope->over);
    put_number(&json, "counts", rope->counts);
    put_number(&json, "invalid", rope->invalid);
    put_number(&json, "presses", rope->presses);
    put_number(&json, "pressed_counts", rope->pressed_counts);
    return json_end(&json);
}

static void put_figure(struct json_text *json, const char *key, int16_t figure)
{
    if (figure != RADIO_UNKNOWN) {
        put_number(json, key, figure);
    }
}

static void put_radio(struct json_text *json, const struct wire_sensor *sensor)
{
    put_truth(json, "heard", sensor->heard_wall_ms != 0);
    if (sensor->heard_wall_ms) {
        put_time(json, "heard_at", sensor->heard_wall_ms);
    }
    put_figure(json, "battery", sensor->link->battery);
    put_figure(json, "linkquality", sensor->link->linkquality);
    put_figure(json, "rssi", sensor->link->rssi);
}

char *wire_sensor(const struct wire_sensor *sensor)
{
    struct json_text json = json_begin();

    put_number(&json, "value", sensor->level);
    put_word(&json, "health", rules_health_name(sensor->health));
    put_number(&json, "edges", sensor->edges);
    put_number(&json, "rate", sensor->rate);
    if (sensor->width_us) {
        put_number(&json, "width_us", sensor->width_us);
    } else {
        put_null(&json, "width_us");
    }
    if (sensor->wall_ms) {
        put_time(&json, "at", sensor->wall_ms);
    } else {
        put_null(&json, "at");
    }
    put_word(&json, "source", sensor->source);
    if (sensor->line[0]) {
        put_text(&json, "line", sensor->line);
    }
    if (sensor->link) {
        put_radio(&json, sensor);
    }
    return json_end(&json);
}

char *wire_pairing(const struct wire_pairing *pairing)
{
    struct json_text json = json_begin();

    put_number(&json, "v", WIRE_VERSION);
    put_text(&json, "sensor", pairing->sensor);
    put_word(&json, "step", pairing->step);
    put_word(&json, "reason", pairing->reason);
    open_list(&json, "candidates");
    for (unsigned i = 0; i < pairing->candidate_count; i++) {
        open_object(&json, NULL);
        put_text(&json, "name", pairing->candidates[i].name);
        put_text(&json, "source", pairing->candidates[i].source);
        close_object(&json);
    }
    close_list(&json);
    put_number(&json, "listening", pairing->listening);
    open_list(&json, "unsupported");
    for (unsigned i = 0; i < pairing->unsupported_count; i++) {
        put_text(&json, NULL, pairing->unsupported[i]);
    }
    close_list(&json);
    put_text(&json, "message", pairing->message);
    return json_end(&json);
}

/* Copies a name or path; false if it is too long. */
static bool replace(const char *from, char old, char new, char to[WIRE_SENSOR_SIZE])
{
    size_t length = strlen(from);

    if (length >= WIRE_SENSOR_SIZE) {
        return false;
    }
    for (size_t i = 0; i <= length; i++) {
        to[i] = from[i];
        if (from[i] == old) {
            to[i] = new;
        }
    }
    return true;
}

bool wire_sensor_path(const char *name, char path[WIRE_SENSOR_SIZE])
{
    return replace(name, '.', '/', path);
}

bool wire_sensor_name(const char *path, char name[WIRE_SENSOR_SIZE])
{
    return !strchr(path, '.') && replace(path, '/', '.', name);
}

char *wire_ready(const struct wire_ready *ready)
{
    struct json_text json = json_begin();

    put_number(&json, "v", WIRE_VERSION);
    put_text(&json, "check", ready->check);
    put_truth(&json, "ready", ready->ready);
    put_truth(&json, "autostart", ready->autostart);
    open_list(&json, "problems");
    for (unsigned i = 0; i < ready->problem_count; i++) {
        const struct wire_problem *problem = &ready->problems[i];
        open_object(&json, NULL);
        put_text(&json, "sensor", problem->sensor);
        put_piece(&json, "piece", problem->piece);
        put_text(&json, "message", problem->message);
        put_truth(&json, "blocks", problem->blocks);
        close_object(&json);
    }
    close_list(&json);
    return json_end(&json);
}
