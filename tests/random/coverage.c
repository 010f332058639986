#include "coverage.h"

#include <inttypes.h>

/* Refusals that no input to the rules can cause, and the named tests that reach them. */
static const struct {
    enum refusal refusal;
    const char *where;
} elsewhere[] = {
    {REFUSED_NOT_READY, "a game does not start while a piece of it lies (table_ready)"},
    {REFUSED_BAD_JSON, "a_payload_that_is_not_a_json_object_is_bad_json (wire_hostile)"},
    {REFUSED_STORAGE, "a command that cannot be recorded is refused and the fault told "
                      "(table_storage)"},
    {REFUSED_TOO_LONG, "a_game_of_the_maximum_length_takes_nothing_more (table_length)"},
};

static unsigned table_of(const struct setup *setup)
{
    return setup->teams ? TABLES - 1U : setup->players - 2U;
}

/* An empty cell of the table of steps refuses in ways that a step itself never does. */
static bool is_answer_of_step(int refusal, enum rule rule)
{
    return refusal == 0 || refusal == REFUSED_OUT_OF_PLAY ||
           (rule != RULE_NONE && rule != RULE_G1 && rule != RULE_G3);
}

void coverage_note_step(struct coverage *coverage, enum phase phase, const struct input *input,
                        int refusal, const struct outcome *out, const struct game *game)
{
    coverage->steps++;
    if ((unsigned)input->kind < INPUT_COUNT && is_answer_of_step(refusal, out->rule)) {
        coverage->answered[phase][input->kind]++;
        coverage->taken[phase][input->kind] += refusal == 0;
    }
    if (refusal) {
        coverage->refusals[refusal]++;
        coverage->rules[out->rule]++;
        return;
    }
    coverage->accepted++;
    for (unsigned i = 0; i < out->count; i++) {
        coverage->events[out->events[i].kind]++;
        coverage->rules[out->events[i].rule]++;
    }
    if (out->count && out->events[out->count - 1].kind == EVENT_GAME_OVER) {
        const struct setup *setup = &game->setup;
        coverage->games_ended[setup->scenario][setup->variant][table_of(setup)]++;
        coverage->games_over++;
        /* Before game-over come those who are out. */
        coverage->out_together +=
            out->count > 2 && out->events[out->count - 3].kind == EVENT_PLAYER_OUT;
    }
}

void coverage_note_text(struct coverage *coverage, int refusal)
{
    coverage->refusals[refusal]++;
}

void coverage_note_choices(struct coverage *coverage, uint64_t listed, uint64_t swept,
                           uint64_t tried)
{
    coverage->commands_listed += listed;
    coverage->positions_swept += swept;
    coverage->commands_tried += tried;
}

static unsigned report_events(const struct coverage *coverage, FILE *file)
{
    unsigned missing = 0;

    for (enum event_kind kind = EVENT_NONE + 1; kind < EVENT_COUNT; kind++) {
        if (!coverage->events[kind]) {
            fprintf(file, "never reached: event %s\n", rules_event_name(kind));
            missing++;
        }
    }
    return missing;
}

static const char *where_else(enum refusal refusal)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++) {
        if (elsewhere[i].refusal == refusal) {
            return elsewhere[i].where;
        }
    }
    return NULL;
}

static unsigned report_refusals(const struct coverage *coverage, FILE *file)
{
    unsigned missing = 0;

    for (enum refusal refusal = REFUSED_NOT + 1; refusal < REFUSAL_COUNT; refusal++) {
        const char *where = where_else(refusal);
        if (coverage->refusals[refusal]) {
            continue;
        }
        if (where) {
            fprintf(file, "by a named test: refusal %s (%s)\n", rules_refusal_name(refusal), where);
        } else {
            fprintf(file, "never reached: refusal %s\n", rules_refusal_name(refusal));
            missing++;
        }
    }
    return missing;
}

/* Some rules speak through others' events, or by what does not happen; so this only tells. */
static void report_rules(const struct coverage *coverage, FILE *file)
{
    fputs("rules that no event and no refusal named:", file);
    for (enum rule rule = RULE_NONE + 1; rule < RULE_COUNT; rule++) {
        if (!coverage->rules[rule]) {
            fprintf(file, " %s", rules_rule_name(rule));
        }
    }
    fputc('\n', file);
}

static unsigned report_games(const struct coverage *coverage, FILE *file)
{
    static const char *const tables[TABLES] = {"2 players", "3 players", "4 players", "2 teams"};
    unsigned missing = 0;

    for (enum scenario_id scenario = SCENARIO_NONE + 1; scenario < SCENARIO_COUNT; scenario++) {
        for (enum variant variant = VARIANT_NONE + 1; variant < VARIANT_COUNT; variant++) {
            for (unsigned table = 0; table < TABLES; table++) {
                if (!coverage->games_ended[scenario][variant][table]) {
                    fprintf(file, "never played to the end: %s, %s, %s\n",
                            rules_scenario_name(scenario), rules_variant_name(variant),
                            tables[table]);
                    missing++;
                }
            }
        }
    }
    return missing;
}

static unsigned report_endings(const struct coverage *coverage, FILE *file)
{
    if (!coverage->out_together) {
        fputs("never reached: one ball that puts several players out (E1)\n", file);
    }
    return coverage->out_together == 0;
}

static unsigned report_steps(const struct coverage *coverage, FILE *file)
{
    unsigned missing = 0;

    for (enum phase phase = PHASE_LOBBY; phase < PHASE_COUNT; phase++) {
        for (enum input_kind kind = INPUT_NONE + 1; kind < INPUT_COUNT; kind++) {
            if (coverage->answered[phase][kind] && !coverage->taken[phase][kind]) {
                fprintf(file, "never accepted: %s in %s\n", rules_input_name(kind),
                        rules_phase_name(phase));
                missing++;
            }
        }
    }
    return missing;
}

unsigned coverage_report(const struct coverage *coverage, FILE *file)
{
    fprintf(file,
            "%" PRIu64 " steps, %" PRIu64 " accepted, %" PRIu64 " games ended, %" PRIu64
            " with several players out\n",
            coverage->steps, coverage->accepted, coverage->games_over, coverage->out_together);
    fprintf(file,
            "possible commands: %" PRIu64 " commands compared with the list, and %" PRIu64
            " positions with all %" PRIu64 " commands tried\n",
            coverage->commands_listed, coverage->positions_swept, coverage->commands_tried);
    report_rules(coverage, file);
    return report_events(coverage, file) + report_refusals(coverage, file) +
           report_games(coverage, file) + report_endings(coverage, file) +
           report_steps(coverage, file);
}
