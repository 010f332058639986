/** The cannon of the virtual table: its piece, its direction, and the flying ball. */
import { useRef, useState } from 'preact/hooks';
import { bestLine, inPlay, isEnemy, isTile, isWorthIt, lineOfFire, lineTo, turned } from '../aim.js';
import { commandsOf, find } from '../choices.js';
import { SEA } from '../layout.js';
import { isLying } from '../sensors.js';
import { deviceStore } from '../show/device.js';

/** Longer than the scene of a shot: where the ball is seen to fly, the scene would hide it. */
const FIRING_MS = 2000;

/** How far a ball that may miss goes astray, as most of them. */
const ASTRAY_DEG = 3;
const MAY_MISS = 'shipahoy-may-miss';

/** Near 0, rarely more than 2, never more than 3. */
function random() {
    return Array.from({ length: 6 }, Math.random).reduce((sum, each) => sum + each, -3);
}

/** How long the table may take to notice a ball. */
const NOTICE_MS = 1500;
const LOOK_MS = 30;

/** {best, canHit}: the first piece that may shoot and has an enemy in sight, or else any; or null. */
function shooters(state, places, commands) {
    const able = commands.filter(({ verb }) => verb === 'aim').map(({ piece }) => piece);
    const seesEnemy = (piece) =>
        places[piece] && isWorthIt(state, bestLine(state, places, piece).target);
    const seeing = able.find(seesEnemy);
    return { best: seeing ?? able[0] ?? null, canHit: seeing !== undefined };
}

/** A wish of this turn: the piece, and a direction or the piece that was tapped. */
function lineFor(state, places, at, { angle, goal }) {
    if (at === null) {
        return { angle: 0, target: null, reach: SEA, isBlocked: false };
    }
    if (goal !== undefined) {
        return lineTo(state, places, at, goal);
    }
    return angle === undefined ? bestLine(state, places, at) : lineOfFire(state, places, at, angle);
}

/**
 * {at, goal, angle, reach, target, isBlocked, isOwn, isWorthIt, canHit, hasFired, ball, setAngle, put, aimAt,
 * fire, mayMiss, setMayMiss}. `canHit`: some piece has an enemy in sight. `goal` is the piece that was tapped,
 * and `target` the piece that the ball would hit. Each turn begins anew.
 */
export function useGun(table, act, hands, places, tell) {
    const { state } = table;
    const latest = useRef(state);
    latest.current = state;
    const [wish, setWish] = useState({});
    const [ball, setBall] = useState(null);
    const [mayMiss, setMayMiss] = useStored(MAY_MISS);
    const isFiring = useRef(false);
    const commands = commandsOf(table);
    const mine = wish.turn === state.turn ? wish : {};
    const { best, canHit } = shooters(state, places, commands);
    const named = mine.at ?? state.shooter ?? best;
    const at = named !== null && places[named] && inPlay(state, named) ? named : null;
    const line = lineFor(state, places, at, mine);
    const { target } = line;
    const put = (name) => {
        setWish({ turn: state.turn, at: name, goal: mine.goal });
        if (find(commands, 'aim', { piece: name })) {
            act({ verb: 'aim', piece: name });
        }
    };
    /** Points the cannon at a piece of somebody else, or puts it next to an own one. */
    const aimAt = (name) => {
        const isMine = state.pieces[name].owner === state.player;
        if (isMine && name !== at && find(commands, 'aim', { piece: name })) {
            put(name);
        } else if (isMine && name !== at && find(commands, 'fire')) {
            act({ verb: 'aim', piece: name }); // is refused with the reason
        } else if (at !== null && name !== at && !isMine && !isTile(name) && find(commands, 'fire')) {
            setWish({ turn: state.turn, at, goal: name });
        }
    };
    const isNoticed = async () => {
        const isShot = () => latest.current.shot !== 'none' || latest.current.phase !== state.phase;
        for (let waited = 0; waited < NOTICE_MS && !isShot(); waited += LOOK_MS) {
            await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        }
        return isShot();
    };
    /** Until the table has noticed the ball, another one would be a foul (S8). */
    const fire = async () => {
        if (isFiring.current) {
            return;
        }
        isFiring.current = true;
        const astray = mayMiss ? ASTRAY_DEG * random() : 0;
        const flown = astray ? lineOfFire(state, places, at, turned(line.angle, astray)) : line;
        const met = flown.target;
        setBall(flight(places[at], flown));
        setTimeout(() => setBall(null), FIRING_MS);
        if (!(await hands.fire(met && !isLying(table, met) ? met : null, isNoticed))) {
            tell({ say: 'unnoticed', piece: at });
        }
        isFiring.current = false;
    };
    return {
        ...line,
        at: state.phase === 'shooting' ? at : null,
        goal: mine.goal ?? null,
        isOwn: target !== null && !isEnemy(state, target),
        isWorthIt: isWorthIt(state, target) && !isLying(table, target),
        canHit,
        hasFired: state.shot !== 'none',
        setAngle: (angle) => setWish({ turn: state.turn, at, angle }),
        put,
        aimAt,
        fire,
        ball,
        mayMiss,
        setMayMiss,
    };
}

/** A choice that this device remembers, if it can. */
function useStored(key) {
    const store = deviceStore();
    const [isSet, setIsSet] = useState(store?.getItem(key) === 'yes');
    const change = (value) => {
        store?.setItem(key, value ? 'yes' : 'no');
        setIsSet(value);
    };
    return [isSet, change];
}

function flight(from, { angle: angle_deg, reach }) {
    const angle = (angle_deg * Math.PI) / 180;
    return { from, dx: Math.cos(angle) * reach, dy: Math.sin(angle) * reach };
}
