/**
 * What the current player can do now, from the list of possible commands: a sentence, and the rule
 * behind it in plain words. The page knows no rules: it only names what the table accepts.
 */
import { find, nextPhase } from './choices.js';

/** In the moving step, what a scenario adds: the verb, and the key of its rule. */
const EXTRAS = [
    ['deliver-barrel', 'barrels'],
    ['load-barrel', 'barrels'],
    ['take-chest', 'chest'],
    ['entangle', 'kraken'],
    ['catch-wind', 'wind'],
];

const steps = { shooting, moving, combat, repair };

/** {say, values, rule}: the keys of the sentence and of its rule; null outside a turn. */
export function whatNow(state, commands, isLate = false) {
    const step = state && Object.hasOwn(steps, state.phase) ? steps[state.phase] : null;
    return step && { values: {}, ...step(state, commands, isLate) };
}

/** The sentence of what whatNow returned; it names the button that ends the step. */
export function nowSentence(texts, table, { say, values: { attacker, target, piece, knots } }) {
    return texts.say(`now.${say}`, {
        piece: piece && texts.piece(piece),
        attacker: attacker && texts.piece(attacker),
        target: target && texts.piece(target),
        knots: knots && texts.count('knots', knots),
        end: endWords(texts, table, say !== 'cannotShoot'),
        here: texts.say('moveHere'),
        roll: texts.say('rollHere'),
    });
}

/** The words on the button that ends the step. */
export function endWords(texts, table, mayShoot = true) {
    const { state } = table;
    if (state.phase === 'shooting' && (mayShoot || state.shot !== 'none')) {
        return texts.say(state.shot === 'none' ? 'passShot' : 'endShot');
    }
    const next = nextPhase(table);
    return next === null || next === 'shooting'
        ? texts.say('endTurn')
        : texts.say('nextStep', { phase: texts.say(`phases.${next}`) });
}

/** isLate: only falls that are reported by radio still count. */
function shooting({ shot }, commands, isLate) {
    if (isLate) {
        return { say: 'waitRadio', rule: 'hit' };
    }
    if (shot !== 'none') {
        return { say: 'watchBall', rule: 'hit' };
    }
    return { say: find(commands, 'fire') ? 'shoot' : 'cannotShoot', rule: 'shoot' };
}

function moving({ left, selected = null }, commands) {
    const roll = find(commands, 'roll-move');
    if (roll) {
        return { say: roll.value === undefined ? 'tapRoll' : 'roll', rule: 'roll' };
    }
    const [, rule = 'sail'] = EXTRAS.find(([verb]) => find(commands, verb)) ?? [];
    if (find(commands, 'move')) {
        return { say: sailing(selected, commands), values: { piece: selected, knots: left }, rule };
    }
    const nothing = left === 0 ? 'noKnots' : 'sailed';
    return { say: rule === 'sail' ? nothing : 'maySail', rule };
}

/** Before a ship is chosen, before the rope is pulled, and while it is measured. */
function sailing(piece, commands) {
    if (!find(commands, 'move', { piece })) {
        return 'sail';
    }
    return find(commands, 'move', { piece, knots: undefined }) ? 'sailRope' : 'sailFar';
}

function combat({ combats = [], pieces = {}, player }, commands) {
    const fight = find(commands, 'roll-combat');
    if (fight) {
        const say = fight.value === undefined ? 'tapFight' : 'fight';
        return { say, values: { attacker: fight.attacker, target: fight.target }, rule: 'fight' };
    }
    if (find(commands, 'move', { piece: 'kraken' }) || find(commands, 'entangle')) {
        return { say: 'freeKraken', rule: 'kraken' };
    }
    const attack = find(commands, 'engage');
    if (attack) {
        const { attacker, target } = attack;
        return { say: 'attack', values: { attacker, target }, rule: 'attack' };
    }
    const isMine = (name) => pieces[name]?.owner === player;
    const open = combats.find(({ attacker, target }) => isMine(attacker) || isMine(target));
    return open
        ? { say: 'goesOn', values: { attacker: open.attacker, target: open.target }, rule: 'fight' }
        : { say: 'noAttack', rule: 'attack' };
}

function repair(_, commands) {
    return { say: find(commands, 'raise') ? 'repair' : 'noRepair', rule: 'repair' };
}
