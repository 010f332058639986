/** The form of a new game, and its conversion to the fields of the command. */
import { HARBOURS, harboursEach } from './words.js';

/** Maximum length of a name in Unicode code points, as the table counts them. */
const NAME_CHARACTERS_MAX = 40;

/** The form without anything entered, for a table whose configuration is not known yet. */
export function usualWish() {
    return {
        playerCount: 4,
        names: ['', '', '', ''],
        colours: [...HARBOURS],
        teamOf: [1, 2, 1, 2],
        teams: false,
        rules: 'basic',
        scenario: 'none',
        dice: 'table',
        first: 'draw',
    };
}

/** The form for the game of a configuration: the `defaults` of `info`, or a state. */
export function wishFrom(game) {
    const usual = usualWish();
    const { players } = game;
    const colours = players.flatMap(({ harbours }) => harbours);
    return {
        playerCount: players.length,
        names: usual.names.map((_, i) => enteredName(players[i]?.name ?? '', i)),
        colours: [...new Set([...colours, ...HARBOURS])],
        teamOf: usual.teamOf.map((team, i) => players[i]?.team ?? team),
        teams: game.teams === true,
        rules: game.rules ?? usual.rules,
        scenario: game.scenario ?? usual.scenario,
        dice: game.dice ?? usual.dice,
        first: game.first ?? usual.first,
    };
}

/** A name that the daemon gave is a placeholder in the form. */
function enteredName(name, seat) {
    return name === `Player ${seat + 1}` ? '' : name;
}

/** Old browsers cannot tell what belongs together and may split an emoji. */
function charactersOf(name) {
    return Intl.Segmenter
        ? Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment)
        : Array.from(name);
}

/** The longest prefix of a name that fits, without splitting a character. */
export function fitName(name) {
    let fit = '';
    for (const segment of charactersOf(name)) {
        if (Array.from(fit + segment).length > NAME_CHARACTERS_MAX) {
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

/** The harbours of the game, as harboursOf has them. */
export function harboursOfWish({ playerCount, colours }) {
    return colours.slice(0, playerCount * harboursEach(playerCount));
}

/** With another number of players, each one keeps the first colour, if anybody has chosen colours. */
export function withPlayerCount(wish, playerCount) {
    if (String(wish.colours) === String(HARBOURS)) {
        return { ...wish, playerCount };
    }
    const firstOf = (seat, count) => seat * harboursEach(count);
    const seats = Array.from({ length: Math.min(playerCount, wish.playerCount) }, (_, seat) => seat);
    const kept = seats.map((seat) => wish.colours[firstOf(seat, wish.playerCount)]);
    const others = wish.colours.filter((colour) => !kept.includes(colour));
    const colours = wish.colours.map((_, place) => {
        const seat = seats.find((each) => firstOf(each, playerCount) === place);
        return seat === undefined ? others.shift() : kept[seat];
    });
    return { ...wish, playerCount, colours };
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
    if (wish.teams && wish.playerCount === 4 && isUneven) {
        return 'teamsDiffer';
    }
    return wish.names.some((_, seat) => isRepeated(wish, seat)) ? 'namesRepeat' : null;
}

/** Sentences, voice and logbook tell players apart by their names. */
export function isRepeated({ names, playerCount }, seat) {
    const playing = names.slice(0, playerCount).map((name) => name.trim());
    const name = playing[seat] ?? '';
    return name !== '' && playing.indexOf(name) !== playing.lastIndexOf(name);
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
