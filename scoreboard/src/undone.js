/** The events that were undone, and what an undo would take back. */

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

const NAME = '[a-z]+(?:-[a-z0-9]+)?';
const PIECE = `(${NAME})`;
const PIECES = `((?:${NAME}, )*${NAME} and ${NAME})`;

/** The sentences of the table about what an undo takes back, and their parts. */
const SENTENCES = [
    ['aimed', `^(.+) aimed from ${PIECE}\\.$`, ['player', 'piece']],
    ['fired', '^(.+) fired\\.$', ['player']],
    ['raised', `^${PIECE} was stood up\\.$`, ['piece']],
    ['rolled', '^(.+) rolled a (\\d+)\\.$', ['player', 'value']],
    ['chose', `^(.+) chose ${PIECE}\\.$`, ['player', 'piece']],
    ['moved', `^(.+) moved ${PIECE} by .*$`, ['player', 'piece']],
    ['windMoved', '^(.+) moved the wind\\.$', ['player']],
    ['attacked', `^${PIECE} attacked ${PIECE}\\.$`, ['attacker', 'target']],
    ['fought', `^${PIECE} against ${PIECE}: (flag|swords)\\.$`, ['attacker', 'target', 'face']],
    ['foughtFlat', `^${PIECE} against ${PIECE}, without a roll\\.$`, ['attacker', 'target']],
    ['ended', '^(.+) ended the ([\\w ]+) step\\.$', ['player', 'phase']],
    ['chest', `^${PIECE} took the chest\\.$`, ['piece']],
    ['loaded', `^${PIECE} loaded a barrel at .*$`, ['piece']],
    ['delivered', `^${PIECE} delivered a barrel at .*$`, ['piece']],
    ['caught', `^${PIECE} caught the wind\\.$`, ['piece']],
    ['entangled', `^${PIECE} was entangled by the kraken\\.$`, ['piece']],
    ['fell', `^${PIECE} fell\\.$`, ['piece']],
    ['fellMany', `^${PIECES} fell\\.$`, ['pieces']],
].map(([key, pattern, names]) => [key, new RegExp(pattern, 's'), names]);

/** {key, values} of a sentence of the table, so that it can be said in another language; or null. */
export function readUndone(message) {
    for (const [key, pattern, names] of SENTENCES) {
        const found = pattern.exec(message);
        if (found) {
            return {
                key,
                values: Object.fromEntries(names.map((name, i) => [name, found[i + 1]])),
            };
        }
    }
    return null;
}
