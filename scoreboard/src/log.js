/** What the log of a game lists, and what it says of a shooting step from which nothing came. */
import { undoneSeqs } from './undone.js';

/** Events that are not listed: the stage and the cards show them already, or they do not matter. */
const QUIET = ['phase-started', 'piece-selected'];

/** The end of a combat or a shot is not news either, if the last event has shown what came of it. */
const RESULTS = {
    'combat-ended': ['piece-captured', 'piece-lost'],
    'shot-over': ['piece-captured', 'piece-lost', 'piece-toppled'],
};

/** What a ball does, or a person enters afterwards. */
const MET = [
    'shot-hit',
    'piece-toppled',
    'piece-captured',
    'piece-lost',
    'monster-wounded',
    'monster-killed',
    'disturbance',
];

/**
 * The listed events in their order. `outcome` is `missed` at the end of a shot that toppled nothing, and
 * `passed` where the player went on without a shot.
 */
export function listedEvents(events) {
    const undone = undoneSeqs(events);
    const listed = [];
    let shot = null; // of this turn: {isSeen, end}
    let last = null; // the hit that a piece's own beam detects may follow its fall
    for (const event of events) {
        const { event_type: type, rule, seq } = event;
        const isLive = !undone.has(seq);
        const isResult = rule !== 'S6' && RESULTS[type]?.includes(last);
        const isPass = type === 'phase-started' && event.phase === 'moving' && shot === null;
        const entry = isPass ? { ...event, outcome: 'passed' } : { ...event };
        if (isPass || !(QUIET.includes(type) || isResult)) {
            listed.push(entry);
        }
        if (isLive) {
            shot = shotAfter(shot, entry);
        }
        last = type === 'shot-hit' ? last : type;
    }
    return listed;
}

/** The shot of the turn after an event; the end of a shot is marked when it is known to be a miss. */
function shotAfter(shot, entry) {
    const { event_type: type } = entry;
    if (type === 'turn-started' || type === 'game-started') {
        return null;
    }
    if (type === 'shot-fired') {
        return { isSeen: entry.evidence !== undefined, hasMet: false, end: null };
    }
    if (shot === null) {
        return null;
    }
    const hasMet = shot.hasMet || MET.includes(type);
    const end = type === 'shot-over' ? entry : shot.end;
    // What no sensor sees is entered late: then only the next step of the game tells.
    const isKnown = shot.isSeen || (shot.end !== null && type !== 'phase-started');
    if (end) {
        end.outcome = isKnown && !hasMet ? 'missed' : undefined;
    }
    return { ...shot, hasMet, end };
}
