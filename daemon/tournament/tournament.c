#include "tournament/tournament.h"

#include "pairing.h"

#include <stdio.h>
#include <string.h>

#define WORD(name, word) word,
static const char *const systems[] = {TOURNAMENT_SYSTEMS(WORD)};
static const char *const sources[] = {TOURNAMENT_SOURCES(WORD)};
static const char *const verbs[] = {TOURNAMENT_VERBS(WORD)};
static const char *const criteria[] = {TOURNAMENT_CRITERIA(WORD)};
#undef WORD

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

static bool refuse(struct text *problem, const char *sentence)
{
    text_add(problem, sentence);
    return false;
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

bool tournament_begin(const struct tournament_settings *settings, struct tournament *tournament,
                      struct text *problem)
{
    unsigned rounds_max = settings->entrant_count > 1 ? settings->entrant_count - 1 : 1;

    if (settings->entrant_count < 2 || settings->entrant_count > TOURNAMENT_ENTRANTS_MAX) {
        return refuse(problem, "A tournament is for 2 to 64 players or teams.");
    }
    if (settings->group < 2 || settings->group > TOURNAMENT_GROUP_MAX) {
        return refuse(problem, "There are 2 to 4 players at a table.");
    }
    if (settings->group > 2 &&
        (settings->has_teams || settings->system == TOURNAMENT_ELIMINATION)) {
        return refuse(problem, "Teams and an elimination are played by two at a table.");
    }
    if (settings->system != TOURNAMENT_SWISS && settings->rounds) {
        return refuse(problem, "Only a Swiss system has a chosen number of rounds.");
    }
    if (settings->rounds > rounds_max) {
        return refuse(problem, "There are fewer rounds than players or teams.");
    }
    if (settings->system == TOURNAMENT_ROUND_ROBIN && settings->entrant_count > 32) {
        return refuse(problem, "A round robin is for up to 32 players or teams.");
    }
    if (!are_lots_valid(settings)) {
        return refuse(problem, "Everybody needs a lot of their own.");
    }
    *tournament = (struct tournament){.settings = *settings};
    tournament->rounds = pairing_rounds(settings);
    return true;
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

static bool take_result(struct tournament *tournament, const struct tournament_change *change,
                        struct text *problem)
{
    struct tournament_pairing *pairing = &tournament->pairings[change->pairing];
    bool is_elimination = tournament->settings.system == TOURNAMENT_ELIMINATION;
    struct tournament_pairing next = *pairing;

    if (pairing->count == 1) {
        return refuse(problem, "A bye has no result.");
    }
    if (!are_places_valid(pairing, change->result.places)) {
        return refuse(problem, "Expected a place for each player, such as 1, 2, 2 or 1, 1, 3.");
    }
    if (!are_scores_valid(pairing, change->result.scores)) {
        return refuse(problem, "A score is between -100000 and 100000.");
    }
    next.result = change->result;
    if (is_elimination && pairing->round < tournament->round &&
        pairing_winner(&next) != pairing_winner(pairing)) {
        return refuse(problem,
                      "The winner plays in the next round already: undo that round first.");
    }
    *pairing = next;
    return true;
}

/*
 * Steps
 */

static bool begin_round(struct tournament *tournament, const struct tournament_change *change,
                        struct text *problem)
{
    unsigned first = tournament->pairing_count;
    unsigned table = 0;

    if (!is_round_decided(tournament)) {
        return refuse(problem, tournament->settings.system == TOURNAMENT_ELIMINATION
                                   ? "Each pairing needs a single winner first."
                                   : "Each pairing of this round needs a result first.");
    }
    if (!tournament_can_pair(tournament)) {
        return refuse(problem, "All rounds have been played.");
    }
    if (!pairing_add_round(tournament)) {
        return refuse(problem, "There is no room for another round: a tournament has up to 64 "
                               "rounds and 512 pairings.");
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
    return true;
}

static bool withdraw(struct tournament *tournament, unsigned index, struct text *problem)
{
    struct tournament_entrant *entrant = &tournament->settings.entrants[index];
    unsigned left = 0;

    for (unsigned i = 0; i < tournament->settings.entrant_count; i++) {
        left += !tournament->settings.entrants[i].is_withdrawn;
    }
    if (entrant->is_withdrawn) {
        return refuse(problem, "They have withdrawn already.");
    }
    if (left <= 2) {
        return refuse(problem, "A tournament needs two players or teams.");
    }
    entrant->is_withdrawn = true;
    for (unsigned i = 0; i < tournament->pairing_count; i++) {
        look_for_walkover(tournament, &tournament->pairings[i]);
    }
    return true;
}

bool tournament_step(struct tournament *tournament, const struct tournament_change *change,
                     struct text *problem)
{
    bool is_of_pairing =
        change->verb == TOURNAMENT_RESULT_VERB || change->verb == TOURNAMENT_TABLE_VERB;

    if (is_of_pairing && change->pairing >= tournament->pairing_count) {
        return refuse(problem, "There is no such pairing.");
    }
    switch (change->verb) {
    case TOURNAMENT_ROUND_VERB:
        return begin_round(tournament, change, problem);
    case TOURNAMENT_RESULT_VERB:
        return take_result(tournament, change, problem);
    case TOURNAMENT_TABLE_VERB:
        if (change->table != TOURNAMENT_NO_TABLE &&
            (change->table < 0 || (unsigned)change->table >= tournament->settings.table_count)) {
            return refuse(problem, "The tournament has no such table.");
        }
        tournament->pairings[change->pairing].table = change->table;
        return true;
    case TOURNAMENT_WITHDRAW_VERB:
        return change->entrant < tournament->settings.entrant_count
                   ? withdraw(tournament, change->entrant, problem)
                   : refuse(problem, "There is no such player or team.");
    default:
        return refuse(problem, "There is no such change.");
    }
}
