/** The sensors of a table as a person pairs them: where each one reports, and which is next. */
import { HARBOURS, isShip, isTower, piecesOf } from './words.js';

const PIECES = HARBOURS.flatMap(piecesOf);

/** The sensors that every table has a place for, by group; ships are first to be paired. */
const GROUPS = {
    ships: PIECES.filter(isShip).map((piece) => `${piece}.tilt`),
    towers: PIECES.filter(isTower).flatMap((piece) => [`${piece}.tilt`, `${piece}.beam`]),
    cannon: ['cannon.beam', 'cannon.beam2'],
    rope: ['rope.a', 'rope.b', 'rope.button'],
};

/** [group, names of its sensors]; the last group has what else is known to report. */
export function sensorGroups({ sensors }) {
    const places = Object.values(GROUPS).flat();
    const others = Object.keys(sensors)
        .filter((name) => !places.includes(name) && hasSource(sensors[name].source))
        .sort();
    return [...Object.entries(GROUPS), ['others', others]].filter(([, names]) => names.length > 0);
}

/** gpio, mqtt, node, sim or none. A sensor that has never reported has no topic. */
export function sourceOf({ sensors, info }, name) {
    return sensors[name]?.source ?? (info?.backend === 'sim' ? 'sim' : 'none');
}

function hasSource(source) {
    return source === 'gpio' || isRadio({ source });
}

/** Whether it has seen something and works, so that nobody needs to enter what it sees. */
export function hasReported(sensor) {
    return sensor?.health === 'ok' && sensor.edges > 0;
}

export function isRadio(sensor) {
    return ['mqtt', 'node'].includes(sensor?.source);
}

/** The encoder has two lines that always move together, so moving it cannot tell them apart. */
export function canBePaired(name) {
    return !['rope.a', 'rope.b'].includes(name);
}

/** How it is moved: tilt, beam, dock or button. */
export function kindOf(name) {
    const part = name.split('.').at(-1);
    return { tilt: 'tilt', beam: 'beam', beam2: 'beam', dock: 'dock' }[part] ?? 'button';
}

/** The next ship without a sensor, from this one on and around; or null. */
export function nextShip(table, after = null) {
    const { ships } = GROUPS;
    const start = ships.indexOf(after) + 1;
    const order = [...ships.slice(start), ...ships.slice(0, start)];
    return order.find((name) => name !== after && !hasSource(sourceOf(table, name))) ?? null;
}

/** How many ships have a sensor, and how many there are. */
export function shipsPaired(table) {
    const { ships } = GROUPS;
    return [ships.filter((name) => hasSource(sourceOf(table, name))).length, ships.length];
}

/** Whether a fall in this game may be reported late, because the sensor of a piece is a radio. */
export function mayBeLate({ state, sensors }) {
    return Object.entries(state.pieces).some(
        ([name, { status }]) =>
            ['standing', 'flat'].includes(status) && isRadio(sensors[`${name}.tilt`]),
    );
}

/** All pieces whose sensor reports that they lie on their side, also those out of play. */
export function lyingPieces({ sensors }) {
    return Object.keys(sensors)
        .filter((sensor) => sensor.endsWith('.tilt') && sensors[sensor].value === 1)
        .map((sensor) => sensor.replace('.tilt', ''));
}

export function isLying({ sensors }, name) {
    return sensors[`${name}.tilt`]?.value === 1;
}
