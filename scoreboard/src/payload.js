/**
 * Parses and checks the messages of the broker. Anyone with the right to publish may have sent
 * them: a message that does not conform to docs/mqtt.md is null, and the page ignores it.
 */
import { SEA } from './layout.js';
import { fitName } from './newgame.js';
import { HARBOURS, harboursOf, RULES, SCENARIOS } from './words.js';

const SIZE_MAX = 512 * 1024;

/** A name of 40 characters can have more units than that, but not so many. */
const NAME_MAX = 1000;

/** More than any piece can move. */
const KNOTS_MAX = 100;

const PHASES = ['lobby', 'shooting', 'moving', 'combat', 'repair', 'over'];

const PAIRING_STEPS = ['tip', 'raise', 'done', 'failed'];

export const isText = (value) => typeof value === 'string';
export const isNumber = (value) => Number.isFinite(value);
export const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
export const isTruth = (value) => typeof value === 'boolean';
const isHarbour = (value) => HARBOURS.includes(value);
const isPairingStep = (value) => PAIRING_STEPS.includes(value);
const isPhase = (value) => PHASES.includes(value);
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const orNull = (check) => (value) => value === null || check(value);
export const optional = (check) => (value) => value === undefined || value === null || check(value);
export const listOf = (check) => (value) => Array.isArray(value) && value.every(check);
export const mapOf = (check) => (value) => isObject(value) && Object.values(value).every(check);
export const shaped = (shape) => (value) =>
    isObject(value) &&
    Object.entries(shape).every(([key, check]) =>
        check(Object.hasOwn(value, key) ? value[key] : undefined),
    );

const isPlayer = shaped({
    id: isCount,
    name: isText,
    harbours: listOf(isHarbour),
    team: orNull(isCount),
    score: isNumber,
    ships: isCount,
    towers: isCount,
    out: isTruth,
    trophies: listOf(isText),
    barrels: optional((value) => isCount(value) && value <= HARBOURS.length),
});

const isPiece = shaped({
    owner: orNull(isCount),
    status: isText,
    by: orNull(isCount),
    cargo: optional(isText),
});

const isShapedState = shaped({
    game: orNull(isText),
    seq: isCount,
    phase: isPhase,
    turn: isCount,
    player: orNull(isCount),
    rules: orNull(isText),
    scenario: orNull(isText),
    die: orNull(isNumber),
    left: isNumber,
    shot: isText,
    shooter: orNull(isText),
    shot_window_ms: optional(isCount),
    selected: orNull(isText),
    players: listOf(isPlayer),
    pieces: mapOf(isPiece),
    combats: listOf(shaped({ attacker: isText, target: isText })),
    winners: listOf(isCount),
});

/** Three harbours with three players, and four with two or four (G1). */
function isFleet(state) {
    const harbours = harboursOf(state);
    const count = state.players.length === 3 ? 3 : HARBOURS.length;
    return (
        [2, 3, 4].includes(state.players.length) &&
        harbours.length === count &&
        new Set(harbours).size === count &&
        state.players.every((player) => player.harbours.length > 0)
    );
}

/** The views look up players and pieces by these names, so they must exist. */
export function isState(state) {
    if (!isShapedState(state)) {
        return false;
    }
    const isKnown = (id) => state.players.some((player) => player.id === id);
    const isThere = (name) => Object.hasOwn(state.pieces, name);
    return (
        (state.phase === 'lobby' || (isKnown(state.player) && isFleet(state))) &&
        state.winners.every(isKnown) &&
        [state.shooter, state.selected].every((name) => name === null || isThere(name)) &&
        state.combats.every(({ attacker, target }) => isThere(attacker) && isThere(target))
    );
}

export const isEvent = shaped({
    game: isText,
    seq: (value) => isCount(value) && value > 0,
    event_type: isText,
    at: optional(isText),
    message: optional(isText),
    piece: optional(isText),
    with: optional(isText),
    shooter: optional(isText),
    attacker: optional(isText),
    target: optional(isText),
    sensor: optional(isText),
    winners: optional(listOf(isCount)),
    pieces: optional(listOf(isText)),
    ranking: optional(Array.isArray),
});

export const isRecord = shaped({
    record: isText,
    value: isNumber,
    player: isText,
    table: isText,
    game: isText,
    at: isText,
});

const isChoice = shaped({
    verb: isText,
    message: optional(isText),
    to: optional(isText),
    piece: optional(isText),
    attacker: optional(isText),
    target: optional(isText),
    pieces: optional(listOf(isText)),
    targets: optional(listOf(isText)),
    harbours: optional(listOf(isText)),
    values: optional(listOf((value) => isText(value) || isCount(value))),
    knots: optional((value) => isCount(value) && value <= KNOTS_MAX),
});

const isDefaults = shaped({
    players: (value) =>
        listOf(shaped({ name: isText, harbours: listOf(isHarbour), team: optional(isCount) }))(
            value,
        ) &&
        value.length >= 2 &&
        value.length <= HARBOURS.length,
});

/** Far more moves than the page keeps. */
const PLACES_MAX = 1000;

const isOneOf = (list) => (value) => list.includes(value);
const isForEach = (check) => (value) =>
    Array.isArray(value) && value.length === HARBOURS.length && value.every(check);

/** The form of a new game, as a page shares it. */
export const isWish = shaped({
    playerCount: isOneOf([2, 3, 4]),
    names: isForEach((name) => isText(name) && name.length <= NAME_MAX && name === fitName(name)),
    colours: (value) =>
        isForEach(isHarbour)(value) && HARBOURS.every((harbour) => value.includes(harbour)),
    teamOf: isForEach(isOneOf([1, 2])),
    teams: isTruth,
    rules: isOneOf(RULES),
    scenario: isOneOf(SCENARIOS),
    dice: isOneOf(['table', 'daemon']),
    first: isOneOf(['draw', 1, 2, 3, 4, '1', '2', '3', '4']),
});

const isPlaces = (value) =>
    Array.isArray(value) &&
    value.length <= PLACES_MAX &&
    value.every(
        (place) =>
            Array.isArray(place) &&
            isText(place[0]) &&
            [place[1], place[2]].every((each) => isCount(each) && each <= SEA) &&
            isCount(place[3]),
    );

const checks = {
    choices: shaped({ game: orNull(isText), seq: isCount, choices: listOf(isChoice) }),
    info: shaped({
        storage: orNull(isText),
        faults: listOf(isText),
        defaults: optional(isDefaults),
        points: optional(mapOf(isCount)),
    }),
    score: shaped({
        phase: isPhase,
        turn: isCount,
        player: orNull(isCount),
        scores: listOf(shaped({ id: isCount, name: isText, score: isNumber })),
    }),
    ready: shaped({
        check: isText,
        problems: listOf(
            shaped({ sensor: isText, piece: orNull(isText), message: isText, blocks: isTruth }),
        ),
    }),
    rope: shaped({ knots: isNumber, left: isNumber, piece: orNull(isText), over: isTruth }),
    sensor: shaped({
        value: isNumber,
        health: optional(isText),
        source: optional(isText),
        line: optional(isText),
        heard: optional(isTruth),
        heard_at: optional(isText),
    }),
    pairing: shaped({
        sensor: isText,
        step: isPairingStep,
        reason: optional(isText),
        candidates: listOf(shaped({ name: isText, source: isText })),
        unsupported: optional(listOf(isText)),
        message: isText,
    }),
    speaker: shaped({ device: orNull(isText) }),
    told: shaped({ game: isText, seq: isCount, fallen: optional(isCount) }),
    form: shaped({ page: isText, configured: isText, wish: isWish }),
    positions: shaped({ game: isText, places: isPlaces }),
    state: isState,
    event: isEvent,
    record: isRecord,
    reply: shaped({ id: orNull(isText), ok: isTruth, events: optional(Array.isArray) }),
};

/** The payload of this kind of topic (`state`, `event`, `reply`, ...), or null. */
export function readPayload(kind, text) {
    try {
        const value = text.length <= SIZE_MAX ? JSON.parse(text) : null;
        return checks[kind](value) ? value : null;
    } catch {
        return null;
    }
}
