#include "read_json.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

const char *peek_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

void read_text(const json_t *object, const char *key, char *text, size_t size)
{
    snprintf(text, size, "%s", peek_text(object, key));
}

uint32_t read_number(const json_t *object, const char *key)
{
    json_int_t number = json_integer_value(json_object_get(object, key));

    return number > 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

bool read_flag(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

enum piece read_piece(const json_t *object, const char *key)
{
    return rules_piece_named(peek_text(object, key));
}

int64_t read_time_ms(const json_t *object, const char *key)
{
    struct tm utc = {0};
    unsigned milliseconds = 0;
    const char *rest = strptime(peek_text(object, key), "%Y-%m-%dT%H:%M:%S", &utc);

    if (!rest) {
        return 0;
    }
    sscanf(rest, ".%3u", &milliseconds);
    return (int64_t)timegm(&utc) * 1000 + milliseconds;
}

enum phase read_phase(const json_t *object, const char *key)
{
    const char *name = peek_text(object, key);

    for (unsigned phase = 0; phase < PHASE_COUNT; phase++) {
        if (strcmp(rules_phase_name((enum phase)phase), name) == 0) {
            return (enum phase)phase;
        }
    }
    return PHASE_LOBBY;
}
