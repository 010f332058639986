/* MQTT device discovery for Home Assistant: one message with all entities of the table. */
#include "wire/wire.h"

#include "json_internal.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 512 };

/* Sensors and buttons. */
static const struct {
    const char *id;
    const char *platform;
    const char *name;
    const char *icon;         /* NULL: that of its device class */
    const char *device_class; /* NULL: none */
    const char *topic;        /* after the base: of the state, or of the command of a button */
    const char *template;     /* of the value; NULL for buttons */
} entities[] = {
    {"turn", "sensor", "Turn", "mdi:account-arrow-right", NULL, "state",
     "{{ (value_json.players | selectattr('id', 'eq', value_json.player) | map(attribute='name')"
     " | first | default('nobody')) if value_json.players else 'nobody' }}"},
    {"phase", "sensor", "Step", "mdi:debug-step-over", "enum", "state", "{{ value_json.phase }}"},
    {"winner", "sensor", "Winner", "mdi:trophy", NULL, "state",
     "{{ value_json.players | selectattr('id', 'in', value_json.winners) | map(attribute='name')"
     " | join(', ') | default('none', true) }}"},
    {"fault", "binary_sensor", "Sensor fault", NULL, "problem", "info",
     "{{ 'ON' if value_json.faults or value_json.storage else 'OFF' }}"},
    {"new-game", "button", "New game", "mdi:flag-checkered", NULL, "command/" WIRE_START_GAME,
     NULL},
    {"end-phase", "button", "End step", "mdi:skip-next", NULL, "command/end-phase", NULL},
    {"undo", "button", "Undo", "mdi:undo", NULL, "command/undo", NULL},
};

static void put_joined(struct json_text *json, const char *key, const char *first,
                       const char *second)
{
    char text[TEXT_SIZE];

    snprintf(text, sizeof text, "%s%s", first, second);
    put_text(json, key, text);
}

static void put_unique_id(struct json_text *json, const struct wire_homeassistant *table,
                          const char *entity)
{
    char id[TEXT_SIZE];

    snprintf(id, sizeof id, "%.200s-%.32s", table->id, entity);
    put_text(json, "unique_id", id);
}

/* A sensor with device class `enum` lists its values; a problem is not part of the game. */
static void put_device_class(struct json_text *json, const char *device_class)
{
    put_word(json, "device_class", device_class);
    if (strcmp(device_class, "enum") == 0) {
        open_list(json, "options");
        for (unsigned phase = 0; phase < PHASE_COUNT; phase++) {
            put_word(json, NULL, rules_phase_name((enum phase)phase));
        }
        close_list(json);
    } else {
        put_word(json, "entity_category", "diagnostic");
    }
}

static void put_entity(struct json_text *json, const struct wire_homeassistant *table, size_t index)
{
    bool is_button = !entities[index].template;

    open_object(json, entities[index].id);
    put_text(json, "platform", entities[index].platform);
    put_unique_id(json, table, entities[index].id);
    put_text(json, "name", entities[index].name);
    if (entities[index].icon) {
        put_text(json, "icon", entities[index].icon);
    }
    if (entities[index].device_class) {
        put_device_class(json, entities[index].device_class);
    }
    put_joined(json, is_button ? "command_topic" : "state_topic", table->base,
               entities[index].topic);
    put_number(json, "qos", 1);
    if (is_button) {
        put_text(json, "payload_press", "{}");
    } else {
        put_text(json, "value_template", entities[index].template);
    }
    close_object(json);
}

/*
 * The name is that of the player and changes with the game; the id of the entity does not. The
 * state of a player who does not play is `unknown`, which Home Assistant calls None.
 */
static void put_score_entity(struct json_text *json, const struct wire_homeassistant *table,
                             unsigned player)
{
    char text[TEXT_SIZE];
    const struct setup *setup = table->setup;

    snprintf(text, sizeof text, "score-%u", player);
    open_object(json, text);
    put_text(json, "platform", "sensor");
    put_unique_id(json, table, text);
    snprintf(text, sizeof text, "sensor.ship_ahoy_%.200s_score_of_player_%u", table->table, player);
    put_text(json, "default_entity_id", text);
    if (setup && player <= setup->players) {
        put_joined(json, "name", "Score of ", setup->seats[player].name);
    } else {
        snprintf(text, sizeof text, "Score of player %u", player);
        put_text(json, "name", text);
    }
    put_text(json, "icon", "mdi:ferry");
    put_joined(json, "state_topic", table->base, "score");
    put_number(json, "qos", 1);
    snprintf(text, sizeof text,
             "{{ value_json.scores | selectattr('id', 'eq', %u) | map(attribute='score') | first"
             " | default('None') }}",
             player);
    put_text(json, "value_template", text);
    put_text(json, "state_class", "measurement");
    close_object(json);
}

/*
 * One entity for all events; Home Assistant reads the event_type of our payloads. Not from event/+,
 * where an event can come again, and start an automation again.
 */
static void put_event_entity(struct json_text *json, const struct wire_homeassistant *table)
{
    open_object(json, "event");
    put_text(json, "platform", "event");
    put_unique_id(json, table, "event");
    put_text(json, "name", "Game event");
    put_joined(json, "state_topic", table->base, WIRE_ONCE_TOPIC);
    put_number(json, "qos", 0);
    open_list(json, "event_types");
    for (unsigned kind = 1; kind < EVENT_COUNT; kind++) {
        put_word(json, NULL, rules_event_name((enum event_kind)kind));
    }
    close_list(json);
    close_object(json);
}

static void put_device(struct json_text *json, const struct wire_homeassistant *table)
{
    open_object(json, "device");
    open_list(json, "identifiers");
    put_text(json, NULL, table->id);
    close_list(json);
    put_joined(json, "name", "Ship Ahoy ", table->table);
    put_text(json, "model", "Ship Ahoy table controller");
    put_text(json, "sw_version", table->version);
    put_text(json, "configuration_url", table->page_url);
    close_object(json);
}

static void put_origin(struct json_text *json, const struct wire_homeassistant *table)
{
    open_object(json, "origin");
    put_text(json, "name", "shipahoyd");
    put_text(json, "sw_version", table->version);
    close_object(json);
}

char *wire_homeassistant(const struct wire_homeassistant *table)
{
    struct json_text json = json_begin();

    put_device(&json, table);
    put_origin(&json, table);
    put_joined(&json, "availability_topic", table->base, "status");
    open_object(&json, "components");
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        put_entity(&json, table, i);
    }
    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        put_score_entity(&json, table, player);
    }
    put_event_entity(&json, table);
    close_object(&json);
    return json_end(&json);
}
