/** Which events are news, which sounds and scenes belong to them, and what a device remembers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAddress, spectatorLink } from '../../scoreboard/src/address.js';
import { emptyTable, receive } from '../../scoreboard/src/model.js';
import { readPayload } from '../../scoreboard/src/payload.js';
import { deviceCode, readCode, readSettings, writeSettings } from '../../scoreboard/src/show/device.js';
import { News } from '../../scoreboard/src/show/news.js';
import { sceneOf, withScene } from '../../scoreboard/src/show/scenes.js';
import { Soundtrack } from '../../scoreboard/src/show/soundtrack.js';

const event = (seq, event_type, more = {}) => ({
    game: 'g',
    seq,
    at: `2026-01-01T00:00:${String(seq).padStart(2, '0')}.000Z`,
    event_type,
    player: 1,
    ...more,
});

describe('news', () => {
    const listening = (seq = 3) => {
        const news = new News();
        news.receiveState({ game: 'g', seq });
        return news;
    };

    test('are the events after the first state', () => {
        const news = new News();
        assert.equal(news.receiveEvent(event(1, 'game-started')), false);
        news.receiveState({ game: 'g', seq: 3 });
        assert.equal(news.receiveEvent(event(3, 'shot-fired')), false);
        assert.equal(news.receiveEvent(event(4, 'shot-fired')), true);
    });

    test('are no events that come again, or that a state contains already', () => {
        const news = listening();
        assert.equal(news.receiveEvent(event(4, 'shot-fired')), true);
        assert.equal(news.receiveEvent(event(4, 'shot-fired')), false);
        news.receiveState({ game: 'g', seq: 9 });
        assert.equal(news.receiveEvent(event(8, 'shot-fired')), false);
        assert.equal(news.receiveEvent(event(10, 'shot-fired')), true);
    });

    test('begin anew with the next game, and not with the last one that comes again', () => {
        const news = listening();
        news.receiveEvent(event(4, 'game-over'));
        const next = { game: 'h', at: '2026-01-01T01:00:00.000Z' };
        assert.equal(news.receiveEvent(event(1, 'game-started', next)), true);
        assert.equal(news.receiveEvent(event(1, 'game-started')), false);
        assert.equal(news.receiveEvent(event(4, 'game-over')), false);
        assert.equal(news.receiveEvent(event(2, 'turn-started', next)), true);
    });

    test('wait for their state', () => {
        const news = listening();
        news.receiveEvent(event(4, 'piece-toppled'));
        news.receiveEvent(event(5, 'piece-captured'));
        news.receiveEvent(event(6, 'shot-over'));
        const seqs = (state) => news.receiveState(state).map(({ seq }) => seq);
        assert.deepEqual(seqs({ game: 'g', seq: 5 }), [4, 5]);
        assert.deepEqual(seqs({ game: 'g', seq: 6 }), [6]);
        assert.deepEqual(seqs({ game: 'g', seq: 6 }), []);
    });
});

describe('the sound', () => {
    const sounds = (...events) => {
        const soundtrack = new Soundtrack();
        return events.map(([type, piece]) => soundtrack.next({ event_type: type, piece }));
    };

    test('of a shot is the cannon, and then a splash or a hit', () => {
        assert.deepEqual(sounds(['shot-fired'], ['shot-over']), ['cannon', 'splash']);
        assert.deepEqual(sounds(['shot-fired'], ['piece-toppled', 'red-1'], ['shot-over']), [
            'cannon',
            'hit',
            null,
        ]);
    });

    test('of a hit is heard once if the beam of the piece detects the ball too', () => {
        const fallen = [['shot-hit', 'red-1'], ['piece-toppled', 'red-1'], ['piece-toppled', 'red-2']];
        assert.deepEqual(sounds(['shot-fired'], ...fallen), ['cannon', 'hit', null, 'hit']);
    });

    test('of every other event is its own, or none', () => {
        const expected = {
            'piece-captured': 'capture',
            'move-rolled': 'dice',
            'combat-started': 'swords',
            'combat-rolled': 'swords',
            'wind-caught': 'wind',
            'ship-entangled': 'kraken',
            'game-over': 'victory',
            'turn-started': null,
            toString: null,
        };
        for (const [type, sound] of Object.entries(expected)) {
            assert.deepEqual(sounds([type]), [sound], type);
        }
    });
});

describe('scenes', () => {
    const state = { pieces: { 'red-1': {}, 'red-2': {} }, winners: [2] };
    const queueOf = (...events) =>
        events.reduce((queue, each) => withScene(queue, sceneOf(each, state)), []);
    const shown = (...events) => queueOf(...events).map(({ kind, pieces }) => [kind, ...pieces]);

    test('a hit follows its shot at once, and trophies of one shot are one scene', () => {
        const shot = event(1, 'shot-fired', { shooter: null });
        const fall = (piece) => event(2, 'piece-toppled', { piece });
        const trophy = (piece) => event(3, 'piece-captured', { piece, by: 1 });
        assert.deepEqual(shown(shot, fall('red-1')), [['hit', 'red-1']]);
        assert.deepEqual(shown(shot, fall('red-1'), trophy('red-1'), fall('red-2'), trophy('red-2')), [
            ['hit', 'red-1', 'red-2'],
            ['capture', 'red-1', 'red-2'],
        ]);
    });

    test('are at most three, the latest ones, and the winner comes next', () => {
        const turns = [1, 2, 3, 4, 5, 6].map((seq) => event(seq, 'turn-started'));
        const ids = (queue) => queue.map(({ id }) => id);
        assert.deepEqual(ids(queueOf(...turns)), [1, 5, 6]);
        assert.deepEqual(ids(queueOf(...turns, event(7, 'game-over'))), [1, 7]);
    });

    test('show no piece that is not in the game', () => {
        for (const piece of ['evil', '__proto__', '']) {
            assert.equal(sceneOf(event(1, 'combat-started', { attacker: piece, target: 'red-1' }), state), null);
        }
        assert.equal(sceneOf(event(1, 'combat-started'), state), null);
    });
});

describe('the device', () => {
    const memory = () => {
        const values = new Map();
        return {
            getItem: (key) => values.get(key) ?? null,
            setItem: (key, value) => values.set(key, value),
        };
    };

    test('keeps its code and its settings', () => {
        const store = memory();
        const code = deviceCode(store);
        assert.equal(readCode(` ${code.toLowerCase()} `), code);
        assert.equal(deviceCode(store), code);
        assert.deepEqual(readSettings(store), { volume: 0.7, isMuted: false, hasVoice: false });
        writeSettings({ volume: 0.25, isMuted: true, hasVoice: true }, store);
        assert.deepEqual(readSettings(store), { volume: 0.25, isMuted: true, hasVoice: true });
    });

    test('does without storage, and with one that somebody else has written', () => {
        assert.match(deviceCode(null), /^[A-Z0-9]{4}$/);
        const store = memory();
        store.setItem('shipahoy-show', '{"volume":99,"isMuted":1}');
        store.setItem('shipahoy-device', '<b>');
        assert.deepEqual(readSettings(store), { volume: 0.7, isMuted: false, hasVoice: false });
        assert.match(deviceCode(store), /^[A-Z0-9]{4}$/);
        assert.equal(readCode('O0I1'), null);
    });
});

describe('the address', () => {
    const at = (hash) => ({ hash, protocol: 'http:', host: 'pi:9001' });

    test('chooses the theme', () => {
        assert.equal(readAddress(at('#theme=dark')).theme, 'dark');
        assert.equal(readAddress(at('#theme=pink')).theme, 'auto');
        assert.equal(readAddress(at('')).theme, 'auto');
    });

    test('of spectators has the table and the broker, and no login', () => {
        const here = 'http://pi:9001/#table=den&view=captain&user=captain&lang=de';
        const link = (href) =>
            spectatorLink({ href }, 'den', readAddress(at(new URL(href).hash)));
        assert.equal(link(here), 'http://pi:9001/#table=den');
        assert.equal(
            link('http://pi/#broker=ws://pi:9001&prefix=club'),
            'http://pi/#table=den&broker=ws%3A%2F%2Fpi%3A9001%2F&prefix=club',
        );
    });
});

describe('the speaker', () => {
    const after = (payload) => receive(emptyTable('den'), 'page/speaker', payload).speaker;

    test('is the device on page/speaker', () => {
        assert.equal(after('{"v":1,"device":"K7QX"}'), 'K7QX');
        assert.equal(after('{"v":1,"device":null}'), null);
    });

    test('is not changed by anything else', () => {
        for (const payload of ['', '5', '{"device":5}', '[]', '{']) {
            assert.equal(after(payload), null, payload);
        }
    });

    test('events whose pieces are no names are ignored', () => {
        const text = JSON.stringify(event(1, 'piece-toppled', { piece: 5 }));
        assert.equal(readPayload('event', text), null);
    });
});
