/*
 * The game at this table with its journal. An input goes through the rules and onto the disk, or it
 * changes nothing at all. Also: the ids of accepted commands, the time of the table, the end of the
 * shot window and whether the disk works. Nothing here publishes anything.
 */
#ifndef TABLE_SESSION_H
#define TABLE_SESSION_H

#include "config/config.h"
#include "journal/replay.h"
#include "table/table.h"

enum { STORAGE_RETRY_US = 1000000 };

struct session;

/* Called for each input of the open game while it is read from the journal. */
typedef void session_replayed_fn(void *context, const struct input *input,
                                 const struct game *before, const struct game *after);

/* Opens the journal and continues its game. config and ports must outlive the session. 0 or -errno.
 */
int session_open(struct session **opened, const struct config *config,
                 const struct table_ports *ports, session_replayed_fn *replayed, void *context);
void session_close(struct session *session);

const struct play *session_play(const struct session *session);
const struct game *session_game(const struct session *session);
const char *session_game_id(const struct session *session); /* "" in the lobby */

/* For the events of the past. */
struct journal *session_journal(const struct session *session);
struct recall *session_recall(const struct session *session);

/* Table time continues across restarts of the machine: now, at a time of the clock, and back. */
uint64_t session_now_us(const struct session *session);
uint64_t session_time_us(const struct session *session, uint64_t clock_us);
uint64_t session_clock_us(const struct session *session, uint64_t time_us);

/*
 * Applies an input: rules, then journal. input->at_us is table time; evidence may be NULL, id "".
 * 0, or a refusal: REFUSED_STORAGE when it could not be recorded, and then nothing has changed.
 */
int session_apply(struct session *session, const struct input *input,
                  const struct evidence *evidence, const char *id);

/* Of the last session_apply; the record and the game before it only after a success. */
const struct outcome *session_outcome(const struct session *session);
const struct record *session_record(const struct session *session);
const struct game *session_before(const struct session *session);

/* What the next roll of this die (roll-move or roll-combat) shows; 0: it has to be rolled. */
uint8_t session_known_roll(struct session *session, enum input_kind kind);

/* S9: when the end of the shot window is to be applied; 0: no window is open. */
uint64_t session_window_due_us(const struct session *session);
void session_set_window_due_us(struct session *session, uint64_t due_us);

/* "" while the disk works, and when to try again if it does not (else 0). */
const char *session_storage_problem(const struct session *session);
uint64_t session_retry_due_us(const struct session *session);

/* Whether the last record may still be lost: nothing that rests on it may be published. */
bool session_end_is_unsafe(const struct session *session);

/* Tries whether the disk works again. */
void session_probe_storage(struct session *session);

/*
 * Maintenance, as a job: syncs the acknowledged mark and removes old games. It is due a moment
 * after a mark has changed or a game has begun; 0: it is not.
 */
void session_mark_changed(struct session *session);
uint64_t session_maintenance_due_us(const struct session *session);
void session_maintain(struct session *session);

/*
 * The reply that a command with this id was given, or NULL. All ids accepted in the open game are
 * known, and the latest REPLY_CACHE_MAX of all others.
 */
const char *session_known_reply(struct session *session, const char *id);
void session_remember_reply(struct session *session, const char *id, const char *json);

#endif
