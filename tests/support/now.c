/* now: claims about the game as it stands. */
#include "statement.h"
#include "table.h"

#include <string.h>

static unsigned player_of(const struct game *game, enum harbour colour)
{
    return rules_harbour_owner(game, colour);
}

static bool turn_number_is(const struct game *game, const struct words *words)
{
    return game->turn.number == words->number;
}

static bool seq_is(const struct game *game, const struct words *words)
{
    return game->seq == words->number;
}

static bool may_go(const struct game *game, const struct words *words)
{
    return rules_knots_left(game, words->piece) == words->number;
}

static bool shot_is(const struct game *game, const struct words *words)
{
    return strcmp(rules_shot_name(game->turn.shot), words->name) == 0;
}

static bool score_is(const struct game *game, const struct words *words)
{
    return rules_score(game, player_of(game, words->colour)) == (int)words->number;
}

static bool ships_are(const struct game *game, const struct words *words)
{
    return rules_ships(game, player_of(game, words->colour)) == words->number;
}

static bool towers_are(const struct game *game, const struct words *words)
{
    return rules_towers(game, player_of(game, words->colour)) == words->number;
}

static bool is_out(const struct game *game, const struct words *words)
{
    return rules_is_out(game, player_of(game, words->colour));
}

static bool is_not_out(const struct game *game, const struct words *words)
{
    return !is_out(game, words);
}

static bool winners_are(const struct game *game, const struct words *words)
{
    uint32_t players = 0;

    for (unsigned harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (words->colours & (UINT32_C(1) << harbour)) {
            players |= UINT32_C(1) << player_of(game, (enum harbour)harbour);
        }
    }
    return rules_winners(game) == players;
}

/* Whether the claim holds for every piece of the statement. */
static bool all_pieces(const struct game *game, const struct words *words,
                       bool (*claim)(const struct game *, enum piece, const struct words *))
{
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if ((words->pieces & (UINT32_C(1) << piece)) && !claim(game, (enum piece)piece, words)) {
            return false;
        }
    }
    return true;
}

static bool piece_has_status(const struct game *game, enum piece piece, const struct words *words)
{
    return strcmp(rules_status_name(game->status[piece]), words->name) == 0;
}

static bool piece_captured_by(const struct game *game, enum piece piece, const struct words *words)
{
    return game->status[piece] == STATUS_CAPTURED &&
           game->captured_by[piece] == player_of(game, words->colour);
}

static bool piece_disturbed(const struct game *game, enum piece piece, const struct words *words)
{
    (void)words;
    return rules_disturbed(game, piece);
}

static bool piece_undisturbed(const struct game *game, enum piece piece, const struct words *words)
{
    return !piece_disturbed(game, piece, words);
}

static bool piece_free(const struct game *game, enum piece piece, const struct words *words)
{
    (void)words;
    return !rules_in_combat(game, piece);
}

static bool are_status(const struct game *game, const struct words *words)
{
    return all_pieces(game, words, piece_has_status);
}

static bool are_captured(const struct game *game, const struct words *words)
{
    return all_pieces(game, words, piece_captured_by);
}

static bool are_disturbed(const struct game *game, const struct words *words)
{
    return all_pieces(game, words, piece_disturbed);
}

static bool are_undisturbed(const struct game *game, const struct words *words)
{
    return all_pieces(game, words, piece_undisturbed);
}

static bool fight_nobody(const struct game *game, const struct words *words)
{
    return all_pieces(game, words, piece_free);
}

/* The number of the close combat between the two pieces, or the count when there is none. */
static unsigned combat_between(const struct game *game, const struct words *words)
{
    unsigned index = 0;

    while (index < game->combat_count && !(game->combats[index].attacker == words->piece &&
                                           game->combats[index].target == words->other)) {
        index++;
    }
    return index;
}

static bool fights(const struct game *game, const struct words *words)
{
    return combat_between(game, words) < game->combat_count;
}

static bool fight_is_due(const struct game *game, const struct words *words)
{
    return fights(game, words) && rules_combat_due(game, combat_between(game, words));
}

static bool fight_is_not_due(const struct game *game, const struct words *words)
{
    return fights(game, words) && !fight_is_due(game, words);
}

static bool has_chest(const struct game *game, const struct words *words)
{
    return rules_has_chest(game, words->piece);
}

static bool chest_on_island(const struct game *game, const struct words *words)
{
    (void)words;
    return game->setup.scenario == SCENARIO_TREASURE_ISLAND && !game->scenario.treasure.holder;
}

static bool lives_are(const struct game *game, const struct words *words)
{
    return rules_monster_lives(game) == words->number;
}

static bool loaded_at(const struct game *game, const struct words *words)
{
    return rules_barrel_of(game, words->piece) == words->colour;
}

static bool carries_nothing(const struct game *game, const struct words *words)
{
    return !rules_barrel_of(game, words->piece) && !rules_has_chest(game, words->piece);
}

static bool barrel_lies_at(const struct game *game, const struct words *words)
{
    const struct barrel *barrel = &game->scenario.merchant.barrels[words->colour];

    return game->setup.scenario == SCENARIO_MERCHANT && barrel->destination && !barrel->carrier &&
           !barrel->delivered_by;
}

static bool kraken_holds(const struct game *game, const struct words *words)
{
    return rules_entangled(game, words->piece);
}

static bool kraken_holds_nobody(const struct game *game, const struct words *words)
{
    (void)words;
    return game->setup.scenario == SCENARIO_KRAKEN && !game->scenario.kraken.holds;
}

#define BYTE(member, word) NULL, offsetof(struct game, member), WORD_##word

static const struct {
    const char *pattern;
    bool (*holds)(const struct game *game, const struct words *words); /* NULL: compares a byte */
    size_t offset;                                                     /* of it, in struct game */
    enum word word;
} claims[] = {
    {"phase NAME", BYTE(phase, PHASE)},
    {"turn COLOUR", BYTE(player, PLAYER)},
    {"turn number NUMBER", turn_number_is, 0, WORD_ONE},
    {"seq NUMBER", seq_is, 0, WORD_ONE},
    {"die NUMBER", BYTE(turn.die, NUMBER)},
    {"left NUMBER", BYTE(turn.left, NUMBER)},
    {"PIECE may go NUMBER", may_go, 0, WORD_ONE},
    {"shot NAME", shot_is, 0, WORD_ONE},
    {"shooter PIECE", BYTE(turn.shooter, PIECE)},
    {"no shooter", BYTE(turn.shooter, PIECE)},
    {"nothing selected", BYTE(turn.selected, PIECE)},
    {"selected PIECE", BYTE(turn.selected, PIECE)},
    {"score COLOUR NUMBER", score_is, 0, WORD_ONE},
    {"ships COLOUR NUMBER", ships_are, 0, WORD_ONE},
    {"towers COLOUR NUMBER", towers_are, 0, WORD_ONE},
    {"COLOUR out", is_out, 0, WORD_ONE},
    {"COLOUR not out", is_not_out, 0, WORD_ONE},
    {"winners COLOURS", winners_are, 0, WORD_ONE},
    {"no winners", winners_are, 0, WORD_ONE},
    {"PIECES disturbed", are_disturbed, 0, WORD_ONE},
    {"PIECES undisturbed", are_undisturbed, 0, WORD_ONE},
    {"PIECES captured by COLOUR", are_captured, 0, WORD_ONE},
    {"PIECE fights PIECE", fights, 0, WORD_ONE}, /* the piece that began it first */
    {"PIECE fights PIECE due", fight_is_due, 0, WORD_ONE},
    {"PIECE fights PIECE not due", fight_is_not_due, 0, WORD_ONE},
    {"PIECES fights nobody", fight_nobody, 0, WORD_ONE},
    {"combats NUMBER", BYTE(combat_count, NUMBER)},
    {"PIECE has chest", has_chest, 0, WORD_ONE},
    {"chest on island", chest_on_island, 0, WORD_ONE},
    {"monster lives NUMBER", lives_are, 0, WORD_ONE},
    {"PIECE loaded at COLOUR", loaded_at, 0, WORD_ONE},
    {"PIECE carries nothing", carries_nothing, 0, WORD_ONE},
    {"barrel lies at COLOUR", barrel_lies_at, 0, WORD_ONE},
    {"kraken holds PIECE", kraken_holds, 0, WORD_ONE},
    {"kraken holds nobody", kraken_holds_nobody, 0, WORD_ONE},
    {"PIECES NAME", are_status, 0, WORD_ONE},
};

static bool claim_holds(const struct game *game, const char *claim, bool *understood)
{
    struct words words;

    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        if (statement_matches(claim, claims[i].pattern, &words)) {
            *understood = true;
            return claims[i].holds ? claims[i].holds(game, &words)
                                   : ((const uint8_t *)game)[claims[i].offset] ==
                                         statement_value(game, &words, claims[i].word);
        }
    }
    *understood = false;
    return false;
}

void table_now(void **state, const char *const *lines, const char *file, int line)
{
    const struct game *game = &table_of(state)->play.game;
    bool understood;

    for (; *lines; lines++) {
        if (!claim_holds(game, *lines, &understood)) {
            print_error("now: %s \"%s\"\n", understood ? "it is not so that" : "cannot understand",
                        *lines);
            _fail(file, line);
        }
    }
}
