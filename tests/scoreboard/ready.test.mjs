/** What the table's ready check says, shown to those who set up the table or play at it. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { emptyTable, receive } from '../../scoreboard/src/model.js';
import { usualWish } from '../../scoreboard/src/newgame.js';
import { isStartChecked, whatContradicts, whatIsMissing } from '../../scoreboard/src/ready.js';
import { Texts } from '../../scoreboard/src/texts.js';
import { piecesOf, sensorPath } from '../../scoreboard/src/words.js';
import { expectFit } from './boxes.mjs';
import { closePage, openBrowser, openPage, PHONE, TV } from './browser.mjs';
import { Harbour } from './servers.mjs';
import { closeAll } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

function tableThatSays(check, ...problems) {
    const ready = { v: 1, check, ready: problems.length === 0, autostart: false, problems };
    const online = receive(emptyTable('den'), 'status', 'online');
    return receive(online, 'ready', JSON.stringify(ready));
}

function problem(sensor, piece = null, blocks = true) {
    return { sensor, piece, blocks, message: `${sensor}!` };
}

describe('the ready check', () => {
    const wish = { ...usualWish(), playerCount: 3, scenario: 'sea-monster' };
    const kinds = (table) => whatIsMissing(table, wish).map(({ kind }) => kind);

    test('is content with a table that says nothing bad', () => {
        assert.deepEqual(kinds(tableThatSays('start')), []);
        assert.ok(isStartChecked(tableThatSays('start')));
    });

    test('says nothing before the table did, or while a game is played', () => {
        assert.ok(!isStartChecked(emptyTable('den')));
        const inGame = tableThatSays('resume', problem('cannon.beam'));
        assert.deepEqual([isStartChecked(inGame), kinds(inGame)], [false, []]);
    });

    test('is about the pieces that take part, and about what has none', () => {
        const table = tableThatSays(
            'start',
            problem('red-1.tilt', 'red-1'),
            problem('yellow-1.tilt', 'yellow-1'),
            problem('monster.tilt', 'monster'),
            problem('pirate.tilt', 'pirate'),
            problem('cannon.beam'),
            problem('rope.a'),
            problem('red-tower.beam', 'red-tower'),
            problem('new.thing'),
        );
        assert.deepEqual(kinds(table), ['lying', 'lying', 'cannon', 'rope', 'beam', null]);
    });

    test('does not let a sensor that is not well block a game', () => {
        const [faulty] = whatIsMissing(
            tableThatSays('start', problem('rope.a', null, false)),
            wish,
        );
        assert.deepEqual([faulty.kind, faulty.blocks], ['faulty', false]);
    });

    test('knows a full disk and a controller that is off', () => {
        const info = JSON.stringify({ storage: 'No space left on device', faults: [] });
        const full = receive(tableThatSays('start'), 'info', info);
        assert.deepEqual(kinds(receive(full, 'status', 'offline')), ['offline', 'storage']);
    });

    test('tells in a game what stands in a beam; its pieces are in the state', () => {
        const table = tableThatSays(
            'resume',
            problem('red-1.tilt', 'red-1'),
            problem('cannon.beam'),
            problem('rope.a', null, false),
        );
        assert.deepEqual(
            whatContradicts(table).map(({ kind }) => kind),
            ['cannon'],
        );
    });
});

describe('a sensor', () => {
    test('has a name in every language, whatever it is', () => {
        const texts = new Texts('en');
        const names = ['blue-2.tilt', 'cannon.beam2', 'rope.b', 'harbour.red.dock', 'button.undo'];
        assert.deepEqual(
            [...names, 'pirate.beam', 'odd'].map((name) => texts.sensor(name)),
            [
                'Tilt sensor of Blue 2',
                'Cannon beam',
                'Rope sensor',
                'Red dock sensor',
                'Button undo',
                'Beam of Pirate ship',
                'Sensor odd',
            ],
        );
    });

    test('that is not well is told with what to do', () => {
        const texts = new Texts('en');
        for (const health of ['stuck', 'chattering', 'impossible', 'silent']) {
            assert.match(texts.fault('red-1.tilt', health), /^Tilt sensor of Red 1 .*: \w+/);
        }
        assert.equal(texts.fault('red-1.tilt', 'new'), 'Tilt sensor of Red 1 has a fault.');
    });
});

describe('a table that is not ready', () => {
    let browser;
    let harbour;
    let watcher;
    let page;
    let table;
    let count = 0;

    before(async () => {
        harbour = await Harbour.open();
        browser = await openBrowser();
    });

    after(() => closeAll(browser, harbour));

    beforeEach(async () => {
        table = `table-${++count}`;
        await harbour.startTable(table);
        watcher = await Watcher.open(harbour, table);
    });

    afterEach(() => closeAll(() => closePage(page), watcher, () => harbour.endTable(table)));

    async function open(hash, viewport = PHONE) {
        page = await openPage(browser, `${harbour.pageUrl}#table=${table}${hash}`, { viewport });
    }

    const edge = (sensor, level) =>
        watcher.client.publishAsync(
            `shipahoy/${table}/sim/${sensorPath(sensor)}`,
            String(level),
            { qos: 1 },
        );

    test('says what to do in every language, and starts anyway only then', async () => {
        await open('&view=captain&lang=de');
        const start = page.locator('button[data-verb=new-game]');
        await page.locator('.ready').waitFor();
        await edge('blue-2.tilt', 1);
        await page.getByText('Blau 2 liegt auf der Seite: bitte aufstellen.').waitFor();
        assert.equal(await start.textContent(), 'Trotzdem starten');
        await expectFit(page, 'not ready');
        await edge('blue-2.tilt', 0);
        await page.locator('.ready').waitFor();
        assert.equal(await start.textContent(), 'Spiel starten');
    });

    test('leaves out what does not take part', async () => {
        await edge('yellow-2.tilt', 1);
        await open('&view=captain');
        await page.locator('[data-missing=lying]').waitFor();
        await page.locator('input[name=players][value="3"]').check({ force: true });
        await page.locator('.ready').waitFor();
        await page.locator('input[name=players][value="2"]').check({ force: true });
        await page.locator('button[data-anyway=true]').click();
        await watcher.see('a game', ({ state }) => state.phase === 'shooting');
    });

    test('is told in a game too, with what to do', async () => {
        await watcher.must('new-game', { players: [{}, {}] });
        await open('', TV);
        await edge('cannon.beam', 1);
        const alert = page.locator('[data-alert=contradiction]');
        await alert.waitFor();
        assert.match(await alert.textContent(), /beam of the cannon is blocked: clear it/);
        await edge('cannon.beam', 0);
        await alert.waitFor({ state: 'detached' });
    });

    test('asks once more when a running game is left and something lies', async () => {
        await watcher.must('new-game', { first: 1, players: [{}, {}] });
        const { game } = watcher.state;
        await edge('green-1.tilt', 1);
        await watcher.see('it lies', ({ state }) => state.pieces['green-1'].disturbed);
        await open('&view=captain');
        await page.getByRole('button', { name: 'Abandon this game' }).click();
        await page.getByRole('button', { name: 'Yes, abandon it' }).click();
        await page.locator('button[data-verb=new-game]').click();
        await page.locator('.refusal[data-error=not-ready]').waitFor();
        await page.locator('button[data-anyway=true]').click();
        await watcher.see('a new game', ({ state }) => state.game !== game);
    });

    test('is put in order at the virtual table before the first game', async () => {
        await open('&view=table', TV);
        await page.locator('.ready').waitFor();
        await Promise.all(['red-1', 'blue-tower'].map((piece) => edge(`${piece}.tilt`, 1)));
        await page.getByText('Stand these up: Red 1 and Blue tower.').waitFor();
        await page.locator('[data-hand=tidy-up]').click();
        await page.locator('.ready').waitFor();
    });

    test('is put in order at the virtual table by itself after a game', async () => {
        await watcher.must('new-game', { first: 1, players: [{}, {}] });
        await watcher.must('fire');
        for (const piece of [...piecesOf('green'), ...piecesOf('yellow')]) {
            await watcher.must('topple', { piece });
        }
        await watcher.must('end-phase');
        await edge('green-1.tilt', 1);
        await open('&view=table', TV);
        await page.locator('[data-other-game]').click();
        await page.locator('.ready').waitFor();
    });

    /** Runs in the page: as soon as the form is there, what gets the focus is clear of its button. */
    const seeForm = () => {
        window.isClear = new Promise((resolve) => {
            new MutationObserver(() => {
                const start = document.querySelector('.new-game .start');
                const { scrollPaddingBottom } = getComputedStyle(document.documentElement);
                if (start) {
                    resolve(parseFloat(scrollPaddingBottom) >= start.offsetHeight);
                }
            }).observe(document.body, { childList: true, subtree: true });
        });
    };

    test('keeps the focus clear of the start button from the first moment on', async () => {
        await open('');
        await page.goto(`${harbour.pageUrl}#table=late`);
        await page.locator('.new-game').waitFor({ state: 'detached' });
        await page.evaluate(seeForm);
        await watcher.client.publishAsync('shipahoy/late/state', JSON.stringify(watcher.state), {
            retain: true,
        });
        assert.ok(await page.evaluate(() => window.isClear));
    });

    test('names sensors that are not well, and does not fill the screen with them', async () => {
        const say = (topic, value) =>
            watcher.client.publishAsync(`shipahoy/sick/${topic}`, JSON.stringify(value), {
                retain: true,
            });
        await say('sensor/blue-2/tilt', { value: 0, health: 'silent', edges: 0 });
        await say('sensor/cannon/beam', { value: 1, health: 'impossible', edges: 0 });
        const faults = ['blue-2.tilt', 'cannon.beam', 'rope.a', 'rope.b'];
        await say('info', { backend: 'sim', storage: null, faults });
        await say('state', watcher.state);
        await open('');
        await page.goto(`${harbour.pageUrl}#table=sick`);
        const alert = page.locator('[data-alert=fault]');
        await alert.getByText(/Cannon beam contradicts another sensor/).waitFor();
        await alert.getByText(/Tilt sensor of Blue 2 does not respond: check/).waitFor();
        assert.match(await alert.textContent(), /And 2 more sensors\./);
        await expectFit(page, 'with faults');
    });
});
