/** What the cannon of the virtual table would hit. `places` are the places of all pieces, by name. */
import { centreOf, distance, firstHit, HIT_WIDTH, mountainAhead, SEA } from './layout.js';

export function inPlay(state, name) {
    return ['standing', 'flat'].includes(state.pieces[name]?.status);
}

/** Tiles lie under the pieces: nothing meets them. */
export function isTile(name) {
    return ['kraken', 'wind'].includes(name);
}

/** Whether a piece belongs neither to the current player nor to a team-mate (T1). */
export function isEnemy({ player, players, pieces }, name) {
    const { owner } = pieces[name];
    const teamOf = (id) => players.find((each) => each.id === id)?.team ?? null;
    const isMate = teamOf(owner) !== null && teamOf(owner) === teamOf(player);
    return owner !== player && !isMate && !isTile(name);
}

export function angleTo(from, to) {
    return Math.round((Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI);
}

/**
 * What the ball meets in this direction: {angle, target, reach, isBlocked}. The target is a piece or
 * null; isBlocked: the mountain is in the way.
 */
export function lineOfFire(state, places, at, angle) {
    const pieces = Object.entries(places).filter(
        ([name]) => inPlay(state, name) && name !== at && !isTile(name),
    );
    const hit = firstHit(places[at], angle, Object.fromEntries(pieces));
    const mountain =
        centreOf(state.scenario) === 'mountain' ? mountainAhead(places[at], angle) : Infinity;
    const isBlocked = mountain < (hit?.along ?? SEA);
    return {
        angle,
        target: isBlocked ? null : (hit?.piece ?? null),
        reach: Math.min(hit?.along ?? SEA, mountain, SEA),
        isBlocked,
    };
}

/** The line of fire that hits a piece, as near to its middle as possible; or else straight at it. */
export function lineTo(state, places, at, goal) {
    const straight = angleTo(places[at], places[goal]);
    const half = Math.atan(HIT_WIDTH / distance(places[at], places[goal])) * (180 / Math.PI);
    const aside = Array.from({ length: Math.floor(half) }, (_, i) => [i + 1, -i - 1]).flat();
    const lines = [0, ...aside].map((by) => lineOfFire(state, places, at, turned(straight, by)));
    return lines.find(({ target }) => target === goal) ?? lines[0];
}

/** An angle from -180 to 180 degrees, turned by so many. */
export function turned(angle, by) {
    return ((angle + by + 540) % 360) - 180;
}

/** A piece that a ball can topple, for a trophy. */
export function isWorthIt(state, name) {
    return name !== null && isEnemy(state, name) && state.pieces[name].status === 'standing';
}

/** The line of fire to the nearest enemy that can be toppled, or else to the middle of the sea. */
export function bestLine(state, places, at) {
    // The monster is nobody's trophy (SM3): it is shot on purpose.
    const far = (name) => (name === 'monster' ? Infinity : distance(places[at], places[name]));
    const lines = Object.keys(places)
        .filter((name) => inPlay(state, name) && isWorthIt(state, name))
        .sort((a, b) => far(a) - far(b))
        .map((name) => [name, lineTo(state, places, at, name)]);
    const [, line] = lines.find(([name, { target }]) => target === name) ?? [];
    const middle = { x: SEA / 2, y: SEA / 2 };
    return line ?? lineOfFire(state, places, at, angleTo(places[at], middle));
}
