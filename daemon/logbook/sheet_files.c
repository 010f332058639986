#include "sheet_files.h"

#include "common/log.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

static const char ending[] = ".ini";
static const char reserved[] = "ship-ahoy"; /* the name of Ship Ahoy itself in the statistics */

static void log_problem(void *context, int line, const char *message)
{
    if (line > 0) {
        log_warning("%s:%d: %s; this sheet is left out", (const char *)context, line, message);
    } else {
        log_warning("%s: %s; this sheet is left out", (const char *)context, message);
    }
}

/* The text of a file, to be freed; NULL after logging why there is none. */
static char *read_source(const char *path)
{
    char *source = calloc(1, INI_FILE_SIZE_MAX + 2);
    FILE *file = fopen(path, "re");
    const char *problem = source && file ? NULL : strerror(errno);

    if (!problem) {
        size_t size = fread(source, 1, INI_FILE_SIZE_MAX + 1, file);
        problem = ferror(file)                 ? "cannot be read"
                  : size > INI_FILE_SIZE_MAX   ? "is larger than 65536 bytes"
                  : memchr(source, '\0', size) ? "contains a NUL"
                                               : NULL;
    }
    if (file) {
        fclose(file);
    }
    if (problem) {
        log_problem((void *)path, 0, problem);
        free(source);
        return NULL;
    }
    char *fitting = strdup(source);
    free(source);
    return fitting;
}

static void forget_file(struct sheet_file *file)
{
    free(file->source);
    free(file);
}

/* In the place that its name has in the list. */
static void add_file(struct sheet_files *files, struct sheet_file *file)
{
    unsigned at = 0;

    while (at < files->count && strcmp(files->files[at]->name, file->name) < 0) {
        at++;
    }
    if (at < files->count && strcmp(files->files[at]->name, file->name) == 0) {
        forget_file(files->files[at]);
    } else {
        for (unsigned i = files->count++; i > at; i--) {
            files->files[i] = files->files[i - 1];
        }
    }
    files->files[at] = file;
}

static void read_file(struct sheet_files *files, const char *path, const char *name, size_t length)
{
    struct sheet_file *file = calloc(1, sizeof *file);

    if (!file) {
        return;
    }
    memcpy(file->name, name, length);
    if (strcmp(file->name, reserved) == 0) {
        log_problem((void *)path, 0, "the name is reserved for Ship Ahoy");
    } else if (files->count == SHEET_FILES_MAX) {
        log_problem((void *)path, 0, "there are too many sheets");
    } else {
        file->source = read_source(path);
    }
    if (file->source && sheet_read(file->source, strlen(file->source), &file->sheet, log_problem,
                                   (void *)path) == 0) {
        add_file(files, file);
    } else {
        forget_file(file);
    }
}

static void read_directory(struct sheet_files *files, const char *directory, bool is_optional)
{
    DIR *entries = opendir(directory);
    char path[PATH_SIZE];

    if (!entries) {
        if (!is_optional || errno != ENOENT) {
            log_warning("sheets: %s: %s", directory, strerror(errno));
        }
        return;
    }
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        size_t length = strspn(entry->d_name,
                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
        if (strcmp(entry->d_name + length, ending) != 0) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (length == 0 || length >= SHEET_NAME_SIZE) {
            log_problem(path, 0, "expected a name of 1 to 31 letters, digits, - or _");
        } else {
            read_file(files, path, entry->d_name, length);
        }
    }
    closedir(entries);
}

void sheet_files_read(struct sheet_files *files, const char *directory)
{
    *files = (struct sheet_files){0};
    read_directory(files, SHEETS_DIRECTORY, true);
    if (directory[0]) {
        read_directory(files, directory, false);
    }
}

void sheet_files_forget(struct sheet_files *files)
{
    for (unsigned i = 0; i < files->count; i++) {
        forget_file(files->files[i]);
    }
    files->count = 0;
}

const struct sheet_file *sheet_files_find(const struct sheet_files *files, const char *name)
{
    for (unsigned i = 0; i < files->count; i++) {
        if (strcmp(files->files[i]->name, name) == 0) {
            return files->files[i];
        }
    }
    return NULL;
}
