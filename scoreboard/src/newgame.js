/** The form of a new game, and its conversion to the fields of the command. */
import { HARBOURS, harboursEach } from './words.js';

/** Maximum length of a name in bytes of UTF-8. */
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

/** The longest prefix of a name that fits, without splitting a character. */
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

/** The positions of a player (from 0) in the list of colours. */
export function colourPlaces(wish, seat) {
    const each = harboursEach(wish.playerCount);
    return Array.from({ length: each }, (_, i) => seat * each + i);
}

/** Assigns a colour to a position; the position that had it gets the replaced colour. */
export function withColour(wish, index, colour) {
    const colours = [...wish.colours];
    colours[colours.indexOf(colour)] = colours[index];
    colours[index] = colour;
    return { ...wish, colours };
}

/** The key of an error text, or null. */
export function problemOf(wish) {
    const isUneven = wish.teamOf.filter((team) => team === 1).length !== 2;
    return wish.teams && wish.playerCount === 4 && isUneven ? 'teamsDiffer' : null;
}

/** The fields of the command; nameOf(number) is the name of a player without one. */
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
