/*
 * Sentences from templates. A word in braces is a field of the event or input; besides those there
 * are {player} (whose turn it is), {by} (the name of that player), {winners}, {phase} and {length}
 * (the knots with their unit).
 */
#include "rules/say.h"

#include "rules/fields.h"
#include "rules/text.h"
#include "rules_internal.h"

#include <string.h>

/* For an event as such, and below for an event by a certain rule. */
static const char *const event_sentences[EVENT_COUNT] = {
    [EVENT_GAME_STARTED] = "The game begins; {by} has the first turn.",
    [EVENT_TURN_STARTED] = "It is {player}'s turn.",
    [EVENT_PHASE_STARTED] = "{player}: {phase}.",
    [EVENT_AIMED] = "{player} aims from {piece}.",
    [EVENT_SHOT_FIRED] = "{player} fires.",
    [EVENT_SHOT_HIT] = "The ball hits {piece}.",
    [EVENT_SHOT_OVER] = "The shot is over.",
    [EVENT_PIECE_TOPPLED] = "{piece} topples.",
    [EVENT_PIECE_CAPTURED] = "{by} captures {piece}.",
    [EVENT_PIECE_LOST] = "The {with} takes {piece}, which is lost for all.",
    [EVENT_PIECE_REPAIRED] = "{piece} is repaired and stands again.",
    [EVENT_PIECE_RESTORED] = "{piece} stands again.",
    [EVENT_DISTURBANCE] = "Something fell without a shot: put {pieces} back up.",
    [EVENT_FOUL] = "Foul: this shot does not count. Take the ball back and raise what it toppled.",
    [EVENT_MOVE_ROLLED] = "{player} rolls a {value}.",
    [EVENT_PIECE_SELECTED] = "The rope measures {piece}; knots left: {left}.",
    [EVENT_PIECE_MOVED] = "{piece} moves; knots used: {cost}, left: {left}.",
    [EVENT_ROPE_OVER] = "The rope is too far out: {knots} knots, and only {left} left.",
    [EVENT_COMBAT_STARTED] = "{attacker} attacks {target}.",
    [EVENT_COMBAT_ROLLED] = "{attacker} against {target}: {value}.",
    [EVENT_COMBAT_ENDED] = "The close combat of {attacker} and {target} is over.",
    [EVENT_CHEST_TAKEN] = "{piece} takes the chest.",
    [EVENT_CHEST_MOVED] = "The chest goes back to the island.",
    [EVENT_BARREL_LOADED] = "{piece} loads the barrel for {barrel} at {harbour}.",
    [EVENT_BARREL_DELIVERED] = "{piece} delivers a barrel at {harbour} for {by}.",
    [EVENT_BARREL_MOVED] = "The barrel for {barrel} goes from {piece} to {to}.",
    [EVENT_WIND_CAUGHT] = "{piece} catches the wind; knots left: {left}.",
    [EVENT_WIND_MOVED] = "{player} moves the wind; knots left: {left}.",
    [EVENT_SHIP_ENTANGLED] = "The kraken holds {piece}.",
    [EVENT_SHIP_RELEASED] = "The kraken lets {piece} go.",
    [EVENT_MONSTER_WOUNDED] = "The monster is wounded, lives left: {lives}. Stand it up again.",
    [EVENT_MONSTER_KILLED] = "{by} kills the monster.",
    [EVENT_PLAYER_OUT] = "{by} has lost everything and is out.",
    [EVENT_GAME_OVER] = "The game is over. {winners} won.",
    [EVENT_UNDONE] = "The last step was taken back.",
    [EVENT_SENSOR_FAULT] = "Sensor fault: {sensor} is {health}. Use the phone instead.",
    [EVENT_SENSOR_OK] = "Sensor {sensor} works again.",
};

static const struct {
    enum event_kind kind;
    enum rule rule;
    const char *sentence;
} sentences_by_rule[] = {
    {EVENT_SHOT_OVER, RULE_S6,
     "The shot is over, and {pieces} took a hit. Shifted towers go back, ships stay."},
    {EVENT_PIECE_TOPPLED, RULE_A1, "{piece} topples and lies flat; leave it there."},
    {EVENT_PIECE_CAPTURED, RULE_C2, "{piece} surrenders to {with}: a trophy for {by}."},
    {EVENT_PIECE_CAPTURED, RULE_A4, "{with} takes the flat {piece}: a trophy for {by}."},
    {EVENT_PIECE_RESTORED, RULE_A3, "{piece} lies flat again."},
    {EVENT_DISTURBANCE, RULE_S5, "Friendly fire: put {pieces} back up."},
    {EVENT_DISTURBANCE, RULE_PS3, "{pieces} was hit by its own ball: put it back up."},
    {EVENT_DISTURBANCE, RULE_A3,
     "{pieces} was raised too early: lay it down until its owner's repair step."},
    {EVENT_DISTURBANCE, RULE_A6, "{pieces} stays flat until it is captured: lay it down again."},
    {EVENT_FOUL, RULE_S1, "Foul: {player} has no piece that may shoot. Take the ball back."},
    {EVENT_COMBAT_ENDED, RULE_SM4, "The monster is gone; the close combat is over."},
    {EVENT_CHEST_MOVED, RULE_TI2, "The chest goes from {piece} to {to}."},
};

/* What an undo took back; the event says so first. */
static const char *const undone_sentences[INPUT_COUNT] = {
    [INPUT_AIM] = "{player} aimed from {piece}.",
    [INPUT_FIRE] = "{player} fired.",
    [INPUT_TOPPLE] = "{piece} fell.",
    [INPUT_RAISE] = "{piece} was stood up.",
    [INPUT_ROLL_MOVE] = "{player} rolled a {value}.",
    [INPUT_SELECT] = "{player} chose {piece}.",
    [INPUT_MOVE] = "{player} moved {piece} by {length}.",
    [INPUT_ENGAGE] = "{attacker} attacked {target}.",
    [INPUT_ROLL_COMBAT] = "{attacker} against {target}: {value}.",
    [INPUT_END_PHASE] = "{player} ended the {phase} step.",
    [INPUT_TAKE_CHEST] = "{piece} took the chest.",
    [INPUT_LOAD_BARREL] = "{piece} loaded a barrel at {harbour}.",
    [INPUT_DELIVER_BARREL] = "{piece} delivered a barrel at {harbour}.",
    [INPUT_CATCH_WIND] = "{piece} caught the wind.",
    [INPUT_MOVE_WIND] = "{player} moved the wind.",
    [INPUT_ENTANGLE] = "{piece} was entangled by the kraken.",
    [INPUT_BALL_LEFT] = "{player} fired.",
    [INPUT_TOPPLED] = "{piece} fell.",
    [INPUT_RAISED] = "{piece} was stood up.",
    [INPUT_KNOCKED] = "{pieces} fell.",
};

static const struct {
    enum refusal refusal;
    enum rule rule;
    const char *sentence;
} refusals_by_rule[] = {
    {REFUSED_UNKNOWN_PIECE, RULE_G1, "{piece} does not take part in this game."},
    {REFUSED_BAD_VALUE, RULE_G1,
     "Two players need two harbours each, three or four players one each, all different."},
    {REFUSED_BAD_VALUE, RULE_G2, "The first player is not one of the players."},
    {REFUSED_BAD_VALUE, RULE_T1, "Team play needs four players in two teams of two."},
    {REFUSED_BAD_VALUE, RULE_ME1, "Each harbour's barrel must go to another harbour in play."},
    {REFUSED_NOT_IN_PHASE, RULE_S2, "The shot of this turn has already been fired."},
    {REFUSED_NOT_IN_PHASE, RULE_S4, "No shot is under way."},
    {REFUSED_NOT_IN_PHASE, RULE_S9, "No shot window ends now."},
    {REFUSED_NOT_YOURS, RULE_S1, "{piece} is not {player}'s, so {player} cannot shoot from it."},
    {REFUSED_IN_COMBAT, RULE_C4, "{piece} is in close combat and cannot shoot."},
    {REFUSED_FLAT, RULE_A2, "{piece} lies flat: it can neither shoot nor attack."},
    {REFUSED_FLAT, RULE_A5, "{piece} lies flat already."},
    {REFUSED_FLAT, RULE_S7, "{piece} is already on its side; put it back up."},
    {REFUSED_FLAT, RULE_SM3, "The monster must be stood up before it can topple again."},
    {REFUSED_BAD_VALUE, RULE_KR3, "The kraken is a tile: it cannot fall or be raised."},
    {REFUSED_BAD_VALUE, RULE_M1, "The die does not have {value} on it."},
    {REFUSED_MISSING_FIELD, RULE_M1, "Say what the die shows."},
    {REFUSED_NOT_YOURS, RULE_M1, "{piece} does not belong to {player}."},
    {REFUSED_NOTHING_THERE, RULE_M1, "{player} has no ship left to move."},
    {REFUSED_BAD_VALUE, RULE_M2, "Towers do not move."},
    {REFUSED_FLAT, RULE_M2, "{piece} lies flat and cannot move."},
    {REFUSED_IN_COMBAT, RULE_M2, "{piece} is in close combat and cannot move."},
    {REFUSED_NOTHING_THERE, RULE_NONE, "{piece} is already standing."},
    {REFUSED_BAD_VALUE, RULE_HW2, "The wind has its own command and moves one knot at a time."},
    {REFUSED_MISSING_FIELD, RULE_M5, "Say how many knots, or pull the rope."},
    {REFUSED_BAD_VALUE, RULE_M5, "That is not a valid length: pull the rope again."},
    {REFUSED_NOT_ENOUGH_POINTS, RULE_M5, "That is too far; knots left: {left}."},
    {REFUSED_NOT_YOURS, RULE_C1, "{attacker} does not belong to {player}."},
    {REFUSED_NOT_YOURS, RULE_PS2,
     "Only the player who moved the pirate ship this turn may attack with it."},
    {REFUSED_NOT_YOURS, RULE_SM2,
     "Only the player who moved the monster this turn may attack with it."},
    {REFUSED_NOT_YOURS, RULE_KR3, "The kraken does not attack."},
    {REFUSED_NOT_AN_ENEMY, RULE_SM2, "The monster can be shot at, but not attacked."},
    {REFUSED_NOT_AN_ENEMY, RULE_KR3, "Only the ship that the kraken holds can fight it."},
    {REFUSED_IN_COMBAT, RULE_C8, "{attacker} and {target} are already in close combat."},
    {REFUSED_ALREADY_ROLLED, RULE_C8, "This close combat has already been rolled this turn."},
    {REFUSED_NOT_YOURS, RULE_C5, "None of {player}'s pieces is in that close combat."},
    {REFUSED_MISSING_FIELD, RULE_C2, "Say what the die shows: flag or swords."},
    {REFUSED_BAD_VALUE, RULE_C2, "The die does not have that side."},
    {REFUSED_COMBAT_DUE, RULE_C5, "{player} must still roll for a close combat."},
    {REFUSED_NOTHING_THERE, RULE_S7, "No standing piece has fallen."},
    {REFUSED_NOTHING_THERE, RULE_M5, "The rope is not too far out."},
    {REFUSED_NOTHING_THERE, RULE_TI1, "The chest is not on the island."},
    {REFUSED_NOTHING_THERE, RULE_HW1, "{piece} has already caught the wind this turn."},
    {REFUSED_NOTHING_THERE, RULE_HW2, "The wind has already been moved this turn."},
    {REFUSED_NOT_ENOUGH_POINTS, RULE_HW2, "Moving the wind costs a point, and none is left."},
    {REFUSED_NOTHING_THERE, RULE_ME2, "No barrel lies at {harbour}."},
    {REFUSED_ALREADY_CARRYING, RULE_ME2, "{piece} already carries a barrel."},
    {REFUSED_NOTHING_THERE, RULE_ME3, "{piece} carries no barrel."},
    {REFUSED_WRONG_HARBOUR, RULE_ME3, "The barrel on {piece} does not go to {harbour}."},
    {REFUSED_CARRIES_BARREL, RULE_ME4, "{piece} carries a barrel: it cannot shoot or attack."},
    {REFUSED_NOTHING_THERE, RULE_KR2, "Move the kraken before laying it under a ship."},
    {REFUSED_BAD_VALUE, RULE_KR2, "The kraken holds ships only."},
    {REFUSED_NOT_ENOUGH_POINTS, RULE_KR4, "The kraken cannot move that far."},
};

static const char *sentence_of_event(const struct event *event)
{
    /* ME5 sends a barrel either way, so the rule alone does not tell. */
    if (event->kind == EVENT_BARREL_MOVED && event->harbour) {
        return "{piece} loses the barrel for {barrel}: put it back at {harbour}.";
    }
    for (size_t i = 0; i < sizeof sentences_by_rule / sizeof sentences_by_rule[0]; i++) {
        if (sentences_by_rule[i].kind == event->kind && sentences_by_rule[i].rule == event->rule) {
            return sentences_by_rule[i].sentence;
        }
    }
    return event_sentences[event->kind];
}

static const char *sentence_of_refusal(enum refusal refusal, enum rule rule)
{
    for (size_t i = 0; i < sizeof refusals_by_rule / sizeof refusals_by_rule[0]; i++) {
        if (refusals_by_rule[i].refusal == refusal && refusals_by_rule[i].rule == rule) {
            return refusals_by_rule[i].sentence;
        }
    }
    return rules_refusal_sentence(refusal);
}

static const char *player_name(const struct game *game, unsigned player)
{
    return player && player <= game->setup.players ? game->setup.seats[player].name : "nobody";
}

/* "one", "one and two", "one, two and three" */
static void add_to_list(struct text *text, const char *word, unsigned index, unsigned count)
{
    if (index > 0) {
        text_add(text, index + 1 == count ? " and " : ", ");
    }
    text_add(text, word);
}

static void add_players(struct text *text, const struct game *game, uint32_t players)
{
    unsigned index = 0;

    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        if (players & bit(player)) {
            add_to_list(text, player_name(game, player), index++, count_bits(players));
        }
    }
}

static void add_pieces(struct text *text, uint32_t pieces)
{
    unsigned index = 0;

    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (pieces & bit(piece)) {
            add_to_list(text, rules_piece_name((enum piece)piece), index++, count_bits(pieces));
        }
    }
}

static void add_value(struct text *text, const struct game *game, const struct value *value)
{
    switch (value->kind) {
    case VALUE_NONE:
        text_add(text, text->length ? "a ship" : "A ship");
        break;
    case VALUE_NAME:
        text_add(text, value->name);
        break;
    case VALUE_NUMBER:
        text_add_number(text, value->number);
        break;
    case VALUE_MILLI:
        text_add_milli(text, value->number);
        break;
    case VALUE_PIECES:
        add_pieces(text, value->set);
        break;
    case VALUE_PLAYERS:
        add_players(text, game, value->set);
        break;
    case VALUE_RANKING:
        break;
    }
}

static bool is_word(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

/* The value of a die is a number, but a face in close combat. */
static bool value_is_face(const struct event *event)
{
    return event->kind == EVENT_COMBAT_ROLLED || event->undone == INPUT_ROLL_COMBAT;
}

/* Puts in what a word in braces stands for. */
static void add_word(struct text *text, const struct game *game, const struct event *event,
                     const char *word, size_t length)
{
    if (is_word(word, length, "player")) {
        text_add(text, player_name(game, event->player));
        return;
    }
    if (is_word(word, length, "by")) {
        text_add(text, player_name(game, event->by));
        return;
    }
    if (is_word(word, length, "length")) {
        text_add_milli(text, event->knots_milli);
        text_add(text, event->knots_milli == KNOT ? " knot" : " knots");
        return;
    }
    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        if (is_word(word, length, field_key((enum field)field))) {
            bool face = field == FIELD_DIE && value_is_face(event);
            struct value value = event_value(event, face ? FIELD_FACE : (enum field)field);
            add_value(text, game, &value);
            return;
        }
    }
}

static size_t expand_into(struct text *text, const char *sentence, const struct game *game,
                          const struct event *event)
{
    while (*sentence) {
        size_t plain = strcspn(sentence, "{");
        text_add_some(text, sentence, plain);
        sentence += plain;
        if (*sentence == '{') {
            size_t length = strcspn(sentence, "}");
            add_word(text, game, event, sentence + 1, length - 1);
            sentence += length + 1;
        }
    }
    return text->length;
}

static size_t expand(const char *sentence, const struct game *game, const struct event *event,
                     char *buffer, size_t size)
{
    struct text text = text_begin(buffer, size);

    return expand_into(&text, sentence, game, event);
}

/* NULL: the event says that only a step was taken back. */
static const char *undone_sentence(const struct event *event)
{
    if (event->undone == INPUT_ROLL_COMBAT && event->value == FACE_NONE) { /* A4 */
        return "{attacker} against {target}, without a roll.";
    }
    return undone_sentences[event->undone];
}

size_t say_event(const struct game *game, const struct event *event, char *text, size_t size)
{
    if (event->kind == EVENT_UNDONE && undone_sentence(event)) {
        struct text whole = text_begin(text, size);
        text_add(&whole, "Taken back: ");
        return expand_into(&whole, undone_sentence(event), game, event);
    }
    return expand(sentence_of_event(event), game, event, text, size);
}

size_t say_undone(const struct game *game, const struct event *event, char *text, size_t size)
{
    return expand(undone_sentence(event), game, event, text, size);
}

static bool is_true_of(const struct game *game, enum refusal refusal, enum piece piece)
{
    switch (refusal) {
    case REFUSED_UNKNOWN_PIECE:
        return (unsigned)piece >= PIECE_COUNT || game->status[piece] == STATUS_ABSENT;
    case REFUSED_OUT_OF_PLAY:
        return !rules_in_play(game, piece);
    case REFUSED_FLAT:
        return game->status[piece] == STATUS_FLAT;
    case REFUSED_CARRIES_BARREL:
        return rules_barrel_of(game, piece) != HARBOUR_NONE;
    default:
        return true;
    }
}

/* Where two pieces are named, either of them can be the reason of a refusal. */
static enum piece piece_refused(const struct game *game, const struct input *input,
                                enum refusal refusal)
{
    return input->other && !is_true_of(game, refusal, input->piece) ? input->other : input->piece;
}

size_t say_refusal(const struct game *game, const struct input *input, enum refusal refusal,
                   enum rule rule, char *text, size_t size)
{
    struct event event = {
        .player = game->player,
        .piece = piece_refused(game, input, refusal),
        .other = input->other,
        .harbour = input->harbour,
        .value = input->value,
        .phase = game->phase,
        .left = rules_knots_left(game, input->piece < PIECE_COUNT ? input->piece : PIECE_NONE),
    };

    return expand(sentence_of_refusal(refusal, rule), game, &event, text, size);
}
