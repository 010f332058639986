#include "sheet/score.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCORE_WORD(name, word) word,
static const char *const verbs[SCORE_VERB_COUNT] = {SCORE_VERBS(SCORE_WORD)};
static const char *const phases[] = {"playing", "final", "over"};

const char *score_verb_name(enum score_verb verb)
{
    return verbs[verb];
}

const char *score_phase_name(enum score_phase phase)
{
    return phases[phase];
}

/*
 * Values
 */

/* Whose formula it is. */
struct view {
    const struct sheet *sheet;
    const struct score *score;
    unsigned player;
};

static int64_t value_of(const void *self, enum formula_kind kind, int32_t index)
{
    const struct view *view = self;
    const struct sheet *sheet = view->sheet;
    const struct score *score = view->score;

    switch (kind) {
    case FORMULA_COUNTER:
        return score->counters[index][sheet->counters[index].is_shared ? 0 : view->player];
    case FORMULA_HIGHEST:
        return score->highest[index][sheet->counters[index].is_shared ? 0 : view->player];
    case FORMULA_FLAG:
        return score->flags[index][sheet->flags[index].is_shared ? 0 : view->player];
    case FORMULA_ROUND:
        return score->round;
    case FORMULA_PLAYERS:
        return score->player_count;
    case FORMULA_SCORE: /* the score's own formula does not use it: no recursion */
        return formula_evaluate(&sheet->score, value_of, view);
    default:
        return 0;
    }
}

int64_t score_evaluate(const struct sheet *sheet, const struct score *score,
                       const struct formula *formula, unsigned player)
{
    struct view view = {sheet, score, player};

    return formula_evaluate(formula, value_of, &view);
}

bool score_has_counter(const struct sheet *sheet, const struct score *score, unsigned counter,
                       unsigned player)
{
    const struct sheet_counter *it = &sheet->counters[counter];

    if (it->is_shared || player == SCORE_TABLE) {
        return it->is_shared && player == SCORE_TABLE;
    }
    return player <= score->player_count &&
           (!it->roles || it->roles & (1U << score->roles[player]));
}

/*
 * The beginning
 */

static bool refuse(struct text *problem, const char *sentence)
{
    text_add(problem, sentence);
    return false;
}

static bool are_roles_valid(const struct sheet *sheet, unsigned player_count, const unsigned *roles)
{
    unsigned taken = 0;

    for (unsigned i = 0; i < player_count; i++) {
        if (roles[i] >= sheet->role_count || taken & (1U << roles[i])) {
            return false;
        }
        taken |= 1U << roles[i];
    }
    return true;
}

bool score_begin(const struct sheet *sheet, unsigned player_count, const unsigned *roles,
                 struct score *score, struct text *problem)
{
    if (player_count < sheet->players_min || player_count > sheet->players_max) {
        char sentence[80];
        snprintf(sentence, sizeof sentence, "This game is for %u to %u players.",
                 sheet->players_min, sheet->players_max);
        return refuse(problem, sentence);
    }
    if (sheet->role_count && (!roles || !are_roles_valid(sheet, player_count, roles))) {
        return refuse(problem, "Each player needs a role of their own.");
    }
    *score = (struct score){.round = 1, .first = 1, .player_count = player_count, .end = -1};
    for (unsigned i = 0; i < player_count && sheet->role_count; i++) {
        score->roles[i + 1] = roles[i];
    }
    for (unsigned player = 0; player <= player_count; player++) {
        for (unsigned i = 0; i < sheet->counter_count; i++) {
            score->counters[i][player] = sheet->counters[i].start;
            score->highest[i][player] = sheet->counters[i].start;
        }
        for (unsigned i = 0; i < sheet->flag_count; i++) {
            score->flags[i][player] = sheet->flags[i].start;
        }
    }
    return true;
}

/*
 * Steps
 */

static void end_game(const struct sheet *sheet, struct score *score, int end, unsigned player)
{
    score->end = end;
    score->ended_by = player;
    score->phase = sheet->final[0] ? SCORE_FINAL : SCORE_OVER;
}

/* Ends the game if an end of this kind holds for a player; whoever made the change comes first. */
static void look_for_end(const struct sheet *sheet, struct score *score, enum sheet_at at,
                         unsigned player)
{
    for (unsigned i = 0; i < sheet->end_count; i++) {
        unsigned seat = player ? player : score->first;
        for (unsigned tried = 0; tried < score->player_count && sheet->ends[i].at == at; tried++) {
            if (score_evaluate(sheet, score, &sheet->ends[i].when, seat)) {
                end_game(sheet, score, (int)i, seat);
                return;
            }
            seat = seat % score->player_count + 1;
        }
    }
}

static bool refuse_player(const struct score *score, bool is_shared, struct text *problem)
{
    char sentence[80];

    if (is_shared) {
        return refuse(problem, "That belongs to the table, not to a player.");
    }
    snprintf(sentence, sizeof sentence, "Expected one of the players 1 to %u.",
             score->player_count);
    return refuse(problem, sentence);
}

static bool count(const struct sheet *sheet, struct score *score, const struct score_change *change,
                  struct text *problem)
{
    const struct sheet_counter *counter = &sheet->counters[change->index];
    int32_t *value = &score->counters[change->index][change->player];
    int64_t next = change->is_set ? change->number : (int64_t)*value + change->number;
    char sentence[SHEET_TEXT_SIZE + 80];

    if (!score_has_counter(sheet, score, change->index, change->player)) {
        bool has_role =
            !counter->is_shared && change->player > 0 && change->player <= score->player_count;
        return has_role ? refuse(problem, "This player's role does not have that counter.")
                        : refuse_player(score, counter->is_shared, problem);
    }
    if (counter->when == SHEET_FINAL && score->phase != SCORE_FINAL) {
        snprintf(sentence, sizeof sentence, "%s is counted in the final step.", counter->label);
        return refuse(problem, sentence);
    }
    if (next < counter->min || next > counter->max) {
        snprintf(sentence, sizeof sentence, "%s: expected %d to %d.", counter->label, counter->min,
                 counter->max);
        return refuse(problem, sentence);
    }
    *value = (int32_t)next;
    if (*value > score->highest[change->index][change->player]) {
        score->highest[change->index][change->player] = *value;
    }
    return true;
}

static bool set_flag(const struct sheet *sheet, struct score *score,
                     const struct score_change *change, struct text *problem)
{
    bool is_shared = sheet->flags[change->index].is_shared;

    if (is_shared ? change->player != SCORE_TABLE
                  : change->player == SCORE_TABLE || change->player > score->player_count) {
        return refuse_player(score, is_shared, problem);
    }
    score->flags[change->index][change->player] = change->number;
    return true;
}

/* The round counts before it ends: in the tenth round, round is 10. */
static void end_round(const struct sheet *sheet, struct score *score)
{
    look_for_end(sheet, score, SHEET_ROUND, 0);
    if (score->phase == SCORE_PLAYING) {
        score->round++;
        score->first = sheet->first_moves ? score->first % score->player_count + 1 : score->first;
    }
}

static bool finish(const struct sheet *sheet, struct score *score, struct text *problem)
{
    if (score->phase == SCORE_FINAL) {
        score->phase = SCORE_OVER;
        return true;
    }
    for (unsigned i = 0; i < sheet->end_count; i++) {
        const struct sheet_rule *rule = &sheet->ends[i];
        if (rule->at == SHEET_CALL &&
            (!rule->when.count || score_evaluate(sheet, score, &rule->when, score->first))) {
            end_game(sheet, score, (int)i, 0);
            return true;
        }
    }
    return refuse(problem, "This game does not end yet.");
}

bool score_step(const struct sheet *sheet, struct score *score, const struct score_change *change,
                struct text *problem)
{
    if (score->phase == SCORE_OVER) {
        return refuse(problem, "The game is over: only undo can change it.");
    }
    switch (change->verb) {
    case SCORE_COUNT:
        if (!count(sheet, score, change, problem)) {
            return false;
        }
        break;
    case SCORE_FLAG:
        if (!set_flag(sheet, score, change, problem)) {
            return false;
        }
        break;
    case SCORE_ROUND:
        if (score->phase == SCORE_FINAL) {
            return refuse(problem, "The rounds are over: finish the final step.");
        }
        end_round(sheet, score);
        break;
    case SCORE_FINISH:
        return finish(sheet, score, problem);
    default:
        return refuse(problem, "There is no such change.");
    }
    if (score->phase == SCORE_PLAYING) {
        look_for_end(sheet, score, SHEET_ONCE, change->player);
    }
    return true;
}

/*
 * The result
 */

/* Above 0: `one` is better. */
static int compare(const struct view *view, unsigned one, unsigned other)
{
    const struct sheet *sheet = view->sheet;
    const struct score *score = view->score;
    int64_t difference = score_evaluate(sheet, score, &sheet->score, one) -
                         score_evaluate(sheet, score, &sheet->score, other);

    if (sheet->winner == SHEET_ENDER && score->ended_by &&
        (score->ended_by == one) != (score->ended_by == other)) {
        return score->ended_by == one ? 1 : -1;
    }
    if (sheet->winner == SHEET_LEAST) {
        difference = -difference;
    }
    for (unsigned i = 0; i < sheet->tie_count && !difference; i++) {
        difference = score_evaluate(sheet, score, &sheet->ties[i], one) -
                     score_evaluate(sheet, score, &sheet->ties[i], other);
    }
    return (difference > 0) - (difference < 0);
}

unsigned score_rank(const struct sheet *sheet, const struct score *score,
                    struct score_rank ranking[SHEET_PLAYERS_MAX])
{
    struct view view = {sheet, score, 0};
    unsigned winners = 0;

    for (unsigned player = 1; player <= score->player_count; player++) {
        struct score_rank rank = {
            .player = player,
            .place = 1,
            .score = score_evaluate(sheet, score, &sheet->score, player),
        };
        unsigned at = player - 1;
        for (unsigned other = 1; other <= score->player_count; other++) {
            rank.place += compare(&view, player, other) < 0;
        }
        winners += rank.place == 1;
        for (; at > 0 && ranking[at - 1].place > rank.place; at--) {
            ranking[at] = ranking[at - 1];
        }
        ranking[at] = rank;
    }
    return winners;
}

const char *score_title(const struct sheet *sheet, const struct score *score, unsigned player)
{
    for (unsigned i = 0; i < sheet->title_count; i++) {
        if (score_evaluate(sheet, score, &sheet->titles[i].when, player)) {
            return sheet->titles[i].text;
        }
    }
    return NULL;
}

/*
 * Changes as lines
 */

void score_write_change(const struct sheet *sheet, const struct score_change *change,
                        char line[SCORE_CHANGE_SIZE])
{
    struct text text = text_begin(line, SCORE_CHANGE_SIZE);
    bool is_flag = change->verb == SCORE_FLAG;

    text_add(&text, verbs[change->verb]);
    if (change->verb != SCORE_COUNT && !is_flag) {
        return;
    }
    text_add(&text, " ");
    text_add(&text,
             is_flag ? sheet->flags[change->index].name : sheet->counters[change->index].name);
    if (change->player != SCORE_TABLE) {
        text_add(&text, " player=");
        text_add_number(&text, change->player);
    }
    if (is_flag) {
        text_add(&text, change->number ? " value=yes" : " value=no");
    } else {
        text_add(&text, change->is_set ? " to=" : " by=");
        text_add_number(&text, change->number);
    }
}

/* Takes the next word of a line; false at its end. */
static bool next_word(const char **line, char word[SHEET_NAME_SIZE])
{
    const char *start = *line + strspn(*line, " ");
    size_t length = strcspn(start, " ");
    struct text text = text_begin(word, SHEET_NAME_SIZE);

    text_add_some(&text, start, length);
    *line = start + length;
    return length > 0;
}

static bool read_number(const char *digits, int32_t *number)
{
    char *end;
    long read = strtol(digits, &end, 10);

    if (end == digits || *end || labs(read) > 2L * SHEET_VALUE_MAX) {
        return false;
    }
    *number = (int32_t)read;
    return true;
}

/* `player=2`, `by=3`, `to=12` or `value=yes`. */
static bool read_field(const char *word, struct score_change *change, bool *has_number)
{
    int32_t number = 0;

    if (strncmp(word, "player=", 7) == 0) {
        bool is_player = read_number(word + 7, &number) && number > 0 &&
                         number <= SHEET_PLAYERS_MAX && change->player == SCORE_TABLE;
        change->player = (unsigned)number;
        return is_player;
    }
    bool is_first = !*has_number;
    *has_number = true;
    if (change->verb == SCORE_FLAG) {
        change->number = strcmp(word, "value=yes") == 0;
        return is_first && (change->number || strcmp(word, "value=no") == 0);
    }
    change->is_set = strncmp(word, "to=", 3) == 0;
    return is_first && (change->is_set || strncmp(word, "by=", 3) == 0) &&
           read_number(word + 3, &change->number);
}

bool score_read_change(const struct sheet *sheet, const char *line, struct score_change *change,
                       struct text *problem)
{
    char word[SHEET_NAME_SIZE];
    bool has_number = false;
    unsigned verb = 0;

    *change = (struct score_change){0};
    next_word(&line, word);
    while (verb < SCORE_VERB_COUNT && strcmp(verbs[verb], word) != 0) {
        verb++;
    }
    if (verb == SCORE_VERB_COUNT) {
        return refuse(problem, "Expected count, flag, round or finish.");
    }
    change->verb = (enum score_verb)verb;
    if (verb == SCORE_ROUND || verb == SCORE_FINISH) {
        return !next_word(&line, word) || refuse(problem, "Expected nothing behind this word.");
    }
    next_word(&line, word);
    int index = verb == SCORE_FLAG ? sheet_find_flag(sheet, word) : sheet_find_counter(sheet, word);
    if (index < 0) {
        return refuse(problem, verb == SCORE_FLAG ? "The sheet has no such flag."
                                                  : "The sheet has no such counter.");
    }
    change->index = (unsigned)index;
    while (next_word(&line, word)) {
        if (!read_field(word, change, &has_number)) {
            return refuse(problem, verb == SCORE_FLAG
                                       ? "Expected player=NUMBER and value=yes or no."
                                       : "Expected player=NUMBER and by=NUMBER or "
                                         "to=NUMBER.");
        }
    }
    return has_number || refuse(problem, "Expected a value.");
}
