/** Asks tables for the events that are missing, with one question at a time for each table. */
import { missingFrom } from './model.js';

/** Events follow their state closely: what is not here after this time is asked for. Who comes
    into a running game asks at once. */
const HEAL_AFTER_MS = 400;

/**
 * tableOf(name) is the table or null, ask(name, from) resolves to the reply to `history`, and
 * onReply(name, reply) gets one that was accepted.
 */
export class Healer {
    #asking = new Set();
    #ports;

    constructor({ tableOf, ask, onReply, later = setTimeout }) {
        this.#ports = { tableOf, ask, onReply, later };
    }

    /** Asks for what is missing, if it has not come by itself. */
    heal(name) {
        const { tableOf, later } = this.#ports;
        const table = tableOf(name);
        if (table !== null && missingFrom(table) !== null && !this.#asking.has(name)) {
            this.#asking.add(name);
            later(
                () => this.#askFor(name, this.#asking),
                table.log.events.length === 0 ? 0 : HEAL_AFTER_MS,
            );
        }
    }

    /** After a logout: questions that are on their way are nobody's any more. */
    forget() {
        this.#asking = new Set();
    }

    async #askFor(name, asking) {
        const { tableOf, ask, onReply } = this.#ports;
        const table = asking === this.#asking ? tableOf(name) : null;
        const from = table && missingFrom(table);
        const reply = from === null ? null : await ask(name, from);
        asking.delete(name);
        if (reply?.ok && asking === this.#asking) {
            onReply(name, reply);
        }
    }
}
