/** What the log of a game lists, and what it says of a shooting step from which nothing came. */
/** Events that are not listed: the stage and the cards show them already, or they do not matter. */
const QUIET = ['phase-started', 'piece-selected'];

/** The end of a combat is not news either, if the last event has shown what came of it. */
const DECIDED = ['piece-captured', 'piece-lost'];

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
 * The listed events in their order. The end of a shot is listed if nothing came of it (`outcome` is then
 * `missed`), the end of a shooting step if there was no shot (`passed`). `what` is the event that was undone.
 */
export function listedEvents(events) {
    const listed = [];
    const shotBefore = new Map(); // by seq, for an undo
    let shot = null; // of this turn: {isSeen, isKnown, hasMet, end}
    let last = null;
    for (const event of events) {
        const { event_type: type, seq } = event;
        const isPass = type === 'phase-started' && event.phase === 'moving' && shot === null;
        const entry = { ...event, ...(isPass && { outcome: 'passed' }) };
        if (type === 'undone') {
            entry.what = listed.find((each) => each.seq >= event.from && each.seq <= event.to);
        }
        if (isPass || !(QUIET.includes(type) || (type === 'combat-ended' && DECIDED.includes(last)))) {
            listed.push(entry);
        }
        shotBefore.set(seq, shot);
        const isBack = type === 'undone' && shotBefore.has(event.from);
        shot = isBack ? shotBefore.get(event.from) : shotAfter(shot, entry);
        if (shot?.end) {
            shot.end.outcome = shot.isKnown && !shot.hasMet ? 'missed' : undefined;
        }
        last = type;
    }
    return listed.filter(isNews);
}

/** The log shows what a shot has toppled; a tower that it has only shifted is put back (S6). */
function isNews({ event_type: type, outcome, rule }) {
    return type !== 'shot-over' || outcome === 'missed' || rule === 'S6';
}

/** The shot of the turn after an event. */
function shotAfter(shot, entry) {
    const { event_type: type } = entry;
    if (type === 'turn-started' || type === 'game-started') {
        return null;
    }
    if (type === 'shot-fired') {
        const isSeen = entry.evidence !== undefined;
        return { isSeen, isKnown: isSeen, hasMet: false, end: null };
    }
    return (
        shot && {
            ...shot,
            // What no sensor sees is entered late: only the next step of the game shows that it is all.
            isKnown: shot.isKnown || (shot.end !== null && type !== 'phase-started'),
            hasMet: shot.hasMet || MET.includes(type),
            end: type === 'shot-over' ? entry : shot.end,
        }
    );
}
