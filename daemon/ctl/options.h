/* The options of shipahoyctl, and the configuration that they override. */
#ifndef CTL_OPTIONS_H
#define CTL_OPTIONS_H

#include "config/config.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Whose option it is: a set. */
enum {
    OF_CHECK = 1 << 0,
    OF_WATCH = 1 << 1,
    OF_SEND = 1 << 2,
    OF_SIM = 1 << 3,
    OF_LOG = 1 << 4,
    OF_DOCTOR = 1 << 5,
    OF_CALIBRATE = 1 << 6,
    OF_PAIR = 1 << 7, /* and unpair */
    OF_BOOK = 1 << 8, /* games, stats and players */
    OF_TABLE = OF_WATCH | OF_SEND | OF_DOCTOR | OF_CALIBRATE | OF_PAIR |
               OF_BOOK, /* those that use the broker */
    OF_ANSWER = OF_TABLE | OF_SIM,
    OF_BACKUP = 1 << 9,
    OF_RESTORE = 1 << 10,
    OF_ANY = (1 << 11) - 1,
    OF_PROGRAM = 1 << 11, /* without a subcommand, and before each of them */
};

/*
 * X(NAME, "name", what its value is called or "", {help, whose it is}...): a second help is that of
 * other subcommands, for which the option does something else.
 */
#define CTL_OPTIONS(X)                                                                             \
    X(CONFIG, "config", "FILE",                                                                    \
      {"read this configuration file; repeatable, later files win", OF_ANY})                       \
    X(HOST, "host", "HOST", {"broker host", OF_PROGRAM | OF_TABLE})                                \
    X(PORT, "port", "PORT", {"broker port", OF_PROGRAM | OF_TABLE})                                \
    X(PREFIX, "prefix", "PREFIX", {"first part of all topics", OF_PROGRAM | OF_TABLE})             \
    X(TABLE, "table", "NAME", {"name of the table", OF_PROGRAM | OF_TABLE | OF_LOG})               \
    X(SOCKET, "socket", "PATH", {"the socket of the simulated sensors", OF_PROGRAM | OF_SIM})      \
    X(USERNAME, "username", "NAME", {"user name for the broker", OF_PROGRAM | OF_TABLE})           \
    X(PASSWORD_FILE, "password-file", "FILE",                                                      \
      {"file with the password for the broker", OF_PROGRAM | OF_TABLE})                            \
    X(TLS_CA, "tls-ca", "FILE", {"CA certificates for TLS", OF_PROGRAM | OF_TABLE})                \
    X(TIMEOUT, "timeout", "SECONDS", {"how long to wait for a reply (5)", OF_PROGRAM | OF_ANSWER}) \
    X(STATE_DIR, "state-dir", "DIR",                                                               \
      {"directory of the recorded games", OF_PROGRAM | OF_LOG | OF_RESTORE})                       \
    X(JSON, "json", "", {"print JSON", OF_SEND | OF_LOG | OF_BOOK})                                \
    X(INPUTS, "inputs", "", {"print inputs instead of events", OF_LOG})                            \
    X(LIST, "list", "", {"list games", OF_LOG}, {"list what the table would accept now", OF_SEND}) \
    X(ONCE, "once", "", {"print once, as when the output is not a terminal", OF_DOCTOR})           \
    X(WRITE, "write", "FILE", {"write the result to a new file", OF_CALIBRATE})                    \
    X(FORCE, "force", "", {"overwrite an existing file", OF_CALIBRATE | OF_BACKUP},                \
      {"also during a game", OF_RESTORE})                                                          \
    X(HELP, "help", "", {"print this help", OF_ANY})                                               \
    X(VERSION, "version", "", {"print the version", OF_PROGRAM})

#define CTL_ENUM_OPTION(name, ...) OPTION_##name,
enum option_id { CTL_OPTIONS(CTL_ENUM_OPTION) OPTION_COUNT };

struct options {
    const char *files[CONFIG_FILES_MAX];
    size_t file_count;
    const char *values[OPTION_COUNT]; /* NULL: not given; "" for one without a value */
    uint32_t last_read;               /* the set of those that options_read has read last */
};

/*
 * Reads options, and moves the words behind them; a negative number is a word. With stop_at_word
 * the first word ends the options. The index of the first word, or -1 after printing what is wrong.
 */
int options_read(int argc, char **argv, bool stop_at_word, struct options *options);

/*
 * The name of an option read last that none of these subcommands has, and in owners those that have
 * it; NULL if there is none.
 */
const char *options_foreign(const struct options *options, int of, int *owners);

/*
 * The command that was typed, up to the subcommand: the program and the options that name the
 * table, quoted for a shell. What does not fit is cut off.
 */
void options_write_command(const struct options *options, const char *program, char *command,
                           size_t size);

/* The list of options with their help; only those of this subcommand. */
void options_print(FILE *file, int of);

/* All of them; a help for some subcommands begins with their names, which list_owners writes. */
enum { OPTION_OWNERS_SIZE = 128 };
void options_print_all(FILE *file, void (*list_owners)(int of, char *list, size_t size));

/*
 * The configuration of the files given, of the default file if there is one, or of no file, with
 * the options applied to it. 0, or an exit code after printing what is wrong.
 */
int options_configure(const struct options *options, struct config *config);

/* The files to be read: those given, or the default one if it exists. */
size_t options_files(const struct options *options, const char *const **files);

/*
 * Where the daemon keeps its games: as given, else as systemd says, else `state` beside the first
 * file given if that exists (daemon/run.sh), else where it is by default.
 */
void options_state_directory(const struct options *options, char directory[PATH_MAX]);

/* How long to wait for an answer; false when the option is not a number of seconds. */
bool options_timeout_ms(const struct options *options, unsigned *timeout_ms);

#endif
