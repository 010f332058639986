/* now: claims about the game as it is. All that is true of it is written down, a line each. */
#include "table.h"

#include <stdio.h>
#include <string.h>

enum { FACTS_SIZE = 16384, CLAIM_SIZE = 256 };

struct facts {
    char text[FACTS_SIZE]; /* each line with a newline before and after it */
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct facts *facts, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    facts->length += (size_t)vsnprintf(facts->text + facts->length, FACTS_SIZE - facts->length,
                                       format, arguments);
    va_end(arguments);
    assert_true(facts->length < FACTS_SIZE - 1);
    facts->text[facts->length++] = '\n';
    facts->text[facts->length] = '\0';
}

static void add_turn(struct facts *facts, const struct game *game)
{
    const struct turn *turn = &game->turn;

    add(facts, "phase %s", rules_phase_name((enum phase)game->phase));
    add(facts, "turn number %u", (unsigned)turn->number);
    add(facts, "seq %u", (unsigned)game->seq);
    add(facts, "die %u", turn->die);
    add(facts, "left %u", turn->left);
    add(facts, "shot %s", rules_shot_name((enum shot)turn->shot));
    add(facts, turn->shooter ? "shooter %s" : "no shooter", rules_piece_name(turn->shooter));
    add(facts, turn->selected ? "selected %s" : "nothing selected",
        rules_piece_name(turn->selected));
    add(facts, "combats %u", game->combat_count);
}

/* A colour stands for the player of that harbour. */
static void add_players(struct facts *facts, const struct game *game)
{
    char winners[CLAIM_SIZE] = "";

    for (enum harbour harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        const char *colour = rules_harbour_name(harbour);
        unsigned player = rules_harbour_owner(game, harbour);
        if (player == game->player) {
            add(facts, "turn %s", colour);
        }
        if (player) {
            add(facts, "score %s %d", colour, rules_score(game, player));
            add(facts, "ships %s %u", colour, rules_ships(game, player));
            add(facts, "towers %s %u", colour, rules_towers(game, player));
            add(facts, rules_is_out(game, player) ? "%s out" : "%s not out", colour);
        }
        if (rules_winners(game) & bit(player)) {
            strcat(strcat(winners, winners[0] ? "+" : ""), colour);
        }
    }
    add(facts, winners[0] ? "winners %s" : "no winners", winners);
}

/* The piece that began a close combat comes first. */
static void add_combats(struct facts *facts, const struct game *game)
{
    for (unsigned i = 0; i < game->combat_count; i++) {
        const char *attacker = rules_piece_name(game->combats[i].attacker);
        const char *target = rules_piece_name(game->combats[i].target);
        add(facts, "%s fights %s", attacker, target);
        add(facts, "%s fights %s %s", attacker, target,
            rules_combat_due(game, i) ? "due" : "not due");
    }
}

static void add_piece(struct facts *facts, const struct game *game, enum piece piece)
{
    const char *name = rules_piece_name(piece);
    enum harbour barrel = rules_barrel_of(game, piece);

    add(facts, "%s %s", name, rules_status_name((enum status)game->status[piece]));
    add(facts, "%s %s", name, rules_disturbed(game, piece) ? "disturbed" : "undisturbed");
    add(facts, "%s may go %u", name, rules_knots_left(game, piece));
    for (enum harbour harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
        if (game->status[piece] == STATUS_CAPTURED &&
            rules_harbour_owner(game, harbour) == game->captured_by[piece]) {
            add(facts, "%s captured by %s", name, rules_harbour_name(harbour));
        }
    }
    if (barrel) {
        add(facts, "%s loaded at %s", name, rules_harbour_name(barrel));
    } else {
        add(facts, rules_has_chest(game, piece) ? "%s has chest" : "%s carries nothing", name);
    }
    if (!rules_in_combat(game, piece)) {
        add(facts, "%s fights nobody", name);
    }
    if (rules_entangled(game, piece)) {
        add(facts, "kraken holds %s", name);
    }
}

static void add_scenario(struct facts *facts, const struct game *game)
{
    switch (game->setup.scenario) {
    case SCENARIO_TREASURE_ISLAND:
        add(facts, "chest %s", game->scenario.treasure.holder ? "taken" : "on island");
        break;
    case SCENARIO_SEA_MONSTER:
        add(facts, "monster lives %u", rules_monster_lives(game));
        break;
    case SCENARIO_MERCHANT:
        for (enum harbour harbour = 1; harbour < HARBOUR_COUNT; harbour++) {
            const struct barrel *barrel = &game->scenario.merchant.barrels[harbour];
            if (barrel->destination && !barrel->carrier && !barrel->delivered_by) {
                add(facts, "barrel lies at %s", rules_harbour_name(harbour));
            }
        }
        break;
    case SCENARIO_KRAKEN:
        add(facts, "kraken holds %s", game->scenario.kraken.holds ? "a ship" : "nobody");
        break;
    default:
        break;
    }
}

/* A claim about several pieces, red-1+blue-2, is one about each of them. */
static bool holds(const struct facts *facts, const char *claim)
{
    char line[CLAIM_SIZE];
    size_t first = strcspn(claim, " ");
    size_t plus = strcspn(claim, "+");

    if (plus < first) {
        snprintf(line, sizeof line, "%.*s%s", (int)plus, claim, claim + first);
        return holds(facts, line) && holds(facts, claim + plus + 1);
    }
    snprintf(line, sizeof line, "\n%s\n", claim);
    return strstr(facts->text, line);
}

void table_now(void **state, const char *const *lines, const char *file, int line)
{
    static struct facts facts;
    const struct game *game = &table_of(state)->play.game;

    facts = (struct facts){.text = "\n", .length = 1};
    add_turn(&facts, game);
    add_players(&facts, game);
    add_combats(&facts, game);
    for (enum piece piece = 1; piece < PIECE_COUNT; piece++) {
        add_piece(&facts, game, piece);
    }
    add_scenario(&facts, game);
    for (; *lines; lines++) {
        if (!holds(&facts, *lines)) {
            print_error("now: it is not so that \"%s\"\n", *lines);
            _fail(file, line);
        }
    }
}
