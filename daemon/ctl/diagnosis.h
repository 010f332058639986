/* Diagnoses a sensor and its wiring from its readings, with advice. Pure. */
#ifndef CTL_DIAGNOSIS_H
#define CTL_DIAGNOSIS_H

#include "sensor_view.h"

enum { DIAGNOSIS_SIZE = 512 }; /* a topic may be long */

enum verdict {
    VERDICT_OK,
    VERDICT_NO_SIGNAL, /* it has not changed since the daemon started, which may be normal */
    VERDICT_FAULTY,
    VERDICT_COUNT,
};

/* All that is known about one sensor. */
struct sensor_case {
    enum sensor_kind kind;
    struct sensor_reading reading;
    struct line_config line; /* not fitted: not in our configuration */
    bool simulated;
    bool is_radio;
    bool partner_changes; /* of an encoder: its other line does */
};

struct diagnosis {
    enum verdict verdict;
    char advice[DIAGNOSIS_SIZE]; /* "": nothing to do */
};

void diagnose(const struct sensor_case *it, struct diagnosis *diagnosis);

/* The case of one sensor of a table; simulated as sensor_view_is_simulated says. */
struct sensor_case diagnosis_case(const struct sensor_view *view, const struct hw_config *hw,
                                  unsigned sensor);

/* Whether it is part of the table: it is configured, or has sent a signal. */
bool diagnosis_is_due(const struct sensor_case *it);

#endif
