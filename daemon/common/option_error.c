#include "common/option_error.h"

#include "rules/nearest.h"

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 64 };

static void print_unknown(const struct option *known, const char *word)
{
    char name[NAME_SIZE];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    struct nearest nearest = nearest_begin(name + strspn(name, "-"));
    for (; known->name; known++) {
        nearest_offer(&nearest, known->name);
    }
    fprintf(stderr, "unknown option %s", name);
    if (nearest.best) {
        fprintf(stderr, "; the nearest is --%s", nearest.best);
    }
}

static const char *name_of(const struct option *known, int value)
{
    while (known->name && known->val != value) {
        known++;
    }
    return known->name;
}

void option_error(const char *program, const struct option *known, int result, char *const *argv)
{
    const char *name = name_of(known, optopt);

    fprintf(stderr, "%s: ", program);
    if (optopt == 0) {
        print_unknown(known, argv[optind - 1]);
    } else if (name) {
        fprintf(stderr, "option --%s %s", name,
                result == ':' ? "requires a value" : "takes no value");
    } else {
        fprintf(stderr, "unknown option -%c", optopt);
    }
    fprintf(stderr, "; see %s --help\n", program);
}
