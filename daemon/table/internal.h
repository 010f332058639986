/* What the files of the table share: table.c and table_*.c. */
#ifndef DAEMON_TABLE_INTERNAL_H
#define DAEMON_TABLE_INTERNAL_H

#include "journal/replay.h"
#include "outbox.h"
#include "replies.h"
#include "rules/play.h"
#include "sight.h"
#include "table/table.h"
#include "wire/wire.h"

enum {
    FACTS_HELD_MAX = 256,
    KNOCK_US = 400000,        /* what falls so soon after another piece was knocked over with it */
    WINDOW_GRACE_US = 100000, /* for facts on their way when the shot window ends */
    STORAGE_RETRY_US = 1000000,
    HOUSEKEEPING_US = 1000000, /* from an acknowledgement to the mark on disk */
    ROPE_PAUSE_US = 50000,     /* between two readings on the rope's topic */
    CHANGES_PAUSE_US = 1000,   /* from an event to the state: the broker gets to work meanwhile */
    RESEND_US = 1000000,
    PROBLEM_SIZE = 128,
    REPLY_NAME_MAX = 64,
    QUERIES_MAX = 64,
};

/* Tokens of publications that are not events; seq never comes this far. */
enum table_token { TOKEN_STATE = 0x7f000000, TOKEN_CHOICES, TOKEN_SCORE, TOKEN_READY, TOKEN_QUERY };

/* Retained topics that are published together, and of which only the latest values matter. */
struct latest {
    bool wanted;        /* they have changed since they were sent */
    unsigned in_flight; /* sent, and not acknowledged yet */
};

/* S7: pieces that fell outside every shot window and wait for others that fell with them. */
struct knock {
    uint64_t due_us;                 /* 0: none waits */
    uint64_t limit_us;               /* not later than this, whatever else falls */
    uint32_t pieces;                 /* a set: 1 << enum piece */
    struct fact fallen[PIECE_COUNT]; /* of those */
};

/* Facts that could not be recorded yet, oldest first. */
struct held_facts {
    struct fact facts[FACTS_HELD_MAX];
    unsigned first;
    unsigned count;
};

/*
 * A job that writes the acknowledged mark and removes old games, a moment after the broker has
 * acknowledged something or a game has begun. What follows the job is its own while it is under
 * way.
 */
struct housekeeping {
    bool is_under_way;
    uint64_t due_us; /* 0: nothing has changed */
    struct job job;
    struct journal_limits limits;
    struct journal_mark mark;
    bool has_mark; /* to be written */
    uint32_t before;
    int mark_error;
    struct journal_loss loss;
};

/* Where a reply goes. */
struct reply_address {
    char name[REPLY_NAME_MAX + 1]; /* below `reply`; "": to `reply` itself */
    uint16_t correlation_size;
    uint8_t correlation[CORRELATION_MAX];
};

struct query {
    struct input input;
    char id[COMMAND_ID_SIZE];
    struct reply_address address;
};

/* Questions that change nothing, oldest first: they wait for commands, and not the reverse. */
struct queries {
    struct query waiting[QUERIES_MAX];
    unsigned first;
    unsigned count;
    uint64_t due_us; /* the next one is answered from here on */
    bool in_flight;  /* a reply to one has been sent, and not acknowledged yet */
};

struct table {
    const struct config *config;
    struct table_ports ports;
    struct journal *journal;
    struct recall *recall;

    struct play play;
    struct past past[JOURNAL_RECORDS_MAX]; /* so that undo reaches the start of every game */
    char game[GAME_ID_SIZE];               /* "" in the lobby */
    bool too_long_is_logged;               /* for this game */

    /* Table time is the clock's time plus this, and goes on over a restart of the machine. */
    uint64_t clock_offset_us;
    uint64_t window_due_us; /* 0: no window is open */

    bool connected;
    char base[TOPIC_SIZE];
    char event_topic[TOPIC_SIZE];
    struct outbox outbox;
    struct housekeeping housekeeping;
    unsigned lost_told;      /* games of which not all events can be sent, as info has it */
    struct latest state;     /* and score: always of the same seq */
    uint64_t changes_due_us; /* state and score are to follow the events; 0: they have */
    uint64_t resend_us;      /* when to try again, if something could not be handed over */
    struct replies replies;
    struct queries queries;
    int64_t since_ms;

    struct sight sight;
    struct sight_check check; /* as it was told last */
    struct latest ready;
    bool autostart_waits;   /* for the table to be ready and the disk to work */
    uint64_t rope_clear_us; /* the rope's topic may be told again from here on */
    uint64_t rope_due_us;   /* 0: it is up to date */
    struct knock knock;
    unsigned own_status; /* how often `online` was published and has not come back */
    bool has_namesake;   /* another daemon was heard on our topics in this connection */

    struct held_facts held;
    uint64_t storage_retry_us;          /* 0: the disk works */
    char storage_problem[PROBLEM_SIZE]; /* "" while it works */
    bool end_is_unsafe;                 /* the last record may be lost yet: nothing is told of it */

    struct outcome outcome; /* of the last step */
};

/* Table time now, and of something the clock has seen. */
uint64_t table_now_us(const struct table *table);
uint64_t table_time_us(const struct table *table, uint64_t clock_us);

/*
 * The one way into the game: rules, journal, bus. input->at_us is table time. 0, or a refusal
 * (table->outcome.rule names the rule); REFUSED_STORAGE when it could not be recorded, and then
 * nothing has changed.
 */
int table_apply(struct table *table, const struct input *input, const struct evidence *evidence,
                const char *id);

/* table_jobs.c: what others do for the table. */
void table_open_jobs(struct table *table);
void table_keep_house_soon(struct table *table);
void table_keep_house(struct table *table);

/* Log and publish that finished games were lost before the broker had all of their events. */
void table_log_loss(const struct journal_loss *loss);
void table_tell_losses(struct table *table);
struct journal_limits table_limits(const struct table *table);

/*
 * table_ids.c: the answer that a command with this id has got, or NULL. Known are all ids that were
 * accepted in the open game, and the latest REPLIES_MAX of all others. The first is to be told of
 * every record; the other reads the last finished game, when the table is opened.
 */
const char *table_known_reply(struct table *table, const char *id);
void table_note_id(struct table *table, const struct record *record);
void table_remember_last_game(struct table *table);

/*
 * table_storage.c: appends a record to the journal; a new game gets its name. 0 or -errno, which is
 * then to be told to table_storage_failed; and table_storage_works after what was recorded.
 */
int table_append(struct table *table, struct record *record);
void table_storage_failed(struct table *table, int error);
void table_storage_works(struct table *table);

/* Asks the disk whether it works again, and if so looks whether a game waits for that. */
void table_probe_storage(struct table *table);

/*
 * table_facts.c: what waits to be grouped into a knock, what could not be recorded before, or both
 * goes through now. 0, or REFUSED_STORAGE when it cannot be recorded now either.
 */
int table_flush_knock(struct table *table);
int table_retry_held(struct table *table);
int table_record_seen(struct table *table);

/*
 * table_facts.c: a game has begun, and knows nothing of the pieces that lie: they are reported to
 * it as one disturbance, a moment later.
 */
void table_report_lying(struct table *table);

/* table_commands.c: carries out a command that did not come over the bus (a push button). */
void table_press(struct table *table, const struct input *input, const struct evidence *evidence);

/* table_ready.c: looks again whether the table is ready, tells what has changed, and starts the
 * game that waits for it. */
void table_look(struct table *table);

/* table_ready.c: false and a sentence when a game that is set up like this had better not start. */
bool table_may_start(const struct table *table, const struct setup *setup, char *message,
                     size_t size);

/* table_ready.c: as [game] autostart says, now or as soon as the table is ready. */
void table_autostart(struct table *table);

/* table_commands.c */
struct command;
void table_command(struct table *table, const char *verb, const struct bus_news *news);
void table_default_game(const struct table *table, struct command *command); /* start-game {} */

/* table_commands.c: publishes a reply. As bus.publish. */
int table_answer(struct table *table, const struct reply_address *address, const char *json,
                 uint32_t token);

/*
 * table_queries.c: a query waits for its turn; when too many do, it is dropped. They are answered
 * one at a time, with a pause between them, when the last reply is with the broker.
 */
void table_query(struct table *table, const struct command *command,
                 const struct reply_address *address);
uint64_t table_query_due_us(const struct table *table); /* 0: there is none */
void table_answer_query(struct table *table);
void table_query_acknowledged(struct table *table);
void table_forget_queries(struct table *table);

/* table_publish.c */
/* The retained `status`; comes back as news. */
void publish_online(struct table *table);
void publish_text(struct table *table, const char *name, const char *text, int qos, bool retain,
                  uint32_t token);
void publish_everything(struct table *table); /* after a connect */
void publish_info(struct table *table);
void publish_changes(struct table *table);      /* state, score and ready, the latest, once each */
void publish_changes_soon(struct table *table); /* a moment after the events */

/*
 * Whether something could not be handed over to the bus while the connection stayed, so that only
 * another try will bring it on; sets the time of that try after whatever may have failed.
 */
bool publish_is_stuck(const struct table *table);
void publish_watch(struct table *table);
void publish_again(struct table *table);
void publish_rope(struct table *table);
void publish_rope_soon(struct table *table); /* when the pause is over */
void publish_rope_due(struct table *table);  /* it is over */
void publish_sensor(struct table *table, uint16_t sensor);

#endif
