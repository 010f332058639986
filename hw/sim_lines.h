/*
 * One client of the simulation: the lines it sends and the answers it gets, in bounded memory. No
 * I/O here; sim.c moves the bytes.
 */
#ifndef HW_SIM_LINES_H
#define HW_SIM_LINES_H

#include "edge_line.h"

enum {
    SIM_LINE_MAX = 128,      /* bytes of a line with its newline */
    SIM_INPUT_SIZE = 2048,   /* received and not understood yet */
    SIM_ANSWERS_SIZE = 4096, /* to be sent */
    SIM_ANSWER_SIZE = EDGE_ERROR_SIZE + 16,
};

/* Zeroed: a client that has said nothing. */
struct sim_lines {
    char input[SIM_INPUT_SIZE];
    size_t input_length;
    bool skipping; /* in a line that was too long already */
    char answers[SIM_ANSWERS_SIZE];
    size_t answers_length;
};

/* What a client can name, and ask for. */
struct sim_table {
    struct sensor_names names;
    uint8_t levels[SENSOR_COUNT]; /* as the last edge of each left it */
};

/*
 * Goes on to the next edge that the input holds, and answers every line on the way. False when
 * there is no whole line left, or no room for an answer. An edge without a time has
 * EDGE_UNTIMED_US; one later than latest_us is refused. `SENSOR ?` is no edge: it is answered with
 * the sensor's level.
 */
bool sim_lines_next(struct sim_lines *lines, const struct sim_table *table, uint64_t latest_us,
                    struct edge *edge);

/* Whether there is no room for another answer. */
bool sim_lines_full(const struct sim_lines *lines);

/* So many bytes of the answers have been sent. */
void sim_lines_sent(struct sim_lines *lines, size_t count);

#endif
