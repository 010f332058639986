#include "person.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

/* Needs a UTF-8 locale. */
bool person_key(const char *name, char person[PERSON_SIZE])
{
    mbstate_t reading = {0};
    mbstate_t writing = {0};
    size_t length = 0;
    wchar_t character;

    for (size_t size; (size = mbrtowc(&character, name, MB_CUR_MAX, &reading)) > 0; name += size) {
        char lower[MB_LEN_MAX];
        if (size > MB_CUR_MAX) {
            return false; /* not UTF-8 */
        }
        if (iswspace((wint_t)character) || character == L'\u00a0') {
            continue;
        }
        size_t bytes = wcrtomb(lower, (wchar_t)towlower((wint_t)character), &writing);
        if (bytes > sizeof lower || length + bytes >= PERSON_SIZE) {
            return false;
        }
        memcpy(person + length, lower, bytes);
        length += bytes;
    }
    person[length] = '\0';
    return length > 0;
}

int person_add(struct book *book, int64_t game, const char *person, const char *name)
{
    return BOOK_WRITE(
        book,
        "INSERT INTO person (person, name, named, root, changed, longest_hits) SELECT $1, $2, "
        "began, $1, 1, 0 FROM game WHERE number = $3 ON CONFLICT (person) DO UPDATE SET name = "
        "excluded.name, named = excluded.named WHERE person.named < excluded.named",
        TEXT(person), TEXT(name), NUMBER(game));
}

/*
 * Merging
 */

/* Follows merges to their end; each person has one. */
static int find_roots(struct book *book)
{
    return book_run(book,
                    "UPDATE person SET changed = 1, root = (WITH RECURSIVE way(person, next) AS "
                    "(SELECT p.person, p.merged_into FROM person p WHERE p.person = person.person "
                    "UNION SELECT q.person, q.merged_into FROM way JOIN person q ON q.person = "
                    "way.next) SELECT MAX(way.person) FROM way WHERE way.next IS NULL)",
                    NULL, NULL, NULL);
}

/* Of the two that are merged; "": has never played. */
struct roots {
    char person[PERSON_SIZE];
    char into[PERSON_SIZE];
};

static int take_roots(void *context, const char *const *columns)
{
    struct roots *roots = context;

    snprintf(roots->person, PERSON_SIZE, "%s", columns[0] ? columns[0] : "");
    snprintf(roots->into, PERSON_SIZE, "%s", columns[1] ? columns[1] : "");
    return 0;
}

static int merge(struct book *book, const char *person, const char *into)
{
    struct roots roots = {0};
    int error = book_run(book,
                         "SELECT (SELECT root FROM person WHERE person = $1), (SELECT root FROM "
                         "person WHERE person = $2)",
                         BOOK_PARAMETERS(TEXT(person), TEXT(into)), take_roots, &roots);

    if (!error && (!roots.person[0] || !roots.into[0])) {
        return -ENOENT;
    }
    if (!error && strcmp(roots.person, roots.into) == 0) {
        return -EINVAL;
    }
    if (!error) {
        error = BOOK_WRITE(book, "UPDATE person SET merged_into = $2 WHERE person = $1",
                           TEXT(roots.person), TEXT(roots.into));
    }
    return error ? error : find_roots(book);
}

int person_merge(struct book *book, const char *name, const char *into)
{
    char person[PERSON_SIZE];
    char other[PERSON_SIZE];

    if (!person_key(name, person) || !person_key(into, other)) {
        return -ENOENT;
    }
    int error = book_begin(book);
    return error ? error : book_end(book, merge(book, person, other));
}

static int unmerge(struct book *book, const char *person)
{
    int64_t count = 0;
    int error =
        book_run(book, "SELECT COUNT(*) FROM person WHERE person = $1 AND merged_into IS NOT NULL",
                 BOOK_PARAMETERS(TEXT(person)), book_take_number, &count);

    if (!error && count == 0) {
        return -ENOENT;
    }
    if (!error) {
        error = BOOK_WRITE(book, "UPDATE person SET merged_into = NULL WHERE person = $1",
                           TEXT(person));
    }
    return error ? error : find_roots(book);
}

int person_unmerge(struct book *book, const char *name)
{
    char person[PERSON_SIZE];

    if (!person_key(name, person)) {
        return -ENOENT;
    }
    int error = book_begin(book);
    return error ? error : book_end(book, unmerge(book, person));
}
