#include "topics.h"

#include <stdio.h>
#include <string.h>

bool topics_name(struct topics *topics, const struct config *config, const char *client_name)
{
    int length =
        snprintf(topics->base, sizeof topics->base, "%s/%s", config->mqtt.prefix, config->table);

    snprintf(topics->response, sizeof topics->response, "%s/reply/%s", topics->base, client_name);
    return length < BASE_TOPIC_SIZE;
}

bool topics_below(const struct topics *topics, const char *end, char topic[TOPIC_SIZE])
{
    return snprintf(topic, TOPIC_SIZE, "%s/%s", topics->base, end) < TOPIC_SIZE;
}

const char *topics_end(const struct topics *topics, const char *topic)
{
    size_t length = strlen(topics->base);
    bool is_below = strncmp(topic, topics->base, length) == 0 && topic[length] == '/';

    return is_below ? topic + length + 1 : NULL;
}
