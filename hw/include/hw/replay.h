/*
 * Replays a recording of edges through the filters, without a clock or a thread. The listener is
 * told the time as it passes, so that it can do what is due in between.
 */
#ifndef HW_REPLAY_H
#define HW_REPLAY_H

#include "hw/fact.h"
#include "hw/sensor.h"
#include "hw/settings.h"

#include <stdio.h>

enum { REPLAY_MESSAGE_SIZE = 160 };

struct replay_listener {
    void *self;
    void (*time)(void *self, uint64_t now_us); /* called before everything that happens then */
    void (*fact)(void *self,
                 const struct fact *fact); /* in the order in which they become certain */
    uint64_t (*due_us)(void *self);        /* when to call time next; NULL: never */
};

struct replay;

/* Where a recording could not be read. */
struct replay_problem {
    unsigned line;
    char message[REPLAY_MESSAGE_SIZE];
};

/* NULL: out of memory. */
struct replay *replay_open(const struct button_names *buttons,
                           const struct filter_settings *settings,
                           const struct replay_listener *listener);
void replay_close(struct replay *replay);

/* The time of the latest edge or of the last replay_wait. */
uint64_t replay_now_us(const struct replay *replay);

/*
 * Replays every edge of the file. Empty lines and those beginning with # are skipped. 0, or -EINVAL
 * and the first line that is not an edge with a time, after all facts before it.
 */
int replay_file(struct replay *replay, FILE *file, struct replay_problem *problem);

/* Lets time pass without edges. */
void replay_wait(struct replay *replay, uint64_t until_us);

/* As hw_zero_rope. May be called by the listener. */
void replay_zero_rope(struct replay *replay);

/* As hw_report_silent. May be called by the listener. */
void replay_report_silent(struct replay *replay, unsigned sensor);

#endif
