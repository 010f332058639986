/* Claims that no sensor recovers in a game with a foul: a complaint that any seed provokes soon. */
#include "fault.h"

#include "rules/words.h"

#include <stddef.h>

const char *planted_fault(uint64_t events_seen)
{
    const uint64_t both = UINT64_C(1) << EVENT_FOUL | UINT64_C(1) << EVENT_SENSOR_OK;

    return (events_seen & both) == both ? "planted: a foul and a sensor that works again" : NULL;
}
