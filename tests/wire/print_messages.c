/*
 * Prints messages as TOPIC<tab>PAYLOAD, one per line: those of messages.h, or, with scripts as
 * arguments, all that is published while they are played.
 *
 *     print_messages >tests/wire/messages.txt     after a payload was changed on purpose
 *     print_messages tests/games/kraken.game | tests/tools/validate_messages.py
 */
#include "messages.h"

#include <stdio.h>
#include <stdlib.h>

static void print(void *context, const char *topic, const char *payload)
{
    (void)context;
    printf("%s\t%s\n", topic, payload);
}

int main(int count, char **arguments)
{
    if (count == 1) {
        messages_emit(print, NULL);
    }
    for (int i = 1; i < count; i++) {
        FILE *script = fopen(arguments[i], "r");
        int line = script ? messages_emit_script(script, print, NULL) : 1;
        if (line) {
            fprintf(stderr, "%s:%d: cannot be played\n", arguments[i], line);
            return EXIT_FAILURE;
        }
        fclose(script);
    }
    return EXIT_SUCCESS;
}
