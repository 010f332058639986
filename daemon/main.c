/* shipahoyd: reads the command line and the configuration, then runs the service or replays a
 * recording. */
#include "common/exit_codes.h"
#include "config/config.h"
#include "options.h"
#include "replay_recording.h"
#include "service.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    static struct config config;
    struct options options;
    int code;

    if (!options_read(argc, argv, &options, &code)) {
        return code;
    }
    if (config_load(options.files, options.file_count, &config, config_print_problem, stderr)) {
        return EXIT_CONFIG;
    }
    if (options.check) {
        if (config_check_files(&config.mqtt, config_print_problem, stderr)) {
            return EXIT_UNAVAILABLE;
        }
        puts("The configuration is fine.");
        return EXIT_FINE;
    }
    if (options.recording) {
        return replay_recording(options.recording, options.journal, &config);
    }
    return service_run(&options, &config);
}
