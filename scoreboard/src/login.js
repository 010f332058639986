/** Who the page is at the broker, and where that is remembered: in this tab, or on this device. */

const MEMORY = 'shipahoy-login';

/** {user, password} for this broker, or null. What this tab knows goes first. */
export function rememberedLogin(broker, stores = browserStores()) {
    const found = stores.map(read).find((memory) => memory?.broker === broker);
    return found ? { user: found.user, password: found.password } : null;
}

/** Keeps a login in this tab, and on the device if it is to last. */
export function rememberLogin(broker, { user, password }, isToLast, stores = browserStores()) {
    const [tab, device] = stores;
    for (const store of isToLast ? [tab, device] : [tab]) {
        write(store, JSON.stringify({ broker, user, password }));
    }
}

export function forgetLogin(stores = browserStores()) {
    stores.forEach((store) => write(store, null));
}

/** A page opened from disk may have no memory at all; then somebody logs in again. */
function browserStores() {
    try {
        return [sessionStorage, localStorage];
    } catch {
        return [];
    }
}

function read(store) {
    try {
        return JSON.parse(store.getItem(MEMORY));
    } catch {
        return null;
    }
}

function write(store, text) {
    try {
        if (text === null) {
            store.removeItem(MEMORY);
        } else {
            store.setItem(MEMORY, text);
        }
    } catch {
        // Nothing depends on it.
    }
}
