/*
 * Reads a text in the ini format: sections, keys with values, comments. Every invalid line is
 * reported, and the others are read.
 */
#ifndef CONFIG_INI_H
#define CONFIG_INI_H

#include <stddef.h>

enum {
    INI_FILE_SIZE_MAX = 65536,
    INI_LINE_MAX = 1024, /* bytes; comments may be longer */
};

/* Line 0 is the whole file. Strings are valid during the call only. */
struct ini_handler {
    void *self;
    void (*section)(void *self, int line, const char *name); /* NULL: it has no valid name */
    void (*pair)(void *self, int line, const char *key, const char *value);
    void (*problem)(void *self, int line, const char *message);
};

/* The text may contain any bytes. */
void ini_read(const char *text, size_t size, const struct ini_handler *handler);
void ini_read_file(const char *path, const struct ini_handler *handler);

#endif
