#include "field.h"

#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

struct tournament field;

void field_begin(enum tournament_system system, unsigned count, unsigned group, unsigned rounds)
{
    static struct tournament_settings settings;

    settings = (struct tournament_settings){
        .system = system, .group = group, .rounds = rounds, .entrant_count = count};
    for (unsigned i = 0; i < count; i++) {
        settings.entrants[i].members[0][0] = (char)('A' + i);
        settings.entrants[i].lot = i + 1;
    }
    assert_int_equal(tournament_begin(&settings, &field), TOURNAMENT_REFUSED_NONE);
}

static enum tournament_refusal take(const char *line)
{
    struct tournament_change change;
    char again[TOURNAMENT_LINE_SIZE];

    assert_true(tournament_read_change(&field, line, &change));
    tournament_write_change(&field, &change, again);
    assert_string_equal(again, line);
    return tournament_step(&field, &change);
}

void field_take(const char *line)
{
    enum tournament_refusal refusal = take(line);

    if (refusal) {
        fail_msg("%s: %s", line, tournament_refusal_sentence(refusal));
    }
}

void field_refuse(const char *line, const char *expected)
{
    static struct tournament before;

    before = field;
    assert_string_equal(tournament_refusal_sentence(take(line)), expected);
    assert_memory_equal(&before, &field, sizeof field);
}

void field_expect_round(const char *pairings)
{
    char text[FIELD_TEXT_SIZE] = "";
    unsigned first = field.pairing_count;

    field_take("round after=0");
    for (unsigned i = first; i < field.pairing_count; i++) {
        for (unsigned j = 0; j < field.pairings[i].count; j++) {
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%c",
                     j         ? "-"
                     : text[0] ? " "
                               : "",
                     'A' + field.pairings[i].entrants[j]);
        }
    }
    assert_string_equal(text, pairings);
}

static unsigned find_pairing(char one, char other)
{
    for (unsigned i = field.pairing_count; i > 0; i--) {
        const struct tournament_pairing *pairing = &field.pairings[i - 1];
        bool has_one = false;
        bool has_other = false;
        for (unsigned j = 0; j < pairing->count; j++) {
            has_one |= pairing->entrants[j] == one - 'A';
            has_other |= pairing->entrants[j] == other - 'A';
        }
        if (has_one && has_other) {
            return i - 1;
        }
    }
    fail_msg("%c and %c are not paired", one, other);
    return 0;
}

/* Scores: 3 for the winner, 1 for the other, 2 for a tie. */
void field_results(const char *results)
{
    for (const char *at = results; *at; at += at[3] ? 4 : 3) {
        unsigned index = find_pairing(at[0], at[2]);
        bool is_first = field.pairings[index].entrants[0] == at[0] - 'A';
        char line[TOURNAMENT_LINE_SIZE];
        snprintf(line, sizeof line, "result %u %s", index + 1,
                 at[1] == '=' ? "places=1,1 scores=2,2"
                 : is_first   ? "places=1,2 scores=3,1"
                              : "places=2,1 scores=1,3");
        field_take(line);
    }
}

void field_expect_standings(const char *expected)
{
    struct tournament_standing standings[TOURNAMENT_ENTRANTS_MAX];
    char text[FIELD_TEXT_SIZE] = "";

    tournament_rank(&field, standings);
    for (unsigned i = 0; i < field.settings.entrant_count; i++) {
        const char *behind = tournament_criterion_name(standings[i].behind);
        bool is_by_points = i == 0 || standings[i].behind == TOURNAMENT_BY_POINTS_CRITERION;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%c %d%s%s", i ? ", " : "",
                 'A' + (int)standings[i].entrant, standings[i].points, is_by_points ? "" : " ",
                 is_by_points ? "" : behind);
    }
    assert_string_equal(text, expected);
}
