/** The captain's phone: what to do, what an undo takes back, and an answer to every tap. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { LANGUAGES, Texts } from '../../scoreboard/src/texts.js';
import { isIdle } from '../../scoreboard/src/idle_steps.js';
import { isTold, isToldByPeople, shotToTell } from '../../scoreboard/src/telling.js';
import { whatNow } from '../../scoreboard/src/whatnow.js';
import { piecesOf } from '../../scoreboard/src/words.js';
import { closePage, openPage, PHONE, tapAt } from './browser.mjs';
import { browser, harbour, useTable, watcher } from './open_table.mjs';
import { Watcher } from './watcher.mjs';

describe('what to do now', () => {
    const move = { verb: 'move', piece: 'red-1', knots: 1 };
    const fight = { verb: 'roll-combat', attacker: 'red-1', target: 'blue-1' };
    const cases = [
        ['shooting', [{ verb: 'fire' }], 'shoot', 'shoot'],
        ['shooting', [], 'cannotShoot', 'shoot'],
        ['moving', [{ verb: 'roll-move', value: 1 }], 'roll', 'roll'],
        ['moving', [{ verb: 'roll-move' }], 'tapRoll', 'roll'],
        ['moving', [move], 'sail', 'sail'],
        ['moving', [move, { verb: 'take-chest', piece: 'red-1' }], 'sail', 'sail', 'chest'],
        ['moving', [{ verb: 'deliver-barrel', piece: 'red-1' }], 'atBarrels', 'barrels'],
        ['moving', [], 'sailed', 'sail'],
        ['combat', [{ ...fight, value: 'flag' }], 'fight', 'fight'],
        ['combat', [fight], 'tapFight', 'fight'],
        ['combat', [{ verb: 'engage', attacker: 'red-1', target: 'blue-1' }], 'attack', 'attack'],
        ['combat', [{ verb: 'move', piece: 'kraken' }], 'freeKraken', 'kraken'],
        ['combat', [], 'noAttack', 'attack'],
        ['repair', [{ verb: 'raise', piece: 'red-1' }], 'repair', 'repair'],
        ['repair', [], 'noRepair', 'repair'],
    ];

    for (const [phase, commands, say, rule, also] of cases) {
        test(`while ${phase}: ${say}, with the rule ${rule}, in every language`, () => {
            const state = { phase, shot: 'none', left: 2, player: 1, combats: [], scenario: 'kraken' };
            const pieces = { 'red-1': { owner: 1, status: 'standing' } };
            const now = whatNow({ ...state, pieces }, commands);
            assert.deepEqual([now.say, now.rule, now.also], [say, rule, also]);
            for (const { now: sentences, ruleWords } of Object.values(LANGUAGES)) {
                assert.ok(sentences[say] && [rule, also ?? rule].every((key) => ruleWords[key]));
            }
        });
    }

    test('while a ship is measured: how far, and how to confirm what the rope says', () => {
        const state = { phase: 'moving', shot: 'none', left: 2, selected: 'red-1', pieces: {} };
        const measured = { verb: 'move', piece: 'red-1' };
        assert.equal(whatNow(state, [move]).say, 'sailFar');
        assert.equal(whatNow(state, [move, measured]).say, 'sailRope');
        assert.equal(whatNow({ ...state, selected: 'red-2' }, [move]).say, 'sail');
        for (const { now: sentences } of Object.values(LANGUAGES)) {
            assert.ok(sentences.sailFar.includes('{piece}') && sentences.sailRope);
        }
    });

    test('of a close combat that goes on: who rolls next', () => {
        const pieces = { 'red-1': { owner: 1 }, 'blue-1': { owner: 2 }, kraken: { owner: null } };
        const state = (target) => ({
            phase: 'combat',
            player: 1,
            pieces,
            combats: [{ attacker: 'red-1', target }],
        });
        assert.equal(whatNow(state('blue-1'), []).say, 'goesOn');
        assert.equal(whatNow(state('kraken'), []).say, 'krakenHolds');
    });

    test('is nothing when no game is played', () => {
        assert.equal(whatNow({ phase: 'over' }, []), null);
        assert.equal(whatNow(null, []), null);
    });
});

test('what an undo takes back is said in every language, with any name', () => {
    const german = new Texts('de');
    assert.equal(german.undone('Ben rolled a 3.'), 'Ben hat 3 gewürfelt');
    assert.equal(german.undone('a fell. b fired.'), 'a fell. b hat geschossen');
    assert.equal(
        german.undone('red-tower attacked pirate.'),
        'Turm Rot hat Piratenschiff angegriffen',
    );
    const state = { player: 2, pieces: { 'red-1': { owner: 1 }, 'blue-2': { owner: 2 } } };
    assert.equal(german.undone('red-1 against blue-2: flag.', state), 'Blau 2 gegen Rot 1: Flagge');
    assert.equal(german.undone('red-1 against blue-2, without a roll.', state), 'Blau 2 gegen Rot 1');
    assert.equal(german.undone('Something new.'), 'Something new.');
    assert.equal(german.undone('red-1 and pirate fell.'), 'Rot 1 und Piratenschiff sind gefallen');
    const many = 'red-1, red-2, red-3, red-tower, blue-1 and blue-2 fell.';
    assert.equal(german.undone(many), 'Rot 1, Rot 2, Rot 3 und 3 weitere sind gefallen');
    for (const { undoes } of Object.values(LANGUAGES)) {
        assert.deepEqual(Object.keys(undoes), Object.keys(LANGUAGES.en.undoes));
    }
});

describe('the phone', () => {
    useTable();

    beforeEach(() =>
        watcher.must('new-game', {
            first: 1,
            abandon: true,
            anyway: true,
            players: [{ name: 'Anna' }, { name: 'Ben' }],
        }),
    );

    /** With a record of how it vibrates. */
    async function open(hash = '') {
        const url = `${harbour.pageUrl}#table=den&view=captain${hash}`;
        const page = await openPage(browser, url, { viewport: PHONE, scripts: [recordVibrations] });
        await page.locator('.what-now').waitFor();
        return page;
    }

    const felt = (page) => page.evaluate(() => globalThis.felt);

    test('says what to do, and shows the rule with one tap', async () => {
        const page = await open();
        await page.getByText('Put the cannon next to one of your ships').click();
        await page.getByText('You have one shot per turn').waitFor();
        await closePage(page);
    });

    test('makes the action of the step its main button, not the way past it', async () => {
        const page = await open();
        const primary = () =>
            page
                .locator('main button.primary')
                .evaluateAll((all) => all.map((each) => each.dataset.verb));
        assert.deepEqual(await primary(), ['fire']);
        await watcher.must('fire');
        await page.getByRole('button', { name: 'The shot is over' }).waitFor();
        assert.deepEqual(await primary(), ['end-phase']);
        await closePage(page);
    });

    test('takes the second half of a double tap for nothing else', async () => {
        const page = await open();
        await tapAt(page, '[data-verb=fire]', 1000);
        await page.locator('[data-verb=topple][data-piece=green-1]').waitFor();
        await page.locator('main.captain[aria-busy=false]').waitFor();
        await tapAt(page, '[data-verb=topple][data-piece=green-1]', 1200);
        await tapAt(page, '[data-verb=topple][data-piece=green-2]', 1800);
        await watcher.see('a hit', ({ state }) => state.players[0].score === 1);
        assert.equal(watcher.state.pieces['green-2'].status, 'captured');
        await closePage(page);
    });

    test('and another one that show the same state end the step once, as one command', async () => {
        const page = await open();
        const topic = `${watcher.base}/command/end-phase`;
        const sent = new Promise((resolve) => {
            watcher.client.on('message', (name, payload) => {
                if (name === topic && String(payload) !== '?') {
                    resolve(JSON.parse(payload));
                }
            });
        });
        const { game, seq } = watcher.state;
        await page.locator(`[data-announcer="${seq}"]`).waitFor({ state: 'attached' });
        await page.locator('[data-verb=end-phase]').click();
        assert.deepEqual(await sent, { id: `end-phase ${game} ${seq}` });
        await closePage(page);
    });

    test('keeps every piece under its finger when another one was hit', async () => {
        await watcher.must('fire');
        const page = await open();
        const greenTwo = page.locator('[data-verb=topple][data-piece=green-2]');
        await greenTwo.waitFor();
        const before = await greenTwo.boundingBox();
        await page.locator('[data-verb=topple][data-piece=green-1]').click();
        await page.locator('.piece-act.done').getByText('Green 1').waitFor();
        assert.deepEqual(await greenTwo.boundingBox(), before);
        await closePage(page);
    });

    test('waits for people who look what fell, although the table has ended the shot', async (t) => {
        await harbour.startTable('quick', { timing: { shot_window_ms: 100 } });
        const quick = await Watcher.open(harbour, 'quick');
        t.after(() => quick.close());
        await quick.must('new-game', { first: 1, anyway: true, players: [{ name: 'A' }, { name: 'B' }] });
        const url = `${harbour.pageUrl}#table=quick&view=captain`;
        const page = await openPage(browser, url, { viewport: PHONE });
        await page.locator('[data-verb=fire]').click();
        await quick.see('the end of the shot', ({ state }) => state.phase === 'moving');
        const hit = (piece) => page.locator(`[data-verb=topple][data-piece=${piece}]`).click();
        const told = page.locator('[data-told]');
        await told.waitFor();
        await hit('green-tower');
        await page.locator('.news').getByText('A captures Green tower.').waitFor();
        await hit('yellow-1');
        await page.getByText('A captures Yellow 1.').first().waitFor();
        const tv = await openPage(browser, `${harbour.pageUrl}#table=quick`);
        await tv.locator('[aria-current=step]').getByText('Shooting').waitFor();
        await tv.getByText('What did the shot topple? Tap it on the phone.').waitFor();
        await told.click();
        await tv.locator('[aria-current=step]').getByText('Moving').waitFor();
        await tv.getByText('Roll the die with the numbers').waitFor();
        await closePage(tv);
        await page.locator('[data-verb=roll-move]').first().waitFor();
        assert.equal(await page.locator('footer [data-verb=end-phase]').count(), 0, 'a second tap');
        assert.equal(await page.locator('[data-verb=topple]').first().isVisible(), false);
        await page.getByRole('button', { name: 'Undo: the end of “Shooting”' }).click();
        await told.click();
        await page.locator('[data-verb=roll-move][data-value="2"]').click();
        await page.locator('[data-verb=undo]').click(); // of the roll, and of nothing else
        await page.locator('[data-verb=roll-move]').first().waitFor();
        assert.equal(await told.count(), 0);
        await page.locator('[data-resume]').click();
        await page.locator('[data-verb=undo]').getByText('Yellow 1 fell').click();
        await quick.see('it', ({ state }) => state.pieces['yellow-1'].status === 'standing');
        await hit('yellow-2'); // what was taken back can be entered again
        await closePage(page);
    });

    test('asks whether anything else has fallen before the last piece of a player ends the game', async () => {
        const players = ['Anna', 'Ben', 'Cleo'].map((name) => ({ name }));
        await watcher.must('new-game', { first: 1, abandon: true, anyway: true, players });
        await watcher.must('fire');
        for (const piece of piecesOf('green').slice(0, -1)) {
            await watcher.must('topple', { piece });
        }
        await watcher.must('end-phase');
        await watcher.must('roll-move', { value: 1 });
        const page = await open();
        const last = page.locator('[data-verb=topple][data-piece=green-tower]');
        await page.locator('.late-hit summary').click();
        await last.click();
        await page.getByText('Green tower is the last piece of Cleo').waitFor();
        await page.locator('[data-answer=no]').click();
        assert.equal(watcher.state.phase, 'moving');
        await last.click();
        await page.locator('[data-answer=yes]').click();
        await page.getByRole('heading', { name: 'Anna won!' }).waitFor();
        await closePage(page);
    });

    test('goes on asking when nothing more can fall', () => {
        const state = { phase: 'moving', die: null, turn: 1, game: 'g', seq: 3, pieces: {}, players: [] };
        const choices = { game: 'g', seq: 3, choices: [{ verb: 'undo', message: 'blue-1 fell.' }] };
        const shot = { event_type: 'shot-fired', game: 'g', seq: 1, turn: 1 };
        const table = { state, choices, log: { events: [shot] }, sensors: {}, info: {}, told: null };
        assert.equal(shotToTell(table, []), shot);
        assert.equal(isTold({ told: { game: 'g', seq: 1 } }, shot), true);
        assert.equal(shotToTell({ ...table, state: { ...state, die: 1 } }, []), undefined);
        assert.equal(shotToTell({ ...table, state: { ...state, turn: 2 } }, []), undefined);
    });

    test('asks for no roll that cannot be of use', () => {
        const fighting = { attacker: 'red-1', target: 'blue-1' };
        const state = {
            phase: 'moving',
            die: null,
            player: 1,
            scenario: 'none',
            combats: [fighting],
            pieces: {
                'red-1': { owner: 1, status: 'standing' },
                'red-tower': { owner: 1, status: 'standing' },
            },
        };
        const kraken = { owner: null, status: 'standing' };
        const roll = [{ verb: 'roll-move', value: 1 }];
        assert.equal(whatNow(state, roll).say, 'cannotSail');
        assert.equal(whatNow({ ...state, combats: [] }, roll).say, 'roll');
        const more = { ...state, scenario: 'kraken', pieces: { ...state.pieces, kraken } };
        assert.equal(whatNow(more, roll).say, 'roll');
        assert.equal(whatNow({ ...state, scenario: 'heavy-wind' }, roll).say, 'roll');
        for (const scenario of ['treasure-island', 'merchant']) {
            assert.equal(whatNow({ ...state, scenario }, roll).say, 'cannotSail');
            assert.equal(isIdle({ ...state, scenario }, 'moving'), scenario !== 'merchant');
        }
    });

    test('asks for nothing that sensors see', async () => {
        const table = { state: { turn: 1, pieces: {} }, sensors: {}, info: { backend: 'sim' } };
        const shot = { event_type: 'shot-fired', turn: 1, seq: 1 };
        const log = (events) => ({ ...table, log: { events } });
        assert.equal(isToldByPeople(log([shot])), true);
        assert.equal(isToldByPeople(log([{ ...shot, evidence: {} }])), false);
        const bare = {
            ...log([{ ...shot, evidence: {} }]),
            info: { backend: 'gpiod' },
            state: { turn: 1, pieces: { 'red-1': { status: 'standing' } } },
        };
        assert.equal(isToldByPeople(bare), true);
        const seen = { 'red-1.tilt': { source: 'gpio' } };
        assert.equal(isToldByPeople({ ...bare, sensors: seen }), false);
    });

    test('says what each face means, also for the piece that was attacked', async () => {
        const page = await open();
        for (const verb of ['end-phase', 'end-phase']) {
            await watcher.must(verb);
        }
        const pieces = { attacker: 'red-1', target: 'green-1' };
        await watcher.must('engage', pieces);
        const flag = page.locator('[data-verb=roll-combat][data-value=flag]');
        await flag.getByText('Green 1 surrenders').waitFor();
        await watcher.must('roll-combat', { ...pieces, value: 'swords' });
        await page.getByText('Red 1 and Green 1 go on fighting').waitFor();
        for (const verb of ['end-phase', 'end-phase', 'end-phase']) {
            await watcher.must(verb);
        }
        await flag.getByText('Red 1 surrenders').waitFor();
        await closePage(page);
    });

    test('has one button for all pieces that a bump has toppled, and names them', async () => {
        await watcher.must('topple', { piece: 'red-1' });
        await watcher.must('topple', { piece: 'blue-2' });
        const page = await open();
        await page.locator('[data-all-stand]').click();
        await watcher.see('all stand', ({ state: { pieces } }) =>
            ['red-1', 'blue-2'].every((piece) => !pieces[piece].disturbed),
        );
        await closePage(page);
    });

    test('folds late hits, so that a slip in close combat captures nothing', async () => {
        await watcher.must('fire');
        await watcher.must('end-phase');
        await watcher.must('end-phase');
        const page = await open();
        await page.locator('[data-verb=choose-attacker]').first().click();
        await page.locator('.targets [data-verb=engage]').first().waitFor();
        const late = page.locator('[data-verb=topple][data-piece=green-1]');
        assert.equal(await late.isVisible(), false);
        await page.getByText('Forgot a hit?').click();
        await late.click();
        await watcher.see('it', ({ state }) => state.pieces['green-1'].status === 'captured');
        await closePage(page);
    });

    test('shows what an undo takes back, in its language', async () => {
        await watcher.must('end-phase');
        await watcher.must('roll-move', { value: 3 });
        const page = await open('&lang=de');
        await page.getByRole('button', { name: 'Zurücknehmen: Anna hat 3 gewürfelt' }).click();
        await watcher.see('the undo', ({ state }) => state.die === null);
        await closePage(page);
    });

    test('vibrates at a capture and at a refusal, and not for what was before', async () => {
        await watcher.must('fire');
        await watcher.must('topple', { piece: 'green-1' });
        const page = await open();
        await page.locator('[data-announcer]', { hasText: 'captures Green 1' }).waitFor();
        await watcher.must('topple', { piece: 'green-2' });
        await page.waitForFunction(() => globalThis.felt.length === 1);
        const late = await page.locator('[data-verb=topple][data-piece=green-3]').elementHandle();
        await watcher.must('topple', { piece: 'green-3' });
        await page.waitForFunction(() => globalThis.felt.length === 2);
        await late.evaluate((button) => button.click());
        await page.locator('.refusal').waitFor();
        assert.deepEqual(await felt(page), [120, 120, [60, 40, 60]]);
        await closePage(page);
    });

    test('shows a tap before the table answers, and sends it once', async () => {
        const page = await open();
        const { process: daemon } = harbour.daemons.den;
        daemon.kill('SIGSTOP');
        try {
            await page.locator('[data-verb=fire]').click();
            await page.locator('[data-verb=fire].sent').waitFor();
            await page.locator('[data-verb=fire]').click();
        } finally {
            daemon.kill('SIGCONT');
        }
        await watcher.see('the shot', ({ state }) => state.shot === 'open');
        await page.locator('main[aria-busy=false]').waitFor();
        const shots = (await watcher.events()).filter((each) => each.event_type === 'shot-fired');
        assert.equal(shots.length, 1);
        await closePage(page);
    });

    test('sends every tap, also before the last one is answered, until a refusal', async () => {
        const page = await open();
        /** Faster than any answer. */
        const tapAll = (...selectors) =>
            page.evaluate(
                (all) => all.forEach((each) => document.querySelector(each).click()),
                selectors.map((selector) => `[data-verb=${selector}`),
            );
        await watcher.must('fire');
        await page.locator('.hits [data-verb=topple]').first().waitFor();
        const hit = (piece) => `topple][data-piece=${piece}]`;
        await tapAll(hit('green-1'), hit('green-1'), hit('green-2'), 'end-phase]');
        await watcher.see('the next step', ({ state }) => state.phase === 'moving');
        const captured = ['green-1', 'green-2'].map((name) => watcher.state.pieces[name].status);
        assert.deepEqual(captured, ['captured', 'captured']);
        await page.locator('main[aria-busy=false]').waitFor();
        await page.locator('[data-verb=roll-move][data-value="1"]').waitFor();
        await tapAll('roll-move][data-value="1"]', 'roll-move][data-value="2"]', 'end-phase]');
        await page.locator('.refusal').waitFor();
        assert.deepEqual([watcher.state.phase, watcher.state.die], ['moving', 1]);
        await closePage(page);
    });

    test('says at once that it is offline, and sends nothing later', async () => {
        const page = await open();
        await harbour.endTable('den', 'SIGKILL');
        await page.locator('.is-offline').waitFor();
        await page.locator('[data-verb=fire]').click();
        await page.locator('.refusal[data-error=offline]').waitFor({ timeout: 1000 });
        await harbour.startTable('den', { timing: { shot_window_ms: 60000 } });
        await page.locator('.captain:not(.is-offline)').waitFor();
        await page.locator('.refusal').waitFor({ state: 'detached' }); // it is not true any more
        await watcher.must('aim', { piece: 'red-1' });
        assert.equal(watcher.state.shot, 'none');
        await closePage(page);
    });
});

/** Runs in the page. */
function recordVibrations() {
    globalThis.felt = [];
    navigator.vibrate = (pattern) => globalThis.felt.push(pattern);
}
