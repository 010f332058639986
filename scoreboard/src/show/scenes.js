/**
 * The moments of a game as short scenes: which scene belongs to an event, and which scenes are shown
 * when several events come at once. Pure functions; a queue is a list, and its first scene is shown.
 */

const QUEUE_MAX = 3;

/** Kinds of scenes and how long they are shown. */
export const SCENE_MS = {
    shot: 1200,
    hit: 1100,
    miss: 1400,
    capture: 2200,
    combat: 1800,
    roll: 1200,
    turn: 1800,
    out: 2200,
    winner: 5000,
    record: 5000,
};

const scenes = {
    'shot-fired': ({ player, shooter }) => ({ kind: 'shot', player, pieces: named(shooter) }),
    'shot-over': ({ player, outcome }) => outcome === 'missed' && { kind: 'miss', player, pieces: [] },
    'shot-hit': ({ player, piece }) => ({ kind: 'hit', player, pieces: named(piece) }),
    'piece-toppled': ({ player, piece }) => ({ kind: 'hit', player, pieces: named(piece) }),
    'monster-wounded': ({ player }) => ({ kind: 'hit', player, pieces: ['monster'] }),
    'piece-captured': ({ by, piece }) => ({ kind: 'capture', player: by, pieces: named(piece) }),
    'piece-lost': ({ piece }) => ({ kind: 'capture', player: null, pieces: named(piece) }),
    'monster-killed': ({ by }) => ({ kind: 'capture', player: by, pieces: ['monster'] }),
    'combat-started': fight,
    'combat-rolled': fight,
    'ship-entangled': ({ player, piece }) => ({ kind: 'combat', player, pieces: ['kraken', piece] }),
    'chest-taken': ({ player, piece }) => prize('Chest', player, piece),
    'barrel-delivered': ({ by, piece, harbour }) => ({
        ...prize('Barrel', by, piece),
        colour: harbour,
    }),
    'move-rolled': ({ player, value }) => ({ kind: 'roll', player, pieces: [], roll: value }),
    'turn-started': ({ player }) => ({ kind: 'turn', player, pieces: [] }),
    'player-out': ({ out }) => ({ kind: 'out', player: out, pieces: [] }),
    'game-over': (_, { winners }) => ({ kind: 'winner', player: winners[0], pieces: [], winners }),
};

function prize(thing, player, piece) {
    return { kind: 'capture', player, pieces: named(piece), prize: thing };
}

function named(piece) {
    return piece ? [piece] : [];
}

function fight({ player, attacker, target, value = null }) {
    return { kind: 'combat', player, pieces: [attacker ?? '', target ?? ''], roll: value };
}

/**
 * The scene of an event, or null; `event` is kept for its sentence. `state` is the one after the
 * event: an event with a piece that is not in it is not from a table.
 */
export function sceneOf(event, state) {
    const make = Object.hasOwn(scenes, event.event_type) ? scenes[event.event_type] : null;
    const scene = make?.(event, state) || null;
    const isDrawable = scene && scene.pieces.every((piece) => Object.hasOwn(state.pieces, piece));
    return isDrawable ? { ...scene, id: event.seq, event } : null;
}

/** The scene of a new record, as the logbook announces it. */
export function sceneOfRecord(record) {
    return { kind: 'record', player: null, pieces: [], id: record.at, record };
}

/** The queue after another scene. */
export function withScene(queue, scene) {
    const same = queue.findIndex((each) => belongTogether(each, scene));
    if (same >= 0) {
        return queue.map((each, i) => (i === same ? joined(each, scene) : each));
    }
    if (scene.kind === 'winner') {
        const isKept = ({ kind }, i) => i === 0 || kind === 'out';
        return [...queue.filter(isKept), scene];
    }
    if (['hit', 'miss'].includes(scene.kind) && queue.length > 0) {
        return queue[0].kind === 'shot' ? [scene, ...queue.slice(1)] : queue; // the ball arrives
    }
    const [current, ...later] = [...queue, scene];
    return [current, ...later.slice(-(QUEUE_MAX - 1))];
}

/**
 * Several pieces that fall to one ball, several trophies of one player, and a record that is broken
 * again before it was shown.
 */
function belongTogether(one, scene) {
    if (one.kind === 'record' && scene.kind === 'record') {
        return one.record.record === scene.record.record;
    }
    return (
        one.kind === scene.kind &&
        one.player === scene.player &&
        one.prize === scene.prize &&
        (scene.kind === 'hit' || scene.kind === 'capture')
    );
}

function joined(one, scene) {
    return { ...scene, id: one.id, pieces: [...new Set([...one.pieces, ...scene.pieces])] };
}
