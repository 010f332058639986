/*
 * The protocol of one client of the simulation: lines in, answers out, in bounded memory. Pure:
 * sim.c moves the bytes.
 */
#ifndef HW_SIM_CLIENT_H
#define HW_SIM_CLIENT_H

#include "edge_line.h"

enum {
    SIM_LINE_MAX = 128,      /* bytes of a line with its newline */
    SIM_INPUT_SIZE = 2048,   /* received and not parsed yet */
    SIM_ANSWERS_SIZE = 4096, /* to be sent */
    SIM_ANSWER_SIZE = EDGE_ERROR_SIZE + 16,
};

/* Zeroed: nothing received. */
struct sim_client {
    char input[SIM_INPUT_SIZE];
    size_t input_length;
    bool skipping; /* the rest of a line that is too long */
    char answers[SIM_ANSWERS_SIZE];
    size_t answers_length;
};

/* The sensors that a client can name, with their levels. */
struct sim_table {
    struct sensor_names names;
    uint8_t levels[SENSOR_COUNT]; /* of the last edge of each */
    bool is_radio[SENSOR_COUNT];  /* has a source of its own, so its edges are refused */
};

/*
 * Parses the input up to and including the next edge, and answers every line. Returns false when no
 * whole line is left, or no room for an answer. An edge without a time has EDGE_UNTIMED_US; one
 * later than latest_us is refused. `SENSOR ?` is answered with the sensor's level.
 */
bool sim_client_next(struct sim_client *client, const struct sim_table *table, uint64_t latest_us,
                     struct edge *edge);

/* Whether there is no room for another answer. */
bool sim_client_is_full(const struct sim_client *client);

/* Removes the first count bytes of the answers: they have been sent. */
void sim_client_sent(struct sim_client *client, size_t count);

#endif
