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

/** Whether nothing could sail, whatever the die shows (M2). */
export function isRollUseless(state) {
    return state.phase === 'moving' && state.die === null && !mayMove(state);
}

/**
 * Whether the current player can do nothing in a step, as far as the state shows it: who stands next to
 * whom is unknown.
 */
export function isIdle(state, step) {
    const idle = {
        moving: () => !mayMove(state) && state.scenario !== 'merchant', // barrels need no die
        combat: () => !mayFight(state),
        repair: () => !mayRepair(state),
    };
    return Object.hasOwn(idle, step) && idle[step]();
}

/** Own ships, the wind, and pieces without an owner. The monster is moved out of a fight (SM4). */
function mayMove(state) {
    const { pieces, scenario } = state;
    const guest = guestInPlay(state);
    const isFree = (name) =>
        isUp(state, name) && !pieces[name].entangled && !isFighting(state, name);
    const mayMoveGuest = guest !== null && (guest === 'monster' || isFree(guest));
    return mayMoveGuest || scenario === 'heavy-wind' || ownPieces(state).filter(isShip).some(isFree);
}

function mayFight(state) {
    const isAble = (name) => isUp(state, name) || isFighting(state, name);
    return guestInPlay(state) !== null || ownPieces(state).some(isAble);
}

/** Whether the current player has pieces to raise (A3). */
export function mayRepair({ pieces, player }) {
    const isFlat = ({ owner, status }) => owner === player && status === 'flat';
    return Object.values(pieces).some(isFlat);
}

function guestInPlay(state) {
    const guest = guestOf(state.scenario);
    return guest !== null && inPlay(state, guest) ? guest : null;
}

function isUp({ pieces }, name) {
    return pieces[name].status === 'standing';
}

function isFighting({ combats }, name) {
    return combats.some(({ attacker, target }) => [attacker, target].includes(name));
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
