#include "matching.h"

#include <string.h>

/*
 * The algorithm of Edmonds: as long as there is a path between two who are alone, on which every
 * second step is a pair, the pairs along it are exchanged, which gives one more. A cycle of odd
 * length on the way (a blossom) counts as a single member, its base.
 */

enum { MEMBERS = TOURNAMENT_ENTRANTS_MAX, NOBODY = 0xff };

struct search {
    const uint64_t *allowed;
    uint64_t set;
    uint8_t partners[MEMBERS];
    uint8_t parents[MEMBERS]; /* the way back to the root, by every second member */
    uint8_t bases[MEMBERS];
    uint64_t reached;
    uint8_t queue[MEMBERS];
    unsigned queued;
};

static bool has(uint64_t set, unsigned member)
{
    return set & (UINT64_C(1) << member);
}

static void reach(struct search *search, unsigned member)
{
    search->reached |= UINT64_C(1) << member;
    search->queue[search->queued++] = (uint8_t)member;
}

/* The base in which the ways of two members back to the root meet. */
static unsigned common_base(const struct search *search, unsigned one, unsigned other)
{
    uint64_t passed = 0;

    for (;;) {
        one = search->bases[one];
        passed |= UINT64_C(1) << one;
        if (search->partners[one] == NOBODY) {
            break;
        }
        one = search->parents[search->partners[one]];
    }
    while (!has(passed, search->bases[other])) {
        other = search->parents[search->partners[search->bases[other]]];
    }
    return search->bases[other];
}

/* The bases on the way to the base of the blossom; the way can be gone from the other side now. */
static uint64_t mark_way(struct search *search, unsigned member, unsigned base, unsigned from)
{
    uint64_t bases = 0;

    while (search->bases[member] != base) {
        unsigned partner = search->partners[member];
        bases |= UINT64_C(1) << search->bases[member] | UINT64_C(1) << search->bases[partner];
        search->parents[member] = (uint8_t)from;
        from = partner;
        member = search->parents[partner];
    }
    return bases;
}

static void contract(struct search *search, unsigned one, unsigned other)
{
    unsigned base = common_base(search, one, other);
    uint64_t bases = mark_way(search, one, base, other) | mark_way(search, other, base, one);

    for (unsigned i = 0; i < MEMBERS; i++) {
        if (has(search->set, i) && has(bases, search->bases[i])) {
            search->bases[i] = (uint8_t)base;
            if (!has(search->reached, i)) {
                reach(search, i);
            }
        }
    }
}

/* Whether the step leads to somebody who is alone. */
static bool step(struct search *search, unsigned root, unsigned from, unsigned to)
{
    unsigned partner = search->partners[to];

    if (search->bases[from] == search->bases[to] || search->partners[from] == to) {
        return false;
    }
    if (to == root || (partner != NOBODY && search->parents[partner] != NOBODY)) {
        contract(search, from, to);
        return false;
    }
    if (search->parents[to] == NOBODY) {
        search->parents[to] = (uint8_t)from;
        if (partner == NOBODY) {
            return true;
        }
        reach(search, partner);
    }
    return false;
}

/* The end of a path from the root, or NOBODY. */
static unsigned find_path(struct search *search, unsigned root)
{
    memset(search->parents, NOBODY, sizeof search->parents);
    for (unsigned i = 0; i < MEMBERS; i++) {
        search->bases[i] = (uint8_t)i;
    }
    search->reached = 0;
    search->queued = 0;
    reach(search, root);
    for (unsigned i = 0; i < search->queued; i++) {
        unsigned from = search->queue[i];
        for (unsigned to = 0; to < MEMBERS; to++) {
            if (has(search->set & search->allowed[from], to) && step(search, root, from, to)) {
                return to;
            }
        }
    }
    return NOBODY;
}

unsigned matching_size(const uint64_t allowed[TOURNAMENT_ENTRANTS_MAX], uint64_t set)
{
    struct search search = {.allowed = allowed, .set = set};
    unsigned pairs = 0;

    memset(search.partners, NOBODY, sizeof search.partners);
    for (unsigned root = 0; root < MEMBERS; root++) {
        if (!has(set, root) || search.partners[root] != NOBODY) {
            continue;
        }
        unsigned end = find_path(&search, root);
        pairs += end != NOBODY;
        while (end != NOBODY) {
            unsigned parent = search.parents[end];
            unsigned next = search.partners[parent];
            search.partners[end] = (uint8_t)parent;
            search.partners[parent] = (uint8_t)end;
            end = next;
        }
    }
    return pairs;
}
