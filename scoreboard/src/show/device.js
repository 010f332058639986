/** This device: its code, by which it can be chosen as the table's speaker, and its settings. */

const CODE = 'shipahoy-device';
const SETTINGS = 'shipahoy-show';

/** Letters and digits that cannot be mistaken for one another. */
const LETTERS = 'ACDEFHJKLMNPQRTUVWXY3479';
const CODE_LENGTH = 4;

const DEFAULTS = { volume: 0.7, isMuted: false };

/** The code as it is compared, from what a person entered; null if it cannot be one. */
export function readCode(text) {
    const code = text.trim().toUpperCase();
    const isCode = code.length === CODE_LENGTH && [...code].every((each) => LETTERS.includes(each));
    return isCode ? code : null;
}

/** Four letters, the same ones as long as the browser keeps its storage. */
export function deviceCode(store = deviceStore()) {
    const known = readCode(store?.getItem(CODE) ?? '');
    if (known) {
        return known;
    }
    const random = crypto.getRandomValues(new Uint8Array(CODE_LENGTH));
    const code = Array.from(random, (byte) => LETTERS[byte % LETTERS.length]).join('');
    store?.setItem(CODE, code);
    return code;
}

/** {volume: 0 to 1, isMuted, hasVoice} */
export function readSettings(store = deviceStore(), hasVoice = false) {
    try {
        const stored = JSON.parse(store.getItem(SETTINGS));
        const { volume, isMuted } = stored;
        return {
            volume: volume >= 0 && volume <= 1 ? volume : DEFAULTS.volume,
            isMuted: isMuted === true,
            hasVoice: stored.hasVoice === true,
        };
    } catch {
        return { ...DEFAULTS, hasVoice };
    }
}

export function writeSettings(settings, store = deviceStore()) {
    store?.setItem(SETTINGS, JSON.stringify(settings));
}

/** Null if there is no storage, or it refuses to be written: settings then last until a reload. */
export function deviceStore() {
    try {
        localStorage.setItem('shipahoy-test', '');
        localStorage.removeItem('shipahoy-test');
        return localStorage;
    } catch {
        return null;
    }
}
