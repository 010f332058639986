/**
 * One table as the page knows it: a plain value, and pure functions that take a message and return
 * the next value.
 *
 * The board is drawn from the retained state. Events arrive separately and are kept in a log
 * without gaps from seq 1: events that were seen before are dropped, and missing ones can be
 * queried with `history`.
 */
import { isEvent, readPayload } from './payload.js';
import { mergePositions } from './positions.js';
import { sensorName } from './words.js';

/** Far more than a table has; messages beyond this limit are not from a table. */
const SENSORS_MAX = 256;
const PARKED_MAX = 1024;

export function emptyTable(name) {
    return {
        name,
        online: null, // unknown
        info: null,
        state: null,
        choices: null, // of this state, or of the next one
        choicesBefore: null,
        score: null,
        ready: null,
        pairing: null, // the last progress of pairing a sensor
        rope: null,
        sensors: {},
        speaker: null, // the code of the device that plays the sounds
        told: null, // {game, seq} of the last shot of which people have entered everything
        form: null, // of the next game, as it is being entered
        positions: null, // of the pieces of the virtual table
        log: emptyLog(null),
    };
}

function emptyLog(game) {
    return { game, events: [], parked: [] };
}

const listeners = {
    status: (table, payload) => ({ ...table, online: payload === 'online' }),
    info: (table, payload) => ({ ...table, info: readPayload('info', payload) ?? table.info }),
    score: (table, payload) => ({ ...table, score: readPayload('score', payload) ?? table.score }),
    ready: (table, payload) => ({ ...table, ready: readPayload('ready', payload) ?? table.ready }),
    pairing: (table, payload) => ({
        ...table,
        pairing: readPayload('pairing', payload) ?? table.pairing,
    }),
    rope: (table, payload) => ({ ...table, rope: readPayload('rope', payload) ?? table.rope }),
    choices: (table, payload) => receiveChoices(table, readPayload('choices', payload)),
    state: (table, payload) => receiveState(table, readPayload('state', payload)),
    event: (table, payload) => receiveEvent(table, readPayload('event', payload)),
    sensor: (table, payload, path) =>
        payload === ''
            ? forgetSensor(table, sensorName(path))
            : receiveSensor(table, sensorName(path), readPayload('sensor', payload)),
    page: (table, payload, path) => receiveFromPage(table, path, payload),
};

/** The table of this name, or null. */
export function tableNamed(tables, name) {
    return Object.hasOwn(tables, name) ? tables[name] : null;
}

/** The table after a message on PREFIX/TABLE/`topic`; the same object if nothing has changed. */
export function receive(table, topic, payload) {
    const [kind, ...rest] = topic.split('/');
    const listener = Object.hasOwn(listeners, kind) ? listeners[kind] : null;
    return listener ? listener(table, payload, rest.join('/')) : table;
}

/** The table after the reply to `history`. */
export function receiveHistory(table, reply) {
    return (reply.events ?? []).reduce(receiveEvent, table);
}

/** The seq of the first missing event, or null. */
export function missingFrom({ state, log }) {
    const known = log.events.length;
    const isBehind = state !== null && state.game === log.game && state.seq > known;
    return log.game !== null && (log.parked.length > 0 || isBehind) ? known + 1 : null;
}

function receiveState(table, state) {
    if (state === null) {
        return table;
    }
    const log = state.game === table.log.game ? table.log : emptyLog(state.game);
    return { ...table, state, log };
}

/** Choices arrive before their state. The previous ones are used until that state is there. */
function receiveChoices(table, choices) {
    return choices === null ? table : { ...table, choices, choicesBefore: table.choices };
}

/** What pages publish for each other. */
function receiveFromPage(table, path, payload) {
    const readers = {
        speaker: ({ device }) => ({ speaker: device }),
        told: (each) => ({ told: each }),
        form: (each) => ({ form: each }),
        positions: (each) => ({ positions: mergePositions(table.positions, each) }),
    };
    const message = Object.hasOwn(readers, path) ? readPayload(path, payload) : null;
    return message === null ? table : { ...table, ...readers[path](message) };
}

function receiveSensor(table, name, sensor) {
    const isTooMany =
        !Object.hasOwn(table.sensors, name) && Object.keys(table.sensors).length >= SENSORS_MAX;
    return sensor === null || isTooMany
        ? table
        : { ...table, sensors: { ...table.sensors, [name]: sensor } };
}

/** An empty message: the sensor is not configured any more. */
function forgetSensor(table, name) {
    const { [name]: forgotten, ...sensors } = table.sensors;
    return forgotten === undefined ? table : { ...table, sensors };
}

function receiveEvent(table, event) {
    if (!isEvent(event)) {
        return table;
    }
    if (event.game !== table.log.game) {
        // A game starts with seq 1; other events of another game belong to an old game.
        return event.seq === 1 ? { ...table, log: add(emptyLog(event.game), event) } : table;
    }
    const log = add(table.log, event);
    return log === table.log ? table : { ...table, log };
}

function add(log, event) {
    const isKnown =
        event.seq <= log.events.length || log.parked.some((parked) => parked.seq === event.seq);
    const isNext = event.seq === log.events.length + 1;
    if (isKnown || (!isNext && log.parked.length >= PARKED_MAX)) {
        return log;
    }
    const events = [...log.events];
    const parked = [...log.parked, event].sort((a, b) => a.seq - b.seq);
    while (parked.length > 0 && parked[0].seq === events.length + 1) {
        events.push(parked.shift());
    }
    return { ...log, events, parked };
}
