/*
 * card-settings FILE: prints the settings of the computer in table.ini as assignments for sh, and
 * every problem of the file on stderr. An invalid setting has its default.
 */
#include "config/config.h"

#include <sysexits.h>

int main(int argc, char **argv)
{
    static struct config config;

    if (argc != 2) {
        fputs("usage: card-settings FILE\n", stderr);
        return EX_USAGE;
    }
    config_defaults(&config);
    int problems = config_load_card(argv[1], &config, config_print_problem, stderr);
    config_print_card(&config, stdout);
    return problems ? EX_CONFIG : 0;
}
