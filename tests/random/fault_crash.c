/* Dies, as a failed assertion would, of what fault_claimed.c complains about. */
#include "fault.h"

#include "rules/words.h"

#include <stddef.h>
#include <stdlib.h>

const char *planted_fault(uint64_t events_seen)
{
    const uint64_t both = UINT64_C(1) << EVENT_FOUL | UINT64_C(1) << EVENT_SENSOR_OK;

    if ((events_seen & both) == both) {
        abort();
    }
    return NULL;
}
