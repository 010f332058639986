/*
 * The configuration: one table of keys (config_keys.c) from which parsing, checking, the sample
 * file and the reference page come. inih is known to config.c alone.
 */
#ifndef DAEMON_CONFIG_H
#define DAEMON_CONFIG_H

#include "hw/fact.h"
#include "hw/line.h"
#include "rules/game.h"
#include "rules/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    CONFIG_TEXT_SIZE = 256,
    CONFIG_PASSWORD_SIZE = 1024,
    CONFIG_LINE_SIZE = 64,
    CONFIG_PREFIX_SIZE = 101, /* with a table's and a sensor's name it fits a topic of bus.h */
    CONFIG_FILES_MAX = 8,
    CONFIG_FILE_SIZE_MAX = 65536,
    CONFIG_FILE_LINE_MAX = 198, /* characters of a line in a file; comments may be longer */
};

struct mqtt_config {
    char host[CONFIG_TEXT_SIZE];
    uint16_t port;
    char prefix[CONFIG_PREFIX_SIZE];
    char username[CONFIG_TEXT_SIZE];
    char password_file[CONFIG_TEXT_SIZE];
    char tls_ca[CONFIG_TEXT_SIZE];
    char tls_cert[CONFIG_TEXT_SIZE];
    char tls_key[CONFIG_TEXT_SIZE];
    char client_id[CONFIG_TEXT_SIZE]; /* "": a random one */
    bool homeassistant;
    bool commands;
};

struct timing_config {
    uint32_t tilt_settle_ms;
    uint32_t beam_min_us;
    uint32_t button_ms;
    uint32_t stuck_s;
};

struct button_config {
    char name[CONFIG_LINE_SIZE];
    char command[CONFIG_TEXT_SIZE]; /* a line that rules/line.h can read */
};

#define CONFIG_BACKENDS(X)                                                                         \
    X(GPIOD, "gpiod")                                                                              \
    X(SIM, "sim")

#define CONFIG_ENUM_BACKEND(name, ...) BACKEND_##name,
enum backend { BACKEND_NONE, CONFIG_BACKENDS(CONFIG_ENUM_BACKEND) BACKEND_COUNT };

struct hw_config {
    enum backend backend;
    char chip[CONFIG_TEXT_SIZE];   /* name, path or label, or "auto" */
    char socket[CONFIG_TEXT_SIZE]; /* "": see config_socket */
    char record[CONFIG_TEXT_SIZE]; /* "": nothing is recorded */
    uint32_t beam_gap_um;          /* between the two muzzle beams */
    uint32_t counts_per_knot;
    bool rope_reverse;
    struct line_config lines[SENSOR_COUNT]; /* by enum sensor */
    struct button_config buttons[BUTTONS_MAX];
    unsigned button_count;
};

struct journal_config {
    uint32_t keep_games;
    uint32_t keep_kib;
};

struct config {
    char table[CONFIG_LINE_SIZE];
    struct mqtt_config mqtt;
    struct setup setup; /* of a new game; first 0: drawn, barrels all 0: drawn */
    bool autostart;
    struct timing_config timing;
    struct hw_config hw;
    struct journal_config journal;
};

/* One problem of one file. Line 0: it is the file as a whole. */
typedef void config_problem_fn(void *context, const char *file, int line, const char *message);

/*
 * Reads the files in order, later ones over earlier ones, and checks the whole. Every problem found
 * is told, each with file, line, section, key, what would fit and the nearest name for a typo.
 * 0 and the configuration, or the number of problems and config untouched.
 */
int config_load(const char *const *files, size_t count, struct config *config,
                config_problem_fn *problem, void *context);

/* The same for one file that is in memory already and may hold anything; name is what it is called
 * in problems. */
int config_load_text(const char *name, const char *text, size_t size, struct config *config,
                     config_problem_fn *problem, void *context);

/* A config_problem_fn whose context is a FILE: prints `FILE:LINE: message` or `FILE: message`. */
void config_print_problem(void *context, const char *file, int line, const char *message);

/*
 * Tells a problem that showed itself when the sensors were opened, where the line of that sensor
 * was said last, or the backend if it is SENSOR_NONE. Reads the files again for it: nobody who
 * starts well has to keep the places.
 */
void config_complain_of_line(const char *const *files, size_t count, unsigned sensor,
                             const char *message, config_problem_fn *problem, void *context);

/*
 * Looks into the files that [mqtt] names, for what the libraries would not tell, or only at each
 * connect: certificates that are none, a password that is too long. How many problems were told.
 */
int config_check_files(const struct mqtt_config *config, config_problem_fn *problem, void *context);

/* The first line of the password file, "" if there is to be none. 0, -errno, -EFBIG: too long. */
int config_read_password(const struct mqtt_config *config, char password[CONFIG_PASSWORD_SIZE]);

/* The configuration that an empty file gives. */
void config_defaults(struct config *config);

/* `gpiod` or `sim`. */
const char *config_backend_name(enum backend backend);

/*
 * The path of the simulation's socket: as configured, else sim.sock in the directory that systemd
 * made for the daemon ($RUNTIME_DIRECTORY), else in /run/shipahoy. -ENAMETOOLONG if it does not
 * fit.
 */
int config_socket(const struct config *config, char *path, size_t size);

/* A line as a file has it: `GPIO17 active-low pull-up`; without flags only where it is. */
void config_write_line(const struct line_config *line, bool with_flags, struct text *text);

/* When a change of a key takes effect; also used as a set. */
enum config_effect { CONFIG_SAME = 0, CONFIG_LIVE = 1, CONFIG_NEXT_GAME = 2, CONFIG_RESTART = 4 };

/* Tells of a changed key: section is as in the file, without brackets (`player.1`). */
typedef void config_change_fn(void *context, const char *section, const char *key,
                              enum config_effect effect);

/* What of the new configuration differs from the old one: a set of enum config_effect. */
unsigned config_compare(const struct config *old, const struct config *new,
                        config_change_fn *change, void *context);

/*
 * The commented sample file, the reference page (Markdown) and the manual page, from the key table.
 * 0 or -EIO.
 */
int config_write_sample(FILE *file);
int config_write_reference(FILE *file);
int config_write_man(FILE *file);

#endif
