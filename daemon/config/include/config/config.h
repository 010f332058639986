/* The configuration of a table, read from ini files. One table of keys (keys.c) defines them. */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include "config/ini.h"
#include "hw/fact.h"
#include "hw/sensor.h"
#include "hw/settings.h"
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
    CONFIG_PREFIX_SIZE = 101, /* prefix, table and sensor fit TOPIC_SIZE of bus.h */
    CONFIG_FILES_MAX = 8,
    CARD_SSH_KEY_SIZE = 901,
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
    char client_id[CONFIG_TEXT_SIZE]; /* "": random */
    bool homeassistant;
    char page_url[CONFIG_TEXT_SIZE]; /* "": at the host of the broker */
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
    char command[CONFIG_TEXT_SIZE]; /* in the grammar of rules/line.h */
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
    char record[CONFIG_TEXT_SIZE]; /* "": no recording */
    uint32_t beam_gap_um;          /* distance between the two muzzle beams */
    uint32_t counts_per_knot;
    bool rope_reverse;
    struct line_config lines[SENSOR_COUNT]; /* by enum sensor */
    struct button_config buttons[BUTTONS_MAX];
    unsigned button_count;
};

/* Sensors over MQTT. */
struct radio_config {
    uint32_t late_ms; /* for sources that name no delay of their own */
    uint32_t quiet_s; /* 0: a source may be quiet for ever */
};

struct journal_config {
    uint32_t keep_games;
    uint32_t keep_kib;
};

struct logbook_config {
    char database[CONFIG_TEXT_SIZE]; /* "": a file in its state directory */
    char sheets[CONFIG_TEXT_SIZE];   /* "": only those that are installed */
};

#define CONFIG_LANGUAGES(X)                                                                        \
    X(ENGLISH, "en")                                                                               \
    X(GERMAN, "de")                                                                                \
    X(CZECH, "cs")

#define CONFIG_ENUM_LANGUAGE(name, ...) LANGUAGE_##name,
enum card_language { LANGUAGE_NONE, CONFIG_LANGUAGES(CONFIG_ENUM_LANGUAGE) };

/* The computer itself: table.ini on the card of an image. Lengths are those of Wi-Fi and DNS. */
struct card_config {
    char wifi_name[33];
    char wifi_password[64];
    char wifi_country[3];
    char referee[65];
    char referee_password[129]; /* "": generated */
    enum card_language language;
    char time_zone[CONFIG_LINE_SIZE];
    char host_name[64];
    char ssh_key[CARD_SSH_KEY_SIZE];
    bool tv;
    bool voice;
    bool https;
};

struct config {
    char table[CONFIG_LINE_SIZE];
    struct mqtt_config mqtt;
    struct setup setup; /* of a new game; first 0 and barrels all 0: drawn at random */
    bool autostart;
    struct timing_config timing;
    struct hw_config hw;
    struct radio_config radio;
    struct journal_config journal;
    struct logbook_config logbook;
    struct card_config card;
};

/* Reports one problem of one file. Line 0: the whole file. */
typedef void config_problem_fn(void *context, const char *file, int line, const char *message);

/*
 * Reads the files in order, later ones override earlier ones, and checks the result. Reports every
 * problem with file, line, section, key, the accepted values and the nearest name for a typo.
 * Returns 0 and the configuration, or the number of problems with config unchanged.
 */
int config_load(const char *const *files, size_t count, struct config *config,
                config_problem_fn *problem, void *context);

/*
 * The same, and last the file with paired sensors, if there is one that may be read; paired may be
 * NULL.
 */
int config_load_paired(const char *const *files, size_t count, const char *paired,
                       struct config *config, config_problem_fn *problem, void *context);

/*
 * The text of that file with another source for a sensor, or without one if source is NULL; the
 * file has what this function has written before. Returns its length, or -ENOENT if there is
 * nothing to remove, -EFBIG if it becomes longer than INI_FILE_SIZE_MAX, the size of changed.
 */
int config_change_pairing(const struct config *config, const char *text, size_t size,
                          unsigned sensor, const char *source, char *changed);

/* The same for one file in memory, which may contain any bytes; name is its name in problems. */
int config_load_text(const char *name, const char *text, size_t size, struct config *config,
                     config_problem_fn *problem, void *context);

/*
 * The same for table.ini, which has the sections of the computer, too. Invalid keys have their
 * defaults, and the others are used: a computer with a half-right file is better than none.
 */
int config_load_card(const char *path, struct config *config, config_problem_fn *problem,
                     void *context);

/* Prints the keys of the sections of the computer as assignments for sh: wifi_name='den'. */
void config_print_card(const struct config *config, FILE *file);

/* A config_problem_fn whose context is a FILE: prints `FILE:LINE: message` or `FILE: message`. */
void config_print_problem(void *context, const char *file, int line, const char *message);

/*
 * Reports a problem that was found when the sensors were opened, at the last place that sets the
 * line of the sensor, or the backend if it is SENSOR_NONE. Reads the files again to find the place.
 */
void config_report_line(const char *const *files, size_t count, unsigned sensor,
                        const char *message, config_problem_fn *problem, void *context);

/*
 * Checks the files that [mqtt] names for errors that libmosquitto reports only when it connects, or
 * not at all: files that are not PEM, a password that is too long. Returns the number of problems.
 */
int config_check_files(const struct mqtt_config *config, config_problem_fn *problem, void *context);

/* The first line of the password file, "" if none is configured. 0, -errno, -EFBIG: too long. */
int config_read_password(const struct mqtt_config *config, char password[CONFIG_PASSWORD_SIZE]);

/* The configuration of an empty file. */
void config_defaults(struct config *config);

/* `gpiod` or `sim`. */
const char *config_backend_name(enum backend backend);

/* The part of the configuration that hw/ needs. */
struct filter_settings config_filter_settings(const struct config *config);
struct button_names config_button_names(const struct config *config);

/* The largest delay with which this radio sensor may report. */
uint32_t config_late_ms(const struct config *config, unsigned sensor);

/*
 * The path of the simulation's socket: as configured, else sim.sock in $RUNTIME_DIRECTORY (set by
 * systemd), else in /run/shipahoy. 0, or -ENAMETOOLONG.
 */
int config_socket(const struct config *config, char *path, size_t size);

/*
 * A line or another source as written in a file: `GPIO17 active-low pull-up`, `mqtt ball/state ON
 * once`; with_flags false: `GPIO17`, `mqtt ball/state`.
 */
void config_write_line(const struct line_config *line, bool with_flags, struct text *text);

/* When a change of a key takes effect; also used as a set. */
enum config_effect { CONFIG_SAME = 0, CONFIG_LIVE = 1, CONFIG_NEXT_GAME = 2, CONFIG_RESTART = 4 };

/* Receives a changed key; section is as in the file, without brackets (`player.1`). */
typedef void config_change_fn(void *context, const char *section, const char *key,
                              enum config_effect effect);

/*
 * Reports every key that differs and takes over the keys that do not require a restart. Returns the
 * set of effects.
 */
unsigned config_update(struct config *config, const struct config *next, config_change_fn *change,
                       void *context);

#endif
