/*
 * Records raw edges in a file, one line each (edge_line.h), for bug reports and replays.
 *
 * A separate thread writes them, so that a slow card never delays the reading of an edge. When it
 * falls too far behind, edges are omitted, and a comment in the file says how many. Recording stops
 * at the first write error, and when the file has reached RECORDER_SIZE_MAX; the file then ends
 * with a whole line.
 */
#ifndef HW_RECORDER_H
#define HW_RECORDER_H

#include "hw/sensor.h"

#include <stddef.h>

/* About two million edges: a table left running does not fill the disk. */
enum { RECORDER_SIZE_MAX = 64 << 20 };

struct recorder;

/* Appends to the file, which must be a regular one. 0 or -errno. */
int recorder_open(struct recorder **recorder, const char *path, const struct button_names *buttons);

/* Never blocks on the file. Called by one thread. recorder may be NULL: nothing is recorded. */
void recorder_write(struct recorder *recorder, const struct edge *edges, size_t count);

/*
 * Why recording has stopped, once: -errno of a write, or -EFBIG for RECORDER_SIZE_MAX; else 0. Any
 * thread. recorder may be NULL.
 */
int recorder_take_problem(struct recorder *recorder);

/* Writes all edges to the file first. Accepts NULL. */
void recorder_close(struct recorder *recorder);

#endif
