/*
 * A disk in memory that can be filled, made to fail, and cut off from power at any operation.
 *
 * It keeps apart what was written and what is safe: data after sync, names after sync_names. A cut
 * loses all, nothing or an arbitrary part of what is not safe, down to single bytes and names, in
 * any order. A sync that fails forgets what it should have made safe, as Linux does: the next one
 * succeeds without having written it.
 */
#ifndef TESTS_SUPPORT_FAKE_DISK_H
#define TESTS_SUPPORT_FAKE_DISK_H

#include "journal/disk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fake_loss { LOSE_NOTHING, LOSE_ALL, LOSE_SOME, FAKE_LOSSES };

/* Operations are numbered from 1, counted anew by fake_disk_set_faults. 0: never. */
struct fake_faults {
    unsigned fail_at;    /* this operation fails, with fail_errno (positive) */
    unsigned fail_count; /* so many fail in all; 0 is one */
    int fail_errno;
    bool reads_go_well;         /* only what would change the disk fails */
    enum fake_loss failed_sync; /* what becomes of the data of a sync that fails */
    unsigned short_at;       /* a write at this operation, or the next after it, stops half way */
    unsigned cut_at;         /* the power goes during this operation, which fails with EIO */
    uint64_t capacity_bytes; /* of all files together; 0: without end */
    uint64_t seed;           /* of all that is left to chance */
    char unreadable[DISK_NAME_SIZE]; /* "" or a file that cannot be read any more (EIO) */
};

struct fake_disk;

struct fake_disk *fake_disk_new(void);
void fake_disk_free(struct fake_disk *fake);

/* The disk as the daemon sees it; valid as long as fake is. */
struct disk fake_disk_interface(struct fake_disk *fake);

/* NULL: nothing fails any more. */
void fake_disk_set_faults(struct fake_disk *fake, const struct fake_faults *faults);

/* How many there were since the faults were set; and whether the power has gone. */
unsigned fake_disk_operations(const struct fake_disk *fake);
bool fake_disk_is_off(const struct fake_disk *fake);

/* How often files or names were made safe since the start: what wears a card out. */
unsigned fake_disk_syncs(const struct fake_disk *fake);

/* Takes the power away and gives it back: all files are closed, and nothing fails any more. */
void fake_disk_restart(struct fake_disk *fake, enum fake_loss loss, uint64_t seed);

/* Stores a file as if it had always been there. */
void fake_disk_put(struct fake_disk *fake, const char *name, const void *data, size_t size);

/* A file as it is read now, or NULL; valid until it is written to. */
const uint8_t *fake_disk_get(const struct fake_disk *fake, const char *name, size_t *size);

/*
 * Whether the file that has this name after a cut is whole: nothing that was written to it is
 * unsafe. It need not be the one that has the name now, while one is being replaced by another.
 */
bool fake_disk_is_safe(const struct fake_disk *fake, const char *name);

/* How many files there are whose names end in suffix. */
unsigned fake_disk_count(const struct fake_disk *fake, const char *suffix);

#endif
