/*
 * A record as one line of text, without its checksum:
 *
 *   TIME AT INPUT ; [by=SENSOR at_us=AT width_us=N settle_us=N bounces=N beams=N] [id=ID] hash=HASH
 *
 * TIME is UTC with milliseconds, AT the table's clock in microseconds, INPUT a line of
 * rules/line.h. Evidence and the id of a command are there if there are any, and of the evidence
 * only numbers other than 0. Push buttons are called button.1 to button.16 here, in the order of
 * the configuration. new-game has its setup behind it:
 *
 *   new-game [abandon] rules=basic scenario=none teams=0 dice=table players=2 first=1
 * window_ms=3000 tolerance_milli=200 points=1,2,1,3,2 lives=2 wind=1 kraken=3 move_die=1,1,2,2,3,3
 *   combat_die=flag,flag,flag,swords,swords,swords [barrels=red:blue,…]
 *   player1=Anna:red+blue:0 player2=Ben:green+yellow:0
 *
 * Blanks, control characters and the like in names and ids are written as %XX.
 */
#ifndef DAEMON_JOURNAL_RECORD_H
#define DAEMON_JOURNAL_RECORD_H

#include "journal/journal.h"

#include <stddef.h>
#include <stdint.h>

/* The longest lines with their end; only new-game, the first record of a file, is so long. */
enum { RECORD_SIZE_MAX = 480, FIRST_RECORD_SIZE_MAX = 2048 };

/* The length, or -EINVAL for what could not be read again. */
int record_write(const struct record *record, char line[FIRST_RECORD_SIZE_MAX]);

/*
 * 0, or -EBADMSG and nothing written. Accepts only what record_write writes. The id of a game is
 * not in its record, but in the header of the file.
 */
int record_read(const char *line, struct record *record);

#endif
