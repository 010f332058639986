/*
 * shipahoyctl: one program, one function per subcommand. Exit codes are those of exit_codes.h, and
 * CTL_REFUSED.
 */
#ifndef CTL_CTL_H
#define CTL_CTL_H

#include "common/exit_codes.h"
#include "options.h"

enum { CTL_REFUSED = 1 };

/* The arguments of a subcommand: its words and the options. */
struct call {
    const struct options *options;
    const char *command; /* for hints: what was typed up to the subcommand */
    unsigned timeout_ms;
    char *const *words;
    int count;
};

/* Each returns the exit code after printing what went wrong. */
typedef int subcommand_fn(const struct call *call);

subcommand_fn ctl_backup;
subcommand_fn ctl_calibrate;
subcommand_fn ctl_check;
subcommand_fn ctl_doctor;
subcommand_fn ctl_games;
subcommand_fn ctl_log;
subcommand_fn ctl_pair;
subcommand_fn ctl_players;
subcommand_fn ctl_restore;
subcommand_fn ctl_send;
subcommand_fn ctl_sim;
subcommand_fn ctl_stats;
subcommand_fn ctl_unpair;
subcommand_fn ctl_watch;

/* The whole program. */
int ctl_run(int argc, char **argv);

/* Prints that the subcommand is used wrongly, and returns EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) int ctl_usage_error(const char *format, ...);

#endif
