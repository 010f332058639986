/* Lines of text as what people and sensors would make of them. */
#include "fake_table.h"
#include "rules/fields.h"
#include "rules/line.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_SIZE = 1024, KNOCK_NOTICED_US = 600000, WINDOW_STEPS_MAX = 100 };

/*
 * Commands
 */

static int print_value(char *text, size_t size, const struct value *value)
{
    switch (value->kind) {
    case VALUE_NAME:
        return snprintf(text, size, "\"%s\"", value->name);
    case VALUE_NUMBER:
        return snprintf(text, size, "%" PRId64, value->number);
    case VALUE_MILLI:
        return snprintf(text, size, "%" PRId64 ".%03" PRId64, value->number / 1000,
                        value->number % 1000);
    default:
        return snprintf(text, size, "null");
    }
}

static void print_command(const struct input *input, const char *id, char json[JSON_SIZE])
{
    int length =
        id[0] ? snprintf(json, JSON_SIZE, "{\"id\":\"%s\"", id) : snprintf(json, JSON_SIZE, "{");

    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        struct value value = input_value(input, (enum field)field);
        if ((rules_input_fields(input->kind) & (UINT32_C(1) << field)) &&
            value.kind != VALUE_NONE) {
            length += snprintf(json + length, (size_t)(JSON_SIZE - length),
                               "%s\"%s\":", json[length - 1] == '{' ? "" : ",",
                               field_key((enum field)field));
            length += print_value(json + length, (size_t)(JSON_SIZE - length), &value);
        }
    }
    length += snprintf(json + length, (size_t)(JSON_SIZE - length), "}");
    assert(length < JSON_SIZE);
}

/*
 * Facts
 */

static struct fact fact_of(const struct fake_table *fake, enum fact_kind kind, unsigned sensor)
{
    return (struct fact){
        .kind = kind,
        .at_us = fake->now_us,
        .sensor = (uint16_t)sensor,
        .evidence = {.at_us = fake->now_us, .settle_us = 150000, .sensor = (uint16_t)sensor},
    };
}

static void tell_piece(struct fake_table *fake, enum fact_kind kind, unsigned first_sensor,
                       enum piece piece)
{
    struct fact fact = fact_of(fake, kind, first_sensor + (unsigned)piece);

    fact.piece = piece;
    if (sensor_named(&fake->names, sensor_name(&fake->names, fact.sensor)) != SENSOR_NONE) {
        fake_table_fact(fake, &fact); /* a tile has no sensors */
    }
}

static void knock(struct fake_table *fake, uint32_t pieces)
{
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (pieces & (UINT32_C(1) << piece)) {
            tell_piece(fake, FACT_TOPPLED, SENSOR_TILT, (enum piece)piece);
        }
    }
    fake_table_wait(fake, KNOCK_NOTICED_US);
}

static void wait_for_window(struct fake_table *fake)
{
    for (unsigned i = 0; i < WINDOW_STEPS_MAX && rules_deadline(table_game(fake->table)); i++) {
        fake_table_wait(fake, FAKE_SECOND_US);
    }
}

static void tell_ball(struct fake_table *fake, uint32_t speed_mmps)
{
    struct fact fact = fact_of(fake, FACT_BALL_LEFT, SENSOR_CANNON_BEAM);

    fact.speed_mmps = speed_mmps;
    fact.evidence.settle_us = 0;
    fact.evidence.width_us = 2500;
    fake_table_fact(fake, &fact);
}

static void tell_health(struct fake_table *fake, const struct input *input)
{
    struct fact fact = fact_of(fake, FACT_HEALTH, sensor_named(&fake->names, input->sensor));

    fact.health = input->kind == INPUT_SENSOR_OK ? HEALTH_OK : input->health;
    if (fact.sensor != SENSOR_NONE) {
        fake_table_fact(fake, &fact);
    }
}

static void tell_rope(struct fake_table *fake, enum fact_kind kind, int32_t knots_milli)
{
    bool is_button = kind != FACT_ROPE_AT;
    struct fact fact = fact_of(fake, kind, is_button ? SENSOR_ROPE_BUTTON : SENSOR_ROPE_A);

    fact.knots_milli = knots_milli;
    fake->rope_milli = knots_milli;
    fake_table_fact(fake, &fact);
}

static void tell_fact(struct fake_table *fake, const struct input *input)
{
    switch (input->kind) {
    case INPUT_BALL_LEFT:
        tell_ball(fake, input->speed_mmps);
        break;
    case INPUT_HIT:
        tell_piece(fake, FACT_HIT, SENSOR_BEAM, input->piece);
        break;
    case INPUT_TOPPLED:
        tell_piece(fake, FACT_TOPPLED, SENSOR_TILT, input->piece);
        break;
    case INPUT_RAISED:
        tell_piece(fake, FACT_RAISED, SENSOR_TILT, input->piece);
        break;
    case INPUT_KNOCKED:
        knock(fake, input->pieces);
        break;
    case INPUT_WINDOW_OVER:
        wait_for_window(fake);
        break;
    case INPUT_ROPE_OVER:
        tell_rope(fake, FACT_ROPE_AT, input->knots_milli);
        break;
    default:
        tell_health(fake, input);
        break;
    }
}

/*
 * What is no input of the rules
 */

static int32_t milli_of(const char *number)
{
    return (int32_t)(strtod(number, NULL) * 1000 + 0.5);
}

static bool tell_other(struct fake_table *fake, const char *word, const char *rest)
{
    struct fact fact;

    if (strcmp(word, "blocked") == 0 || strcmp(word, "clear") == 0) {
        fact = fact_of(fake, FACT_BLOCKED, sensor_named(&fake->names, rest));
        fact.level = word[0] == 'b';
        fake_table_fact(fake, &fact);
    } else if (strcmp(word, "wait") == 0) {
        fake_table_wait(fake, strtoull(rest, NULL, 10) * 1000);
    } else if (strcmp(word, "rope") == 0) {
        tell_rope(fake, FACT_ROPE_AT, milli_of(rest));
    } else if (strcmp(word, "press") == 0) {
        tell_rope(fake, FACT_ROPE_PRESSED, fake->rope_milli);
    } else if (strcmp(word, "hold") == 0) {
        tell_rope(fake, FACT_ROPE_HELD, fake->rope_milli);
    } else if (strcmp(word, "button") == 0) {
        unsigned button = (unsigned)strtoul(rest, NULL, 10);
        fact = fact_of(fake, FACT_PRESSED, SENSOR_BUTTON + button);
        fact.button = (uint8_t)button;
        fake_table_fact(fake, &fact);
    } else if (strcmp(word, "dock") == 0) {
        enum harbour harbour = rules_harbour_named(rest);
        fact = fact_of(fake, FACT_DOCKED, SENSOR_DOCK + (unsigned)harbour);
        fact.harbour = harbour;
        fact.level = 1;
        fake_table_fact(fake, &fact);
    } else {
        return false;
    }
    return true;
}

static const char *start_game(struct fake_table *fake, bool abandon, const char *id)
{
    char json[JSON_SIZE];

    snprintf(json, sizeof json, "{%s%s%s\"abandon\":%s,\"anyway\":true}", id[0] ? "\"id\":\"" : "",
             id, id[0] ? "\"," : "", abandon ? "true" : "false");
    return fake_table_send(fake, "new-game", json);
}

const char *fake_table_say(struct fake_table *fake, const char *line, const char *id)
{
    char word[LINE_SIZE];
    char json[JSON_SIZE];
    struct input input;
    size_t length = strcspn(line, " ");

    assert(length < sizeof word);
    memcpy(word, line, length);
    word[length] = '\0';
    if (tell_other(fake, word, line + length + (line[length] == ' '))) {
        return NULL;
    }
    if (strcmp(line, "anyway") == 0 || strcmp(line, "abandon") == 0) {
        return start_game(fake, strcmp(line, "abandon") == 0, id);
    }
    int refusal = line_read_input(line, &input);
    assert(refusal == 0);
    (void)refusal;
    if (rules_input_source(input.kind) != SOURCE_COMMAND) {
        tell_fact(fake, &input);
        return NULL;
    }
    print_command(&input, id, json);
    return fake_table_send(fake, rules_input_name(input.kind), json);
}
