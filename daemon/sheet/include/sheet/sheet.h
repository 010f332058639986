/*
 * A score sheet: which counters and flags a game has, how they make the score, and when the game
 * ends. It is an ini file; docs/sheets.md describes it.
 */
#ifndef SHEET_SHEET_H
#define SHEET_SHEET_H

#include "config/ini.h"
#include "sheet/formula.h"

enum {
    SHEET_NAME_SIZE = 32,
    SHEET_TEXT_SIZE = 160,
    SHEET_PLAYERS_MAX = 8,
    SHEET_ROLES_MAX = 8,
    SHEET_COUNTERS_MAX = 16,
    SHEET_FLAGS_MAX = 8,
    SHEET_STEPS_MAX = 10,
    SHEET_VALUES_MAX = 10,
    SHEET_TIES_MAX = 4,
    SHEET_RULES_MAX = 8, /* ends, titles and hints, of each */
    SHEET_VALUE_MAX = 100000,
    SHEET_TRANSLATIONS_MAX = 256,
    SHEET_TRANSLATED_SIZE = 16 << 10,
};

/* The languages of the page, into which texts can be translated. */
enum sheet_language { SHEET_EN, SHEET_DE, SHEET_CS, SHEET_LANGUAGE_COUNT };

enum sheet_winner { SHEET_MOST, SHEET_LEAST, SHEET_ENDER };

/* When a counter may be changed. */
enum sheet_when { SHEET_ALWAYS, SHEET_FINAL };

enum sheet_at { SHEET_ONCE, SHEET_ROUND, SHEET_CALL };

struct sheet_counter {
    char name[SHEET_NAME_SIZE];
    char label[SHEET_TEXT_SIZE];
    bool is_shared; /* of the table, not of each player */
    bool is_secret;
    enum sheet_when when;
    uint8_t roles; /* the bits of the roles that have it; 0: all */
    int32_t start;
    int32_t min;
    int32_t max;
    int32_t steps[SHEET_STEPS_MAX];
    unsigned step_count;
    char values[SHEET_VALUES_MAX][SHEET_NAME_SIZE]; /* names of its values, from min on */
    unsigned value_count;
};

struct sheet_flag {
    char name[SHEET_NAME_SIZE];
    char label[SHEET_TEXT_SIZE];
    bool is_shared;
    bool start;
};

/* An end, a title or a hint: a text that applies while a condition holds. */
struct sheet_rule {
    char name[SHEET_NAME_SIZE];
    char text[SHEET_TEXT_SIZE];
    struct formula when;
    enum sheet_at at; /* of an end */
};

struct sheet {
    char title[SHEET_TEXT_SIZE];
    unsigned players_min;
    unsigned players_max;
    char roles[SHEET_ROLES_MAX][SHEET_NAME_SIZE];
    unsigned role_count;
    bool first_moves; /* the next player is the first one in each round */
    enum sheet_winner winner;
    struct formula score;
    struct formula ties[SHEET_TIES_MAX]; /* more is better */
    unsigned tie_count;
    char final[SHEET_TEXT_SIZE]; /* what to do in the final step; "": there is none */
    struct sheet_counter counters[SHEET_COUNTERS_MAX];
    unsigned counter_count;
    struct sheet_flag flags[SHEET_FLAGS_MAX];
    unsigned flag_count;
    struct sheet_rule ends[SHEET_RULES_MAX];
    unsigned end_count;
    struct sheet_rule titles[SHEET_RULES_MAX];
    unsigned title_count;
    struct sheet_rule hints[SHEET_RULES_MAX];
    unsigned hint_count;
    struct sheet_translation {
        uint8_t language; /* enum sheet_language */
        uint32_t source;  /* offset of the text in this struct */
        uint32_t text;    /* offset in translated */
    } translations[SHEET_TRANSLATIONS_MAX];
    unsigned translation_count;
    char translated[SHEET_TRANSLATED_SIZE]; /* texts, each with its NUL */
    unsigned translated_size;
};

/* Reports one problem. Line 0: the whole file. */
typedef void sheet_problem_fn(void *context, int line, const char *message);

/*
 * Reads a sheet and reports every problem with its line and what is accepted. Returns 0, or the
 * number of problems; the sheet is valid only without one.
 */
int sheet_read(const char *text, size_t size, struct sheet *sheet, sheet_problem_fn *problem,
               void *context);
int sheet_read_file(const char *path, struct sheet *sheet, sheet_problem_fn *problem,
                    void *context);

/* Whether the file has a section of a sheet, so that it is not another kind of ini file. */
bool sheet_is_sheet(const char *path);

/* The index of a counter or flag, or -1. */
int sheet_find_counter(const struct sheet *sheet, const char *name);
int sheet_find_flag(const struct sheet *sheet, const char *name);

/* Translates a text of this sheet, which may be a member of it only; NULL: there is none. */
const char *sheet_translate(const struct sheet *sheet, enum sheet_language language,
                            const char *text);

/* `de` */
const char *sheet_language_name(enum sheet_language language);

/* Whether the value of a formula would give away a secret counter. */
bool sheet_is_secret(const struct sheet *sheet, const struct formula *formula);

#endif
