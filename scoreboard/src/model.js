/**
 * One table as the page knows it: a plain value, and pure functions that hear a message and give
 * back the next value.
 *
 * The retained state is the truth about the board. Events come apart from it; they are kept in one
 * log without gaps from seq 1, so that what was seen before is dropped and what is missing can be
 * asked for with `history`.
 */
import { isEvent, readPayload } from './payload.js';
import { sensorName } from './words.js';

/** Far more than a table has; what is beyond was not sent by one. */
const SENSORS_MAX = 256;
const PARKED_MAX = 1024;

export function emptyTable(name) {
    return {
        name,
        online: null, // not known yet
        info: null,
        state: null,
        choices: null, // of this state, or already of the next one
        choicesBefore: null,
        score: null,
        ready: null,
        rope: null,
        sensors: {},
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
    rope: (table, payload) => ({ ...table, rope: readPayload('rope', payload) ?? table.rope }),
    choices: (table, payload) => hearChoices(table, readPayload('choices', payload)),
    state: (table, payload) => hearState(table, readPayload('state', payload)),
    event: (table, payload) => hearEvent(table, readPayload('event', payload)),
    sensor: (table, payload, path) =>
        hearSensor(table, sensorName(path), readPayload('sensor', payload)),
};

/** The table of this name, or null. */
export function tableNamed(tables, name) {
    return Object.hasOwn(tables, name) ? tables[name] : null;
}

/** The table after a message on PREFIX/TABLE/`topic`; the same object if it said nothing new. */
export function hear(table, topic, payload) {
    const [kind, ...rest] = topic.split('/');
    const listener = Object.hasOwn(listeners, kind) ? listeners[kind] : null;
    return listener ? listener(table, payload, rest.join('/')) : table;
}

/** The table after the answer to `history`. */
export function hearHistory(table, reply) {
    return (reply.events ?? []).reduce(hearEvent, table);
}

/** The seq from which history is to be asked for, or null when nothing is missing. */
export function missingFrom({ state, log }) {
    const known = log.events.length;
    const isBehind = state !== null && state.game === log.game && state.seq > known;
    return log.game !== null && (log.parked.length > 0 || isBehind) ? known + 1 : null;
}

function hearState(table, state) {
    if (state === null) {
        return table;
    }
    const log = state.game === table.log.game ? table.log : emptyLog(state.game);
    return { ...table, state, log };
}

/** They come just before their state, and those before them are shown until it is there. */
function hearChoices(table, choices) {
    return choices === null ? table : { ...table, choices, choicesBefore: table.choices };
}

function hearSensor(table, name, sensor) {
    const isTooMany =
        !Object.hasOwn(table.sensors, name) && Object.keys(table.sensors).length >= SENSORS_MAX;
    return sensor === null || isTooMany ? table : { ...table, sensors: { ...table.sensors, [name]: sensor } };
}

function hearEvent(table, event) {
    if (!isEvent(event)) {
        return table;
    }
    if (event.game !== table.log.game) {
        // A game begins with seq 1; anything else from another game is an echo of an old one.
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
