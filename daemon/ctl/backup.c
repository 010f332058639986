/* backup and restore: checks the game, then runs the script that knows the files. */
#include "common/version.h"
#include "ctl.h"
#include "journal/replay.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int note_phase(void *self, const struct recalled *recalled)
{
    bool *is_running = self;

    *is_running = recalled->game->phase != PHASE_OVER;
    return 0;
}

/* Whether the state directory has a game that is not over. One that cannot be read is not running.
 */
static bool a_game_is_running(const struct options *options)
{
    char directory[PATH_MAX];
    char path[PATH_MAX + sizeof "/open-game"];
    struct journal_report report;
    struct recall *recall;
    bool is_running = false;

    options_state_directory(options, directory);
    snprintf(path, sizeof path, "%s/open-game", directory);
    if (recall_open(&recall, NULL) == 0) {
        recall_file(recall, path, note_phase, &is_running, &report);
        recall_close(recall);
    }
    return is_running;
}

/* Does not return unless the script cannot be run. */
static int run_script(const char *action, const char *file, bool force)
{
    char *words[] = {"backup",
                     "--version",
                     SHIPAHOY_VERSION,
                     force ? "--force" : (char *)action,
                     force ? (char *)action : (char *)file,
                     force ? (char *)file : NULL,
                     NULL};

    execv(BACKUP_SCRIPT, words);
    fprintf(stderr, "shipahoyctl: %s: %s; the package shipahoy installs it\n", BACKUP_SCRIPT,
            strerror(errno));
    return EXIT_UNAVAILABLE;
}

int ctl_backup(const struct call *call)
{
    if (call->count != 1) {
        return ctl_usage_error("backup takes a file");
    }
    return run_script("backup", call->words[0], call->options->values[OPTION_FORCE] != NULL);
}

int ctl_restore(const struct call *call)
{
    if (call->count > 1) {
        return ctl_usage_error("restore takes a file, or nothing");
    }
    if (call->count == 1 && !call->options->values[OPTION_FORCE] &&
        a_game_is_running(call->options)) {
        fputs("shipahoyctl: A game is running, and would be replaced. Finish it, or use --force.\n",
              stderr);
        return CTL_REFUSED;
    }
    return run_script("restore", call->count ? call->words[0] : NULL, false);
}
