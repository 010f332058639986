/* What the readings of a sensor say about its wiring, and what to try. Pure. */
#ifndef DAEMON_CTL_DIAGNOSIS_H
#define DAEMON_CTL_DIAGNOSIS_H

#include "sensor_view.h"

enum { DIAGNOSIS_SIZE = 160 };

enum verdict {
    VERDICT_WELL,
    VERDICT_UNHEARD, /* it has not changed since the daemon started, which may well be */
    VERDICT_ILL,
    VERDICT_COUNT,
};

/* All that is known of one sensor. */
struct sensor_case {
    enum sensor_kind kind;
    struct sensor_reading reading;
    struct line_config line; /* not fitted: not in our configuration */
    bool simulated;
    bool partner_spoke; /* of an encoder: its other line turns */
};

struct diagnosis {
    enum verdict verdict;
    char advice[DIAGNOSIS_SIZE]; /* "": nothing to do */
};

void diagnose(const struct sensor_case *it, struct diagnosis *diagnosis);

/* The case of one sensor of a table; simulated as sensor_view_is_simulated says. */
struct sensor_case diagnosis_case(const struct sensor_view *view, const struct hw_config *hw,
                                  unsigned sensor);

/* Whether anybody wants to see it: it is configured, or it has been heard. */
bool diagnosis_is_due(const struct sensor_case *it);

#endif
