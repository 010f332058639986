#include "fault.h"

#include "rules/words.h"

#include <stddef.h>
#include <stdlib.h>

enum { FAULT_none, FAULT_claimed, FAULT_crash };

const char *planted_fault(uint64_t events_seen)
{
    const uint64_t both = UINT64_C(1) << EVENT_FOUL | UINT64_C(1) << EVENT_SENSOR_OK;

    if (PLANTED_FAULT == FAULT_none || (events_seen & both) != both) {
        return NULL;
    }
    if (PLANTED_FAULT == FAULT_crash) {
        abort(); /* as a failed assertion does */
    }
    return "planted: a foul and a sensor that works again";
}
