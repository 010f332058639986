/* The journal on a real disk, in a directory of its own. */
#include "journal_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 256, GAME_LENGTH = 60 };

static const struct journal_limits limits = {.games_max = 5, .bytes_max = 1 << 20};
static struct recording tape;
static char directory[PATH_SIZE];

static int make_directory(void **state)
{
    const char *parent = getenv("TMPDIR");

    (void)state;
    snprintf(directory, sizeof directory, "%s/shipahoy-journal-XXXXXX", parent ? parent : "/tmp");
    recording_add_game(&tape, 41, GAME_LENGTH);
    recording_add_game(&tape, 42, GAME_LENGTH);
    return mkdtemp(directory) ? 0 : -1;
}

static void remove_name(void *context, const char *name, uint64_t size)
{
    struct disk *disk = context;

    (void)size;
    disk->remove(disk->self, name);
}

static int remove_directory(void **state)
{
    struct disk disk;

    (void)state;
    assert_int_equal(disk_open(&disk, directory), 0);
    disk.list(disk.self, remove_name, &disk);
    disk_close(&disk);
    return rmdir(directory);
}

static void path_of(char path[PATH_SIZE], const char *name)
{
    int length = snprintf(path, PATH_SIZE, "%s/%s", directory, name);

    assert_in_range(length, 1, PATH_SIZE - 1);
}

TEST_ALL(make_directory, remove_directory)

TEST(two_games_are_kept_and_read_again)
{
    unsigned second = recording_game_start(&tape, tape.count - 1);
    struct comparison open_game = {.expected = tape.records + second, .count = tape.count - second};
    struct comparison finished = {.expected = tape.records, .count = second};
    struct journal_report report;
    struct journal *journal;
    char path[PATH_SIZE];
    struct disk disk;

    assert_int_equal(disk_open(&disk, directory), 0);
    assert_int_equal(journal_open(&journal, &disk, &limits, ignore_records, NULL, &report), 0);
    for (unsigned i = 0; i < tape.count; i++) {
        assert_int_equal(journal_append(journal, &tape.records[i]), 0);
    }
    journal_acknowledge(journal, &(struct journal_mark){.number = 2, .game = "game-2", .seq = 7});
    journal_close(journal);
    assert_int_equal(journal_open(&journal, &disk, &limits, compare_records, &open_game, &report),
                     0);
    assert_string_equal(report.problem, "");
    assert_int_equal(open_game.seen, open_game.count);
    assert_false(open_game.differs);
    assert_int_equal(journal_acknowledged(journal)->seq, 7);
    path_of(path, "game-1.journal");
    assert_int_equal(journal_read_file(path, compare_records, &finished, &report), 0);
    assert_int_equal(finished.seen, finished.count);
    assert_false(finished.differs);
    journal_close(journal);
    disk_close(&disk);
}

TEST(a_directory_in_use_is_busy_until_it_is_closed)
{
    struct disk disk;
    struct disk other;

    assert_int_equal(disk_open(&disk, directory), 0);
    assert_int_equal(disk_open(&other, directory), -EBUSY);
    disk_close(&disk);
    disk_close(&disk);
    assert_int_equal(disk_open(&other, directory), 0);
    disk_close(&other);
}

TEST(a_directory_is_made_where_its_parent_is)
{
    char path[PATH_SIZE];
    struct disk disk;

    path_of(path, "new");
    assert_int_equal(disk_open(&disk, path), 0);
    disk_close(&disk);
    assert_int_equal(rmdir(path), 0);
    path_of(path, "no/new");
    assert_int_equal(disk_open(&disk, path), -ENOENT);
}

TEST(a_foreign_file_is_read_and_not_changed)
{
    struct journal_report report;
    char path[PATH_SIZE];

    path_of(path, "foreign");
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert_int_equal(write(fd, "foreign", 7), 7);
    close(fd);
    assert_int_equal(journal_read_file(path, refuse_records, NULL, &report), 0);
    assert_string_equal(report.problem, "this is not a journal");
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 7);
    path_of(path, "missing");
    assert_int_equal(journal_read_file(path, refuse_records, NULL, &report), -ENOENT);
    assert_int_equal(journal_read_file(directory, refuse_records, NULL, &report), -EISDIR);
}
