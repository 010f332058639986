#include "tournament/tournament.h"

#include "pairing.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define WORD(name, word) word,
static const char *const systems[] = {TOURNAMENT_SYSTEMS(WORD)};
static const char *const sources[] = {TOURNAMENT_SOURCES(WORD)};
static const char *const verbs[] = {TOURNAMENT_VERBS(WORD)};
static const char *const criteria[] = {TOURNAMENT_CRITERIA(WORD)};
#undef WORD
#define REFUSAL_WORD(name, word, sentence) word,
static const char *const refusals[] = {TOURNAMENT_REFUSALS(REFUSAL_WORD)};
#undef REFUSAL_WORD
#define REFUSAL_SENTENCE(name, word, sentence) sentence,
static const char *const sentences[] = {TOURNAMENT_REFUSALS(REFUSAL_SENTENCE)};
#undef REFUSAL_SENTENCE

static_assert(NAME_CHARACTERS_MAX == 40 && NAME_SIZE - 1 == 160 && TOURNAMENT_TABLES_MAX == 32 &&
                  TOURNAMENT_GROUP_MAX == 4 && TOURNAMENT_ROUNDS_MAX == 64 &&
                  TOURNAMENT_PAIRINGS_MAX == 512 && TOURNAMENT_SCORE_MAX == 100000,
              "as the sentences say");

/* What a win is worth. Twelve can be divided by the opponents at tables of three and four. */
enum { WIN_OF_PAIR = 2, WIN_OF_GROUP = 12 };

const char *tournament_system_name(enum tournament_system system)
{
    return systems[system];
}

const char *tournament_source_name(enum tournament_source source)
{
    return sources[source];
}

const char *tournament_verb_name(enum tournament_verb verb)
{
    return verbs[verb];
}

const char *tournament_criterion_name(enum tournament_criterion criterion)
{
    return criteria[criterion];
}

const char *tournament_refusal_name(enum tournament_refusal refusal)
{
    return refusals[refusal];
}

const char *tournament_refusal_sentence(enum tournament_refusal refusal)
{
    return sentences[refusal];
}

/*
 * The beginning
 */

static bool are_lots_valid(const struct tournament_settings *settings)
{
    uint64_t drawn = 0;

    for (unsigned i = 0; i < settings->entrant_count; i++) {
        unsigned lot = settings->entrants[i].lot;
        if (lot < 1 || lot > settings->entrant_count || drawn & (UINT64_C(1) << (lot - 1))) {
            return false;
        }
        drawn |= UINT64_C(1) << (lot - 1);
    }
    return true;
}

enum tournament_refusal tournament_begin(const struct tournament_settings *settings,
                                         struct tournament *tournament)
{
    unsigned rounds_max = settings->entrant_count > 1 ? settings->entrant_count - 1 : 1;

    if (settings->entrant_count < 2 || settings->entrant_count > TOURNAMENT_ENTRANTS_MAX) {
        return TOURNAMENT_REFUSED_PLAYER_COUNT;
    }
    if (settings->group < 2 || settings->group > TOURNAMENT_GROUP_MAX) {
        return TOURNAMENT_REFUSED_GROUP_SIZE;
    }
    if (settings->group > 2 &&
        (settings->has_teams || settings->system == TOURNAMENT_ELIMINATION)) {
        return TOURNAMENT_REFUSED_PAIRS_ONLY;
    }
    if (settings->system != TOURNAMENT_SWISS && settings->rounds) {
        return TOURNAMENT_REFUSED_ROUNDS_FIXED;
    }
    if (settings->rounds > rounds_max) {
        return TOURNAMENT_REFUSED_TOO_MANY_ROUNDS;
    }
    if (settings->system == TOURNAMENT_ROUND_ROBIN && settings->entrant_count > 32) {
        return TOURNAMENT_REFUSED_ROUND_ROBIN_FULL;
    }
    if (!are_lots_valid(settings)) {
        return TOURNAMENT_REFUSED_LOTS;
    }
    *tournament = (struct tournament){.settings = *settings};
    tournament->rounds = pairing_rounds(settings);
    return TOURNAMENT_REFUSED_NONE;
}

/*
 * Results
 */

int32_t tournament_points(const struct tournament *tournament,
                          const struct tournament_pairing *pairing, unsigned member)
{
    int win = tournament->settings.group == 2 ? WIN_OF_PAIR : WIN_OF_GROUP;
    const struct tournament_result *result = &pairing->result;
    int beaten = 0;

    if (pairing->count == 1) { /* in a round robin everybody has as many byes */
        return tournament->settings.system == TOURNAMENT_ROUND_ROBIN ? 0 : win;
    }
    if (result->source == TOURNAMENT_BY_NONE) {
        return 0;
    }
    for (unsigned i = 0; i < pairing->count; i++) {
        beaten += i == member                                   ? 0
                  : result->places[i] > result->places[member]  ? 2
                  : result->places[i] == result->places[member] ? 1
                                                                : 0;
    }
    return win * beaten / (2 * ((int)pairing->count - 1));
}

static bool is_decided(const struct tournament *tournament,
                       const struct tournament_pairing *pairing)
{
    return pairing->count == 1 || (pairing->result.source != TOURNAMENT_BY_NONE &&
                                   (tournament->settings.system != TOURNAMENT_ELIMINATION ||
                                    pairing_winner(pairing) >= 0));
}

static bool is_round_decided(const struct tournament *tournament)
{
    for (unsigned i = 0; i < tournament->pairing_count; i++) {
        if (!is_decided(tournament, &tournament->pairings[i])) {
            return false;
        }
    }
    return true;
}

/* Without a number of rounds, a round robin ends when everybody has met everybody. */
static bool has_all_rounds(const struct tournament *tournament)
{
    unsigned count = tournament->settings.entrant_count;

    if (tournament->rounds) {
        return tournament->round == tournament->rounds;
    }
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = i + 1; j < count; j++) {
            if (!tournament->settings.entrants[i].is_withdrawn &&
                !tournament->settings.entrants[j].is_withdrawn &&
                !pairing_meetings(tournament, i, j)) {
                return false;
            }
        }
    }
    return true;
}

bool tournament_is_over(const struct tournament *tournament)
{
    return tournament->round > 0 && has_all_rounds(tournament) && is_round_decided(tournament);
}

bool tournament_can_pair(const struct tournament *tournament)
{
    return !(tournament->round > 0 && has_all_rounds(tournament)) && is_round_decided(tournament);
}

/* If all others have withdrawn, whoever is left wins without a game. */
static void look_for_walkover(const struct tournament *tournament,
                              struct tournament_pairing *pairing)
{
    unsigned left = 0;
    struct tournament_result result = {.source = TOURNAMENT_BY_WALKOVER};

    for (unsigned i = 0; i < pairing->count; i++) {
        bool is_out = tournament->settings.entrants[pairing->entrants[i]].is_withdrawn;
        result.places[i] = is_out ? 2 : 1;
        left += !is_out;
    }
    if (left == 0) { /* somebody has to go on */
        result.places[0] = 1;
    }
    if (pairing->count > 1 && left < 2 && pairing->result.source == TOURNAMENT_BY_NONE) {
        pairing->result = result;
    }
}

/* Places such as 1, 2, 2 or 1, 1, 3: each is one more than the number of those before it. */
static bool are_places_valid(const struct tournament_pairing *pairing, const uint8_t *places)
{
    for (unsigned i = 0; i < pairing->count; i++) {
        unsigned before = 0;
        for (unsigned j = 0; j < pairing->count; j++) {
            before += places[j] < places[i];
        }
        if (places[i] != before + 1) {
            return false;
        }
    }
    return true;
}

/* The line of a change holds no others. */
static bool are_scores_valid(const struct tournament_pairing *pairing, const int32_t *scores)
{
    for (unsigned i = 0; i < pairing->count; i++) {
        if (scores[i] < -TOURNAMENT_SCORE_MAX || scores[i] > TOURNAMENT_SCORE_MAX) {
            return false;
        }
    }
    return true;
}

static enum tournament_refusal take_result(struct tournament *tournament,
                                           const struct tournament_change *change)
{
    struct tournament_pairing *pairing = &tournament->pairings[change->pairing];
    bool is_elimination = tournament->settings.system == TOURNAMENT_ELIMINATION;
    struct tournament_pairing next = *pairing;

    if (pairing->count == 1) {
        return TOURNAMENT_REFUSED_BYE;
    }
    if (!are_places_valid(pairing, change->result.places)) {
        return TOURNAMENT_REFUSED_PLACES;
    }
    if (!are_scores_valid(pairing, change->result.scores)) {
        return TOURNAMENT_REFUSED_SCORE_RANGE;
    }
    next.result = change->result;
    if (is_elimination && pairing->round < tournament->round &&
        pairing_winner(&next) != pairing_winner(pairing)) {
        return TOURNAMENT_REFUSED_WINNER_PLAYS;
    }
    *pairing = next;
    return TOURNAMENT_REFUSED_NONE;
}

/*
 * Steps
 */

static enum tournament_refusal begin_round(struct tournament *tournament,
                                           const struct tournament_change *change)
{
    unsigned first = tournament->pairing_count;
    unsigned table = 0;

    if (!is_round_decided(tournament)) {
        return tournament->settings.system == TOURNAMENT_ELIMINATION
                   ? TOURNAMENT_REFUSED_WINNERS_MISSING
                   : TOURNAMENT_REFUSED_RESULTS_MISSING;
    }
    if (!tournament_can_pair(tournament)) {
        return TOURNAMENT_REFUSED_ALL_PLAYED;
    }
    if (!pairing_add_round(tournament, &change->seats)) {
        return TOURNAMENT_REFUSED_NO_ROOM;
    }
    tournament->after = change->after;
    for (unsigned i = first; i < tournament->pairing_count; i++) {
        struct tournament_pairing *pairing = &tournament->pairings[i];
        look_for_walkover(tournament, pairing);
        bool is_played = pairing->count > 1 && pairing->result.source == TOURNAMENT_BY_NONE;
        pairing->table = is_played && table < tournament->settings.table_count
                             ? (int)table++
                             : TOURNAMENT_NO_TABLE;
    }
    return TOURNAMENT_REFUSED_NONE;
}

static enum tournament_refusal withdraw(struct tournament *tournament, unsigned index)
{
    struct tournament_entrant *entrant = &tournament->settings.entrants[index];
    unsigned left = 0;

    for (unsigned i = 0; i < tournament->settings.entrant_count; i++) {
        left += !tournament->settings.entrants[i].is_withdrawn;
    }
    if (entrant->is_withdrawn) {
        return TOURNAMENT_REFUSED_WITHDRAWN;
    }
    if (left <= 2) {
        return TOURNAMENT_REFUSED_TOO_FEW_LEFT;
    }
    entrant->is_withdrawn = true;
    for (unsigned i = 0; i < tournament->pairing_count; i++) {
        look_for_walkover(tournament, &tournament->pairings[i]);
    }
    return TOURNAMENT_REFUSED_NONE;
}

enum tournament_refusal tournament_step(struct tournament *tournament,
                                        const struct tournament_change *change)
{
    bool is_of_pairing =
        change->verb == TOURNAMENT_RESULT_VERB || change->verb == TOURNAMENT_TABLE_VERB;

    if (is_of_pairing && change->pairing >= tournament->pairing_count) {
        return TOURNAMENT_REFUSED_NO_PAIRING;
    }
    switch (change->verb) {
    case TOURNAMENT_ROUND_VERB:
        return begin_round(tournament, change);
    case TOURNAMENT_RESULT_VERB:
        return take_result(tournament, change);
    case TOURNAMENT_TABLE_VERB:
        if (change->table != TOURNAMENT_NO_TABLE &&
            (change->table < 0 || (unsigned)change->table >= tournament->settings.table_count)) {
            return TOURNAMENT_REFUSED_NO_TABLE;
        }
        tournament->pairings[change->pairing].table = change->table;
        return TOURNAMENT_REFUSED_NONE;
    default:
        return change->entrant < tournament->settings.entrant_count
                   ? withdraw(tournament, change->entrant)
                   : TOURNAMENT_REFUSED_NO_PLAYER;
    }
}

struct tournament_seats tournament_seats(const struct tournament *tournament)
{
    struct tournament_seats seats = {.count = 0};

    for (unsigned i = 0; i < tournament->pairing_count; i++) {
        const struct tournament_pairing *pairing = &tournament->pairings[i];
        for (unsigned j = 0; pairing->round == tournament->round && j < pairing->count; j++) {
            seats.ends |= (uint64_t)(j + 1 == pairing->count) << seats.count;
            seats.entrants[seats.count++] = pairing->entrants[j];
        }
    }
    return seats;
}
