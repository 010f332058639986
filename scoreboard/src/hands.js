/**
 * The player's hands at the virtual table: converts actions with ships, cannon and rope to edges of
 * simulated sensors. It does not depend on the page.
 */
import * as sim from './sim.js';

const FLIGHT_MS = 450;
const BALL_SPEED_MPS = 2.5;

/** This long after the last edge the reading of the table is up to date again. */
const SETTLED_MS = 1500;

export class Hands {
    #player;
    #count = null; // of the encoder, after the last edge that was sent
    #pulled = 0; // counts since the rope was set to zero
    #pulledAt_ms = -Infinity;
    #docked = null;

    /** `send(sensor, level)` sends an edge to the table. */
    constructor(send) {
        this.#player = new sim.EdgePlayer(send);
    }

    /**
     * Fires. The piece that is hit (or null) topples when the ball arrives, if the table has noticed the
     * ball: `isNoticed` resolves to that. A page that is slow may send a pulse that is too long for one.
     */
    async fire(piece, isNoticed) {
        await this.#player.play(sim.ballLeaves(BALL_SPEED_MPS));
        const arrival = new Promise((resolve) => setTimeout(resolve, FLIGHT_MS));
        const isShot = await isNoticed();
        await arrival;
        if (isShot && piece && (await isNoticed())) { // and not taken back meanwhile
            await this.#player.play([...sim.topples(piece), ...sim.isHit(piece)]);
        }
        return isShot;
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

    /** The table has set the reading of the rope to zero. */
    zero() {
        this.#pulled = 0;
        this.#pulledAt_ms = performance.now();
    }

    /**
     * Pulls the rope out to this many knots. `seen` is the last reading of the table: {knots, a,
     * b}, where a and b are the levels of the encoder lines. It is out of date while edges are
     * being sent; then the counts kept here are used.
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

    /** A ship is at this dock now, or at none (null). */
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

/** Edges of several contacts at the same time, interleaved. */
function together(lists) {
    const longest = Math.max(0, ...lists.map((list) => list.length));
    return Array.from({ length: longest }, (_, i) =>
        lists.map((list, j) => ({ ...list[i], after_ms: j === 0 ? list[i].after_ms : 0 })),
    ).flat();
}
