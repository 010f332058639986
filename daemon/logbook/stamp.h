/* Times and ids as they are stored. */
#ifndef LOGBOOK_STAMP_H
#define LOGBOOK_STAMP_H

#include <stdint.h>

enum { STAMP_TIME_SIZE = 32, STAMP_ID_SIZE = 32 };

/* 2026-05-03T18:42:11.042Z, some seconds ago. */
void stamp_time(int64_t ago_s, char at[STAMP_TIME_SIZE]);

/* 20260503-184211-4711a0b1: an id that nobody else has. */
void stamp_id(char id[STAMP_ID_SIZE]);

#endif
