/*
 * The hand tool shipahoyctl: one program, one function a subcommand. Exit codes are those of
 * exit_codes.h, and CTL_REFUSED.
 */
#ifndef DAEMON_CTL_CTL_H
#define DAEMON_CTL_CTL_H

#include "common/exit_codes.h"
#include "options.h"

enum { CTL_REFUSED = 1 };

/* What a subcommand is called with: its own words, and the options of all. */
struct call {
    const struct options *options;
    unsigned timeout_ms;
    char *const *words;
    int count;
};

/* Each returns the exit code and has told what went wrong. */
typedef int subcommand_fn(const struct call *call);

subcommand_fn ctl_calibrate;
subcommand_fn ctl_check;
subcommand_fn ctl_doctor;
subcommand_fn ctl_log;
subcommand_fn ctl_send;
subcommand_fn ctl_sim;
subcommand_fn ctl_watch;

/* The whole program. */
int ctl_run(int argc, char **argv);

/* Says that this is not how the subcommand is used, and returns EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) int ctl_usage_error(const char *format, ...);

#endif
