/**
 * The hands at a virtual table: what somebody does with ships, cannon and rope, put into edges of
 * simulated sensors. Knows nothing of the page.
 */
import * as sim from './sim.js';

const FLIGHT_MS = 450;
const BALL_SPEED_MPS = 2.5;

/** So long after the last edge the table's own reading has certainly come back. */
const SETTLED_MS = 1500;

export class Hands {
    #player;
    #count = null; // of the encoder, as far as it has been told to go
    #pulled = 0; // counts since the rope's last zero
    #pulledAt_ms = -Infinity;
    #docked = null;

    /** `send(sensor, level)` gives an edge to the table. */
    constructor(send) {
        this.#player = new sim.EdgePlayer(send);
    }

    /** Fires; what the ball hits (a piece or null) topples when it gets there. */
    fire(piece) {
        const [first, ...others] = piece ? sim.topples(piece) : [];
        const fall = first ? [{ ...first, after_ms: FLIGHT_MS }, ...others] : [];
        const hit = first ? sim.isHit(piece) : [];
        return this.#player.play([...sim.ballLeaves(BALL_SPEED_MPS), ...fall, ...hit]);
    }

    topple(...pieces) {
        return this.#player.play(together(pieces.map(sim.topples)));
    }

    raise(...pieces) {
        return this.#player.play(together(pieces.map(sim.isRaised)));
    }

    press() {
        return this.#player.play(sim.pressesButton());
    }

    hold() {
        return this.#player.play(sim.holdsButton());
    }

    /** The rope is measured from here: the table has set its reading to zero. */
    zero() {
        this.#pulled = 0;
        this.#pulledAt_ms = performance.now();
    }

    /**
     * Pulls the rope to so many knots. `seen` is what the table last said: {knots, a, b}, where a
     * and b are the levels of the encoder's lines. While edges are on their way that is out of
     * date, and the hands know better.
     */
    async pullTo(knots, seen) {
        const isSettled = performance.now() - this.#pulledAt_ms > SETTLED_MS;
        if (this.#count === null) {
            this.#count = sim.countAt(seen.a, seen.b);
        }
        if (isSettled && this.#player.isIdle) {
            this.#pulled = Math.round(seen.knots * sim.COUNTS_A_KNOT);
        }
        const wanted = Math.round(knots * sim.COUNTS_A_KNOT);
        const from = this.#count;
        this.#count += wanted - this.#pulled;
        this.#pulled = wanted;
        await this.#player.play(sim.ropeGoes(from, this.#count));
        this.#pulledAt_ms = performance.now();
    }

    /** A ship lies at this harbour now, or at none (null). */
    dockAt(harbour) {
        const before = this.#docked;
        this.#docked = harbour;
        if (harbour === before) {
            return Promise.resolve();
        }
        return this.#player.play([
            ...(before ? sim.docks(before, false) : []),
            ...(harbour ? sim.docks(harbour, true) : []),
        ]);
    }
}

/** Several contacts at once: their edges take turns. */
function together(lists) {
    const longest = Math.max(0, ...lists.map((list) => list.length));
    return Array.from({ length: longest }, (_, i) =>
        lists.map((list, j) => ({ ...list[i], after_ms: j === 0 ? list[i].after_ms : 0 })),
    ).flat();
}
