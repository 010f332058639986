/** The table as the page knows it: what is heard, dropped, and asked for. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { MissingEvents } from '../../scoreboard/src/missing_events.js';
import { emptyTable, receive, receiveHistory, missingFrom, tableNamed } from '../../scoreboard/src/model.js';
import { readPayload } from '../../scoreboard/src/payload.js';
import { liveEvents } from '../../scoreboard/src/undone.js';

function event(seq, fields = {}) {
    return { game: 'g', seq, event_type: 'turn-started', ...fields };
}

function receiveAll(table, ...messages) {
    return messages.reduce((now, [topic, value]) => receive(now, topic, JSON.stringify(value)), table);
}

function seqs(table) {
    return table.log.events.map(({ seq }) => seq);
}

function stateWith(fields) {
    const nothing = { die: null, shooter: null, selected: null, player: null };
    return {
        game: 'g',
        seq: 0,
        phase: 'lobby',
        turn: 0,
        rules: null,
        scenario: null,
        left: 0,
        shot: 'none',
        players: [],
        pieces: {},
        combats: [],
        winners: [],
        ...nothing,
        ...fields,
    };
}

const anna = {
    id: 1,
    name: 'Anna',
    harbours: ['red'],
    team: null,
    score: 0,
    ships: 3,
    towers: 1,
    out: false,
    trophies: [],
};

const begun = receiveAll(emptyTable('den'), ['state', stateWith({})]);

describe('the model', () => {
    test('keeps events in order and drops what it has seen', () => {
        const table = receiveAll(
            begun,
            ['event/x', event(1)],
            ['event/x', event(2)],
            ['event/x', event(1)],
        );
        assert.deepEqual(seqs(table), [1, 2]);
        assert.equal(missingFrom(table), null);
    });

    test('notices a gap, parks what came too early, and is whole after the history', () => {
        const gap = receiveAll(
            begun,
            ['event/x', event(1)],
            ['event/x', event(4)],
            ['event/x', event(3)],
        );
        assert.deepEqual(seqs(gap), [1]);
        assert.equal(missingFrom(gap), 2);
        const filled = receiveHistory(gap, { events: [event(2), event(3)] });
        assert.deepEqual(seqs(filled), [1, 2, 3, 4]);
        assert.equal(missingFrom(filled), null);
    });

    test('asks for everything when it joins a game that runs', () => {
        const table = receiveAll(emptyTable('den'), ['state', stateWith({ seq: 41 })]);
        assert.equal(missingFrom(table), 1);
    });

    test('begins anew with a new game, and ignores echoes of an old one', () => {
        const old = receiveAll(begun, ['event/x', event(1)], ['event/x', event(2)]);
        const next = receiveAll(old, ['event/x', event(1, { game: 'h' })]);
        assert.deepEqual([next.log.game, seqs(next)], ['h', [1]]);
        const echoed = receiveAll(next, ['event/x', event(2)]);
        assert.deepEqual([echoed.log.game, seqs(echoed)], ['h', [1]]);
        const state = receiveAll(old, ['state', stateWith({ game: 'i', seq: 7 })]);
        assert.deepEqual([state.log.game, seqs(state), missingFrom(state)], ['i', [], 1]);
    });

    test('is not shaken by what is no JSON or no object', () => {
        for (const payload of ['', '{', 'null', '3', '"x"', '[1']) {
            for (const topic of [
                'state',
                'score',
                'info',
                'rope',
                'event/x',
                'sensor/x',
                'unknown',
            ]) {
                const table = receive(begun, topic, payload);
                assert.deepEqual(table.state, begun.state);
                assert.deepEqual(seqs(table), []);
            }
        }
    });

    test('drops JSON that is no state, and takes one that is', () => {
        const three = (...harbours) => harbours.map((each, i) => ({ ...anna, id: i + 1, harbours: each }));
        const playing = { phase: 'moving', player: 1, players: three(['red'], ['blue'], ['green']) };
        const wrong = [
            { players: null },
            { players: [null] },
            { players: [{ ...anna, name: {} }] },
            { players: {} },
            { pieces: [] },
            { pieces: { 'red-1': null } },
            { pieces: { 'red-1': 'flat' } },
            { combats: [{ attacker: 'red-1', target: 'constructor' }] },
            { winners: [7] },
            { selected: '__proto__' },
            { phase: 'constructor' },
            { ...playing, player: 4 },
            { ...playing, players: [anna] },
            { ...playing, players: three(['red'], ['blue'], ['pink']) },
            { ...playing, players: three(['red', 'blue', 'green'], []) },
            { ...playing, players: three(['red', 'blue'], ['blue'], ['green']) },
            { ...playing, phase: ['moving'] },
            { seq: '3' },
            { seq: -1 },
            { seq: 1e300 },
            { game: 3 },
        ];
        for (const fields of wrong) {
            const table = receiveAll(begun, ['state', stateWith({ seq: 9, ...fields })]);
            assert.equal(table.state.seq, 0, JSON.stringify(fields));
        }
        assert.equal(receiveAll(begun, ['state', stateWith(playing)]).state.player, 1);
    });

    test('drops what is wrong in other payloads', () => {
        const wrong = [
            ['info', { storage: {}, faults: [] }],
            ['info', { storage: null, faults: 'x' }],
            ['score', { phase: 'moving', turn: 1, player: 1, scores: 'x' }],
            ['score', { phase: 'x', turn: 1, player: 1, scores: [] }],
            ['ready', { check: 'start', problems: {} }],
            ['ready', { check: 'start', problems: [{ sensor: 3 }] }],
            ['rope', { knots: '1', left: 1, piece: null, over: false }],
            ['event/x', event(1, { winners: 3 })],
            ['event/x', event(1, { pieces: 'red-1' })],
            ['event/x', event(0)],
            ['event/x', event(1, { event_type: null })],
            ['sensor/x', { value: 'on' }],
        ];
        for (const message of wrong) {
            assert.deepEqual(receiveAll(begun, message), begun, JSON.stringify(message));
        }
        assert.deepEqual(receiveHistory(begun, { events: [null, 3, { seq: 1 }] }), begun);
    });

    test('forgets a sensor with an empty message', () => {
        const table = receiveAll(begun, ['sensor/red-1/tilt', { value: 1 }], ['sensor/x', { value: 1 }]);
        const after = receive(table, 'sensor/red-1/tilt', '');
        assert.deepEqual(Object.keys(after.sensors), ['x']);
        assert.equal(receive(after, 'sensor/red-1/tilt', ''), after);
    });

    test('keeps no more than a table can have sent', () => {
        let table = begun;
        for (let i = 2; i < 3000; i++) {
            table = receiveAll(table, ['event/x', event(i)]);
        }
        for (let i = 0; i < 1000; i++) {
            table = receiveAll(table, [`sensor/s-${i}`, { value: 1 }]);
        }
        assert.equal(table.log.parked.length, 1024);
        assert.equal(Object.keys(table.sensors).length, 256);
        assert.equal(seqs(receiveAll(table, ['event/x', event(1)])).length, 1025);
        const huge = JSON.stringify(stateWith({ seq: 9, more: 'x'.repeat(600000) }));
        assert.equal(receive(begun, 'state', huge), begun);
    });

    test('takes no table and no payload from a prototype', () => {
        for (const name of ['constructor', '__proto__', 'toString']) {
            assert.equal(tableNamed({}, name), null);
            assert.equal(receive(begun, name, '{}'), begun);
        }
        const payload = '{"__proto__":{"storage":null,"faults":[]}}';
        assert.equal(receive(begun, 'info', payload).info, null);
        assert.equal({}.storage, undefined);
    });

    test('knows whether the controller is there', () => {
        assert.equal(begun.online, null);
        assert.equal(receive(begun, 'status', 'online').online, true);
        assert.equal(receive(begun, 'status', 'offline').online, false);
    });
});

test('events that were taken back are not live', () => {
    const events = [event(1), event(2), event(3, { event_type: 'undone', from: 2, to: 2 })];
    assert.deepEqual(
        liveEvents(events).map(({ seq }) => seq),
        [1, 3],
    );
});

describe('a reply', () => {
    test('is an object with an id, and anything else is dropped', () => {
        for (const text of ['', '{', 'null', '[]', '3', '{"ok":true}', '{"id":{},"ok":true}']) {
            assert.equal(readPayload('reply', text), null, text);
        }
        const reply = { id: 'a', ok: false, error: 'no-game' };
        assert.deepEqual(readPayload('reply', JSON.stringify(reply)), reply);
    });
});

test('every message of the daemon is read', () => {
    const kinds = ['info', 'choices', 'score', 'ready', 'rope', 'sensor', 'state', 'event', 'reply'];
    const file = new URL('../wire/messages.txt', import.meta.url);
    const messages = readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.split('\t'))
        .map(([topic, payload]) => [topic.split('/')[0], payload])
        .filter(([kind]) => kinds.includes(kind));
    assert.deepEqual(new Set(messages.map(([kind]) => kind)), new Set(kinds));
    for (const [kind, payload] of messages) {
        assert.ok(readPayload(kind, payload), payload);
    }
});

describe('missing events', () => {
    const behind = receiveAll(begun, ['state', stateWith({ seq: 2 })]);

    function queriesOf(tables, reply = { ok: true, events: [] }) {
        const said = { asked: [], replies: [], timers: [] };
        said.missing = new MissingEvents({
            tableOf: (name) => tableNamed(tables, name),
            ask: async (name, from) => {
                said.asked.push([name, from]);
                return reply;
            },
            onReply: (name) => said.replies.push(name),
            later: (call) => said.timers.push(call),
        });
        return said;
    }

    test('asks once at a time for what is missing', async () => {
        const said = queriesOf({ den: behind, whole: begun });
        ['den', 'den', 'whole', 'unknown'].forEach((name) => said.missing.query(name));
        assert.equal(said.timers.length, 1);
        await said.timers[0]();
        assert.deepEqual([said.asked, said.replies], [[['den', 1]], ['den']]);
        said.missing.query('den');
        assert.equal(said.timers.length, 2);
    });

    test('asks again by itself when there was no answer, but not what it may not ask', async () => {
        const silent = queriesOf({ den: behind }, { ok: false, error: 'no-answer' });
        silent.missing.query('den');
        for (let i = 0; i < 3; i++) {
            await silent.timers[i]();
        }
        assert.deepEqual(silent.asked, Array(2).fill(['den', 1]));
        const forbidden = queriesOf({ den: behind }, { ok: false, error: 'not-allowed' });
        forbidden.missing.query('den');
        await forbidden.timers[0]();
        assert.equal(forbidden.timers.length, 1);
    });

    test('asks again after a logout, and not for whoever was there before', async () => {
        const tables = { den: behind };
        const said = queriesOf(tables);
        said.missing.query('den');
        said.missing.forget();
        said.missing.query('den');
        assert.equal(said.timers.length, 2);
        await said.timers[0]();
        assert.deepEqual(said.asked, []);
        await said.timers[1]();
        assert.deepEqual([said.asked, said.replies], [[['den', 1]], ['den']]);
    });
});
