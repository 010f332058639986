/*
 * The sections and keys of the configuration. For the config_*.c files alone.
 *
 * A section that exists several times (`[player.1]`, `[piece.red-1]`) has a name, a point and the
 * name of the instance; its instances are numbered as the arrays in struct config are.
 */
#ifndef DAEMON_CONFIG_KEYS_H
#define DAEMON_CONFIG_KEYS_H

#include "config/config.h"

#include "rules/text.h"

enum {
    SECTION_NAME_SIZE = 40, /* with the end */
    BUTTON_NAME_MAX = 24,   /* so that `button.NAME` fits the name of a sensor */
    INSTANCES_MAX = PIECE_COUNT,
    KEYS_MAX = 80,
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
    SECTION_JOURNAL,
    SECTION_COUNT,
};

struct config_section {
    const char *name;
    const char *example; /* name of an instance for the sample; NULL: there is one such section */
    unsigned first;      /* the first and the last instance */
    unsigned last;
    const char *(*instance_name)(unsigned instance); /* NULL: the owner of the table names them */
    const char *help;
};

enum value_type {
    TYPE_TEXT,    /* min to max bytes of UTF-8 */
    TYPE_FILE,    /* the same, a file that must be readable */
    TYPE_SEGMENT, /* of a topic */
    TYPE_PREFIX,  /* segments of a topic with / between them */
    TYPE_NUMBER,  /* min to max */
    TYPE_MILLI,   /* a decimal number, kept in thousandths, as min and max are */
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
    size_t stride;       /* from one instance to the next */
    const char *usual;   /* the default, as it would stand in a file */
    const char *example; /* where the default is empty: what a value looks like; else NULL */
    enum config_effect effect;
    const char *help;
};

const struct config_section *config_section(enum section_id id);

/* All keys, in the order of the sections. */
extern const struct config_key config_keys[];
extern const size_t config_key_count;

/* NULL if the section has no such key. */
const struct config_key *config_find_key(enum section_id section, const char *name);

/* The instance with that name; -1 if there is none, and for sections that the owner names. */
int config_find_instance(const struct config_section *section, const char *name);

void *config_member(struct config *config, const struct config_key *key, unsigned instance);
const void *config_member_const(const struct config *config, const struct config_key *key,
                                unsigned instance);

/* The section as in a file, without brackets: `game`, `player.1`. */
void config_add_section(struct text *text, const struct config *config, enum section_id id,
                        unsigned instance);

#endif
