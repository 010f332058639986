#include "paired_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int write_text(const struct disk *disk, const char *name, const char *text, size_t size)
{
    int file = disk->open(disk->self, name, DISK_CREATE);

    if (file < 0) {
        return file;
    }
    ssize_t written = disk->write(disk->self, file, 0, text, size);
    int error = written < 0 ? (int)written : (size_t)written < size ? -ENOSPC : 0;
    error = error ? error : disk->truncate(disk->self, file, size);
    error = error ? error : disk->sync(disk->self, file);
    disk->close(disk->self, file);
    return error;
}

/* Whether the configuration is valid with that file. */
static bool is_accepted(const struct options *options, const char *name, config_problem_fn *report)
{
    const struct daemon_options *daemon = &options->daemon;
    struct config *trial = malloc(sizeof *trial);
    char path[OPTIONS_PATH_SIZE];

    snprintf(path, sizeof path, "%s/%s", daemon->state_directory, name);
    bool is_valid =
        trial && !config_load_paired(daemon->files, daemon->file_count, path, trial, report, NULL);
    free(trial);
    return is_valid;
}

static int replace(const struct options *options, const struct disk *disk, const char *text,
                   size_t size, config_problem_fn *report)
{
    static const char new_name[] = "paired.new";
    int error = write_text(disk, new_name, text, size);

    if (!error && !is_accepted(options, new_name, report)) {
        disk->remove(disk->self, new_name);
        error = -EINVAL;
    }
    error = error ? error : disk->rename(disk->self, new_name, PAIRED_NAME);
    return error ? error : disk->sync_names(disk->self);
}

int paired_file_change(const struct options *options, const struct config *config,
                       const struct disk *disk, uint16_t sensor, const char *source,
                       config_problem_fn *report)
{
    char *changed = calloc(1, INI_FILE_SIZE_MAX);
    uint8_t *text = NULL;
    size_t size = 0;
    int error =
        changed ? disk_read_file(disk, PAIRED_NAME, INI_FILE_SIZE_MAX, &text, &size) : -ENOMEM;

    if (!error || error == -ENOENT) {
        int length =
            config_change_pairing(config, (const char *)text, size, sensor, source, changed);
        error = length < 0 ? length : replace(options, disk, changed, (size_t)length, report);
    }
    free(text);
    free(changed);
    return error;
}
