/*
 * The sensors of a table: a thread of its own reads every edge, filters it, and hands facts over.
 *
 * The thread never waits for whoever takes the facts, nor for a disk, and sleeps while nothing
 * moves. All functions are for one thread, the caller's, except hw_inject_edge.
 */
#ifndef HW_HW_H
#define HW_HW_H

#include "hw/fact.h"
#include "hw/line.h"
#include "hw/sensor.h"
#include "hw/settings.h"

#include <stddef.h>

enum { HW_PATH_SIZE = 256 };

enum hw_backend { HW_BACKEND_SIM, HW_BACKEND_GPIOD };

/* Told each thing that keeps the sensors from being opened, as a sentence. */
/* sensor is SENSOR_NONE where the problem is not that of one sensor's line. */
typedef void hw_problem_fn(void *context, unsigned sensor, const char *message);

struct hw_settings {
    enum hw_backend backend;
    const struct line_config *lines; /* gpiod: SENSOR_COUNT of them, needed while opening */
    const char *chip;                /* gpiod: the default chip, see lines.h */
    char socket_path[HW_PATH_SIZE];  /* sim: see sim.h */
    char record_path[HW_PATH_SIZE];  /* raw edges are appended here; "": they are not recorded */
    struct button_names buttons;
    struct filter_settings filters;
    hw_problem_fn *problem; /* NULL: nobody wants to know */
    void *problem_context;
};

struct hw;

/* 0, or -errno, of the record file or the backend (sim_open, real_open), with problems told. */
int hw_open(struct hw **hw, const struct hw_settings *settings);

/* Readable as long as facts wait to be taken. */
int hw_fd(const struct hw *hw);

/* Takes up to max facts, oldest first; returns how many. */
size_t hw_take(struct hw *hw, struct fact *facts, size_t max);

/* The clock that the times of facts belong to; a simulated one can be ahead of the kernel's. */
uint64_t hw_now_us(const struct hw *hw);

/*
 * From any thread: a simulated sensor moves now. 0, -ENOTSUP when the sensors are real, -EINVAL for
 * a sensor or level that does not exist, -EAGAIN when edges come faster than they can be read.
 */
int hw_inject_edge(struct hw *hw, unsigned sensor, unsigned level);

/*
 * The rope is measured from here. No ROPE_AT of before is taken after this call; one of 0 will be.
 */
void hw_zero_rope(struct hw *hw);

/* Whoever knows more says that the sensor has missed what it should have seen: it is silent. */
void hw_suspect(struct hw *hw, unsigned sensor);

/* Other filter settings, from the next edge on. */
void hw_apply(struct hw *hw, const struct filter_settings *settings);

/*
 * Asks the thread for a sign of life and returns how many it has given so far. A thread that lives
 * has given another one a moment later, so two calls that return the same number, with a pause
 * between them that is long enough, tell that it hangs. It is not woken otherwise.
 */
uint64_t hw_alive(struct hw *hw);

/* Why the recording of edges has stopped, told once (recorder.h); 0: it has not. */
int hw_take_record_problem(struct hw *hw);

/* Ends the thread. Facts that were not taken are gone. Accepts NULL. */
void hw_close(struct hw *hw);

#endif
