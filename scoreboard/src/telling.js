/** What people enter after a shot: what has fallen and no sensor has seen. */
import { isTile } from './aim.js';
import { find, undoneNext } from './choices.js';
import { sourceOf } from './sensors.js';
import { liveEvents, readUndone } from './undone.js';

/**
 * Whether people have to enter what this turn's shot topples: its piece, or the cannon, has no
 * sensor that has seen it.
 */
export function isToldByPeople(table) {
    const { state, log } = table;
    const shot = liveEvents(log.events).findLast(isShot);
    const isSeen = shot?.turn === state.turn && shot.evidence !== undefined;
    return !isSeen || isBlind(table);
}

/** Whether some piece has no sensor that could see it fall. Of a stored game that is unknown. */
export function isBlind({ state, sensors, info }) {
    return Object.entries(sensors ? state.pieces : {}).some(
        ([name, { status }]) =>
            status === 'standing' && !isTile(name) && sourceOf({ sensors, info }, `${name}.tilt`) === 'none',
    );
}

/**
 * The shot that has ended by itself while people may still be looking what fell, because nobody has done
 * anything since; or undefined.
 */
export function shotToTell(table, commands) {
    const { state, log } = table;
    const shot = liveEvents(log.events).findLast(isShot);
    const last = readUndone(undoneNext(table) ?? '')?.key;
    const isOpen =
        state?.phase === 'moving' &&
        state.die === null &&
        shot?.turn === state.turn &&
        ['fired', 'fell', 'fellMany'].includes(last) &&
        (last !== 'fired' || find(commands, 'topple') !== undefined) &&
        isToldByPeople(table);
    return isOpen ? shot : undefined;
}

/** Whether people have said, on any device, that this shot is over. */
export function isTold({ told }, { game, seq }) {
    return told?.game === game && told.seq === seq;
}

function isShot({ event_type: type }) {
    return type === 'shot-fired';
}
