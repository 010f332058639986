/* Writes all games into files that other programs can read. */
#ifndef LOGBOOK_EXPORT_H
#define LOGBOOK_EXPORT_H

/*
 * csv: games.csv, players.csv and events.csv; json: games.json, players.json and events.json, each
 * with one object per line. Existing files are replaced. Returns the exit code, after printing why.
 */
int export_games(const char *database, const char *format, const char *directory);

#endif
