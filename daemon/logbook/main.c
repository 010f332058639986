/* shipahoy-logbook: reads the command line and the configuration, then runs the service or exports.
 */
#include "common/exit_codes.h"
#include "common/log.h"
#include "export.h"
#include "options.h"
#include "service.h"

#include <locale.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static struct config config;
    struct options options;
    char database[CONFIG_TEXT_SIZE + 4096];
    int code;

    setlocale(LC_CTYPE, "C.UTF-8"); /* names are compared in lower case */
    if (!options_read(argc, argv, &options, &code)) {
        return code;
    }
    if (config_load(options.daemon.files, options.daemon.file_count, &config, config_print_problem,
                    stderr)) {
        return EXIT_CONFIG;
    }
    if (options.daemon.check) {
        if (config_check_files(&config.mqtt, config_print_problem, stderr)) {
            return EXIT_UNAVAILABLE;
        }
        puts("The configuration is fine.");
        return EXIT_FINE;
    }
    if (config.logbook.database[0]) {
        snprintf(database, sizeof database, "%s", config.logbook.database);
    } else {
        snprintf(database, sizeof database, "sqlite:%s/logbook.db", options.daemon.state_directory);
    }
    if (options.export_format) {
        return export_games(database, options.export_format, options.export_directory);
    }
    if (options.backup_file) {
        return export_database(database, options.backup_file);
    }
    return service_run(&config, database, options.daemon.state_directory);
}
