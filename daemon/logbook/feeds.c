#include "feeds.h"

#include "common/ids.h"
#include "common/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    FRESH_BYTES_MAX = 1 << 20, /* of the events that wait to be stored, of all tables */
    FRESH_MS = 250,            /* how long they wait */
    ID_SIZE = 40,
    PAYLOAD_SIZE = 256,
    ANSWER_MS = 10000,    /* a table that has not answered until then is asked again */
    RETRY_MS = 10000,     /* after that, or after an error of the database */
    LIST_PAUSE_MS = 5000, /* between two lists of games that gaps have caused */
    STATES_MS = 3000,     /* how long events wait for their states */
    REPLY_MAX = 512 << 10,
    IDLE_MS = 60000,
};

enum step { STEP_IDLE, STEP_LISTING, STEP_READING };

struct feed {
    char table[BOOK_TABLE_SIZE]; /* "": free */
    bool is_online;
    bool has_answered;
    char live[GAME_ID_SIZE]; /* the game of the last event that arrived as it happened */
    json_t *fresh;           /* events of that game that are to be stored */

    enum step step;
    int64_t due_ms;      /* when idle: what is missing is read then; INT64_MAX: nothing is */
    int64_t deadline_ms; /* when not idle: of the reply */
    int64_t listed_ms;   /* when the last list began */
    bool should_list;    /* not only the live game has to be read */
    char id[ID_SIZE];    /* of the query under way */

    /* The list of games, page by page; those of the page that have to be read, newest first. */
    char before[GAME_ID_SIZE];
    bool has_more;
    char games[FEED_PAGE][GAME_ID_SIZE];
    unsigned game_count;
    uint32_t from; /* of the query for the last one of them */
};

struct feeds {
    struct feeds_ports ports;
    struct feed feeds[FEEDS_MAX];
    uint64_t asked; /* part of the ids, together with a random number */
    uint32_t random;
    size_t fresh_bytes;
    int64_t flush_ms; /* when these events are due */
    unsigned first;   /* whose turn it is to be read, if not all can be at a time */
    bool has_news;
};

int feeds_open(struct feeds **opened, const struct feeds_ports *ports)
{
    struct feeds *feeds = calloc(1, sizeof *feeds);

    if (!feeds) {
        return -ENOMEM;
    }
    feeds->ports = *ports;
    (void)!getrandom(&feeds->random, sizeof feeds->random, 0);
    *opened = feeds;
    return 0;
}

static void free_feed(struct feed *feed)
{
    json_decref(feed->fresh);
    *feed = (struct feed){0};
}

void feeds_close(struct feeds *feeds)
{
    if (feeds) {
        for (unsigned i = 0; i < FEEDS_MAX; i++) {
            free_feed(&feeds->feeds[i]);
        }
        free(feeds);
    }
}

static int64_t now_ms(const struct feeds *feeds)
{
    return feeds->ports.now_ms(feeds->ports.self);
}

/*
 * Tables
 */

static struct feed *find_feed(struct feeds *feeds, const char *table)
{
    for (unsigned i = 0; i < FEEDS_MAX; i++) {
        if (strcmp(feeds->feeds[i].table, table) == 0) {
            return &feeds->feeds[i];
        }
    }
    return NULL;
}

/* A free place, or that of a table which is not there. */
static struct feed *find_place(struct feeds *feeds)
{
    struct feed *place = find_feed(feeds, "");

    for (unsigned i = 0; i < FEEDS_MAX && !place; i++) {
        if (!feeds->feeds[i].is_online && feeds->feeds[i].step == STEP_IDLE) {
            place = &feeds->feeds[i];
        }
    }
    return place;
}

/* The feed of a table, which may be new; NULL: there are too many. */
static struct feed *follow(struct feeds *feeds, const char *table)
{
    static struct log_limit limit;
    struct feed *feed = find_feed(feeds, table);

    if (feed || !book_is_table(table) || strcmp(table, "logbook") == 0) {
        return feed;
    }
    feed = find_place(feeds);
    if (!feed) {
        log_limited(&limit, LOG_LEVEL_WARNING,
                    "table %s is not followed: there are %d tables already", table, FEEDS_MAX);
        return NULL;
    }
    free_feed(feed);
    feed->fresh = json_array();
    feed->due_ms = INT64_MAX;
    feed->listed_ms = -LIST_PAUSE_MS;
    snprintf(feed->table, sizeof feed->table, "%s", table);
    return feed;
}

/*
 * What is due
 */

static void wait_until(struct feed *feed, int64_t due_ms)
{
    feed->due_ms = due_ms < feed->due_ms ? due_ms : feed->due_ms;
}

/* Something may be missing: all games have to be compared. Not too often, whatever is published. */
static void list_soon(const struct feeds *feeds, struct feed *feed)
{
    int64_t earliest_ms = feed->listed_ms + LIST_PAUSE_MS;

    feed->should_list = true;
    wait_until(feed, earliest_ms > now_ms(feeds) ? earliest_ms : now_ms(feeds));
}

static void retry_later(const struct feeds *feeds, struct feed *feed)
{
    feed->step = STEP_IDLE;
    feed->should_list = true;
    feed->due_ms = now_ms(feeds) + RETRY_MS;
}

/*
 * Queries
 */

static void ask(struct feeds *feeds, struct feed *feed, enum step step, const char *verb,
                json_t *fields)
{
    char payload[PAYLOAD_SIZE];

    snprintf(feed->id, sizeof feed->id, "logbook-%08" PRIx32 "-%" PRIu64, feeds->random,
             feeds->asked++);
    json_object_set_new(fields, "id", json_string(feed->id));
    size_t size = json_dumpb(fields, payload, sizeof payload - 1, JSON_COMPACT);
    payload[size < sizeof payload ? size : 0] = '\0';
    json_decref(fields);
    feed->step = step;
    feed->deadline_ms = now_ms(feeds) + ANSWER_MS;
    feeds->ports.ask(feeds->ports.self, feed->table, verb, payload);
}

static void ask_games(struct feeds *feeds, struct feed *feed)
{
    json_t *fields = json_pack("{s:i}", "limit", FEED_PAGE);

    if (feed->before[0]) {
        json_object_set_new(fields, "before", json_string(feed->before));
    }
    ask(feeds, feed, STEP_LISTING, "games", fields);
}

static void ask_history(struct feeds *feeds, struct feed *feed)
{
    ask(feeds, feed, STEP_READING, "history",
        json_pack("{s:s, s:I, s:b}", "game", feed->games[feed->game_count - 1], "from",
                  (json_int_t)feed->from, "states", 1));
}

static void fail(struct feeds *feeds, struct feed *feed, int error)
{
    feeds->ports.failed(feeds->ports.self, error);
    retry_later(feeds, feed);
}

/* Reads the next game of the page, or asks for the next page. */
static void go_on(struct feeds *feeds, struct feed *feed)
{
    struct book_progress progress;

    if (feed->game_count == 0) {
        if (feed->has_more) {
            ask_games(feeds, feed);
        } else {
            feed->step = STEP_IDLE; /* what arrived meanwhile has its time already */
        }
        return;
    }
    int error =
        book_find(feeds->ports.book, feed->table, feed->games[feed->game_count - 1], &progress);
    if (error) {
        fail(feeds, feed, error);
        return;
    }
    feed->from = progress.read_seq + 1;
    ask_history(feeds, feed);
}

static void begin_list(struct feeds *feeds, struct feed *feed)
{
    feed->should_list = false;
    feed->due_ms = INT64_MAX;
    feed->listed_ms = now_ms(feeds);
    feed->before[0] = '\0';
    feed->game_count = 0;
    ask_games(feeds, feed);
}

static void begin_states(struct feeds *feeds, struct feed *feed)
{
    feed->due_ms = INT64_MAX;
    feed->has_more = false;
    feed->game_count = 1;
    memcpy(feed->games[0], feed->live, sizeof feed->live);
    go_on(feeds, feed);
}

/*
 * Replies
 */

/* A game of the list that is not stored completely has to be read. */
static int take_game(struct feeds *feeds, struct feed *feed, const json_t *entry)
{
    struct book_progress progress;
    const char *game = json_string_value(json_object_get(entry, "game"));
    json_int_t seq = json_integer_value(json_object_get(entry, "seq"));

    if (!game || !book_is_game(game) || strlen(game) >= GAME_ID_SIZE) {
        return 0;
    }
    memcpy(feed->before, game, strlen(game) + 1);
    int error = book_find(feeds->ports.book, feed->table, game, &progress);
    if (!error && !progress.is_foreign && progress.read_seq < seq && feed->game_count < FEED_PAGE) {
        memcpy(feed->games[feed->game_count++], game, strlen(game) + 1);
    }
    return error;
}

static void take_games(struct feeds *feeds, struct feed *feed, const json_t *reply)
{
    const json_t *games = json_object_get(reply, "games");
    char before[GAME_ID_SIZE];
    size_t at;
    json_t *entry;

    memcpy(before, feed->before, sizeof before);
    json_array_foreach(games, at, entry)
    {
        int error = take_game(feeds, feed, entry);
        if (error) {
            fail(feeds, feed, error);
            return;
        }
    }
    /* A page that leads nowhere would be asked for again and again. */
    feed->has_more =
        json_is_true(json_object_get(reply, "more")) && strcmp(before, feed->before) != 0;
    go_on(feeds, feed);
}

static uint32_t last_seq(const json_t *events)
{
    const json_t *last = json_array_get(events, json_array_size(events) - 1);

    return (uint32_t)json_integer_value(json_object_get(last, "seq"));
}

static bool is_passing(int error)
{
    return error < 0 && error != -EINVAL && error != -ENODATA;
}

static void take_history(struct feeds *feeds, struct feed *feed, const json_t *reply)
{
    static struct log_limit limit;
    const char *game = feed->games[feed->game_count - 1];
    const json_t *events = json_object_get(reply, "events");
    const json_t *states = json_object_get(reply, "states");
    bool has_more = json_is_true(json_object_get(reply, "more"));
    int stored = json_array_size(events) == 0
                     ? 0
                     : book_store(feeds->ports.book, feed->table, game, events, states, !has_more);

    if (is_passing(stored)) {
        fail(feeds, feed, stored);
        return;
    }
    if (stored < 0) {
        log_limited(&limit, LOG_LEVEL_WARNING, "table %s: game %s is not stored further: %s",
                    feed->table, game, book_problem(feeds->ports.book));
        has_more = false;
    }
    feeds->has_news |= strcmp(game, feed->live) == 0;
    if (has_more && last_seq(events) >= feed->from) {
        feed->from = last_seq(events) + 1;
        ask_history(feeds, feed);
        return;
    }
    feed->game_count--;
    go_on(feeds, feed);
}

void feeds_reply(struct feeds *feeds, const char *table, const void *payload, size_t size)
{
    struct feed *feed = table[0] ? find_feed(feeds, table) : NULL;

    if (!feed || feed->step == STEP_IDLE || size > REPLY_MAX) {
        return;
    }
    json_t *reply = json_loadb(payload, size, 0, NULL);
    const char *id = json_string_value(json_object_get(reply, "id"));
    if (id && strcmp(id, feed->id) == 0) {
        feed->has_answered = true;
        feed->id[0] = '\0'; /* the same reply may come again */
        if (!json_is_true(json_object_get(reply, "ok")) && feed->step == STEP_READING) {
            feed->game_count--; /* the table does not have it any more, or cannot read it */
            go_on(feeds, feed);
        } else if (feed->step == STEP_READING) {
            take_history(feeds, feed, reply);
        } else {
            take_games(feeds, feed, reply);
        }
    }
    json_decref(reply);
}

/*
 * Messages
 */

void feeds_connected(struct feeds *feeds)
{
    for (unsigned i = 0; i < FEEDS_MAX; i++) {
        struct feed *feed = &feeds->feeds[i];
        if (feed->table[0]) {
            feed->step = STEP_IDLE;
            feed->listed_ms = now_ms(feeds) - LIST_PAUSE_MS;
            list_soon(feeds, feed);
        }
    }
}

void feeds_status(struct feeds *feeds, const char *table, bool is_online)
{
    struct feed *feed = is_online ? follow(feeds, table) : find_feed(feeds, table);

    if (!feed) {
        return;
    }
    feed->is_online = is_online;
    feed->step = STEP_IDLE;
    feed->due_ms = INT64_MAX;
    if (is_online) {
        list_soon(feeds, feed);
    }
}

/* Another game begins. The last events of the one before are stored, and its states are read. */
static void begin_live(struct feeds *feeds, struct feed *feed, const char *game)
{
    feeds_flush(feeds);
    if (feed->live[0]) {
        list_soon(feeds, feed);
    }
    snprintf(feed->live, sizeof feed->live, "%s", game);
}

static void put_fresh(struct feeds *feeds, struct feed *feed, const char *game, json_t *event,
                      size_t size)
{
    if (strcmp(feed->live, game) != 0) {
        begin_live(feeds, feed, game);
    } else if (feeds->fresh_bytes + size > FRESH_BYTES_MAX) {
        feeds_flush(feeds);
    }
    if (feeds->fresh_bytes == 0) {
        feeds->flush_ms = now_ms(feeds) + FRESH_MS;
    }
    json_array_append(feed->fresh, event);
    feeds->fresh_bytes += size;
}

void feeds_event(struct feeds *feeds, const char *table, const void *payload, size_t size)
{
    struct feed *feed = table[0] ? follow(feeds, table) : NULL;

    if (!feed || size > BOOK_EVENT_MAX) {
        return;
    }
    feed->is_online = true;
    if (!feed->has_answered) {
        list_soon(feeds, feed);
        return;
    }
    json_t *event = json_loadb(payload, size, JSON_REJECT_DUPLICATES, NULL);
    const char *game = json_string_value(json_object_get(event, "game"));
    if (game && book_is_game(game) && strlen(game) < GAME_ID_SIZE) {
        put_fresh(feeds, feed, game, event, size);
    }
    json_decref(event);
}

static bool has_type(const json_t *events, const char *type)
{
    size_t at;
    json_t *event;

    json_array_foreach(events, at, event)
    {
        const char *of = json_string_value(json_object_get(event, "event_type"));
        if (of && strcmp(of, type) == 0) {
            return true;
        }
    }
    return false;
}

static void flush(struct feeds *feeds, struct feed *feed)
{
    static struct log_limit limit;
    json_t *events = feed->fresh;
    int stored = book_store(feeds->ports.book, feed->table, feed->live, events, NULL, false);

    if (stored == -ENODATA) {
        list_soon(feeds, feed);
    } else if (stored == -EINVAL) {
        log_limited(&limit, LOG_LEVEL_WARNING, "table %s: an event is ignored: %s", feed->table,
                    book_problem(feeds->ports.book));
        list_soon(feeds, feed);
    } else if (stored < 0) {
        fail(feeds, feed, stored);
    } else if (stored > 0) {
        bool is_over = has_type(events, "game-over");
        wait_until(feed, now_ms(feeds) + (is_over ? 0 : STATES_MS));
        feeds->has_news |= is_over || has_type(events, "shot-fired");
    }
    json_array_clear(events);
}

void feeds_flush(struct feeds *feeds)
{
    for (unsigned i = 0; i < FEEDS_MAX; i++) {
        if (json_array_size(feeds->feeds[i].fresh) > 0) {
            flush(feeds, &feeds->feeds[i]);
        }
    }
    feeds->fresh_bytes = 0;
}

static void begin_reading(struct feeds *feeds, struct feed *feed)
{
    if (feed->should_list || !feed->live[0]) {
        begin_list(feeds, feed);
    } else {
        begin_states(feeds, feed);
    }
}

/* Ends queries without a reply. Returns how many are under way. */
static unsigned end_overdue(struct feeds *feeds)
{
    unsigned count = 0;

    for (unsigned i = 0; i < FEEDS_MAX; i++) {
        struct feed *feed = &feeds->feeds[i];
        if (feed->step != STEP_IDLE && now_ms(feeds) >= feed->deadline_ms) {
            feed->is_online &= feed->has_answered; /* else another table may have its place */
            retry_later(feeds, feed);
        }
        count += feed->step != STEP_IDLE;
    }
    return count;
}

static bool is_due(const struct feeds *feeds, const struct feed *feed)
{
    return feed->table[0] && feed->step == STEP_IDLE && now_ms(feeds) >= feed->due_ms;
}

int64_t feeds_tick(struct feeds *feeds)
{
    if (feeds->fresh_bytes > 0 && now_ms(feeds) >= feeds->flush_ms) {
        feeds_flush(feeds);
    }
    int64_t next_ms = feeds->fresh_bytes > 0 ? feeds->flush_ms : now_ms(feeds) + IDLE_MS;
    unsigned asked = end_overdue(feeds);

    for (unsigned i = 0; i < FEEDS_MAX && asked < FEEDS_ASKED_MAX; i++) {
        struct feed *feed = &feeds->feeds[feeds->first];
        feeds->first = (feeds->first + 1) % FEEDS_MAX;
        if (is_due(feeds, feed)) {
            begin_reading(feeds, feed);
            asked += feed->step != STEP_IDLE;
        }
    }
    for (unsigned i = 0; i < FEEDS_MAX; i++) {
        const struct feed *feed = &feeds->feeds[i];
        bool has_to_wait = asked >= FEEDS_ASKED_MAX && is_due(feeds, feed); /* for a reply */
        int64_t due_ms = feed->step == STEP_IDLE ? feed->due_ms : feed->deadline_ms;
        if (feed->table[0] && !has_to_wait && due_ms < next_ms) {
            next_ms = due_ms;
        }
    }
    return next_ms > now_ms(feeds) ? next_ms - now_ms(feeds) : 0;
}

bool feeds_is_live(const struct feeds *feeds, const char *game)
{
    for (unsigned i = 0; i < FEEDS_MAX; i++) {
        if (feeds->feeds[i].table[0] && strcmp(feeds->feeds[i].live, game) == 0) {
            return true;
        }
    }
    return false;
}

bool feeds_take_news(struct feeds *feeds)
{
    bool has_news = feeds->has_news;

    feeds->has_news = false;
    return has_news;
}
