/* The file of paired sensors in the state directory, which is read after all other files. */
#ifndef DAEMON_PAIRED_FILE_H
#define DAEMON_PAIRED_FILE_H

#include "config/config.h"
#include "journal/disk.h"
#include "options.h"

/*
 * Gives a sensor its source, or removes it (NULL), and waits for the disk. The file stays as it was
 * unless the whole configuration is valid with the new one. 0, -ENOENT when there is nothing to
 * remove, -EINVAL when the configuration would not be valid (its problems are reported), or another
 * -errno.
 */
int paired_file_change(const struct options *options, const struct config *config,
                       const struct disk *disk, uint16_t sensor, const char *source,
                       config_problem_fn *report);

#endif
