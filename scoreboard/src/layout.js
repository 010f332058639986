/** Positions at the start of a game, on a drawing of SEA by SEA units. */
import { guestOf, piecesOf } from './words.js';

export const SEA = 1000;
export const METRE = 620;

/** The wind reaches about 30 cm, three knots of the rope (HW1). */
export const KNOT = METRE / 10;

export const CENTRE = { x: SEA / 2, y: SEA / 2 };

/** A square or a triangle with about a metre between harbours, clockwise from the top left. */
const places = {
    3: [
        { x: 500, y: 205 },
        { x: 810, y: 742 },
        { x: 190, y: 742 },
    ],
    4: [
        { x: 190, y: 190 },
        { x: 810, y: 190 },
        { x: 810, y: 810 },
        { x: 190, y: 810 },
    ],
};

/** `harbours` are three or four, clockwise. */
export function harbourPlaces(harbours) {
    return Object.fromEntries(harbours.map((harbour, i) => [harbour, places[harbours.length][i]]));
}

/** A point at a distance in front of a harbour (negative: behind) and to its side. */
function near(place, before, beside) {
    const dx = CENTRE.x - place.x;
    const dy = CENTRE.y - place.y;
    const length = Math.hypot(dx, dy);
    return {
        x: Math.round(place.x + (dx * before - dy * beside) / length),
        y: Math.round(place.y + (dy * before + dx * beside) / length),
    };
}

export function mountainPlaces(harbours) {
    return Object.values(harbourPlaces(harbours)).map((place) => near(place, -128, 0));
}

/** Where each piece of the game starts. */
export function startPlaces(harbours, scenario) {
    const starts = {};
    for (const [harbour, place] of Object.entries(harbourPlaces(harbours))) {
        const [one, two, three, tower] = piecesOf(harbour);
        starts[one] = near(place, 90, -92);
        starts[two] = near(place, 128, 0);
        starts[three] = near(place, 90, 92);
        starts[tower] = { x: place.x, y: place.y - 16 };
    }
    const guest = guestOf(scenario);
    if (guest) {
        starts[guest] =
            guest === 'monster' ? { ...CENTRE } : { x: CENTRE.x + 85, y: CENTRE.y + 30 };
    }
    if (scenario === 'heavy-wind') {
        starts.wind = { x: CENTRE.x + 85, y: CENTRE.y + 30 };
    }
    return starts;
}

/** Whether the central mountain is in the middle, or something replaces it. */
export function centreOf(scenario) {
    const others = { 'treasure-island': 'island', 'sea-monster': null };
    return scenario in others ? others[scenario] : 'mountain';
}

/** The outline of a mountain, relative to its size and position. */
const SLOPES = [
    [-1, 0.6],
    [-0.15, -0.75],
    [1, 0.6],
];
export const MOUNTAIN_SIZE = 96; // the one in the middle
export const HARBOUR_MOUNTAIN_SIZE = 52;
const BALL_SIZE = 10; // closer to the slope it is seen to fly through it
const MOUNTAIN_FOOT = 16; // a ship does not come closer than this

export function mountainOutline({ x, y }, size) {
    return SLOPES.map(([dx, dy]) => ({ x: x + dx * size, y: y + dy * size }));
}

/** How far a ball from `from` flies until it meets the mountain in the middle, or Infinity. */
export function mountainAhead(from, angle_deg) {
    const angle = (angle_deg * Math.PI) / 180;
    const ray = { x: Math.cos(angle), y: Math.sin(angle) };
    const corners = mountainOutline(CENTRE, MOUNTAIN_SIZE + BALL_SIZE);
    const met = corners
        .map((corner, i) => crossing(from, ray, corner, corners[(i + 1) % corners.length]))
        .filter((along) => along > 0);
    return met.length > 1 ? Math.min(...met) : Infinity; // one: it starts there
}

/** How far along a ray it crosses the line from a to b; not a number if it does not. */
function crossing(from, ray, a, b) {
    const edge = { x: b.x - a.x, y: b.y - a.y };
    const toA = { x: a.x - from.x, y: a.y - from.y };
    const cross = (p, q) => p.x * q.y - p.y * q.x;
    const part = cross(toA, ray) / cross(ray, edge);
    return part >= 0 && part <= 1 ? cross(toA, edge) / cross(ray, edge) : NaN;
}

export function distance(a, b) {
    return Math.hypot(a.x - b.x, a.y - b.y);
}

/** The place, or the nearest one to it that is at most so far from another one. */
export function within(place, centre, far) {
    const part = Math.min(1, far / Math.max(distance(centre, place), 1e-9));
    return {
        x: centre.x + (place.x - centre.x) * part,
        y: centre.y + (place.y - centre.y) * part,
    };
}

/** Where a circle has its label: at its edge, on the sea, and away from what is drawn there. */
export function labelPlace(centre, radius, drawn) {
    const points = Array.from({ length: 16 }, (_, i) => ({
        x: centre.x + radius * Math.sin((i * Math.PI) / 8),
        y: centre.y - radius * Math.cos((i * Math.PI) / 8),
    }));
    const room = (point) =>
        Math.min(point.x, SEA - point.x, point.y, SEA - point.y, ...drawn.map((each) => distance(each, point)));
    return points.reduce((best, point) => (room(point) > room(best) ? point : best));
}

/** Pieces whose middles are closer than this would cover each other. */
const PIECE_SIZE = 72;

/** All mountains of a game: [place, size]. */
function mountainsOf(harbours, scenario) {
    const behind = mountainPlaces(harbours).map((place) => [place, HARBOUR_MOUNTAIN_SIZE]);
    return centreOf(scenario) === 'mountain' ? [...behind, [CENTRE, MOUNTAIN_SIZE]] : behind;
}

function isOnMountain(place, [top, size]) {
    const corners = mountainOutline(top, size + MOUNTAIN_FOOT);
    const sides = corners.map((a, i) => {
        const b = corners[(i + 1) % corners.length];
        return (b.x - a.x) * (place.y - a.y) - (b.y - a.y) * (place.x - a.x) > 0;
    });
    return sides.every((side) => side === sides[0]);
}

/** What stands at a place: one of these pieces (places by name), 'mountain', or null. */
function standsAt(place, pieces, mountains) {
    const taken = Object.keys(pieces).find((name) => distance(place, pieces[name]) < PIECE_SIZE);
    return taken ?? (mountains.some((each) => isOnMountain(place, each)) ? 'mountain' : null);
}

/**
 * Where a piece stops on its way: {place, met}. `met` is the piece or 'mountain' that stands at the
 * end of the way, or null; then the place is the last one before it that is free.
 */
export function stopBefore(from, to, pieces, { harbours, scenario }) {
    const mountains = mountainsOf(harbours, scenario);
    const met = standsAt(to, pieces, mountains);
    const far = distance(from, to);
    let place = to;
    for (let back = 1; place !== from && standsAt(place, pieces, mountains) !== null; back++) {
        place = back < far ? within(to, from, far - back) : from;
    }
    return { place, met };
}

export function onSea({ x, y }) {
    const within = (value) => Math.max(30, Math.min(SEA - 30, value));
    return { x: within(x), y: within(y) };
}

/** A ball that passes the middle of a piece closer than this hits it. */
export const HIT_WIDTH = 34;

/**
 * The first piece that a ball from `from` in this direction hits, or null. `places` are the pieces
 * that can be hit; a piece within `reach` stands next to the cannon and is not hit.
 */
export function firstHit(from, angle_deg, places, reach = HIT_WIDTH) {
    const angle = (angle_deg * Math.PI) / 180;
    const direction = { x: Math.cos(angle), y: Math.sin(angle) };
    let best = null;
    for (const [piece, place] of Object.entries(places)) {
        const dx = place.x - from.x;
        const dy = place.y - from.y;
        const along = dx * direction.x + dy * direction.y;
        const aside = Math.abs(dx * direction.y - dy * direction.x);
        if (along > reach && aside < reach && along < (best?.along ?? Infinity)) {
            best = { piece, along };
        }
    }
    return best;
}
