/**
 * Which of the tabs of a browser plays the sounds: all of them are the same device. The first one plays
 * until it is closed, or a tap in another one takes over.
 */
const OWNER = 'shipahoy-playing-tab-'; // and the table: {tab, at_ms}

const ALIVE_MS = 1000;
const LOST_MS = 3 * ALIVE_MS;

export class OneTab {
    table = ''; // the sounds of this table are to be played
    #tab = Math.random().toString(36).slice(2);
    #store;
    #now;
    #isWanted;

    /** isWanted(): whether this tab is to play at all. Without a storage every tab plays. */
    constructor({ store, isWanted, now = Date.now, every = setInterval }) {
        this.#store = store;
        this.#isWanted = isWanted;
        this.#now = now;
        every(() => this.isPlaying && this.take(), ALIVE_MS);
    }

    take() {
        if (this.#isWanted()) {
            this.#store?.setItem(OWNER + this.table, JSON.stringify({ tab: this.#tab, at_ms: this.#now() }));
        }
    }

    leave() {
        if (this.#store && this.#owner().tab === this.#tab) {
            this.#store.removeItem(OWNER + this.table);
        }
    }

    /** Whether no other tab plays. The clock of a device may have gone back. */
    get isPlaying() {
        const { tab, at_ms } = this.#owner();
        return tab === this.#tab || !(Math.abs(this.#now() - at_ms) < LOST_MS);
    }

    #owner() {
        try {
            return JSON.parse(this.#store.getItem(OWNER + this.table)) ?? {};
        } catch {
            return {};
        }
    }
}
