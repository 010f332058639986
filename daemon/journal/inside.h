/* What the files of the journal share, and nobody else. */
#ifndef DAEMON_JOURNAL_INSIDE_H
#define DAEMON_JOURNAL_INSIDE_H

#include "file.h"
#include "journal/journal.h"
#include "mark.h"

#include <stdbool.h>
#include <stdint.h>

/* No game can have a file of such a name, since finished games have a suffix. */
#define OPEN_NAME "open-game"
#define NEXT_NAME "next-game"
#define PROBE_NAME "probe"

enum { NO_FILE = -1 };

/* What must be done to the names in the directory before anything else may be recorded. */
enum names_state {
    NAMES_SAFE,
    NAMES_TO_SYNC,
    NAMES_TO_UNDO, /* the next game has the name of the open one, but may not be on disk */
};

struct journal {
    struct disk disk;
    uint32_t number_max; /* of all games ever seen here */

    bool has_game;
    char game[GAME_ID_SIZE];
    uint32_t records;
    struct journal_end end;    /* behind the last record that is safe */
    struct journal_frame last; /* the frame of that record */
    uint64_t size;             /* of the file, the zeros at its end included */
    uint8_t *data;             /* the open game up to its end, as on disk */
    size_t capacity;
    bool end_is_unsure; /* what is on disk at the end and behind it is not known */
    enum names_state names;
    int file; /* of the open game, or NO_FILE */

    struct journal_mark mark;
    struct journal_mark mark_on_disk;
};

/* What was found in a file, for the log. */
void journal_report_scan(const struct journal_scan *scan, struct journal_report *report);

/* Writes all of data or fails with -errno. */
int journal_write_all(const struct disk *disk, int file, uint64_t offset, const uint8_t *data,
                      size_t size);

/* Make sure of the names, and of the last record and that nothing is behind it. 0 or -errno. */
int journal_settle(struct journal *journal);
int journal_settle_names(struct journal *journal);

/* Keeps bytes of the open game in memory, in their place. Room is made first, which may fail. */
int journal_make_room(struct journal *journal, uint64_t size);
void journal_keep(struct journal *journal, uint64_t offset, const uint8_t *data, size_t size);

/* Closes the file of the open game if it is open. */
void journal_drop_file(struct journal *journal);

/* journal_append of a new-game record. */
int journal_change_game(struct journal *journal, const struct record *record);

#endif
