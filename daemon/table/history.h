/* Events of the past as JSON: one event, and the reply to `history`. */
#ifndef TABLE_HISTORY_H
#define TABLE_HISTORY_H

#include "session.h"

/* To be freed; NULL when memory runs out. */
char *history_event(const struct recalled *past, const char *table, const struct sensors *sensors);

/* The reply to a query with this id, or its refusal. As history_event. */
char *history_reply(struct session *session, const char *table, const struct sensors *sensors,
                    const char *id, const struct input *query);

#endif
