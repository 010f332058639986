/* What is read again: the open game from memory, finished ones from the disk. */
#include "inside.h"

#include "shelf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void journal_report_scan(const struct journal_scan *scan, struct journal_report *report)
{
    *report = (struct journal_report){.records = scan->records, .torn_bytes = scan->torn_bytes};
    memcpy(report->problem, scan->problem, sizeof report->problem);
}

static int visit_data(const uint8_t *data, size_t size, journal_visit_fn *visit, void *context)
{
    struct journal_scan scan;

    journal_file_scan(data, size, visit, context, &scan);
    if (scan.stopped) {
        return scan.stopped;
    }
    return scan.problem[0] ? -EBADMSG : 0;
}

int journal_visit(struct journal *journal, journal_visit_fn *visit, void *context)
{
    if (!journal->has_game) {
        return 0;
    }
    return visit_data(journal->data, (size_t)journal->end.size, visit, context);
}

/* What is too long to be a game is loaded as an empty one, which is damaged. */
static int load(const struct disk *disk, const char *name, struct journal_game *game)
{
    int error = disk_read_file(disk, name, JOURNAL_SIZE_MAX, &game->data, &game->size);

    if (error == -EFBIG) {
        game->data = calloc(1, 1);
        game->size = 0;
        error = game->data ? 0 : -ENOMEM;
    }
    return error;
}

int journal_load_finished(const struct disk *disk, uint32_t after, uint32_t before,
                          struct journal_game *game)
{
    struct shelf shelf;
    int result = shelf_read(disk, &shelf);

    result = result ? result : shelf.unread;
    for (size_t i = 0; !result && i < shelf.count; i++) {
        uint32_t number = shelf.games[i].number;
        if (number > after && number < before) {
            result = load(disk, shelf.games[i].name, game);
            game->number = number;
            result = result ? result : 1;
        }
    }
    shelf_free(&shelf);
    return result;
}

int journal_visit_game(const struct journal_game *game, journal_visit_fn *visit, void *context)
{
    return visit_data(game->data, game->size, visit, context);
}

void journal_free_game(struct journal_game *game)
{
    free(game->data);
    *game = (struct journal_game){0};
}

int journal_prune(const struct disk *disk, const struct journal_limits *limits, uint32_t before,
                  uint32_t acknowledged, struct journal_loss *loss)
{
    return shelf_prune(disk, limits, before, acknowledged, loss);
}

int journal_read_file(const char *path, journal_visit_fn *visit, void *context,
                      struct journal_report *report)
{
    struct journal_scan scan;
    uint8_t *data;
    size_t size;
    int error = disk_read_path(path, JOURNAL_SIZE_MAX, &data, &size);

    if (error) {
        return error;
    }
    journal_file_scan(data, size, visit, context, &scan);
    free(data);
    journal_report_scan(&scan, report);
    return scan.stopped;
}
