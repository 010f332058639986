/*
 * Pairing: finds the sensor over MQTT that a person moves, and has it stored as the source of a
 * sensor of the table.
 *
 *   tip     listens to all sensors that are announced (wire/discovery.h), and to all nodes
 *   raise   something has changed; what changes back is the sensor, and its value in between is the
 *           active one. If its value before was not known, the value that it then keeps for a while
 *           is the one at rest
 *   done    it is stored; failed: not within a minute, it is that of another sensor, or it cannot
 *           be stored
 *
 * If several have changed and changed back, none is taken: they are listed, and the person is asked
 * to repeat.
 */
#ifndef TABLE_PAIRING_H
#define TABLE_PAIRING_H

#include "sources.h"

enum {
    PAIRING_US = 60000000,
    PAIRING_OTHERS_US = 1000000,
    PAIRING_REST_US = 5000000,
    PAIRING_CANDIDATES_MAX = 64,
    PAIRING_UNSUPPORTED_MAX = 16
};

struct pairing;

/* All of them outlive it; base is PREFIX/TABLE/. 0 or -ENOMEM. */
int pairing_open(struct pairing **opened, const struct table_ports *ports, struct sources *sources,
                 const char *base);
void pairing_close(struct pairing *pairing);

/* Begins anew; whatever was going on is cancelled. */
void pairing_begin(struct pairing *pairing, unsigned sensor);
void pairing_cancel(struct pairing *pairing);

void pairing_connected(struct pairing *pairing);
void pairing_message(struct pairing *pairing, const struct bus_news *message);

/* The result of ports.sensors.pair, for what is being paired. */
void pairing_stored(struct pairing *pairing, int error);

/* Does what is due at this time of the clock; when something will be, 0 if nothing will. */
void pairing_tick(struct pairing *pairing, uint64_t at_us);
uint64_t pairing_due_us(const struct pairing *pairing);

#endif
