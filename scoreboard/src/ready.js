/** What still speaks against starting a game, as far as the table's sensors can tell. */
import { guestOf, harboursFor, piecesOf } from './words.js';

/**
 * A list of {kind, ...}: offline, storage, fault (sensor), lying (piece), beam. Empty: ready.
 * `wish` is what will be played: {playerCount, scenario}.
 */
export function whatIsMissing(table, { playerCount, scenario }) {
    const guest = guestOf(scenario);
    const pieces = harboursFor(playerCount)
        .flatMap(piecesOf)
        .concat(guest ?? []);
    const isActive = (sensor) => table.sensors[sensor]?.value === 1;
    return [
        ...(table.online ? [] : [{ kind: 'offline' }]),
        ...(table.info?.storage ? [{ kind: 'storage', message: table.info.storage }] : []),
        ...(table.info?.faults ?? []).map((sensor) => ({ kind: 'fault', sensor })),
        ...pieces
            .filter((piece) => isActive(`${piece}.tilt`))
            .map((piece) => ({ kind: 'lying', piece })),
        ...(isActive('cannon.beam') ? [{ kind: 'beam' }] : []),
    ];
}
