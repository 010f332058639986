/* A configuration while it is read: what is known so far, and where each of it was said. */
#ifndef DAEMON_CONFIG_READING_H
#define DAEMON_CONFIG_READING_H

#include "keys.h"

enum { PROBLEM_SIZE = 512 };

/* Where something was said. Line 0: nowhere, or the file as a whole. */
struct origin {
    unsigned file; /* index in files */
    int line;
    bool given;   /* of a key: and not empty */
    bool refused; /* of a key: its value does not fit and was not taken */
};

enum section_state { SECTION_NOT_YET, SECTION_OPEN, SECTION_UNKNOWN };

struct reading {
    struct config config;
    struct origin keys[KEYS_MAX][INSTANCES_MAX]; /* see reading_origin */
    struct origin sections[SECTION_COUNT][INSTANCES_MAX];

    const char *const *files;
    config_problem_fn *problem;
    void *context;
    int problems;

    const char *rest; /* of the file, not read yet */
    size_t left;
    bool pair_expected; /* from the line that inih has */
    struct origin at;   /* that line */

    enum section_state section_state;
    enum section_id section; /* while one is open */
    unsigned instance;
};

/* Opens a section, by its name without brackets. */
void reading_open_section(struct reading *reading, const char *name);

/* Sets a key of the open section. */
void reading_set(struct reading *reading, const char *name, const char *value);

/* When all files are read (config_check.c): works out what follows from them and checks the whole.
 */
void reading_finish(struct reading *reading);

/* Where a key of an instance was set last. */
const struct origin *reading_origin(const struct reading *reading, const struct config_key *key,
                                    unsigned instance);

/* Tells a problem at a place. */
__attribute__((format(printf, 3, 4))) void
reading_complain(struct reading *reading, const struct origin *origin, const char *format, ...);

/* The same where a key was set last; the message is put behind `[section] key`. */
__attribute__((format(printf, 4, 5))) void reading_complain_key(struct reading *reading,
                                                                const struct config_key *key,
                                                                unsigned instance,
                                                                const char *format, ...);

#endif
