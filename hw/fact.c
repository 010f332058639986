#include "hw/fact.h"

#include <assert.h>

const char *fact_name(enum fact_kind kind)
{
#define FACT_NAME(name, word) [FACT_##name] = (word),
    static const char *const names[FACT_COUNT] = {HW_FACTS(FACT_NAME)};

    return (unsigned)kind < FACT_COUNT && names[kind] ? names[kind] : "?";
}

bool fact_is_of_game(enum fact_kind kind)
{
    switch (kind) {
    case FACT_ROPE_AT:
    case FACT_BLOCKED:
    case FACT_SENSED:
    case FACT_HEALTH:
        return false;
    default:
        return true;
    }
}

struct fact *fact_list_add(struct fact_list *list, enum fact_kind kind, unsigned sensor,
                           uint64_t at_us)
{
    assert(list->count < FACT_LIST_MAX);
    struct fact *fact = &list->facts[list->count++];
    *fact = (struct fact){
        .kind = kind,
        .at_us = at_us,
        .sensor = (uint16_t)sensor,
        .evidence = {.at_us = at_us, .sensor = (uint16_t)sensor},
    };
    return fact;
}
