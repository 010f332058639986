/*
 * How many edges a second of an encoder arrive over a radio node: messages as the node program
 * sends them, faster and faster, until the rope has not counted all edges.
 */
#include "game_play.h"
#include "listener.h"
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EDGES_A_MESSAGE = 64, /* as in hw/node/report.py */
    MESSAGES = 250,       /* at each rate */
    EDGES = EDGES_A_MESSAGE * MESSAGES,
    RATE_MIN = 2000, /* what the reel needs */
    RATE_MAX = 512000,
    PATIENCE_US = 2000000, /* after the last message: the rope is published within 50 ms */
    PAYLOAD_SIZE = 4096,
};

static struct listener rope;
static unsigned long message_number;
static unsigned long long edge_number; /* of the encoder, since the start */

static int add_text(char *payload, int length, const char *format, unsigned long long one,
                    unsigned long long two)
{
    return length + snprintf(payload + length, (size_t)(PAYLOAD_SIZE - length), format, one, two);
}

/* The ages are those of an encoder that turns evenly. */
static void send_message(unsigned rate)
{
    char payload[PAYLOAD_SIZE];
    int length = add_text(payload, 0, "{\"boot\":\"bench\",\"n\":%llu,\"t\":%llu,\"edges\":[",
                          ++message_number, (unsigned long long)rig_now_us());

    for (unsigned i = 0; i < EDGES_A_MESSAGE; i++, edge_number++) {
        unsigned long long age_us = (EDGES_A_MESSAGE - 1 - i) * 1000000ULL / rate;
        length =
            add_text(payload, length, edge_number % 2 ? "[\"b\",%llu,%llu]," : "[\"a\",%llu,%llu],",
                     edge_number % 4 < 2, age_us);
    }
    /* A whole number of turns: both lines are low again. The last comma goes. */
    snprintf(payload + length - 1, (size_t)(PAYLOAD_SIZE - length + 1),
             "],\"levels\":{\"a\":0,\"b\":0}}");
    listener_say(&rope, "bench/reel/node/reel/edges", payload);
}

static unsigned long long counts(void)
{
    const char *found = strstr(rope.heard_text, "\"counts\":");
    long long count = found ? atoll(found + strlen("\"counts\":")) : 0;

    return (unsigned long long)llabs(count);
}

/* Whether all edges at this rate were counted. */
static bool turn(unsigned rate)
{
    double began_us = rig_now_us();
    double took_us = 0;

    for (unsigned i = 0; i < MESSAGES; i++) {
        double due_us = began_us + (i + 1) * (EDGES_A_MESSAGE * 1e6 / rate);
        send_message(rate);
        while ((took_us = due_us - rig_now_us()) > 0) {
            listener_work(&rope, (unsigned)(took_us / 1000));
        }
    }
    took_us = rig_now_us() - began_us;
    double until_us = rig_now_us() + PATIENCE_US;
    while (counts() < edge_number && rig_now_us() < until_us) {
        listener_work(&rope, 10);
    }
    bool all = counts() == edge_number && strstr(rope.heard_text, "\"invalid\":0");
    printf("%-44s %10.0f /s  %s\n", "edges over a node", EDGES / took_us * 1e6,
           all ? "all counted" : "some lost");
    return all;
}

int main(void)
{
    static struct rig rig;
    struct listener replies;
    unsigned rate = RATE_MIN;

    rig_open(&rig);
    rig.sections = "a = node reel a\nb = node reel b\n";
    rig_start_daemon(&rig, rig.daemon, "reel", RIG_MEMORY);
    game_open(&replies, rig.port, "reel");
    game_begin(&replies, "reel");
    listener_await(&replies, 1);
    listener_open(&rope, rig.port, "bench/reel/rope");
    printf("%d edges at each rate, in messages of %d; the reel needs %d a second\n", EDGES,
           EDGES_A_MESSAGE, RATE_MIN);
    while (turn(rate) && rate < RATE_MAX) {
        rate *= 2;
    }
    listener_close(&rope);
    listener_close(&replies);
    rig_close(&rig);
    return rate > RATE_MIN ? EXIT_SUCCESS : EXIT_FAILURE;
}
