/** The ready check of the daemon, limited to the game that is being set up or played. */
import { guestOf, harboursFor, piecesOf } from './words.js';

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

/**
 * The problems that prevent this game from starting: {kind, blocks, sensor, piece, message}. Kinds
 * are offline, storage, faulty (a faulty sensor), lying, beam, cannon, rope, and null for others.
 */
export function whatIsMissing(table, { playerCount, scenario }) {
    const pieces = [...harboursFor(playerCount).flatMap(piecesOf), guestOf(scenario)];
    const { online, info } = table;
    const problems = isStartChecked(table) ? table.ready.problems : [];
    return [
        ...(online === false ? [{ kind: 'offline', blocks: true }] : []),
        ...(info?.storage ? [{ kind: 'storage', blocks: true, message: info.storage }] : []),
        ...problems
            .filter(({ piece }) => piece === null || pieces.includes(piece))
            .map((problem) => ({ ...problem, kind: kindOf(problem) })),
    ];
}

function kindOf({ sensor, blocks }) {
    return blocks ? (KINDS.find(([pattern]) => pattern.test(sensor))?.[1] ?? null) : 'faulty';
}

/** The problems during a game, without pieces, which are `disturbed` in the state. */
export function whatContradicts({ ready }) {
    const problems = ready?.check === 'resume' ? ready.problems : [];
    return problems
        .map((problem) => ({ ...problem, kind: kindOf(problem) }))
        .filter(({ kind }) => !['lying', 'faulty'].includes(kind));
}
