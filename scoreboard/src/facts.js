/** What the events of a game tell beyond its state. */

/** Worth telling, but nothing that `undo` could take back. */
const NOTES = ['undone', 'sensor-fault', 'sensor-ok', 'rope-over'];

/** The start of a game: game-started, turn-started, phase-started. */
const START_EVENTS = 3;

/** The seqs of all events that were taken back. */
export function undoneSeqs(events) {
    const undone = new Set();
    for (const { event_type: type, from, to } of events) {
        for (let seq = from; type === 'undone' && seq <= to; seq++) {
            undone.add(seq);
        }
    }
    return undone;
}

export function liveEvents(events) {
    const undone = undoneSeqs(events);
    return events.filter((event) => !undone.has(event.seq));
}

/**
 * undoable: there is something to take back; guestMoved: the guest may attack this turn (PS2);
 * extraKnots: by ship, of the wind (HW1); monsterDown: it was not seen upright since (SM3).
 */
export function factsOf(events) {
    const live = liveEvents(events);
    const turn = live.slice(live.findLastIndex((event) => event.event_type === 'turn-started'));
    return {
        undoable: live.some(
            (event) => event.seq > START_EVENTS && !NOTES.includes(event.event_type),
        ),
        guestMoved: turn.some(isGuestMove),
        extraKnots: extraKnots(turn),
        monsterDown: isMonsterDown(live),
    };
}

function isGuestMove({ event_type: type, piece }) {
    return type === 'piece-moved' && ['pirate', 'monster', 'kraken'].includes(piece);
}

/** Knots of the ship's own are used up before points are. */
function extraKnots(turn) {
    const extra = {};
    let points = 0;
    for (const event of turn) {
        if (event.event_type === 'move-rolled') {
            points = event.value;
        } else if (event.event_type === 'wind-moved') {
            points = event.left;
        } else if (event.event_type === 'wind-caught') {
            extra[event.piece] = event.left - points;
        } else if (event.event_type === 'piece-moved') {
            const own = Math.min(event.cost, extra[event.piece] ?? 0);
            extra[event.piece] = (extra[event.piece] ?? 0) - own;
            points -= event.cost - own;
        }
    }
    return extra;
}

function isMonsterDown(live) {
    const last = live.findLast(
        ({ event_type: type, piece }) =>
            type === 'monster-wounded' || (type === 'piece-restored' && piece === 'monster'),
    );
    return last?.event_type === 'monster-wounded';
}
