/* The files of sql/. */
#ifndef LOGBOOK_SQL_H
#define LOGBOOK_SQL_H

extern const char sql_tables[];
extern const char sql_sheets[];
extern const char sql_ended[];
extern const char sql_tournaments[];
extern const char sql_views[];

#endif
