/*
 * What Home Assistant needs to show the table as a device: its MQTT device discovery, one message
 * with all entities.
 */
#include "wire.h"

#include "wire_json.h"

#include <stdio.h>

enum { TEXT_SIZE = 320 };

/* Sensors and buttons; {base} is filled in from the table's own topics. */
static const struct {
    const char *id;
    const char *platform;
    const char *name;
    const char *icon;
    const char *topic;    /* behind the base: to listen to, or to send a button's command to */
    const char *template; /* of the value; NULL for buttons */
} entities[] = {
    {"turn", "sensor", "Turn", "mdi:account-arrow-right", "state",
     "{{ (value_json.players | selectattr('id', 'eq', value_json.player) | map(attribute='name')"
     " | first | default('nobody')) if value_json.players else 'nobody' }}"},
    {"phase", "sensor", "Step", "mdi:debug-step-over", "state", "{{ value_json.phase }}"},
    {"winner", "sensor", "Winner", "mdi:trophy", "state",
     "{{ value_json.players | selectattr('id', 'in', value_json.winners) | map(attribute='name')"
     " | join(', ') | default('none', true) }}"},
    {"fault", "binary_sensor", "Sensor fault", NULL, "info",
     "{{ 'ON' if value_json.faults or value_json.storage else 'OFF' }}"},
    {"new-game", "button", "New game", "mdi:flag-checkered", "command/" WIRE_START_GAME, NULL},
    {"end-phase", "button", "End step", "mdi:skip-next", "command/end-phase", NULL},
    {"undo", "button", "Undo", "mdi:undo", "command/undo", NULL},
};

static json_t *text_of(const char *first, const char *second)
{
    char text[TEXT_SIZE];

    snprintf(text, sizeof text, "%s%s", first, second);
    return json_text(text);
}

static json_t *unique_id(const struct wire_homeassistant *table, const char *entity)
{
    char id[TEXT_SIZE];

    snprintf(id, sizeof id, "%.200s-%.32s", table->id, entity);
    return json_text(id);
}

static json_t *entity(const struct wire_homeassistant *table, size_t index)
{
    struct building object = begin_object();
    bool is_button = !entities[index].template;

    put(&object, "platform", json_text(entities[index].platform));
    put(&object, "unique_id", unique_id(table, entities[index].id));
    put(&object, "name", json_text(entities[index].name));
    if (entities[index].icon) {
        put(&object, "icon", json_text(entities[index].icon));
    } else {
        put(&object, "device_class", json_text("problem"));
    }
    put(&object, is_button ? "command_topic" : "state_topic",
        text_of(table->base, entities[index].topic));
    if (is_button) {
        put(&object, "payload_press", json_text("{}"));
        put(&object, "qos", json_integer(1));
    } else {
        put(&object, "value_template", json_text(entities[index].template));
    }
    return finish(&object);
}

static json_t *score_entity(const struct wire_homeassistant *table, unsigned player)
{
    struct building object = begin_object();
    char text[TEXT_SIZE];

    put(&object, "platform", json_text("sensor"));
    snprintf(text, sizeof text, "score-%u", player);
    put(&object, "unique_id", unique_id(table, text));
    snprintf(text, sizeof text, "Score of player %u", player);
    put(&object, "name", json_text(text));
    put(&object, "icon", json_text("mdi:ferry"));
    put(&object, "state_topic", text_of(table->base, "score"));
    snprintf(text, sizeof text,
             "{{ value_json.scores | selectattr('id', 'eq', %u) | map(attribute='score') | first"
             " | default(0) }}",
             player);
    put(&object, "value_template", json_text(text));
    put(&object, "state_class", json_text("measurement"));
    return finish(&object);
}

/* Every event of the game, on one entity; our payloads have the event_type that it looks for. */
static json_t *event_entity(const struct wire_homeassistant *table)
{
    struct building object = begin_object();
    struct building types = begin_list();

    for (unsigned kind = 1; kind < EVENT_COUNT; kind++) {
        append(&types, json_text(rules_event_name((enum event_kind)kind)));
    }
    put(&object, "platform", json_text("event"));
    put(&object, "unique_id", unique_id(table, "event"));
    put(&object, "name", json_text("Game event"));
    put(&object, "state_topic", text_of(table->base, "event/+"));
    put(&object, "event_types", finish(&types));
    return finish(&object);
}

static json_t *device(const struct wire_homeassistant *table)
{
    struct building object = begin_object();
    struct building identifiers = begin_list();

    append(&identifiers, json_text(table->id));
    put(&object, "identifiers", finish(&identifiers));
    put(&object, "name", text_of("Ship Ahoy ", table->table));
    put(&object, "model", json_text("Ship Ahoy table controller"));
    put(&object, "sw_version", json_text(table->version));
    return finish(&object);
}

static json_t *origin(const struct wire_homeassistant *table)
{
    struct building object = begin_object();

    put(&object, "name", json_text("shipahoyd"));
    put(&object, "sw_version", json_text(table->version));
    return finish(&object);
}

char *wire_homeassistant(const struct wire_homeassistant *table)
{
    struct building object = begin_object();
    struct building components = begin_object();

    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        put(&components, entities[i].id, entity(table, i));
    }
    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        char id[] = {'s', 'c', 'o', 'r', 'e', '-', (char)('0' + player), '\0'};
        put(&components, id, score_entity(table, player));
    }
    put(&components, "event", event_entity(table));
    put(&object, "device", device(table));
    put(&object, "origin", origin(table));
    put(&object, "availability_topic", text_of(table->base, "status"));
    put(&object, "components", finish(&components));
    return finish_text(&object);
}
