#include "process.h"

#include "rig.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 128, LINE_SIZE = 256 };

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "re");

    if (!file) {
        rig_fail("%s: %s", path, strerror(errno));
    }
    return file;
}

static double read_number(const char *path, const char *name)
{
    FILE *file = open_file(path);
    size_t length = strlen(name);
    char line[LINE_SIZE];
    double number = -1;

    while (number < 0 && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, length) == 0 && line[length] == ':') {
            number = strtod(line + length + 1, NULL);
        }
    }
    fclose(file);
    if (number < 0) {
        rig_fail("%s has no %s", path, name);
    }
    return number;
}

double process_number(pid_t pid, const char *file, const char *name)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    return read_number(path, name);
}

/* The first number of a thread's schedstat: its time on a processor, in ns. */
static double cpu_us(const char *path)
{
    FILE *file = open_file(path);
    double ns = 0;

    if (fscanf(file, "%lf", &ns) != 1) {
        rig_fail("%s cannot be read", path);
    }
    fclose(file);
    return ns / 1e3;
}

struct process_effort process_effort(pid_t pid)
{
    struct process_effort effort = {0};
    char folder[PATH_SIZE];
    char path[PATH_SIZE * 2];
    const struct dirent *entry;

    snprintf(folder, sizeof folder, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(folder);
    if (!threads) {
        rig_fail("%s: %s", folder, strerror(errno));
    }
    while ((entry = readdir(threads))) {
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%.20s/status", folder, entry->d_name);
            effort.wakeups += read_number(path, "voluntary_ctxt_switches");
            snprintf(path, sizeof path, "%s/%.20s/schedstat", folder, entry->d_name);
            effort.cpu_us += cpu_us(path);
        }
    }
    closedir(threads);
    return effort;
}
