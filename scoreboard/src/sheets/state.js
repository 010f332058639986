/**
 * The state of a sheet game as the logbook publishes it on sheet/ID. What it does not conform to is
 * ignored. The page computes no score and no rule: all of them are in the state.
 */
import {
    isCount,
    isNumber,
    isText,
    isTruth,
    listOf,
    mapOf,
    optional,
    orNull,
    shaped,
} from '../payload.js';

const SIZE_MAX = 64 * 1024;
const PLAYERS_MAX = 8;
const COUNTERS_MAX = 16;
const FLAGS_MAX = 8;
const STEPS_MAX = 10;

/** More than a logbook has open. */
const SHEETS_MAX = 64;

const PHASES = ['playing', 'final', 'over'];

const isPhase = (value) => PHASES.includes(value);
const isOwner = (value) => ['player', 'table'].includes(value);
const upTo = (max, check) => (value) => check(value) && value.length <= max;

const isCounter = shaped({
    name: isText,
    label: isText,
    of: isOwner,
    start: optional(isNumber),
    min: isNumber,
    max: isNumber,
    steps: upTo(STEPS_MAX, listOf(isNumber)),
    values: optional(listOf(isText)),
    secret: isTruth,
    when: isText,
});

const isPlayer = shaped({
    id: isCount,
    name: isText,
    role: orNull(isText),
    counters: mapOf(orNull(isNumber)),
    flags: mapOf(isTruth),
    score: orNull(isNumber),
    secret: optional(mapOf(listOf(isCount))),
});

const isUndo = shaped({
    verb: isText,
    player: orNull(isCount),
    counter: optional(isText),
    flag: optional(isText),
    by: optional(isNumber),
    to: optional(isNumber),
    value: optional(isTruth),
});

/** By language: translations by text. */
const isTranslations = mapOf(mapOf(isText));

const isShapedSheet = shaped({
    sheet: isText,
    name: isText,
    title: isText,
    seq: isCount,
    phase: isPhase,
    round: isCount,
    first: orNull(isCount),
    text: orNull(isText),
    players: upTo(PLAYERS_MAX, listOf(isPlayer)),
    counters: mapOf(orNull(isNumber)),
    flags: mapOf(isTruth),
    hints: listOf(shaped({ player: orNull(isCount), text: isText })),
    can_finish: isTruth,
    undo: orNull(isUndo),
    ranking: listOf(
        shaped({
            player: isCount,
            place: isCount,
            score: orNull(isNumber),
            title: orNull(isText),
        }),
    ),
    winners: listOf(isCount),
    counters_of: upTo(COUNTERS_MAX, listOf(isCounter)),
    flags_of: upTo(FLAGS_MAX, listOf(shaped({ name: isText, label: isText, of: isOwner }))),
    texts: optional(isTranslations),
});

/** The views look up players by these ids and what undo names, so they must exist. */
function isSheet(sheet) {
    if (!isShapedSheet(sheet) || !isKnownUndo(sheet)) {
        return false;
    }
    const isKnown = (id) => playerWith(sheet, id) !== undefined;
    const named = [...sheet.hints.map(({ player }) => player), sheet.first]
        .concat(sheet.undo?.player ?? null)
        .filter((id) => id !== null)
        .concat(sheet.ranking.map(({ player }) => player), sheet.winners);
    return named.every(isKnown);
}

function isKnownUndo({ undo, counters_of: counters, flags_of: flags }) {
    const has = (list, named) => list.some(({ name }) => name === named);
    return (
        (undo?.verb !== 'count' || has(counters, undo.counter)) &&
        (undo?.verb !== 'flag' || has(flags, undo.flag))
    );
}

export function playerWith(sheet, id) {
    return sheet.players.find((player) => player.id === id);
}

/** The games after a message on sheet/ID: an empty one removes the game. */
export function withSheet(sheets, id, payload) {
    const { [id]: before, ...others } = sheets;
    const isFull = before === undefined && Object.keys(others).length >= SHEETS_MAX;
    if (payload === '' || isFull) {
        return others;
    }
    const sheet = readSheet(payload);
    return sheet?.sheet === id ? { ...others, [id]: sheet } : sheets;
}

function readSheet(payload) {
    try {
        const value = payload.length <= SIZE_MAX ? JSON.parse(payload) : null;
        return isSheet(value) ? value : null;
    } catch {
        return null;
    }
}

/** The counters of a player, or of the table (null): {counter, value}; a secret value is null. */
export function countersOf(sheet, player) {
    return owned(sheet.counters_of, player, (player ?? sheet).counters).map(([counter, value]) => ({
        counter,
        value,
    }));
}

/** The flags of a player, or of the table: {flag, isSet}. */
export function flagsOf(sheet, player) {
    return owned(sheet.flags_of, player, (player ?? sheet).flags).map(([flag, isSet]) => ({
        flag,
        isSet,
    }));
}

function owned(all, player, values) {
    const owner = player === null ? 'table' : 'player';
    return all
        .filter(({ name, of }) => of === owner && Object.hasOwn(values, name))
        .map((each) => [each, values[each.name]]);
}

/** A value in the words of the sheet: its name if the sheet names its values. */
export function valueWords({ min, values }, value) {
    return values?.[value - min] ?? String(value);
}

/** An installed sheet, as the logbook lists it. */
export const isSheetChoice = shaped({
    name: isText,
    title: isText,
    players: (value) => listOf(isCount)(value) && value.length === 2 && value[1] <= PLAYERS_MAX,
    roles: optional(upTo(PLAYERS_MAX, listOf(isText))),
    texts: optional(isTranslations),
});
