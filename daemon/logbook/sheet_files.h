/* The score sheets that can be played: those that are installed, and those of a directory. */
#ifndef LOGBOOK_SHEET_FILES_H
#define LOGBOOK_SHEET_FILES_H

#include "sheet/sheet.h"

enum { SHEET_FILES_MAX = 64 };

struct sheet_file {
    char name[SHEET_NAME_SIZE]; /* of the file, without .ini */
    char *source;               /* its text */
    struct sheet sheet;
};

struct sheet_files {
    struct sheet_file *files[SHEET_FILES_MAX]; /* by name */
    unsigned count;
};

/*
 * Reads the installed sheets and then those of the directory ("": none); a file replaces one of
 * the same name. What cannot be read is logged with its line and left out.
 */
void sheet_files_read(struct sheet_files *files, const char *directory);
void sheet_files_forget(struct sheet_files *files);

const struct sheet_file *sheet_files_find(const struct sheet_files *files, const char *name);

#endif
