/* The table of sections and keys, and the parser that fills in a configuration from files. */
#ifndef CONFIG_CONFIG_INTERNAL_H
#define CONFIG_CONFIG_INTERNAL_H

#include "config/config.h"

#include "rules/text.h"

/*
 * Keys (keys.c). A section that exists several times (`[player.1]`, `[piece.red-1]`) has a name, a
 * dot and the name of the instance; instances are numbered as the arrays in struct config are.
 */

enum {
    SECTION_NAME_SIZE = 40, /* with NUL */
    BUTTON_NAME_MAX = 24,   /* `button.NAME` must fit the name of a sensor */
    INSTANCES_MAX = PIECE_COUNT,
    KEYS_MAX = 96,
};

enum section_id {
    SECTION_TABLE,
    SECTION_MQTT,
    SECTION_GAME,
    SECTION_PLAYER,
    SECTION_HOUSE,
    SECTION_TIMING,
    SECTION_HW,
    SECTION_CANNON,
    SECTION_ROPE,
    SECTION_PIECE,
    SECTION_HARBOUR,
    SECTION_BUTTON,
    SECTION_RADIO,
    SECTION_JOURNAL,
    SECTION_LOGBOOK,
    SECTION_WIFI, /* from here on in table.ini of a card only */
    SECTION_REFEREE,
    SECTION_TV,
    SECTION_COMPUTER,
    SECTION_COUNT,
};

struct config_section {
    const char *name;
    const char *example; /* name of an instance for the sample; NULL: a section without instances */
    unsigned first;      /* first and last instance */
    unsigned last;
    const char *(*instance_name)(unsigned instance); /* NULL: the user chooses the names */
    const char *help;
};

enum value_type {
    TYPE_TEXT,    /* min to max bytes of UTF-8 */
    TYPE_NAME,    /* of a player (rules_is_name) */
    TYPE_FILE,    /* as TYPE_TEXT: path of a readable file */
    TYPE_SEGMENT, /* one part of a topic */
    TYPE_PREFIX,  /* segments of a topic separated by / */
    TYPE_HOSTS,   /* HOST or HOST:PORT, one or several */
    TYPE_NUMBER,  /* min to max */
    TYPE_MILLI,   /* a decimal number; value, min and max are thousandths */
    TYPE_YES_NO,
    TYPE_VARIANT,
    TYPE_SCENARIO,
    TYPE_DICE,
    TYPE_FIRST,
    TYPE_BACKEND,
    TYPE_HARBOURS,
    TYPE_MOVE_DIE,
    TYPE_COMBAT_DIE,
    TYPE_BARRELS,
    TYPE_LINE,
    TYPE_COMMAND,
    TYPE_DATABASE,
    TYPE_WIFI_PASSWORD,
    TYPE_COUNTRY,
    TYPE_USER_PASSWORD,
    TYPE_LANGUAGE,
    TYPE_TIME_ZONE,
    TYPE_HOST_NAME,
    TYPE_SSH_KEY,
    TYPE_COUNT,
};

struct config_key {
    enum section_id section;
    enum value_type type;
    const char *name;
    uint32_t min;
    uint32_t max;
    size_t offset; /* of the member in struct config, for instance 0 */
    size_t size;
    size_t stride;             /* from one instance to the next */
    const char *default_value; /* the default, as written in a file */
    const char *example;       /* a typical value if the default is empty, else NULL */
    enum config_effect effect;
    const char *help;
};

const struct config_section *config_section(enum section_id id);

/* All keys, in the order of the sections. */
extern const struct config_key config_keys[];
extern const size_t config_key_count;

/* NULL if the section has no such key. */
const struct config_key *config_find_key(enum section_id section, const char *name);

/* The instance with that name; -1 if there is none, and for sections that the user names. */
int config_find_instance(const struct config_section *section, const char *name);

void *config_member(struct config *config, const struct config_key *key, unsigned instance);
const void *config_member_const(const struct config *config, const struct config_key *key,
                                unsigned instance);

/* The section as in a file, without brackets: `game`, `player.1`. */
void config_add_section(struct text *text, const struct config *config, enum section_id id,
                        unsigned instance);

/*
 * Values (values.c)
 */

/*
 * Reads a value into the member of a key. Returns true, or false with the member unchanged; hint
 * may then say what is wrong with this value.
 */
bool config_read_value(const struct config_key *key, const char *value, void *member,
                       struct text *hint);

/* What the key accepts, to follow the word `expected`: `a number from 1 to 9`. */
void config_describe_value(const struct config_key *key, struct text *text);

/* A text, or one of a list of words, as it is written in a file. */
const char *config_word(const struct config_key *key, const void *member);

/* Whether messages must not show its value. */
bool config_is_secret(const struct config_key *key);

/* Adds `did you mean GUESS?`; nothing if guess is NULL. */
void config_add_guess(struct text *hint, const char *guess);

/* True if the text is 1 to length_max letters, digits, - and _: a valid part of a topic. */
bool config_is_segment(const char *text, size_t length_max);

/*
 * Sensors over MQTT (source.c): the source behind `mqtt` or `node`
 */

/* Whether the value begins with one of these words, so that it is not a GPIO line. */
bool config_is_radio(const char *value);

/* As config_read_value. */
bool config_read_radio(const char *value, struct line_config *line, struct text *hint);
void config_write_radio(const struct line_config *line, bool with_options, struct text *text);

/*
 * The parser (parse.c)
 */

enum { PROBLEM_SIZE = 512 };

/* Where a key or section is. Line 0: nowhere, or the whole file. */
struct origin {
    unsigned file; /* index in files */
    int line;
    bool given;   /* the key has a value that is not empty */
    bool refused; /* the value of the key is invalid and was not stored */
};

enum section_state { SECTION_NOT_YET, SECTION_OPEN, SECTION_UNKNOWN };

struct parser {
    struct config config;
    struct origin keys[KEYS_MAX][INSTANCES_MAX]; /* see parser_origin */
    struct origin sections[SECTION_COUNT][INSTANCES_MAX];

    const char *const *files;
    config_problem_fn *problem;
    void *context;
    int problems;
    bool is_card; /* table.ini */

    struct origin at; /* the line that is being read */
    enum section_state section_state;
    enum section_id section; /* while one is open */
    unsigned instance;
};

/* The last place where a key of an instance is set. */
const struct origin *parser_origin(const struct parser *parser, const struct config_key *key,
                                   unsigned instance);

/* Reports a problem at a place. */
__attribute__((format(printf, 3, 4))) void
parser_report(struct parser *parser, const struct origin *origin, const char *format, ...);

/* Reports a problem at the last place where a key is set; the message follows `[section] key`. */
__attribute__((format(printf, 4, 5))) void parser_report_key(struct parser *parser,
                                                             const struct config_key *key,
                                                             unsigned instance, const char *format,
                                                             ...);

/* After all files are read: fills in what depends on several keys and checks it (check.c). */
void parser_check(struct parser *parser);

#endif
