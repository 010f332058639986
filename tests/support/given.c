/* given: a position, put together from statements. */
#include "statement.h"
#include "table.h"

#include <string.h>

/*
 * How the game is set up
 */

static void set_players(struct table *table, const struct words *words)
{
    rules_default_setup(&table->setup, words->number);
}

static void stay_in_lobby(struct table *table, const struct words *words)
{
    (void)words;
    table->lobby = true;
}

static void set_advanced(struct table *table, const struct words *words)
{
    (void)words;
    table->setup.variant = VARIANT_ADVANCED;
}

/* Barrels that are not fixed by a statement go to the next harbour in play. */
static void set_scenario(struct table *table, const struct words *words)
{
    unsigned harbours = table->setup.players == 3 ? 3 : 4;

    table->setup.scenario = (uint8_t)rules_scenario_named(words->name);
    assert_int_not_equal(table->setup.scenario, SCENARIO_NONE);
    for (unsigned harbour = 1; harbour <= harbours; harbour++) {
        table->setup.barrels[harbour] = (uint8_t)(harbour % harbours + 1);
    }
}

static void set_barrel(struct table *table, const struct words *words)
{
    table->setup.barrels[words->colour] = (uint8_t)words->other_colour;
}

/* Team-mates sit opposite each other: red and green against blue and yellow. */
static void set_teams(struct table *table, const struct words *words)
{
    (void)words;
    table->setup.teams = 1;
    for (unsigned player = 1; player <= PLAYERS_MAX; player++) {
        table->setup.seats[player].team = (uint8_t)(2 - player % 2);
    }
}

/* With four players, the player of a colour has its number. */
static void set_team(struct table *table, const struct words *words)
{
    table->setup.seats[words->colour].team = (uint8_t)words->number;
}

static void set_first(struct table *table, const struct words *words)
{
    table->setup.first = (uint8_t)words->number;
}

static void set_window(struct table *table, const struct words *words)
{
    table->setup.shot_window_ms = words->number;
}

static void set_tolerance(struct table *table, const struct words *words)
{
    table->setup.rope_tolerance_milli = (uint16_t)words->milli;
}

static void set_memory(struct table *table, const struct words *words)
{
    assert_in_range(words->number, 2, TABLE_PAST_MAX);
    table->remembers = words->number;
}

static void set_move_die(struct table *table, const struct words *words)
{
    struct house *house = &table->setup.house;

    house->move_faces = 0;
    for (const char *digit = words->name; *digit; digit += digit[1] == ',' ? 2 : 1) {
        house->move_die[house->move_faces++] = (uint8_t)(*digit - '0');
    }
}

static void set_combat_die(struct table *table, const struct words *words)
{
    table->setup.house.combat_faces = 1;
    table->setup.house.combat_die[0] = (uint8_t)rules_face_named(words->name);
}

#define HOUSE_NUMBERS(X)                                                                           \
    X(ship_points)                                                                                 \
    X(tower_points)                                                                                \
    X(pirate_points)                                                                               \
    X(chest_points)                                                                                \
    X(barrel_points)                                                                               \
    X(monster_lives)                                                                               \
    X(wind_bonus)                                                                                  \
    X(kraken_knots)
#define HOUSE_ROW(member) {#member, offsetof(struct house, member)},

static void set_house(struct table *table, const struct words *words)
{
    static const struct {
        const char *name;
        size_t offset;
    } numbers[] = {HOUSE_NUMBERS(HOUSE_ROW)};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(numbers[i].name, words->name) == 0) {
            ((uint8_t *)&table->setup.house)[numbers[i].offset] = (uint8_t)words->number;
            return;
        }
    }
    fail_msg("no house number %s", words->name);
}

/*
 * Where it stands
 */

static struct game *game_of(struct table *table)
{
    return &table->play.game;
}

static unsigned player_of(struct table *table, enum harbour colour)
{
    return rules_harbour_owner(game_of(table), colour);
}

static void set_die(struct table *table, const struct words *words)
{
    game_of(table)->turn.die = (uint8_t)words->number;
    game_of(table)->turn.left = (uint8_t)words->number;
}

/* Points of a die that showed no more than these, unless it was stated before what it showed. */
static void set_left(struct table *table, const struct words *words)
{
    struct turn *turn = &game_of(table)->turn;

    turn->left = (uint8_t)words->number;
    if (turn->die < turn->left) {
        turn->die = turn->left;
    }
}

static void set_shot_done(struct table *table, const struct words *words)
{
    (void)words;
    game_of(table)->turn.shot = SHOT_DONE;
}

static void set_status(struct table *table, uint32_t pieces, enum status status, unsigned by)
{
    for (unsigned piece = 1; piece < PIECE_COUNT; piece++) {
        if (pieces & (UINT32_C(1) << piece)) {
            game_of(table)->status[piece] = (uint8_t)status;
            game_of(table)->captured_by[piece] = (uint8_t)by;
        }
    }
}

static void set_captured(struct table *table, const struct words *words)
{
    set_status(table, words->pieces, STATUS_CAPTURED, player_of(table, words->colour));
}

static void set_lost(struct table *table, const struct words *words)
{
    set_status(table, words->pieces, STATUS_LOST, PLAYER_NONE);
}

static void set_flat(struct table *table, const struct words *words)
{
    set_status(table, words->pieces, STATUS_FLAT, PLAYER_NONE);
    game_of(table)->lying |= words->pieces;
}

static void set_disturbed(struct table *table, const struct words *words)
{
    game_of(table)->lying ^= words->pieces;
}

static void add_combat(struct table *table, const struct words *words, unsigned by, bool rolled)
{
    struct game *game = game_of(table);

    game->combats[game->combat_count++] = (struct combat){
        .attacker = (uint8_t)words->piece,
        .target = (uint8_t)words->other,
        .began_by = (uint8_t)by,
        .rolled = rolled,
    };
}

static void set_fights(struct table *table, const struct words *words)
{
    add_combat(table, words, rules_owner(game_of(table), words->piece), false);
}

static void set_fought(struct table *table, const struct words *words)
{
    add_combat(table, words, rules_owner(game_of(table), words->piece), true);
}

static void set_fights_for(struct table *table, const struct words *words)
{
    add_combat(table, words, player_of(table, words->colour), false);
}

/*
 * Scenarios
 */

static void set_monster_down(struct table *table, const struct words *words)
{
    (void)words;
    game_of(table)->scenario.monster.lives--;
    game_of(table)->scenario.monster.down = 1;
    game_of(table)->lying |= UINT32_C(1) << PIECE_MONSTER;
}

static void set_caught(struct table *table, const struct words *words)
{
    game_of(table)->scenario.wind.caught[words->piece] = 1;
    game_of(table)->turn.extra[words->piece] = table->setup.house.wind_bonus;
}

static void set_loaded(struct table *table, const struct words *words)
{
    game_of(table)->scenario.merchant.barrels[words->colour].carrier = (uint8_t)words->piece;
}

static void set_delivered(struct table *table, const struct words *words)
{
    game_of(table)->scenario.merchant.barrels[words->other_colour].delivered_by =
        (uint8_t)player_of(table, words->colour);
}

static void set_kraken_moved(struct table *table, const struct words *words)
{
    (void)words;
    game_of(table)->turn.neutral_moved = 1;
    game_of(table)->scenario.kraken.moved = 1;
}

enum stage { STAGE_PLAYERS, STAGE_SETUP, STAGE_POSITION, STAGE_COUNT };

#define BYTE(member, word) NULL, offsetof(struct game, member), WORD_##word

static const struct {
    enum stage stage;
    const char *pattern;
    void (*apply)(struct table *table, const struct words *words); /* NULL: sets a byte */
    size_t offset;                                                 /* of it, in struct game */
    enum word word;
} statements[] = {
    {STAGE_PLAYERS, "players NUMBER", set_players, 0, WORD_ONE},
    {STAGE_SETUP, "lobby", stay_in_lobby, 0, WORD_ONE},
    {STAGE_SETUP, "advanced", set_advanced, 0, WORD_ONE},
    {STAGE_SETUP, "scenario NAME", set_scenario, 0, WORD_ONE},
    {STAGE_SETUP, "teams", set_teams, 0, WORD_ONE},
    {STAGE_SETUP, "team COLOUR NUMBER", set_team, 0, WORD_ONE},
    {STAGE_SETUP, "first NUMBER", set_first, 0, WORD_ONE},
    {STAGE_SETUP, "window NUMBER ms", set_window, 0, WORD_ONE},
    {STAGE_SETUP, "tolerance DECIMAL", set_tolerance, 0, WORD_ONE},
    {STAGE_SETUP, "remembers NUMBER", set_memory, 0, WORD_ONE},
    {STAGE_SETUP, "barrel COLOUR to COLOUR", set_barrel, 0, WORD_ONE},
    {STAGE_SETUP, "house move_die NAME", set_move_die, 0, WORD_ONE},
    {STAGE_SETUP, "house combat_die NAME", set_combat_die, 0, WORD_ONE},
    {STAGE_SETUP, "house NAME NUMBER", set_house, 0, WORD_ONE},
    {STAGE_POSITION, "turn COLOUR", BYTE(player, PLAYER)},
    {STAGE_POSITION, "phase NAME", BYTE(phase, PHASE)},
    {STAGE_POSITION, "die NUMBER", set_die, 0, WORD_ONE},
    {STAGE_POSITION, "left NUMBER", set_left, 0, WORD_ONE},
    {STAGE_POSITION, "shot done", set_shot_done, 0, WORD_ONE},
    {STAGE_POSITION, "aimed PIECE", BYTE(turn.shooter, PIECE)},
    {STAGE_POSITION, "PIECES captured by COLOUR", set_captured, 0, WORD_ONE},
    {STAGE_POSITION, "PIECES lost", set_lost, 0, WORD_ONE},
    {STAGE_POSITION, "PIECES flat", set_flat, 0, WORD_ONE},
    {STAGE_POSITION, "PIECES disturbed", set_disturbed, 0, WORD_ONE},
    {STAGE_POSITION, "PIECE fights PIECE", set_fights, 0, WORD_ONE},
    {STAGE_POSITION, "PIECE fights PIECE for COLOUR", set_fights_for, 0, WORD_ONE},
    {STAGE_POSITION, "PIECE fought PIECE", set_fought, 0,
     WORD_ONE}, /* has been rolled for in this turn */
    {STAGE_POSITION, "PIECE has chest", BYTE(scenario.treasure.holder, PIECE)},
    {STAGE_POSITION, "pirate moved", BYTE(turn.neutral_moved, ONE)},
    {STAGE_POSITION, "monster lives NUMBER", BYTE(scenario.monster.lives, NUMBER)},
    {STAGE_POSITION, "monster wounded", set_monster_down, 0, WORD_ONE}, /* and still on its side */
    {STAGE_POSITION, "PIECE caught wind", set_caught, 0, WORD_ONE},
    {STAGE_POSITION, "wind moved", BYTE(scenario.wind.moved, ONE)},
    {STAGE_POSITION, "PIECE loaded at COLOUR", set_loaded, 0, WORD_ONE},
    {STAGE_POSITION, "COLOUR delivered from COLOUR", set_delivered, 0, WORD_ONE},
    {STAGE_POSITION, "kraken holds PIECE", BYTE(scenario.kraken.holds, PIECE)},
    {STAGE_POSITION, "kraken moved", set_kraken_moved, 0, WORD_ONE},
    {STAGE_POSITION, "kraken free NUMBER", BYTE(scenario.kraken.free_knots, NUMBER)},
};

/* Returns whether the line is a statement at all; applies it if this is its stage. */
static bool apply(struct table *table, const char *line, enum stage stage)
{
    struct words words;

    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (statement_matches(line, statements[i].pattern, &words)) {
            if (statements[i].stage == stage && statements[i].apply) {
                statements[i].apply(table, &words);
            } else if (statements[i].stage == stage) {
                ((uint8_t *)game_of(table))[statements[i].offset] =
                    (uint8_t)statement_value(game_of(table), &words, statements[i].word);
            }
            return true;
        }
    }
    return false;
}

static void start_game(struct table *table)
{
    struct input input = {.kind = INPUT_NEW_GAME, .setup = &table->setup};

    play_begin(&table->play, table->past, table->remembers);
    if (!table->lobby) {
        assert_int_equal(play_step(&table->play, &input, &table->outcome), 0);
    }
}

void table_given(void **state, const char *const *lines, const char *file, int line)
{
    static struct table table;

    memset(&table, 0, sizeof table);
    table.remembers = TABLE_PAST_MAX;
    table.compared = true;
    rules_default_setup(&table.setup, PLAYERS_MAX);
    for (enum stage stage = STAGE_PLAYERS; stage < STAGE_COUNT; stage++) {
        if (stage == STAGE_POSITION) {
            start_game(&table);
        }
        for (const char *const *it = lines; *it; it++) {
            if (!apply(&table, *it, stage)) {
                print_error("given: cannot understand \"%s\"\n", *it);
                _fail(file, line);
            }
        }
    }
    if (rules_violation(&table.play.game)) {
        print_error("given: not possible, %s\n", rules_violation(&table.play.game));
        _fail(file, line);
    }
    /* The position is where undo ends, as if the game had begun here. */
    table.play.base = table.play.game;
    *state = &table;
}
