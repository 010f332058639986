/* Buttons: push buttons tell the press, the rope's button also tells press from hold. Pure. */
#ifndef HW_BUTTON_H
#define HW_BUTTON_H

#include "fact_list.h"
#include "settle.h"

enum { BUTTON_HOLD_US = 1000000 };

/* Adds PRESSED when it is certain that the push button went down. Edges go to settle_edge. */
void button_tick(struct settle *button, uint64_t now_us, uint64_t quiet_us, unsigned index,
                 struct fact_list *out);

/* Zeroed: not pressed. */
struct rope_button {
    struct settle settle;
    uint64_t pressed_us; /* when the press began */
    uint32_t bounces;    /* of the press */
    bool waiting;        /* pressed, and neither PRESSED nor HELD was told yet */
};

uint64_t rope_button_deadline_us(const struct rope_button *button, uint64_t quiet_us);

/* Adds ROPE_PRESSED or ROPE_HELD; knots_milli of the fact is for the caller to fill in. */
void rope_button_tick(struct rope_button *button, uint64_t now_us, uint64_t quiet_us,
                      struct fact_list *out);

#endif
