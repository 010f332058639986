/* Messages about invalid command-line options. */
#ifndef COMMON_OPTION_ERROR_H
#define COMMON_OPTION_ERROR_H

#include <getopt.h>

/*
 * Prints to stderr why getopt_long returned result, with opterr 0 and an option string that starts
 * with a colon. For an unknown option, the message names the nearest known one.
 */
void option_error(const char *program, const struct option *known, int result, char *const *argv);

#endif
