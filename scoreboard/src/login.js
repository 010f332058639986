/** The login at the broker, stored in this tab or on this device. */

const MEMORY = 'shipahoy-login';

/** {user, password} for this broker, or null. The login of this tab takes precedence. */
export function rememberedLogin(broker, stores = browserStores()) {
    const found = stores.map(read).find((memory) => memory?.broker === broker);
    return found ? { user: found.user, password: found.password } : null;
}

/** Stores a login in this tab, and on the device if requested. */
export function rememberLogin(broker, { user, password }, isToLast, stores = browserStores()) {
    const [tab, device] = stores;
    for (const store of isToLast ? [tab, device] : [tab]) {
        write(store, JSON.stringify({ broker, user, password }));
    }
}

export function forgetLogin(stores = browserStores()) {
    stores.forEach((store) => write(store, null));
}

/** A page opened from disk may have no storage; the user then logs in again. */
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
        // The page works without it.
    }
}
