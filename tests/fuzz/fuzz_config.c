/* Any bytes as a configuration: problems are reported, or the rules accept the setup. */
#include "config/config.h"

#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count_problem(void *context, const char *file, int line, const char *message)
{
    (void)file;
    *(int *)context += line >= 0 && *message && !strchr(message, '\n');
}

static void ignore_change(void *context, const char *section, const char *key,
                          enum config_effect effect)
{
    (void)context;
    (void)section;
    (void)key;
    (void)effect;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t drawn[HARBOUR_COUNT];
    struct config config;
    struct config again;
    int reported = 0;
    int problems =
        config_load_text("fuzz", (const char *)data, size, &config, count_problem, &reported);
    enum rule rule;

    if (problems != reported) {
        abort();
    }
    if (problems > 0) {
        return 0;
    }
    if (config_load_text("fuzz", (const char *)data, size, &again, count_problem, &reported) ||
        config_update(&config, &again, ignore_change, NULL) != CONFIG_SAME) {
        abort();
    }
    /* First player and barrels are drawn when a game starts. */
    if (memcmp(config.setup.barrels, drawn, sizeof drawn) == 0) {
        config.setup.scenario = SCENARIO_NO_SCENARIO;
    }
    config.setup.first = config.setup.first ? config.setup.first : 1;
    if (rules_check_setup(&config.setup, &rule)) {
        abort();
    }
    return 0;
}
