/*
 *  Push button: told when the contact is quiet, with the time of its first touch.
 *
 *  line     ____#_#_#######################_#________
 *               |   |<-- quiet -->|
 *             at_us            PRESSED
 *
 *  Rope button: a press is told when it is over, because until then it may become a hold.
 *
 *  line     ____#_#_############_#_____________          ____#_###################################
 *               |               |  |<-- quiet -->|           |<------ BUTTON_HOLD_US ------>|
 *             at_us            up        ROPE_PRESSED      at_us                        ROPE_HELD
 *
 *  A contact that is bouncing at the moment of the hold may be on its way up: what counts is when
 *  it began to go up, and that is known when it is quiet.
 */
#include "button.h"

void button_tick(struct settle *button, uint64_t now_us, uint64_t quiet_us, unsigned index,
                 struct fact_list *out)
{
    if (!settle_tick(button, now_us, quiet_us) || !button->decided) {
        return;
    }
    struct fact *fact = fact_list_add(out, FACT_PRESSED, SENSOR_BUTTON + index, button->began_us);
    fact->button = (uint8_t)index;
    fact->evidence.settle_us = (uint32_t)quiet_us;
    fact->evidence.bounces = button->bounces;
}

uint64_t rope_button_deadline_us(const struct rope_button *button, uint64_t quiet_us)
{
    if (button->waiting && !button->settle.restless) {
        return button->pressed_us + BUTTON_HOLD_US;
    }
    return settle_deadline_us(&button->settle, quiet_us);
}

static void tell(struct rope_button *button, enum fact_kind kind, uint64_t width_us,
                 struct fact_list *out)
{
    struct fact *fact = fact_list_add(out, kind, SENSOR_ROPE_BUTTON, button->pressed_us);

    fact->evidence.width_us = (uint32_t)width_us;
    fact->evidence.bounces = button->bounces;
    button->waiting = false;
}

void rope_button_tick(struct rope_button *button, uint64_t now_us, uint64_t quiet_us,
                      struct fact_list *out)
{
    struct settle *settle = &button->settle;

    if (settle_tick(settle, now_us, quiet_us)) {
        if (settle->decided) {
            button->pressed_us = settle->began_us;
            button->bounces = settle->bounces;
            button->waiting = true;
        } else if (button->waiting) {
            tell(button, FACT_ROPE_PRESSED, settle->began_us - button->pressed_us, out);
        }
    }
    if (button->waiting && !settle->restless && now_us >= button->pressed_us + BUTTON_HOLD_US) {
        tell(button, FACT_ROPE_HELD, BUTTON_HOLD_US, out);
    }
}
