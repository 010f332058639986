/** The end of a step, and with it of those after it in which the player can do nothing. */
import { useEffect, useRef } from 'preact/hooks';
import { find } from '../choices.js';
import { isIdle } from '../whatnow.js';

const STEPS = { basic: ['shooting', 'moving', 'combat'], advanced: ['shooting', 'moving', 'combat', 'repair'] };

/** What a player can do in a step. While one of these is possible, the step is not skipped. */
const DOES = [
    'fire',
    'roll-move',
    'move',
    'engage',
    'roll-combat',
    'take-chest',
    'load-barrel',
    'deliver-barrel',
    'catch-wind',
    'move-wind',
    'entangle',
];

/** The steps after this one in which nothing can be done, up to the first in which something can. */
function idleSteps(state, isIdleHere) {
    const steps = STEPS[state.rules] ?? [];
    const later = steps.slice(steps.indexOf(state.phase) + 1);
    const first = later.findIndex((step) => !isIdleHere(step) && !isIdle(state, step));
    return first < 0 ? later : later.slice(0, first);
}

/** The table as if the step after these were the next one: buttons and sentences name it. */
function withNext(table, skipped) {
    const { rules } = table.state;
    const to = STEPS[rules][STEPS[rules].indexOf(skipped.at(-1)) + 1] ?? 'shooting';
    const past = (list) =>
        list && {
            ...list,
            choices: list.choices.map((each) => (each.verb === 'end-phase' ? { ...each, to } : each)),
        };
    return { ...table, choices: past(table.choices), choicesBefore: past(table.choicesBefore) };
}

/**
 * {act, ahead}: `act` sends commands; after the end of a step it ends the idle ones, too, each when it has
 * begun and nothing can be done in it indeed. `ahead` is the table with the step that comes then.
 * `isIdleHere(step)` is what only this view knows.
 */
export function useEnd(table, commands, acts, isIdleHere = () => false) {
    const ending = useRef(null); // {turn, from, skipped}
    const { state } = table;
    const isShot = state?.phase === 'shooting' && state.shot !== 'none'; // people may enter what fell
    const skipped = state === null || isShot ? [] : idleSteps(state, isIdleHere);
    useEffect(() => {
        if (ending.current === null || acts.isWaiting || commands.length === 0) {
            return;
        }
        const { turn, from, skipped: rest } = ending.current;
        if (state.turn === turn && state.phase === from) {
            return; // it has not ended yet
        }
        const isFree = !DOES.some((verb) => find(commands, verb));
        const isNext = state.turn === turn && rest.includes(state.phase);
        const isSkipped = isNext && isFree && find(commands, 'end-phase');
        ending.current = isSkipped ? { ...ending.current, from: state.phase } : null;
        if (isSkipped) {
            acts.act({ verb: 'end-phase' });
        }
    });
    const act = async (command) => {
        const isEnd = command.verb === 'end-phase' && skipped.length > 0;
        ending.current = isEnd ? { turn: state.turn, from: state.phase, skipped } : null;
        const isDone = await acts.act(command);
        if (!isDone) {
            ending.current = null;
        }
        return isDone;
    };
    return { act, ahead: skipped.length > 0 ? withNext(table, skipped) : table };
}
