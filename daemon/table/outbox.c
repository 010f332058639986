#include "outbox.h"

#include "common/log.h"
#include "rules/text.h"
#include "wire/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STOP = 1 };

static uint32_t on_their_way(const struct outbox *outbox)
{
    return outbox->sent - outbox->acknowledged.seq;
}

/* The number of the game of which is being sent. */
static uint32_t sending_number(const struct outbox *outbox)
{
    return !outbox->is_loading && outbox->loaded.data ? outbox->loaded.number
                                                      : journal_number(outbox->journal);
}

/* The next game begins when the last one is with the broker as a whole. */
static void begin_game(struct outbox *outbox, const char *game_id)
{
    outbox->acknowledged = (struct journal_mark){.number = sending_number(outbox)};
    snprintf(outbox->acknowledged.game, sizeof outbox->acknowledged.game, "%s", game_id);
    outbox->sent = 0;
    outbox->arrived = 0;
}

char *outbox_event(const struct recalled *past, const char *table, const struct sensors *sensors)
{
    struct wire_names names = {.table = table, .game = past->game_id};
    const struct record *record = past->record;

    return wire_event(past->game, past->event, &names, record->wall_ms, &record->evidence,
                      sensors->name(sensors->self, record->evidence.sensor));
}

static int publish(const struct outbox *outbox, const struct recalled *news)
{
    char topic[TOPIC_SIZE];
    char *json = outbox_event(news, outbox->table, outbox->sensors);

    if (!json) {
        return -ENOMEM;
    }
    struct text name = text_begin(topic, sizeof topic);
    text_add(&name, outbox->topic);
    text_add(&name, rules_event_name(news->event->kind));
    int error = outbox->bus->publish(outbox->bus->self, &(struct publication){
                                                            .topic = topic,
                                                            .payload = json,
                                                            .size = strlen(json),
                                                            .qos = 1,
                                                            .token = news->event->seq,
                                                        });
    free(json);
    return error;
}

static void mark_arrived(struct outbox *outbox, uint32_t seq)
{
    outbox->arrived |= UINT64_C(1) << (seq - outbox->acknowledged.seq - 1);
    while (outbox->arrived & 1) {
        outbox->arrived >>= 1;
        outbox->acknowledged.seq++;
    }
    journal_acknowledge(outbox->journal, &outbox->acknowledged);
}

/* As with one that the broker refuses: the events after it must not wait for it. */
static void leave_out(struct outbox *outbox, const struct recalled *news)
{
    static struct log_limit limit;

    log_limited(&limit, LOG_LEVEL_WARNING,
                "event %" PRIu32 " of game %s can never be sent and is left out", news->event->seq,
                news->game_id);
    mark_arrived(outbox, news->event->seq);
}

/* Sends one event if it is the next; STOP when the broker must first catch up, or -errno. */
static int send_next(void *self, const struct recalled *news)
{
    struct outbox *outbox = self;
    bool same_game = strcmp(outbox->acknowledged.game, news->game_id) == 0;

    if (same_game && news->event->seq <= outbox->sent) {
        return 0;
    }
    if (on_their_way(outbox) >= (same_game ? OUTBOX_WINDOW : 1) ||
        news->event->seq != (same_game ? outbox->sent + 1 : 1)) {
        return STOP;
    }
    int error = publish(outbox, news);
    if (error && error != -EIO) {
        return error;
    }
    if (!same_game) {
        begin_game(outbox, news->game_id);
    }
    outbox->sent = news->event->seq;
    if (error) {
        leave_out(outbox, news);
    }
    return 0;
}

/*
 * Finished games
 */

/* STOP until it is loaded, or -errno. */
static int begin_load(struct outbox *outbox)
{
    if (outbox->is_loading) {
        return STOP;
    }
    outbox->load_after = outbox->sent_number;
    outbox->load_before = journal_number(outbox->journal);
    outbox->is_loading = true;
    int error = outbox->jobs->begin(outbox->jobs->self, &outbox->load);
    if (error) {
        outbox->is_loading = false;
    }
    return error ? error : STOP;
}

/* A disk that cannot read a file for so long never will, and the games after it must not wait. */
static bool gives_up(const struct outbox *outbox)
{
    enum { TRIES_MAX = 10 }; /* a second apart */

    return outbox->unreadable >= TRIES_MAX;
}

void outbox_load(struct outbox *outbox)
{
    outbox->load_result = journal_load_finished(
        outbox->disk, outbox->load_after, outbox->load_before, gives_up(outbox), &outbox->loaded);
}

/* Games are counted once, although they are looked for again after a lost connection. */
static bool is_counted(const struct outbox *outbox, uint32_t number)
{
    return number <= outbox->lost_number;
}

static void note_damage(struct outbox *outbox)
{
    uint32_t number = outbox->loaded.number;
    bool has_begun = outbox->acknowledged.number == number;

    if (is_counted(outbox, number)) {
        return;
    }
    outbox->lost_number = number;
    outbox->lost_games++;
    log_error("finished game number %" PRIu32 "%s%s is damaged: its events after %" PRIu32
              " cannot be sent",
              number, has_begun ? ", " : "", has_begun ? outbox->acknowledged.game : "",
              has_begun ? outbox->sent : 0);
}

/* Games after the acknowledged one and up to this one that should be there and are not. */
static void note_missing(struct outbox *outbox, uint32_t last)
{
    uint32_t first = outbox->load_after + 1;

    if (first <= outbox->acknowledged.number) {
        first = outbox->acknowledged.number + 1;
    }
    if (is_counted(outbox, first)) {
        first = outbox->lost_number + 1;
    }
    if (first > last) {
        return;
    }
    outbox->lost_games += last - first + 1;
    outbox->lost_number = last;
    log_error("finished games number %" PRIu32 " to %" PRIu32
              " cannot be found or read: their events cannot be sent",
              first, last);
}

/* What is damaged will not get better, and the games after it must not wait for it. */
static int send_loaded(struct outbox *outbox)
{
    int result = recall_finished(outbox->recall, &outbox->loaded, send_next, outbox);

    if (result == -EBADMSG) {
        note_damage(outbox);
    }
    if (!result || result == -EBADMSG) {
        outbox->sent_number = outbox->loaded.number;
        journal_free_game(&outbox->loaded);
        return 0;
    }
    return result;
}

/* Of all games before the open one. 0 when all of it is sent, STOP, or -errno. */
static int send_finished(struct outbox *outbox)
{
    int result = 0;

    while (!result && outbox->sent_number + 1 < journal_number(outbox->journal)) {
        bool can_send = !outbox->is_loading && outbox->loaded.data;
        result = can_send ? send_loaded(outbox) : begin_load(outbox);
    }
    return result;
}

/* Logs why events wait: once, until that changes or all have been sent. */
static void log_result(struct outbox *outbox, int result)
{
    if (result > 0 || result == -ENOTCONN) {
        return;
    }
    if (result && result != outbox->logged) {
        static struct log_limit limit;
        log_limited(&limit, LOG_LEVEL_WARNING,
                    "events cannot be sent: %s, trying again every second", strerror(-result));
    }
    outbox->logged = result;
}

/* Sends what waits in the journal, as far as the window reaches. */
static void catch_up(struct outbox *outbox)
{
    if (!outbox->connected || !outbox->behind) {
        return;
    }
    int result = send_finished(outbox);
    if (!result) {
        result = recall_game(outbox->recall, 0, send_next, outbox);
    }
    outbox->behind = result != 0;
    log_result(outbox, result);
}

void outbox_loaded(struct outbox *outbox)
{
    outbox->is_loading = false;
    if (outbox->load_result < 0) {
        outbox->unreadable += outbox->load_result == -EIO;
        log_result(outbox, outbox->load_result);
        return; /* it is stuck now, and tried again later */
    }
    if (outbox->load_after != outbox->sent_number) {
        journal_free_game(&outbox->loaded); /* another connection has other needs */
    } else if (outbox->load_result == 0) {
        note_missing(outbox, outbox->load_before - 1);
        outbox->sent_number = outbox->load_before - 1;
    } else {
        note_missing(outbox, outbox->loaded.number - 1);
    }
    catch_up(outbox);
}

void outbox_close(struct outbox *outbox)
{
    journal_free_game(&outbox->loaded);
}

/*
 * The connection
 */

void outbox_connected(struct outbox *outbox)
{
    outbox->connected = true;
    outbox->behind = true;
    outbox->acknowledged = *journal_acknowledged(outbox->journal);
    outbox->sent = outbox->acknowledged.seq;
    outbox->arrived = 0;
    outbox->unreadable = 0;
    outbox->sent_number = outbox->acknowledged.number ? outbox->acknowledged.number - 1 : 0;
    if (!outbox->is_loading) {
        journal_free_game(&outbox->loaded);
    }
    catch_up(outbox);
}

void outbox_disconnected(struct outbox *outbox)
{
    outbox->connected = false;
}

/* At once, if all before it has been sent. */
static void offer(struct outbox *outbox, const struct recalled *news)
{
    /* All before it has been sent: the game before this one, too. */
    if (outbox->connected && !outbox->behind) {
        outbox->sent_number = journal_number(outbox->journal) - 1;
    }
    if (!outbox->connected || outbox->behind || send_next(outbox, news)) {
        outbox->behind = true;
    }
}

void outbox_offer_step(struct outbox *outbox, const struct session *session)
{
    const struct outcome *outcome = session_outcome(session);

    for (unsigned i = 0; i < outcome->count; i++) {
        offer(outbox, &(struct recalled){
                          .game_id = session_game_id(session),
                          .game = session_game(session),
                          .event = &outcome->events[i],
                          .record = session_record(session),
                      });
    }
}

bool outbox_is_stuck(const struct outbox *outbox)
{
    return outbox->connected && outbox->behind && !outbox->is_loading && on_their_way(outbox) == 0;
}

void outbox_try_again(struct outbox *outbox)
{
    catch_up(outbox);
}

void outbox_acknowledged(struct outbox *outbox, uint32_t seq)
{
    if (seq <= outbox->acknowledged.seq || seq > outbox->sent) {
        return;
    }
    mark_arrived(outbox, seq);
    if (on_their_way(outbox) <= OUTBOX_WINDOW / 2) {
        catch_up(outbox);
    }
}
