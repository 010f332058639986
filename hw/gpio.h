/* The GPIO backend: the sensors are lines of the kernel's GPIO chips. */
#ifndef HW_GPIO_H
#define HW_GPIO_H

#include "backend.h"
#include "lines.h"

enum { GPIO_RETRY_MIN_US = 100000, GPIO_RETRY_MAX_US = 10000000 };

/*
 * Opens the lines of all fitted sensors. 0, or -errno with every problem reported. A chip that goes
 * away later is reported as the status of its lines and opened again when it is back; the lines of
 * other chips are not affected.
 */
int gpio_open(struct backend *backend, const char *default_chip,
              const struct line_config lines[SENSOR_COUNT], const struct sensor_names *names,
              lines_problem_fn *report, void *context);

#endif
