/** What the log of a game lists, and what it says of a shooting step from which nothing came. */
import { undoneSeqs } from './undone.js';

/** Events that are not listed: the stage and the cards show them already, or they do not matter. */
const QUIET = ['phase-started', 'piece-selected'];

/** The end of a combat is not news either, if the last event has shown what came of it. */
const DECIDED = ['piece-captured', 'piece-lost'];

/** What a ball does, or a person enters afterwards; and what else happens to pieces while it flies. */
const MET = ['shot-hit', 'piece-toppled', 'monster-wounded', 'monster-killed'];
const MET_IN_FLIGHT = [...MET, 'piece-captured', 'piece-lost', 'disturbance'];

/** What happens while people look what fell. */
const MEANWHILE = ['phase-started', 'sensor-fault', 'sensor-ok', 'disturbance', 'piece-restored'];

/**
 * The listed events in their order. The end of a shot is listed if nothing came of it (`outcome` is then
 * `missed`), the end of a shooting step if there was no shot (`passed`). `what` is the event that was undone.
 * `isBlind`: no sensor sees some of the pieces fall.
 */
export function listedEvents(events, isBlind = false) {
    const listed = [];
    const shotBefore = new Map(); // by seq, for an undo
    let shot = null; // of this turn: {isKnown, hasMet, end}
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
        if (type === 'turn-started') {
            decide(shot && { ...shot, isKnown: true });
        }
        shot = isBack ? shotBefore.get(event.from) : shotAfter(shot, entry, isBlind);
        decide(shot);
        last = type;
    }
    return listed.filter(isNews);
}

/** The log shows what a shot has toppled; a tower that it has only shifted is put back (S6). */
function isNews({ event_type: type, outcome, rule }) {
    return type !== 'shot-over' || outcome === 'missed' || rule === 'S6';
}

/** The listed events without those that were undone. */
export function liveListed(events, isBlind) {
    const undone = undoneSeqs(events);
    return listedEvents(events, isBlind).filter(({ seq }) => !undone.has(seq));
}

/** Marks the end of a shot, as far as is known of it. */
function decide(shot) {
    if (shot?.end) {
        shot.end.outcome = shot.isKnown && !shot.hasMet ? 'missed' : undefined;
    }
}

/** The shot of the turn after an event. */
function shotAfter(shot, entry, isBlind) {
    const { event_type: type } = entry;
    if (type === 'turn-started' || type === 'game-started') {
        return null;
    }
    if (type === 'shot-fired') {
        const isKnown = entry.evidence !== undefined && !isBlind;
        return { isKnown, hasMet: false, end: null };
    }
    return (
        shot && {
            ...shot,
            // What no sensor sees is entered late: only the next step of the game shows that it is all.
            isKnown: shot.isKnown || (shot.end !== null && !MEANWHILE.includes(type)),
            hasMet: shot.hasMet || (shot.end === null ? MET_IN_FLIGHT : MET).includes(type),
            end: type === 'shot-over' ? entry : shot.end,
        }
    );
}
