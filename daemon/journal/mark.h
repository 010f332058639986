/*
 * The acknowledged mark on disk: one small file, overwritten in place and never synced, since an
 * old mark only makes events come again.
 */
#ifndef DAEMON_JOURNAL_MARK_H
#define DAEMON_JOURNAL_MARK_H

#include "journal/journal.h"

#include <stdint.h>

/* No mark at all (zeroed) if there is none, or none that can be trusted. */
void mark_read(const struct disk *disk, struct journal_mark *mark);

/* 0 or -errno. */
int mark_write(const struct disk *disk, const struct journal_mark *mark);

#endif
