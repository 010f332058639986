#include "wire/discovery.h"

#include "hw/sensor.h"
#include "rules/text.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* The text of a member by its name or its abbreviation; NULL if there is none. */
static const char *text_of(const json_t *object, const char *name, const char *abbreviation)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : json_string_value(json_object_get(object, abbreviation));
}

static json_t *member_of(const json_t *object, const char *name, const char *abbreviation)
{
    json_t *member = json_object_get(object, name);

    return member ? member : json_object_get(object, abbreviation);
}

/* What cannot be written into a configuration file, or not subscribed to, is not a topic here. */
static bool is_usable(const char *topic)
{
    return topic[0] && topic[0] != '$' && text_is_plain(topic) && !strpbrk(topic, "\";") &&
           !sensor_topic_problem(topic);
}

/* `~` at the beginning or the end stands for the base topic. False if it is too long. */
static bool expand(const json_t *config, const char *topic, char expanded[RADIO_TOPIC_SIZE])
{
    const char *base = text_of(config, "~", "~");
    struct text text = text_begin(expanded, RADIO_TOPIC_SIZE);
    size_t length = strlen(topic);

    base = base ? base : "~";
    if (topic[0] == '~') {
        text_add(&text, base);
        text_add(&text, topic + 1);
    } else if (length && topic[length - 1] == '~') {
        text_add_some(&text, topic, length - 1);
        text_add(&text, base);
    } else {
        text_add(&text, topic);
    }
    return text.length < RADIO_TOPIC_SIZE && is_usable(expanded);
}

/* Takes the name of a member, `.A` or `["A"]`, from the template and adds it to the path. */
static bool take_member(const char **template, struct text *path)
{
    const char *at = *template;
    const char *name = at + 1;
    const char *end;

    if (*at == '.') {
        end = name + strcspn(name, " .[|}");
        *template = end;
    } else if (*at == '[' && (at[1] == '"' || at[1] == '\'')) {
        const char quote[] = {at[1], '\0'};
        name = at + 2;
        end = name + strcspn(name, quote);
        if (*end != quote[0] || end[1] != ']' || memchr(name, '.', (size_t)(end - name))) {
            return false; /* the dot of a name would be that of a path */
        }
        *template = end + 2;
    } else {
        return false;
    }
    text_add(path, path->length ? "." : "");
    text_add_some(path, name, (size_t)(end - name));
    return end > name;
}

/* `{{ value_json.A.B }}` or `{{ value_json["A"] }}`; no template: the payload itself. */
static bool read_template(const char *template, struct radio_source *source)
{
    static const char json[] = "value_json";
    struct text path = text_begin(source->path, sizeof source->path);

    if (!template) {
        source->match = MATCH_VALUE;
        return true;
    }
    source->match = MATCH_MEMBER;
    if (strncmp(template, "{{", 2) != 0) {
        return false;
    }
    template += 2 + strspn(template + 2, " ");
    if (strncmp(template, json, strlen(json)) != 0) {
        return false;
    }
    template += strlen(json);
    while (*template == '.' || *template == '[') {
        if (!take_member(&template, &path)) {
            return false;
        }
    }
    template += strspn(template, " ");
    /* Names with blanks or operators cannot be written as a PATH. */
    return strcmp(template, "}}") == 0 && path.length > 0 && path.length < sizeof source->path &&
           !strpbrk(source->path, " \t\"=<>;#") && text_is_plain(source->path);
}

static void add_alive(const json_t *config, const char *topic, struct radio_source *source)
{
    char expanded[RADIO_TOPIC_SIZE] = "";

    for (unsigned i = 0; topic && i < RADIO_ALIVE_MAX; i++) {
        if (!source->alive[i][0] && expand(config, topic, expanded)) {
            memcpy(source->alive[i], expanded, strlen(expanded) + 1);
            return;
        }
    }
}

static void read_availability(const json_t *config, struct radio_source *source)
{
    const json_t *list = member_of(config, "availability", "avty");
    size_t index;
    json_t *item;

    add_alive(config, text_of(config, "availability_topic", "avty_t"), source);
    json_array_foreach(list, index, item)
    {
        add_alive(config, text_of(item, "topic", "t"), source);
    }
}

static void read_name(const json_t *config, struct discovered *discovered)
{
    const json_t *device = member_of(config, "device", "dev");
    const char *name = text_of(device, "name", "name");

    name = name ? name : text_of(config, "name", "name");
    name = name ? name : discovered->source.topic;
    text_quote(name, discovered->name, sizeof discovered->name);
}

bool wire_read_discovery(const void *payload, size_t size, struct discovered *discovered)
{
    json_t *config = size && size <= RADIO_PAYLOAD_MAX ? json_loadb(payload, size, 0, NULL) : NULL;
    const char *topic = text_of(config, "state_topic", "stat_t");

    memset(discovered, 0, sizeof *discovered);
    bool is_one = topic && expand(config, topic, discovered->source.topic);
    if (is_one) {
        read_name(config, discovered);
        read_availability(config, &discovered->source);
        discovered->is_supported =
            read_template(text_of(config, "value_template", "val_tpl"), &discovered->source);
    }
    json_decref(config);
    return is_one;
}
