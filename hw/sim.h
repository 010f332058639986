/*
 * The simulated table: a unix stream socket on which every sensor can be moved, one line an edge
 * (edge_line.h), each answered `ok` or `error: ` and a sentence.
 *
 * An edge with a time (`@TIME SENSOR LEVEL`) that lies ahead moves the clock of the simulation
 * forward to it, by up to a day, and from there the clock goes on. A recording can thus be sent as
 * fast as it is read and is judged as if its time had passed. A time that has passed already is
 * kept as it is, like that of an edge which was a little late to be read; what was decided in the
 * meantime stays decided.
 */
#ifndef HW_SIM_H
#define HW_SIM_H

#include "backend.h"
#include "hw/sensor.h"

enum { SIM_CLIENTS_MAX = 16 };

/*
 * 0 and the backend, or -errno: -EADDRINUSE when somebody listens there already, -EEXIST when the
 * path is something else than a socket. A socket file that a dead process left is replaced.
 */
int sim_open(struct backend *backend, const char *path, const struct button_names *buttons);

#endif
