/* Tournaments. */
#include "request.h"
#include "tournaments.h"

#include <stdlib.h>
#include <string.h>

static void take_reply(struct request *request, int error, const struct tournaments_reply *reply)
{
    request->error = error;
    if (!error && reply->refusal) {
        request_refuse(request, tournament_refusal_name(reply->refusal), "%s",
                       tournament_refusal_sentence(reply->refusal));
    }
    if (request_goes_on(request)) {
        json_object_set_new(request->reply, "tournament", json_string(reply->tournament));
        json_object_set_new(request->reply, "seq", json_integer(reply->seq));
    }
}

/* tournament, name, began, gone_at */
static int add_tournament(void *context, const char *const *columns)
{
    request_add(context,
                json_pack("{s:s, s:s, s:s, s:o}", "tournament", columns[0], "name", columns[1],
                          "began", columns[2], "closed", column_text(columns[3])));
    return 0;
}

static void answer_tournaments(struct request *request)
{
    request_begin_list(request, "tournaments");
    REQUEST_RUN(request, add_tournament, request,
                "SELECT tournament, name, began, gone_at FROM tournament ORDER BY number DESC "
                "LIMIT $1",
                NUMBER(REQUEST_LIST_MAX));
}

/* seq, at, line */
static int add_change(void *context, const char *const *columns)
{
    request_add(context,
                json_pack("{s:o, s:s, s:s, s:b}", "seq", column_number(columns[0]), "at",
                          columns[1], "change", columns[2], "by_command", columns[3] != NULL));
    return 0;
}

/* Everything that was ever changed, undone or not: who looks at a result can see how it came. */
static void answer_changes(struct request *request)
{
    const char *tournament = request_needed_text(request, "tournament");

    request_begin_list(request, "tournament-changes");
    if (tournament) {
        int64_t after = request_number(request, "after", TOURNAMENTS_CHANGES_MAX + 1, 0);
        REQUEST_RUN(request, add_change, request,
                    "SELECT c.seq, c.at, c.line, c.id FROM tournament_change c JOIN tournament t "
                    "ON t.number = c.tournament WHERE t.tournament = $1 AND c.seq > $2 ORDER BY "
                    "c.seq",
                    TEXT(tournament), NUMBER(after));
    }
}

static void answer_open(struct request *request)
{
    struct tournaments_reply reply;
    const char *name = request_needed_text(request, "name");

    if (request_goes_on(request)) {
        take_reply(request,
                   tournaments_begin(request->settings->tournaments, request_text(request, "id"),
                                     name, request->fields, &reply),
                   &reply);
    }
}

typedef int tournaments_fn(struct tournaments *tournaments, const char *id, const char *tournament,
                           struct tournaments_reply *reply);

static void answer_with(struct request *request, tournaments_fn *carry_out)
{
    struct tournaments_reply reply;
    const char *tournament = request_needed_text(request, "tournament");

    if (request_goes_on(request)) {
        take_reply(request,
                   carry_out(request->settings->tournaments, request_text(request, "id"),
                             tournament, &reply),
                   &reply);
    }
}

static void answer_round(struct request *request)
{
    answer_with(request, tournaments_round);
}

static void answer_undo(struct request *request)
{
    answer_with(request, tournaments_undo);
}

static void answer_close(struct request *request)
{
    answer_with(request, tournaments_end);
}

static void answer_change(struct request *request, const struct tournament_change *change)
{
    struct tournaments_reply reply;
    const char *tournament = request_needed_text(request, "tournament");

    if (request_goes_on(request)) {
        take_reply(request,
                   tournaments_change(request->settings->tournaments, request_text(request, "id"),
                                      tournament, change, &reply),
                   &reply);
    }
}

static unsigned needed_number(struct request *request, const char *name, int64_t max)
{
    int64_t number = request_number(request, name, max, 0);

    if (number == 0) {
        request_refuse(request, "missing-field", "%s is missing.", name);
    }
    return number > 0 ? (unsigned)number - 1 : 0;
}

/* A list of one number for each member of the pairing. */
static void numbers_field(struct request *request, const char *name, int min, int max, size_t count,
                          int32_t numbers[TOURNAMENT_GROUP_MAX])
{
    const json_t *list = json_object_get(request->fields, name);
    bool is_list = json_is_array(list) && json_array_size(list) == count;

    for (size_t i = 0; is_list && i < count; i++) {
        const json_t *number = json_array_get(list, i);
        json_int_t value = json_integer_value(number);
        is_list = json_is_integer(number) && value >= min && value <= max;
        numbers[i] = is_list ? (int32_t)value : 0;
    }
    if (!is_list) {
        request_refuse(request, "bad-value", "%s: expected a list of %zu numbers from %d to %d.",
                       name, count, min, max);
    }
}

static void answer_result(struct request *request)
{
    struct tournament_change change = {
        .verb = TOURNAMENT_RESULT_VERB,
        .pairing = needed_number(request, "pairing", TOURNAMENT_PAIRINGS_MAX),
        .result = {.source = TOURNAMENT_BY_REFEREE},
    };
    const char *id = request_needed_text(request, "tournament");
    const struct kept_tournament *kept =
        id ? tournaments_find(request->settings->tournaments, id) : NULL;
    int32_t places[TOURNAMENT_GROUP_MAX] = {0};
    size_t count = json_array_size(json_object_get(request->fields, "places"));

    if (kept && change.pairing < kept->now.pairing_count) {
        count = kept->now.pairings[change.pairing].count;
    }
    count = count < 1 || count > TOURNAMENT_GROUP_MAX ? 2 : count;
    numbers_field(request, "places", 1, TOURNAMENT_GROUP_MAX, count, places);
    if (json_object_get(request->fields, "scores")) {
        numbers_field(request, "scores", -TOURNAMENT_SCORE_MAX, TOURNAMENT_SCORE_MAX, count,
                      change.result.scores);
    }
    for (size_t i = 0; i < count; i++) {
        change.result.places[i] = (uint8_t)places[i];
    }
    answer_change(request, &change);
}

static void answer_table(struct request *request)
{
    struct tournament_change change = {
        .verb = TOURNAMENT_TABLE_VERB,
        .pairing = needed_number(request, "pairing", TOURNAMENT_PAIRINGS_MAX),
        .table = TOURNAMENT_NO_TABLE,
    };
    const char *id = request_needed_text(request, "tournament");
    const char *table = request_text(request, "table");
    const struct kept_tournament *kept =
        id ? tournaments_find(request->settings->tournaments, id) : NULL;

    for (unsigned i = 0; table && kept && i < kept->settings.table_count; i++) {
        if (strcmp(kept->settings.tables[i], table) == 0) {
            change.table = (int)i;
        }
    }
    if (table && kept && change.table == TOURNAMENT_NO_TABLE) {
        request_refuse(request, tournament_refusal_name(TOURNAMENT_REFUSED_NO_TABLE), "%s",
                       tournament_refusal_sentence(TOURNAMENT_REFUSED_NO_TABLE));
    }
    answer_change(request, &change);
}

static void answer_withdraw(struct request *request)
{
    struct tournament_change change = {
        .verb = TOURNAMENT_WITHDRAW_VERB,
        .entrant = needed_number(request, "player", TOURNAMENT_ENTRANTS_MAX),
    };

    answer_change(request, &change);
}

const struct verb answers_of_tournaments[] = {
    {ANSWER_QUERY, "tournaments", " ", answer_tournaments},
    {ANSWER_QUERY, "tournament-changes", " tournament after ", answer_changes},
    {ANSWER_COMMAND, "open-tournament", " name system group rounds players tables ", answer_open},
    {ANSWER_COMMAND, "start-round", " tournament ", answer_round},
    {ANSWER_COMMAND, "enter-result", " tournament pairing places scores ", answer_result},
    {ANSWER_COMMAND, "set-table", " tournament pairing table ", answer_table},
    {ANSWER_COMMAND, "withdraw", " tournament player ", answer_withdraw},
    {ANSWER_COMMAND, "undo-tournament", " tournament ", answer_undo},
    {ANSWER_COMMAND, "close-tournament", " tournament ", answer_close},
    {0},
};
