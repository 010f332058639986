/* The options of the hand tool, and the configuration that they are laid over. */
#ifndef DAEMON_CTL_OPTIONS_H
#define DAEMON_CTL_OPTIONS_H

#include "config/config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* X(NAME, "name", what its value is called or "", help). */
#define CTL_OPTIONS(X)                                                                             \
    X(CONFIG, "config", "FILE", "read this configuration; repeatable, later ones win")             \
    X(HOST, "host", "HOST", "the broker")                                                          \
    X(PORT, "port", "PORT", "its port")                                                            \
    X(PREFIX, "prefix", "PREFIX", "what all topics begin with")                                    \
    X(TABLE, "table", "NAME", "the table")                                                         \
    X(SOCKET, "socket", "PATH", "the socket of the simulated sensors")                             \
    X(USERNAME, "username", "NAME", "for the broker")                                              \
    X(PASSWORD_FILE, "password-file", "FILE", "its first line is the password for the broker")     \
    X(TLS_CA, "tls-ca", "FILE", "certificates that the broker's must be signed by")                \
    X(TIMEOUT, "timeout", "SECONDS", "how long to wait for an answer (5)")                         \
    X(STATE_DIR, "state-dir", "DIR", "log: where the games are recorded")                          \
    X(JSON, "json", "", "send, log: print JSON")                                                   \
    X(INPUTS, "inputs", "", "log: what was said to the game instead of what happened")             \
    X(LIST, "list", "", "log: the games there are; send: what the table would accept now")         \
    X(ONCE, "once", "", "doctor: one look, as when the output is no terminal")                     \
    X(WRITE, "write", "FILE", "calibrate: write what was learned to a new file")                   \
    X(FORCE, "force", "", "calibrate: also over a file that exists")                               \
    X(HELP, "help", "", "say how it is used")                                                      \
    X(VERSION, "version", "", "say which version this is")

#define CTL_ENUM_OPTION(name, ...) OPTION_##name,
enum option_id { CTL_OPTIONS(CTL_ENUM_OPTION) OPTION_COUNT };

struct options {
    const char *files[CONFIG_FILES_MAX];
    size_t file_count;
    const char *values[OPTION_COUNT]; /* NULL: not given; "" for one without a value */
};

/*
 * Reads options, and moves the words that are none behind them; with words_end_options the first
 * word ends the options. The index of the first word, or -1 after telling on stderr what is wrong.
 */
int options_read(int argc, char **argv, bool words_end_options, struct options *options);

/* The list of options with their help. */
void options_print(FILE *file);

/*
 * The configuration of the files given, of the default file if there is one, or of no file, with
 * the options laid over it. 0, or an exit code after telling on stderr what is wrong.
 */
int options_configure(const struct options *options, struct config *config);

/* The files to be read: those given, or the default one if it exists. */
size_t options_files(const struct options *options, const char *const **files);

/* Where the daemon keeps its games: as given, else as systemd says, else where it is by default. */
const char *options_state_directory(const struct options *options);

/* How long to wait for an answer; false when the option is not a number of seconds. */
bool options_timeout_ms(const struct options *options, unsigned *timeout_ms);

#endif
