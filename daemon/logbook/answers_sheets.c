/* Games with a score sheet. */
#include "request.h"
#include "sheet_files.h"

static void answer_sheets(struct request *request)
{
    request_begin_list(request, "sheets");
    for (unsigned i = 0; i < request->settings->files->count; i++) {
        const struct sheet_file *file = request->settings->files->files[i];
        json_t *roles = json_array();
        json_t *texts = json_object();
        standing_translate(&file->sheet, file->sheet.title, texts);
        for (unsigned role = 0; role < file->sheet.role_count; role++) {
            json_array_append_new(roles, json_string(file->sheet.roles[role]));
            standing_translate(&file->sheet, file->sheet.roles[role], texts);
        }
        request_add(request,
                    json_pack("{s:s, s:s, s:[i, i], s:o, s:o}", "name", file->name, "title",
                              file->sheet.title, "players", (int)file->sheet.players_min,
                              (int)file->sheet.players_max, "roles", roles, "texts", texts));
    }
}

static void take_scoring(struct request *request, int error, const struct scoring_reply *reply)
{
    request->error = error;
    if (!error && reply->refusal) {
        request_refuse(request, reply->refusal, "%s", reply->message);
    }
    if (request_goes_on(request)) {
        json_object_set_new(request->reply, "sheet", json_string(reply->game));
        json_object_set_new(request->reply, "seq", json_integer(reply->seq));
    }
}

static unsigned players_field(struct request *request,
                              struct scoring_player players[SHEET_PLAYERS_MAX])
{
    const json_t *list = json_object_get(request->fields, "players");

    if (!list) {
        request_refuse(request, "missing-field", "players is missing.");
    } else if (!json_is_array(list) || json_array_size(list) > SHEET_PLAYERS_MAX) {
        request_refuse(request, "bad-value", "players: expected a list of up to %d.",
                       SHEET_PLAYERS_MAX);
        return 0;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *player = json_array_get(list, i);
        const json_t *role = json_object_get(player, "role");
        const char *name = json_string_value(json_object_get(player, "name"));
        if (!name || (role && !json_is_null(role) && !json_is_string(role)) ||
            json_object_size(player) > (role ? 2U : 1U)) {
            request_refuse(request, "bad-value", "players: expected name and role, both strings.");
            return 0;
        }
        players[i] = (struct scoring_player){name, json_string_value(role)};
    }
    return (unsigned)json_array_size(list);
}

static const char *id_field(struct request *request)
{
    return request_text(request, "id");
}

static void answer_open(struct request *request)
{
    struct scoring_player players[SHEET_PLAYERS_MAX];
    struct scoring_reply reply;
    const char *name = request_needed_text(request, "name");
    unsigned count = players_field(request, players);

    if (request_goes_on(request)) {
        take_scoring(request,
                     scoring_begin(request->settings->scoring, id_field(request), name, players,
                                   count, &reply),
                     &reply);
    }
}

static void answer_undo(struct request *request)
{
    struct scoring_reply reply;
    const char *sheet = request_needed_text(request, "sheet");

    if (request_goes_on(request)) {
        take_scoring(request,
                     scoring_undo(request->settings->scoring, id_field(request), sheet, &reply),
                     &reply);
    }
}

static void answer_close(struct request *request)
{
    struct scoring_reply reply;
    const char *sheet = request_needed_text(request, "sheet");

    if (request_goes_on(request)) {
        take_scoring(request,
                     scoring_abandon(request->settings->scoring, id_field(request), sheet, &reply),
                     &reply);
    }
}

static void change_score(struct request *request, const struct scoring_change *change)
{
    struct scoring_reply reply;
    const char *sheet = request_needed_text(request, "sheet");

    if (request_goes_on(request)) {
        take_scoring(
            request,
            scoring_change(request->settings->scoring, id_field(request), sheet, change, &reply),
            &reply);
    }
}

static void answer_count(struct request *request)
{
    enum { LARGEST = 2 * SHEET_VALUE_MAX };
    const json_t *by = json_object_get(request->fields, "by");
    const json_t *to = json_object_get(request->fields, "to");
    const json_t *number = to ? to : by;
    json_int_t value = json_integer_value(number);
    struct scoring_change change = {
        .verb = SCORE_COUNT,
        .name = request_needed_text(request, "counter"),
        .player = (unsigned)request_number(request, "player", SHEET_PLAYERS_MAX, SCORE_TABLE),
        .is_set = to,
    };

    if (!number) {
        request_refuse(request, "missing-field", "by or to is missing.");
    }
    if ((by && to) || !json_is_integer(number) || value < -LARGEST || value > LARGEST) {
        request_refuse(request, "bad-value", "Expected by or to, a whole number from %d to %d.",
                       -LARGEST, LARGEST);
    }
    change.number = (int32_t)value;
    change_score(request, &change);
}

static void answer_flag(struct request *request)
{
    const json_t *value = json_object_get(request->fields, "value");
    struct scoring_change change = {
        .verb = SCORE_FLAG,
        .name = request_needed_text(request, "flag"),
        .player = (unsigned)request_number(request, "player", SHEET_PLAYERS_MAX, SCORE_TABLE),
        .number = json_is_true(value),
    };

    if (!value) {
        request_refuse(request, "missing-field", "value is missing.");
    } else if (!json_is_boolean(value)) {
        request_refuse(request, "bad-value", "value: expected true or false.");
    }
    change_score(request, &change);
}

static void answer_round(struct request *request)
{
    change_score(request, &(struct scoring_change){.verb = SCORE_ROUND});
}

static void answer_finish(struct request *request)
{
    change_score(request, &(struct scoring_change){.verb = SCORE_FINISH});
}

const struct verb answers_of_sheets[] = {
    {ANSWER_QUERY, "sheets", " ", answer_sheets},
    {ANSWER_COMMAND, "open-sheet", " name players ", answer_open},
    {ANSWER_COMMAND, "undo-sheet", " sheet ", answer_undo},
    {ANSWER_COMMAND, "close-sheet", " sheet ", answer_close},
    {ANSWER_SCORE, "count", " sheet counter player by to ", answer_count},
    {ANSWER_SCORE, "flag", " sheet flag player value ", answer_flag},
    {ANSWER_SCORE, "round", " sheet ", answer_round},
    {ANSWER_SCORE, "finish", " sheet ", answer_finish},
    {0},
};
