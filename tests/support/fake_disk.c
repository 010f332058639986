/* The operations of a disk, each of which may go well, fail, or be the last before the cut. */
#include "fake_disk_inside.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

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
    int node = fake_node_named(&fake->now, name);
    int handle = 0;

    if (fate == FAILS || (node == NOBODY && access != DISK_CREATE)) {
        return fate == FAILS ? failure(fake) : -ENOENT;
    }
    if (node == NOBODY) {
        node = fake_add_node(fake);
        fake_change_names(fake, "", name, node);
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
    fake_overwrite(&node->now, offset, data, size);
    fake_remember(node, offset, data, size);
    return fate == IS_CUT ? failure(fake) : (ssize_t)size;
}

static int truncate_file(void *self, int file, uint64_t size)
{
    struct fake_disk *fake = self;
    struct node *node = node_of(fake, file);
    enum fate fate = begin(fake, true);

    if (fate != FAILS) {
        fake_resize(&node->now, (size_t)size);
        fake_remember(node, size, NULL, 0);
    }
    return outcome(fake, fate);
}

static int sync_file(void *self, int file)
{
    struct fake_disk *fake = self;
    enum fate fate = begin(fake, true);

    if (fate == GOES_WELL) {
        fake->syncs++;
        fake_make_safe(node_of(fake, file), LOSE_NOTHING, &fake->chance);
    } else if (!fake->off) {
        fake_make_safe(node_of(fake, file), fake->faults.failed_sync, &fake->chance);
    }
    return outcome(fake, fate);
}

static int rename_file(void *self, const char *from, const char *to)
{
    struct fake_disk *fake = self;
    enum fate fate = begin(fake, true);
    int node = fake_node_named(&fake->now, from);

    if (fate != FAILS && node == NOBODY) {
        return -ENOENT;
    }
    if (fate != FAILS) {
        fake_change_names(fake, from, to, node);
    }
    return outcome(fake, fate);
}

static int link_file(void *self, const char *name, const char *also)
{
    struct fake_disk *fake = self;
    enum fate fate = begin(fake, true);
    int node = fake_node_named(&fake->now, name);

    if (fate != FAILS && (node == NOBODY || fake_node_named(&fake->now, also) != NOBODY)) {
        return node == NOBODY ? -ENOENT : -EEXIST;
    }
    if (fate != FAILS) {
        fake_change_names(fake, "", also, node);
    }
    return outcome(fake, fate);
}

static int remove_file(void *self, const char *name)
{
    struct fake_disk *fake = self;
    enum fate fate = begin(fake, true);

    if (fate != FAILS && fake_node_named(&fake->now, name) == NOBODY) {
        return -ENOENT;
    }
    if (fate != FAILS) {
        fake_change_names(fake, name, "", NOBODY);
    }
    return outcome(fake, fate);
}

static int sync_names(void *self)
{
    struct fake_disk *fake = self;
    enum fate fate = begin(fake, true);

    if (fate == GOES_WELL) {
        fake->syncs++;
        fake_make_names_safe(fake, LOSE_NOTHING);
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
