/** Queries the missing events of tables, with one query at a time for each table. */
import { missingFrom } from './model.js';

/**
 * Events arrive shortly after their state: those that are missing after this time are queried. A
 * page that joins a running game queries at once.
 */
const QUERY_AFTER_MS = 400;

/** After a query without an answer, so that the page does not wait for the next message. */
const QUERY_AGAIN_MS = 3000;

/**
 * tableOf(name) is the table or null, ask(name, from) resolves to the reply to `history`, and
 * onReply(name, reply) gets one that was accepted.
 */
export class MissingEvents {
    #asking = new Set();
    #ports;

    constructor({ tableOf, ask, onReply, later = setTimeout }) {
        this.#ports = { tableOf, ask, onReply, later };
    }

    /** Queries the events that are still missing. */
    query(name) {
        const { tableOf, later } = this.#ports;
        const table = tableOf(name);
        if (table !== null && missingFrom(table) !== null && !this.#asking.has(name)) {
            const asking = this.#asking;
            asking.add(name);
            later(
                () => this.#askFor(name, asking),
                table.log.events.length === 0 ? 0 : QUERY_AFTER_MS,
            );
        }
    }

    /** After a logout: ignores the replies to pending queries. */
    forget() {
        this.#asking = new Set();
    }

    async #askFor(name, asking) {
        const { tableOf, ask, onReply, later } = this.#ports;
        const table = asking === this.#asking ? tableOf(name) : null;
        const from = table && missingFrom(table);
        const reply = from === null ? null : await ask(name, from);
        asking.delete(name);
        if (reply === null || asking !== this.#asking) {
            return;
        }
        if (reply.ok) {
            onReply(name, reply);
        } else if (reply.error !== 'not-allowed') {
            later(() => this.query(name), QUERY_AGAIN_MS);
        }
    }
}
