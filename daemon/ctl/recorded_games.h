/* The games that a daemon has recorded in its state directory. */
#ifndef CTL_RECORDED_GAMES_H
#define CTL_RECORDED_GAMES_H

#include "journal/replay.h"

#include <limits.h>
#include <stddef.h>

/* What a look through a recorded game tells of it. */
struct recorded_game {
    char path[PATH_MAX];
    char id[GAME_ID_SIZE];
    int64_t began_ms; /* UTC */
    struct game game; /* as far as it went */
    struct journal_report report;
};

typedef void games_visit_fn(void *context, const struct recorded_game *game);

/* Looks through all games of the directory, in the order of their files. 0 or -errno. */
int games_visit(struct recall *recall, const char *directory, games_visit_fn *visit, void *context);

/*
 * The game with that id, or with "" the one that began last; found->id is "" if there is none. 0 or
 * -errno.
 */
int games_find(struct recall *recall, const char *directory, const char *id,
               struct recorded_game *found);

#endif
