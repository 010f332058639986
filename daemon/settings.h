/* What the sensors need to know of the configuration. */
#ifndef DAEMON_SETTINGS_H
#define DAEMON_SETTINGS_H

#include "daemon/config.h"
#include "hw/filters.h"

struct filter_settings filter_settings_of(const struct config *config);
struct button_names button_names_of(const struct config *config);

#endif
