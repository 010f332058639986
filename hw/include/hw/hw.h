/*
 * The sensors of a table: a thread reads every edge, filters it, and queues facts.
 *
 * The thread waits neither for the reader of the facts nor for a disk, and sleeps while nothing
 * moves. All functions are for one thread, the caller's, except hw_inject_edge.
 */
#ifndef HW_HW_H
#define HW_HW_H

#include "hw/fact.h"
#include "hw/sensor.h"
#include "hw/settings.h"

#include <stddef.h>

enum { HW_PATH_SIZE = 256 };

enum hw_backend { HW_BACKEND_SIM, HW_BACKEND_GPIOD };

/*
 * Called with a sentence for each problem that prevents opening. sensor is SENSOR_NONE if the
 * problem does not concern the line of one sensor.
 */
typedef void hw_problem_fn(void *context, unsigned sensor, const char *message);

struct hw_settings {
    enum hw_backend backend;
    const struct line_config *lines; /* gpiod: SENSOR_COUNT of them, used while opening */
    const char *chip;                /* gpiod: the default chip */
    bool is_radio[SENSOR_COUNT];     /* see hw_set_radio */
    char socket_path[HW_PATH_SIZE];  /* sim: the socket */
    char record_path[HW_PATH_SIZE];  /* raw edges are appended to this file; "": no recording */
    struct button_names buttons;
    struct filter_settings filters;
    hw_problem_fn *problem; /* may be NULL */
    void *problem_context;
};

struct hw;

/* 0, or -errno of the record file or of the backend, with every problem reported. */
int hw_open(struct hw **hw, const struct hw_settings *settings);

/* Readable while facts wait. */
int hw_fd(const struct hw *hw);

/* Takes up to max facts, oldest first; returns how many. */
size_t hw_take(struct hw *hw, struct fact *facts, size_t max);

/*
 * A caller that sleeps can read edges itself, and a fact then reaches it without the thread. It
 * calls hw_wait before it waits for hw_edges_fd, among others, and afterwards hw_read if that is
 * readable, else hw_work. Until hw_wait and from hw_read or hw_work on the thread reads, so that no
 * edge waits for what the caller does. hw_read returns as hw_take does; hw_finish is called when
 * the facts have been handled, and answers the clients of the simulation.
 */
int hw_edges_fd(const struct hw *hw);
void hw_wait(struct hw *hw);
void hw_work(struct hw *hw);
size_t hw_read(struct hw *hw, struct fact *facts, size_t max);
void hw_finish(struct hw *hw);

/* The clock of the facts; a simulated one can be ahead of the kernel's. */
uint64_t hw_now_us(const struct hw *hw);

/*
 * Moves a simulated sensor now. Called by any thread. 0, -ENOTSUP when the sensors are real,
 * -EBUSY when it reports over MQTT, -EINVAL for a sensor or level that does not exist, -EAGAIN when
 * too many edges wait.
 */
int hw_inject_edge(struct hw *hw, unsigned sensor, unsigned level);

/*
 * Which sensors report over MQTT: their edges come from hw_put alone, and those of the backend are
 * ignored.
 */
void hw_set_radio(struct hw *hw, const bool is_radio[SENSOR_COUNT]);

/*
 * Adds edges of such sensors. They are filtered like any other edge. 0, or -EAGAIN if there is no
 * room for all of them: none is added then. Facts that this call has found can be taken at once;
 * hw_fd becomes readable for them at the next hw_wait.
 */
int hw_put(struct hw *hw, const struct edge *edges, size_t count);

/*
 * Sets the rope's reading to zero. After this call hw_take returns no earlier ROPE_AT; a ROPE_AT of
 * 0 follows.
 */
void hw_zero_rope(struct hw *hw);

/* The caller knows that the sensor has missed something: its health becomes silent. */
void hw_report_silent(struct hw *hw, unsigned sensor);

/* Applies other filter settings, before the next edge. */
void hw_apply(struct hw *hw, const struct filter_settings *settings);

/*
 * Wakes the thread and returns how often it has woken so far. If two calls return the same number,
 * with a long enough pause between them, the thread hangs.
 */
uint64_t hw_alive(struct hw *hw);

/* Why recording has stopped: -errno, returned once (recorder.h); 0: it has not. */
int hw_take_record_problem(struct hw *hw);

/* Ends the thread and discards the facts that wait. Accepts NULL. */
void hw_close(struct hw *hw);

#endif
