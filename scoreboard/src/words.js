/** The names used in the MQTT interface, and what a piece's name contains. */

/** Below the prefix this segment is not a table. */
export const LOGBOOK = 'logbook';

export const HARBOURS = ['red', 'blue', 'green', 'yellow'];
export const SHIPS_A_HARBOUR = 3;
/** All commands. A broker may allow some of them and forbid others. */
export const VERBS = [
    'start-game',
    'new-game',
    'aim',
    'fire',
    'topple',
    'raise',
    'roll-move',
    'select',
    'move',
    'engage',
    'roll-combat',
    'end-phase',
    'take-chest',
    'load-barrel',
    'deliver-barrel',
    'catch-wind',
    'move-wind',
    'entangle',
    'undo',
    'pair',
    'unpair',
];

/** What a login may be allowed to do with sheet games and tournaments, as topics of the logbook. */
export const SHEET_TOPICS = [
    'score/count',
    'command/open-sheet',
    'command/undo-sheet',
    'command/close-sheet',
    'command/open-tournament',
];

export const RULES = ['basic', 'advanced'];
export const SCENARIOS = [
    'none',
    'treasure-island',
    'pirate-ship',
    'sea-monster',
    'heavy-wind',
    'merchant',
    'kraken',
];

/** Pieces without an owner that can be moved instead of an own ship (PS1, SM1, KR1). */
const GUESTS = { 'pirate-ship': 'pirate', 'sea-monster': 'monster', kraken: 'kraken' };

export function guestOf(scenario) {
    return GUESTS[scenario] ?? null;
}

/** The name of a sensor in topics, with slashes: some brokers do not accept dots. */
export function sensorPath(name) {
    return name.replaceAll('.', '/');
}

export function sensorName(path) {
    return path.replaceAll('/', '.');
}

export function harbourOf(piece) {
    const colour = piece.split('-')[0];
    return HARBOURS.includes(colour) ? colour : null;
}

export function isTower(piece) {
    return piece.endsWith('-tower');
}

export function isShip(piece) {
    return piece === 'pirate' || (harbourOf(piece) !== null && !isTower(piece));
}

/** In display order: ships first, then the tower. */
export function piecesOf(harbour) {
    const numbers = Array.from({ length: SHIPS_A_HARBOUR }, (_, i) => i + 1);
    return [...numbers.map((number) => `${harbour}-${number}`), `${harbour}-tower`];
}

/** The steps of a turn (G3). */
export function stepsOf({ rules }) {
    return ['shooting', 'moving', 'combat', ...(rules === 'advanced' ? ['repair'] : [])];
}

/** The harbours of a game in the order of its players, which is clockwise (G1, G2). */
export function harboursOf({ players }) {
    return players.flatMap(({ harbours }) => harbours);
}

export function harboursEach(playerCount) {
    return playerCount === 2 ? 2 : 1;
}
