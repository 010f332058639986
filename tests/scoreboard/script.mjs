/**
 * Games as people would tell them: games/NAME.game. A script begins with who plays what, and goes
 * on with steps. A step is what somebody does, and below it, indented, what is seen after it:
 *
 *     tap roll-move value=3
 *         > Anna | Moving | 3 knots left | 0:0 | Anna rolls 3.
 *         + Red 1: in close combat
 *         - end-phase
 *
 * `>` is the TV in one line and is never left out, `+` is each further thing on it that has changed
 * (all of them, in the order of the page), and `-` is a command that the captain is not offered.
 */
import { readFileSync } from 'node:fs';

const SETTINGS = ['players', 'scenario', 'rules'];
const MARKS = { '>': 'boards', '+': 'changes', '-': 'absent' };

/** {title, wish, steps: [{action, board, changes, absent, line}]} */
export function readScript(file) {
    const script = { title: '', wish: { names: [], scenario: 'none', rules: 'basic' }, steps: [] };
    for (const [i, text] of readFileSync(file, 'utf8').split('\n').entries()) {
        readLine(script, text.trim(), `${file}:${i + 1}`);
    }
    const steps = script.steps.map(({ boards, ...step }) => {
        if (boards.length !== 1) {
            throw new Error(`${step.line}: "${step.action}" needs exactly one line with ">"`);
        }
        return { ...step, board: boards[0] };
    });
    return { ...script, steps };
}

function readLine(script, text, line) {
    const [word, ...rest] = text.split(' ');
    const value = rest.join(' ');
    if (word === '#') {
        script.title ||= value;
    } else if (SETTINGS.includes(word) && script.steps.length === 0) {
        Object.assign(script.wish, word === 'players' ? { names: rest } : { [word]: value });
    } else if (Object.hasOwn(MARKS, word)) {
        script.steps.at(-1)[MARKS[word]].push(value);
    } else if (text !== '') {
        script.steps.push({ action: text, boards: [], changes: [], absent: [], line });
    }
}

/** "engage attacker=red-1 target=blue-1" as {verb, attacker, target}. */
export function readCommand(text) {
    const [verb, ...fields] = text.split(' ');
    return { verb, ...Object.fromEntries(fields.map((field) => field.split('='))) };
}
