#include "nodes.h"

#include <string.h>

static bool is_known_boot(const struct node *node, const char *boot)
{
    for (unsigned i = 0; i < NODE_BOOTS_MAX; i++) {
        if (strcmp(node->boots[i], boot) == 0) {
            return true;
        }
    }
    return false;
}

static void compare_clocks(struct node *node, const struct node_message *message, uint64_t now_us,
                           bool is_first)
{
    int64_t offset_us = (int64_t)(now_us - message->sent_us);
    int64_t relaxed_us =
        node->offset_us + (int64_t)((now_us - node->heard_us) / NODE_DRIFT_DIVISOR);

    node->offset_us = is_first || offset_us < relaxed_us ? offset_us : relaxed_us;
    node->heard_us = now_us;
}

enum node_verdict node_accept(struct node *node, const struct node_message *message,
                              uint64_t now_us)
{
    bool is_current = strcmp(node->boots[0], message->boot) == 0;

    if (is_current ? message->number <= node->number : is_known_boot(node, message->boot)) {
        return NODE_OUTDATED;
    }
    bool is_next = is_current && message->number == node->number + 1;
    if (!is_current) {
        memmove(node->boots[1], node->boots[0], sizeof node->boots - sizeof node->boots[0]);
        memcpy(node->boots[0], message->boot, sizeof node->boots[0]);
    }
    compare_clocks(node, message, now_us, !is_current);
    node->number = message->number;
    return !is_current ? NODE_BOOTED : is_next ? NODE_NEXT : NODE_GAP;
}

uint64_t node_sent_us(const struct node *node, const struct node_message *message, uint64_t now_us,
                      uint64_t late_us)
{
    uint64_t earliest_us = now_us > late_us ? now_us - late_us : 0;
    uint64_t sent_us = message->sent_us + (uint64_t)node->offset_us;
    bool is_plausible = sent_us <= now_us && sent_us >= earliest_us;

    return is_plausible ? sent_us : earliest_us;
}
