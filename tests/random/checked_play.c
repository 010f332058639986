#include "checked_play.h"

#include "fault.h"
#include "rules/fields.h"
#include "rules/line.h"
#include "rules/say.h"
#include "sweep.h"
#include "tests/support/sweep_step.h"

#include <string.h>

enum {
    NUMBER_IN_LINE_MAX = 999999999,
    /* The commands that are possible are listed in one of so many positions, with sanitizers, */
    POSITIONS_A_LIST = 4,
    POSITIONS_A_SWEEP = 32, /* and all commands are tried in one of so many, or 8 times as many */
};

void checked_begin(struct checked_play *checked, unsigned capacity)
{
    play_begin(&checked->play, checked->past, capacity);
    checked->sensed = 0;
    checked->seen = 0;
    checked->events_seen = 0;
    checked->events_hash = 0;
    checked->listed = 0;
    checked->swept = 0;
    checked->tried = 0;
    checked->is_listed = true;
    sweep_list(&checked->play, &checked->choices);
}

/* FNV-1a, going on from an earlier hash. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;

    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

uint64_t hash_events(uint64_t hash, const struct outcome *out)
{
    for (unsigned i = 0; i < out->count; i++) {
        const struct event *event = &out->events[i];
        char line[LINE_SIZE];
        size_t length = line_write_event(event, line, sizeof line);

        hash = hash_bytes(hash, line, length < sizeof line ? length : sizeof line);
        hash = hash_bytes(hash, &event->seq, sizeof event->seq);
        hash = hash_bytes(hash, &event->turn, sizeof event->turn);
        hash = hash_bytes(hash, &event->player, sizeof event->player);
    }
    return hash;
}

/* Whether a text has a hole where a word should be. */
static bool has_hole(const char *text)
{
    return strpbrk(text, "{}?") || strstr(text, "nobody");
}

/* Only a rope that was pulled without naming the piece may speak of "a ship". */
static bool is_vague(const struct event *event, const char *sentence)
{
    return event->kind != EVENT_PIECE_MOVED && event->kind != EVENT_ROPE_OVER &&
           event->undone != INPUT_MOVE && strstr(sentence, "a ship");
}

static const char *check_event(struct checked_play *checked, const struct event *event,
                               const struct game *before)
{
    const struct game *game = &checked->play.game;
    char line[LINE_SIZE];
    char sentence[SENTENCE_SIZE];

    if (event->kind <= EVENT_NONE || event->kind >= EVENT_COUNT || event->rule >= RULE_COUNT) {
        return "an event is one of the list";
    }
    if (event->turn != game->turn.number && event->turn != before->turn.number) {
        return "an event belongs to the turn before or after the step";
    }
    if (event->player < 1 || (event->player != game->player && event->player != before->player)) {
        return "an event belongs to the player before or after the step";
    }
    if (line_write_event(event, line, sizeof line) >= sizeof line || has_hole(line)) {
        return "an event has a line in which every word is known";
    }
    size_t said = say_event(game, event, sentence, sizeof sentence);
    if (said == 0 || said >= sizeof sentence || has_hole(sentence) || is_vague(event, sentence)) {
        return "an event has a sentence without holes";
    }
    checked->events_seen |= UINT64_C(1) << event->kind;
    return NULL;
}

static bool is_sighting_only(const struct checked_play *checked, const struct input *input,
                             const struct game *before)
{
    struct game expected = *before;

    expected.lying = checked->play.game.lying;
    expected.declared = checked->play.game.declared;
    return (input->kind == INPUT_TOPPLED || input->kind == INPUT_RAISED ||
            input->kind == INPUT_KNOCKED) &&
           memcmp(&expected, &checked->play.game, sizeof expected) == 0;
}

static const char *check_events(struct checked_play *checked, const struct input *input,
                                const struct game *before, const struct outcome *out)
{
    static const struct game empty_table = {0};

    if (input->kind == INPUT_NEW_GAME) {
        before = &empty_table;
    }
    uint32_t seq = before->seq;
    if (out->count > EVENTS_MAX || (out->count == 0 && !is_sighting_only(checked, input, before))) {
        return "what is accepted causes an event, unless it is only remembered how a piece lies";
    }
    for (unsigned i = 0; i < out->count; i++) {
        if (out->events[i].seq != ++seq) {
            return "seq has no gaps";
        }
        const char *failure = check_event(checked, &out->events[i], before);
        if (failure) {
            return failure;
        }
    }
    return checked->play.game.seq == seq ? NULL : "the game's seq is that of its last event";
}

static const char *check_deadline(const struct game *game, const struct outcome *out)
{
    bool open = game->turn.shot == SHOT_OPEN;

    if (out->deadline_us != rules_deadline(game)) {
        return "the outcome's deadline is the game's";
    }
    if ((out->deadline_us != 0) != open) {
        return "there is a deadline while a shot is open";
    }
    return !open || out->deadline_us >= game->turn.shot_at_us ? NULL
                                                              : "a deadline is after its shot";
}

static const char *check_refusal(const struct play *before, const struct play *after,
                                 const struct input *input, const struct outcome *out, int refusal)
{
    char sentence[SENTENCE_SIZE];

    if (memcmp(before, after, sizeof *before) != 0) {
        return "a refusal changes nothing";
    }
    if (refusal < 0 || refusal >= REFUSAL_COUNT || out->rule >= RULE_COUNT) {
        return "a refusal is one of the list";
    }
    if (out->count || out->deadline_us) {
        return "a refusal has neither events nor a deadline";
    }
    size_t said = say_refusal(&after->game, input, (enum refusal)refusal, out->rule, sentence,
                              sizeof sentence);
    return said > 0 && said < sizeof sentence && !strpbrk(sentence, "{}")
               ? NULL
               : "a refusal has a sentence without holes";
}

/* Keeps checked->before in step with the past of the play, which may forget its older half. */
static void remember(struct checked_play *checked, const struct play *before)
{
    if (checked->play.count == 0) {
        return; /* a new game */
    }
    if (checked->play.count <= before->count) {
        unsigned forgotten = before->count + 1 - checked->play.count;
        memmove(checked->before, checked->before + forgotten,
                (before->count - forgotten) * sizeof checked->before[0]);
    }
    checked->before[checked->play.count - 1] = before->game;
}

/* Undo gives back the game before the input; what sensors saw, and notes, stay as they are. */
static const char *check_undo(const struct checked_play *checked, const struct event *undone)
{
    struct game expected = checked->before[checked->play.count];

    if (undone->from != checked->past[checked->play.count].first_seq || undone->from > undone->to ||
        undone->to >= undone->seq) {
        return "undone names the events that were taken back";
    }
    expected.seq = checked->play.game.seq;
    expected.lying = checked->play.game.lying;
    expected.declared = checked->play.game.declared;
    expected.turn.rope_over = checked->play.game.turn.rope_over;
    return memcmp(&expected, &checked->play.game, sizeof expected) == 0
               ? NULL
               : "undo gives back the game as it was";
}

/* Whether line_write_input can say all that there is in this input. */
static bool has_line(const struct input *input)
{
    uint32_t fields = rules_input_fields(input->kind);

    return rules_input_source(input->kind) != SOURCE_NONE && (unsigned)input->piece < PIECE_COUNT &&
           (unsigned)input->other < PIECE_COUNT && (unsigned)input->harbour < HARBOUR_COUNT &&
           (unsigned)input->health < HEALTH_COUNT && input->knots_milli >= 0 &&
           input->knots_milli <= NUMBER_IN_LINE_MAX &&
           input->value <= ((fields & FIELD(FACE)) ? FACE_COUNT - 1 : NUMBER_IN_LINE_MAX) &&
           input->speed_mmps <= NUMBER_IN_LINE_MAX &&
           !(input->pieces & ~((UINT32_C(1) << PIECE_COUNT) - 2)) &&
           memchr(input->sensor, '\0', SENSOR_SIZE) && input_check_complete(input) == 0;
}

/* The input with nothing but the fields that its kind has. */
static struct input input_only_fields(const struct input *input)
{
    uint32_t fields = rules_input_fields(input->kind);
    struct input only = {.kind = input->kind};

    only.piece = (fields & (FIELD(PIECE) | FIELD(ATTACKER))) ? input->piece : PIECE_NONE;
    only.other = (fields & FIELD(TARGET)) ? input->other : PIECE_NONE;
    only.harbour = (fields & FIELD(HARBOUR)) ? input->harbour : HARBOUR_NONE;
    only.value = (fields & (FIELD(DIE) | FIELD(FACE) | FIELD(LATE))) ? input->value : 0;
    only.knots_milli = (fields & FIELD(KNOTS)) ? input->knots_milli : 0;
    only.pieces = (fields & FIELD(PIECES)) ? input->pieces : 0;
    only.speed_mmps = (fields & FIELD(SPEED)) ? input->speed_mmps : 0;
    only.health = (fields & FIELD(HEALTH)) ? input->health : HEALTH_NONE;
    if (fields & FIELD(SENSOR)) {
        memcpy(only.sensor, input->sensor, SENSOR_SIZE);
    }
    return only;
}

static bool is_same_input(const struct input *one, const struct input *two)
{
    return one->kind == two->kind && one->piece == two->piece && one->other == two->other &&
           one->harbour == two->harbour && one->value == two->value &&
           one->knots_milli == two->knots_milli && one->pieces == two->pieces &&
           one->speed_mmps == two->speed_mmps && one->health == two->health &&
           memcmp(one->sensor, two->sensor, SENSOR_SIZE) == 0;
}

static const char *check_line(const struct input *input)
{
    char line[LINE_SIZE];
    struct input read;

    if (!has_line(input)) {
        return NULL;
    }
    struct input said = input_only_fields(input);
    if (line_write_input(input, line, sizeof line) >= sizeof line || has_hole(line)) {
        return "an input has a line in which every word is known";
    }
    return line_read_input(line, &read) == 0 && is_same_input(&said, &read)
               ? NULL
               : "a line that was written reads as the same input";
}

/* The input of this step, if it is a command, is accepted exactly if it was in the list. */
static const char *check_listed(struct checked_play *checked, const struct game *before,
                                const struct input *input, int refusal)
{
    struct input only;

    if (!checked->is_listed || !sweep_covers(input->kind)) {
        return NULL;
    }
    only = input_only_fields(input);
    if (!is_same_input(&only, input)) {
        return NULL; /* no command: it has fields that its kind does not have */
    }
    checked->listed++;
    return (sweep_find(&checked->choices, before, input) != NULL) == (refusal == 0)
               ? NULL
               : "the list of possible commands says whether a command is accepted";
}

/* Chosen by where the pieces are, so that a shrunk input list still comes by. */
static bool is_one_of(const struct game *game, unsigned positions)
{
    struct game position = *game;

    position.seq = 0;
    position.turn.number = 0;
    position.turn.shot_at_us = 0;
    position.turn.counts_until_us = 0;
    return rules_hash(&position) % positions == 0;
}

static const char *check_choices(struct checked_play *checked, uint64_t at_us)
{
    const struct game *game = &checked->play.game;

    checked->is_listed = is_one_of(game, sweep_step(POSITIONS_A_LIST));
    if (!checked->is_listed) {
        return NULL;
    }
    sweep_list(&checked->play, &checked->choices);
    if (!is_one_of(game, POSITIONS_A_SWEEP * sweep_step(8))) {
        return NULL;
    }
    checked->swept++;
    return sweep_commands(&checked->play, &checked->choices, at_us, &checked->tried);
}

/* What tilt sensors have seen, told from their side: no undo and no end of a game matters. */
static void note_sensors(struct checked_play *checked, const struct input *input, int refusal)
{
    const struct game *game = &checked->play.game;
    bool of_piece = (unsigned)input->piece < PIECE_COUNT;
    uint32_t pieces = of_piece ? UINT32_C(1) << input->piece : 0;

    switch (input->kind) {
    case INPUT_NEW_GAME:
        checked->sensed = refusal ? checked->sensed : 0;
        return;
    case INPUT_TOPPLE:
    case INPUT_RAISE:
        checked->sensed &= refusal ? checked->sensed : ~pieces;
        return;
    case INPUT_KNOCKED:
        pieces = input->pieces;
        break;
    case INPUT_TOPPLED:
    case INPUT_RAISED:
        break;
    default:
        return;
    }
    pieces &= game->phase == PHASE_LOBBY ? 0 : rules_standing_pieces(&game->setup);
    checked->sensed |= pieces;
    checked->seen = input->kind == INPUT_RAISED ? checked->seen & ~pieces : checked->seen | pieces;
}

static const char *check_sensors(const struct checked_play *checked)
{
    return ((checked->play.game.lying ^ checked->seen) & checked->sensed)
               ? "a piece lies as its sensor saw it, unless a person has spoken since"
               : NULL;
}

/*
 * No player is ever stuck: what must always be possible is tried on a copy of the game.
 */

static bool is_running(const struct game *game)
{
    return game->phase != PHASE_LOBBY && game->phase != PHASE_OVER;
}

/* Whether the input is accepted; game is then the game after it. */
static bool leads_on(struct game *game, const struct input *input)
{
    struct outcome out;

    return rules_step(game, input, &out) == 0;
}

/* C5: every close combat that is due can be rolled for, and then the step can be ended. */
static bool can_end_step(struct game game)
{
    const struct house *house = &game.setup.house;
    const struct input end = {.kind = INPUT_END_PHASE, .at_us = game.turn.shot_at_us};

    for (unsigned i = 0; game.phase == PHASE_COMBAT && i < game.combat_count;) {
        struct input roll = {
            .kind = INPUT_ROLL_COMBAT,
            .piece = game.combats[i].attacker,
            .other = game.combats[i].target,
            .value = house->combat_die[0],
        };
        if (!rules_combat_due(&game, i)) {
            i++;
        } else if (!leads_on(&game, &roll)) {
            return false;
        } else {
            i = 0; /* a flag may have ended several */
        }
    }
    return !is_running(&game) || leads_on(&game, &end);
}

/* A piece that is not as the game says can be put right by saying so. */
static bool can_put_right(struct game game, enum piece piece)
{
    bool lies = game.lying & (UINT32_C(1) << piece);
    const struct input input = {.kind = lies ? INPUT_RAISE : INPUT_TOPPLE, .piece = piece};

    return leads_on(&game, &input) && !rules_disturbed(&game, piece);
}

/* SM3: the wounded monster can be stood up. */
static bool can_stand_up(struct game game)
{
    const struct input raise = {.kind = INPUT_RAISE, .piece = PIECE_MONSTER};

    return leads_on(&game, &raise) && !game.scenario.monster.down;
}

/* Whether the step may have changed what can be done about a piece; saves most of the tries. */
static bool is_news(const struct game *before, const struct game *game, enum piece piece)
{
    return before->phase != game->phase ||
           rules_disturbed(before, piece) != rules_disturbed(game, piece);
}

static const char *check_not_stuck(const struct game *before, const struct game *game)
{
    if (!is_running(game)) {
        return NULL;
    }
    for (enum piece piece = PIECE_RED_1; piece < PIECE_COUNT; piece++) {
        if (rules_disturbed(game, piece) && is_news(before, game, piece) &&
            !can_put_right(*game, piece)) {
            return "a disturbed piece can be put right";
        }
    }
    if (game->setup.scenario == SCENARIO_SEA_MONSTER && game->scenario.monster.down &&
        !can_stand_up(*game)) {
        return "the wounded monster can be stood up";
    }
    return can_end_step(*game) ? NULL : "the step can be ended, after the rolls that are due";
}

const char *checked_step(struct checked_play *checked, const struct input *input,
                         struct outcome *out, int *refusal)
{
    const struct play before = checked->play;
    const struct game *game = &checked->play.game;
    const char *failure = check_line(input);

    *refusal = play_step(&checked->play, input, out);
    note_sensors(checked, input, *refusal);
    if (!failure) {
        failure = check_sensors(checked);
    }
    if (!failure) {
        failure = check_listed(checked, &before.game, input, *refusal);
    }
    if (failure) {
        return failure;
    }
    if (*refusal) {
        return check_refusal(&before, &checked->play, input, out, *refusal);
    }
    checked->events_hash = hash_events(checked->events_hash, out);
    failure = check_events(checked, input, &before.game, out);
    if (!failure) {
        failure = check_deadline(game, out);
    }
    if (!failure && input->kind == INPUT_UNDO) {
        failure = check_undo(checked, &out->events[0]);
    } else if (!failure && out->count && rules_input_source(input->kind) != SOURCE_NOTE) {
        remember(checked, &before);
    }
    if (!failure) {
        failure = rules_violation(game);
    }
    if (!failure) {
        failure = check_not_stuck(&before.game, game);
    }
    if (!failure) {
        failure = check_choices(checked, input->at_us);
    }
    return failure ? failure : planted_fault(checked->events_seen);
}
