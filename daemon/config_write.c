/* The sample file and the reference page, from the table of keys. */
#include "config_values.h"

#include <errno.h>
#include <string.h>

enum { DESCRIPTION_SIZE = 256, COLUMNS = 100 };

static const char sample_head[] =
    "; The configuration of a Ship Ahoy table. Every line that is commented out shows a default;\n"
    "; docs/configuration.md explains them all, `shipahoyd --check` finds every mistake.\n"
    "; Further files given with --config are laid over this one.\n"
    "; Written by config_docs: change daemon/config_keys.c, not this file.\n";

static const char reference_head[] =
    "# Configuration\n"
    "\n"
    "<!-- Written by config_docs: change daemon/config_keys.c, not this page. -->\n"
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
