/**
 * What the current player can do now, from the list of possible commands: a sentence, and the rule
 * behind it in plain words. The page knows no rules: it only names what the table accepts.
 */
import { find, nextPhase, undoneNext } from './choices.js';
import { ownPieces, playerOf, sidesOf, unableWords } from './conditions.js';
import { hasReported, sourceOf } from './sensors.js';
import { liveEvents, readUndone } from './undone.js';
import { isShip } from './words.js';

/** In the moving step, what a scenario adds: the verb, and the key of its rule. */
const EXTRAS = [
    ['deliver-barrel', 'barrels'],
    ['load-barrel', 'barrels'],
    ['take-chest', 'chest'],
    ['entangle', 'kraken'],
    ['catch-wind', 'wind'],
];

const steps = { shooting, moving, combat, repair };

/**
 * {say, values, rule}: the keys of the sentence and of its rule; null outside a turn. `values.end` is the
 * key of the button that ends the step, where it is not the usual one.
 */
export function whatNow(state, commands, isLate = false) {
    const step = state && Object.hasOwn(steps, state.phase) ? steps[state.phase] : null;
    return step && { values: {}, ...step(state, commands, isLate) };
}

/** The step ends without a shot that could have been fired. */
const CANNOT_SHOOT = ['cannotShoot', 'aimPirate'];

/** While people enter what the shot has toppled. */
export const HITS_TO_TELL = { say: 'tellHits', values: { end: 'endShot' }, rule: 'hit' };

/** The same on a screen that does not know whether they have finished. */
export function maybeHits(table, commands, now) {
    if (now === null || !mayTellHits(table, commands)) {
        return now;
    }
    return now.say === 'roll' ? { ...now, say: 'tellThenRoll' } : HITS_TO_TELL;
}

/** The same at a table whose sensors do not see the shot: people enter it. */
export function byHand(table, now) {
    if (now.say === 'shoot' && !hasReported(table.sensors['cannon.beam'])) {
        return { ...now, say: 'shootTap' };
    }
    return now.say === 'watchBall' && isToldByPeople(table) ? HITS_TO_TELL : now;
}

/**
 * Whether people have to enter what this turn's shot topples: its piece, or the cannon, has no
 * sensor that has seen it.
 */
export function isToldByPeople({ state, log, sensors, info }) {
    const shot = liveEvents(log.events).findLast(({ event_type: type }) => type === 'shot-fired');
    const isSeen = shot?.turn === state.turn && shot.evidence !== undefined;
    const isBlind = ([name, { status }]) =>
        status === 'standing' && sourceOf({ sensors, info }, `${name}.tilt`) === 'none';
    return !isSeen || Object.entries(state.pieces).some(isBlind);
}

/**
 * Whether the shot has ended by itself while people may still be looking what fell: nobody has
 * done anything since.
 */
export function mayTellHits(table, commands) {
    const { state } = table;
    const last = readUndone(undoneNext(table) ?? '')?.key;
    return (
        state?.phase === 'moving' &&
        state.die === null &&
        ['fired', 'fell', 'fellMany'].includes(last) &&
        find(commands, 'topple') !== undefined &&
        isToldByPeople(table)
    );
}

/**
 * The sentence of what whatNow returned; it names the buttons. `where` tells where they are, if they
 * are not on this screen.
 */
export function nowSentence(texts, table, { say, values }, where = '') {
    const { attacker, target, piece, knots, dice, unable, end } = values;
    return texts.say(`now.${say}`, {
        where,
        player: playerOf(table.state, table.state.player)?.name,
        piece: piece && texts.piece(piece),
        attacker: attacker && texts.piece(attacker),
        target: target && texts.piece(target),
        knots: knots && texts.count('knots', knots),
        values: dice && texts.list(dice),
        why: unable && unableWords(texts, table.state, unable),
        fire: texts.say('fire'),
        end: end ? texts.say(end) : endWords(texts, table, !CANNOT_SHOOT.includes(say)),
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

/** The rule in plain words, with what the rules and the scenario of this game add. */
export function ruleSentences(texts, { state, info }, rule) {
    const points = texts.pointsFor(info);
    return [rule, `${rule} ${state.rules}`, `${rule} ${state.scenario}`]
        .filter((key) => Object.hasOwn(texts.words.ruleWords, key))
        .map((key) => texts.say(`ruleWords.${key}`, { points }))
        .join(' ');
}

/** How an ordinary die replaces that of the game; null if the table has another one. */
export function usualDie(texts, state, rule) {
    const { die, faces } = USUAL_DICE[rule];
    return String(state[die]) === faces ? texts.say(`usualDice.${rule}`) : null;
}

const USUAL_DICE = {
    roll: { die: 'move_die', faces: '1,1,2,2,3,3' },
    fight: { die: 'combat_die', faces: 'flag,flag,flag,swords,swords,swords' },
};

/** isLate: only falls that are reported by radio still count. */
function shooting(state, commands, isLate) {
    const { shot } = state;
    if (isLate) {
        return { say: 'waitRadio', rule: 'hit' };
    }
    if (shot !== 'none') {
        return { say: 'watchBall', rule: 'hit' };
    }
    if (find(commands, 'fire')) {
        return { say: 'shoot', rule: 'shoot' };
    }
    const say = find(commands, 'aim', { piece: 'pirate' }) ? 'aimPirate' : 'cannotShoot';
    return { say, values: { unable: ownPieces(state) }, rule: 'shoot' };
}

function moving(state, commands) {
    const { left, selected = null } = state;
    const rolls = commands.filter(({ verb }) => verb === 'roll-move');
    if (isRollUseless(state)) {
        const ships = ownShips(state);
        const say = ships.length > 0 ? 'cannotSail' : 'noShips';
        return { say, values: { unable: ships }, rule: 'sail' };
    }
    if (rolls.length > 0) {
        const dice = rolls.map(({ value }) => value);
        return { say: dice[0] === undefined ? 'tapRoll' : 'roll', values: { dice }, rule: 'roll' };
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
        const [attacker, target] = sidesOf({ pieces, player }, fight);
        return { say, values: { attacker, target }, rule: 'fight' };
    }
    if (find(commands, 'move', { piece: 'kraken' })) {
        return { say: 'freeKraken', rule: 'kraken' };
    }
    if (find(commands, 'entangle')) {
        return { say: 'krakenUnder', rule: 'kraken' };
    }
    const attack = find(commands, 'engage');
    if (attack) {
        const { attacker, target } = attack;
        return { say: 'attack', values: { attacker, target }, rule: 'attack' };
    }
    const isMine = (name) => pieces[name]?.owner === player;
    const open = combats.find(({ attacker, target }) => isMine(attacker) || isMine(target));
    if (!open) {
        return { say: 'noAttack', rule: 'attack' };
    }
    const { attacker, target } = open;
    const say = target === 'kraken' ? 'krakenHolds' : 'goesOn'; // the kraken has no turn
    return { say, values: { attacker, target }, rule: 'fight' };
}

function repair({ pieces, player }, commands) {
    const isOwn = ({ verb, piece }) => verb === 'raise' && pieces[piece].owner === player;
    return { say: commands.some(isOwn) ? 'repair' : 'noRepair', rule: 'repair' };
}

function ownShips(state) {
    return ownPieces(state).filter(isShip);
}

/** The commands without a roll that cannot be of use. */
export function withoutUselessRoll(state, commands) {
    return state && isRollUseless(state)
        ? commands.filter(({ verb }) => verb !== 'roll-move')
        : commands;
}

/** Whether nothing could sail, whatever the die shows (M2). A scenario has more that can be moved. */
function isRollUseless(state) {
    const { phase, die, pieces, combats, scenario } = state;
    const isFighting = (name) =>
        combats.some(({ attacker, target }) => [attacker, target].includes(name));
    const isAble = (name) =>
        pieces[name].status === 'standing' && !pieces[name].entangled && !isFighting(name);
    const isToRoll = phase === 'moving' && die === null && scenario === 'none';
    return isToRoll && !ownShips(state).some(isAble);
}
