/* What the two files of the fake disk share: files and names, each as they are and as they are
 * safe. */
#ifndef TESTS_SUPPORT_FAKE_DISK_INSIDE_H
#define TESTS_SUPPORT_FAKE_DISK_INSIDE_H

#include "fake_disk.h"
#include "tests/random/chance.h"

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

/* Sets the size; what is new is zero. */
void fake_resize(struct content *content, size_t size);
void fake_overwrite(struct content *content, uint64_t offset, const uint8_t *data, size_t size);

/* A change that is not safe yet; without data, a new size. */
void fake_remember(struct node *node, uint64_t offset, const void *data, size_t size);

/* Make the changes safe, as far as loss lets them, and forget them. */
void fake_make_safe(struct node *node, enum fake_loss loss, struct chance *chance);
void fake_make_names_safe(struct fake_disk *fake, enum fake_loss loss);

/* The number of a node, or NOBODY. */
int fake_node_named(const struct names *names, const char *name);
int fake_add_node(struct fake_disk *fake);

/* A name that goes and one that comes, "" for none, and is not safe yet. */
void fake_change_names(struct fake_disk *fake, const char *gone, const char *come, int node);

#endif
