#include "recorded_games.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int look_at_event(void *self, const struct recalled *recalled)
{
    struct recorded_game *game = self;

    if (!game->id[0]) {
        snprintf(game->id, sizeof game->id, "%s", recalled->game_id);
        game->began_ms = recalled->record->wall_ms;
    }
    game->game = *recalled->game;
    return 0;
}

/* Whether the file holds a game, be it damaged. */
static bool look_into(struct recall *recall, const char *directory, const char *name,
                      struct recorded_game *game)
{
    memset(game, 0, sizeof *game);
    if ((size_t)snprintf(game->path, sizeof game->path, "%s/%s", directory, name) >=
        sizeof game->path) {
        return false;
    }
    return recall_file(recall, game->path, look_at_event, game, &game->report) == 0 && game->id[0];
}

static int is_visible(const struct dirent *file)
{
    return file->d_name[0] != '.';
}

int games_visit(struct recall *recall, const char *directory, games_visit_fn *visit, void *context)
{
    struct dirent **files;
    struct recorded_game game;
    int count = scandir(directory, &files, is_visible, alphasort);

    if (count < 0) {
        return -errno;
    }
    for (int i = 0; i < count; i++) {
        if (look_into(recall, directory, files[i]->d_name, &game)) {
            visit(context, &game);
        }
        free(files[i]);
    }
    free(files);
    return 0;
}

struct search {
    const char *id;
    struct recorded_game *found;
};

static void compare(void *context, const struct recorded_game *game)
{
    struct search *search = context;
    bool is_wanted = search->id[0] ? strcmp(search->id, game->id) == 0
                                   : game->began_ms >= search->found->began_ms;

    if (is_wanted) {
        *search->found = *game;
    }
}

int games_find(struct recall *recall, const char *directory, const char *id,
               struct recorded_game *found)
{
    struct search search = {.id = id, .found = found};

    memset(found, 0, sizeof *found);
    return games_visit(recall, directory, compare, &search);
}
