/* Push buttons emit a press, the rope's button a press or a hold. Pure. */
#ifndef HW_BUTTON_H
#define HW_BUTTON_H

#include "debounce.h"
#include "hw/fact.h"

enum { BUTTON_HOLD_US = 1000000 };

/* Adds PRESSED when the push button is down. Its edges go to debounce_edge. */
void button_tick(struct debounce *button, uint64_t now_us, uint64_t quiet_us, unsigned index,
                 struct fact_list *out);

/* Zeroed: not pressed. */
struct rope_button {
    struct debounce contact;
    uint64_t pressed_us; /* when the press began */
    int32_t counts;      /* of the rope then */
    uint32_t bounces;    /* of the press */
    bool undecided;      /* pressed, and neither a press nor a hold yet */
};

uint64_t rope_button_deadline_us(const struct rope_button *button, uint64_t quiet_us);

/* counts: of the rope at this moment. */
void rope_button_edge(struct rope_button *button, uint64_t at_us, bool level, int32_t counts);

/* Adds ROPE_PRESSED or ROPE_HELD. The caller fills in the reading of the rope at this moment. */
void rope_button_tick(struct rope_button *button, uint64_t now_us, uint64_t quiet_us,
                      struct fact_list *out);

#endif
