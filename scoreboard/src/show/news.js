/**
 * Which events of a table are news: those that happen now. Not news are events that come again
 * after an outage, and those that the page reads from the history.
 *
 * A state contains all events up to its seq, and is published after them. An event that the page
 * has seen, or that a received state contains, is not news. Sounds start with the event; sentences
 * and scenes name players and pieces, and wait for the state that contains the event.
 */

/** More than a table emits between two states. */
const WAITING_MAX = 64;

export class News {
    #game = undefined; // unknown until the first state
    #seq = 0; // of the last event that is not news any more
    #at = ''; // of the last event of all games
    #waiting = [];

    /** True if the event is news. */
    receiveEvent({ game, seq, at, ...event }) {
        const isOfAnotherGame = game !== this.#game;
        const isOld = isOfAnotherGame ? seq !== 1 || at < this.#at : seq <= this.#seq;
        if (this.#game === undefined || isOld) {
            return false;
        }
        this.#game = game;
        this.#seq = seq;
        this.#at = at ?? '';
        if (isOfAnotherGame) {
            this.#waiting = [];
        }
        this.#waiting = [...this.#waiting, { game, seq, at, ...event }].slice(-WAITING_MAX);
        return true;
    }

    /** The events that waited for this state, in order. */
    receiveState({ game, seq }) {
        const isCurrent = game === this.#game;
        const ready = isCurrent ? this.#waiting.filter((event) => event.seq <= seq) : [];
        this.#waiting = isCurrent ? this.#waiting.filter((event) => event.seq > seq) : [];
        this.#seq = isCurrent ? Math.max(seq, this.#seq) : seq;
        this.#game = game;
        return ready;
    }
}
