/*
 * A simulated table with the real filters between messages and facts, for sensors over MQTT: what
 * the daemon puts to its sensor thread is filtered here, and time passes for both alike.
 */
#ifndef TESTS_TABLE_RADIO_STAGE_H
#define TESTS_TABLE_RADIO_STAGE_H

#include "hw/filters.h"
#include "stage.h"

struct radio_stage {
    struct stage stage;
    struct filters filters;
};

/* A table that runs and is connected; nothing is heard yet. */
void radio_begin(struct radio_stage *radio, const char *ini);
void radio_end(struct radio_stage *radio);

/* The filters, for a table that runs already. */
void radio_begin_filters(struct radio_stage *radio);

/* Lets time pass. What was said before is forgotten, as by say. */
void radio_wait_ms(struct radio_stage *radio, unsigned ms);

/* Messages; each line is `TOPIC PAYLOAD`, with ' for ". Retained ones come by the subscription. */
void radio_hear(struct radio_stage *radio, const char *line);
void radio_hear_retained(struct radio_stage *radio, const char *line);

/* An edge of a sensor that is wired. */
void radio_wired(struct radio_stage *radio, unsigned sensor, bool level);

/* The broker is away, and back. */
void radio_disconnect(struct radio_stage *radio);
void radio_connect(struct radio_stage *radio);

/* Filters what the daemon has put to the sensor thread; called by all of the above. */
void radio_filter(struct radio_stage *radio);

#endif
