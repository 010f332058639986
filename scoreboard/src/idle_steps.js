/**
 * Steps of a turn in which the current player can do nothing. Every player gets every step (G4), but nobody
 * has to tap through those.
 */
import { inPlay } from './aim.js';
import { ownPieces } from './conditions.js';
import { guestOf, isShip, stepsOf } from './words.js';

/** The commands without a roll that cannot be of use. */
export function withoutUselessRoll(state, commands) {
    return state && isRollUseless(state)
        ? commands.filter(({ verb }) => verb !== 'roll-move')
        : commands;
}

/** Whether nothing could sail, whatever the die shows (M2). Some scenarios have more that can be moved. */
export function isRollUseless(state) {
    return state.phase === 'moving' && state.die === null && isIdle(state, 'moving');
}

/**
 * Whether the current player can do nothing in a step, as far as the state shows it: who stands next to
 * whom is unknown.
 */
export function isIdle(state, step) {
    const { pieces, combats, scenario } = state;
    const own = ownPieces(state);
    const guest = guestOf(scenario);
    const isGuest = guest !== null && inPlay(state, guest);
    const isFighting = (name) =>
        combats.some(({ attacker, target }) => [attacker, target].includes(name));
    const isUp = (name) => pieces[name].status === 'standing';
    const maySail = (name) => isShip(name) && isUp(name) && !pieces[name].entangled && !isFighting(name);
    const mayMoveGuest = isGuest && (guest === 'monster' || (isUp(guest) && !isFighting(guest))); // SM4
    const idle = {
        moving: () =>
            !mayMoveGuest && !['heavy-wind', 'merchant'].includes(scenario) && !own.some(maySail),
        combat: () => !isGuest && !own.some((name) => isUp(name) || isFighting(name)),
        repair: () => !mayRepair(state),
    };
    return Object.hasOwn(idle, step) && idle[step]();
}

/** The steps after this one in which nothing can be done, up to the first in which something can. */
function idleSteps(state, isIdleHere) {
    const steps = stepsOf(state);
    const later = steps.slice(steps.indexOf(state.phase) + 1);
    const first = later.findIndex((step) => !isIdleHere(step) && !isIdle(state, step));
    return first < 0 ? later : later.slice(0, first);
}

/** The table as if the step after the idle ones were the next one: buttons and sentences name it. */
export function tableAhead(table, isIdleHere = () => false) {
    const skipped = skippedFrom(table.state, isIdleHere);
    return skipped.length > 0 ? withNext(table, skipped) : table;
}

/** The steps that end with this one. `isIdleHere(step)` is what only a view knows. */
export function skippedFrom(state, isIdleHere = () => false) {
    const isShot = state?.phase === 'shooting' && state.shot !== 'none'; // people may enter what fell
    return state === null || isShot ? [] : idleSteps(state, isIdleHere);
}

function withNext(table, skipped) {
    const steps = stepsOf(table.state);
    const to = steps[steps.indexOf(skipped.at(-1)) + 1] ?? 'shooting';
    const past = (list) =>
        list && {
            ...list,
            choices: list.choices.map((each) => (each.verb === 'end-phase' ? { ...each, to } : each)),
        };
    return { ...table, choices: past(table.choices), choicesBefore: past(table.choicesBefore) };
}

/** Whether the current player has pieces to raise (A3). */
export function mayRepair({ pieces, player }) {
    const isFlat = ({ owner, status }) => owner === player && status === 'flat';
    return Object.values(pieces).some(isFlat);
}
