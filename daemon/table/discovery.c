#include "discovery.h"

#include "common/log.h"
#include "common/version.h"
#include "outbox.h"
#include "wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANNOUNCED "announced"

enum {
    FILE_MAX = (DISCOVERY_IDS_MAX + 1) * TOPIC_SIZE,
    URL_SIZE = 2 * TOPIC_SIZE,
};

/*
 * The file
 */

/* With the prefix: two clubs on one broker may have tables with the same name. */
static void name_device(const char *base, char id[TOPIC_SIZE])
{
    size_t length = strlen(base) - 1; /* without the slash at its end */

    memcpy(id, base, length);
    id[length] = '\0';
    for (char *slash = strchr(id, '/'); slash; slash = strchr(slash, '/')) {
        *slash = '-';
    }
}

/* A line of the file becomes part of a topic. */
static bool is_id(const char *line)
{
    return line[0] && strlen(line) < TOPIC_SIZE && !strpbrk(line, "/+#\r\t ");
}

/* Everything in the file but the id of this table is to be cleared. */
static bool read_ids(struct discovery *discovery, char *text)
{
    unsigned stale = 0;
    bool has_own = false;

    for (char *rest = text, *line = strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strcmp(line, discovery->id) == 0) {
            has_own = true;
        } else if (is_id(line) && stale < DISCOVERY_IDS_MAX) {
            snprintf(discovery->stale[stale++], TOPIC_SIZE, "%s", line);
        }
    }
    return has_own;
}

static bool read_file(struct discovery *discovery)
{
    uint8_t *data = NULL;
    size_t size = 0;
    char text[FILE_MAX + 1] = "";

    if (disk_read_file(discovery->ports->disk, ANNOUNCED, FILE_MAX, &data, &size) == 0 && data) {
        memcpy(text, data, size);
        text[size] = '\0';
    }
    free(data);
    return read_ids(discovery, text);
}

static int write_file(const struct disk *disk, const char *text)
{
    int file = disk->open(disk->self, ANNOUNCED, DISK_CREATE);

    if (file < 0) {
        return file;
    }
    size_t size = strlen(text);
    ssize_t written = disk->write(disk->self, file, 0, text, size);
    int error = written == (ssize_t)size ? disk->truncate(disk->self, file, size) : -1;
    if (!error) {
        error = disk->sync(disk->self, file);
    }
    disk->close(disk->self, file);
    return error ? error : disk->sync_names(disk->self);
}

/* Before anything is announced: old and new ids. */
static void add_own_id(const struct discovery *discovery)
{
    char text[FILE_MAX + 1];
    int length = snprintf(text, sizeof text, "%s\n", discovery->id);

    for (unsigned i = 0; i < DISCOVERY_IDS_MAX && discovery->stale[i][0]; i++) {
        length +=
            snprintf(text + length, sizeof text - (size_t)length, "%s\n", discovery->stale[i]);
    }
    if (write_file(discovery->ports->disk, text)) {
        log_warning("the state directory does not take the file " ANNOUNCED
                    ": Home Assistant may keep this table after it is renamed");
    }
}

static void save(void *self)
{
    const struct discovery *discovery = self;
    const struct disk *disk = discovery->ports->disk;

    /* If it fails, all is cleared again after a restart. */
    if (discovery->saved[0]) {
        (void)write_file(disk, discovery->saved);
    } else if (disk->remove(disk->self, ANNOUNCED) == 0) {
        (void)disk->sync_names(disk->self);
    }
}

static void saved(void *self)
{
    ((struct discovery *)self)->is_saving = false;
}

static bool has_stale(const struct discovery *discovery)
{
    for (unsigned i = 0; i < DISCOVERY_IDS_MAX; i++) {
        if (discovery->stale[i][0]) {
            return true;
        }
    }
    return false;
}

/* All announcements but our own are cleared. */
static void begin_save(struct discovery *discovery)
{
    const struct jobs *jobs = &discovery->ports->jobs;

    if (discovery->is_saved || discovery->is_saving || has_stale(discovery)) {
        return;
    }
    snprintf(discovery->saved, sizeof discovery->saved, "%s%s", discovery->id,
             discovery->id[0] ? "\n" : "");
    discovery->is_saving = jobs->begin(jobs->self, &discovery->save) == 0;
    discovery->is_saved = discovery->is_saving;
}

void discovery_open(struct discovery *discovery, const struct config *config,
                    const struct table_ports *ports, const char *base)
{
    *discovery = (struct discovery){
        .config = config,
        .ports = ports,
        .base = base,
        .save = {.self = discovery, .work = save, .done = saved},
    };
    if (config->mqtt.homeassistant) {
        name_device(base, discovery->id);
    }
    bool has_own = read_file(discovery);
    if (discovery->id[0] && !has_own) {
        add_own_id(discovery);
    }
    discovery->is_saved = !has_stale(discovery);
}

/*
 * The announcement
 */

static int publish_config(const struct discovery *discovery, const char *id, const char *json,
                          uint32_t token)
{
    const struct bus *bus = &discovery->ports->bus;
    char topic[TOPIC_SIZE + sizeof "homeassistant/device//config"];

    snprintf(topic, sizeof topic, "homeassistant/device/%s/config", id);
    return bus->publish(bus->self, &(struct publication){
                                       .topic = topic,
                                       .payload = json,
                                       .size = strlen(json),
                                       .qos = 1,
                                       .retain = true,
                                       .token = token,
                                   });
}

static bool is_loopback(const char *host)
{
    return strcmp(host, "localhost") == 0 || strncmp(host, "127.", 4) == 0 ||
           strcmp(host, "::1") == 0;
}

/* The first broker of the list, without its port. */
static void copy_first_host(const char *hosts, char host[CONFIG_TEXT_SIZE])
{
    snprintf(host, CONFIG_TEXT_SIZE, "%.*s", (int)strcspn(hosts, ", \t"), hosts);
    char *colon = strchr(host, ':');
    if (colon && colon == strrchr(host, ':')) {
        *colon = '\0';
    }
}

/*
 * Unless it is configured, the page is on the computer of the broker, where nginx serves it at port
 * 80. A name without a domain is found by multicast DNS.
 */
static void make_page_url(const struct discovery *discovery, char url[URL_SIZE])
{
    const struct config *config = discovery->config;
    const char *own_name = discovery->ports->host_name;
    char broker[CONFIG_TEXT_SIZE];

    if (config->mqtt.page_url[0]) {
        snprintf(url, URL_SIZE, "%s#table=%s&prefix=%s", config->mqtt.page_url, config->table,
                 config->mqtt.prefix);
        return;
    }
    copy_first_host(config->mqtt.host, broker);
    bool is_here = own_name && is_loopback(broker);
    const char *host = is_here ? own_name : broker;
    const char *domain = is_here && !strchr(host, '.') ? ".local" : "";

    snprintf(url, URL_SIZE, "http://%s%s/#table=%s&prefix=%s", host, domain, config->table,
             config->mqtt.prefix);
}

static void announce(struct discovery *discovery, const struct setup *setup)
{
    char url[URL_SIZE];

    make_page_url(discovery, url);
    char *json = wire_homeassistant(&(struct wire_homeassistant){
        .id = discovery->id,
        .table = discovery->config->table,
        .base = discovery->base,
        .version = SHIPAHOY_VERSION,
        .page_url = url,
        .setup = setup,
    });

    discovery->has_setup = setup;
    if (setup) {
        discovery->setup = *setup;
    }
    if (json) {
        (void)publish_config(discovery, discovery->id, json, 0);
    }
    free(json);
}

void discovery_connected(struct discovery *discovery, const struct setup *setup)
{
    discovery->connected = true;
    for (unsigned i = 0; i < DISCOVERY_IDS_MAX; i++) {
        if (discovery->stale[i][0]) {
            (void)publish_config(discovery, discovery->stale[i], "", TOKEN_DISCOVERY + i);
        }
    }
    begin_save(discovery);
    if (discovery->id[0]) {
        announce(discovery, setup);
    }
}

void discovery_disconnected(struct discovery *discovery)
{
    discovery->connected = false;
}

void discovery_acknowledged(struct discovery *discovery, uint32_t token)
{
    unsigned index = token - TOKEN_DISCOVERY;

    if (token >= TOKEN_DISCOVERY && index < DISCOVERY_IDS_MAX) {
        discovery->stale[index][0] = '\0';
        begin_save(discovery);
    }
}

/*
 * Events
 */

static bool has_same_names(const struct setup *one, const struct setup *two)
{
    for (unsigned player = 1; player <= one->players; player++) {
        if (strcmp(one->seats[player].name, two->seats[player].name) != 0) {
            return false;
        }
    }
    return one->players == two->players;
}

static void publish_once(const struct discovery *discovery, const struct recalled *event)
{
    const struct table_ports *ports = discovery->ports;
    char *json = outbox_event(event, discovery->config->table, &ports->sensors);
    char topic[TOPIC_SIZE + sizeof WIRE_ONCE_TOPIC];

    snprintf(topic, sizeof topic, "%s" WIRE_ONCE_TOPIC, discovery->base);
    if (json) {
        (void)ports->bus.publish(
            ports->bus.self,
            &(struct publication){.topic = topic, .payload = json, .size = strlen(json)});
    }
    free(json);
}

void discovery_step(struct discovery *discovery, const struct session *session)
{
    const struct outcome *outcome = session_outcome(session);
    const struct game *game = session_game(session);

    if (!discovery->connected || !discovery->id[0]) {
        return;
    }
    for (unsigned i = 0; i < outcome->count; i++) {
        publish_once(discovery, &(struct recalled){
                                    .game_id = session_game_id(session),
                                    .game = game,
                                    .event = &outcome->events[i],
                                    .record = session_record(session),
                                });
    }
    if (!discovery->has_setup || !has_same_names(&game->setup, &discovery->setup)) {
        announce(discovery, &game->setup);
    }
}
