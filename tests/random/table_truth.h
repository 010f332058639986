/*
 * What the disk says: every game that is on it, played again from its records without the table.
 * The events must be those that a subscriber has seen, and what was answered ok must be there.
 */
#ifndef RANDOM_TABLE_TRUTH_H
#define RANDOM_TABLE_TRUTH_H

#include "tests/support/fake_table.h"
#include "tests/support/fake_view.h"

/* A command that was answered ok. */
struct promise {
    char id[COMMAND_ID_SIZE];
    unsigned seq;
};

struct promises {
    struct promise *made;
    size_t count;
};

/*
 * NULL, or what is wrong: an event that was seen is not on the disk or differs, a promise is not
 * kept, or, when everything should have arrived, an event has not. Nothing must be failing.
 */
const char *truth_compare(const struct fake_table *fake, const struct fake_view *view,
                          const struct promises *promises, bool everything_arrived);

#endif
