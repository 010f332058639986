/* Files as two versions, one to be read and one that is safe, and the changes between them. */
#include "fake_disk_inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * Content
 */

void fake_resize(struct content *content, size_t size)
{
    content->data = realloc(content->data, size + 1);
    assert(content->data);
    if (size > content->size) {
        memset(content->data + content->size, 0, size - content->size);
    }
    content->size = size;
}

void fake_overwrite(struct content *content, uint64_t offset, const uint8_t *data, size_t size)
{
    if (!content->data || offset + size > content->size) {
        fake_resize(content, (size_t)(offset + size));
    }
    memcpy(content->data + offset, data, size);
}

static void copy_content(struct content *to, const struct content *from)
{
    fake_resize(to, from->size);
    if (from->size > 0) {
        memcpy(to->data, from->data, from->size);
    }
}

static void apply_change(struct content *safe, const struct change *change, enum fake_loss loss,
                         struct chance *chance);

/* What nobody ever syncs is written by the kernel some time, the oldest first. */
static void write_oldest(struct node *node)
{
    apply_change(&node->safe, &node->changes[0], LOSE_NOTHING, NULL);
    free(node->changes[0].bytes.data);
    node->change_count--;
    memmove(node->changes, node->changes + 1, node->change_count * sizeof node->changes[0]);
}

void fake_remember(struct node *node, uint64_t offset, const void *data, size_t size)
{
    struct change change = {.offset = offset};

    if (node->change_count == CHANGES_MAX) {
        write_oldest(node);
    }
    if (data) {
        fake_overwrite(&change.bytes, 0, data, size);
    }
    node->changes[node->change_count++] = change;
}

/* A write that was cut off: some of its bytes are there, zeros may be where others should be. */
static void apply_part(struct content *safe, const struct change *change, struct chance *chance)
{
    unsigned size = (unsigned)change->bytes.size;
    unsigned begin = chance_below(chance, size + 1);
    unsigned end = chance_between(chance, begin, size);

    if (chance_percent(chance, 50)) {
        begin = 0;
    }
    fake_overwrite(safe, change->offset + begin, change->bytes.data + begin, end - begin);
}

static void apply_change(struct content *safe, const struct change *change, enum fake_loss loss,
                         struct chance *chance)
{
    unsigned fate = loss == LOSE_SOME ? chance_below(chance, 3) : 0;

    if (loss == LOSE_ALL || fate == 1) {
        return;
    }
    if (!change->bytes.data) {
        fake_resize(safe, (size_t)change->offset);
    } else if (fate == 2) {
        apply_part(safe, change, chance);
    } else {
        fake_overwrite(safe, change->offset, change->bytes.data, change->bytes.size);
    }
}

void fake_make_safe(struct node *node, enum fake_loss loss, struct chance *chance)
{
    for (unsigned i = 0; i < node->change_count; i++) {
        apply_change(&node->safe, &node->changes[i], loss, chance);
        free(node->changes[i].bytes.data);
    }
    node->change_count = 0;
}

/*
 * Names
 */

static void clear_names(struct names *names)
{
    for (unsigned i = 0; i < NAMES_MAX; i++) {
        names->entries[i].node = NOBODY;
    }
}

static int find_name(const struct names *names, const char *name)
{
    for (int i = 0; i < NAMES_MAX; i++) {
        if (names->entries[i].node != NOBODY && strcmp(names->entries[i].name, name) == 0) {
            return i;
        }
    }
    return NOBODY;
}

int fake_node_named(const struct names *names, const char *name)
{
    int entry = find_name(names, name);

    return entry == NOBODY ? NOBODY : names->entries[entry].node;
}

static void drop_name(struct names *names, const char *name)
{
    int entry = find_name(names, name);

    if (entry != NOBODY) {
        names->entries[entry].node = NOBODY;
    }
}

static void set_name(struct names *names, const char *name, int node)
{
    int entry = 0;

    drop_name(names, name);
    while (entry < NAMES_MAX && names->entries[entry].node != NOBODY) {
        entry++;
    }
    assert(entry < NAMES_MAX && strlen(name) < DISK_NAME_SIZE);
    names->entries[entry].node = node;
    memcpy(names->entries[entry].name, name, strlen(name) + 1);
}

static void apply_names(struct names *names, const struct name_change *change)
{
    drop_name(names, change->gone);
    if (change->come[0]) {
        set_name(names, change->come, change->node);
    }
}

void fake_change_names(struct fake_disk *fake, const char *gone, const char *come, int node)
{
    struct name_change change = {.node = node};

    if (fake->change_count == CHANGES_MAX) {
        apply_names(&fake->safe, &fake->changes[0]);
        fake->change_count--;
        memmove(fake->changes, fake->changes + 1, fake->change_count * sizeof fake->changes[0]);
    }
    memcpy(change.gone, gone, strlen(gone) + 1);
    memcpy(change.come, come, strlen(come) + 1);
    apply_names(&fake->now, &change);
    fake->changes[fake->change_count++] = change;
}

void fake_make_names_safe(struct fake_disk *fake, enum fake_loss loss)
{
    for (unsigned i = 0; i < fake->change_count; i++) {
        if (loss == LOSE_NOTHING || (loss == LOSE_SOME && chance_percent(&fake->chance, 50))) {
            apply_names(&fake->safe, &fake->changes[i]);
        }
    }
    fake->change_count = 0;
}

int fake_add_node(struct fake_disk *fake)
{
    size_t size = ((size_t)fake->node_count + 1) * sizeof(struct node *);

    fake->nodes = realloc(fake->nodes, size);
    assert(fake->nodes);
    fake->nodes[fake->node_count] = calloc(1, sizeof(struct node));
    assert(fake->nodes[fake->node_count]);
    return fake->node_count++;
}

/*
 * What tests do to the disk
 */

static void close_all(struct fake_disk *fake)
{
    for (unsigned i = 0; i < HANDLES_MAX; i++) {
        fake->handles[i].node = NOBODY;
    }
}

struct fake_disk *fake_disk_new(void)
{
    struct fake_disk *fake = calloc(1, sizeof *fake);

    assert(fake);
    clear_names(&fake->now);
    clear_names(&fake->safe);
    close_all(fake);
    return fake;
}

void fake_disk_free(struct fake_disk *fake)
{
    for (int i = 0; i < fake->node_count; i++) {
        fake_make_safe(fake->nodes[i], LOSE_ALL, &fake->chance);
        free(fake->nodes[i]->now.data);
        free(fake->nodes[i]->safe.data);
        free(fake->nodes[i]);
    }
    free(fake->nodes);
    free(fake);
}

void fake_disk_set_faults(struct fake_disk *fake, const struct fake_faults *faults)
{
    fake->faults = faults ? *faults : (struct fake_faults){0};
    fake->chance.state = fake->faults.seed;
    fake->operations = 0;
}

unsigned fake_disk_operations(const struct fake_disk *fake)
{
    return fake->operations;
}

bool fake_disk_is_off(const struct fake_disk *fake)
{
    return fake->off;
}

unsigned fake_disk_syncs(const struct fake_disk *fake)
{
    return fake->syncs;
}

void fake_disk_restart(struct fake_disk *fake, enum fake_loss loss, uint64_t seed)
{
    fake_disk_set_faults(fake, NULL);
    fake->chance.state = seed;
    fake->off = false;
    close_all(fake);
    fake_make_names_safe(fake, loss);
    fake->now = fake->safe;
    for (int i = 0; i < fake->node_count; i++) {
        fake_make_safe(fake->nodes[i], loss, &fake->chance);
        copy_content(&fake->nodes[i]->now, &fake->nodes[i]->safe);
    }
}

void fake_disk_put(struct fake_disk *fake, const char *name, const void *data, size_t size)
{
    int node = fake_add_node(fake);

    fake_overwrite(&fake->nodes[node]->now, 0, data, size);
    fake_overwrite(&fake->nodes[node]->safe, 0, data, size);
    set_name(&fake->now, name, node);
    set_name(&fake->safe, name, node);
}

const uint8_t *fake_disk_get(const struct fake_disk *fake, const char *name, size_t *size)
{
    int node = fake_node_named(&fake->now, name);

    if (node == NOBODY) {
        return NULL;
    }
    *size = fake->nodes[node]->now.size;
    return fake->nodes[node]->now.data;
}

bool fake_disk_is_safe(const struct fake_disk *fake, const char *name)
{
    int node = fake_node_named(&fake->safe, name);

    return node != NOBODY && fake->nodes[node]->change_count == 0;
}

unsigned fake_disk_count(const struct fake_disk *fake, const char *suffix)
{
    unsigned count = 0;

    for (unsigned i = 0; i < NAMES_MAX; i++) {
        const char *name = fake->now.entries[i].name;
        if (fake->now.entries[i].node != NOBODY && strlen(name) >= strlen(suffix) &&
            strcmp(name + strlen(name) - strlen(suffix), suffix) == 0) {
            count++;
        }
    }
    return count;
}
