/** The small parts: edges, addresses, names, texts, where a ball goes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { bestLine, isEnemy, lineTo } from '../../scoreboard/src/aim.js';
import { brokerUrl, changedHash, readAddress } from '../../scoreboard/src/address.js';
import { commandsOf, find } from '../../scoreboard/src/choices.js';
import { Hands } from '../../scoreboard/src/hands.js';
import {
    firstHit,
    harbourPlaces,
    METRE,
    distance,
    mountainAhead,
    startPlaces,
    stopBefore,
} from '../../scoreboard/src/layout.js';
import {
    fieldsOf,
    fitName,
    problemOf,
    usualWish,
    withColour,
    withPlayerCount,
} from '../../scoreboard/src/newgame.js';
import { listedEvents } from '../../scoreboard/src/log.js';
import { OneTab } from '../../scoreboard/src/show/one_tab.js';
import * as sim from '../../scoreboard/src/sim.js';
import { chooseLanguage, fill, LANGUAGES, Texts } from '../../scoreboard/src/texts.js';
import { HARBOURS } from '../../scoreboard/src/words.js';

/** Follows an encoder as the daemon does: a count for each step of 00 10 11 01. */
function countEdges(edges) {
    const order = ['00', '10', '11', '01'];
    const lines = { 'rope.a': 0, 'rope.b': 0 };
    const at = () => order.indexOf(`${lines['rope.a']}${lines['rope.b']}`);
    let count = 0;
    for (const { sensor, level } of edges) {
        const before = at();
        assert.notEqual(lines[sensor], level, 'every edge changes its line');
        lines[sensor] = level;
        count += (at() - before + 4) % 4 === 1 ? 1 : -1;
    }
    return count;
}

describe('simulated edges', () => {
    test('bounce, and settle at the new level', () => {
        for (const edges of [sim.topples('red-1'), sim.isRaised('red-1'), sim.pressesButton()]) {
            assert.ok(edges.length > 2);
            const levels = edges.map(({ level }) => level);
            assert.ok(levels.every((level, i) => i === 0 || level !== levels[i - 1]));
        }
        assert.equal(sim.topples('red-1').at(-1).level, 1);
        assert.equal(sim.isRaised('red-1').at(-1).level, 0);
    });

    test('turn the encoder by exactly the counts wished, bounce included', () => {
        assert.equal(countEdges(sim.ropeGoes(0, 60)), 60);
        assert.equal(countEdges([...sim.ropeGoes(0, 33), ...sim.ropeGoes(33, 12)]), 12);
        assert.deepEqual(sim.ropeGoes(5, 5), []);
    });

    test('of a rope add up, also when it is pulled on before the table has answered', async () => {
        const edges = [];
        const hands = new Hands((sensor, level) => edges.push({ sensor, level }));
        const outdated = { knots: 0, a: 0, b: 0 };
        hands.pullTo(0.5, outdated);
        await hands.pullTo(1.5, outdated);
        await hands.pullTo(1, outdated);
        assert.equal(countEdges(edges), sim.COUNTS_A_KNOT);
    });

    test('of a ball break the inner beam first, and both for long enough', () => {
        const edges = sim.ballLeaves(2.5);
        assert.deepEqual(
            edges.map(({ sensor, level }) => `${sensor} ${level}`),
            ['cannon.beam 1', 'cannon.beam2 1', 'cannon.beam 0', 'cannon.beam2 0'],
        );
        assert.equal(edges[1].after_ms, 8, '20 mm at 2.5 m/s');
        assert.equal(edges[1].after_ms + edges[2].after_ms, 40);
    });

    test('of two gestures never mix', async () => {
        const sent = [];
        const player = new sim.EdgePlayer((sensor) => sent.push(sensor));
        player.play(sim.topples('red-1'));
        await player.play(sim.topples('red-2'));
        assert.deepEqual(sent, [...Array(5).fill('red-1.tilt'), ...Array(5).fill('red-2.tilt')]);
        assert.ok(player.isIdle);
    });
});

describe('the address', () => {
    const at = (hash, protocol = 'http:', host = 'pi:9001') =>
        readAddress({ hash, protocol, host });

    test('names table, view, language, prefix and broker', () => {
        assert.deepEqual(at('#table=den&view=captain&lang=de&broker=wss://x:1/y&prefix=p'), {
            table: 'den',
            view: 'captain',
            language: 'de',
            theme: 'auto',
            prefix: 'p',
            broker: 'wss://x:1/y',
            isTv: false,
            hasVoice: false,
            device: null,
            logbook: { game: null, seq: null, player: null, scenario: null, from: null, to: null },
            sheet: null,
            tournament: null,
            user: null,
            password: null,
        });
    });

    test('names a moment of a game, which other views do not keep', () => {
        const moment = '#table=den&view=logbook&game=g&seq=41';
        assert.deepEqual([at(moment).logbook.game, at(moment).logbook.seq], ['g', '41']);
        assert.equal(changedHash(moment, { view: 'board' }), '#table=den&view=board');
        assert.equal(changedHash(moment, { lang: 'de' }), `${moment}&lang=de`);
    });

    test('may bring a login for a phone', () => {
        const { user, password } = at('#table=den&user=ada&password=a%26b');
        assert.deepEqual([user, password], ['ada', 'a&b']);
    });

    test('finds the broker where the page came from, and asks when it is a file', () => {
        assert.equal(at('').broker, 'ws://pi:9001/mqtt');
        assert.equal(at('', 'https:').broker, 'wss://pi:9001/mqtt');
        assert.equal(at('', 'file:', '').broker, null);
        assert.equal(at('#view=nonsense').view, 'board');
    });

    test('changes one word at a time', () => {
        assert.equal(
            changedHash('#table=den&lang=cs', { lang: null, view: 'table' }),
            '#table=den&view=table',
        );
    });

    test('takes nothing but websockets for a broker', () => {
        assert.equal(brokerUrl('localhost:9001'), 'ws://localhost:9001/');
        for (const text of ['', ' ', null, 'javascript://alert(1)', 'http://x', 'ws://']) {
            assert.equal(brokerUrl(text), null);
        }
    });
});

describe('the form for a new game', () => {
    test('cuts a name to 40 characters, and never within what looks like one', () => {
        assert.equal(fitName('x'.repeat(50)), 'x'.repeat(40));
        assert.equal(fitName('č'.repeat(50)), 'č'.repeat(40));
        assert.equal(fitName('⛵'.repeat(50)), '⛵'.repeat(40));
        assert.equal(fitName('👩‍🚀'.repeat(20)), '👩‍🚀'.repeat(13)); // of three characters each
    });

    test('gives every harbour one captain, whatever is chosen (G1)', () => {
        const wish = withColour(usualWish(), 0, 'green');
        assert.deepEqual(wish.colours, ['green', 'blue', 'red', 'yellow']);
        const { players } = fieldsOf({ ...wish, playerCount: 2 }, (number) => `P${number}`);
        assert.deepEqual(players, [
            { name: 'P1', harbours: ['green', 'blue'] },
            { name: 'P2', harbours: ['red', 'yellow'] },
        ]);
    });

    test('leaves everybody the first colour when the number of players changes', () => {
        const harbours = (wish) => fieldsOf(wish, String).players.map((player) => player.harbours);
        assert.deepEqual(harbours(withPlayerCount(usualWish(), 2)), [
            ['red', 'blue'],
            ['green', 'yellow'],
        ]);
        const two = withPlayerCount(withColour(usualWish(), 0, 'green'), 2);
        assert.deepEqual(harbours(two), [
            ['green', 'red'],
            ['blue', 'yellow'],
        ]);
        assert.deepEqual(harbours(withPlayerCount(two, 3)), [['green'], ['blue'], ['red']]);
    });

    test('asks for teams of two, and only with four players (T1)', () => {
        const wish = { ...usualWish(), teams: true };
        assert.equal(problemOf(wish), null);
        assert.equal(problemOf({ ...wish, teamOf: [1, 1, 1, 2] }), 'teamsDiffer');
        assert.equal(fieldsOf({ ...wish, playerCount: 3 }, String).teams, false);
    });
});

describe('the texts', () => {
    /** Forms for numbers differ between languages: there `other` stands for all of them. */
    const keys = (words, prefix = '') =>
        Object.entries(words)
            .filter(([key]) => words.other === undefined || key === 'other')
            .flatMap(([key, value]) =>
                typeof value === 'string' ? [prefix + key] : keys(value, `${prefix}${key}.`),
            );
    const translated = (words) => keys(words).filter((key) => !key.startsWith('refusals.'));
    const english = translated(LANGUAGES.en);

    for (const [code, words] of Object.entries(LANGUAGES)) {
        test(`have every form that a number can ask for in ${code}`, () => {
            const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
            const counted = Object.values(words).filter(({ other }) => other !== undefined);
            assert.ok(counted.length >= 3);
            for (const forms of counted) {
                assert.deepEqual(Object.keys(forms).sort(), [...pluralCategories].sort());
            }
        });
    }

    test('agree with their numbers', () => {
        const said = (code, ...numbers) =>
            numbers.map((number) => new Texts(code).count('knots', number));
        assert.deepEqual(said('en', 0, 1, 1.5), ['0 knots', '1 knot', '1.5 knots']);
        assert.deepEqual(said('de', 1, 1.5), ['1 Knoten', '1,5 Knoten']);
        assert.deepEqual(said('cs', 0, 1, 2, 5, 1.5), [
            '0 uzlů',
            '1 uzel',
            '2 uzly',
            '5 uzlů',
            '1,5 uzlu',
        ]);
        assert.equal(new Texts('en').count('points', 1), 'point');
    });

    for (const code of ['de', 'cs']) {
        test(`have every key in ${code}, with the same words in braces`, () => {
            const words = LANGUAGES[code];
            assert.deepEqual(translated(words).sort(), [...english].sort());
            const braces = (text) => [...new Set(text.match(/\{\w+\}/g))].sort().join();
            const at = (root, key) =>
                key.match(/^events\.(.*)$/)
                    ? root.events[key.slice('events.'.length)]
                    : key.split('.').reduce((value, part) => value[part], root);
            const different = english.filter(
                (key) => braces(at(LANGUAGES.en, key)) !== braces(at(words, key)),
            );
            assert.deepEqual(different, []);
        });
    }

    test('have a sentence for every event of the contract', () => {
        const contract = JSON.parse(
            readFileSync(new URL('../../docs/schemas/event.json', import.meta.url), 'utf8'),
        );
        const named = JSON.stringify(contract).match(/"event_type":\{"const":"[a-z-]+"/g);
        const types = [...new Set(named.map((text) => text.split('"')[5]))];
        assert.ok(types.length > 30);
        const told = Object.keys(LANGUAGES.en.events).map((key) => key.split(' ')[0]);
        assert.deepEqual(
            types.filter((type) => !told.includes(type)),
            [],
        );
    });

    test('name the harbour that a barrel goes back to (ME5)', () => {
        const back = { event_type: 'barrel-moved', to: null, to_harbour: 'red', barrel: 'blue' };
        assert.equal(new Texts('en').event(back, []), 'The barrel for Blue goes back to its harbour, Red.');
    });

    test('show what they are given as it is', () => {
        assert.equal(fill('{a} {b}', { a: '{b}', b: '<b>' }), '{b} <b>');
        const players = [{ id: 1, name: '<script>' }];
        const said = new Texts('en').event({ event_type: 'turn-started', player: 1 }, players);
        assert.equal(said, 'It is <script>’s turn.');
    });

    test('are chosen by wish, then by browser, else English', () => {
        assert.equal(chooseLanguage('cs', 'de'), 'cs');
        assert.equal(chooseLanguage(null, 'de-AT'), 'de');
        assert.equal(chooseLanguage('toString', 'fr'), 'en');
    });
});

describe('the log', () => {
    const turn = { event_type: 'turn-started' };
    const fired = { event_type: 'shot-fired' };
    const seen = { ...fired, evidence: { sensor: 'cannon.beam' } };
    const over = { event_type: 'shot-over' };
    const topple = { event_type: 'piece-toppled', piece: 'blue-1' };
    const moving = { event_type: 'phase-started', phase: 'moving' };
    const rolled = { event_type: 'move-rolled', value: 2 };
    const listed = (...events) =>
        listedEvents(events.map((event, i) => ({ ...event, seq: i + 1 }))).map(
            ({ event_type: type, outcome }) => outcome ?? type,
        );

    test('says of a shot that sensors saw that it has toppled nothing', () => {
        assert.deepEqual(listed(turn, seen, over, moving), ['turn-started', 'shot-fired', 'missed']);
        assert.deepEqual(listed(seen, topple, over), ['shot-fired', 'piece-toppled']);
    });

    test('waits with that as long as people may enter what fell', () => {
        assert.deepEqual(listed(fired, over, moving), ['shot-fired']);
        assert.deepEqual(listed(fired, over, moving, rolled), ['shot-fired', 'missed', 'move-rolled']);
        assert.equal(listed(fired, over, moving, rolled, moving)[1], 'missed');
        assert.deepEqual(listed(fired, over, rolled, topple), ['shot-fired', 'move-rolled', 'piece-toppled']);
        assert.deepEqual(listed(fired, over, turn), ['shot-fired', 'missed', 'turn-started']);
        const fault = { event_type: 'sensor-fault' };
        assert.deepEqual(listed(fired, over, fault), ['shot-fired', 'sensor-fault']);
    });

    test('keeps a miss when a close combat captures something later', () => {
        const captured = { event_type: 'piece-captured', piece: 'blue-1', how: 'combat' };
        assert.equal(listed(seen, over, rolled, captured)[1], 'missed');
    });

    test('says who went on without a shot, and knows which shots were taken back', () => {
        assert.deepEqual(listed(turn, moving), ['turn-started', 'passed']);
        const undone = (from) => ({ event_type: 'undone', from, to: from });
        assert.equal(listed(turn, fired, undone(2), moving).at(-1), 'passed');
        assert.deepEqual(listed(turn, seen, over, moving, undone(4)).slice(-2), ['missed', 'undone']);
        assert.equal(listed(turn, fired, over, rolled, undone(4))[2], 'move-rolled');
        assert.deepEqual(listed(turn, seen, over, moving, turn, moving).at(-1), 'passed');
    });
});

describe('one tab of a browser', () => {
    const items = new Map();
    const store = {
        getItem: (key) => items.get(key) ?? null,
        setItem: (key, text) => items.set(key, text),
        removeItem: (key) => items.delete(key),
    };
    let at_ms = 0;
    const beats = [];
    const open = (isWanted = () => true) =>
        new OneTab({ store, isWanted, now: () => at_ms, every: (beat) => beats.push(beat) });
    const wait = (seconds) => {
        for (let i = 0; i < seconds; i++) {
            at_ms += 1000;
            beats.forEach((beat) => beat());
        }
    };

    test('plays, until another one is tapped or it is closed', () => {
        const [first, second, other] = [open(), open(), open(() => false)];
        const playing = () => [first, second].map((tab) => tab.isPlaying);
        wait(10);
        assert.deepEqual(playing(), [true, false]);
        other.take(); // shows a table whose sounds are played elsewhere
        assert.deepEqual(playing(), [true, false]);
        second.take();
        wait(10);
        assert.deepEqual(playing(), [false, true]);
        second.leave();
        beats.splice(1, 1);
        wait(1);
        assert.equal(first.isPlaying, true);
    });

    test('goes on when the one that played has vanished', () => {
        beats.splice(0);
        open().take();
        beats.splice(0);
        const left = open();
        assert.equal(left.isPlaying, false);
        wait(4);
        assert.equal(left.isPlaying, true);
        left.take();
        at_ms -= 3600_000; // after a power cut, without a clock
        beats.splice(0);
        assert.equal(open().isPlaying, true);
    });
});

describe('the drawn table', () => {
    test('has about a metre between neighbouring harbours (G1)', () => {
        for (const harbours of [HARBOURS, HARBOURS.slice(1)]) {
            const [a, b] = Object.values(harbourPlaces(harbours));
            assert.ok(Math.abs(distance(a, b) - METRE) < 20);
        }
    });

    test('has a place for every piece, and none on another', () => {
        for (const scenario of ['none', 'pirate-ship', 'kraken', 'heavy-wind', 'sea-monster']) {
            const places = Object.values(startPlaces(HARBOURS, scenario));
            for (const [i, place] of places.entries()) {
                assert.ok(places.slice(i + 1).every((other) => distance(place, other) > 50));
            }
        }
    });

    test('lets a ball hit what stands first in its way', () => {
        const places = { near: { x: 200, y: 5 }, far: { x: 400, y: 0 }, behind: { x: -200, y: 0 } };
        assert.equal(firstHit({ x: 0, y: 0 }, 0, places).piece, 'near');
        assert.equal(firstHit({ x: 0, y: 0 }, 180, places).piece, 'behind');
        assert.equal(firstHit({ x: 0, y: 0 }, 90, places), null);
    });

    test('ends at the mountain in the middle, unless it passes beside it or leaves it', () => {
        const from = { x: 0, y: 500 };
        const far = mountainAhead(from, 0);
        assert.ok(far > 400 && far < 500, `${far}`);
        assert.equal(mountainAhead(from, 180), Infinity);
        assert.equal(mountainAhead({ x: 0, y: 400 }, 0), Infinity);
        assert.equal(mountainAhead({ x: 500, y: 500 }, 0), Infinity);
    });
});

test('a piece falls to a ball only if the table has noticed the ball', async () => {
    const edges = [];
    const hands = new Hands((sensor) => edges.push(sensor));
    assert.equal(await hands.fire('red-1', async () => false), false);
    assert.ok(edges.length > 0 && edges.every((sensor) => sensor.startsWith('cannon.')));
    assert.equal(await hands.fire('red-1', async () => true), true);
    assert.ok(edges.includes('red-1.tilt'));
});

describe('where a ship stops', () => {
    const game = { harbours: HARBOURS, scenario: 'none' };
    const from = { x: 300, y: 300 };
    const stop = (to, pieces = {}, played = game) => stopBefore(from, to, pieces, played);

    test('is where it was dropped, if nothing stands there', () => {
        const to = { x: 300, y: 450 };
        assert.deepEqual(stop(to, { 'red-1': { x: 300, y: 360 } }), { place: to, met: null });
    });

    test('is beside the piece that stands there, on the side from which it came', () => {
        const piece = { x: 300, y: 420 };
        const { place, met } = stop(piece, { 'blue-1': piece });
        assert.equal(met, 'blue-1');
        assert.equal(place.x, 300);
        assert.ok(distance(place, piece) >= 72 && distance(place, piece) < 74);
    });

    test('is where it was, if there is no room on its way', () => {
        const pieces = { 'blue-1': { x: 340, y: 300 } };
        assert.deepEqual(stop({ x: 320, y: 300 }, pieces), { place: from, met: 'blue-1' });
    });

    test('is beside the mountain, unless something else is in the middle', () => {
        const middle = { x: 500, y: 500 };
        const { place, met } = stop(middle);
        assert.equal(met, 'mountain');
        assert.ok(distance(place, middle) > 40);
        assert.equal(stop(middle, {}, { ...game, scenario: 'treasure-island' }).met, null);
    });

    test('is free for every piece at the start of a game', () => {
        for (const scenario of ['none', 'pirate-ship', 'sea-monster']) {
            const places = startPlaces(HARBOURS, scenario);
            for (const [name, place] of Object.entries(places)) {
                const others = { ...places };
                delete others[name];
                assert.equal(stopBefore(place, place, others, { ...game, scenario }).met, null, name);
            }
        }
    });
});

describe('the cannon of the virtual table', () => {
    const state = {
        player: 1,
        scenario: 'sea-monster',
        players: [1, 2, 3, 4].map((id) => ({ id, team: id % 2 })),
        pieces: {
            'red-1': { owner: 1, status: 'standing' },
            'blue-1': { owner: 2, status: 'flat' },
            'green-1': { owner: 3, status: 'standing' },
            'yellow-1': { owner: 4, status: 'standing' },
            monster: { owner: null, status: 'standing' },
        },
    };
    const places = {
        'red-1': { x: 100, y: 100 },
        'blue-1': { x: 100, y: 200 },
        'green-1': { x: 200, y: 100 },
        'yellow-1': { x: 100, y: 500 },
        monster: { x: 500, y: 500 },
    };

    test('is pointed at an enemy that can be toppled: no team-mate, nothing flat (T1, A5)', () => {
        assert.equal(bestLine(state, places, 'red-1').target, 'monster');
        assert.equal(isEnemy(state, 'green-1'), false);
        const alone = { ...state, players: state.players.map(({ id }) => ({ id, team: null })) };
        assert.equal(bestLine(alone, places, 'red-1').target, 'green-1');
    });

    test('finds the line past what covers a part of a piece', () => {
        const all = { ...places, 'blue-1': { x: 110, y: 200 }, 'yellow-1': { x: 80, y: 500 } };
        assert.equal(lineTo(state, all, 'red-1', 'yellow-1').target, 'blue-1');
        const beside = { ...all, 'blue-1': { x: 128, y: 200 } };
        const { target, angle } = lineTo(state, beside, 'red-1', 'yellow-1');
        assert.equal(target, 'yellow-1');
        assert.notEqual(angle, 90);
    });

    test('hits what is in the way of the piece that it is pointed at', () => {
        assert.equal(lineTo(state, places, 'red-1', 'yellow-1').target, 'blue-1');
    });
});

describe('the commands that are offered', () => {
    const state = {
        game: 'a',
        seq: 4,
        pieces: { 'red-1': {}, 'red-2': {}, 'blue-1': {} },
    };
    const choices = (list) => ({ game: 'a', seq: 4, choices: list });
    const offered = (list, rope = null) =>
        commandsOf({ state, rope, choices: choices(list), choicesBefore: null });

    test('are the choices of the table, one by one', () => {
        const list = [
            { verb: 'fire' },
            { verb: 'select', pieces: ['red-1', 'red-2'] },
            { verb: 'roll-move', values: [1, 3] },
            { verb: 'engage', attacker: 'red-1', targets: ['blue-1'] },
            { verb: 'roll-combat', attacker: 'red-1', target: 'blue-1', values: ['flag'] },
            { verb: 'load-barrel', piece: 'red-1', harbours: ['blue'] },
            { verb: 'end-phase', to: 'combat' },
            { verb: 'undo', message: 'Anna rolled a 3.' },
        ];
        assert.deepEqual(offered(list), [
            { verb: 'fire' },
            { verb: 'select', piece: 'red-1' },
            { verb: 'select', piece: 'red-2' },
            { verb: 'roll-move', value: 1 },
            { verb: 'roll-move', value: 3 },
            { verb: 'engage', attacker: 'red-1', target: 'blue-1' },
            { verb: 'roll-combat', attacker: 'red-1', target: 'blue-1', value: 'flag' },
            { verb: 'load-barrel', piece: 'red-1', harbour: 'blue' },
            { verb: 'end-phase' },
            { verb: 'undo' },
        ]);
    });

    test('are not what nobody means to say, nor about pieces that are not there', () => {
        const list = [
            { verb: 'fire', foul: true },
            { verb: 'topple', pieces: ['red-1'], disturbance: true },
            { verb: 'move', piece: null, knots: 2 },
            { verb: 'aim', pieces: ['toString', 'green-1'] },
        ];
        assert.deepEqual(offered(list), []);
    });

    test('are a move as the rope says only from one knot to those left (M5)', () => {
        const list = [{ verb: 'move', piece: 'red-1', knots: 2 }];
        const takesRope = (knots) =>
            offered(list, { piece: 'red-1', knots }).some(({ knots: said }) => said === undefined);
        assert.deepEqual([0, 0.9, 1, 2, 2.1].map(takesRope), [false, false, true, true, false]);
        assert.ok(find(offered(list), 'move', { piece: 'red-1', knots: 2 }));
        assert.ok(!find(offered(list), 'move', { piece: 'red-1', knots: 3 }));
    });

    test('are those of the state that is shown, and none without it', () => {
        const now = choices([{ verb: 'fire' }]);
        const next = { game: 'a', seq: 5, choices: [{ verb: 'end-phase', to: 'moving' }] };
        const shown = { state, rope: null, choices: next, choicesBefore: now };
        assert.deepEqual(commandsOf(shown), [{ verb: 'fire' }]);
        assert.deepEqual(commandsOf({ ...shown, state: { ...state, seq: 5 } }), [
            { verb: 'end-phase' },
        ]);
        assert.deepEqual(commandsOf({ ...shown, state: { ...state, seq: 6 } }), []);
        assert.deepEqual(commandsOf({ ...shown, state: null }), []);
    });
});
