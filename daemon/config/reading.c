/* What the lines of the files mean: sections opened, keys set, problems told. */
#include "reading.h"

#include "rules/nearest.h"
#include "values.h"

#include "rules/rules.h"
#include "rules/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_SIZE = 64 };

static const char ellipsis[] = "...";

void config_defaults(struct config *config)
{
    char nothing[1];
    struct text no_hint = text_begin(nothing, sizeof nothing);

    memset(config, 0, sizeof *config);
    rules_default_setup(&config->setup, PLAYERS_MAX);
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        if (!config_section(key->section)->example) {
            bool fits = config_read_value(key, key->usual, config_member(config, key, 0), &no_hint);
            assert(fits);
            (void)fits;
        }
    }
}

static void tell(struct reading *reading, const struct origin *origin, const char *message)
{
    reading->problems++;
    reading->problem(reading->context, reading->files[origin->file], origin->line, message);
}

void reading_complain(struct reading *reading, const struct origin *origin, const char *format, ...)
{
    char message[PROBLEM_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    tell(reading, origin, message);
}

void reading_complain_key(struct reading *reading, const struct config_key *key, unsigned instance,
                          const char *format, ...)
{
    char message[PROBLEM_SIZE];
    struct text text = text_begin(message, sizeof message);
    va_list arguments;

    text_add(&text, "[");
    config_add_section(&text, &reading->config, key->section, instance);
    text_add(&text, "] ");
    text_add(&text, key->name);
    va_start(arguments, format);
    vsnprintf(message + text.length, sizeof message - text.length, format, arguments);
    va_end(arguments);
    tell(reading, reading_origin(reading, key, instance), message);
}

const struct origin *reading_origin(const struct reading *reading, const struct config_key *key,
                                    unsigned instance)
{
    return &reading->keys[key - config_keys][instance];
}

/* What stands in a file, fit to be shown: without control characters, and not too much of it. */
static const char *show(const char *value, char *shown, size_t size)
{
    struct text text = text_begin(shown, size);
    size_t length = strlen(value);

    if (length >= size) {
        length = size - sizeof ellipsis;
        while (length > 0 && (value[length] & 0xc0) == 0x80) {
            length--; /* not in the middle of a letter */
        }
    }
    text_add_some(&text, value, length);
    text_add(&text, value[length] ? ellipsis : "");
    if (!text_is_plain(shown)) {
        for (char *at = shown; *at; at++) {
            if (*at < ' ' || *at > '~') {
                *at = '?';
            }
        }
    }
    return shown;
}

/*
 * Sections
 */

static void add_section_guess(struct text *advice, const char *name, const char *instance)
{
    text_add(advice, "did you mean [");
    text_add(advice, name);
    text_add(advice, instance ? "." : "");
    text_add(advice, instance ? instance : "");
    text_add(advice, "]?");
}

static void advise_on_name(struct text *advice, const char *name, const char *instance)
{
    struct nearest nearest = nearest_begin(name);

    for (unsigned id = 0; id < SECTION_COUNT; id++) {
        nearest_offer(&nearest, config_section((enum section_id)id)->name);
    }
    if (nearest.best) {
        add_section_guess(advice, nearest.best, instance);
        return;
    }
    text_add(advice, "expected ");
    for (unsigned id = 0; id < SECTION_COUNT; id++) {
        const struct config_section *section = config_section((enum section_id)id);
        text_add(advice, id == 0 ? "[" : id + 1 < SECTION_COUNT ? "], [" : "] or [");
        text_add(advice, section->name);
        text_add(advice, section->example ? "." : "");
        text_add(advice, section->example ? section->example : "");
    }
    text_add(advice, "]");
}

static void advise_on_instance(struct text *advice, const struct config_section *section,
                               const char *instance)
{
    struct nearest nearest = nearest_begin(instance);

    if (!section->instance_name) {
        text_add(advice, "a name has 1 to ");
        text_add_number(advice, BUTTON_NAME_MAX);
        text_add(advice, " letters, digits, - or _");
        return;
    }
    for (unsigned i = section->first; i <= section->last; i++) {
        nearest_offer(&nearest, section->instance_name(i));
    }
    if (nearest.best) {
        add_section_guess(advice, section->name, nearest.best);
        return;
    }
    text_add(advice, "expected ");
    for (unsigned i = section->first; i <= section->last; i++) {
        text_add(advice, i == section->first ? "[" : i < section->last ? "], [" : "] or [");
        text_add(advice, section->name);
        text_add(advice, ".");
        text_add(advice, section->instance_name(i));
    }
    text_add(advice, "]");
}

/* The number of the button with that name, a new one if there is room; -1 otherwise. */
static int find_button(struct reading *reading, const char *name)
{
    struct hw_config *hw = &reading->config.hw;
    struct config_key rule = {.min = 1, .max = BUTTON_NAME_MAX, .size = sizeof hw->buttons[0].name};

    for (unsigned i = 0; i < hw->button_count; i++) {
        if (strcmp(hw->buttons[i].name, name) == 0) {
            return (int)i;
        }
    }
    if (hw->button_count == BUTTONS_MAX ||
        !config_read_segment(&rule, name, hw->buttons[hw->button_count].name, NULL)) {
        return -1;
    }
    return (int)hw->button_count++;
}

static const struct config_section *find_section(const char *name, enum section_id *id)
{
    for (unsigned i = 0; i < SECTION_COUNT; i++) {
        if (strcmp(config_section((enum section_id)i)->name, name) == 0) {
            *id = (enum section_id)i;
            return config_section(*id);
        }
    }
    return NULL;
}

/* The instance that a section's name asks for; -1 and advice if there is none. */
static int find_instance(struct reading *reading, const struct config_section *section,
                         const char *instance, struct text *advice)
{
    if (!section->example) {
        if (instance) {
            add_section_guess(advice, section->name, NULL);
        }
        return instance ? -1 : 0;
    }
    if (!instance) {
        add_section_guess(advice, section->name, section->example);
        return -1;
    }
    int found = section->instance_name ? config_find_instance(section, instance)
                                       : find_button(reading, instance);
    if (found < 0 && reading->config.hw.button_count == BUTTONS_MAX && !section->instance_name) {
        text_add(advice, "there are as many buttons as can be");
    } else if (found < 0) {
        advise_on_instance(advice, section, instance);
    }
    return found;
}

void reading_open_section(struct reading *reading, const char *name)
{
    char base[SHOWN_SIZE];
    char shown[SHOWN_SIZE];
    char advice_text[PROBLEM_SIZE];
    struct text text = text_begin(base, sizeof base);
    struct text advice = text_begin(advice_text, sizeof advice_text);
    const char *point = strchr(name, '.');
    int instance = -1;

    text_add_some(&text, name, point ? (size_t)(point - name) : strlen(name));
    const struct config_section *section = find_section(base, &reading->section);
    if (section) {
        instance = find_instance(reading, section, point ? point + 1 : NULL, &advice);
    } else {
        advise_on_name(&advice, base, point ? show(point + 1, shown, sizeof shown) : NULL);
    }
    if (instance < 0) {
        reading->section_state = SECTION_UNKNOWN;
        reading_complain(reading, &reading->at, "[%s]: unknown section; %s",
                         show(name, shown, sizeof shown), advice_text);
        return;
    }
    reading->section_state = SECTION_OPEN;
    reading->instance = (unsigned)instance;
    reading->sections[reading->section][instance] = reading->at;
}

/*
 * Keys
 */

static void complain_unknown_key(struct reading *reading, const char *name)
{
    char advice_text[PROBLEM_SIZE];
    char title_text[SHOWN_SIZE];
    char shown[SHOWN_SIZE];
    struct text advice = text_begin(advice_text, sizeof advice_text);
    struct text title = text_begin(title_text, sizeof title_text);
    struct nearest nearest = nearest_begin(name);
    const char *between = "expected ";

    for (size_t i = 0; i < config_key_count; i++) {
        if (config_keys[i].section == reading->section) {
            nearest_offer(&nearest, config_keys[i].name);
        }
    }
    config_add_guess(&advice, nearest.best);
    for (size_t i = 0; i < config_key_count && !nearest.best; i++) {
        if (config_keys[i].section == reading->section) {
            text_add(&advice, between);
            text_add(&advice, config_keys[i].name);
            between = ", ";
        }
    }
    config_add_section(&title, &reading->config, reading->section, reading->instance);
    reading_complain(reading, &reading->at, "[%s] %s: unknown key; %s", title_text,
                     show(name, shown, sizeof shown), advice_text);
}

static void complain_value(struct reading *reading, const struct config_key *key, const char *value,
                           const char *hint)
{
    char fits[PROBLEM_SIZE];
    char shown[SHOWN_SIZE];
    struct text text = text_begin(fits, sizeof fits);

    config_describe_value(key, &text);
    reading_complain_key(reading, key, reading->instance, " = %s: expected %s%s%s",
                         show(value, shown, sizeof shown), fits, *hint ? "; " : "", hint);
}

void reading_set(struct reading *reading, const char *name, const char *value)
{
    char hint_text[PROBLEM_SIZE / 2];
    struct text hint = text_begin(hint_text, sizeof hint_text);

    if (reading->section_state != SECTION_OPEN) {
        if (reading->section_state == SECTION_NOT_YET) {
            char shown[SHOWN_SIZE];
            reading_complain(reading, &reading->at, "%s: a key before the first [section]",
                             show(name, shown, sizeof shown));
        }
        return;
    }
    const struct config_key *key = config_find_key(reading->section, name);
    if (!key) {
        complain_unknown_key(reading, name);
        return;
    }
    struct origin *origin = &reading->keys[key - config_keys][reading->instance];
    struct origin before = *origin;
    *origin = reading->at;
    origin->given = *value != '\0';
    if (before.line && before.file == origin->file) {
        reading_complain_key(reading, key, reading->instance, ": is set in line %d already",
                             before.line);
    }
    origin->refused = !config_read_value(
        key, value, config_member(&reading->config, key, reading->instance), &hint);
    if (origin->refused) {
        complain_value(reading, key, value, hint_text);
    }
}
