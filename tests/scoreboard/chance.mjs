/** Chance that can be repeated: the same seed draws the same. */
export class Chance {
    #state;

    constructor(seed) {
        this.#state = seed * 2654435761 + 1;
    }

    below(limit) {
        this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
        return Math.floor((this.#state / 2 ** 32) * limit);
    }

    of(list) {
        return list[this.below(list.length)];
    }
}
