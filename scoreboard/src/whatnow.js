/**
 * What the current player can do now, from the list of possible commands: a sentence, and the rule
 * behind it in plain words. The page knows no rules: it only names what the table accepts.
 */
import { find, nextPhase } from './choices.js';
import { ownPieces, playerOf, sidesOf, unableWords } from './conditions.js';
import { isRollUseless } from './idle_steps.js';
import { hasReported } from './sensors.js';
import { isToldByPeople } from './telling.js';
import { isShip } from './words.js';

/** In the moving step, what a scenario adds: the verb, and the keys of its rule and its question. */
const EXTRAS = [
    ['deliver-barrel', 'barrels', 'atBarrels'],
    ['load-barrel', 'barrels', 'atBarrels'],
    ['take-chest', 'chest', 'atChest'],
    ['entangle', 'kraken', 'atKraken'],
    ['catch-wind', 'wind', 'atWind'],
];

const steps = { shooting, moving, combat, repair };

/**
 * {say, values, rule, also}: the keys of the sentence, of its rule, and of that of the scenario; null
 * outside a turn. `values.end` is the key of the button that ends the step, where it is not the usual one.
 */
export function whatNow(state, commands, isLate = false) {
    const step = state && Object.hasOwn(steps, state.phase) ? steps[state.phase] : null;
    return step && { values: {}, ...step(state, commands, isLate) };
}

/** The step ends without a shot that could have been fired. */
const CANNOT_SHOOT = ['cannotShoot', 'aimPirate'];

/** While people enter what the shot has toppled. */
export const HITS_TO_TELL = { say: 'tellHits', values: { end: 'endShot' }, rule: 'hit' };

/** The same at a table whose sensors do not see the shot: people enter it. */
export function byHand(table, now) {
    if (now.say === 'shoot' && !hasReported(table.sensors['cannon.beam'])) {
        return { ...now, say: 'shootTap' };
    }
    return now.say === 'watchBall' && isToldByPeople(table) ? HITS_TO_TELL : now;
}

/**
 * The sentence of what whatNow returned; it names the buttons. `where` tells where they are, if they
 * are not on this screen; `met` is the piece in the line of fire.
 */
export function nowSentence(texts, table, { say, values }, { where = '', met = null } = {}) {
    const { attacker, target, piece, knots, dice, unable, end } = values;
    return texts.say(`now.${say}`, {
        where,
        player: playerOf(table.state, table.state.player)?.name,
        piece: piece && texts.piece(piece),
        met: met && texts.piece(met),
        attacker: attacker && texts.piece(attacker),
        target: target && texts.piece(target),
        knots: knots && texts.count('knots', knots),
        values: dice && texts.list(dice),
        why: unable && unableWords(texts, table.state, unable),
        fire: texts.say('fire'),
        end: end ? texts.say(end) : endWords(texts, table, !CANNOT_SHOOT.includes(say)),
        here: texts.say('moveHere'),
        roll: texts.say('rollHere'),
        take: texts.say('takeFlat'),
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

/** The rule in plain words (`plain` if a view has its own), with what the rules and the scenario of this game add. */
export function ruleSentences(texts, { state, info }, rule, plain = rule) {
    const points = texts.pointsFor(info);
    return [plain, `${rule} ${state.rules}`, `${rule} ${state.scenario}`]
        .filter((key) => Object.hasOwn(texts.words.ruleWords, key))
        .map((key) => texts.say(`ruleWords.${key}`, { points }))
        .join(' ');
}

/** The key of what ends a step before the player has done anything in it, or null. */
export function passWords({ phase, shot }, commands) {
    if (phase === 'shooting' && shot === 'none' && find(commands, 'fire')) {
        return 'passShot';
    }
    return phase === 'moving' && find(commands, 'roll-move') ? 'passSail' : null;
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
    const [, also, question] = EXTRAS.find(([verb]) => find(commands, verb)) ?? [];
    if (isRollUseless(state)) {
        const ships = ownShips(state);
        const say = ships.length > 0 ? 'cannotSail' : 'noShips';
        return { say, values: { unable: ships }, rule: 'sail' };
    }
    if (rolls.length > 0) {
        const dice = rolls.map(({ value }) => value);
        const say = dice[0] === undefined ? 'tapRoll' : 'roll';
        return { say, values: { dice }, rule: 'roll', also };
    }
    if (find(commands, 'move')) {
        return { ...sailing(selected, commands, left), rule: 'sail', also };
    }
    return { say: question ?? (left === 0 ? 'noKnots' : 'sailed'), rule: also ?? 'sail' };
}

/** Before a ship is chosen, before the rope is pulled, and while it is measured. */
function sailing(piece, commands, left) {
    const mayGo = (moves) => Math.max(...moves.map(({ knots }) => knots ?? 0));
    const moves = commands.filter(({ verb }) => verb === 'move');
    const own = moves.filter((move) => move.piece === piece);
    if (own.length === 0) {
        return { say: 'sail', values: { knots: left || mayGo(moves) } }; // the wind gives one more (HW1)
    }
    const isMeasured = own.some(({ knots }) => knots === undefined);
    return { say: isMeasured ? 'sailRope' : 'sailFar', values: { piece, knots: mayGo(own) } };
}

function combat({ combats = [], pieces = {}, player }, commands) {
    const fight = find(commands, 'roll-combat');
    if (fight) {
        const [attacker, target] = sidesOf({ pieces, player }, fight);
        const isFlat = [attacker, target].some((name) => pieces[name]?.status === 'flat'); // A4
        const rolls = fight.value === undefined ? 'tapFight' : 'fight';
        const say = isFlat ? 'fightFlat' : rolls;
        const rule = target === 'kraken' ? 'kraken' : 'fight';
        return { say, values: { attacker, target }, rule };
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
    if (target === 'kraken') {
        return { say: 'krakenHolds', values: { attacker, target }, rule: 'kraken' }; // it has no turn
    }
    const [own, enemy] = sidesOf({ pieces, player }, open);
    if (enemy === 'monster') {
        return { say: 'monsterHolds', values: { attacker: own }, rule: 'fight' }; // SM4
    }
    const say = pieces[own].cargo?.startsWith('barrel-') ? 'loadedFight' : 'goesOn'; // ME4
    return { say, values: { attacker: own, target: enemy }, rule: 'fight' };
}

function repair({ pieces, player }, commands) {
    const isOwn = ({ verb, piece }) => verb === 'raise' && pieces[piece].owner === player;
    return { say: commands.some(isOwn) ? 'repair' : 'noRepair', rule: 'repair' };
}

function ownShips(state) {
    return ownPieces(state).filter(isShip);
}
