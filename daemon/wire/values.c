/* Words, times and sets, as all messages have them. */
#include "json.h"
#include "rules/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TIME_SIZE = 64, MILLI_SIZE = 32 };

void put_text_or_null(struct json_text *json, const char *key, const char *text)
{
    if (text[0]) {
        put_text(json, key, text);
    } else {
        put_null(json, key);
    }
}

void put_piece(struct json_text *json, const char *key, enum piece piece)
{
    put_word(json, key, piece ? rules_piece_name(piece) : NULL);
}

void put_rule(struct json_text *json, const char *key, enum rule rule)
{
    put_word(json, key, rule ? rules_rule_name(rule) : NULL);
}

void put_player(struct json_text *json, const char *key, unsigned player)
{
    if (player) {
        put_number(json, key, player);
    } else {
        put_null(json, key);
    }
}

/* 1500 is 1.5 and 2000 is 2: no more digits than needed. */
void put_milli(struct json_text *json, const char *key, int64_t milli)
{
    long long size = llabs(milli);
    char text[MILLI_SIZE];
    int length = snprintf(text, sizeof text, "%s%lld.%03lld", milli < 0 ? "-" : "", size / 1000,
                          size % 1000);

    while (text[length - 1] == '0') {
        text[--length] = '\0';
    }
    if (text[length - 1] == '.') {
        text[--length] = '\0';
    }
    put_json(json, key, text);
}

void put_time(struct json_text *json, const char *key, int64_t wall_ms)
{
    int64_t rest_ms = (wall_ms % 1000 + 1000) % 1000; /* also before 1970 */
    time_t seconds = (time_t)((wall_ms - rest_ms) / 1000);
    struct tm utc = {0};
    char text[TIME_SIZE];

    gmtime_r(&seconds, &utc);
    snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", utc.tm_year + 1900,
             utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, (int)rest_ms);
    put_word(json, key, text);
}

void put_players(struct json_text *json, const char *key, uint32_t players)
{
    open_list(json, key);
    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        if (players & bit(player)) {
            put_number(json, NULL, player);
        }
    }
    close_list(json);
}

void put_pieces(struct json_text *json, const char *key, uint32_t pieces)
{
    open_list(json, key);
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (pieces & bit(piece)) {
            put_piece(json, NULL, (enum piece)piece);
        }
    }
    close_list(json);
}

void put_harbours(struct json_text *json, uint32_t harbours)
{
    open_list(json, "harbours");
    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (harbours & (1U << harbour)) {
            put_word(json, NULL, rules_harbour_name((enum harbour)harbour));
        }
    }
    close_list(json);
}
