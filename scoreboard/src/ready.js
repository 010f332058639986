/** The ready check of the daemon, limited to the game that is being set up or played. */
import { harboursOfWish } from './newgame.js';
import { isRadio } from './sensors.js';
import { guestOf, piecesOf } from './words.js';

/** The kind of problem of a sensor; null: only the message of the daemon describes it. */
const KINDS = [
    [/\.tilt$/, 'lying'],
    [/^cannon\./, 'cannon'],
    [/\.beam$/, 'beam'],
    [/^rope\./, 'rope'],
];

/** Whether the table has published a check before a game (and not one during a game). */
export function isStartChecked({ ready }) {
    return ready?.check === 'start';
}

/** Whether nothing prevents this game from starting. */
export function isReady(table, wish) {
    return isStartChecked(table) && !whatIsMissing(table, wish).some(({ blocks }) => blocks);
}

/**
 * The problems that prevent this game from starting: {kind, blocks, sensor, piece, message}. Kinds
 * are offline, storage, faulty (a faulty sensor), unheard and battery (of a radio sensor), lying,
 * beam, cannon, rope, and null for others.
 */
export function whatIsMissing(table, wish) {
    const pieces = [...harboursOfWish(wish).flatMap(piecesOf), guestOf(wish.scenario)];
    const { online, info } = table;
    const problems = isStartChecked(table) ? table.ready.problems : [];
    return [
        ...(online === false ? [{ kind: 'offline', blocks: true }] : []),
        ...(info?.storage ? [{ kind: 'storage', blocks: true, message: info.storage }] : []),
        ...problems
            .filter(({ piece }) => piece === null || pieces.includes(piece))
            .map((problem) => ({ ...problem, kind: kindOf(problem, table.sensors) })),
    ];
}

function kindOf({ sensor, blocks }, sensors) {
    const named = KINDS.find(([pattern]) => pattern.test(sensor))?.[1] ?? null;
    return blocks ? named : quietKind(sensors[sensor], named);
}

/** What prevents nothing: a fault, or what is known of a radio sensor. */
function quietKind(sensor, named) {
    if (!isRadio(sensor) || sensor.health !== 'ok') {
        return 'faulty';
    }
    if (!sensor.heard) {
        return 'unheard';
    }
    return named === 'lying' && sensor.value === 1 ? named : 'battery';
}

/** The problems during a game, without pieces, which are `disturbed` in the state. */
export function whatContradicts({ ready, sensors }) {
    const problems = ready?.check === 'resume' ? ready.problems : [];
    return problems
        .map((problem) => ({ ...problem, kind: kindOf(problem, sensors) }))
        .filter(({ kind }) => !['lying', 'faulty', 'unheard', 'battery'].includes(kind));
}
