/** The screen of this device: its theme, kept awake, and moved a little against burn-in. */

const DARK = '(prefers-color-scheme: dark)';

/** Sets the theme of the page: light, dark, or (auto) that of the device. */
export class Theme {
    #wish = 'auto';
    #device = matchMedia(DARK);

    constructor() {
        this.#device.addEventListener('change', () => this.#apply());
        this.#apply();
    }

    wish(theme) {
        this.#wish = theme;
        this.#apply();
    }

    #apply() {
        const isDark = this.#wish === 'dark' || (this.#wish === 'auto' && this.#device.matches);
        document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
    }
}

/** Keeps the screen on while the page is visible. Browsers offer it to https and localhost only. */
export class WakeLock {
    #isWanted = false;
    #lock = null;

    constructor() {
        document.addEventListener('visibilitychange', () => this.#update());
    }

    want(isWanted) {
        if (isWanted !== this.#isWanted) {
            this.#isWanted = isWanted;
            this.#update();
        }
    }

    async #update() {
        try {
            if (!this.#isWanted) {
                await this.#lock?.release();
                this.#lock = null;
            } else if (document.visibilityState === 'visible' && (this.#lock?.released ?? true)) {
                this.#lock = (await navigator.wakeLock?.request('screen')) ?? null;
            }
        } catch {
            // A device that saves power refuses; the screen then turns off as it is set up.
        }
    }
}

const MOVE_MS = 60_000;
const DIM_MS = 15 * 60_000;

/** Around the middle and back to it, in the hundredths of a rem. */
const PLACES = [[0, 0], [30, 0], [30, 30], [0, 30], [-30, 30], [-30, 0], [-30, -30], [0, -30], [30, -30]];

/**
 * Moves the page by a few pixels, and dims it when nothing has happened for a quarter of an hour, so that a
 * TV that shows it all day keeps no traces of it. During a game it moves where a turn begins: nobody sees
 * that then.
 */
export class BurnInProtection {
    #step = 0;
    #awake_ms;
    #moved_ms;
    #now;

    constructor({ now = () => performance.now(), every = setInterval } = {}) {
        this.#now = now;
        this.#awake_ms = now();
        this.#moved_ms = now();
        every(() => this.#look(), MOVE_MS);
        for (const type of ['pointermove', 'pointerdown', 'keydown']) {
            addEventListener(type, () => this.wake());
        }
    }

    /** Something has happened. */
    wake() {
        this.#awake_ms = this.#now();
        delete document.documentElement.dataset.dimmed;
    }

    /** A turn has begun. */
    turn() {
        this.wake();
        if (this.#now() - this.#moved_ms >= MOVE_MS) {
            this.#move();
        }
    }

    #look() {
        const idle_ms = this.#now() - this.#awake_ms;
        if (idle_ms >= MOVE_MS) {
            this.#move();
        }
        if (idle_ms >= DIM_MS) {
            document.documentElement.dataset.dimmed = '';
        }
    }

    #move() {
        this.#moved_ms = this.#now();
        const [x, y] = PLACES[++this.#step % PLACES.length];
        const { style } = document.documentElement;
        style.setProperty('--drift-x', `${x / 100}rem`);
        style.setProperty('--drift-y', `${y / 100}rem`);
    }
}
