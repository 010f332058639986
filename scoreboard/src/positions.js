/**
 * Where the pieces of the virtual table are. Pages share it on page/positions, outside the game:
 * {"v":1,"game":"…","places":[["red-1",412,300,27],…]}, each with the seq of the event that
 * confirmed the place. So a place is valid until its event is undone, in every browser.
 */
import { startPlaces } from './layout.js';
import { harboursOf } from './words.js';

/** Places of a piece that are kept, and so the number of its moves that an undo can follow. */
const PLACES_A_PIECE = 20;

/** The places of both, each once, in the order of their events. */
export function mergePositions(known, received) {
    if (known?.game !== received.game) {
        return received;
    }
    const byEvent = new Map(
        [...known.places, ...received.places].map((place) => [`${place[0]} ${place[3]}`, place]),
    );
    return { game: known.game, places: newest([...byEvent.values()]) };
}

/** Adds the place that this event has confirmed. */
export function withPlace(positions, game, name, { x, y }, seq) {
    const added = { game, places: [[name, Math.round(x), Math.round(y), seq]] };
    return mergePositions(positions, added);
}

function newest(places) {
    const sorted = [...places].sort((a, b) => a[3] - b[3]);
    const later = new Map();
    const isKept = ([name]) => {
        later.set(name, (later.get(name) ?? 0) + 1);
        return later.get(name) <= PLACES_A_PIECE;
    };
    return sorted.reverse().filter(isKept).reverse();
}

/** The place of every piece of this game, as {x, y} by name. */
export function placesNow(state, positions, undone) {
    const places = startPlaces(harboursOf(state), state.scenario);
    const moved = positions?.game === state.game ? positions.places : [];
    for (const [name, x, y, seq] of moved) {
        if (Object.hasOwn(places, name) && !undone.has(seq)) {
            places[name] = { x, y };
        }
    }
    return places;
}
