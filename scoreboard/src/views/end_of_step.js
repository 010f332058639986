/** The end of a step, and with it of those after it in which the player can do nothing. */
import { useEffect, useRef } from 'preact/hooks';
import { find, undoneNext } from '../choices.js';
import { readUndone } from '../undone.js';
import { isIdle, skippedFrom, tableAhead } from '../idle_steps.js';

/** What a player can do in a step. While one of these is possible, the step is not skipped. */
const ACTIONS = [
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

/**
 * {act, ahead}: `act` sends commands; after the end of a step it ends the idle ones, too, each when it has
 * begun and nothing can be done in it indeed, and an undo takes back all of that. `ahead` is the table with
 * the step that comes then. `isIdleHere(step)` is what only this view knows.
 */
export function useEnd(table, commands, acts, isIdleHere = () => false) {
    const ending = useRef(null); // {verb, turn, from, skipped}
    const { state } = table;
    const skipped = skippedFrom(state, isIdleHere);
    useEffect(() => {
        if (ending.current === null || acts.isWaiting || commands.length === 0) {
            return;
        }
        const { verb, turn, from, skipped: rest } = ending.current;
        if (state.turn === turn && state.phase === from) {
            return; // it has not ended yet
        }
        const isFree = !ACTIONS.some((each) => find(commands, each));
        const isIdleNow = isIdleHere(state.phase) || isIdle(state, state.phase);
        const isSkipped =
            verb === 'undo'
                ? isIdleNow && isEndOfStep(table)
                : state.turn === turn && rest.includes(state.phase);
        if (isFree && isSkipped && find(commands, verb)) {
            ending.current = { ...ending.current, turn: state.turn, from: state.phase };
            acts.act({ verb });
        } else {
            ending.current = null;
        }
    });
    const act = async (command) => {
        const { verb } = command;
        const isEnd = verb === 'end-phase' && skipped.length > 0;
        const isMore = isEnd || (verb === 'undo' && isEndOfStep(table));
        if (acts.isWaiting && ending.current?.verb === verb) {
            return acts.act(command); // the same once more
        }
        const begun = isMore ? { verb, turn: state.turn, from: state.phase, skipped } : null;
        ending.current = begun;
        const isDone = await acts.act(command);
        if (!isDone && ending.current === begun) {
            ending.current = null;
        }
        return isDone;
    };
    return { act, ahead: tableAhead(table, isIdleHere) };
}

/** Whether an undo would take back the end of a step. */
function isEndOfStep(table) {
    return readUndone(undoneNext(table) ?? '')?.key === 'ended';
}
