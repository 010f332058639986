/**
 * The game that was entered or played last on this device, by table. It is valid until the
 * configuration of the table changes: then the owner has chosen another game.
 */
import { usualWish, wishFrom } from './newgame.js';

const MEMORY = 'shipahoy-game-';

/** The form as it is shown first. */
export function firstWish({ name, info, state }, store = browserStore()) {
    const memory = read(store, name);
    if (memory && memory.configured === configuredGame(info)) {
        return { ...usualWish(), ...memory.wish };
    }
    if (!memory && state?.phase === 'over') {
        return wishFrom({ ...state, first: 'draw' });
    }
    return configuredWish({ info });
}

/** The form as the configuration of the table fills it in. */
export function configuredWish({ info }) {
    return info?.defaults ? wishFrom(info.defaults) : usualWish();
}

export function rememberWish({ name, info }, wish, store = browserStore()) {
    try {
        store.setItem(MEMORY + name, JSON.stringify({ configured: configuredGame(info), wish }));
    } catch {
        // The page works without it.
    }
}

/** What the owner has configured, to be compared. */
export function configuredGame(info) {
    return JSON.stringify(info?.defaults ?? null);
}

/** A page opened from disk may have no storage; the game is then entered again. */
function browserStore() {
    try {
        return localStorage;
    } catch {
        return null;
    }
}

function read(store, name) {
    try {
        const memory = JSON.parse(store.getItem(MEMORY + name));
        return memory.wish.names.length === usualWish().names.length ? memory : null;
    } catch {
        return null;
    }
}
