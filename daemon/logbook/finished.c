#include "finished.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct found {
    struct finished_game *games;
    unsigned count;
};

/* number, game, table, person, team, place, points: a row for each seat. */
static int take_seat(void *context, const char *const *columns)
{
    struct found *found = context;
    int64_t number = strtoll(columns[0], NULL, 10);

    if (found->count == 0 || found->games[found->count - 1].number != number) {
        if (found->count == FINISHED_GAMES_MAX) {
            return 1;
        }
        struct finished_game *game = &found->games[found->count++];
        *game = (struct finished_game){.number = number};
        snprintf(game->game, sizeof game->game, "%s", columns[1]);
        snprintf(game->table, sizeof game->table, "%s", columns[2]);
    }
    struct finished_game *game = &found->games[found->count - 1];
    if (game->count < FINISHED_SEATS_MAX) {
        struct finished_seat *seat = &game->seats[game->count++];
        snprintf(seat->person, sizeof seat->person, "%s", columns[3]);
        seat->team = columns[4] ? (int)strtol(columns[4], NULL, 10) : 0;
        seat->place = (unsigned)strtoul(columns[5], NULL, 10);
        seat->points = strtoll(columns[6], NULL, 10);
    }
    return 0;
}

int finished_find(struct book *book, int64_t after, struct finished_game games[FINISHED_GAMES_MAX],
                  unsigned *count)
{
    struct found found = {games, 0};
    int error = book_run(
        book,
        "SELECT g.number, g.game, g.table_name, COALESCE(p.root, s.person), s.team, r.place, "
        "r.points FROM game g JOIN seat s ON s.game = g.number JOIN ranking r ON r.game = g.number "
        "AND r.seat = s.seat AND r.seq = (SELECT MAX(o.seq) FROM event o WHERE o.game = g.number "
        "AND o.type = 'game-over' AND o.undone = 0) LEFT JOIN person p ON p.person = s.person "
        "WHERE g.number > $1 AND g.ended IS NOT NULL AND g.table_name <> '' ORDER BY g.number, "
        "s.seat",
        BOOK_PARAMETERS(NUMBER(after)), take_seat, &found);

    *count = found.count;
    return error < 0 ? error : 0;
}

int finished_find_open(struct book *book, int64_t after,
                       struct finished_game games[FINISHED_GAMES_MAX], unsigned *count)
{
    struct found found = {games, 0};
    int error = book_run(
        book,
        "SELECT g.number, g.game, g.table_name, COALESCE(p.root, s.person), s.team, '0', '0' FROM "
        "game g JOIN seat s ON s.game = g.number LEFT JOIN person p ON p.person = s.person WHERE "
        "g.number > $1 AND g.ended IS NULL AND g.table_name <> '' AND g.number = (SELECT "
        "MAX(n.number) FROM game n WHERE n.table_name = g.table_name AND n.number > $1) ORDER BY "
        "g.number, s.seat",
        BOOK_PARAMETERS(NUMBER(after)), take_seat, &found);

    *count = found.count;
    return error < 0 ? error : 0;
}

static int take_person(void *context, const char *const *columns)
{
    snprintf(context, PERSON_SIZE, "%s", columns[0]);
    return 0;
}

int finished_find_persons(struct book *book, const struct tournament_settings *settings,
                          char (*persons)[PERSON_SIZE])
{
    unsigned members = settings->has_teams ? TOURNAMENT_MEMBERS_MAX : 1;
    int error = 0;

    for (unsigned i = 0; !error && i < settings->entrant_count * members; i++) {
        char *person = persons[i / members * TOURNAMENT_MEMBERS_MAX + i % members];
        char key[PERSON_SIZE];
        person_key(settings->entrants[i / members].members[i % members], key);
        memcpy(person, key, sizeof key);
        error = book_run(book, "SELECT root FROM person WHERE person = $1",
                         BOOK_PARAMETERS(TEXT(key)), take_person, person);
    }
    return error;
}

/* The seat of a person in a game, or NULL. */
static const struct finished_seat *seat_of(const struct finished_game *game, const char *person)
{
    for (unsigned i = 0; i < game->count; i++) {
        if (strcmp(game->seats[i].person, person) == 0) {
            return &game->seats[i];
        }
    }
    return NULL;
}

/* The seats of an entrant, with the points of both members of a team. False: they did not play so.
 */
static bool find_entrant(const struct finished_game *game, char (*persons)[PERSON_SIZE],
                         bool has_teams, struct finished_seat *sum)
{
    const struct finished_seat *one = seat_of(game, persons[0]);
    const struct finished_seat *other = has_teams ? seat_of(game, persons[1]) : NULL;

    if (!one || (has_teams ? !other || !one->team || one->team != other->team : one->team != 0)) {
        return false;
    }
    *sum = *one;
    sum->points += other ? other->points : 0;
    return true;
}

/* Those who have withdrawn since the pairing are not expected at the table, and come last. */
static bool fits(const struct tournament *tournament, char (*persons)[PERSON_SIZE],
                 const struct tournament_pairing *pairing, const struct finished_game *game,
                 struct tournament_result *result)
{
    const struct tournament_settings *settings = &tournament->settings;
    struct finished_seat sums[TOURNAMENT_GROUP_MAX] = {0};
    unsigned expected = 0;

    for (unsigned i = 0; i < pairing->count; i++) {
        unsigned entrant = pairing->entrants[i];
        sums[i].place = FINISHED_SEATS_MAX + 1;
        if (settings->entrants[entrant].is_withdrawn) {
            continue;
        }
        expected += settings->has_teams ? TOURNAMENT_MEMBERS_MAX : 1;
        if (!find_entrant(game, persons + (size_t)entrant * TOURNAMENT_MEMBERS_MAX,
                          settings->has_teams, &sums[i])) {
            return false;
        }
        if (llabs(sums[i].points) > TOURNAMENT_SCORE_MAX) { /* for a referee to decide */
            return false;
        }
    }
    *result = (struct tournament_result){.source = TOURNAMENT_BY_TABLE};
    for (unsigned i = 0; i < pairing->count; i++) {
        unsigned before = 0;
        for (unsigned j = 0; j < pairing->count; j++) {
            before += sums[j].place < sums[i].place;
        }
        result->places[i] = (uint8_t)(before + 1);
        result->scores[i] = (int32_t)sums[i].points;
    }
    memcpy(result->game, game->game, sizeof result->game);
    return expected == game->count;
}

bool finished_match(const struct tournament *tournament, char (*persons)[PERSON_SIZE],
                    const struct finished_game *game, struct tournament_change *change)
{
    for (unsigned i = 0; i < tournament->pairing_count; i++) {
        const struct tournament_pairing *pairing = &tournament->pairings[i];
        const struct tournament_result *known = &pairing->result;
        bool is_open =
            known->source == TOURNAMENT_BY_NONE ||
            (known->source == TOURNAMENT_BY_TABLE && strcmp(known->game, game->game) == 0);
        bool is_at_table = pairing->table == TOURNAMENT_NO_TABLE ||
                           strcmp(tournament->settings.tables[pairing->table], game->table) == 0;
        *change = (struct tournament_change){.verb = TOURNAMENT_RESULT_VERB, .pairing = i};
        if (pairing->round == tournament->round && pairing->count > 1 && is_open && is_at_table &&
            fits(tournament, persons, pairing, game, &change->result)) {
            return true;
        }
    }
    return false;
}
