/* A recording through the filters, to judge again what the lines did: no clock, no thread. */
#ifndef HW_REPLAY_H
#define HW_REPLAY_H

#include "edge_line.h"
#include "filters.h"

#include <stdio.h>

typedef void replay_fact_fn(void *context, const struct fact *fact);

/* Where a recording could not be read. */
struct replay_problem {
    unsigned line;
    char message[EDGE_ERROR_SIZE];
};

/*
 * Every edge of the file, then the time until tail_us after the last one; each fact is told as it
 * becomes certain. Empty lines and those beginning with # are skipped. 0, or -EINVAL and the first
 * line that is no edge with a time, with all facts before it told.
 */
int replay_file(FILE *file, const struct button_names *buttons,
                const struct filter_settings *settings, uint64_t tail_us, replay_fact_fn *tell,
                void *context, struct replay_problem *problem);

#endif
