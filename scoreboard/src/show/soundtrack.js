/** Which sound belongs to an event. */

const SOUND_OF = {
    'shot-fired': 'cannon',
    foul: 'cannon',
    'piece-toppled': 'hit',
    'monster-wounded': 'hit',
    'piece-captured': 'capture',
    'piece-lost': 'capture',
    'monster-killed': 'capture',
    'move-rolled': 'dice',
    'combat-started': 'swords',
    'combat-rolled': 'swords',
    'wind-caught': 'wind',
    'wind-moved': 'wind',
    'ship-entangled': 'kraken',
    'ship-released': 'kraken',
    'game-over': 'victory',
};

/** Events that show that the ball of this shot met something. */
const MET = ['shot-hit', 'piece-toppled', 'monster-wounded', 'monster-killed', 'disturbance'];

/**
 * Chooses the sounds of the events of a game, in order. A target's own beam and its fall are two
 * events of one hit; a shot that met nothing ends in the water.
 */
export class Soundtrack {
    #hasMet = false; // the ball of the current shot
    #hit = null; // the piece whose own beam detected the ball

    /** The name of the sound for the next event, or null. */
    next({ event_type: type, piece }) {
        const sound = this.#choose(type, piece);
        if (type === 'shot-fired') {
            this.#hasMet = false;
            this.#hit = null;
        } else if (MET.includes(type)) {
            this.#hasMet = true;
            this.#hit = type === 'shot-hit' ? piece : null;
        }
        return sound;
    }

    #choose(type, piece) {
        if (type === 'shot-hit') {
            return 'hit';
        }
        if (type === 'piece-toppled' && piece === this.#hit) {
            return null;
        }
        if (type === 'shot-over') {
            return this.#hasMet ? null : 'splash';
        }
        if (type === 'piece-moved') {
            return piece === 'kraken' ? 'kraken' : null;
        }
        return Object.hasOwn(SOUND_OF, type) ? SOUND_OF[type] : null;
    }
}
