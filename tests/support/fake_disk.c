#include "fake_disk.h"

#include "tests/random/chance.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 128, HANDLES_MAX = 16, CHANGES_MAX = 64, NOBODY = -1 };

struct content {
    uint8_t *data;
    size_t size;
};

/* Bytes written at an offset, or, without bytes, a new size. */
struct change {
    uint64_t offset;
    struct content bytes;
};

struct node {
    struct content now;
    struct content safe;
    struct change changes[CHANGES_MAX];
    unsigned change_count;
};

struct names {
    struct {
        char name[DISK_NAME_SIZE];
        int node; /* NOBODY: free */
    } entries[NAMES_MAX];
};

/* One name that goes and one that comes, at once; "" for neither. */
struct name_change {
    char gone[DISK_NAME_SIZE];
    char come[DISK_NAME_SIZE];
    int node;
};

struct fake_disk {
    struct node **nodes;
    int node_count;
    struct names now;
    struct names safe;
    struct name_change changes[CHANGES_MAX];
    unsigned change_count;
    struct {
        int node; /* NOBODY: free */
        bool may_write;
    } handles[HANDLES_MAX];
    struct fake_faults faults;
    struct chance chance;
    unsigned operations;
    unsigned syncs;
    bool off;
};

/*
 * Content
 */

/* Sets the size; what is new is zero. */
static void resize(struct content *content, size_t size)
{
    content->data = realloc(content->data, size + 1);
    assert(content->data);
    if (size > content->size) {
        memset(content->data + content->size, 0, size - content->size);
    }
    content->size = size;
}

static void overwrite(struct content *content, uint64_t offset, const uint8_t *data, size_t size)
{
    if (!content->data || offset + size > content->size) {
        resize(content, (size_t)(offset + size));
    }
    memcpy(content->data + offset, data, size);
}

static void copy_content(struct content *to, const struct content *from)
{
    resize(to, from->size);
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

/* A change that is not safe yet; without data, a new size. */
static void remember(struct node *node, uint64_t offset, const void *data, size_t size)
{
    struct change change = {.offset = offset};

    if (node->change_count == CHANGES_MAX) {
        write_oldest(node);
    }
    if (data) {
        overwrite(&change.bytes, 0, data, size);
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
    overwrite(safe, change->offset + begin, change->bytes.data + begin, end - begin);
}

static void apply_change(struct content *safe, const struct change *change, enum fake_loss loss,
                         struct chance *chance)
{
    unsigned fate = loss == LOSE_SOME ? chance_below(chance, 3) : 0;

    if (loss == LOSE_ALL || fate == 1) {
        return;
    }
    if (!change->bytes.data) {
        resize(safe, (size_t)change->offset);
    } else if (fate == 2) {
        apply_part(safe, change, chance);
    } else {
        overwrite(safe, change->offset, change->bytes.data, change->bytes.size);
    }
}

/* Makes the changes safe, as far as loss lets them, and forgets them. */
static void make_safe(struct node *node, enum fake_loss loss, struct chance *chance)
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

static int node_named(const struct names *names, const char *name)
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

/* A name that goes and one that comes, "" for none, and is not safe yet. */
static void change_names(struct fake_disk *fake, const char *gone, const char *come, int node)
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

static void make_names_safe(struct fake_disk *fake, enum fake_loss loss)
{
    for (unsigned i = 0; i < fake->change_count; i++) {
        if (loss == LOSE_NOTHING || (loss == LOSE_SOME && chance_percent(&fake->chance, 50))) {
            apply_names(&fake->safe, &fake->changes[i]);
        }
    }
    fake->change_count = 0;
}

static int add_node(struct fake_disk *fake)
{
    size_t size = ((size_t)fake->node_count + 1) * sizeof(struct node *);

    fake->nodes = realloc(fake->nodes, size);
    assert(fake->nodes);
    fake->nodes[fake->node_count] = calloc(1, sizeof(struct node));
    assert(fake->nodes[fake->node_count]);
    return fake->node_count++;
}

/*
 * The operations, each of which may go well, fail, or be the last before the cut
 */

enum fate { GOES_WELL, FAILS, IS_CUT };

static enum fate begin(struct fake_disk *fake, bool changes)
{
    const struct fake_faults *faults = &fake->faults;
    unsigned number = ++fake->operations;
    unsigned fail_count = faults->fail_count ? faults->fail_count : 1;

    if (!fake->off && number == faults->cut_at) {
        fake->off = true;
        return IS_CUT;
    }
    if (fake->off || ((changes || !faults->reads_go_well) && faults->fail_at &&
                      number >= faults->fail_at && number - faults->fail_at < fail_count)) {
        return FAILS;
    }
    return GOES_WELL;
}

/* The answer of an operation that did not go well. */
static int failure(const struct fake_disk *fake)
{
    return fake->off ? -EIO : -fake->faults.fail_errno;
}

static int outcome(const struct fake_disk *fake, enum fate fate)
{
    return fate == GOES_WELL ? 0 : failure(fake);
}

static int open_file(void *self, const char *name, enum disk_access access)
{
    struct fake_disk *fake = self;
    enum fate fate = begin(fake, access != DISK_READ);
    int node = node_named(&fake->now, name);
    int handle = 0;

    if (fate == FAILS || (node == NOBODY && access != DISK_CREATE)) {
        return fate == FAILS ? failure(fake) : -ENOENT;
    }
    if (node == NOBODY) {
        node = add_node(fake);
        change_names(fake, "", name, node);
    }
    if (fate == IS_CUT) {
        return failure(fake);
    }
    while (handle < HANDLES_MAX && fake->handles[handle].node != NOBODY) {
        handle++;
    }
    assert(handle < HANDLES_MAX); /* the daemon forgets to close files */
    fake->handles[handle].node = node;
    fake->handles[handle].may_write = access != DISK_READ;
    return handle;
}

static void close_file(void *self, int file)
{
    struct fake_disk *fake = self;

    fake->handles[file].node = NOBODY;
}

static struct node *node_of(const struct fake_disk *fake, int file)
{
    assert(file >= 0 && file < HANDLES_MAX && fake->handles[file].node != NOBODY);
    return fake->nodes[fake->handles[file].node];
}

static ssize_t read_file(void *self, int file, uint64_t offset, void *data, size_t size)
{
    struct fake_disk *fake = self;
    const struct content *now = &node_of(fake, file)->now;

    if (begin(fake, false) != GOES_WELL) {
        return failure(fake);
    }
    if (node_named(&fake->now, fake->faults.unreadable) == fake->handles[file].node) {
        return -EIO;
    }
    if (offset >= now->size) {
        return 0;
    }
    if (size > now->size - offset) {
        size = (size_t)(now->size - offset);
    }
    memcpy(data, now->data + offset, size);
    return (ssize_t)size;
}

/* How much of a write that makes a file longer has room. */
static size_t room_for(const struct fake_disk *fake, const struct node *node, uint64_t offset,
                       size_t size)
{
    uint64_t used = 0;

    if (fake->faults.capacity_bytes == 0 || offset + size <= node->now.size) {
        return size;
    }
    for (unsigned i = 0; i < NAMES_MAX; i++) {
        if (fake->now.entries[i].node != NOBODY) {
            used += fake->nodes[fake->now.entries[i].node]->now.size;
        }
    }
    uint64_t room = used < fake->faults.capacity_bytes ? fake->faults.capacity_bytes - used : 0;
    uint64_t fits = node->now.size + room;
    return offset + size <= fits ? size : fits > offset ? (size_t)(fits - offset) : 0;
}

static ssize_t write_file(void *self, int file, uint64_t offset, const void *data, size_t size)
{
    struct fake_disk *fake = self;
    struct node *node = node_of(fake, file);
    enum fate fate = begin(fake, true);

    assert(fake->handles[file].may_write);
    if (fate == FAILS) {
        return failure(fake);
    }
    size = room_for(fake, node, offset, size);
    if (size == 0) {
        return -ENOSPC;
    }
    if (fake->faults.short_at && fake->operations >= fake->faults.short_at) {
        fake->faults.short_at = 0;
        size = (size + 1) / 2;
    }
    overwrite(&node->now, offset, data, size);
    remember(node, offset, data, size);
    return fate == IS_CUT ? failure(fake) : (ssize_t)size;
}

static int truncate_file(void *self, int file, uint64_t size)
{
    struct fake_disk *fake = self;
    struct node *node = node_of(fake, file);
    enum fate fate = begin(fake, true);

    if (fate != FAILS) {
        resize(&node->now, (size_t)size);
        remember(node, size, NULL, 0);
    }
    return outcome(fake, fate);
}

static int sync_file(void *self, int file)
{
    struct fake_disk *fake = self;
    enum fate fate = begin(fake, true);

    if (fate == GOES_WELL) {
        fake->syncs++;
        make_safe(node_of(fake, file), LOSE_NOTHING, &fake->chance);
    } else if (!fake->off) {
        make_safe(node_of(fake, file), fake->faults.failed_sync, &fake->chance);
    }
    return outcome(fake, fate);
}

static int rename_file(void *self, const char *from, const char *to)
{
    struct fake_disk *fake = self;
    enum fate fate = begin(fake, true);
    int node = node_named(&fake->now, from);

    if (fate != FAILS && node == NOBODY) {
        return -ENOENT;
    }
    if (fate != FAILS) {
        change_names(fake, from, to, node);
    }
    return outcome(fake, fate);
}

static int link_file(void *self, const char *name, const char *also)
{
    struct fake_disk *fake = self;
    enum fate fate = begin(fake, true);
    int node = node_named(&fake->now, name);

    if (fate != FAILS && (node == NOBODY || node_named(&fake->now, also) != NOBODY)) {
        return node == NOBODY ? -ENOENT : -EEXIST;
    }
    if (fate != FAILS) {
        change_names(fake, "", also, node);
    }
    return outcome(fake, fate);
}

static int remove_file(void *self, const char *name)
{
    struct fake_disk *fake = self;
    enum fate fate = begin(fake, true);

    if (fate != FAILS && node_named(&fake->now, name) == NOBODY) {
        return -ENOENT;
    }
    if (fate != FAILS) {
        change_names(fake, name, "", NOBODY);
    }
    return outcome(fake, fate);
}

static int sync_names(void *self)
{
    struct fake_disk *fake = self;
    enum fate fate = begin(fake, true);

    if (fate == GOES_WELL) {
        fake->syncs++;
        make_names_safe(fake, LOSE_NOTHING);
    }
    return outcome(fake, fate);
}

static int list_files(void *self, disk_list_fn *visit, void *context)
{
    struct fake_disk *fake = self;
    enum fate fate = begin(fake, false);

    for (unsigned i = 0; fate == GOES_WELL && i < NAMES_MAX; i++) {
        int node = fake->now.entries[i].node;
        if (node != NOBODY) {
            visit(context, fake->now.entries[i].name, fake->nodes[node]->now.size);
        }
    }
    return outcome(fake, fate);
}

struct disk fake_disk_interface(struct fake_disk *fake)
{
    return (struct disk){
        .self = fake,
        .open = open_file,
        .close = close_file,
        .read = read_file,
        .write = write_file,
        .truncate = truncate_file,
        .sync = sync_file,
        .rename = rename_file,
        .link = link_file,
        .remove = remove_file,
        .sync_names = sync_names,
        .list = list_files,
    };
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
    if (!fake) {
        return;
    }
    for (int i = 0; i < fake->node_count; i++) {
        make_safe(fake->nodes[i], LOSE_ALL, &fake->chance);
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
    make_names_safe(fake, loss);
    fake->now = fake->safe;
    for (int i = 0; i < fake->node_count; i++) {
        make_safe(fake->nodes[i], loss, &fake->chance);
        copy_content(&fake->nodes[i]->now, &fake->nodes[i]->safe);
    }
}

void fake_disk_put(struct fake_disk *fake, const char *name, const void *data, size_t size)
{
    int node = add_node(fake);

    overwrite(&fake->nodes[node]->now, 0, data, size);
    overwrite(&fake->nodes[node]->safe, 0, data, size);
    set_name(&fake->now, name, node);
    set_name(&fake->safe, name, node);
}

const uint8_t *fake_disk_get(const struct fake_disk *fake, const char *name, size_t *size)
{
    int node = node_named(&fake->now, name);

    if (node == NOBODY) {
        return NULL;
    }
    *size = fake->nodes[node]->now.size;
    return fake->nodes[node]->now.data;
}

bool fake_disk_is_safe(const struct fake_disk *fake, const char *name)
{
    int node = node_named(&fake->safe, name);

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
