/** What undo took back, read off the events of a game. */

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
