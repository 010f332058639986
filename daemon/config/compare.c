/* What a new configuration changes, and where the simulation's socket is. */
#include "keys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool differs(const struct config *old, const struct config *new,
                    const struct config_key *key, unsigned instance)
{
    const void *before = config_member_const(old, key, instance);
    const void *after = config_member_const(new, key, instance);

    /* A button is known by its place in the list; another name makes it another button. */
    if (key->section == SECTION_BUTTON &&
        strcmp(old->hw.buttons[instance].name, new->hw.buttons[instance].name) != 0) {
        return true;
    }
    return memcmp(before, after, key->size) != 0;
}

unsigned config_compare(const struct config *old, const struct config *new,
                        config_change_fn *change, void *context)
{
    unsigned effects = CONFIG_SAME;

    for (size_t i = 0; i < config_key_count; i++) {
        const struct config_key *key = &config_keys[i];
        const struct config_section *section = config_section(key->section);
        for (unsigned instance = section->first; instance <= section->last; instance++) {
            if (differs(old, new, key, instance)) {
                const struct config *named =
                    *new->hw.buttons[instance % BUTTONS_MAX].name ? new : old;
                char title[SECTION_NAME_SIZE];
                struct text text = text_begin(title, sizeof title);
                config_add_section(&text, named, key->section, instance);
                change(context, title, key->name, key->effect);
                effects |= (unsigned)key->effect;
            }
        }
    }
    return effects;
}

int config_socket(const struct config *config, char *path, size_t size)
{
    const char *directory = getenv("RUNTIME_DIRECTORY");
    struct text text = text_begin(path, size);

    if (*config->hw.socket) {
        text_add(&text, config->hw.socket);
    } else {
        /* systemd gives a list with colons; ours has one member. */
        directory = directory && *directory ? directory : "/run/shipahoy";
        text_add_some(&text, directory, strcspn(directory, ":"));
        text_add(&text, "/sim.sock");
    }
    return text.length < size ? 0 : -ENAMETOOLONG;
}
