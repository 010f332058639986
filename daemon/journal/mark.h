/* The acknowledged mark on disk; it is written by journal_write_mark. */
#ifndef DAEMON_JOURNAL_MARK_H
#define DAEMON_JOURNAL_MARK_H

#include "journal/journal.h"

/* No mark at all (zeroed) if there is none, or none that can be trusted. */
void mark_read(const struct disk *disk, struct journal_mark *mark);

#endif
