/** The events that were undone. */

/** The seqs of all undone events. */
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
