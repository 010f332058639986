/*
 * Which line of which chip each sensor is wired to. Pure: the chips of the machine are given as a
 * list, so that a test can make up its own.
 */
#ifndef HW_LINES_H
#define HW_LINES_H

#include "hw/line.h"
#include "hw/sensor.h"

#include <stddef.h>

enum {
    CHIPS_MAX = 32,
    CHIP_PATH_SIZE = 64,
    CHIP_NAME_SIZE = 32, /* also of labels, lines and their users: what the kernel has room for */
    LINES_PROBLEM_SIZE = 256,
};

struct chip_line {
    char name[CHIP_NAME_SIZE]; /* "": it has none */
    char user[CHIP_NAME_SIZE]; /* who has it, if they said so */
    bool used;
};

struct chip_info {
    char path[CHIP_PATH_SIZE];
    char name[CHIP_NAME_SIZE];
    char label[CHIP_NAME_SIZE];
    struct chip_line *lines; /* on the heap, of the list */
    unsigned line_count;
};

/* Zeroed: no chips. */
struct chip_list {
    struct chip_info chips[CHIPS_MAX];
    unsigned count;
};

void chip_list_clear(struct chip_list *list);

/* NULL is a name, too: none. */
void chip_name_copy(char target[CHIP_NAME_SIZE], const char *source);

struct line_place {
    unsigned chip; /* index in the list */
    uint32_t offset;
};

/* A sensor and the line that it was found on. */
struct wire {
    uint16_t sensor; /* enum sensor */
    struct line_place place;
};

/* sensor is SENSOR_NONE where the problem is not that of one sensor's line. */
typedef void lines_problem_fn(void *context, unsigned sensor, const char *message);

/*
 * Finds one line. default_chip is `auto` or "" when there is none. 0 and the place, or -errno and a
 * sentence that does not name the line: -ENOENT when there is no such line or chip, -ENOTUNIQ when
 * there are several.
 */
int lines_find(const struct chip_list *list, const char *default_chip,
               const struct line_config *line, struct line_place *place,
               char problem[LINES_PROBLEM_SIZE]);

/*
 * Finds the lines of all sensors that are fitted and writes them in the order of sensors. A line
 * that is missing, in use or shared by two sensors (however they spell it) is told, each in a
 * sentence with sensor and line. The number of wires, or the -errno of the first problem.
 */
int lines_find_all(const struct chip_list *list, const char *default_chip,
                   const struct line_config lines[SENSOR_COUNT], const struct sensor_names *names,
                   struct wire wires[SENSOR_COUNT], lines_problem_fn *tell, void *context);

/* Tells what is wrong with the line of a sensor, in such a sentence. */
void lines_complain(const struct sensor_names *names, unsigned sensor,
                    const struct line_config *line, const char *reason, lines_problem_fn *tell,
                    void *context);

#endif
