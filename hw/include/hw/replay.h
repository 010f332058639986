/*
 * A recording through the filters, to judge again what the lines did: no clock, no thread. Time is
 * told as it passes, so that whoever listens can do what is due in between.
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
    void (*time)(void *self, uint64_t now_us); /* it is this late: before whatever happens then */
    void (*fact)(void *self, const struct fact *fact); /* as it becomes certain */
    uint64_t (*due_us)(void *self); /* when it wants to be told the time; NULL: never */
};

struct replay;

/* Where a recording could not be read. */
struct replay_problem {
    unsigned line;
    char message[REPLAY_MESSAGE_SIZE];
};

/* NULL when there is no memory for it. */
struct replay *replay_open(const struct button_names *buttons,
                           const struct filter_settings *settings,
                           const struct replay_listener *listener);
void replay_close(struct replay *replay);

/* The time of the latest edge, or what was waited for after it. */
uint64_t replay_now_us(const struct replay *replay);

/*
 * Every edge of the file. Empty lines and those beginning with # are skipped. 0, or -EINVAL and the
 * first line that is no edge with a time, with all facts before it told.
 */
int replay_file(struct replay *replay, FILE *file, struct replay_problem *problem);

/* Time passes, and nothing moves. */
void replay_wait(struct replay *replay, uint64_t until_us);

/* The rope is measured from here; also from within the listener. */
void replay_zero_rope(struct replay *replay);

/* The sensor has missed what it should have seen: it is silent; also from within the listener. */
void replay_suspect(struct replay *replay, unsigned sensor);

#endif
