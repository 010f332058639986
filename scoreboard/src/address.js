/**
 * The page's address: #table=den&view=captain&lang=de&broker=ws://pi.local:9001&prefix=shipahoy
 *
 * A login fits in too, &user=captain&password=…, so that a phone only needs to see a code. What is
 * behind the # is never sent to a server; the page takes the password out once it is read.
 */

export const VIEWS = ['board', 'captain', 'table', 'lobby'];

export function readAddress({ hash, protocol, host }) {
    const wishes = new URLSearchParams(hash.replace(/^#/, ''));
    return {
        table: wishes.get('table'),
        view: VIEWS.includes(wishes.get('view')) ? wishes.get('view') : 'board',
        language: wishes.get('lang'),
        prefix: wishes.get('prefix') ?? 'shipahoy',
        broker: brokerUrl(wishes.get('broker')) ?? servedBroker(protocol, host),
        user: wishes.get('user'),
        password: wishes.get('password'),
    };
}

/** The same address with some of its words changed; null takes one away. */
export function changedHash(hash, changes) {
    const wishes = new URLSearchParams(hash.replace(/^#/, ''));
    for (const [key, value] of Object.entries(changes)) {
        if (value === null) {
            wishes.delete(key);
        } else {
            wishes.set(key, value);
        }
    }
    return `#${wishes}`;
}

/** What a person types for a broker, as a websocket address, or null. */
export function brokerUrl(text) {
    if (!text?.trim()) {
        return null;
    }
    try {
        const url = new URL(text.includes('://') ? text.trim() : `ws://${text.trim()}`);
        return ['ws:', 'wss:'].includes(url.protocol) ? url.href : null;
    } catch {
        return null;
    }
}

/** Whoever serves the page over HTTP is the broker itself (mosquitto's http_dir). */
function servedBroker(protocol, host) {
    const schemes = { 'http:': 'ws:', 'https:': 'wss:' };
    return protocol in schemes ? `${schemes[protocol]}//${host}/mqtt` : null;
}
