#include "tournament/tournament.h"

#include "rules/text.h"

#include <stdlib.h>
#include <string.h>

static void add_list(struct text *text, const char *name, unsigned count, const int32_t *numbers)
{
    text_add(text, name);
    for (unsigned i = 0; i < count; i++) {
        text_add(text, i ? "," : "=");
        text_add_number(text, numbers[i]);
    }
}

static void write_result(const struct tournament *tournament,
                         const struct tournament_change *change, struct text *text)
{
    const struct tournament_result *result = &change->result;
    unsigned count = tournament->pairings[change->pairing].count;
    int32_t places[TOURNAMENT_GROUP_MAX];

    for (unsigned i = 0; i < count; i++) {
        places[i] = result->places[i];
    }
    add_list(text, " places", count, places);
    add_list(text, " scores", count, result->scores);
    if (result->source == TOURNAMENT_BY_TABLE) {
        text_add(text, " game=");
        text_add(text, result->game);
    }
}

static void write_round(const struct tournament_change *change, struct text *text)
{
    const struct tournament_seats *seats = &change->seats;

    text_add(text, "after=");
    text_add_number(text, change->after);
    for (unsigned i = 0; i < seats->count; i++) {
        bool is_first = i == 0 || seats->ends & (UINT64_C(1) << (i - 1));
        text_add(text, i == 0 ? " pairings=" : is_first ? "," : "-");
        text_add_number(text, seats->entrants[i] + 1);
    }
}

void tournament_write_change(const struct tournament *tournament,
                             const struct tournament_change *change,
                             char line[TOURNAMENT_LINE_SIZE])
{
    struct text text = text_begin(line, TOURNAMENT_LINE_SIZE);

    text_add(&text, tournament_verb_name(change->verb));
    text_add(&text, " ");
    switch (change->verb) {
    case TOURNAMENT_ROUND_VERB:
        write_round(change, &text);
        break;
    case TOURNAMENT_WITHDRAW_VERB:
        text_add_number(&text, change->entrant + 1);
        break;
    case TOURNAMENT_TABLE_VERB:
        text_add_number(&text, change->pairing + 1);
        text_add(&text, " ");
        text_add_number(&text, change->table + 1);
        break;
    default:
        text_add_number(&text, change->pairing + 1);
        write_result(tournament, change, &text);
    }
}

/* Numbers separated by commas; what follows them is moved to *rest. */
static bool read_list(const char **rest, const char *name, unsigned count, int32_t *numbers)
{
    size_t length = strlen(name);

    if (strncmp(*rest, name, length) != 0) {
        return false;
    }
    *rest += length;
    for (unsigned i = 0; i < count; i++) {
        char *end;
        long number = strtol(*rest, &end, 10);
        if (end == *rest || labs(number) > TOURNAMENT_SCORE_MAX ||
            *end != (i + 1 < count ? ',' : *end)) {
            return false;
        }
        numbers[i] = (int32_t)number;
        *rest = end + (i + 1 < count);
    }
    return true;
}

static bool read_result(const struct tournament *tournament, const char *rest,
                        struct tournament_change *change)
{
    static const char of_game[] = " game=";
    struct tournament_result *result = &change->result;
    unsigned count = tournament->pairings[change->pairing].count;
    int32_t places[TOURNAMENT_GROUP_MAX];

    if (!read_list(&rest, " places=", count, places) ||
        !read_list(&rest, " scores=", count, result->scores)) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        result->places[i] = (uint8_t)places[i];
    }
    result->source = *rest ? TOURNAMENT_BY_TABLE : TOURNAMENT_BY_REFEREE;
    if (*rest) {
        struct text game = text_begin(result->game, sizeof result->game);
        bool is_game = strncmp(rest, of_game, strlen(of_game)) == 0;
        text_add(&game, is_game ? rest + strlen(of_game) : "");
        return is_game;
    }
    return true;
}

/* Pairings as 1-4,3-2,5. */
static bool read_seats(const char *rest, struct tournament_seats *seats)
{
    bool has_more = true;

    while (has_more && seats->count < TOURNAMENT_ENTRANTS_MAX) {
        char *end;
        long entrant = *rest >= '1' && *rest <= '9' ? strtol(rest, &end, 10) : 0;
        if (entrant < 1 || entrant > TOURNAMENT_ENTRANTS_MAX || !strchr("-,", *end)) {
            return false;
        }
        seats->ends |= (uint64_t)(*end != '-') << seats->count;
        seats->entrants[seats->count++] = (uint8_t)(entrant - 1);
        has_more = *end;
        rest = end + 1;
    }
    return !has_more;
}

static bool read_round(const char *line, struct tournament_change *change)
{
    static const char of_round[] = "round after=";
    static const char of_pairings[] = " pairings=";
    char *rest;

    if (strncmp(line, of_round, strlen(of_round)) != 0 || !line[strlen(of_round)]) {
        return false;
    }
    change->after = strtoll(line + strlen(of_round), &rest, 10);
    return !*rest || (strncmp(rest, of_pairings, strlen(of_pairings)) == 0 &&
                      read_seats(rest + strlen(of_pairings), &change->seats));
}

bool tournament_read_change(const struct tournament *tournament, const char *line,
                            struct tournament_change *change)
{
    size_t length = strcspn(line, " ");
    unsigned verb = 0;
    char *rest;

    *change = (struct tournament_change){.table = TOURNAMENT_NO_TABLE};
    while (verb < TOURNAMENT_VERB_COUNT &&
           (strlen(tournament_verb_name((enum tournament_verb)verb)) != length ||
            strncmp(tournament_verb_name((enum tournament_verb)verb), line, length) != 0)) {
        verb++;
    }
    change->verb = (enum tournament_verb)verb;
    if (verb == TOURNAMENT_ROUND_VERB) {
        return read_round(line, change);
    }
    long number = strtol(line + length, &rest, 10);
    if (verb == TOURNAMENT_VERB_COUNT || rest == line + length || number < 1 ||
        number > TOURNAMENT_PAIRINGS_MAX) {
        return false;
    }
    change->entrant = (unsigned)number - 1;
    change->pairing = (unsigned)number - 1;
    if (verb == TOURNAMENT_WITHDRAW_VERB) {
        return !*rest;
    }
    if (change->pairing >= tournament->pairing_count) {
        return false;
    }
    if (verb == TOURNAMENT_TABLE_VERB) {
        bool has_table = *rest;
        long table = strtol(rest, &rest, 10);
        change->table = (int)table - 1;
        return has_table && !*rest && table >= 0 && table <= TOURNAMENT_TABLES_MAX;
    }
    return read_result(tournament, rest, change);
}
