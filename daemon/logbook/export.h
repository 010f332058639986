/* Writes all games into files: for other programs, or as a copy of the database. */
#ifndef LOGBOOK_EXPORT_H
#define LOGBOOK_EXPORT_H

/*
 * csv: games.csv, players.csv and events.csv; json: games.json, players.json and events.json, each
 * with one object per line. Existing files are replaced. Returns the exit code, after printing why.
 */
int export_games(const char *database, const char *format, const char *directory);

/* Copies the database into a new file, while others may use it. Returns the exit code as above. */
int export_database(const char *where, const char *file);

#endif
