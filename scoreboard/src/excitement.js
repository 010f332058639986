/**
 * How exciting a game is, so that the list of tables shows the best ones first. Games that are being
 * played come first, then those that are over, then all others. Among those that are being played,
 * a close score counts, then few pieces in play, then a shot that is about to be fired.
 */

const PLAYING = 1000;
const OVER = 100;
const ONLINE = 10;

/** What these add, at most; a gap or a piece more takes a step away. */
const CLOSE = 400;
const NEAR_END = 200;
const STEP = 20;
const SHOT = 10;

/** The gap between the first two, in points. */
function gapOf(points) {
    const [best, next] = [...points].sort((one, other) => other - one);
    return next === undefined ? 0 : best - next;
}

/** Many points make a gap of one less exciting than none, but it stays a close game. */
function closeness(points) {
    return Math.max(CLOSE - STEP * gapOf(points), 0);
}

/** `table` as in model.js. */
export function excitementOfTable({ online, score }) {
    const phase = score?.phase ?? 'lobby';
    if (online !== true || phase === 'lobby') {
        return online === true ? ONLINE : 0;
    }
    if (phase === 'over') {
        return OVER;
    }
    const { scores } = score;
    const pieces = scores.filter(({ out }) => !out).map(({ ships = 0, towers = 0 }) => ships + towers);
    const fewest = pieces.length > 0 ? Math.min(...pieces) : 0;
    return (
        PLAYING +
        closeness(scores.map((player) => player.score)) +
        Math.max(NEAR_END - STEP * fewest, 0) +
        (phase === 'shooting' ? SHOT : 0)
    );
}

/** `sheet` as in sheets/state.js; a secret score says nothing. */
export function excitementOfSheet({ phase, players }) {
    if (phase === 'over') {
        return OVER;
    }
    const points = players.map(({ score }) => score);
    const isKnown = points.every((score) => score !== null);
    return PLAYING + (isKnown ? closeness(points) : 0) + (phase === 'final' ? NEAR_END : 0);
}

/** The most exciting first; equal ones in the order in which they are. */
export function mostExcitingFirst(list, excitementOf) {
    return [...list].sort((one, other) => excitementOf(other) - excitementOf(one));
}
