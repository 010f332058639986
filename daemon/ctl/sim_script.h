/*
 * The edges of simulated sensors for something that happens at the table, with the bounces of real
 * contacts. Pure: sim.c sends them.
 */
#ifndef CTL_SIM_SCRIPT_H
#define CTL_SIM_SCRIPT_H

#include "config/config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SIM_SENSOR_SIZE = 64, SIM_SENTENCE_SIZE = 256 };

struct sim_edge {
    char sensor[SIM_SENSOR_SIZE];
    uint8_t level;     /* 1: active */
    uint32_t delay_us; /* after the edge before it */
};

/* What the script depends on. */
struct sim_scene {
    const struct hw_config *hw;
    uint32_t lying; /* a set: 1 << enum piece */
};

/* Zeroed: nothing happens. */
struct sim_script {
    struct sim_edge *edges;
    size_t count;
    size_t capacity;
    bool depends_on_lying;            /* other pieces lying would change it */
    char sentence[SIM_SENTENCE_SIZE]; /* what happens, or what is wrong with the words */
};

/*
 * The edges of what the words say: `fire`, `topple blue-2`, `pull 1.5`. 0; -EINVAL with a sentence
 * about the words; -ENOMEM.
 */
int sim_script_write(struct sim_script *script, char *const *words, int count,
                     const struct sim_scene *scene);
void sim_script_free(struct sim_script *script);

/* Every movement, with its help. */
void sim_script_print_words(FILE *file);

#endif
