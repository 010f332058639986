#include "standing.h"

static bool is_over(const struct standing *it)
{
    return it->score.phase == SCORE_OVER;
}

/*
 * Counters and flags
 */

static json_t *counters_of(const struct standing *it, unsigned player)
{
    json_t *counters = json_object();

    for (unsigned i = 0; i < it->sheet.counter_count; i++) {
        const struct sheet_counter *counter = &it->sheet.counters[i];
        if (score_has_counter(&it->sheet, &it->score, i, player)) {
            json_object_set_new(counters, counter->name,
                                counter->is_secret && !is_over(it)
                                    ? json_null()
                                    : json_integer(it->score.counters[i][player]));
        }
    }
    return counters;
}

static json_t *flags_of(const struct standing *it, unsigned player)
{
    json_t *flags = json_object();

    for (unsigned i = 0; i < it->sheet.flag_count; i++) {
        const struct sheet_flag *flag = &it->sheet.flags[i];
        if (flag->is_shared == (player == SCORE_TABLE)) {
            json_object_set_new(flags, flag->name, json_boolean(it->score.flags[i][player]));
        }
    }
    return flags;
}

/* Which changes make a secret counter: the phone that sent them knows what they were. */
static json_t *secrets_of(const struct standing *it, unsigned player)
{
    json_t *secrets = json_object();

    for (unsigned i = 0; i < it->sheet.counter_count; i++) {
        if (!it->sheet.counters[i].is_secret ||
            !score_has_counter(&it->sheet, &it->score, i, player)) {
            continue;
        }
        json_t *seqs = json_array();
        for (unsigned j = 0; j < it->change_count; j++) {
            const struct score_change *change = &it->changes[j].change;
            if (change->verb == SCORE_COUNT && change->index == i && change->player == player) {
                json_array_append_new(seqs, json_integer(it->changes[j].seq));
            }
        }
        json_object_set_new(secrets, it->sheet.counters[i].name, seqs);
    }
    return secrets;
}

static json_t *player_of(const struct standing *it, unsigned player)
{
    const struct sheet *sheet = &it->sheet;
    bool shows_score = is_over(it) || !sheet_is_secret(sheet, &sheet->score);
    int64_t score = score_evaluate(sheet, &it->score, &sheet->score, player);

    return json_pack(
        "{s:i, s:s, s:o, s:o, s:o, s:o, s:o}", "id", (int)player, "name", it->names[player - 1],
        "role",
        sheet->role_count ? json_string(sheet->roles[it->score.roles[player]]) : json_null(),
        "counters", counters_of(it, player), "flags", flags_of(it, player), "score",
        shows_score ? json_integer(score) : json_null(), "secret", secrets_of(it, player));
}

static json_t *players_of(const struct standing *it)
{
    json_t *players = json_array();

    for (unsigned player = 1; player <= it->score.player_count; player++) {
        json_array_append_new(players, player_of(it, player));
    }
    return players;
}

/*
 * Hints, undo and the end
 */

/* Whether a formula may differ from player to player. */
static bool is_personal(const struct sheet *sheet, const struct formula *formula)
{
    bool is_personal = formula_uses(formula, FORMULA_SCORE, -1);

    for (unsigned i = 0; i < sheet->counter_count; i++) {
        is_personal |=
            !sheet->counters[i].is_shared && (formula_uses(formula, FORMULA_COUNTER, (int32_t)i) ||
                                              formula_uses(formula, FORMULA_HIGHEST, (int32_t)i));
    }
    for (unsigned i = 0; i < sheet->flag_count; i++) {
        is_personal |=
            !sheet->flags[i].is_shared && formula_uses(formula, FORMULA_FLAG, (int32_t)i);
    }
    return is_personal;
}

static json_t *hints_of(const struct standing *it)
{
    json_t *hints = json_array();

    for (unsigned i = 0; i < it->sheet.hint_count && !is_over(it); i++) {
        const struct sheet_rule *hint = &it->sheet.hints[i];
        bool is_for_all = !is_personal(&it->sheet, &hint->when);
        unsigned last = is_for_all ? 1 : it->score.player_count;
        for (unsigned player = 1; player <= last; player++) {
            if (score_evaluate(&it->sheet, &it->score, &hint->when, player)) {
                json_array_append_new(hints,
                                      json_pack("{s:o, s:s}", "player",
                                                is_for_all ? json_null() : json_integer(player),
                                                "text", hint->text));
            }
        }
    }
    return hints;
}

/* What undo takes back; a secret number is left out. */
static json_t *undo_of(const struct standing *it)
{
    if (it->change_count == 0) {
        return json_null();
    }
    const struct score_change *change = &it->changes[it->change_count - 1].change;
    json_t *undo =
        json_pack("{s:s, s:o}", "verb", score_verb_name(change->verb), "player",
                  change->player == SCORE_TABLE ? json_null() : json_integer(change->player));
    if (change->verb == SCORE_COUNT) {
        const struct sheet_counter *counter = &it->sheet.counters[change->index];
        json_object_set_new(undo, "counter", json_string(counter->name));
        if (!counter->is_secret) {
            json_object_set_new(undo, change->is_set ? "to" : "by", json_integer(change->number));
        }
    } else if (change->verb == SCORE_FLAG) {
        json_object_set_new(undo, "flag", json_string(it->sheet.flags[change->index].name));
        json_object_set_new(undo, "value", json_boolean(change->number));
    }
    return undo;
}

/* A condition that depends on a secret counter must not show here; whoever tries is told. */
static bool can_finish(const struct standing *it)
{
    struct score copy = it->score;
    char sentence[SHEET_TEXT_SIZE];
    struct text problem = text_begin(sentence, sizeof sentence);

    if (is_over(it)) {
        return false;
    }
    for (unsigned i = 0; i < it->sheet.end_count; i++) {
        const struct sheet_rule *end = &it->sheet.ends[i];
        if (end->at == SHEET_CALL && sheet_is_secret(&it->sheet, &end->when)) {
            return true;
        }
    }
    return score_step(&it->sheet, &copy, &(struct score_change){.verb = SCORE_FINISH}, &problem);
}

static json_t *text_of(const struct standing *it)
{
    if (it->score.phase == SCORE_FINAL) {
        return json_string(it->sheet.final);
    }
    return is_over(it) && it->score.end >= 0 ? json_string(it->sheet.ends[it->score.end].text)
                                             : json_null();
}

static void add_ranking(const struct standing *it, json_t *state)
{
    struct score_rank ranking[SHEET_PLAYERS_MAX];
    json_t *list = json_array();
    json_t *winners = json_array();
    unsigned count = is_over(it) ? it->score.player_count : 0;

    if (count) {
        score_rank(&it->sheet, &it->score, ranking);
    }
    for (unsigned i = 0; i < count; i++) {
        const char *title = score_title(&it->sheet, &it->score, ranking[i].player);
        json_array_append_new(list,
                              json_pack("{s:i, s:i, s:I, s:s?}", "player", (int)ranking[i].player,
                                        "place", (int)ranking[i].place, "score",
                                        (json_int_t)ranking[i].score, "title", title));
        if (ranking[i].place == 1) {
            json_array_append_new(winners, json_integer(ranking[i].player));
        }
    }
    json_object_set_new(state, "ranking", list);
    json_object_set_new(state, "winners", winners);
}

/*
 * What the sheet has
 */

static json_t *describe_counter(const struct sheet *sheet, const struct sheet_counter *counter)
{
    json_t *steps = json_array();
    json_t *values = json_array();
    json_t *roles = json_array();

    for (unsigned i = 0; i < counter->step_count; i++) {
        json_array_append_new(steps, json_integer(counter->steps[i]));
    }
    for (unsigned i = 0; i < counter->value_count; i++) {
        json_array_append_new(values, json_string(counter->values[i]));
    }
    for (unsigned i = 0; i < sheet->role_count; i++) {
        if (counter->roles & (1U << i)) {
            json_array_append_new(roles, json_string(sheet->roles[i]));
        }
    }
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:o, s:o, s:b, s:s, s:o}", "name",
                     counter->name, "label", counter->label, "of",
                     counter->is_shared ? "table" : "player", "start", (int)counter->start, "min",
                     (int)counter->min, "max", (int)counter->max, "steps", steps, "values", values,
                     "secret", counter->is_secret, "when",
                     counter->when == SHEET_FINAL ? "final" : "always", "roles", roles);
}

void standing_translate(const struct sheet *sheet, const char *text, json_t *texts)
{
    for (unsigned i = 0; i < SHEET_LANGUAGE_COUNT; i++) {
        enum sheet_language language = (enum sheet_language)i;
        const char *name = sheet_language_name(language);
        const char *translation = sheet_translate(sheet, language, text);
        if (translation && !json_object_get(texts, name)) {
            json_object_set_new(texts, name, json_object());
        }
        if (translation) {
            json_object_set_new(json_object_get(texts, name), text, json_string(translation));
        }
    }
}

static void add_description(const struct sheet *sheet, json_t *state)
{
    json_t *counters = json_array();
    json_t *flags = json_array();

    for (unsigned i = 0; i < sheet->counter_count; i++) {
        json_array_append_new(counters, describe_counter(sheet, &sheet->counters[i]));
    }
    for (unsigned i = 0; i < sheet->flag_count; i++) {
        json_array_append_new(flags, json_pack("{s:s, s:s, s:s}", "name", sheet->flags[i].name,
                                               "label", sheet->flags[i].label, "of",
                                               sheet->flags[i].is_shared ? "table" : "player"));
    }
    json_object_set_new(state, "counters_of", counters);
    json_object_set_new(state, "flags_of", flags);
    json_t *texts = json_object();
    for (unsigned i = 0; i < sheet->translation_count; i++) {
        standing_translate(sheet, (const char *)sheet + sheet->translations[i].source, texts);
    }
    json_object_set_new(state, "texts", texts);
}

char *standing_write(const struct standing *it)
{
    json_t *state = json_pack(
        "{s:i, s:s, s:s, s:s, s:I, s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o}", "v", 1,
        "sheet", it->game, "name", it->sheet_name, "title", it->sheet.title, "seq",
        (json_int_t)it->seq, "phase", score_phase_name(it->score.phase), "round",
        (int)it->score.round, "first", (int)it->score.first, "text", text_of(it), "players",
        players_of(it), "counters", counters_of(it, SCORE_TABLE), "flags",
        flags_of(it, SCORE_TABLE), "secret", secrets_of(it, SCORE_TABLE), "hints", hints_of(it),
        "can_finish", can_finish(it), "undo", undo_of(it));

    if (!state) {
        return NULL;
    }
    add_ranking(it, state);
    add_description(&it->sheet, state);
    char *text = json_dumps(state, JSON_COMPACT);
    json_decref(state);
    return text;
}
