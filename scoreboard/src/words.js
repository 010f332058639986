/** The words of the contract, and what can be read off a piece's name. */

export const HARBOURS = ['red', 'blue', 'green', 'yellow'];
export const SHIPS_A_HARBOUR = 3;
export const STEPS = ['shooting', 'moving', 'combat', 'repair'];
/** Everything that a captain may say, as topics: a broker may allow some and not others. */
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

/** What belongs to nobody and may be moved instead of an own ship (PS1, SM1, KR1). */
const GUESTS = { 'pirate-ship': 'pirate', 'sea-monster': 'monster', kraken: 'kraken' };

export function guestOf(scenario) {
    return GUESTS[scenario] ?? null;
}

/** A sensor's name as topics have it: some brokers accept no dots there. */
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

/** Ships first, the tower last: the order in which people look at a harbour. */
export function piecesOf(harbour) {
    const numbers = Array.from({ length: SHIPS_A_HARBOUR }, (_, i) => i + 1);
    return [...numbers.map((number) => `${harbour}-${number}`), `${harbour}-tower`];
}

/** With 2 and 4 players four harbours are in play, with 3 players three (G1). */
export function harboursFor(playerCount) {
    return playerCount === 3 ? HARBOURS.slice(0, 3) : HARBOURS;
}

export function harboursEach(playerCount) {
    return playerCount === 2 ? 2 : 1;
}
