#include "request.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * Refusals and fields
 */

__attribute__((format(printf, 3, 4))) void request_refuse(struct request *request, const char *code,
                                                          const char *format, ...)
{
    if (!request->refusal) {
        va_list arguments;
        request->refusal = code;
        va_start(arguments, format);
        vsnprintf(request->message, sizeof request->message, format, arguments);
        va_end(arguments);
    }
}

bool request_goes_on(const struct request *request)
{
    return !request->refusal && !request->error;
}

const char *request_text(struct request *request, const char *name)
{
    const json_t *field = json_object_get(request->fields, name);

    if (field && !json_is_string(field)) {
        request_refuse(request, "bad-value", "%s: expected a string.", name);
    }
    return json_string_value(field);
}

const char *request_needed_text(struct request *request, const char *name)
{
    const char *text = request_text(request, name);

    if (!text) {
        request_refuse(request, "missing-field", "%s is missing.", name);
    }
    return text;
}

int64_t request_number(struct request *request, const char *name, int64_t max, int64_t standard)
{
    const json_t *field = json_object_get(request->fields, name);
    int64_t number = json_integer_value(field);

    if (!field) {
        return standard;
    }
    if (!json_is_integer(field) || number < 1 || number > max) {
        request_refuse(request, "bad-value", "%s: expected a number from 1 to %lld.", name,
                       (long long)max);
    }
    return number;
}

const char *request_time(struct request *request, const char *name)
{
    static const char pattern[] = "0000-00-00T00:00:00.000Z";
    const char *time = request_text(request, name);
    size_t length = time ? strlen(time) : 4;
    bool fits = length >= 4 && length < sizeof pattern;

    for (size_t i = 0; time && fits && i < length; i++) {
        fits = pattern[i] == '0' ? time[i] >= '0' && time[i] <= '9' : time[i] == pattern[i];
    }
    if (!fits) {
        request_refuse(request, "bad-value",
                       "%s: expected a date such as 2026-05-01, a month or a year.", name);
    }
    return time;
}

void request_run(struct request *request, const char *sql, const struct parameter *parameters,
                 row_fn *row, void *context)
{
    int error =
        request_goes_on(request) ? book_run(request->book, sql, parameters, row, context) : 0;

    request->error = error < 0 ? error : request->error;
}

int request_take_person(void *context, const char *const *columns)
{
    char *text = context;

    snprintf(text, PERSON_SIZE, "%s", columns[0]);
    return 0;
}

bool request_player(struct request *request, char person[PERSON_SIZE])
{
    const char *name = request_text(request, "player");
    char key[PERSON_SIZE] = "";

    person[0] = '\0';
    if (!name) {
        return false;
    }
    if (person_key(name, key)) {
        REQUEST_RUN(request, request_take_person, person,
                    "SELECT root FROM person WHERE person = $1", TEXT(key));
    }
    if (!person[0]) {
        request_refuse(request, "not-found", "There is no player of that name.");
    }
    return true;
}

/*
 * Values and lists
 */

json_t *column_number(const char *column)
{
    return column ? json_integer(strtoll(column, NULL, 10)) : json_null();
}

json_t *column_milli(const char *column)
{
    int64_t milli = column ? strtoll(column, NULL, 10) : 0;

    return !column             ? json_null()
           : milli % 1000 == 0 ? json_integer(milli / 1000)
                               : json_real((double)milli / 1000);
}

json_t *column_text(const char *column)
{
    return column ? json_string(column) : json_null();
}

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void request_limit_time(struct request *request, int64_t us_max)
{
    request->until_us = us_max ? now_us() + us_max : 0;
}

static bool is_late(const struct request *request)
{
    return request->until_us && now_us() > request->until_us;
}

/* Adds an entry to the answer, or finds that it is full. Takes the entry over. */
void request_add(struct request *request, json_t *entry)
{
    size_t bytes = json_dumpb(entry, NULL, 0, REQUEST_DUMP) + 1;
    bool is_first = json_array_size(request->list) == 0;

    if (!is_first && (request->bytes + bytes > REQUEST_BYTES_MAX || is_late(request))) {
        request->is_full = true;
        json_decref(entry);
        return;
    }
    request->bytes += bytes;
    json_array_append_new(request->list, entry);
}

void request_begin_list(struct request *request, const char *name)
{
    request->list = json_array();
    json_object_set_new(request->reply, name, request->list);
}
