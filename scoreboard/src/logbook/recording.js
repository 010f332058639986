/**
 * A recorded game: a plain value, built from the replies of the logbook. A step is the state after
 * what one command or sensor report caused, so it may contain several events. The states are those
 * of the table.
 */
import { isEvent, isState } from '../payload.js';
import { undoneSeqs } from '../undone.js';

export const SPEEDS = [1, 2, 5, 10, 20];

/** Players think longer than viewers want to wait; and what happened at once is shown in order. */
const WAIT_MAX_MS = 4000;
const WAIT_MIN_MS = 200;

/** Events with which a piece changes hands. */
const CAPTURES = ['piece-captured', 'piece-lost', 'monster-killed'];

export const NO_RECORDING = { events: [], steps: [] };

/**
 * The recording with the events and states of another reply, which continue it without a gap; null
 * if they do not, or if they are not from a table.
 */
export function withReply(recording, { events, states }) {
    try {
        const count = recording.events.length;
        const isNext = events.every((event, i) => isEvent(event) && event.seq === count + i + 1);
        return isNext
            ? { events: [...recording.events, ...events], steps: withStates(recording.steps, states) }
            : null;
    } catch {
        return null; // not states of a table
    }
}

function withStates(before, entries) {
    const steps = [...before];
    for (const { seq, state, changes } of entries) {
        const last = steps.at(-1);
        const next = changes === undefined ? state : changed(last.state, changes);
        if (!isState(next) || next.seq !== seq || seq <= (last?.seq ?? 0)) {
            throw new Error(`no state of a table at ${seq}`);
        }
        steps.push({ seq, state: next });
    }
    return steps;
}

/** The state after the next step, of which only the differences are sent. */
function changed(state, changes) {
    return { ...state, ...changes, pieces: { ...state.pieces, ...changes.pieces } };
}

/** The index of the step that contains the event with this seq; the nearest one if there is none. */
export function stepAt({ steps }, seq) {
    const index = steps.findIndex((step) => step.seq >= seq);
    return index < 0 ? Math.max(0, steps.length - 1) : index;
}

/** The events of a step. */
export function eventsOf({ events, steps }, index) {
    return events.slice(index > 0 ? steps[index - 1].seq : 0, steps[index].seq);
}

/** The table as it was after a step, for the views that draw a table. */
export function tableAt({ events, steps }, index) {
    const { seq, state } = steps[index];
    return { state, rope: null, log: { events: events.slice(0, seq) } };
}

/** The indices of the steps in which a piece was captured, without those that were taken back. */
export function captureSteps(recording) {
    const undone = undoneSeqs(recording.events);
    const captures = recording.events.filter(
        ({ event_type: type, seq }) => CAPTURES.includes(type) && !undone.has(seq),
    );
    return [...new Set(captures.map(({ seq }) => stepAt(recording, seq)))];
}

/** The time from a step to the next one at a speed, in milliseconds. */
export function waitAfter({ events, steps }, index, speed) {
    const [before, after] = [index, index + 1].map((i) => Date.parse(events[steps[i].seq - 1]?.at));
    const wait_ms = Math.min(WAIT_MAX_MS, Math.max(WAIT_MIN_MS, after - before || 0));
    return wait_ms / speed;
}
