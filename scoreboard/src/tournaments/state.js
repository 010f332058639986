/**
 * The state of a tournament as the logbook publishes it on tournament/ID. What it does not conform
 * to is ignored. The page computes no pairing and no standing: all of them are in the state.
 */
import { isCount, isNumber, isText, isTruth, listOf, optional, orNull, shaped } from '../payload.js';

const SIZE_MAX = 256 * 1024;

/** More than a logbook shows. */
const TOURNAMENTS_MAX = 32;

const PHASES = ['before', 'playing', 'over'];
export const SYSTEMS = ['swiss', 'round-robin', 'elimination'];

const isResult = shaped({
    by: isText,
    places: listOf(isCount),
    scores: listOf(isNumber),
    points: listOf(isNumber),
    game: orNull(isText),
});

const isShapedTournament = shaped({
    tournament: isText,
    name: isText,
    seq: isCount,
    system: (value) => SYSTEMS.includes(value),
    group: isCount,
    teams: isTruth,
    phase: (value) => PHASES.includes(value),
    round: isCount,
    rounds: orNull(isCount),
    can_pair: isTruth,
    tables: listOf(isText),
    players: listOf(shaped({ id: isCount, name: isText, lot: isCount, withdrawn: isTruth })),
    pairings: listOf(
        shaped({
            id: isCount,
            round: isCount,
            players: listOf(isCount),
            table: orNull(isText),
            playing: optional(isTruth), // an older logbook does not know
            result: orNull(isResult),
        }),
    ),
    standings: listOf(
        shaped({
            player: isCount,
            place: isCount,
            played: isCount,
            points: isNumber,
            opponents: isNumber,
            direct: isNumber,
            scores: isNumber,
            behind: orNull(isText),
        }),
    ),
    tie_breaks: listOf(isText),
    undo: orNull(shaped({ verb: isText, player: optional(isCount) })),
});

/** The views look up players by these ids, so they must exist. */
function isTournament(state) {
    if (!isShapedTournament(state)) {
        return false;
    }
    const isKnown = (id) => state.players.some((player) => player.id === id);
    const fits = ({ players, result }) =>
        players.every(isKnown) && (result === null || result.places.length === players.length);
    const undone = state.undo?.player ?? null;
    return (
        state.pairings.every(fits) &&
        state.standings.every(({ player }) => isKnown(player)) &&
        (undone === null || isKnown(undone))
    );
}

/** The tournaments after a message on tournament/ID: an empty one removes it. */
export function withTournament(tournaments, id, payload) {
    const { [id]: before, ...others } = tournaments;
    const isFull = before === undefined && Object.keys(others).length >= TOURNAMENTS_MAX;
    if (payload === '' || isFull) {
        return others;
    }
    const state = readTournament(payload);
    return state?.tournament === id ? { ...others, [id]: state } : tournaments;
}

function readTournament(payload) {
    try {
        const value = payload.length <= SIZE_MAX ? JSON.parse(payload) : null;
        return isTournament(value) ? value : null;
    } catch {
        return null;
    }
}

export function nameIn(tournament, id) {
    return tournament.players.find((player) => player.id === id).name;
}

export function pairingsOf(tournament, round) {
    return tournament.pairings.filter((pairing) => pairing.round === round);
}

/** A reply with its sentence in the language of the texts; the logbook writes it in English. */
export function translateRefusal(texts, reply) {
    return { ...reply, message: texts.words.tournaments.refusals[reply.error] ?? reply.message };
}

/** The lines of a list of players; "Anna & Ben" is a team. */
export function readPlayers(text) {
    return text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
        .map((line) => {
            const members = line.split(/\s*&\s*/);
            return members.length > 1 ? members : line;
        });
}
