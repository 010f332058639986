/* Finds the GPIO line of each sensor. Pure: the chips of the machine are a list. */
#ifndef HW_LINES_H
#define HW_LINES_H

#include "chip.h"
#include "hw/sensor.h"

enum { LINES_PROBLEM_SIZE = 256 };

struct line_place {
    unsigned chip; /* index in the list */
    uint32_t offset;
};

/* A sensor and its line. */
struct wire {
    uint16_t sensor; /* enum sensor */
    struct line_place place;
};

/* sensor is SENSOR_NONE if the problem does not concern the line of one sensor. */
typedef void lines_problem_fn(void *context, unsigned sensor, const char *message);

/*
 * Finds one line. default_chip is `auto` or "" when there is none. 0 and the place, or -errno and a
 * sentence that does not name the line: -ENOENT if there is no such line or chip, -ENOTUNIQ if
 * there are several.
 */
int lines_find(const struct chip_list *list, const char *default_chip,
               const struct line_config *line, struct line_place *place,
               char problem[LINES_PROBLEM_SIZE]);

/*
 * Finds the lines of all fitted sensors, in the order of sensors. Reports every line that is
 * missing, in use, or that of two sensors (in whatever spelling). Returns the number of wires, or
 * -errno of the first problem.
 */
int lines_find_all(const struct chip_list *list, const char *default_chip,
                   const struct line_config lines[SENSOR_COUNT], const struct sensor_names *names,
                   struct wire wires[SENSOR_COUNT], lines_problem_fn *report, void *context);

/* Reports a problem in a sentence that names sensor and line. */
void lines_report(const struct sensor_names *names, unsigned sensor, const struct line_config *line,
                  const char *reason, lines_problem_fn *report, void *context);

#endif
