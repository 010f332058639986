/* The sensors of a real table: lines of the kernel's GPIO chips. */
#ifndef HW_REAL_H
#define HW_REAL_H

#include "backend.h"
#include "lines.h"

enum { REAL_RETRY_MIN_US = 100000, REAL_RETRY_MAX_US = 10000000 };

/*
 * Opens the lines of all sensors that are fitted. 0, or -errno with every problem told, each in a
 * sentence that names sensor and line. A chip that goes away later is told as news and opened again
 * when it is back; the others are not touched.
 */
int real_open(struct backend *backend, const char *default_chip,
              const struct line_config lines[SENSOR_COUNT], const struct sensor_names *names,
              lines_problem_fn *tell, void *context);

#endif
