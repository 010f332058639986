/* What the sensors need to know of the configuration. */
#ifndef DAEMON_SETTINGS_H
#define DAEMON_SETTINGS_H

#include "config/config.h"
#include "hw/sensor.h"
#include "hw/settings.h"

struct filter_settings filter_settings_of(const struct config *config);
struct button_names button_names_of(const struct config *config);

#endif
