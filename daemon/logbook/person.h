/* Those who played. Errors are those of book.h. */
#ifndef LOGBOOK_PERSON_H
#define LOGBOOK_PERSON_H

#include "book.h"

#include "rules/game.h"

enum { PERSON_SIZE = NAME_SIZE };

/* A name as persons are distinguished: in lower case and without blanks. False: it is empty or too
 * long. */
bool person_key(const char *name, char person[PERSON_SIZE]);

/* In a transaction: a person by that name has played in this game. */
int person_add(struct book *book, int64_t game, const char *person, const char *name);

/*
 * The games of one person count for another one, until unmerge. -ENOENT: one of them has never
 * played, or is not merged; -EINVAL: they are the same already.
 */
int person_merge(struct book *book, const char *name, const char *into);
int person_unmerge(struct book *book, const char *name);

#endif
