/** The table as the page knows it: what is heard, dropped, and asked for. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { factsOf, liveEvents } from '../../scoreboard/src/facts.js';
import { emptyTable, hear, hearHistory, missingFrom } from '../../scoreboard/src/model.js';

function event(seq, fields = {}) {
    return { game: 'g', seq, event_type: 'turn-started', ...fields };
}

function hearAll(table, ...messages) {
    return messages.reduce((now, [topic, value]) => hear(now, topic, JSON.stringify(value)), table);
}

function seqs(table) {
    return table.log.events.map(({ seq }) => seq);
}

const begun = hearAll(emptyTable('den'), ['state', { game: 'g', seq: 0, phase: 'lobby' }]);

describe('the model', () => {
    test('keeps events in order and drops what it has seen', () => {
        const table = hearAll(
            begun,
            ['event/x', event(1)],
            ['event/x', event(2)],
            ['event/x', event(1)],
        );
        assert.deepEqual(seqs(table), [1, 2]);
        assert.equal(missingFrom(table), null);
    });

    test('notices a gap, parks what came too early, and is whole after the history', () => {
        const gap = hearAll(
            begun,
            ['event/x', event(1)],
            ['event/x', event(4)],
            ['event/x', event(3)],
        );
        assert.deepEqual(seqs(gap), [1]);
        assert.equal(missingFrom(gap), 2);
        const healed = hearHistory(gap, { events: [event(2), event(3)] });
        assert.deepEqual(seqs(healed), [1, 2, 3, 4]);
        assert.equal(missingFrom(healed), null);
    });

    test('asks for everything when it joins a game that runs', () => {
        const table = hearAll(emptyTable('den'), ['state', { game: 'g', seq: 41 }]);
        assert.equal(missingFrom(table), 1);
    });

    test('begins anew with a new game, and ignores echoes of an old one', () => {
        const old = hearAll(begun, ['event/x', event(1)], ['event/x', event(2)]);
        const next = hearAll(old, ['event/x', event(1, { game: 'h' })]);
        assert.deepEqual([next.log.game, seqs(next)], ['h', [1]]);
        const echoed = hearAll(next, ['event/x', event(2)]);
        assert.deepEqual([echoed.log.game, seqs(echoed)], ['h', [1]]);
        const state = hearAll(old, ['state', { game: 'i', seq: 7 }]);
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
                const table = hear(begun, topic, payload);
                assert.deepEqual(table.state, begun.state);
                assert.deepEqual(seqs(table), []);
            }
        }
    });

    test('knows whether the controller is there', () => {
        assert.equal(begun.online, null);
        assert.equal(hear(begun, 'status', 'online').online, true);
        assert.equal(hear(begun, 'status', 'offline').online, false);
    });
});

describe('the facts of a game', () => {
    const start = [
        event(1, { event_type: 'game-started' }),
        event(2),
        event(3, { event_type: 'phase-started' }),
    ];
    const then = (...events) =>
        factsOf([...start, ...events.map((fields, i) => event(i + 4, fields))]);

    test('say that the start cannot be undone, nor notes, nor what was undone', () => {
        assert.equal(then().undoable, false);
        assert.equal(
            then({ event_type: 'rope-over' }, { event_type: 'sensor-fault' }).undoable,
            false,
        );
        assert.equal(then({ event_type: 'aimed' }).undoable, true);
        const undone = { event_type: 'undone', from: 4, to: 4 };
        assert.equal(then({ event_type: 'aimed' }, undone).undoable, false);
    });

    test('hide events that were taken back', () => {
        const events = [event(1), event(2), event(3, { event_type: 'undone', from: 2, to: 2 })];
        assert.deepEqual(
            liveEvents(events).map(({ seq }) => seq),
            [1, 3],
        );
    });

    test('know the guest was moved in this turn, not in the one before (PS2)', () => {
        const move = { event_type: 'piece-moved', piece: 'pirate', cost: 1 };
        assert.equal(then(move).guestMoved, true);
        assert.equal(then(move, { event_type: 'turn-started' }).guestMoved, false);
    });

    test('count the knots that the wind gave (HW1)', () => {
        const roll = { event_type: 'move-rolled', value: 2 };
        const caught = { event_type: 'wind-caught', piece: 'red-1', left: 3 };
        const move = { event_type: 'piece-moved', piece: 'red-1', cost: 2 };
        assert.equal(then(roll, caught).extraKnots['red-1'], 1);
        assert.equal(then(roll, caught, move).extraKnots['red-1'], 0);
        assert.equal(then({ ...caught, left: 1 }, roll).extraKnots['red-1'], 1);
    });

    test('know whether the monster was seen upright again (SM3)', () => {
        const wound = { event_type: 'monster-wounded' };
        assert.equal(then(wound).monsterDown, true);
        assert.equal(
            then(wound, { event_type: 'piece-restored', piece: 'monster' }).monsterDown,
            false,
        );
    });
});
