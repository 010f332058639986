#include "pairing.h"
#include "tournament/tournament.h"

#include <string.h>

/* Above 0: `one` is ahead. */
typedef int64_t compare_fn(const struct tournament *tournament,
                           const struct tournament_standing *one,
                           const struct tournament_standing *other);

static int64_t by_points(const struct tournament *tournament, const struct tournament_standing *one,
                         const struct tournament_standing *other)
{
    (void)tournament;
    return (int64_t)one->points - other->points;
}

static int64_t by_opponents(const struct tournament *tournament,
                            const struct tournament_standing *one,
                            const struct tournament_standing *other)
{
    (void)tournament;
    return (int64_t)one->opponents - other->opponents;
}

static int64_t by_direct(const struct tournament *tournament, const struct tournament_standing *one,
                         const struct tournament_standing *other)
{
    (void)tournament;
    return (int64_t)one->direct - other->direct;
}

static int64_t by_scores(const struct tournament *tournament, const struct tournament_standing *one,
                         const struct tournament_standing *other)
{
    (void)tournament;
    return (int64_t)one->scores - other->scores;
}

static int64_t by_lot(const struct tournament *tournament, const struct tournament_standing *one,
                      const struct tournament_standing *other)
{
    const struct tournament_entrant *entrants = tournament->settings.entrants;

    return (int64_t)entrants[other->entrant].lot - entrants[one->entrant].lot;
}

static compare_fn *const comparisons[TOURNAMENT_CRITERION_COUNT] = {
    [TOURNAMENT_BY_POINTS_CRITERION] = by_points,
    [TOURNAMENT_BY_OPPONENTS_CRITERION] = by_opponents,
    [TOURNAMENT_BY_DIRECT_CRITERION] = by_direct,
    [TOURNAMENT_BY_SCORES_CRITERION] = by_scores,
    [TOURNAMENT_BY_LOT_CRITERION] = by_lot,
};

/* In a round robin all have the same opponents; who is out of an elimination shares the place. */
unsigned tournament_criteria(const struct tournament *tournament,
                             enum tournament_criterion criteria[TOURNAMENT_CRITERION_COUNT])
{
    unsigned count = 0;

    if (tournament->settings.system == TOURNAMENT_ELIMINATION) {
        return 0;
    }
    if (tournament->settings.system == TOURNAMENT_SWISS) {
        criteria[count++] = TOURNAMENT_BY_OPPONENTS_CRITERION;
    }
    criteria[count++] = TOURNAMENT_BY_DIRECT_CRITERION;
    criteria[count++] = TOURNAMENT_BY_SCORES_CRITERION;
    criteria[count++] = TOURNAMENT_BY_LOT_CRITERION;
    return count;
}

/* Points, games and scores, by entrant. */
static void add_results(const struct tournament *tournament, struct tournament_standing *standings)
{
    for (unsigned i = 0; i < tournament->pairing_count; i++) {
        const struct tournament_pairing *pairing = &tournament->pairings[i];
        bool is_played = pairing->count > 1 && pairing->result.source != TOURNAMENT_BY_NONE;
        for (unsigned j = 0; j < pairing->count; j++) {
            struct tournament_standing *standing = &standings[pairing->entrants[j]];
            standing->points += tournament_points(tournament, pairing, j);
            standing->played += is_played;
            standing->scores += is_played ? pairing->result.scores[j] : 0;
        }
    }
}

static void add_opponents(const struct tournament *tournament,
                          struct tournament_standing *standings)
{
    for (unsigned i = 0; i < tournament->pairing_count; i++) {
        const struct tournament_pairing *pairing = &tournament->pairings[i];
        for (unsigned j = 0; j < pairing->count; j++) {
            for (unsigned k = 0; k < pairing->count; k++) {
                standings[pairing->entrants[j]].opponents +=
                    j != k ? standings[pairing->entrants[k]].points : 0;
            }
        }
    }
}

/* Twice the number of those beaten, and once for a tie, among the standings of one group. */
static int32_t direct_points(const struct tournament *tournament,
                             const struct tournament_standing *group, unsigned count, unsigned own)
{
    int32_t points = 0;

    for (unsigned i = 0; i < tournament->pairing_count; i++) {
        const struct tournament_pairing *pairing = &tournament->pairings[i];
        const uint8_t *places = pairing->result.places;
        for (unsigned j = 0; j < pairing->count; j++) {
            bool is_own =
                pairing->entrants[j] == own && pairing->result.source != TOURNAMENT_BY_NONE;
            for (unsigned k = 0; is_own && k < pairing->count; k++) {
                for (unsigned at = 0; at < count; at++) {
                    if (j != k && group[at].entrant == pairing->entrants[k]) {
                        points += places[k] > places[j] ? 2 : places[k] == places[j];
                    }
                }
            }
        }
    }
    return points;
}

static void add_direct(const struct tournament *tournament, struct tournament_standing *group,
                       unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = i + 1; j < count; j++) {
            if (!pairing_meetings(tournament, group[i].entrant, group[j].entrant)) {
                return;
            }
        }
    }
    for (unsigned i = 0; i < count; i++) {
        group[i].direct = direct_points(tournament, group, count, group[i].entrant);
    }
}

/* A stable sort: what an earlier criterion has decided stays. */
static void sort(const struct tournament *tournament, struct tournament_standing *group,
                 unsigned count, compare_fn *compare)
{
    for (unsigned i = 1; i < count; i++) {
        struct tournament_standing standing = group[i];
        unsigned at = i;
        for (; at > 0 && compare(tournament, &standing, &group[at - 1]) > 0; at--) {
            group[at] = group[at - 1];
        }
        group[at] = standing;
    }
}

/* Sorts each run of standings that are equal so far by one more criterion. */
static void separate(const struct tournament *tournament, struct tournament_standing *standings,
                     unsigned count, enum tournament_criterion criterion)
{
    for (unsigned first = 0, next; first < count; first = next) {
        next = first + 1;
        while (next < count && standings[next].behind == TOURNAMENT_BY_SHARED_CRITERION) {
            next++;
        }
        struct tournament_standing *group = standings + first;
        if (criterion == TOURNAMENT_BY_DIRECT_CRITERION && next - first > 1) {
            add_direct(tournament, group, next - first);
        }
        enum tournament_criterion behind = group[0].behind;
        group[0].behind = TOURNAMENT_BY_SHARED_CRITERION;
        sort(tournament, group, next - first, comparisons[criterion]);
        group[0].behind = behind;
        for (unsigned i = first + 1; i < next; i++) {
            if (comparisons[criterion](tournament, &standings[i - 1], &standings[i]) != 0) {
                standings[i].behind = criterion;
            }
        }
    }
}

void tournament_rank(const struct tournament *tournament,
                     struct tournament_standing standings[TOURNAMENT_ENTRANTS_MAX])
{
    enum tournament_criterion criteria[TOURNAMENT_CRITERION_COUNT];
    unsigned criterion_count = tournament_criteria(tournament, criteria);
    unsigned count = tournament->settings.entrant_count;

    for (unsigned i = 0; i < count; i++) {
        standings[i] = (struct tournament_standing){.entrant = i};
    }
    add_results(tournament, standings);
    add_opponents(tournament, standings);
    separate(tournament, standings, count, TOURNAMENT_BY_POINTS_CRITERION);
    for (unsigned i = 0; i < criterion_count; i++) {
        separate(tournament, standings, count, criteria[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        bool is_shared = i > 0 && standings[i].behind == TOURNAMENT_BY_SHARED_CRITERION;
        standings[i].place = is_shared ? standings[i - 1].place : i + 1;
    }
}
