/* Messages of sensors over MQTT, with jansson. */
#include "wire/radio.h"

#include "rules/text.h"

#include <jansson.h>
#include <string.h>
#include <strings.h>

static const struct radio_link no_link = {RADIO_UNKNOWN, RADIO_UNKNOWN, RADIO_UNKNOWN};

static bool is_word(const void *payload, size_t size, const char *word)
{
    return size == strlen(word) && strncasecmp(payload, word, size) == 0;
}

static enum radio_level read_words(const void *payload, size_t size, const char *const *active,
                                   const char *const *inactive)
{
    for (; *active && *inactive; active++, inactive++) {
        if (is_word(payload, size, *active)) {
            return RADIO_ACTIVE;
        }
        if (is_word(payload, size, *inactive)) {
            return RADIO_INACTIVE;
        }
    }
    return RADIO_NO_LEVEL;
}

/* NULL if it is not a JSON object, or too long. */
static json_t *load_object(const void *payload, size_t size)
{
    json_t *json =
        size > 0 && size <= RADIO_PAYLOAD_MAX ? json_loadb(payload, size, 0, NULL) : NULL;

    if (json && !json_is_object(json)) {
        json_decref(json);
        return NULL;
    }
    return json;
}

/*
 * Readings
 */

static int16_t read_figure(const json_t *object, const char *key, double min, double max)
{
    const json_t *member = json_object_get(object, key);

    if (!json_is_number(member)) {
        return RADIO_UNKNOWN;
    }
    double number = json_number_value(member);
    if (number < min || number > max) {
        return RADIO_UNKNOWN;
    }
    return (int16_t)number;
}

static void read_link(const json_t *object, struct radio_link *link)
{
    enum { PERCENT_MAX = 100, QUALITY_MAX = 1000, RSSI_MIN = -200, RSSI_MAX = 20 };

    link->battery = read_figure(object, "battery", 0, PERCENT_MAX);
    if (link->battery == RADIO_UNKNOWN) {
        link->battery = read_figure(object, "batt", 0, PERCENT_MAX);
    }
    link->linkquality = read_figure(object, "linkquality", 0, QUALITY_MAX);
    link->rssi = read_figure(object, "rssi", RSSI_MIN, RSSI_MAX);
}

/* The member at `A.B`, or NULL. */
static const json_t *find_member(const json_t *json, const char *path)
{
    char name[RADIO_TEXT_SIZE];

    while (json && *path) {
        size_t length = strcspn(path, ".");
        memcpy(name, path, length);
        name[length] = '\0';
        json = json_object_get(json, name);
        path += length + (path[length] == '.');
    }
    return json;
}

static bool equals(const json_t *member, const struct radio_source *source)
{
    switch (json_typeof(member)) {
    case JSON_STRING:
        return strcmp(json_string_value(member), source->value) == 0;
    case JSON_INTEGER:
    case JSON_REAL:
        return source->is_number && json_number_value(member) == source->number;
    case JSON_TRUE:
        return strcmp(source->value, "true") == 0;
    case JSON_FALSE:
        return strcmp(source->value, "false") == 0;
    case JSON_NULL:
        return strcmp(source->value, "null") == 0;
    default:
        return false;
    }
}

static bool is_reading(const json_t *member, const struct radio_source *source)
{
    if (!member || json_is_object(member) || json_is_array(member)) {
        return false;
    }
    if (source->match != MATCH_MEMBER) {
        return json_is_number(member);
    }
    return !json_is_null(member) || strcmp(source->value, "null") == 0;
}

static enum radio_level read_member(const json_t *json, const struct radio_source *source)
{
    const json_t *member = find_member(json, source->path);

    if (!is_reading(member, source)) {
        return RADIO_NO_LEVEL;
    }
    bool is_active = source->match == MATCH_MEMBER  ? equals(member, source)
                     : source->match == MATCH_ABOVE ? json_number_value(member) > source->number
                                                    : json_number_value(member) < source->number;
    return is_active ? RADIO_ACTIVE : RADIO_INACTIVE;
}

static enum radio_level read_plain(const struct radio_source *source, const void *payload,
                                   size_t size)
{
    static const char *const active[] = {"ON", "1", "true", "open", "pressed", NULL};
    static const char *const inactive[] = {"OFF", "0", "false", "closed", "released", NULL};

    if (source->match == MATCH_WORD) {
        return read_words(payload, size, active, inactive);
    }
    return size == strlen(source->value) && memcmp(payload, source->value, size) == 0
               ? RADIO_ACTIVE
               : RADIO_INACTIVE;
}

void radio_read(const struct radio_source *source, const void *payload, size_t size,
                struct radio_reading *reading)
{
    *reading = (struct radio_reading){.level = RADIO_NO_LEVEL, .link = no_link};
    if (size > RADIO_PAYLOAD_MAX) {
        return;
    }
    if (source->match == MATCH_WORD || source->match == MATCH_VALUE) {
        reading->level = read_plain(source, payload, size);
    } else {
        json_t *json = load_object(payload, size);
        if (json) {
            reading->level = read_member(json, source);
            read_link(json, &reading->link);
        }
        json_decref(json);
    }
    if (source->once && reading->level == RADIO_INACTIVE) {
        reading->level = RADIO_NO_LEVEL;
    }
}

static bool copy_value(const char *value, size_t length, char text[RADIO_TEXT_SIZE])
{
    if (length == 0 || length >= RADIO_TEXT_SIZE || memchr(value, '\0', length)) {
        return false;
    }
    memcpy(text, value, length);
    text[length] = '\0';
    return text_is_plain(text) && !strpbrk(text, "\";#");
}

/* Reals have no text that a file could contain; whole numbers have. */
static bool member_text(const json_t *member, char text[RADIO_TEXT_SIZE])
{
    struct text number = text_begin(text, RADIO_TEXT_SIZE);

    switch (member ? json_typeof(member) : JSON_NULL) {
    case JSON_STRING:
        return copy_value(json_string_value(member), json_string_length(member), text);
    case JSON_INTEGER:
        text_add_number(&number, json_integer_value(member));
        return true;
    case JSON_TRUE:
    case JSON_FALSE:
        text_add(&number, json_is_true(member) ? "true" : "false");
        return true;
    default:
        return false;
    }
}

bool radio_read_text(const struct radio_source *source, const void *payload, size_t size,
                     char text[RADIO_TEXT_SIZE])
{
    if (!source->path[0]) {
        return copy_value(payload, size, text);
    }
    json_t *json = load_object(payload, size);
    bool is_read = json && member_text(find_member(json, source->path), text);
    json_decref(json);
    return is_read;
}

enum radio_level radio_read_alive(const void *payload, size_t size)
{
    static const char *const online[] = {"online", NULL};
    static const char *const offline[] = {"offline", NULL};
    json_t *json = load_object(payload, size);
    const char *state = json_string_value(json_object_get(json, "state"));
    enum radio_level level = state ? read_words(state, strlen(state), online, offline)
                                   : read_words(payload, size, online, offline);

    json_decref(json);
    return level;
}

/*
 * Nodes
 */

static bool read_name(const json_t *json, char name[NODE_NAME_SIZE])
{
    const char *text = json_string_value(json);
    size_t length = text ? strlen(text) : 0;

    if (length == 0 || length >= NODE_NAME_SIZE) {
        return false;
    }
    memcpy(name, text, length + 1);
    return true;
}

static bool read_count(const json_t *json, uint64_t *count)
{
    *count = (uint64_t)json_integer_value(json);
    return json_is_integer(json) && json_integer_value(json) >= 0;
}

static bool read_level(const json_t *json, bool *level)
{
    json_int_t value = json_integer_value(json);

    *level = value == 1;
    return json_is_integer(json) && (value == 0 || value == 1);
}

static bool read_edges(const json_t *list, struct node_message *message)
{
    if (!json_is_array(list) || json_array_size(list) > NODE_EDGES_MAX) {
        return false;
    }
    message->edge_count = (unsigned)json_array_size(list);
    for (unsigned i = 0; i < message->edge_count; i++) {
        const json_t *item = json_array_get(list, i);
        struct node_edge *edge = &message->edges[i];
        if (json_array_size(item) != 3 || !read_name(json_array_get(item, 0), edge->sensor) ||
            !read_level(json_array_get(item, 1), &edge->level) ||
            !read_count(json_array_get(item, 2), &edge->age_us) ||
            edge->age_us > message->sent_us) {
            return false;
        }
    }
    return true;
}

static bool read_levels(json_t *object, struct node_message *message)
{
    const char *key;
    json_t *value;

    message->level_count = 0;
    if (!json_is_object(object) || json_object_size(object) > NODE_SENSORS_MAX) {
        return false;
    }
    json_object_foreach(object, key, value)
    {
        struct node_edge *level = &message->levels[message->level_count++];
        size_t length = strlen(key);
        if (length >= NODE_NAME_SIZE || !read_level(value, &level->level)) {
            return false;
        }
        memcpy(level->sensor, key, length + 1);
        level->age_us = 0;
    }
    return true;
}

bool radio_read_node(const void *payload, size_t size, struct node_message *message)
{
    json_t *json = load_object(payload, size);
    bool is_read = json && read_name(json_object_get(json, "boot"), message->boot) &&
                   read_count(json_object_get(json, "n"), &message->number) &&
                   read_count(json_object_get(json, "t"), &message->sent_us) &&
                   read_edges(json_object_get(json, "edges"), message) &&
                   read_levels(json_object_get(json, "levels"), message);

    json_decref(json);
    return is_read;
}

void radio_read_info(const void *payload, size_t size, struct radio_link *link)
{
    json_t *json = load_object(payload, size);

    *link = no_link;
    if (json) {
        read_link(json, link);
    }
    json_decref(json);
}
