/** A wish for a new game, from what a form holds to what the command says. */
import { HARBOURS, harboursEach } from './words.js';

/** Bytes of UTF-8 that the table has room for in a name. */
const NAME_BYTES_MAX = 39;

export function usualWish(names = []) {
    return {
        playerCount: 4,
        names: [0, 1, 2, 3].map((i) => names[i] ?? ''),
        colours: [...HARBOURS],
        teamOf: [1, 2, 1, 2],
        teams: false,
        rules: 'basic',
        scenario: 'none',
        dice: 'table',
        first: 'draw',
    };
}

/** The longest beginning of a name that fits, never cut within a character. */
export function fitName(name) {
    const encoder = new TextEncoder();
    let fit = '';
    for (const { segment } of new Intl.Segmenter().segment(name)) {
        if (encoder.encode(fit + segment).length > NAME_BYTES_MAX) {
            break;
        }
        fit += segment;
    }
    return fit;
}

/** Which places in the list of colours are a seat's (from 0). */
export function colourPlaces(wish, seat) {
    const each = harboursEach(wish.playerCount);
    return Array.from({ length: each }, (_, i) => seat * each + i);
}

/** Gives a colour to a place in the list; who had it gets the one that becomes free. */
export function withColour(wish, index, colour) {
    const colours = [...wish.colours];
    colours[colours.indexOf(colour)] = colours[index];
    colours[index] = colour;
    return { ...wish, colours };
}

/** Null, or the key of the text that says what does not fit. */
export function problemOf(wish) {
    const isUneven = wish.teamOf.filter((team) => team === 1).length !== 2;
    return wish.teams && wish.playerCount === 4 && isUneven ? 'teamsDiffer' : null;
}

/** The fields of the command; nameOf(number) names those who gave no name. */
export function fieldsOf(wish, nameOf) {
    const teams = wish.teams && wish.playerCount === 4;
    const players = Array.from({ length: wish.playerCount }, (_, seat) => ({
        name: wish.names[seat].trim() || nameOf(seat + 1),
        harbours: colourPlaces(wish, seat).map((place) => wish.colours[place]),
        ...(teams && { team: wish.teamOf[seat] }),
    }));
    const first = Number(wish.first) <= wish.playerCount ? Number(wish.first) : 'draw';
    const { rules, scenario, dice } = wish;
    return { rules, scenario, dice, teams, first, players };
}
