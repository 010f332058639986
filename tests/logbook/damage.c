/* Files of SQLite that cannot be used are refused with a sentence, and are left as they are. */
#include "support/test.h"
#include "trial.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char path[] = "damaged.db";

static int open_it(char problem[DATABASE_PROBLEM_SIZE])
{
    struct book it;
    int error = book_open(&it, "sqlite:damaged.db", problem, DATABASE_PROBLEM_SIZE);

    if (!error) {
        book_close(&it);
    }
    return error;
}

TEST(a_file_that_is_no_database_is_refused)
{
    char problem[DATABASE_PROBLEM_SIZE] = "";
    FILE *file = fopen(path, "w");

    for (int i = 0; i < 1000; i++) {
        fputs("This is not a database. ", file);
    }
    fclose(file);
    assert_int_equal(open_it(problem), -EBADMSG);
    assert_string_equal(problem, "file is not a database");
    unlink(path);
}

TEST(a_damaged_page_is_found_at_the_start)
{
    char problem[DATABASE_PROBLEM_SIZE] = "";
    char junk[4096];

    assert_int_equal(open_it(problem), 0);
    memset(junk, 0xA5, sizeof junk);
    FILE *file = fopen(path, "r+");
    fseek(file, 4 * 4096, SEEK_SET);
    fwrite(junk, 1, sizeof junk, file);
    fclose(file);
    assert_int_equal(open_it(problem), -EBADMSG);
    assert_non_null(strstr(problem, "Page"));
    assert_null(strchr(problem, '\n'));
    unlink(path);
}

TEST(a_directory_that_does_not_exist_is_an_error)
{
    char problem[DATABASE_PROBLEM_SIZE] = "";
    struct book it;

    assert_int_equal(book_open(&it, "sqlite:/nowhere/at/all.db", problem, sizeof problem), -EIO);
    assert_string_equal(problem, "unable to open database file: No such file or directory");
}
