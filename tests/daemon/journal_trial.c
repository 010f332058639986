#include "journal_trial.h"

#include "journal/file.h"

#include <stdio.h>
#include <string.h>

enum { KEEP_GAMES = 100, KEEP_BYTES = 1 << 20 };

void trial_begin(struct trial *trial, const struct recording *tape)
{
    *trial = (struct trial){.tape = tape, .fake = fake_disk_new()};
    trial->disk = fake_disk_interface(trial->fake);
    memset(&trial->report, 'x', sizeof trial->report); /* as long as nobody has written it */
}

void trial_end(struct trial *trial)
{
    trial_close(trial);
    fake_disk_free(trial->fake);
}

void trial_close(struct trial *trial)
{
    journal_close(trial->journal);
    trial->journal = NULL;
}

/* The game before the one that starts at index is finished and as it was played. */
static void assert_game_before_is_kept(const struct trial *trial, unsigned index)
{
    const struct record *records = trial->tape->records;
    unsigned start = recording_game_start(trial->tape, index - 1);
    struct comparison comparison = {.expected = records + start, .count = index - start};
    struct journal_scan scan;
    char name[DISK_NAME_SIZE];
    size_t size;

    snprintf(name, sizeof name, "%s.journal", records[start].game);
    const uint8_t *data = fake_disk_get(trial->fake, name, &size);
    assert_non_null(data);
    journal_file_scan(data, size, compare_records, &comparison, &scan);
    assert_false(comparison.differs);
    assert_int_equal(comparison.seen, comparison.count);
    assert_string_equal(scan.problem, "");
}

/* The open game as it is read, and where on the tape that is. */
struct finding {
    const struct recording *tape;
    unsigned start;
    struct comparison comparison;
};

static int find_on_tape(void *context, const struct record *record)
{
    struct finding *finding = context;
    const struct recording *tape = finding->tape;

    if (record->input.kind == INPUT_NEW_GAME) {
        while (finding->start < tape->count &&
               strcmp(tape->records[finding->start].game, record->game) != 0) {
            finding->start++;
        }
        finding->comparison.expected = tape->records + finding->start;
        finding->comparison.count = tape->count - finding->start;
    }
    return compare_records(&finding->comparison, record);
}

static void check_finding(struct trial *trial, const struct finding *finding)
{
    unsigned place = finding->start + finding->comparison.seen;

    assert_string_equal(trial->report.problem, "");
    assert_string_equal(trial->report.kept_as, "");
    assert_false(finding->comparison.differs);
    assert_int_equal(trial->report.records, finding->comparison.seen);
    if (!(trial->is_in_doubt && place == trial->safe + 1)) {
        assert_int_equal(place, trial->safe);
    }
    if (finding->start > 0) {
        assert_game_before_is_kept(trial, finding->start);
    }
    /* What could not be made sure of may vanish again, and nobody may go on from there. */
    if (trial->report.unsure && place > trial->safe) {
        trial_close(trial);
        return;
    }
    trial->safe = place;
    trial->is_in_doubt = false;
}

bool trial_open(struct trial *trial)
{
    const struct journal_limits limits = {.games_max = KEEP_GAMES, .bytes_max = KEEP_BYTES};
    struct finding finding = {.tape = trial->tape};

    if (journal_open(&trial->journal, &trial->disk, &limits, find_on_tape, &finding,
                     &trial->report)) {
        trial->journal = NULL;
        return false;
    }
    check_finding(trial, &finding);
    return trial->journal != NULL;
}

int trial_append(struct trial *trial)
{
    int error = journal_append(trial->journal, &trial->tape->records[trial->safe]);

    trial->is_in_doubt = error != 0;
    trial->safe += error == 0;
    return error;
}

bool trial_run(struct trial *trial)
{
    while (trial->safe < trial->tape->count) {
        if (trial_append(trial)) {
            return false;
        }
    }
    return true;
}

void trial_restart(struct trial *trial, enum fake_loss loss, uint64_t seed)
{
    trial_close(trial);
    fake_disk_restart(trial->fake, loss, seed);
}
