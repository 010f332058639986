/* The finished games beside the open one, each in a file `GAME.journal`, and damaged ones. */
#ifndef DAEMON_JOURNAL_ARCHIVE_H
#define DAEMON_JOURNAL_ARCHIVE_H

#include "journal/journal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct archive_game {
    char name[DISK_NAME_SIZE]; /* of the file */
    uint64_t size;
    uint32_t number;
    char game[GAME_ID_SIZE]; /* "" in another format */
};

/* Games from the oldest to the newest. */
struct archive {
    struct archive_game *games;
    size_t count;
    int unread; /* 0, or the -errno that kept a file from being looked at: a game may be missing */
};

/* Whether this can be the id of a game: a file is named after it. */
bool archive_takes(const char *game);

/* The file of a finished game. */
void archive_name(const char *game, char name[DISK_NAME_SIZE]);

/* Files that are no journals are not seen. 0 or -errno; to be freed in either case. */
int archive_read(const struct disk *disk, struct archive *archive);
void archive_free(struct archive *archive);

/* Gives a damaged file a name under which nobody touches it again. 0 or -errno. */
int archive_set_aside(const struct disk *disk, const char *file, const char *game,
                      char kept_as[DISK_NAME_SIZE]);

#endif
