/** Where things stand on a drawn table of SEA by SEA units, at the start of a game. */
import { guestOf, harboursFor, piecesOf } from './words.js';

export const SEA = 1000;
export const METRE = 620;

/** The wind reaches about 30 cm, which is the rope's three knots (HW1). */
export const KNOT = METRE / 10;

const CENTRE = { x: SEA / 2, y: SEA / 2 };

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

export function harbourPlaces(playerCount) {
    const harbours = harboursFor(playerCount);
    return Object.fromEntries(harbours.map((harbour, i) => [harbour, places[harbours.length][i]]));
}

/** A point before (or, negative, behind) a harbour as seen from the middle, and beside it. */
function near(place, before, beside) {
    const dx = CENTRE.x - place.x;
    const dy = CENTRE.y - place.y;
    const length = Math.hypot(dx, dy);
    return {
        x: Math.round(place.x + (dx * before - dy * beside) / length),
        y: Math.round(place.y + (dy * before + dx * beside) / length),
    };
}

export function mountainPlaces(playerCount) {
    return Object.values(harbourPlaces(playerCount)).map((place) => near(place, -128, 0));
}

/** Where each piece of the game starts. */
export function startPlaces(playerCount, scenario) {
    const starts = {};
    for (const [harbour, place] of Object.entries(harbourPlaces(playerCount))) {
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

/** Whether the central mountain stands in the middle, or something in its place. */
export function centreOf(scenario) {
    const others = { 'treasure-island': 'island', 'sea-monster': null };
    return scenario in others ? others[scenario] : 'mountain';
}

export function distance(a, b) {
    return Math.hypot(a.x - b.x, a.y - b.y);
}

export function onSea({ x, y }) {
    const within = (value) => Math.max(30, Math.min(SEA - 30, value));
    return { x: within(x), y: within(y) };
}

/**
 * The piece that a ball from `from` in this direction meets first, or null. `places` are of those
 * that can be hit; who stands at the cannon is behind it.
 */
export function firstHit(from, angle_deg, places, reach = 34) {
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
