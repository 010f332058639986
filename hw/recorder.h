/*
 * Raw edges to a file, one line each (edge_line.h), for bug reports and replays.
 *
 * A thread of its own writes them, so that a slow card never delays the reading of an edge. When
 * it falls behind too far, edges are left out of the file, and a comment in it says how many.
 */
#ifndef HW_RECORDER_H
#define HW_RECORDER_H

#include "hw/sensor.h"

#include <stddef.h>

struct recorder;

/* Appends to the file. 0 or -errno. */
int recorder_open(struct recorder **recorder, const char *path, const struct button_names *buttons);

/* Never blocks on the file. Called by one thread. recorder may be NULL: nothing is recorded. */
void recorder_write(struct recorder *recorder, const struct edge *edges, size_t count);

/* Everything written so far is in the file then. Accepts NULL. */
void recorder_close(struct recorder *recorder);

#endif
