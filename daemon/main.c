/* shipahoyd: reads the command line and the configuration, then runs the service or replays a
 * recording. */
#include "common/exit_codes.h"
#include "config/config.h"
#include "options.h"
#include "replay_recording.h"
#include "service.h"

#include <malloc.h>
#include <stdio.h>

enum { RETURNED_BYTES_MIN = 32 << 10 };

/* What was paired is not in the files that people write. */
static void print_paired(const char *path)
{
    FILE *file = fopen(path, "r");
    int byte = file ? fgetc(file) : EOF;

    if (byte != EOF) {
        printf("Paired sensors, in %s:\n", path);
    }
    for (; byte != EOF; byte = fgetc(file)) {
        putchar(byte);
    }
    if (file) {
        fclose(file);
    }
}

/* glibc would learn from the first large block that is freed to keep all of them in the heap. */
static void limit_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, RETURNED_BYTES_MIN);
    mallopt(M_ARENA_MAX, 1); /* threads allocate too rarely for arenas of their own */
}

int main(int argc, char **argv)
{
    static struct config config;
    struct options options;
    int code;

    limit_memory();
    if (!options_read(argc, argv, &options, &code)) {
        return code;
    }
    if (config_load_paired(options.daemon.files, options.daemon.file_count, options.paired, &config,
                           config_print_problem, stderr)) {
        return EXIT_CONFIG;
    }
    if (options.daemon.check) {
        if (config_check_files(&config.mqtt, config_print_problem, stderr)) {
            return EXIT_UNAVAILABLE;
        }
        puts("The configuration is fine.");
        print_paired(options.paired);
        return EXIT_FINE;
    }
    if (options.recording) {
        return replay_recording(options.recording, options.journal, &config);
    }
    return service_run(&options, &config);
}
