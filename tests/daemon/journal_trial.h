/*
 * A journal on a fake disk and what it must hold: the first `safe` records of a recording, and at
 * most the one that was being appended when things went wrong.
 */
#ifndef TESTS_DAEMON_JOURNAL_TRIAL_H
#define TESTS_DAEMON_JOURNAL_TRIAL_H

#include "tests/support/test.h"

#include "recording.h"
#include "tests/support/fake_disk.h"

struct trial {
    const struct recording *tape;
    struct fake_disk *fake;
    struct disk disk;
    struct journal *journal; /* NULL while it is closed */
    struct journal_report report;
    unsigned safe;    /* so many appends have succeeded */
    bool is_in_doubt; /* one more has failed since and may be there after all */
};

/* An empty disk and a journal that is not open yet. */
void trial_begin(struct trial *trial, const struct recording *tape);
void trial_end(struct trial *trial);

/*
 * Opens the journal; false if that failed, or if it is not sure of its end. Asserts that nothing
 * that was safe is missing, that nothing else is there, that nothing is called damaged, and that
 * the game before is kept whole.
 */
bool trial_open(struct trial *trial);
void trial_close(struct trial *trial);

/* Appends the next record. 0 or -errno. */
int trial_append(struct trial *trial);

/* Appends until the tape is at its end or something fails; whether it got to the end. */
bool trial_run(struct trial *trial);

/* The power goes and comes back. */
void trial_restart(struct trial *trial, enum fake_loss loss, uint64_t seed);

#endif
