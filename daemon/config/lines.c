/* GPIO lines: `GPIO17`, `gpiochip2:5`, `LABEL:5` or, on the default chip, `5`; then flags. */
#include "values.h"

#include "rules/nearest.h"

#include <string.h>

enum { OFFSET_MAX = 65535, FLAG_SIZE = 24 };

static const struct {
    const char *name;
    enum line_bias bias;
    bool active_low;
} flags[] = {
    {"active-low", BIAS_AS_IS, true},
    {"pull-up", BIAS_PULL_UP, false},
    {"pull-down", BIAS_PULL_DOWN, false},
    {"no-bias", BIAS_NONE, false},
};

enum { FLAG_COUNT = sizeof flags / sizeof flags[0] };

static bool read_flag(const char *name, struct line_config *line, struct text *hint)
{
    struct nearest nearest = nearest_begin(name);

    for (unsigned i = 0; i < FLAG_COUNT; i++) {
        if (strcmp(flags[i].name, name) != 0) {
            nearest_offer(&nearest, flags[i].name);
            continue;
        }
        if (flags[i].bias && line->bias) {
            text_add(hint, "only one of pull-up, pull-down and no-bias can hold");
            return false;
        }
        line->active_low |= flags[i].active_low;
        line->bias = (uint8_t)(line->bias | flags[i].bias);
        return true;
    }
    config_add_guess(hint, nearest.best);
    return false;
}

/* A label may have colons of its own: the last one counts, and only before a number. */
static bool read_place(const char *place, struct line_config *line)
{
    const char *colon = strrchr(place, ':');
    const char *number = colon ? colon + 1 : place;
    size_t chip_length = colon ? (size_t)(colon - place) : 0;
    size_t length = strlen(place);

    if (config_read_decimal(number, 0, &line->offset)) {
        memcpy(line->chip, place, chip_length);
        return line->offset <= OFFSET_MAX && (!colon || chip_length > 0);
    }
    memcpy(line->name, place, length);
    return length > 0 && !colon;
}

bool config_read_line(const struct config_key *key, const char *value, void *member,
                      struct text *hint)
{
    struct line_config line;
    char place[LINE_TEXT_SIZE];

    memset(&line, 0, sizeof line);
    if (strcspn(value, ", \t") >= sizeof place) {
        return false;
    }
    config_next_item(&value, place, sizeof place);
    if (!read_place(place, &line)) {
        return false;
    }
    while (*value) {
        char flag[FLAG_SIZE];
        config_next_item(&value, flag, sizeof flag);
        if (!read_flag(flag, &line, hint)) {
            return false;
        }
    }
    line.fitted = true;
    memcpy(member, &line, key->size);
    return true;
}

void config_describe_line(const struct config_key *key, struct text *text)
{
    (void)key;
    text_add(text, "a line such as GPIO17 or gpiochip0:17, perhaps followed by active-low, "
                   "pull-up, pull-down or no-bias");
}

void config_write_line(const struct line_config *line, bool with_flags, struct text *text)
{
    text_add(text, line->chip);
    text_add(text, line->chip[0] ? ":" : "");
    if (line->name[0]) {
        text_add(text, line->name);
    } else {
        text_add_number(text, line->offset);
    }
    for (unsigned i = 0; i < FLAG_COUNT && with_flags; i++) {
        if (flags[i].active_low ? line->active_low : flags[i].bias == line->bias) {
            text_add(text, " ");
            text_add(text, flags[i].name);
        }
    }
}
