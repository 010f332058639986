/*
 *  Push button: emitted when the contact is quiet, with the time of its first edge.
 *
 *  line     ____#_#_#######################_#________
 *               |   |<-- quiet -->|
 *             at_us            PRESSED
 *
 *  Rope button: a press is emitted when it is over, because until then it may become a hold.
 *
 *  line     ____#_#_############_#_____________          ____#_###################################
 *               |               |  |<-- quiet -->|           |<------ BUTTON_HOLD_US ------>|
 *             at_us         released     ROPE_PRESSED      at_us                        ROPE_HELD
 *
 *  The rope may be pulled on as soon as the button is down: its counts are kept at the first edge.
 *
 *  A contact that bounces when the hold is due may be a release: the start of the bouncing counts,
 *  and whether it was a release is known when the contact is quiet.
 */
#include "button.h"

void button_tick(struct debounce *button, uint64_t now_us, uint64_t quiet_us, unsigned index,
                 struct fact_list *out)
{
    if (!debounce_tick(button, now_us, quiet_us) || !button->stable) {
        return;
    }
    struct fact *fact = fact_list_add(out, FACT_PRESSED, SENSOR_BUTTON + index, button->began_us);
    fact->button = (uint8_t)index;
    fact->evidence.settle_us = (uint32_t)quiet_us;
    fact->evidence.bounces = button->bounces;
}

uint64_t rope_button_deadline_us(const struct rope_button *button, uint64_t quiet_us)
{
    if (button->undecided && !button->contact.bouncing) {
        return button->pressed_us + BUTTON_HOLD_US;
    }
    return debounce_deadline_us(&button->contact, quiet_us);
}

void rope_button_edge(struct rope_button *button, uint64_t at_us, bool level, int32_t counts)
{
    if (!button->contact.bouncing && !button->contact.stable) {
        button->counts = counts;
    }
    debounce_edge(&button->contact, at_us, level);
}

static void emit(struct rope_button *button, enum fact_kind kind, uint64_t width_us,
                 struct fact_list *out)
{
    struct fact *fact = fact_list_add(out, kind, SENSOR_ROPE_BUTTON, button->pressed_us);

    fact->pressed_counts = button->counts;
    fact->evidence.width_us = (uint32_t)width_us;
    fact->evidence.bounces = button->bounces;
    button->undecided = false;
}

void rope_button_tick(struct rope_button *button, uint64_t now_us, uint64_t quiet_us,
                      struct fact_list *out)
{
    struct debounce *contact = &button->contact;

    if (debounce_tick(contact, now_us, quiet_us)) {
        if (contact->stable) {
            button->pressed_us = contact->began_us;
            button->bounces = contact->bounces;
            button->undecided = true;
        } else if (button->undecided) {
            emit(button, FACT_ROPE_PRESSED, contact->began_us - button->pressed_us, out);
        }
    }
    if (button->undecided && !contact->bouncing && now_us >= button->pressed_us + BUTTON_HOLD_US) {
        emit(button, FACT_ROPE_HELD, BUTTON_HOLD_US, out);
    }
}
