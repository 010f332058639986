/* The settings of table.ini for a shell script. */
#include "config_internal.h"

/* '...' for sh; a ' within becomes '\''. */
static void print_quoted(const char *value, FILE *file)
{
    fputc('\'', file);
    for (; *value; value++) {
        fputs(*value == '\'' ? "'\\'" : "", file);
        fputc(*value, file);
    }
    fputs("'\n", file);
}

void config_print_card(const struct config *config, FILE *file)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        if (key->section >= SECTION_WIFI) {
            fprintf(file, "%s_%s=", config_section(key->section)->name, key->name);
            print_quoted(config_word(key, config_member_const(config, key, 0)), file);
        }
    }
}
