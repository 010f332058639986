/**
 * The page's address:
 * #table=den&view=captain&lang=de&theme=dark&broker=ws://pi.local:9001&prefix=shipahoy
 *
 * A screen that nobody touches gets &tv=, the code of its &device=, &voice= to announce the game, and
 * in &join= the address of this page for phones, if it is another one.
 *
 * It can contain a login, &user=captain&password=…, so that a phone only has to scan a QR code. The
 * part after the # is never sent to a server; the page removes the password after reading it.
 */

export const VIEWS = [
    'board',
    'captain',
    'table',
    'sensors',
    'lobby',
    'logbook',
    'fame',
    'sheet',
    'score',
    'tournament',
    'standings',
    'overlay',
    'announcer',
];
export const THEMES = ['auto', 'light', 'dark'];

/** What the logbook shows: a game at a moment, or the games of a player, a scenario, some days. */
const LOGBOOK_WISHES = ['game', 'seq', 'player', 'scenario', 'from', 'to'];

/** The sheet game of the views `sheet` and `score`, and the tournament of its views. */
const SHEET = 'sheet';
const TOURNAMENT = 'tournament';

export function readAddress({ hash, protocol, host }) {
    const wishes = new URLSearchParams(hash.replace(/^#/, ''));
    return {
        table: wishes.get('table'),
        view: VIEWS.includes(wishes.get('view')) ? wishes.get('view') : 'board',
        language: wishes.get('lang'),
        theme: THEMES.includes(wishes.get('theme')) ? wishes.get('theme') : 'auto',
        prefix: wishes.get('prefix') ?? 'shipahoy',
        broker: brokerUrl(wishes.get('broker')) ?? servedBroker(protocol, host),
        isTv: wishes.has('tv'),
        device: wishes.get('device'),
        hasVoice: wishes.has('voice'),
        logbook: Object.fromEntries(LOGBOOK_WISHES.map((key) => [key, wishes.get(key)])),
        sheet: wishes.get(SHEET),
        tournament: wishes.get(TOURNAMENT),
        user: wishes.get('user'),
        password: wishes.get('password'),
    };
}

/** The same address with some parameters changed; null removes one. Another view has its own. */
export function changedHash(hash, changes) {
    const wishes = new URLSearchParams(hash.replace(/^#/, ''));
    if ('view' in changes) {
        [...LOGBOOK_WISHES, SHEET, TOURNAMENT].forEach((key) => wishes.delete(key));
    }
    for (const [key, value] of Object.entries(changes)) {
        if (value === null) {
            wishes.delete(key);
        } else {
            wishes.set(key, value);
        }
    }
    return `#${wishes}`;
}

/** A link to the scoreboard of a table, for spectators elsewhere. */
export function spectatorLink(location, table, address) {
    return publicLink(location, { table }, address);
}

/** A link to a moment of a game in the logbook. */
export function momentLink(location, game, seq, address) {
    return publicLink(location, { view: 'logbook', game, seq }, address);
}

/** A link without a login. */
function publicLink({ href }, parameters, { broker, prefix }) {
    const [page, hash = ''] = href.split('#');
    const known = new URLSearchParams(hash);
    const wishes = { ...parameters, ...(known.has('broker') && { broker }) };
    return `${page}${changedHash('', prefix === 'shipahoy' ? wishes : { ...wishes, prefix })}`;
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
