/**
 * Every command that the daemon would accept now, as far as a captain needs it.
 *
 * The rules are the daemon's; this is only what can be read off its state, so that no button is
 * shown that would be refused. The tests send every command of this list to a real daemon, and
 * every one that is not in it.
 */
import { guestOf, isShip } from './words.js';

/**
 * `facts` are those of the game's events (facts.js), `rope` is the last reading or null.
 * A command is {verb, ...fields}, ready to be sent.
 */
export function possible(state, facts, rope = null) {
    if (state === null || state.phase === 'lobby') {
        return [{ verb: 'new-game' }];
    }
    const look = new Look(state, facts, rope);
    const steps = { shooting, moving, combat, repair, over };
    return [
        ...steps[state.phase](look),
        ...(facts.undoable ? [{ verb: 'undo' }] : []),
        { verb: 'new-game', ...(state.phase === 'over' ? {} : { abandon: true }) },
    ];
}

/** Questions about a position, in the words of the rules. */
class Look {
    constructor(state, facts, rope) {
        Object.assign(this, state, { facts, rope });
        this.guest = guestOf(state.scenario);
        this.names = Object.keys(state.pieces);
        this.team = this.teamOf(state.player);
    }

    teamOf(player) {
        return this.players.find(({ id }) => id === player)?.team ?? null;
    }

    inPlay(name) {
        return ['standing', 'flat'].includes(this.pieces[name].status);
    }

    isFlat(name) {
        return this.pieces[name].status === 'flat';
    }

    isOwn(name) {
        return this.pieces[name].owner === this.player;
    }

    isEnemy(name) {
        const { owner } = this.pieces[name];
        const areFriends = this.teams && owner !== null && this.teamOf(owner) === this.team;
        return owner !== this.player && !areFriends && name !== 'wind';
    }

    inCombat(name) {
        return this.combats.some(({ attacker, target }) => attacker === name || target === name);
    }

    areFighting(one, two) {
        return this.combats.some(
            ({ attacker, target }) =>
                (attacker === one && target === two) || (attacker === two && target === one),
        );
    }

    barrelOf(name) {
        const cargo = this.pieces[name].cargo ?? '';
        return cargo.startsWith('barrel-') ? cargo.slice('barrel-'.length) : null;
    }

    /** A2, ME4 */
    isArmed(name) {
        return !this.isFlat(name) && this.barrelOf(name) === null;
    }

    /** S1 */
    mayShoot(name) {
        return this.isOwn(name) && this.inPlay(name) && !this.inCombat(name) && this.isArmed(name);
    }

    /** M1, M2; SM4: no close combat holds the monster. */
    mayMove(name) {
        const isMover = name === this.guest || (this.isOwn(name) && isShip(name));
        const isHeld = this.inCombat(name) && name !== 'monster';
        const isFree = !this.isFlat(name) && !isHeld && !this.pieces[name].entangled;
        return isMover && this.inPlay(name) && isFree;
    }

    /** What only a ship of the current player's own can do (TI1, ME2, HW1). */
    mayMoveOwn(name) {
        return this.isOwn(name) && this.mayMove(name);
    }

    /** C1, C3, PS2; the kraken does not attack (KR3). */
    mayAttack(name) {
        const isGuest = name === this.guest && name !== 'kraken' && this.facts.guestMoved;
        return (this.isOwn(name) || isGuest) && this.inPlay(name) && this.isArmed(name);
    }

    /** SM2, KR3 */
    mayBeAttacked(name, attacker) {
        const isFit = name !== 'monster' && (name !== 'kraken' || this.pieces[attacker].entangled);
        return this.isEnemy(name) && this.inPlay(name) && isFit && name !== attacker;
    }

    knotsLeft(name) {
        return this.left + (this.facts.extraKnots[name] ?? 0);
    }

    all(check) {
        return this.names.filter((name) => check.call(this, name));
    }
}

function shooting(look) {
    const shooters = look.all(look.mayShoot);
    const mayFire = look.shot === 'none' && (look.shooter !== null || shooters.length > 0);
    return [
        ...(look.shot === 'none' ? shooters.map((piece) => ({ verb: 'aim', piece })) : []),
        ...(mayFire ? [{ verb: 'fire' }] : []),
        ...fallen(look),
        ...disturbed(look),
        { verb: 'end-phase' },
    ];
}

function moving(look) {
    const rolled = look.die !== null;
    const movers = look.all(look.mayMove);
    return [
        ...(rolled ? [] : rolls(look, { verb: 'roll-move' }, look.move_die)),
        ...movers.map((piece) => ({ verb: 'select', piece })),
        ...(rolled ? movers.flatMap((piece) => moves(piece, look.knotsLeft(piece))) : []),
        ...(rolled ? ropeMove(look) : []),
        ...cargo(look),
        ...wind(look),
        ...entangling(look),
        ...fallen(look),
        ...disturbed(look),
        { verb: 'end-phase' },
    ];
}

function combat(look) {
    const due = look.combats.filter((fight) => fight.due);
    return [
        ...due.flatMap((fight) => combatRolls(look, fight)),
        ...look.all(look.mayAttack).flatMap((attacker) => attacks(look, attacker)),
        ...(look.kraken?.free_knots ? krakenMoves(look) : []),
        ...entangling(look),
        ...fallen(look),
        ...disturbed(look),
        ...(due.length === 0 ? [{ verb: 'end-phase' }] : []),
    ];
}

function repair(look) {
    const flat = look.all((name) => look.isFlat(name) && look.isOwn(name));
    return [
        ...flat.map((piece) => ({ verb: 'raise', piece })),
        ...fallen(look),
        ...disturbed(look).filter(({ piece }) => !flat.includes(piece)),
        { verb: 'end-phase' },
    ];
}

function over() {
    return [];
}

/** A die on the table is read by people; the daemon's own is not theirs to say. */
function rolls(look, command, faces) {
    return look.dice === 'daemon'
        ? [command]
        : [...new Set(faces)].map((value) => ({ ...command, value }));
}

/** A4: a flat target surrenders without a roll, whatever is said. */
function combatRolls(look, { attacker, target }) {
    const command = { verb: 'roll-combat', attacker, target };
    const isSure = look.isFlat(attacker) || look.isFlat(target);
    return isSure ? [command] : rolls(look, command, look.combat_die);
}

function attacks(look, attacker) {
    return look.names
        .filter((name) => look.mayBeAttacked(name, attacker) && !look.areFighting(name, attacker))
        .map((target) => ({ verb: 'engage', attacker, target }));
}

function moves(piece, knotsMax) {
    return Array.from({ length: knotsMax }, (_, i) => ({ verb: 'move', piece, knots: i + 1 }));
}

/** From one knot on a reading costs something, and up to those left it fits in any case (M5). */
function ropeMove(look) {
    const piece = look.selected;
    const isMeasured = piece !== null && look.rope?.piece === piece && look.mayMove(piece);
    const isWithin = look.rope?.knots >= 1 && look.rope.knots <= look.rope.left;
    return isMeasured && isWithin ? [{ verb: 'move', piece }] : [];
}

/** KR4: nothing but the beaten kraken moves in the close combat step. */
function krakenMoves(look) {
    return look.mayMove('kraken')
        ? [...moves('kraken', look.kraken.free_knots), ...ropeMove(look)]
        : [];
}

function cargo(look) {
    const ships = look.all(look.mayMoveOwn);
    const barrels = Object.keys(look.barrels ?? {});
    const carriers = ships.filter((piece) => look.barrelOf(piece) !== null);
    const empty = ships.filter((piece) => look.barrelOf(piece) === null);
    return [
        ...(look.chest === 'island' ? ships.map((piece) => ({ verb: 'take-chest', piece })) : []),
        ...carriers.map((piece) => ({
            verb: 'deliver-barrel',
            piece,
            harbour: look.barrelOf(piece),
        })),
        ...empty.flatMap((piece) =>
            barrels.map((harbour) => ({ verb: 'load-barrel', piece, harbour })),
        ),
    ];
}

function wind(look) {
    if (look.scenario !== 'heavy-wind') {
        return [];
    }
    const ships = look.all(look.mayMoveOwn).filter((piece) => !look.wind_caught.includes(piece));
    const mayMoveWind = look.die !== null && !look.wind_moved && look.left > 0;
    return [
        ...ships.map((piece) => ({ verb: 'catch-wind', piece })),
        ...(mayMoveWind ? [{ verb: 'move-wind' }] : []),
    ];
}

function entangling(look) {
    const ships = look.all((name) => isShip(name) && look.inPlay(name));
    return look.kraken?.moved ? ships.map((piece) => ({ verb: 'entangle', piece })) : [];
}

/** S9: after this turn's shot a person may say what it toppled. */
function fallen(look) {
    const mayFall = (name) =>
        look.isEnemy(name) &&
        look.pieces[name].status === 'standing' &&
        name !== 'kraken' &&
        !(name === 'monster' && look.facts.monsterDown && look.pieces.monster.disturbed);
    return look.shot === 'none'
        ? []
        : look.all(mayFall).map((piece) => ({ verb: 'topple', piece }));
}

/** What lies and should stand is raised, what stands and should lie is laid down. */
function disturbed(look) {
    return look
        .all((name) => look.pieces[name].disturbed)
        .map((piece) => ({ verb: look.isFlat(piece) ? 'topple' : 'raise', piece }));
}

/** Whether a command is in the list, for those who look at one thing only. */
export function find(commands, verb, fields = {}) {
    return commands.find(
        (command) =>
            command.verb === verb &&
            Object.entries(fields).every(([key, value]) => command[key] === value),
    );
}
