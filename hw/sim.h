/*
 * The simulation backend: a unix stream socket. A client sends one edge of any sensor per line
 * (edge_line.h); each line is answered with `ok`, or `error: ` and a sentence.
 *
 * An edge with a time in the future (`@TIME SENSOR LEVEL`) moves the clock of the simulation
 * forward to that time, by up to a day. So a recording can be sent at once and is filtered as if
 * its time had passed. A time in the past is kept, like that of an edge that is read late; facts
 * that were emitted in the meantime stay.
 */
#ifndef HW_SIM_H
#define HW_SIM_H

#include "backend.h"
#include "hw/sensor.h"

enum { SIM_CLIENTS_MAX = 16 };

/*
 * 0 and the backend, or -errno: -EADDRINUSE when another process listens there, -EEXIST when the
 * path is not a socket. A socket file without a listener is replaced.
 */
int sim_open(struct backend *backend, const char *path, const struct button_names *buttons);

#endif
