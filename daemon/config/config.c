/* What the rest of the program asks of a configuration that has been read. */
#include "config_internal.h"

#include "hw/regular_file.h"
#include "rules/rules.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 256, MESSAGE_SIZE = 160 };

void config_defaults(struct config *config)
{
    char nothing[1];
    struct text no_hint = text_begin(nothing, sizeof nothing);

    memset(config, 0, sizeof *config);
    rules_default_setup(&config->setup, PLAYERS_MAX);
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        if (!config_section(key->section)->example) {
            bool fits =
                config_read_value(key, key->default_value, config_member(config, key, 0), &no_hint);
            assert(fits);
            (void)fits;
        }
    }
}

/*
 * Messages are timed by their arrival: the time between two of them is not that between the beams.
 * A node measures it itself.
 */
static bool measures_speed(const struct hw_config *hw)
{
    const struct line_config *beam = &hw->lines[SENSOR_CANNON_BEAM];
    const struct line_config *beam2 = &hw->lines[SENSOR_CANNON_BEAM2];

    if (!line_is_radio(beam) && !line_is_radio(beam2)) {
        return true;
    }
    return line_is_radio(beam) && line_is_radio(beam2) && beam->source == LINE_NODE &&
           beam2->source == LINE_NODE && strcmp(beam->radio.topic, beam2->radio.topic) == 0;
}

struct filter_settings config_filter_settings(const struct config *config)
{
    return (struct filter_settings){
        .tilt_settle_ms = config->timing.tilt_settle_ms,
        .beam_min_us = config->timing.beam_min_us,
        .button_ms = config->timing.button_ms,
        .stuck_s = config->timing.stuck_s,
        .beam_gap_um = measures_speed(&config->hw) ? config->hw.beam_gap_um : 0,
        .two_beams = config->hw.lines[SENSOR_CANNON_BEAM2].fitted,
        .counts_per_knot = config->hw.counts_per_knot,
        .rope_reverse = config->hw.rope_reverse,
    };
}

struct button_names config_button_names(const struct config *config)
{
    struct button_names buttons = {.count = config->hw.button_count};

    for (unsigned i = 0; i < buttons.count; i++) {
        snprintf(buttons.name[i], sizeof buttons.name[i], "%.*s", BUTTON_NAME_SIZE - 1,
                 config->hw.buttons[i].name);
    }
    return buttons;
}

uint32_t config_late_ms(const struct config *config, unsigned sensor)
{
    const struct radio_source *radio = &config->hw.lines[sensor].radio;

    return radio->has_late ? radio->late_ms : config->radio.late_ms;
}

int config_socket(const struct config *config, char *path, size_t size)
{
    const char *directory = getenv("RUNTIME_DIRECTORY");
    struct text text = text_begin(path, size);

    if (*config->hw.socket) {
        text_add(&text, config->hw.socket);
    } else {
        /* systemd separates directories with colons; the service has one. */
        directory = directory && *directory ? directory : "/run/shipahoy";
        text_add_some(&text, directory, strcspn(directory, ":"));
        text_add(&text, "/sim.sock");
    }
    return text.length < size ? 0 : -ENAMETOOLONG;
}

/*
 * Changes
 */

/* Buttons are numbered by their place in the list; another name is another button. */
static bool has_same_name(const struct config *old, const struct config *new,
                          const struct config_key *key, unsigned instance)
{
    return key->section != SECTION_BUTTON ||
           strcmp(old->hw.buttons[instance].name, new->hw.buttons[instance].name) == 0;
}

static bool differs(const struct config *old, const struct config *new,
                    const struct config_key *key, unsigned instance)
{
    return !has_same_name(old, new, key, instance) ||
           memcmp(config_member_const(old, key, instance), config_member_const(new, key, instance),
                  key->size) != 0;
}

/* A sensor over MQTT can come and go; GPIO lines are opened at the start only. */
static enum config_effect effect_of(const struct config *old, const struct config *new,
                                    const struct config_key *key, unsigned instance)
{
    if (key->type != TYPE_LINE || !has_same_name(old, new, key, instance)) {
        return key->effect;
    }
    const struct line_config *before = config_member_const(old, key, instance);
    const struct line_config *after = config_member_const(new, key, instance);
    bool was_wired = before->fitted && !line_is_radio(before);

    return line_is_radio(after) || (!after->fitted && !was_wired) ? CONFIG_LIVE : key->effect;
}

static void report_change(const struct config *old, const struct config *new,
                          const struct config_key *key, unsigned instance, config_change_fn *change,
                          void *context)
{
    const struct config *named = *new->hw.buttons[instance % BUTTONS_MAX].name ? new : old;
    char title[SECTION_NAME_SIZE];
    struct text text = text_begin(title, sizeof title);

    config_add_section(&text, named, key->section, instance);
    change(context, title, key->name, effect_of(old, new, key, instance));
}

unsigned config_update(struct config *config, const struct config *next, config_change_fn *change,
                       void *context)
{
    struct config updated = *config;
    unsigned effects = CONFIG_SAME;

    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        const struct config_section *section = config_section(key->section);
        for (unsigned instance = section->first; instance <= section->last; instance++) {
            if (!differs(config, next, key, instance)) {
                continue;
            }
            enum config_effect effect = effect_of(config, next, key, instance);
            report_change(config, next, key, instance, change, context);
            effects |= (unsigned)effect;
            if (effect != CONFIG_RESTART && has_same_name(config, next, key, instance)) {
                memcpy(config_member(&updated, key, instance),
                       config_member_const(next, key, instance), key->size);
            }
        }
    }
    updated.setup = next->setup; /* has members without a key, such as the number of players */
    *config = updated;
    return effects;
}

/*
 * Files that [mqtt] names
 */

int config_read_password(const struct mqtt_config *config, char password[CONFIG_PASSWORD_SIZE])
{
    const char *path = config->password_file;
    int error = 0;
    FILE *file = path[0] ? regular_file_read(path, &error) : NULL;

    password[0] = '\0';
    if (!file) {
        return error;
    }
    bool is_read = fgets(password, CONFIG_PASSWORD_SIZE, file) || !ferror(file);
    size_t length = strcspn(password, "\r\n");
    bool is_cut = !password[length] && length == CONFIG_PASSWORD_SIZE - 1;
    password[is_cut ? 0 : length] = '\0';
    fclose(file);
    return is_cut ? -EFBIG : is_read ? 0 : -EIO;
}

static bool is_pem(const char *path)
{
    static const char marker[] = "-----BEGIN ";
    char line[LINE_SIZE];
    int error;
    FILE *file = regular_file_read(path, &error);
    bool is_marked = false;

    while (file && !is_marked && fgets(line, sizeof line, file)) {
        is_marked = strncmp(line, marker, strlen(marker)) == 0;
    }
    if (file) {
        fclose(file);
    }
    return is_marked;
}

static int check_password(const struct mqtt_config *config, config_problem_fn *problem,
                          void *context)
{
    char password[CONFIG_PASSWORD_SIZE];
    char message[MESSAGE_SIZE];
    int error = config_read_password(config, password);

    explicit_bzero(password, sizeof password);
    if (!error) {
        return 0;
    }
    if (error == -EFBIG) {
        snprintf(message, sizeof message,
                 "[mqtt] password_file: expected a password of at most %d bytes",
                 CONFIG_PASSWORD_SIZE - 1);
    } else {
        snprintf(message, sizeof message, "[mqtt] password_file: %s", regular_file_problem(error));
    }
    problem(context, config->password_file, 0, message);
    return 1;
}

int config_check_files(const struct mqtt_config *config, config_problem_fn *problem, void *context)
{
    const struct {
        const char *key;
        const char *path;
    } files[] = {
        {"tls_ca", config->tls_ca}, {"tls_cert", config->tls_cert}, {"tls_key", config->tls_key}};
    int problems = check_password(config, problem, context);

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i].path[0] && !is_pem(files[i].path)) {
            char message[MESSAGE_SIZE];
            snprintf(message, sizeof message,
                     "[mqtt] %s: expected a PEM file with a line -----BEGIN ...", files[i].key);
            problem(context, files[i].path, 0, message);
            problems++;
        }
    }
    return problems;
}
