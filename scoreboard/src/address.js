/**
 * The page's address: #table=den&view=captain&lang=de&broker=ws://pi.local:9001&prefix=shipahoy
 *
 * It can contain a login, &user=captain&password=…, so that a phone only has to scan a QR code. The
 * part after the # is never sent to a server; the page removes the password after reading it.
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

/** The same address with some parameters changed; null removes one. */
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

/** The entered address of a broker as a websocket URL, or null. */
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

/** A page that was loaded over HTTP was served by the broker (mosquitto's http_dir). */
function servedBroker(protocol, host) {
    const schemes = { 'http:': 'ws:', 'https:': 'wss:' };
    return protocol in schemes ? `${schemes[protocol]}//${host}/mqtt` : null;
}
