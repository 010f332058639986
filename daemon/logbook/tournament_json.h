/* Tournaments as JSON: the settings that are stored, and the state of `tournament/ID`. */
#ifndef LOGBOOK_TOURNAMENT_JSON_H
#define LOGBOOK_TOURNAMENT_JSON_H

#include "stamp.h"
#include "tournament/tournament.h"

#include <jansson.h>

/* A tournament with its changes that count. */
struct kept_tournament {
    char id[STAMP_ID_SIZE];
    int64_t number; /* in the database */
    char name[NAME_SIZE];
    char began[STAMP_TIME_SIZE];
    struct tournament_settings settings;
    struct tournament now;
    uint32_t seq; /* of the last stored change, undos among them */
    struct tournament_change *changes;
    unsigned change_count;
    bool is_played[TOURNAMENT_PAIRINGS_MAX]; /* a game of this pairing is open */
    bool is_stale; /* after an error: whether the last change was stored is not known */
};

/* Reads the fields of open-tournament, with lots or without them (then all are 0). */
enum tournament_refusal tournament_read_settings(const json_t *fields,
                                                 struct tournament_settings *settings);

/* The settings as they are stored, to be released. */
json_t *tournament_write_settings(const struct tournament_settings *settings);

/* To be freed; NULL: out of memory. */
char *tournament_write_state(const struct kept_tournament *kept);

#endif
