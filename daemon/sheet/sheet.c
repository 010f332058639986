#include "sheet/sheet.h"

#include "rules/nearest.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 512, SHOWN_SIZE = 64, ITEM_SIZE = 64, RULES_MAX = 3 * SHEET_RULES_MAX };

enum section {
    SECTION_NONE,
    SECTION_SHEET,
    SECTION_COUNTER,
    SECTION_FLAG,
    SECTION_END,
    SECTION_TITLE,
    SECTION_HINT,
    SECTION_COUNT,
};

static const char *const section_names[SECTION_COUNT] = {"",    "sheet", "counter", "flag",
                                                         "end", "title", "hint"};

/* A formula can be read only when all counters and flags are known. */
struct pending {
    int line;
    struct formula *formula;
    const char *where; /* the key, for the message */
    char source[SHEET_TEXT_SIZE];
    bool is_score; /* it must not use the score itself */
    bool is_hint;  /* it must not give away a secret */
};

enum { PENDING_MAX = 1 + SHEET_TIES_MAX + RULES_MAX };

struct reader {
    struct sheet *sheet;
    sheet_problem_fn *problem;
    void *context;
    int problems;
    int line;
    enum section section;
    char title[SHOWN_SIZE];         /* of the section, as in the file */
    void *item;                     /* the counter, flag or rule of this section */
    char seen[32][SHEET_NAME_SIZE]; /* keys of this section */
    unsigned seen_count;
    bool has_sheet;
    struct pending pending[PENDING_MAX];
    unsigned pending_count;
};

__attribute__((format(printf, 2, 3))) static void report(struct reader *reader, const char *format,
                                                         ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    reader->problems++;
    reader->problem(reader->context, reader->line, message);
}

/*
 * Values: each reader stores the value and returns true, or returns false
 */

struct key;
typedef bool read_fn(struct reader *reader, const struct key *key, const char *value, void *member);

struct key {
    enum section section;
    const char *name;
    read_fn *read;
    size_t offset; /* in struct sheet, or in that of the section */
    const char *expected;
    const char *const *words; /* of read_word */
};

static bool read_text(struct reader *reader, const struct key *key, const char *value, void *member)
{
    (void)reader;
    (void)key;
    if (!*value || strlen(value) >= SHEET_TEXT_SIZE || !text_is_plain(value)) {
        return false;
    }
    memcpy(member, value, strlen(value) + 1);
    return true;
}

static bool read_integer(const char *value, int32_t *number)
{
    char *rest;
    long read = strtol(value, &rest, 10);

    if (rest == value || *rest || read < -SHEET_VALUE_MAX || read > SHEET_VALUE_MAX) {
        return false;
    }
    *number = (int32_t)read;
    return true;
}

static bool read_number(struct reader *reader, const struct key *key, const char *value,
                        void *member)
{
    (void)reader;
    (void)key;
    return read_integer(value, member);
}

/* The words are stored as their index: in an int, as enums are, or in a bool. */
static int word_index(const char *const *words, const char *value)
{
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], value) == 0) {
            return i;
        }
    }
    return -1;
}

static bool read_word(struct reader *reader, const struct key *key, const char *value, void *member)
{
    int index = word_index(key->words, value);

    (void)reader;
    if (index >= 0) {
        *(unsigned *)member = (unsigned)index;
    }
    return index >= 0;
}

static bool read_yes_no(struct reader *reader, const struct key *key, const char *value,
                        void *member)
{
    int index = word_index(key->words, value);

    (void)reader;
    if (index >= 0) {
        *(bool *)member = index == 1;
    }
    return index >= 0;
}

static bool read_players(struct reader *reader, const struct key *key, const char *value,
                         void *member)
{
    struct sheet *sheet = reader->sheet;
    char most[ITEM_SIZE];
    char least[ITEM_SIZE];
    const char *dash = strchr(value, '-');
    struct text text = text_begin(least, sizeof least);
    int32_t min;
    int32_t max;

    (void)key;
    (void)member;
    text_add_some(&text, value, dash ? (size_t)(dash - value) : strlen(value));
    snprintf(most, sizeof most, "%s", dash ? dash + 1 : least);
    if (!read_integer(least, &min) || !read_integer(most, &max) || min < 1 || max < min ||
        max > SHEET_PLAYERS_MAX) {
        return false;
    }
    sheet->players_min = (unsigned)min;
    sheet->players_max = (unsigned)max;
    return true;
}

/* The next item of a list separated by commas, without blanks around it; false at its end. */
static bool next_item(const char **rest, char item[ITEM_SIZE])
{
    if (!*rest) {
        return false;
    }
    const char *start = *rest + strspn(*rest, " \t");
    size_t length = strcspn(start, ",");
    *rest = start[length] == ',' ? start + length + 1 : NULL;
    while (length > 0 && strchr(" \t", start[length - 1])) {
        length--;
    }
    struct text text = text_begin(item, ITEM_SIZE);
    text_add_some(&text, start, length);
    return true;
}

/* A list of names; the count, or -1 if one is invalid or there twice, or if there are too many. */
static int read_names(const char *value, char (*names)[SHEET_NAME_SIZE], int names_max)
{
    char item[ITEM_SIZE];
    int count = 0;

    while (next_item(&value, item)) {
        if (count == names_max || !*item || strlen(item) >= SHEET_NAME_SIZE ||
            !text_is_plain(item)) {
            return -1;
        }
        for (int i = 0; i < count; i++) {
            if (strcmp(names[i], item) == 0) {
                return -1;
            }
        }
        memcpy(names[count++], item, strlen(item) + 1);
    }
    return count;
}

static bool read_roles(struct reader *reader, const struct key *key, const char *value,
                       void *member)
{
    int count = read_names(value, reader->sheet->roles, SHEET_ROLES_MAX);

    (void)key;
    (void)member;
    reader->sheet->role_count = count > 0 ? (unsigned)count : 0;
    return count > 0;
}

/* Roles of the sheet, which come before the counters. */
static bool read_counter_roles(struct reader *reader, const struct key *key, const char *value,
                               void *member)
{
    char names[SHEET_ROLES_MAX][SHEET_NAME_SIZE];
    int count = read_names(value, names, SHEET_ROLES_MAX);
    uint8_t roles = 0;

    (void)key;
    for (int i = 0; i < count; i++) {
        uint8_t bit = 0;
        for (unsigned role = 0; role < reader->sheet->role_count; role++) {
            if (strcmp(names[i], reader->sheet->roles[role]) == 0) {
                bit = (uint8_t)(1U << role);
            }
        }
        if (!bit) {
            return false;
        }
        roles = (uint8_t)(roles | bit);
    }
    *(uint8_t *)member = roles;
    return count > 0;
}

static bool read_steps(struct reader *reader, const struct key *key, const char *value,
                       void *member)
{
    struct sheet_counter *counter = reader->item;
    char item[ITEM_SIZE];

    (void)key;
    (void)member;
    counter->step_count = 0;
    while (next_item(&value, item)) {
        if (counter->step_count == SHEET_STEPS_MAX ||
            !read_integer(item, &counter->steps[counter->step_count]) ||
            counter->steps[counter->step_count] == 0) {
            return false;
        }
        counter->step_count++;
    }
    return true;
}

static bool read_values(struct reader *reader, const struct key *key, const char *value,
                        void *member)
{
    struct sheet_counter *counter = reader->item;
    int count = read_names(value, counter->values, SHEET_VALUES_MAX);

    (void)key;
    (void)member;
    counter->value_count = count > 1 ? (unsigned)count : 0;
    return count > 1;
}

static bool keep_formula(struct reader *reader, const char *where, const char *value,
                         struct formula *formula)
{
    if (!*value || strlen(value) >= SHEET_TEXT_SIZE) {
        return false;
    }
    struct pending *pending = &reader->pending[reader->pending_count++];
    *pending = (struct pending){.line = reader->line, .formula = formula, .where = where};
    memcpy(pending->source, value, strlen(value) + 1);
    pending->is_score = formula == &reader->sheet->score;
    pending->is_hint = reader->section == SECTION_HINT;
    return true;
}

static bool read_formula(struct reader *reader, const struct key *key, const char *value,
                         void *member)
{
    return keep_formula(reader, key->name, value, member);
}

static bool read_ties(struct reader *reader, const struct key *key, const char *value, void *member)
{
    struct sheet *sheet = reader->sheet;
    char item[ITEM_SIZE];

    (void)member;
    while (next_item(&value, item)) {
        if (sheet->tie_count == SHEET_TIES_MAX ||
            !keep_formula(reader, key->name, item, &sheet->ties[sheet->tie_count])) {
            return false;
        }
        sheet->tie_count++;
    }
    return true;
}

/*
 * Keys
 */

#define IN_SHEET(member) offsetof(struct sheet, member)
#define IN_COUNTER(member) offsetof(struct sheet_counter, member)
#define IN_FLAG(member) offsetof(struct sheet_flag, member)
#define IN_RULE(member) offsetof(struct sheet_rule, member)
#define A_TEXT "a text of 1 to 159 bytes"
#define A_NUMBER "a number from -100000 to 100000"
#define A_FORMULA "a formula over counters and flags"

static const char *const yes_no[] = {"no", "yes", NULL};
static const char *const owners[] = {"player", "table", NULL};
static const char *const winners[] = {"most", "least", "ender", NULL};
static const char *const whens[] = {"always", "final", NULL};
static const char *const ats[] = {"once", "round", "call", NULL};

static const struct key keys[] = {
    {SECTION_SHEET, "title", read_text, IN_SHEET(title), A_TEXT, NULL},
    {SECTION_SHEET, "players", read_players, 0, "a number, or two such as 2-4, up to 8", NULL},
    {SECTION_SHEET, "roles", read_roles, 0, "up to 8 different names separated by commas", NULL},
    {SECTION_SHEET, "first_moves", read_yes_no, IN_SHEET(first_moves), "no or yes", yes_no},
    {SECTION_SHEET, "winner", read_word, IN_SHEET(winner), "most, least or ender", winners},
    {SECTION_SHEET, "score", read_formula, IN_SHEET(score), A_FORMULA, NULL},
    {SECTION_SHEET, "ties", read_ties, 0, "up to 4 formulas separated by commas", NULL},
    {SECTION_SHEET, "final", read_text, IN_SHEET(final), A_TEXT, NULL},
    {SECTION_COUNTER, "label", read_text, IN_COUNTER(label), A_TEXT, NULL},
    {SECTION_COUNTER, "of", read_yes_no, IN_COUNTER(is_shared), "player or table", owners},
    {SECTION_COUNTER, "start", read_number, IN_COUNTER(start), A_NUMBER, NULL},
    {SECTION_COUNTER, "min", read_number, IN_COUNTER(min), A_NUMBER, NULL},
    {SECTION_COUNTER, "max", read_number, IN_COUNTER(max), A_NUMBER, NULL},
    {SECTION_COUNTER, "steps", read_steps, 0, "up to 10 numbers other than 0", NULL},
    {SECTION_COUNTER, "values", read_values, 0, "2 to 10 different names", NULL},
    {SECTION_COUNTER, "secret", read_yes_no, IN_COUNTER(is_secret), "no or yes", yes_no},
    {SECTION_COUNTER, "when", read_word, IN_COUNTER(when), "always or final", whens},
    {SECTION_COUNTER, "roles", read_counter_roles, IN_COUNTER(roles), "roles of [sheet]", NULL},
    {SECTION_FLAG, "label", read_text, IN_FLAG(label), A_TEXT, NULL},
    {SECTION_FLAG, "of", read_yes_no, IN_FLAG(is_shared), "player or table", owners},
    {SECTION_FLAG, "start", read_yes_no, IN_FLAG(start), "no or yes", yes_no},
    {SECTION_END, "when", read_formula, IN_RULE(when), A_FORMULA, NULL},
    {SECTION_END, "at", read_word, IN_RULE(at), "once, round or call", ats},
    {SECTION_END, "text", read_text, IN_RULE(text), A_TEXT, NULL},
    {SECTION_TITLE, "when", read_formula, IN_RULE(when), A_FORMULA, NULL},
    {SECTION_TITLE, "text", read_text, IN_RULE(text), A_TEXT, NULL},
    {SECTION_HINT, "when", read_formula, IN_RULE(when), A_FORMULA, NULL},
    {SECTION_HINT, "text", read_text, IN_RULE(text), A_TEXT, NULL},
};

enum { KEY_COUNT = sizeof keys / sizeof *keys };

static const struct key *find_key(enum section section, const char *name)
{
    for (unsigned i = 0; i < KEY_COUNT; i++) {
        if (keys[i].section == section && strcmp(keys[i].name, name) == 0) {
            return &keys[i];
        }
    }
    return NULL;
}

static void report_unknown_key(struct reader *reader, const char *name)
{
    char shown[SHOWN_SIZE];
    char advice_text[MESSAGE_SIZE / 2];
    struct text advice = text_begin(advice_text, sizeof advice_text);
    struct nearest nearest = nearest_begin(name);

    for (unsigned i = 0; i < KEY_COUNT; i++) {
        if (keys[i].section == reader->section) {
            nearest_offer(&nearest, keys[i].name);
            text_add(&advice, advice.length ? ", " : "expected ");
            text_add(&advice, keys[i].name);
        }
    }
    if (nearest.best) {
        advice = text_begin(advice_text, sizeof advice_text);
        text_add(&advice, "did you mean ");
        text_add(&advice, nearest.best);
        text_add(&advice, "?");
    }
    text_quote(name, shown, sizeof shown);
    report(reader, "[%s] %s: unknown key; %s", reader->title, shown, advice_text);
}

static bool is_seen(struct reader *reader, const char *name)
{
    for (unsigned i = 0; i < reader->seen_count; i++) {
        if (strcmp(reader->seen[i], name) == 0) {
            return true;
        }
    }
    snprintf(reader->seen[reader->seen_count++], SHEET_NAME_SIZE, "%s", name);
    return false;
}

/*
 * Translations
 */

static const char *const languages[] = {"en", "de", "cs", NULL};

static void add_translation(struct reader *reader, int language, const char *source,
                            const char *text)
{
    struct sheet *sheet = reader->sheet;
    size_t size = strlen(text) + 1;

    if (sheet->translation_count == SHEET_TRANSLATIONS_MAX ||
        size > SHEET_TRANSLATED_SIZE - sheet->translated_size) {
        report(reader, "[%s]: expected at most %d translations, of %d bytes in all", reader->title,
               SHEET_TRANSLATIONS_MAX, SHEET_TRANSLATED_SIZE);
        return;
    }
    sheet->translations[sheet->translation_count++] = (struct sheet_translation){
        (uint8_t)language, (uint32_t)(source - (const char *)sheet), sheet->translated_size};
    memcpy(sheet->translated + sheet->translated_size, text, size);
    sheet->translated_size += (unsigned)size;
}

/* False: there are not as many names as in the list that is translated. */
static bool add_translations(struct reader *reader, int language, char (*names)[SHEET_NAME_SIZE],
                             unsigned count, const char *value)
{
    char translations[SHEET_VALUES_MAX][SHEET_NAME_SIZE];

    if (count == 0 || read_names(value, translations, (int)count) != (int)count) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        add_translation(reader, language, names[i], translations[i]);
    }
    return true;
}

/* `label.de = Flossen`; key is that of `label`. */
static void translate(struct reader *reader, const struct key *key, const char *name,
                      const char *language_name, const char *value)
{
    struct sheet *sheet = reader->sheet;
    struct sheet_counter *counter = reader->item;
    char text[SHEET_TEXT_SIZE];
    char shown[SHOWN_SIZE];
    const char *expected = "as many different names as there are, which come first";
    int language = word_index(languages, language_name);
    bool fits;

    if (language < 0) {
        text_quote(name, shown, sizeof shown);
        report(reader, "[%s] %s: unknown language; expected en, de or cs", reader->title, shown);
        return;
    }
    if (key->read == read_roles) {
        fits = add_translations(reader, language, sheet->roles, sheet->role_count, value);
    } else if (key->read == read_values) {
        fits = add_translations(reader, language, counter->values, counter->value_count, value);
    } else {
        expected = key->expected;
        fits = read_text(reader, key, value, text);
        if (fits) {
            add_translation(reader, language, (char *)reader->item + key->offset, text);
        }
    }
    if (!fits) {
        text_quote(value, shown, sizeof shown);
        report(reader, "[%s] %s = %s: expected %s", reader->title, name, shown, expected);
    }
}

const char *sheet_translate(const struct sheet *sheet, enum sheet_language language,
                            const char *text)
{
    for (unsigned i = 0; i < sheet->translation_count; i++) {
        const struct sheet_translation *it = &sheet->translations[i];
        if (it->language == language && (const char *)sheet + it->source == text) {
            return sheet->translated + it->text;
        }
    }
    return NULL;
}

const char *sheet_language_name(enum sheet_language language)
{
    return languages[language];
}

/* The key of a translation, or NULL: it has none, or this is not one. */
static const struct key *find_translated_key(enum section section, const char *name,
                                             const char *dot)
{
    char base[SHEET_NAME_SIZE];
    struct text text = text_begin(base, sizeof base);

    text_add_some(&text, name, dot ? (size_t)(dot - name) : 0);
    const struct key *key = find_key(section, base);
    bool has_words =
        key && (key->read == read_text || key->read == read_roles || key->read == read_values);
    return has_words ? key : NULL;
}

static void take_pair(void *self, int line, const char *name, const char *value)
{
    struct reader *reader = self;
    const char *dot = strchr(name, '.');
    const struct key *translated = find_translated_key(reader->section, name, dot);
    const struct key *key = translated ? translated : find_key(reader->section, name);
    char shown[SHOWN_SIZE];

    reader->line = line;
    if (!reader->item) {
        return; /* in a section that was refused */
    }
    if (!key) {
        report_unknown_key(reader, name);
    } else if (is_seen(reader, name)) {
        report(reader, "[%s] %s: is set twice", reader->title, name);
    } else if (translated) {
        translate(reader, translated, name, dot + 1, value);
    } else if (!key->read(reader, key, value, (char *)reader->item + key->offset)) {
        text_quote(value, shown, sizeof shown);
        report(reader, "[%s] %s = %s: expected %s", reader->title, name, shown, key->expected);
    }
}

/*
 * Sections
 */

static bool is_name(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");

    return length > 0 && !name[length] && length < SHEET_NAME_SIZE && name[0] >= 'a' &&
           name[0] <= 'z';
}

static bool is_reserved(const char *name)
{
    static const char *const words[] = {"and",   "or",      "not",   "highest",
                                        "round", "players", "score", NULL};

    return word_index(words, name) >= 0;
}

/* The element with this name after the last of an array, or NULL: there are too many. */
static void *add_item(void *array, size_t size, unsigned *count, unsigned max, const char *name)
{
    if (*count == max) {
        return NULL;
    }
    char *item = (char *)array + size * (*count)++;
    memcpy(item, name, strlen(name) + 1); /* the name is the first member of each */
    return item;
}

static void *add_counter(struct sheet *sheet, const char *name)
{
    struct sheet_counter *counter = add_item(sheet->counters, sizeof *sheet->counters,
                                             &sheet->counter_count, SHEET_COUNTERS_MAX, name);

    if (counter) {
        counter->max = SHEET_VALUE_MAX;
        counter->steps[0] = 1;
        counter->steps[1] = -1;
        counter->step_count = 2;
        memcpy(counter->label, counter->name, sizeof counter->name);
    }
    return counter;
}

static void *add_flag(struct sheet *sheet, const char *name)
{
    struct sheet_flag *flag =
        add_item(sheet->flags, sizeof *sheet->flags, &sheet->flag_count, SHEET_FLAGS_MAX, name);

    if (flag) {
        memcpy(flag->label, flag->name, sizeof flag->name);
    }
    return flag;
}

static void *add_rule(struct sheet_rule *rules, unsigned *count, const char *name)
{
    for (unsigned i = 0; i < *count; i++) {
        if (strcmp(rules[i].name, name) == 0) {
            return NULL;
        }
    }
    return add_item(rules, sizeof *rules, count, SHEET_RULES_MAX, name);
}

static void *begin_item(struct reader *reader, const char *name)
{
    struct sheet *sheet = reader->sheet;

    switch (reader->section) {
    case SECTION_COUNTER:
    case SECTION_FLAG:
        if (sheet_find_counter(sheet, name) >= 0 || sheet_find_flag(sheet, name) >= 0 ||
            is_reserved(name)) {
            return NULL;
        }
        return reader->section == SECTION_COUNTER ? add_counter(sheet, name)
                                                  : add_flag(sheet, name);
    case SECTION_END:
        return add_rule(sheet->ends, &sheet->end_count, name);
    case SECTION_TITLE:
        return add_rule(sheet->titles, &sheet->title_count, name);
    case SECTION_HINT:
        return add_rule(sheet->hints, &sheet->hint_count, name);
    default:
        return NULL;
    }
}

static enum section find_section(const char *name, size_t length)
{
    for (unsigned i = SECTION_SHEET; i < SECTION_COUNT; i++) {
        if (strlen(section_names[i]) == length && memcmp(section_names[i], name, length) == 0) {
            return (enum section)i;
        }
    }
    return SECTION_NONE;
}

static void open_section(void *self, int line, const char *name)
{
    struct reader *reader = self;

    reader->line = line;
    reader->item = NULL;
    reader->seen_count = 0;
    if (!name) {
        return; /* reported already */
    }
    const char *dot = strchr(name, '.');
    text_quote(name, reader->title, sizeof reader->title);
    reader->section = find_section(name, dot ? (size_t)(dot - name) : strlen(name));
    if (reader->section == SECTION_SHEET && !dot && !reader->has_sheet) {
        reader->has_sheet = true;
        reader->item = reader->sheet;
    } else if (reader->section > SECTION_SHEET && dot && is_name(dot + 1)) {
        reader->item = begin_item(reader, dot + 1);
        if (!reader->item) {
            report(reader, "[%s]: the name is taken or reserved, or there are too many",
                   reader->title);
        }
    } else {
        report(reader,
               "[%s]: expected [sheet] once, [counter.NAME], [flag.NAME], [end.NAME], "
               "[title.NAME] or [hint.NAME], NAME being 1 to 31 of a-z 0-9 - _ from a letter on",
               reader->title);
    }
}

/*
 * The whole sheet
 */

int sheet_find_counter(const struct sheet *sheet, const char *name)
{
    for (unsigned i = 0; i < sheet->counter_count; i++) {
        if (strcmp(sheet->counters[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

int sheet_find_flag(const struct sheet *sheet, const char *name)
{
    for (unsigned i = 0; i < sheet->flag_count; i++) {
        if (strcmp(sheet->flags[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static int find_name(const void *self, enum formula_kind kind, const char *name)
{
    return kind == FORMULA_COUNTER ? sheet_find_counter(self, name) : sheet_find_flag(self, name);
}

static bool uses_secret(const struct sheet *sheet, const struct formula *formula)
{
    for (unsigned i = 0; i < sheet->counter_count; i++) {
        if (sheet->counters[i].is_secret && (formula_uses(formula, FORMULA_COUNTER, (int32_t)i) ||
                                             formula_uses(formula, FORMULA_HIGHEST, (int32_t)i))) {
            return true;
        }
    }
    return false;
}

bool sheet_is_secret(const struct sheet *sheet, const struct formula *formula)
{
    return uses_secret(sheet, formula) ||
           (formula_uses(formula, FORMULA_SCORE, -1) && uses_secret(sheet, &sheet->score));
}

static void read_pending(struct reader *reader)
{
    for (unsigned i = 0; i < reader->pending_count; i++) {
        const struct pending *pending = &reader->pending[i];
        char problem_text[MESSAGE_SIZE / 2];
        struct text problem = text_begin(problem_text, sizeof problem_text);
        reader->line = pending->line;
        if (!formula_read(pending->source, find_name, reader->sheet, pending->formula, &problem)) {
            report(reader, "%s = %s: %s", pending->where, pending->source, problem_text);
        } else if (pending->is_score && formula_uses(pending->formula, FORMULA_SCORE, -1)) {
            report(reader, "%s = %s: the score cannot depend on itself", pending->where,
                   pending->source);
        }
    }
    for (unsigned i = 0; i < reader->pending_count && !reader->problems; i++) {
        const struct pending *pending = &reader->pending[i];
        reader->line = pending->line;
        if (pending->is_hint && sheet_is_secret(reader->sheet, pending->formula)) {
            report(reader, "%s = %s: a hint must not give away a secret counter", pending->where,
                   pending->source);
        }
    }
}

/* A counter with named values has as many of them as there are names. */
static void check_counter(struct reader *reader, struct sheet_counter *counter)
{
    if (counter->value_count) {
        counter->max = counter->min + (int32_t)counter->value_count - 1;
    }
    if (counter->min > counter->start || counter->start > counter->max) {
        report(reader, "[counter.%s] start = %d: expected a number from min, %d, to max, %d",
               counter->name, counter->start, counter->min, counter->max);
    }
}

static void check_rules(struct reader *reader, enum section section, const struct sheet_rule *rules,
                        unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        bool needs_when = section != SECTION_END || rules[i].at != SHEET_CALL;
        if (!rules[i].text[0] || (needs_when && !rules[i].when.count)) {
            report(reader, "[%s.%s]: expected the keys text%s", section_names[section],
                   rules[i].name, needs_when ? " and when" : "");
        }
    }
}

static void check_sheet(struct reader *reader)
{
    struct sheet *sheet = reader->sheet;

    reader->line = 0;
    if (!sheet->title[0] || !sheet->players_max || !sheet->score.count) {
        report(reader, "[sheet]: expected the keys title, players and score");
    }
    if (!sheet->end_count) {
        report(reader, "expected at least one section [end.NAME]");
    }
    if (sheet->role_count && sheet->role_count < sheet->players_max) {
        report(reader, "[sheet] roles: expected at least %u, one for each player",
               sheet->players_max);
    }
    for (unsigned i = 0; i < sheet->counter_count; i++) {
        check_counter(reader, &sheet->counters[i]);
    }
    check_rules(reader, SECTION_END, sheet->ends, sheet->end_count);
    check_rules(reader, SECTION_TITLE, sheet->titles, sheet->title_count);
    check_rules(reader, SECTION_HINT, sheet->hints, sheet->hint_count);
}

static void take_problem(void *self, int line, const char *message)
{
    struct reader *reader = self;

    reader->line = line;
    report(reader, "%s", message);
}

static struct ini_handler begin(struct reader *reader, struct sheet *sheet,
                                sheet_problem_fn *problem, void *context)
{
    *sheet = (struct sheet){0};
    *reader = (struct reader){.sheet = sheet, .problem = problem, .context = context};
    return (struct ini_handler){reader, open_section, take_pair, take_problem};
}

/* What is missing is reported only if what is there could be read: it may be in those lines. */
static int end(struct reader *reader)
{
    read_pending(reader);
    if (!reader->problems) {
        check_sheet(reader);
    }
    return reader->problems;
}

int sheet_read(const char *text, size_t size, struct sheet *sheet, sheet_problem_fn *problem,
               void *context)
{
    struct reader reader;
    struct ini_handler handler = begin(&reader, sheet, problem, context);

    ini_read(text, size, &handler);
    return end(&reader);
}

int sheet_read_file(const char *path, struct sheet *sheet, sheet_problem_fn *problem, void *context)
{
    struct reader reader;
    struct ini_handler handler = begin(&reader, sheet, problem, context);

    ini_read_file(path, &handler);
    return end(&reader);
}

/*
 * Kinds of files
 */

static void look_at_section(void *self, int line, const char *name)
{
    (void)line;
    const char *dot = name ? strchr(name, '.') : NULL;

    if (name) {
        *(bool *)self |=
            find_section(name, dot ? (size_t)(dot - name) : strlen(name)) != SECTION_NONE;
    }
}

static void ignore_pair(void *self, int line, const char *key, const char *value)
{
    (void)self;
    (void)line;
    (void)key;
    (void)value;
}

static void ignore_problem(void *self, int line, const char *message)
{
    (void)self;
    (void)line;
    (void)message;
}

bool sheet_is_sheet(const char *path)
{
    bool is_sheet = false;
    struct ini_handler handler = {&is_sheet, look_at_section, ignore_pair, ignore_problem};

    ini_read_file(path, &handler);
    return is_sheet;
}
