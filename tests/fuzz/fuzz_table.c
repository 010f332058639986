/*
 * Commands from anybody, on their whole way: a table with a simulated disk, broker and clock gets
 * them one after the other. Each line of the input is a command, its verb and its payload with a
 * space between. Two kinds of lines are shorter, so that a few changed bytes go far: after a tab a
 * fact of a tilt switch or of the cannon, after a plus sign the scenario and the players of a game.
 * Whatever it is, the table answers, keeps its rules, and a refused command changes nothing.
 */
#include "tests/support/fake_table.h"

#include "rules/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 64, JSON_SIZE = 1024 };

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

static const char *last_reply(const struct fake_table *fake, size_t before)
{
    for (size_t i = fake_bus_count(fake->bus); i > before; i--) {
        const struct fake_message *message = fake_bus_message(fake->bus, i - 1);
        if (strcmp(message->topic, FAKE_BASE "reply") == 0) {
            return message->payload;
        }
    }
    return NULL;
}

static bool is_query_topic(const char *topic)
{
    for (unsigned i = 0; i < TABLE_QUERY_COUNT; i++) {
        if (strcmp(topic + strlen(FAKE_BASE "command/"), table_queries[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* unsettled: a piece that fell may wait for others, and is recorded before the command. */
static void command(struct fake_table *fake, const char *line, size_t size, bool unsettled)
{
    const char *space = memchr(line, ' ', size);
    size_t verb = space ? (size_t)(space - line) : size;
    size_t before = fake_bus_count(fake->bus);
    uint64_t hash = rules_hash(table_game(fake->table));
    char topic[TOPIC_SIZE] = FAKE_BASE "command/";

    if (verb == 0 || strlen(topic) + verb >= sizeof topic || memchr(line, '\0', verb)) {
        return;
    }
    memcpy(topic + strlen(topic), line, verb);
    bool is_query = is_query_topic(topic); /* which may wait */
    fake_table_message(fake, &(struct bus_news){
                                 .kind = BUS_MESSAGE,
                                 .topic = topic,
                                 .payload = space ? space + 1 : "",
                                 .size = space ? size - verb - 1 : 0,
                             });
    const char *reply = last_reply(fake, before);
    require(reply != NULL || is_query);
    require((reply && fake_reply_is_ok(reply)) || unsettled ||
            hash == rules_hash(table_game(fake->table)));
}

/* A plus sign, the scenario, then the set of harbours of each player. */
static void start_game(struct fake_table *fake, const char *line, size_t size)
{
    char json[JSON_SIZE];
    unsigned scenario = size > 1 ? (unsigned char)line[1] % SCENARIO_COUNT : 0;
    int at = snprintf(json, sizeof json, "start-game {\"scenario\":\"%s\",\"players\":[",
                      rules_scenario_name((enum scenario_id)scenario));

    for (size_t i = 2; i < size && i < 2 + PLAYER_COUNT; i++) {
        const char *separator = "";
        at += snprintf(json + at, sizeof json - (size_t)at, "%s{\"harbours\":[", i > 2 ? "," : "");
        for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
            if ((unsigned char)line[i] & bit(harbour)) {
                at += snprintf(json + at, sizeof json - (size_t)at, "%s\"%s\"", separator,
                               rules_harbour_name((enum harbour)harbour));
                separator = ",";
            }
        }
        at += snprintf(json + at, sizeof json - (size_t)at, "]}");
    }
    snprintf(json + at, sizeof json - (size_t)at, "]}");
    command(fake, json, strlen(json), true);
}

/* A tab, what it is, and the piece; else time passes. Whether something was seen. */
static bool fact(struct fake_table *fake, const char *line, size_t size)
{
    enum piece piece = size > 2 ? (enum piece)(1 + (unsigned char)line[2] % (PIECE_COUNT - 1)) : 1;
    struct fact seen = {.at_us = fake->now_us, .piece = piece};

    switch (size > 1 ? line[1] : '\0') {
    case 'd':
        seen.kind = FACT_TOPPLED;
        break;
    case 'u':
        seen.kind = FACT_RAISED;
        break;
    case 'b':
        seen.kind = FACT_BALL_LEFT;
        break;
    default:
        fake_table_wait(fake, FAKE_SECOND_US);
        return false;
    }
    seen.sensor = (uint16_t)(seen.kind == FACT_BALL_LEFT ? SENSOR_CANNON_BEAM
                                                         : SENSOR_TILT + (unsigned)piece);
    seen.evidence = (struct evidence){.at_us = seen.at_us, .sensor = seen.sensor};
    fake_table_fact(fake, &seen);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fake_table fake;
    const char *line = (const char *)data;
    const char *end = line + size;
    bool unsettled = false;

    fake_table_begin(&fake, "");
    require(fake_table_start(&fake) == 0);
    fake_table_connect(&fake);
    for (unsigned lines = 0; line < end && lines < LINES_MAX; lines++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((stop ? stop : end) - line);
        if (length && line[0] == '\t') {
            unsettled = fact(&fake, line, length);
        } else if (length && line[0] == '+') {
            start_game(&fake, line, length);
        } else {
            command(&fake, line, length, unsettled);
        }
        require(rules_violation(table_game(fake.table)) == NULL);
        line += length + 1;
    }
    fake_table_end(&fake);
    return 0;
}
