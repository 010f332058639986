/**
 * The logbook as the page uses it: queries, and replies that are checked before they are shown. Every
 * query resolves to its answer, or to {error, message}.
 */
import {
    isCount,
    isNumber,
    isObject,
    isRecord,
    isText,
    isTruth,
    listOf,
    mapOf,
    optional,
    orNull,
    shaped,
} from '../payload.js';
import { isSheetChoice } from '../sheets/state.js';
import { NO_RECORDING, withReply } from './recording.js';

/** A page of the list of games. */
const GAMES_SHOWN = 20;

/** A game has at most 4096 commands: more replies than this are not from a logbook. */
const REPLIES_MAX = 64;

/** Lists have 100 entries in a reply; the page shows no more than this of them. */
const LIST_REPLIES_MAX = 5;

const isGame = shaped({
    game: isText,
    table: orNull(isText), // null: a game with a score sheet
    sheet: optional(isText),
    began: isText,
    ended: orNull(isText),
    turns: isCount,
    scenario: orNull(isText),
    players: listOf(isText),
    points: listOf(orNull(isNumber)),
    winners: listOf(isText),
});

const isStatistics = shaped({
    player: isText,
    games: isCount,
    won: isCount,
    points: isNumber,
    shots: isCount,
    hits: isCount,
    hit_share: orNull(isNumber),
    fastest_mps: orNull(isNumber),
    captured: mapOf(isCount),
    combats_won: isCount,
    combats_lost: isCount,
    knots: isNumber,
    longest_hits: isCount,
    by_game: optional(mapOf(shaped({ games: isCount, won: isCount }))),
    won_by_scenario: mapOf(isCount),
    beat: mapOf(isCount),
});

const isMonth = shaped({
    month: (value) => isText(value) && /^\d{4}-\d{2}$/.test(value),
    games: isCount,
    won: isCount,
    shots: isCount,
    hits: isCount,
    fastest_mps: orNull(isNumber),
});

/** The answer of each verb is under its name. */
const checks = {
    games: listOf(isGame),
    game: isGame,
    players: listOf(shaped({ player: isText, games: isCount })),
    statistics: listOf(isStatistics),
    progress: listOf(isMonth),
    records: listOf(isRecord),
    badges: listOf(shaped({ player: isText, badges: listOf(isText) })),
    sheets: listOf(isSheetChoice),
};

export class Logbook {
    #ask;

    /** ask(verb, fields) resolves to the reply. */
    constructor(ask) {
        this.#ask = ask;
    }

    /** {games, more}: a page of the games, newest first, before that game. */
    games(filter, before) {
        return this.#query('games', { ...filter, before, limit: GAMES_SHOWN });
    }

    /** Calls onPart(game, recording) with more and more of a game; resolves to null at its end. */
    async read(id, onPart) {
        let recording = NO_RECORDING;
        for (let replies = 0; replies < REPLIES_MAX; replies++) {
            const from = recording.events.length + 1;
            const reply = await this.#query('game', { game: id, from });
            const next = reply.error ? null : withReply(recording, reply);
            const hasProgress = next?.events.length >= from;
            if (reply.error || !hasProgress) {
                return reply.error ? reply : UNREADABLE;
            }
            recording = next;
            onPart(reply.game, recording);
            if (!reply.more) {
                return null;
            }
        }
        return UNREADABLE;
    }

    /** {sheets}: the installed score sheets. */
    sheets() {
        return this.#query('sheets', {});
    }

    /** {players}: everyone who played. */
    players() {
        return this.#list('players', {}, 'player');
    }

    /** {statistics} of everyone. */
    statistics() {
        return this.#list('statistics', {}, 'player');
    }

    /** {progress}: the figures of a player, month by month. */
    progress(player) {
        return this.#list('progress', { player }, 'month');
    }

    /** {badges} of everyone. */
    badges() {
        return this.#list('badges', {}, 'player');
    }

    records() {
        return this.#query('records', {});
    }

    /** The entries of several replies; `key` is what the next query continues after. */
    async #list(verb, fields, key) {
        const entries = [];
        for (let replies = 0; replies < LIST_REPLIES_MAX; replies++) {
            const reply = await this.#query(verb, { ...fields, after: entries.at(-1)?.[key] });
            if (reply.error) {
                return reply;
            }
            entries.push(...reply[verb]);
            if (!reply.more) {
                break;
            }
        }
        return { [verb]: entries };
    }

    async #query(verb, fields) {
        const given = Object.entries(fields).filter(([, value]) => value);
        const reply = await this.#ask(verb, Object.fromEntries(given));
        if (!reply.ok) {
            return { error: String(reply.error), message: String(reply.message ?? '') };
        }
        const isComplete = verb !== 'game' || ['events', 'states'].every((key) => isList(reply[key]));
        return isComplete && isTruth(reply.more) && checks[verb](reply[verb]) ? reply : UNREADABLE;
    }
}

const UNREADABLE = { error: 'unreadable', message: '' };

const isList = (value) => Array.isArray(value) && value.every(isObject);
