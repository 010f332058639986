#include "wire_json.h"

#include "rules/game.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    TIME_SIZE = 64,
    TEXT_SIZE = 512,
    REAL_DIGITS = 10, /* of a number of thousandths in 32 bits: all of them, and no noise */
};

struct building begin_object(void)
{
    return (struct building){.json = json_object()};
}

struct building begin_list(void)
{
    return (struct building){.json = json_array()};
}

void put(struct building *object, const char *key, json_t *value)
{
    object->failed |= json_object_set_new_nocheck(object->json, key, value) != 0;
}

void append(struct building *list, json_t *value)
{
    list->failed |= json_array_append_new(list->json, value) != 0;
}

json_t *finish(struct building *building)
{
    if (building->failed) {
        json_decref(building->json);
        building->json = NULL;
    }
    return building->json;
}

char *finish_text(struct building *building)
{
    json_t *json = finish(building);
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(REAL_DIGITS));

    json_decref(json);
    return text;
}

json_t *json_text(const char *text)
{
    char plain[TEXT_SIZE];
    size_t length = 0;
    json_t *json = json_string(text);

    if (json) {
        return json;
    }
    for (; text[length] && length + 1 < sizeof plain; length++) {
        bool is_ascii = (unsigned char)text[length] < 0x80;
        plain[length] = '?';
        if (is_ascii) {
            plain[length] = text[length];
        }
    }
    return json_stringn_nocheck(plain, length);
}

json_t *json_text_or_null(const char *text)
{
    return text[0] ? json_text(text) : json_null();
}

json_t *json_piece(enum piece piece)
{
    return piece ? json_string_nocheck(rules_piece_name(piece)) : json_null();
}

json_t *json_rule(enum rule rule)
{
    return rule ? json_string_nocheck(rules_rule_name(rule)) : json_null();
}

json_t *json_player(unsigned player)
{
    return player ? json_integer(player) : json_null();
}

json_t *json_milli(int64_t milli)
{
    return milli % 1000 ? json_real((double)milli / 1000) : json_integer(milli / 1000);
}

json_t *json_time(int64_t wall_ms)
{
    int64_t rest_ms = (wall_ms % 1000 + 1000) % 1000; /* also before 1970 */
    time_t seconds = (time_t)((wall_ms - rest_ms) / 1000);
    struct tm utc = {0};
    char text[TIME_SIZE];

    gmtime_r(&seconds, &utc);
    size_t length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + length, sizeof text - length, ".%03dZ", (int)rest_ms);
    return json_string_nocheck(text);
}

json_t *json_players(uint32_t players)
{
    struct building list = begin_list();

    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        if (players & (UINT32_C(1) << player)) {
            append(&list, json_integer(player));
        }
    }
    return finish(&list);
}

json_t *json_pieces(uint32_t pieces)
{
    struct building list = begin_list();

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (pieces & (UINT32_C(1) << piece)) {
            append(&list, json_piece((enum piece)piece));
        }
    }
    return finish(&list);
}
