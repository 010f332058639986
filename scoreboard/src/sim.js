/**
 * The edges of simulated sensors, as lists of {sensor, level, after_ms}, where after_ms is the time
 * since the previous edge. Contacts bounce like real ones, to exercise the filters of the daemon.
 *
 * Pulses are longer than on a real table: edges are timed on arrival, and network jitter must not
 * shorten the pulse of a ball below the minimum.
 */

const BEAM_GAP_MM = 20;
const DARK_MS = 40;
const RATTLE_MS = [3, 5, 4, 7, 6];
const PRESS_MS = 120;
const HOLD_MS = 1200;
const COUNT_MS = 4;

export const COUNTS_A_KNOT = 20;

/** A ball leaves the barrel through both beams; tables with one beam ignore the second. */
export function ballLeaves(speed_mps) {
    const gap_ms = BEAM_GAP_MM / speed_mps;
    return [
        { sensor: 'cannon.beam', level: 1, after_ms: 0 },
        { sensor: 'cannon.beam2', level: 1, after_ms: gap_ms },
        { sensor: 'cannon.beam', level: 0, after_ms: DARK_MS - gap_ms },
        { sensor: 'cannon.beam2', level: 0, after_ms: gap_ms },
    ];
}

/** A contact changes its level and bounces. */
function rattle(sensor, level) {
    return [level, 1 - level, level, 1 - level, level].map((each, i) => ({
        sensor,
        level: each,
        after_ms: i === 0 ? 0 : RATTLE_MS[i],
    }));
}

export function topples(piece) {
    return rattle(`${piece}.tilt`, 1);
}

export function isRaised(piece) {
    return rattle(`${piece}.tilt`, 0);
}

/** The ball touches a piece that has its own beam. */
export function isHit(piece) {
    return [
        { sensor: `${piece}.beam`, level: 1, after_ms: 0 },
        { sensor: `${piece}.beam`, level: 0, after_ms: 12 },
    ];
}

function button(down_ms) {
    const [up, ...bounces] = rattle('rope.button', 0);
    return [...rattle('rope.button', 1), { ...up, after_ms: down_ms }, ...bounces];
}

/** Confirms the move of the selected piece. */
export function pressesButton() {
    return button(PRESS_MS);
}

/** Ends the step. */
export function holdsButton() {
    return button(HOLD_MS);
}

/** A ship reaches its harbour's dock, or leaves it. */
export function docks(harbour, isThere) {
    return rattle(`harbour.${harbour}.dock`, isThere ? 1 : 0);
}

/**
 * The rope moves from one encoder count to another. The lines a and b are a quarter period apart:
 * 00 10 11 01. Every eighth edge bounces once.
 */
export function ropeGoes(fromCount, toCount) {
    const edges = [];
    const direction = Math.sign(toCount - fromCount);
    for (let count = fromCount; count !== toCount; count += direction) {
        const edge = encoderEdge(count, count + direction);
        edges.push({ ...edge, after_ms: COUNT_MS });
        if (count % 8 === 0) {
            edges.push({ ...edge, level: 1 - edge.level, after_ms: 1 }, { ...edge, after_ms: 1 });
        }
    }
    return edges;
}

const LINES = ['00', '10', '11', '01'];

/** A count that corresponds to the last known levels of the encoder lines. */
export function countAt(a, b) {
    return LINES.indexOf(`${a}${b}`);
}

function linesAt(count) {
    return LINES[((count % 4) + 4) % 4];
}

function encoderEdge(before, after) {
    const [a, b] = linesAt(after);
    const isLineA = linesAt(before)[0] !== a;
    return isLineA
        ? { sensor: 'rope.a', level: Number(a) }
        : { sensor: 'rope.b', level: Number(b) };
}

/**
 * Sends edges one after the other, with their delays. Each list waits for the one before it, so
 * that the edges of two actions never mix.
 */
export class EdgePlayer {
    #send;
    #last = Promise.resolve();
    #waiting = 0;

    constructor(send) {
        this.#send = send;
    }

    get isIdle() {
        return this.#waiting === 0;
    }

    /** Resolves when the last edge of this list has been sent. */
    play(edges) {
        this.#waiting++;
        this.#last = this.#last.then(() => this.#playNow(edges));
        return this.#last;
    }

    async #playNow(edges) {
        for (const { sensor, level, after_ms } of edges) {
            if (after_ms > 0) {
                await new Promise((resolve) => setTimeout(resolve, after_ms));
            }
            this.#send(sensor, level);
        }
        this.#waiting--;
    }
}
