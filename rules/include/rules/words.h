/*
 * Every name of the game, in one list each: pieces, phases, inputs, events, refusals, rules.
 *
 * A list entry is X(NAME, "printed name", ...). The enums, the printing and the parsing come from
 * the same list; the printed names are also the names on the wire and in the journal. In every enum
 * 0 means "none", except for the phases, where it is the lobby.
 */
#ifndef RULES_WORDS_H
#define RULES_WORDS_H

#include <stdint.h>

#define RULES_HARBOURS(X)                                                                          \
    X(RED, "red")                                                                                  \
    X(BLUE, "blue")                                                                                \
    X(GREEN, "green")                                                                              \
    X(YELLOW, "yellow")

/* Four pieces a harbour, the tower last; harbour and number are computed from this order. */
#define RULES_PIECES(X)                                                                            \
    X(RED_1, "red-1")                                                                              \
    X(RED_2, "red-2")                                                                              \
    X(RED_3, "red-3")                                                                              \
    X(RED_TOWER, "red-tower")                                                                      \
    X(BLUE_1, "blue-1")                                                                            \
    X(BLUE_2, "blue-2")                                                                            \
    X(BLUE_3, "blue-3")                                                                            \
    X(BLUE_TOWER, "blue-tower")                                                                    \
    X(GREEN_1, "green-1")                                                                          \
    X(GREEN_2, "green-2")                                                                          \
    X(GREEN_3, "green-3")                                                                          \
    X(GREEN_TOWER, "green-tower")                                                                  \
    X(YELLOW_1, "yellow-1")                                                                        \
    X(YELLOW_2, "yellow-2")                                                                        \
    X(YELLOW_3, "yellow-3")                                                                        \
    X(YELLOW_TOWER, "yellow-tower")                                                                \
    X(PIRATE, "pirate")                                                                            \
    X(MONSTER, "monster")                                                                          \
    X(KRAKEN, "kraken")                                                                            \
    X(WIND, "wind")

#define RULES_PHASES(X)                                                                            \
    X(LOBBY, "lobby")                                                                              \
    X(SHOOTING, "shooting")                                                                        \
    X(MOVING, "moving")                                                                            \
    X(COMBAT, "combat")                                                                            \
    X(REPAIR, "repair")                                                                            \
    X(OVER, "over")

#define RULES_VARIANTS(X)                                                                          \
    X(BASIC, "basic")                                                                              \
    X(ADVANCED, "advanced")

/* A scenario's table of hooks is `scenario_` and its third word. */
#define RULES_SCENARIOS(X)                                                                         \
    X(NO_SCENARIO, "none", none)                                                                   \
    X(TREASURE_ISLAND, "treasure-island", treasure_island)                                         \
    X(PIRATE_SHIP, "pirate-ship", pirate_ship)                                                     \
    X(SEA_MONSTER, "sea-monster", sea_monster)                                                     \
    X(HEAVY_WIND, "heavy-wind", heavy_wind)                                                        \
    X(MERCHANT, "merchant", merchant)                                                              \
    X(KRAKEN, "kraken", kraken)

#define RULES_STATUSES(X)                                                                          \
    X(STANDING, "standing")                                                                        \
    X(FLAT, "flat")                                                                                \
    X(CAPTURED, "captured")                                                                        \
    X(LOST, "lost")

#define RULES_SHOTS(X)                                                                             \
    X(UNFIRED, "none")                                                                             \
    X(OPEN, "open")                                                                                \
    X(DONE, "done")

#define RULES_FACES(X)                                                                             \
    X(FLAG, "flag")                                                                                \
    X(SWORDS, "swords")

#define RULES_HOWS(X)                                                                              \
    X(SHOT, "shot")                                                                                \
    X(COMBAT, "combat")

#define RULES_HEALTHS(X)                                                                           \
    X(OK, "ok")                                                                                    \
    X(STUCK, "stuck")                                                                              \
    X(CHATTERING, "chattering")                                                                    \
    X(IMPOSSIBLE, "impossible")                                                                    \
    X(SILENT, "silent")

#define RULES_DICE(X)                                                                              \
    X(TABLE, "table")                                                                              \
    X(DAEMON, "daemon")

/*
 * Inputs: X(NAME, "verb", source, required fields, optional fields).
 * A COMMAND comes from a person and a FACT from a sensor; a SEQUEL belongs to the input before it
 * and is undone together with it; a NOTE causes an event but is no step of an undo.
 */
#define RULES_INPUTS(X)                                                                            \
    X(NEW_GAME, "new-game", COMMAND, 0, 0)                                                         \
    X(AIM, "aim", COMMAND, FIELD(PIECE), 0)                                                        \
    X(FIRE, "fire", COMMAND, 0, 0)                                                                 \
    X(TOPPLE, "topple", COMMAND, FIELD(PIECE), 0)                                                  \
    X(RAISE, "raise", COMMAND, FIELD(PIECE), 0)                                                    \
    X(ROLL_MOVE, "roll-move", COMMAND, 0, FIELD(DIE))                                              \
    X(SELECT, "select", COMMAND, FIELD(PIECE), 0)                                                  \
    X(MOVE, "move", COMMAND, 0, FIELD(PIECE) | FIELD(KNOTS))                                       \
    X(ENGAGE, "engage", COMMAND, FIELD(ATTACKER) | FIELD(TARGET), 0)                               \
    X(ROLL_COMBAT, "roll-combat", COMMAND, FIELD(ATTACKER) | FIELD(TARGET), FIELD(FACE))           \
    X(END_PHASE, "end-phase", COMMAND, 0, 0)                                                       \
    X(TAKE_CHEST, "take-chest", COMMAND, FIELD(PIECE), 0)                                          \
    X(LOAD_BARREL, "load-barrel", COMMAND, FIELD(PIECE) | FIELD(HARBOUR), 0)                       \
    X(DELIVER_BARREL, "deliver-barrel", COMMAND, FIELD(PIECE) | FIELD(HARBOUR), 0)                 \
    X(CATCH_WIND, "catch-wind", COMMAND, FIELD(PIECE), 0)                                          \
    X(MOVE_WIND, "move-wind", COMMAND, 0, 0)                                                       \
    X(ENTANGLE, "entangle", COMMAND, FIELD(PIECE), 0)                                              \
    X(UNDO, "undo", COMMAND, 0, 0)                                                                 \
    X(BALL_LEFT, "ball-left", FACT, 0, FIELD(SPEED))                                               \
    X(HIT, "hit", SEQUEL, FIELD(PIECE), 0)                                                         \
    X(TOPPLED, "toppled", FACT, FIELD(PIECE), FIELD(LATE))                                         \
    X(RAISED, "raised", FACT, FIELD(PIECE), 0)                                                     \
    X(KNOCKED, "knocked", FACT, FIELD(PIECES), 0)                                                  \
    X(WINDOW_OVER, "window-over", SEQUEL, 0, 0)                                                    \
    X(ROPE_OVER, "rope-over", NOTE, FIELD(KNOTS), 0)                                               \
    X(SENSOR_FAULT, "sensor-fault", NOTE, FIELD(SENSOR) | FIELD(HEALTH), 0)                        \
    X(SENSOR_OK, "sensor-ok", NOTE, FIELD(SENSOR), 0)

/* Events: X(NAME, "name", fields the event has). */
#define RULES_EVENTS(X)                                                                            \
    X(GAME_STARTED, "game-started", FIELD(FIRST))                                                  \
    X(TURN_STARTED, "turn-started", 0)                                                             \
    X(PHASE_STARTED, "phase-started", FIELD(PHASE))                                                \
    X(AIMED, "aimed", FIELD(PIECE))                                                                \
    X(SHOT_FIRED, "shot-fired", FIELD(SHOOTER) | FIELD(SPEED))                                     \
    X(SHOT_HIT, "shot-hit", FIELD(PIECE))                                                          \
    X(SHOT_OVER, "shot-over", FIELD(PIECES))                                                       \
    X(PIECE_TOPPLED, "piece-toppled", FIELD(PIECE))                                                \
    X(PIECE_CAPTURED, "piece-captured", FIELD(PIECE) | FIELD(BY) | FIELD(WITH) | FIELD(HOW))       \
    X(PIECE_LOST, "piece-lost", FIELD(PIECE) | FIELD(WITH))                                        \
    X(PIECE_REPAIRED, "piece-repaired", FIELD(PIECE))                                              \
    X(PIECE_RESTORED, "piece-restored", FIELD(PIECE))                                              \
    X(DISTURBANCE, "disturbance", FIELD(PIECES))                                                   \
    X(FOUL, "foul", FIELD(SPEED))                                                                  \
    X(MOVE_ROLLED, "move-rolled", FIELD(DIE))                                                      \
    X(PIECE_SELECTED, "piece-selected", FIELD(PIECE) | FIELD(LEFT))                                \
    X(PIECE_MOVED, "piece-moved", FIELD(PIECE) | FIELD(KNOTS) | FIELD(COST) | FIELD(LEFT))         \
    X(ROPE_OVER, "rope-over", FIELD(PIECE) | FIELD(KNOTS) | FIELD(LEFT))                           \
    X(COMBAT_STARTED, "combat-started", FIELD(ATTACKER) | FIELD(TARGET))                           \
    X(COMBAT_ROLLED, "combat-rolled", FIELD(ATTACKER) | FIELD(TARGET) | FIELD(FACE))               \
    X(COMBAT_ENDED, "combat-ended", FIELD(ATTACKER) | FIELD(TARGET))                               \
    X(CHEST_TAKEN, "chest-taken", FIELD(PIECE))                                                    \
    X(CHEST_MOVED, "chest-moved", FIELD(PIECE) | FIELD(TO_PIECE))                                  \
    X(BARREL_LOADED, "barrel-loaded", FIELD(PIECE) | FIELD(HARBOUR) | FIELD(BARREL))               \
    X(BARREL_DELIVERED, "barrel-delivered", FIELD(PIECE) | FIELD(HARBOUR) | FIELD(BY))             \
    X(BARREL_MOVED, "barrel-moved",                                                                \
      FIELD(PIECE) | FIELD(TO_PIECE) | FIELD(TO_HARBOUR) | FIELD(BARREL))                          \
    X(WIND_CAUGHT, "wind-caught", FIELD(PIECE) | FIELD(LEFT))                                      \
    X(WIND_MOVED, "wind-moved", FIELD(LEFT))                                                       \
    X(SHIP_ENTANGLED, "ship-entangled", FIELD(PIECE))                                              \
    X(SHIP_RELEASED, "ship-released", FIELD(PIECE))                                                \
    X(MONSTER_WOUNDED, "monster-wounded", FIELD(LIVES))                                            \
    X(MONSTER_KILLED, "monster-killed", FIELD(BY))                                                 \
    X(PLAYER_OUT, "player-out", FIELD(OUT))                                                        \
    X(GAME_OVER, "game-over", FIELD(RANKING) | FIELD(WINNERS))                                     \
    X(UNDONE, "undone", FIELD(FROM) | FIELD(TO))                                                   \
    X(SENSOR_FAULT, "sensor-fault", FIELD(SENSOR) | FIELD(HEALTH))                                 \
    X(SENSOR_OK, "sensor-ok", FIELD(SENSOR))

/*
 * Why something was refused: X(NAME, "code", sentence when no rule has a better one). The last
 * five are never the rules' own: the daemon refuses with them what it cannot read or record, and a
 * game for which the table is not ready.
 */
#define RULES_REFUSALS(X)                                                                          \
    X(UNKNOWN_COMMAND, "unknown-command", "There is no such command.")                             \
    X(MISSING_FIELD, "missing-field", "Something is missing in this command.")                     \
    X(BAD_VALUE, "bad-value", "That value is not valid here.")                                     \
    X(UNKNOWN_PIECE, "unknown-piece", "There is no such piece in this game.")                      \
    X(NO_GAME, "no-game", "No game is running; start one first.")                                  \
    X(GAME_RUNNING, "game-running",                                                                \
      "A game is running; finish it, or send new-game abandon=true.")                              \
    X(NOT_IN_PHASE, "not-in-phase", "This is not possible in the {phase} step.")                   \
    X(NOT_YOURS, "not-yours", "{piece} does not belong to {player}.")                              \
    X(NOT_AN_ENEMY, "not-an-enemy", "{target} is not an enemy of {piece}.")                        \
    X(OUT_OF_PLAY, "out-of-play", "{piece} is out of play.")                                       \
    X(FLAT, "flat", "{piece} lies flat.")                                                          \
    X(IN_COMBAT, "in-combat", "{piece} is in close combat.")                                       \
    X(ENTANGLED, "entangled", "The kraken holds {piece}.")                                         \
    X(CARRIES_BARREL, "carries-barrel", "{piece} carries a barrel.")                               \
    X(ALREADY_ROLLED, "already-rolled", "The die has already been rolled.")                        \
    X(NOT_ROLLED, "not-rolled", "Roll the die first.")                                             \
    X(NOT_ENOUGH_POINTS, "not-enough-points", "Not enough points are left.")                       \
    X(COMBAT_DUE, "combat-due", "A close combat has not been rolled for yet.")                     \
    X(NOT_FIGHTING, "not-fighting", "{piece} and {target} are not in close combat.")               \
    X(NOT_IN_SCENARIO, "not-in-scenario", "That does not belong to the scenario being played.")    \
    X(NOTHING_THERE, "nothing-there", "There is nothing to do that with.")                         \
    X(ALREADY_CARRYING, "already-carrying", "{piece} already carries something.")                  \
    X(WRONG_HARBOUR, "wrong-harbour", "This is not the harbour the barrel goes to.")               \
    X(NOTHING_TO_UNDO, "nothing-to-undo", "There is nothing left to take back.")                   \
    X(NOT_READY, "not-ready", "The table is not ready: fix it, or send anyway=true.")              \
    X(BAD_JSON, "bad-json", "This is not a JSON object.")                                          \
    X(TOO_LARGE, "too-large", "This command is too large.")                                        \
    X(STORAGE, "storage", "The game cannot be recorded at the moment; nothing was changed.")       \
    X(TOO_LONG, "too-long",                                                                        \
      "The game has reached its maximum length; undo, or send new-game abandon=true.")

/* The rules by number; docs/rules.md describes them. */
#define RULES_IDS(X)                                                                               \
    X(G1)                                                                                          \
    X(G2)                                                                                          \
    X(G3)                                                                                          \
    X(G4)                                                                                          \
    X(S1)                                                                                          \
    X(S2)                                                                                          \
    X(S3)                                                                                          \
    X(S4)                                                                                          \
    X(S5)                                                                                          \
    X(S6)                                                                                          \
    X(S7)                                                                                          \
    X(S8)                                                                                          \
    X(S9)                                                                                          \
    X(M1)                                                                                          \
    X(M2)                                                                                          \
    X(M3)                                                                                          \
    X(M4)                                                                                          \
    X(M5)                                                                                          \
    X(M6)                                                                                          \
    X(C1)                                                                                          \
    X(C2)                                                                                          \
    X(C3)                                                                                          \
    X(C4)                                                                                          \
    X(C5)                                                                                          \
    X(C6)                                                                                          \
    X(C7)                                                                                          \
    X(C8)                                                                                          \
    X(E1)                                                                                          \
    X(E2)                                                                                          \
    X(E3)                                                                                          \
    X(E4)                                                                                          \
    X(T1)                                                                                          \
    X(T2)                                                                                          \
    X(A1)                                                                                          \
    X(A2)                                                                                          \
    X(A3)                                                                                          \
    X(A4)                                                                                          \
    X(A5)                                                                                          \
    X(A6)                                                                                          \
    X(TI1)                                                                                         \
    X(TI2)                                                                                         \
    X(TI3)                                                                                         \
    X(TI4)                                                                                         \
    X(TI5)                                                                                         \
    X(PS1)                                                                                         \
    X(PS2)                                                                                         \
    X(PS3)                                                                                         \
    X(PS4)                                                                                         \
    X(SM1)                                                                                         \
    X(SM2)                                                                                         \
    X(SM3)                                                                                         \
    X(SM4)                                                                                         \
    X(HW1)                                                                                         \
    X(HW2)                                                                                         \
    X(ME1)                                                                                         \
    X(ME2)                                                                                         \
    X(ME3)                                                                                         \
    X(ME4)                                                                                         \
    X(ME5)                                                                                         \
    X(KR1)                                                                                         \
    X(KR2)                                                                                         \
    X(KR3)                                                                                         \
    X(KR4)

/*
 * The fields of inputs and events: X(NAME, "key", type, member of struct event); see fields.h.
 * Two fields may share a member (an attacker is the piece that acts) or a key (the value of a die).
 */
#define RULES_FIELDS(X)                                                                            \
    X(PIECE, "piece", PIECE, piece)                                                                \
    X(SHOOTER, "shooter", PIECE, piece)                                                            \
    X(ATTACKER, "attacker", PIECE, piece)                                                          \
    X(TARGET, "target", PIECE, other)                                                              \
    X(WITH, "with", PIECE, other)                                                                  \
    X(TO_PIECE, "to", PIECE, other)                                                                \
    X(HARBOUR, "harbour", HARBOUR, harbour)                                                        \
    X(TO_HARBOUR, "to_harbour", HARBOUR, harbour)                                                  \
    X(BARREL, "barrel", HARBOUR, barrel)                                                           \
    X(DIE, "value", NUMBER, value)                                                                 \
    X(FACE, "value", FACE, value)                                                                  \
    X(KNOTS, "knots", MILLI, knots_milli)                                                          \
    X(COST, "cost", NUMBER, cost)                                                                  \
    X(LEFT, "left", NUMBER, left)                                                                  \
    X(BY, "by", NUMBER, by)                                                                        \
    X(FIRST, "first", NUMBER, by)                                                                  \
    X(OUT, "out", NUMBER, by)                                                                      \
    X(HOW, "how", HOW, how)                                                                        \
    X(PHASE, "phase", PHASE, phase)                                                                \
    X(LIVES, "lives", NUMBER, value)                                                               \
    X(LATE, "late_ms", NUMBER, value)                                                              \
    X(PIECES, "pieces", PIECES, pieces)                                                            \
    X(SPEED, "speed_mps", MILLI, speed_mmps)                                                       \
    X(RANKING, "ranking", RANKING, ranking)                                                        \
    X(WINNERS, "winners", PLAYERS, winners)                                                        \
    X(SENSOR, "sensor", SENSOR, sensor)                                                            \
    X(HEALTH, "health", HEALTH, health)                                                            \
    X(FROM, "from", NUMBER, from)                                                                  \
    X(TO, "to", NUMBER, to)

#define RULES_ENUM_HARBOUR(name, ...) HARBOUR_##name,
#define RULES_ENUM_PIECE(name, ...) PIECE_##name,
#define RULES_ENUM_PHASE(name, ...) PHASE_##name,
#define RULES_ENUM_VARIANT(name, ...) VARIANT_##name,
#define RULES_ENUM_SCENARIO(name, ...) SCENARIO_##name,
#define RULES_ENUM_STATUS(name, ...) STATUS_##name,
#define RULES_ENUM_SHOT(name, ...) SHOT_##name,
#define RULES_ENUM_FACE(name, ...) FACE_##name,
#define RULES_ENUM_HOW(name, ...) HOW_##name,
#define RULES_ENUM_HEALTH(name, ...) HEALTH_##name,
#define RULES_ENUM_DICE(name, ...) DICE_##name,
#define RULES_ENUM_INPUT(name, ...) INPUT_##name,
#define RULES_ENUM_EVENT(name, ...) EVENT_##name,
#define RULES_ENUM_REFUSAL(name, ...) REFUSED_##name,
#define RULES_ENUM_RULE(name) RULE_##name,
#define RULES_ENUM_FIELD(name, ...) FIELD_##name,

enum harbour { HARBOUR_NONE, RULES_HARBOURS(RULES_ENUM_HARBOUR) HARBOUR_COUNT };
enum piece { PIECE_NONE, RULES_PIECES(RULES_ENUM_PIECE) PIECE_COUNT };
enum phase { RULES_PHASES(RULES_ENUM_PHASE) PHASE_COUNT };
enum variant { VARIANT_NONE, RULES_VARIANTS(RULES_ENUM_VARIANT) VARIANT_COUNT };
enum scenario_id { SCENARIO_NONE, RULES_SCENARIOS(RULES_ENUM_SCENARIO) SCENARIO_COUNT };
enum status { STATUS_ABSENT, RULES_STATUSES(RULES_ENUM_STATUS) STATUS_COUNT };
enum shot { SHOT_NONE, RULES_SHOTS(RULES_ENUM_SHOT) SHOT_COUNT };
enum face { FACE_NONE, RULES_FACES(RULES_ENUM_FACE) FACE_COUNT };
enum how { HOW_NONE, RULES_HOWS(RULES_ENUM_HOW) HOW_COUNT };
enum health { HEALTH_NONE, RULES_HEALTHS(RULES_ENUM_HEALTH) HEALTH_COUNT };
enum dice { DICE_NONE, RULES_DICE(RULES_ENUM_DICE) DICE_COUNT };
enum input_kind { INPUT_NONE, RULES_INPUTS(RULES_ENUM_INPUT) INPUT_COUNT };
enum event_kind { EVENT_NONE, RULES_EVENTS(RULES_ENUM_EVENT) EVENT_COUNT };
enum refusal { REFUSED_NOT, RULES_REFUSALS(RULES_ENUM_REFUSAL) REFUSAL_COUNT };
enum rule { RULE_NONE, RULES_IDS(RULES_ENUM_RULE) RULE_COUNT };
enum field { RULES_FIELDS(RULES_ENUM_FIELD) FIELD_COUNT };
enum source {
    SOURCE_NONE,
    SOURCE_COMMAND,
    SOURCE_FACT,
    SOURCE_SEQUEL,
    SOURCE_NOTE,
};

#define FIELD(name) (UINT32_C(1) << FIELD_##name)

/* A set of pieces, players or harbours has this bit for each of them. */
static inline uint32_t bit(unsigned value)
{
    return UINT32_C(1) << value;
}

/* The printed name, or "?" for a value that is not in the list. */
const char *rules_harbour_name(enum harbour harbour);
const char *rules_piece_name(enum piece piece);
const char *rules_phase_name(enum phase phase);
const char *rules_variant_name(enum variant variant);
const char *rules_scenario_name(enum scenario_id scenario);
const char *rules_status_name(enum status status);
const char *rules_shot_name(enum shot shot);
const char *rules_face_name(enum face face);
const char *rules_how_name(enum how how);
const char *rules_health_name(enum health health);
const char *rules_dice_name(enum dice dice);
const char *rules_input_name(enum input_kind input);
const char *rules_event_name(enum event_kind event);
const char *rules_refusal_name(enum refusal refusal);
const char *rules_rule_name(enum rule rule);

/* The value with that printed name, or 0 (none). */
enum harbour rules_harbour_named(const char *name);
enum piece rules_piece_named(const char *name);
enum variant rules_variant_named(const char *name);
enum scenario_id rules_scenario_named(const char *name);
enum face rules_face_named(const char *name);
enum health rules_health_named(const char *name);
enum dice rules_dice_named(const char *name);
enum input_kind rules_input_named(const char *name);
enum event_kind rules_event_named(const char *name);
enum rule rules_rule_named(const char *name);

/* The source of an input, and the fields it must and may have (sets of FIELD bits). */
enum source rules_input_source(enum input_kind kind);
uint32_t rules_input_needs(enum input_kind kind);
uint32_t rules_input_fields(enum input_kind kind);

/* Which fields an event of this kind has (a set of FIELD bits). */
uint32_t rules_event_fields(enum event_kind kind);

/* The sentence of a refusal when its rule has none of its own; see say.h. */
const char *rules_refusal_sentence(enum refusal refusal);

#endif
