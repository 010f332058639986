/**
 * What this device has entered into secret counters. The logbook publishes only the numbers (seq)
 * of the changes that count; the device that entered them remembers what they were.
 */
const MEMORY = 'shipahoy-secret-';

/** `change` is {by} or {to}. */
export function rememberSecret(sheet, seq, { by, to }, store = browserStore()) {
    try {
        const memory = { ...read(store, sheet), [seq]: to === undefined ? { by } : { to } };
        store.setItem(MEMORY + sheet, JSON.stringify(memory));
    } catch {
        // The counter is then secret on this device, too.
    }
}

/**
 * What this device knows of a secret counter, from the numbers of its changes: {value} if it knows
 * the value, {change} if it knows only a part of the changes, null if it knows nothing.
 */
export function ownSecret(sheet, start, seqs, store = browserStore()) {
    const memory = read(store, sheet);
    let base = start;
    let change = 0;
    let isKnown = false;
    for (const entry of seqs.map((seq) => memory[seq])) {
        if (entry === undefined) {
            base = undefined; // entered elsewhere
        } else if (entry.to !== undefined) {
            [base, change] = [entry.to, 0];
        } else {
            change += entry.by;
        }
        isKnown ||= entry !== undefined;
    }
    if (base !== undefined) {
        return { value: base + change };
    }
    return isKnown ? { change } : null;
}

/** Forgets what was entered in a game that is not there any more. */
export function forgetSecrets(sheet, store = browserStore()) {
    try {
        store.removeItem(MEMORY + sheet);
    } catch {
        // There was no storage to remember it in.
    }
}

function browserStore() {
    try {
        return localStorage;
    } catch {
        return null;
    }
}

function read(store, sheet) {
    try {
        const memory = JSON.parse(store.getItem(MEMORY + sheet)) ?? {};
        const isChange = ({ by, to }) => Number.isSafeInteger(to ?? by);
        return Object.values(memory).every(isChange) ? memory : {};
    } catch {
        return {};
    }
}
