/** The daemon's ready check, as far as it concerns the game that somebody wants or plays. */
import { guestOf, harboursFor, piecesOf } from './words.js';

/** Which kind of problem a sensor stands for; null: only its own sentence can tell. */
const KINDS = [
    [/\.tilt$/, 'lying'],
    [/^cannon\./, 'cannon'],
    [/\.beam$/, 'beam'],
    [/^rope\./, 'rope'],
];

/** Whether the table has told what keeps a game from starting: before one it does, in one not. */
export function isStartChecked({ ready }) {
    return ready?.check === 'start';
}

/**
 * What still speaks against starting this game: {kind, blocks, sensor, piece, message}. Kinds are
 * offline, storage, unwell (a sensor), lying, beam, cannon, rope, and null for others.
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
    return blocks ? (KINDS.find(([pattern]) => pattern.test(sensor))?.[1] ?? null) : 'unwell';
}

/** What contradicts a game that is played; its pieces not, which the state has as `disturbed`. */
export function whatContradicts({ ready }) {
    const problems = ready?.check === 'resume' ? ready.problems : [];
    return problems
        .map((problem) => ({ ...problem, kind: kindOf(problem) }))
        .filter(({ kind }) => !['lying', 'unwell'].includes(kind));
}
