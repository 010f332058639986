/* The sample file, the reference page and the manual page, from the table of keys. */
#include "values.h"

#include <errno.h>
#include <string.h>

enum {
    DESCRIPTION_SIZE = 256,
    ENTRY_SIZE = 1024,
    WORD_SIZE = 128,
    COLUMNS = 100,
    MAN_COLUMNS = 80
};

static const char sample_head[] =
    "; The configuration of a Ship Ahoy table. Every line that is commented out shows a default;\n"
    "; docs/configuration.md explains them all, `shipahoyd --check` finds every mistake.\n"
    "; Further files given with --config are laid over this one.\n"
    "; Written by config_docs: change daemon/config/keys.c, not this file.\n";

static const char reference_head[] =
    "# Configuration\n"
    "\n"
    "<!-- Written by config_docs: change daemon/config/keys.c, not this page. -->\n"
    "\n"
    "`shipahoyd` reads `/etc/shipahoy/shipahoy.ini`, or the files given with `--config`, one over\n"
    "the other: a key in a later file replaces the same key of an earlier one, an empty value "
    "takes\n"
    "it back where the default is empty. `config/scenarios/` has such a file for each scenario.\n"
    "`shipahoyd --check` tells every mistake of all files at once, each as `FILE:LINE: message`, "
    "or\n"
    "as `FILE: message` when a file cannot be read at all.\n"
    "\n"
    "- A line is `[section]`, `key = value` or a comment. Lines have up to 198 bytes, files up to\n"
    "  64 KiB of UTF-8.\n"
    "- `;` and `#` begin a comment, at the start of a line or behind a blank.\n"
    "- A section may come several times in a file, a key of it only once.\n"
    "- Sections and keys that do not exist are mistakes, not ignored.\n"
    "- After `systemctl reload shipahoyd` the files are read again. When a change takes effect is\n"
    "  in the last column: at once, with the next game, or after a restart. A file with a mistake\n"
    "  changes nothing.\n"
    "\n"
    "## Lines\n"
    "\n"
    "Where a sensor is connected is written as one of these:\n"
    "\n"
    "| line | means |\n"
    "|---|---|\n"
    "| `GPIO17` | the line of that name, on the chip of `[hw] chip` or on any chip |\n"
    "| `gpiochip2:5` | line 5 of that chip; a path (`/dev/gpiochip2:5`) is fine too |\n"
    "| `pinctrl-rp1:5` | line 5 of the chip with that label, whatever its number |\n"
    "| `5` | line 5 of the chip of `[hw] chip` |\n"
    "\n"
    "Flags may follow: `active-low` (the sensor pulls the line low when it is active), and one of\n"
    "`pull-up`, `pull-down` and `no-bias`. An empty value means that the sensor is not fitted.\n"
    "Two sensors on one line are a mistake; with real sensors so is a line that does not exist.\n";

static const char man_head[] =
    ".\\\" Written by config_docs: change daemon/config/keys.c, not this page.\n"
    ".TH SHIPAHOY.INI 5 2026-11-16 \"Ship Ahoy\" \"File formats\"\n"
    ".SH NAME\n"
    "shipahoy.ini \\- configuration of a Ship Ahoy table\n"
    ".SH DESCRIPTION\n"
    "What\n"
    ".BR shipahoyd (8)\n"
    "plays, where its sensors are connected, and to which broker it publishes.\n"
    "It reads\n"
    ".IR /etc/shipahoy/shipahoy.ini ,\n"
    "or the files given with\n"
    ".BR \\-\\-config ,\n"
    "one over the other: a key in a later file replaces the same key of an earlier\n"
    "one.\n"
    ".B shipahoyd \\-\\-check\n"
    "tells every mistake with its line and what would fit.\n"
    ".PP\n"
    "A line is\n"
    ".BI [ section ]\\fR,\n"
    ".IB key \" = \" value\n"
    "or a comment, which begins with\n"
    ".B ;\n"
    "or\n"
    ".BR # .\n"
    "Sections and keys that do not exist are mistakes.\n"
    ".PP\n"
    "Where a sensor is connected is written as a line:\n"
    ".B GPIO17\n"
    "(by its name, on any chip),\n"
    ".B gpiochip2:5\n"
    "(chip and number) or\n"
    ".B pinctrl\\-rp1:5\n"
    "(label of the chip and number).\n"
    "It may be followed by\n"
    ".B active\\-low\n"
    "and one of\n"
    ".BR pull\\-up ,\n"
    ".B pull\\-down\n"
    "and\n"
    ".BR no\\-bias .\n"
    ".PP\n"
    "After\n"
    ".B systemctl reload shipahoyd\n"
    "the files are read again; each key says when a change of it counts.\n";

static const char man_foot[] = ".SH FILES\n"
                               ".TP\n"
                               ".I /etc/shipahoy/shipahoy.ini\n"
                               "Read unless other files are given.\n"
                               ".SH SEE ALSO\n"
                               ".BR shipahoyd (8),\n"
                               ".BR shipahoyctl (1)\n";

static const char *effect_name(enum config_effect effect)
{
    return effect == CONFIG_LIVE ? "at once" : effect == CONFIG_NEXT_GAME ? "next game" : "restart";
}

/* A comment that is broken between words at the width of a page. */
static void write_comment(FILE *file, const char *comment)
{
    size_t column = COLUMNS;

    while (*comment) {
        size_t length = strcspn(comment, " ");
        if (column + 1 + length >= COLUMNS) {
            fputs(column == COLUMNS ? ";" : "\n;", file);
            column = 1;
        }
        fprintf(file, " %.*s", (int)length, comment);
        column += 1 + length;
        comment += length + strspn(comment + length, " ");
    }
    fputc('\n', file);
}

/* A section that may come several times is commented out: it would define a player, say. */
static void write_sample_section(FILE *file, const struct config_section *section)
{
    fputc('\n', file);
    write_comment(file, section->help);
    if (section->example) {
        fprintf(file, ";[%s.%s]\n", section->name, section->example);
    } else {
        fprintf(file, "[%s]\n", section->name);
    }
}

static void write_sample_key(FILE *file, const struct config_key *key)
{
    write_comment(file, key->help);
    if (key->example) {
        fprintf(file, "; For example: %s\n", key->example);
    }
    fprintf(file, ";%s =%s%s\n", key->name, *key->usual ? " " : "", key->usual);
}

static void write_reference_section(FILE *file, const struct config_section *section)
{
    fprintf(file, "\n## [%s%s]\n\n%s\n\n", section->name, section->example ? ".…" : "",
            section->help);
    fputs("| key | default | accepted | meaning | change |\n|---|---|---|---|---|\n", file);
}

static void write_reference_key(FILE *file, const struct config_key *key)
{
    char description[DESCRIPTION_SIZE];
    struct text text = text_begin(description, sizeof description);

    config_describe_value(key, &text);
    fprintf(file, "| `%s` | ", key->name);
    if (*key->usual) {
        fprintf(file, "`%s`", key->usual);
    }
    fprintf(file, " | %s | %s", description, key->help);
    if (key->example) {
        fprintf(file, " Example: `%s`", key->example);
    }
    fprintf(file, " | %s |\n", effect_name(key->effect));
}

/* The next word as roff wants it; a quoted one gets typographic quotes. */
static size_t take_man_word(const char **words, char word[WORD_SIZE])
{
    struct text text = text_begin(word, WORD_SIZE);
    const char *at = *words;

    for (; *at && *at != ' '; at++) {
        if (*at == '`') {
            text_add(&text, at == *words ? "\\(oq" : "\\(cq");
        } else if (*at == '-') {
            text_add(&text, "\\-");
        } else {
            text_add_some(&text, at, 1);
        }
    }
    *words = at + strspn(at, " ");
    return strlen(word);
}

/* A paragraph in lines of at most MAN_COLUMNS; every sentence begins a line of its own. */
static void write_man_text(FILE *file, const char *words)
{
    char word[WORD_SIZE];
    size_t column = 0;
    bool sentence_ended = false;

    while (*words) {
        size_t length = take_man_word(&words, word);
        if (column > 0) {
            bool is_new_line = sentence_ended || column + 1 + length > MAN_COLUMNS;
            fputc(is_new_line ? '\n' : ' ', file);
            column = is_new_line ? 0 : column + 1;
        }
        fputs(word, file);
        column += length;
        sentence_ended = word[length - 1] == '.';
    }
    fputc('\n', file);
}

static void write_man_section(FILE *file, const struct config_section *section)
{
    fprintf(file, ".SH [%s%s]\n", section->name, section->example ? "...." : "");
    write_man_text(file, section->help);
}

static void write_man_key(FILE *file, const struct config_key *key)
{
    char entry[ENTRY_SIZE];
    struct text text = text_begin(entry, sizeof entry);

    text_add(&text, key->help);
    text_add(&text, " Accepted: ");
    config_describe_value(key, &text);
    text_add(&text, ".");
    if (*key->usual) {
        text_add(&text, " Default: `");
        text_add(&text, key->usual);
        text_add(&text, "`.");
    }
    if (key->example) {
        text_add(&text, " Example: `");
        text_add(&text, key->example);
        text_add(&text, "`.");
    }
    text_add(&text, " Change: ");
    text_add(&text, effect_name(key->effect));
    text_add(&text, ".");
    fprintf(file, ".TP\n.B %s\n", key->name);
    write_man_text(file, entry);
}

static int write_all(FILE *file, const char *head,
                     void (*write_section)(FILE *, const struct config_section *),
                     void (*write_key)(FILE *, const struct config_key *))
{
    fputs(head, file);
    for (size_t i = 0; i < config_key_count; i++) {
        if (i == 0 || config_keys[i].section != config_keys[i - 1].section) {
            write_section(file, config_section(config_keys[i].section));
        }
        write_key(file, &config_keys[i]);
    }
    return fflush(file) == 0 && !ferror(file) ? 0 : -EIO;
}

int config_write_sample(FILE *file)
{
    return write_all(file, sample_head, write_sample_section, write_sample_key);
}

int config_write_reference(FILE *file)
{
    return write_all(file, reference_head, write_reference_section, write_reference_key);
}

int config_write_man(FILE *file)
{
    int error = write_all(file, man_head, write_man_section, write_man_key);

    fputs(man_foot, file);
    return error ? error : fflush(file) == 0 && !ferror(file) ? 0 : -EIO;
}
