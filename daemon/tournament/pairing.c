#include "pairing.h"

#include "matching.h"

#include <string.h>

static const struct tournament_entrant *entrant_of(const struct tournament *tournament,
                                                   unsigned index)
{
    return &tournament->settings.entrants[index];
}

static bool has_entrant(const struct tournament_pairing *pairing, unsigned entrant)
{
    for (unsigned i = 0; i < pairing->count; i++) {
        if (pairing->entrants[i] == entrant) {
            return true;
        }
    }
    return false;
}

unsigned pairing_meetings(const struct tournament *tournament, unsigned one, unsigned other)
{
    unsigned count = 0;

    for (unsigned i = 0; i < tournament->pairing_count; i++) {
        count += has_entrant(&tournament->pairings[i], one) &&
                 has_entrant(&tournament->pairings[i], other);
    }
    return count;
}

static unsigned byes_of(const struct tournament *tournament, unsigned entrant)
{
    unsigned count = 0;

    for (unsigned i = 0; i < tournament->pairing_count; i++) {
        const struct tournament_pairing *pairing = &tournament->pairings[i];
        count += pairing->count == 1 && pairing->entrants[0] == entrant;
    }
    return count;
}

static bool add(struct tournament *tournament, const uint8_t *entrants, unsigned count)
{
    if (tournament->pairing_count == TOURNAMENT_PAIRINGS_MAX) {
        return false;
    }
    struct tournament_pairing *pairing = &tournament->pairings[tournament->pairing_count++];
    *pairing = (struct tournament_pairing){
        .round = tournament->round, .count = count, .table = TOURNAMENT_NO_TABLE};
    memcpy(pairing->entrants, entrants, count);
    return true;
}

static bool add_pair(struct tournament *tournament, unsigned one, unsigned other)
{
    uint8_t pair[] = {(uint8_t)one, (uint8_t)other};

    return add(tournament, pair, 2);
}

static bool add_bye(struct tournament *tournament, unsigned entrant)
{
    uint8_t alone = (uint8_t)entrant;

    return add(tournament, &alone, 1);
}

/* The entrants that have not withdrawn, in an order. */
struct order {
    uint8_t entrants[TOURNAMENT_ENTRANTS_MAX];
    unsigned count;
};

static struct order order_by_lot(const struct tournament *tournament, bool with_withdrawn)
{
    struct order order = {.count = 0};

    for (unsigned lot = 1; lot <= tournament->settings.entrant_count; lot++) {
        for (unsigned i = 0; i < tournament->settings.entrant_count; i++) {
            const struct tournament_entrant *entrant = entrant_of(tournament, i);
            if (entrant->lot == lot && (with_withdrawn || !entrant->is_withdrawn)) {
                order.entrants[order.count++] = (uint8_t)i;
            }
        }
    }
    return order;
}

static struct order order_by_standings(const struct tournament *tournament)
{
    struct tournament_standing standings[TOURNAMENT_ENTRANTS_MAX];
    struct order order = {.count = 0};

    tournament_rank(tournament, standings);
    for (unsigned i = 0; i < tournament->settings.entrant_count; i++) {
        if (!entrant_of(tournament, standings[i].entrant)->is_withdrawn) {
            order.entrants[order.count++] = (uint8_t)standings[i].entrant;
        }
    }
    return order;
}

/*
 * Round robin of pairs: the circle method. The first seat stays, the others move on by one seat in
 * each round; whoever sits opposite is the opponent. With an odd number, one seat is empty.
 */

static bool pair_round_robin(struct tournament *tournament)
{
    struct order order = order_by_lot(tournament, true);
    unsigned seats = order.count + order.count % 2;
    unsigned turn = tournament->round - 1;
    bool fits = true;

    for (unsigned i = 0; fits && i < seats / 2; i++) {
        unsigned one = i == 0 ? 0 : 1 + (i - 1 + turn) % (seats - 1);
        unsigned other = 1 + (seats - 2 - i + turn) % (seats - 1);
        if (one >= order.count || other >= order.count) {
            unsigned left = order.entrants[one >= order.count ? other : one];
            fits = entrant_of(tournament, left)->is_withdrawn || add_bye(tournament, left);
        } else if (!entrant_of(tournament, order.entrants[one])->is_withdrawn ||
                   !entrant_of(tournament, order.entrants[other])->is_withdrawn) {
            fits = add_pair(tournament, order.entrants[one], order.entrants[other]);
        }
    }
    return fits;
}

/*
 * Swiss system of pairs: the best who is left meets the next one in the standings whom they have
 * not met, as long as the rest can be paired with the fewest possible repetitions. If there have to
 * be some, they fall on the last, and on those who have met least often.
 */

struct swiss { /* all by index of the order */
    struct order order;
    uint8_t meetings[TOURNAMENT_ENTRANTS_MAX][TOURNAMENT_ENTRANTS_MAX];
    uint64_t unmet[TOURNAMENT_ENTRANTS_MAX];
    uint64_t left; /* who is not paired yet */
};

static void look_back(const struct tournament *tournament, struct swiss *swiss)
{
    const struct order *order = &swiss->order;

    for (unsigned i = 0; i < order->count; i++) {
        swiss->left |= UINT64_C(1) << i;
        for (unsigned j = 0; j < order->count; j++) {
            unsigned count = pairing_meetings(tournament, order->entrants[i], order->entrants[j]);
            swiss->meetings[i][j] = (uint8_t)count;
            if (i != j && count == 0) {
                swiss->unmet[i] |= UINT64_C(1) << j;
            }
        }
    }
}

static unsigned new_pairs(const struct swiss *swiss, uint64_t without)
{
    return matching_size(swiss->unmet, swiss->left & ~without);
}

/* The bye goes to the last of those who have had the fewest, with the fewest repetitions. */
static unsigned choose_bye(const struct tournament *tournament, const struct swiss *swiss)
{
    unsigned byes[TOURNAMENT_ENTRANTS_MAX];
    unsigned fewest = TOURNAMENT_ROUNDS_MAX;
    unsigned most_pairs = 0;
    unsigned chosen = swiss->order.count;

    for (unsigned i = 0; i < swiss->order.count; i++) {
        byes[i] = byes_of(tournament, swiss->order.entrants[i]);
        fewest = byes[i] < fewest ? byes[i] : fewest;
    }
    for (unsigned i = swiss->order.count; i > 0; i--) {
        unsigned pairs = byes[i - 1] == fewest ? new_pairs(swiss, UINT64_C(1) << (i - 1)) : 0;
        if (byes[i - 1] == fewest && (chosen == swiss->order.count || pairs > most_pairs)) {
            chosen = i - 1;
            most_pairs = pairs;
        }
    }
    return chosen;
}

/* The first of those who have met least often, and with whom there are as many new pairs. */
static unsigned choose_partner(const struct swiss *swiss, unsigned first)
{
    unsigned pairs = new_pairs(swiss, 0);

    for (unsigned meetings = 0; meetings <= TOURNAMENT_ROUNDS_MAX; meetings++) {
        for (unsigned i = first + 1; i < swiss->order.count; i++) {
            uint64_t both = UINT64_C(1) << first | UINT64_C(1) << i;
            if (swiss->left & (UINT64_C(1) << i) && swiss->meetings[first][i] == meetings &&
                new_pairs(swiss, both) + (meetings == 0) == pairs) {
                return i;
            }
        }
    }
    return swiss->order.count;
}

static bool pair_swiss(struct tournament *tournament, const struct order *order)
{
    struct swiss swiss = {.order = *order};
    unsigned bye = order->count;
    bool fits = true;

    look_back(tournament, &swiss);
    if (order->count % 2) {
        bye = choose_bye(tournament, &swiss);
        swiss.left &= ~(UINT64_C(1) << bye);
    }
    for (unsigned i = 0; fits && i < order->count; i++) {
        if (swiss.left & (UINT64_C(1) << i)) {
            unsigned partner = choose_partner(&swiss, i);
            swiss.left &= ~(UINT64_C(1) << i | UINT64_C(1) << partner);
            fits = add_pair(tournament, order->entrants[i], order->entrants[partner]);
        }
    }
    return fits && (bye == order->count || add_bye(tournament, order->entrants[bye]));
}

/*
 * Tables of three or four, as equal in size as possible. The first who is left is joined by those
 * who have met the table least, in the given order.
 */

static unsigned meetings_with(const struct tournament *tournament, const uint8_t *group,
                              unsigned count, unsigned entrant)
{
    unsigned meetings = 0;

    for (unsigned i = 0; i < count; i++) {
        meetings += pairing_meetings(tournament, group[i], entrant);
    }
    return meetings;
}

static bool pair_groups(struct tournament *tournament, const struct order *order)
{
    unsigned tables = (order->count + tournament->settings.group - 1) / tournament->settings.group;
    struct tournament before = *tournament; /* meetings of this round do not count */
    uint64_t taken = 0;
    bool fits = true;

    for (unsigned table = 0; fits && table < tables; table++) {
        unsigned size = order->count / tables + (table < order->count % tables);
        uint8_t group[TOURNAMENT_GROUP_MAX];
        for (unsigned count = 0; count < size; count++) {
            unsigned best = order->count;
            unsigned fewest = 0;
            for (unsigned i = 0; i < order->count; i++) {
                unsigned meetings = meetings_with(&before, group, count, order->entrants[i]);
                if (!(taken & (UINT64_C(1) << i)) && (best == order->count || meetings < fewest)) {
                    best = i;
                    fewest = meetings;
                }
            }
            taken |= UINT64_C(1) << best;
            group[count] = order->entrants[best];
        }
        fits = add(tournament, group, size);
    }
    return fits;
}

/* Whoever has met the fewest comes first, and so meets somebody new in every round. */
static struct order order_by_unmet(const struct tournament *tournament)
{
    struct order order = order_by_lot(tournament, false);
    unsigned met[TOURNAMENT_ENTRANTS_MAX] = {0};

    for (unsigned i = 0; i < order.count; i++) {
        for (unsigned j = 0; j < order.count; j++) {
            met[order.entrants[i]] +=
                pairing_meetings(tournament, order.entrants[i], order.entrants[j]) > 0;
        }
    }
    for (unsigned i = 1; i < order.count; i++) {
        uint8_t entrant = order.entrants[i];
        unsigned at = i;
        for (; at > 0 && met[order.entrants[at - 1]] > met[entrant]; at--) {
            order.entrants[at] = order.entrants[at - 1];
        }
        order.entrants[at] = entrant;
    }
    return order;
}

/*
 * Elimination
 */

int pairing_winner(const struct tournament_pairing *pairing)
{
    int winner = pairing->count == 1 ? pairing->entrants[0] : -1;

    for (unsigned i = 0; pairing->result.source != TOURNAMENT_BY_NONE && i < pairing->count; i++) {
        if (pairing->result.places[i] == 1) {
            if (winner >= 0) {
                return -1; /* a tie */
            }
            winner = pairing->entrants[i];
        }
    }
    return winner;
}

/* The first lots get the byes, and meet each other as late as possible: 1-8 4-5 2-7 3-6. */
static bool pair_first_elimination(struct tournament *tournament)
{
    struct order order = order_by_lot(tournament, true);
    unsigned bracket[TOURNAMENT_ENTRANTS_MAX] = {0};
    unsigned size = 1;
    bool fits = true;

    while (size < order.count) {
        size *= 2;
        for (unsigned i = size / 2; i > 0; i--) {
            unsigned lot = bracket[i - 1];
            bracket[2 * i - 2] = lot;
            bracket[2 * i - 1] = size - 1 - lot;
        }
    }
    for (unsigned i = 0; fits && i < size; i += 2) {
        unsigned one = bracket[i];
        unsigned other = bracket[i + 1];
        fits = other >= order.count
                   ? add_bye(tournament, order.entrants[one])
                   : add_pair(tournament, order.entrants[one], order.entrants[other]);
    }
    return fits;
}

static bool pair_elimination(struct tournament *tournament)
{
    unsigned end = tournament->pairing_count;
    unsigned first = end;
    bool fits = true;

    if (tournament->round == 1) {
        return pair_first_elimination(tournament);
    }
    while (first > 0 && tournament->pairings[first - 1].round == tournament->round - 1) {
        first--;
    }
    for (; fits && first + 1 < end; first += 2) {
        fits = add_pair(tournament, (unsigned)pairing_winner(&tournament->pairings[first]),
                        (unsigned)pairing_winner(&tournament->pairings[first + 1]));
    }
    return fits;
}

/*
 * Rounds
 */

static unsigned halvings(unsigned count)
{
    unsigned rounds = 0;

    for (unsigned size = 1; size < count; size *= 2) {
        rounds++;
    }
    return rounds;
}

unsigned pairing_rounds(const struct tournament_settings *settings)
{
    unsigned count = settings->entrant_count;

    switch (settings->system) {
    case TOURNAMENT_ROUND_ROBIN:
        return settings->group > 2 ? 0 : count - 1 + count % 2;
    case TOURNAMENT_SWISS:
        return settings->rounds ? settings->rounds : halvings(count);
    default:
        return halvings(count);
    }
}

static bool pair_round(struct tournament *tournament)
{
    bool has_groups = tournament->settings.group > 2;
    struct order order;

    switch (tournament->settings.system) {
    case TOURNAMENT_ROUND_ROBIN:
        order = order_by_unmet(tournament);
        return has_groups ? pair_groups(tournament, &order) : pair_round_robin(tournament);
    case TOURNAMENT_SWISS:
        order = order_by_standings(tournament);
        return has_groups ? pair_groups(tournament, &order) : pair_swiss(tournament, &order);
    default:
        return pair_elimination(tournament);
    }
}

/* A round that was paired before. Each entrant is there once at most. */
static bool repeat_round(struct tournament *tournament, const struct tournament_seats *seats)
{
    uint64_t seated = 0;
    unsigned first = 0;

    for (unsigned i = 0; i < seats->count; i++) {
        unsigned entrant = seats->entrants[i];
        if (entrant >= tournament->settings.entrant_count || seated & (UINT64_C(1) << entrant) ||
            i - first >= tournament->settings.group) {
            return false;
        }
        seated |= UINT64_C(1) << entrant;
        if (seats->ends & (UINT64_C(1) << i)) {
            if (!add(tournament, seats->entrants + first, i + 1 - first)) {
                return false;
            }
            first = i + 1;
        }
    }
    return first == seats->count;
}

bool pairing_add_round(struct tournament *tournament, const struct tournament_seats *seats)
{
    unsigned before = tournament->pairing_count;

    tournament->round++;
    bool fits = seats->count > 0 ? repeat_round(tournament, seats) : pair_round(tournament);
    if (!fits || tournament->round > TOURNAMENT_ROUNDS_MAX) {
        while (tournament->pairing_count > before) {
            tournament->pairings[--tournament->pairing_count] = (struct tournament_pairing){0};
        }
        tournament->round--;
        return false;
    }
    return true;
}
