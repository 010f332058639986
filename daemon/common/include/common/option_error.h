/* What is wrong with an option of the command line, for both programs. */
#ifndef DAEMON_OPTION_ERROR_H
#define DAEMON_OPTION_ERROR_H

#include <getopt.h>

/*
 * Tells on stderr why getopt_long has refused: result is what it returned, with opterr 0 and an
 * option string that begins with a colon. An unknown option is told with the nearest known one.
 */
void option_error(const char *program, const struct option *known, int result, char *const *argv);

#endif
