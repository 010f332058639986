/** From the lobby to the first shot, and on to the next game: on a TV, a phone and the virtual table. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { usualWish, wishFrom } from '../../scoreboard/src/newgame.js';
import { isWish } from '../../scoreboard/src/payload.js';
import { qrCode } from '../../scoreboard/src/qr.js';
import { formOf, sharedWish } from '../../scoreboard/src/shared_form.js';
import { piecesOf } from '../../scoreboard/src/words.js';
import { closePage, openBrowser, openPage, PHONE, TV } from './browser.mjs';
import { Harbour } from './servers.mjs';
import { closeAll, until } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

const FAMILY = {
    game: { scenario: 'treasure-island', rules: 'advanced', dice: 'daemon' },
    'player.1': { name: 'Anna' },
    'player.2': { name: 'Ben' },
    'player.3': { name: 'Cleo' },
};

/** Of a game, what its form contains. */
const settingsOf = ({ players, rules, scenario, dice }) => ({
    names: players.map(({ name }) => name),
    rules,
    scenario,
    dice,
});

const CONFIGURED = {
    names: ['Anna', 'Ben', 'Cleo'],
    rules: 'advanced',
    scenario: 'treasure-island',
    dice: 'daemon',
};

describe('the form of a new game', () => {
    const players = [
        { name: 'Anna', harbours: ['green'], team: null },
        { name: 'Player 2', harbours: ['red'], team: null },
        { name: 'Cleo', harbours: ['blue'], team: null },
    ];
    const defaults = {
        rules: 'advanced',
        scenario: 'kraken',
        teams: false,
        dice: 'table',
        players,
    };
    const info = { defaults };

    test('is filled in from the configuration, with its colours', () => {
        const wish = wishFrom({ ...defaults, first: 2 });
        assert.deepEqual(wish.names, ['Anna', '', 'Cleo', '']);
        assert.deepEqual(wish.colours, ['green', 'red', 'blue', 'yellow']);
        assert.deepEqual([wish.playerCount, wish.first, wish.scenario], [3, 2, 'kraken']);
    });

    test('keeps what was entered until the configuration changes', () => {
        const table = { info, state: null, form: null };
        const entered = { ...usualWish(), scenario: 'merchant' };
        const form = formOf(table, entered);
        assert.equal(sharedWish({ ...table, form }).scenario, 'merchant');
        const changed = { defaults: { ...defaults, scenario: 'heavy-wind' } };
        assert.equal(sharedWish({ ...table, form, info: changed }).scenario, 'heavy-wind');
    });

    test('has the last game, if nobody has entered one', () => {
        const state = { ...defaults, phase: 'over', scenario: 'merchant' };
        assert.equal(sharedWish({ info, state, form: null }).scenario, 'merchant');
        assert.equal(sharedWish({ info, state: null, form: null }).scenario, 'kraken');
    });

    test('is empty for a table without a configuration', () => {
        assert.deepEqual(sharedWish({ info: null, state: null, form: null }), usualWish());
    });
});

describe('a QR code', () => {
    // These rows were read by zbarimg 0.23.
    test('is drawn as readers expect it', () => {
        const rows = qrCode('http://a').map((row) =>
            row.map((dark) => (dark ? '#' : '.')).join(''),
        );
        assert.deepEqual(rows, [
            '#######...#.#.#######',
            '#.....#.....#.#.....#',
            '#.###.#.#.#...#.###.#',
            '#.###.#.....#.#.###.#',
            '#.###.#..#.##.#.###.#',
            '#.....#..###..#.....#',
            '#######.#.#.#.#######',
            '........#.#..........',
            '###.#####.#.###...#..',
            '#..#....#.##.#.##...#',
            '.##.######.#.####.###',
            '.##.##....####..#..#.',
            '..#.#.###.##..##.#...',
            '........##....###..##',
            '#######.#.#.#...#.###',
            '#.....#.#.#...#.#..#.',
            '#.###.#.###.#.##.#...',
            '#.###.#...##.#.###.#.',
            '#.###.#.####.##.#.#.#',
            '#.....#.######.###.#.',
            '#######.##.#.##..#.##',
        ]);
    });

    test('is left out when the address is too long', () => {
        assert.equal(qrCode('x'.repeat(134)).length, 41);
        assert.equal(qrCode('x'.repeat(135)), null);
    });
});

describe('from the lobby to the first shot', () => {
    let browser;
    let harbour;
    let watcher;

    before(async () => {
        browser = await openBrowser();
    });

    after(() => browser.close());

    beforeEach(async () => {
        harbour = await Harbour.open();
        await harbour.startTable('den', { ...FAMILY, timing: { shot_window_ms: 60000 } });
        watcher = await Watcher.open(harbour, 'den');
    });

    afterEach(() => closeAll(watcher, harbour));

    const open = (view, viewport) =>
        openPage(browser, `${harbour.pageUrl}#table=den&view=${view}`, { viewport });

    const started = (game) =>
        watcher.see('a game', ({ state }) => state.phase === 'shooting' && state.game !== game);

    /** Anna wins with one shot, if that is allowed. */
    async function playToTheEnd() {
        const players = ['Anna', 'Ben', 'Cleo'].map((name) => ({ name }));
        await watcher.must('new-game', { first: 1, rules: 'basic', scenario: 'kraken', players });
        await watcher.must('fire');
        for (const piece of piecesOf('blue')) {
            await watcher.must('topple', { piece });
        }
        await watcher.must('end-phase');
    }

    for (const [view, viewport] of [
        ['board', TV],
        ['captain', PHONE],
        ['table', TV],
    ]) {
        test(`one tap in the view ${view} starts the configured game`, async () => {
            const page = await open(view, viewport);
            await page.locator('input[name=name-3]').waitFor();
            await page.locator('[data-verb=new-game]').click();
            await started(null);
            assert.deepEqual(settingsOf(watcher.state), CONFIGURED);
            await closePage(page);
        });
    }

    test('what was chosen in one view is still chosen in the next', async () => {
        const page = await open('board', TV);
        await page.locator('input[name=scenario][value=merchant]').check({ force: true });
        await page.goto(`${harbour.pageUrl}#table=den&view=captain`);
        await page.locator('.captain form').waitFor();
        await page.locator('[data-verb=new-game]').click();
        await started(null);
        assert.deepEqual(settingsOf(watcher.state), { ...CONFIGURED, scenario: 'merchant' });
        await closePage(page);
    });

    test('a TV shows what a phone enters, and no form that nobody can reach', async () => {
        const tv = await open('board&tv', TV);
        const phone = await open('captain', PHONE);
        await tv.getByText('start the game on the phone').waitFor();
        assert.equal(await tv.locator('.new-game').count(), 0);
        await phone.locator('input[name=name-2]').fill('Xaver');
        await tv.locator('.who-plays').getByText('Xaver').waitFor();
        await tv.locator('[data-here]').click();
        const name = tv.locator('input[name=name-2]');
        assert.equal(await name.inputValue(), 'Xaver');
        await name.fill('Yves');
        await until('it on the phone', async () =>
            (await phone.locator('input[name=name-2]').inputValue()) === 'Yves');
        await tv.locator('[data-verb=new-game]').click();
        await started(null);
        await closePage(phone);
        await closePage(tv);
    });

    test('a TV shows the next game as soon as somebody enters it', async () => {
        await playToTheEnd();
        const tv = await open('board&tv', TV);
        await tv.getByRole('heading', { name: 'Anna won!' }).waitFor();
        const phone = await open('captain', PHONE);
        await phone.locator('[data-other-game]').click();
        await phone.locator('input[name=name-1]').fill('Xaver');
        await phone.locator('input[name=name-2]').fill('Yves');
        await tv.locator('.who-plays').getByText('Yves').waitFor();
        await closePage(phone);
        await closePage(tv);
    });

    test('a form that no page has sent is ignored', () => {
        const wish = usualWish();
        assert.equal(isWish(wish), true);
        for (const wrong of [
            { playerCount: 5 },
            { names: ['', '', ''] },
            { names: 'Anna' },
            { names: null },
            { names: ['x'.repeat(41), '', '', ''] },
            { colours: ['red', 'red', 'blue', 'green'] },
            { teamOf: [1, 2, 3, 1] },
            { rules: 'none' },
            { scenario: '__proto__' },
            { dice: 'loaded' },
            { first: 9 },
        ]) {
            assert.equal(isWish({ ...wish, ...wrong }), false, JSON.stringify(wrong));
        }
    });

    test('a game that leads nowhere is abandoned at the virtual table', async () => {
        await watcher.must('new-game', { first: 1, players: [{ name: 'A' }, { name: 'B' }] });
        const { game } = watcher.state;
        const page = await open('table', TV);
        await page.locator('[data-abandon]').click();
        await page.locator('[data-answer=yes]').click();
        await page.locator('[data-cancel]').click(); // on second thoughts
        await page.locator('[data-abandon]').click();
        await page.locator('[data-answer=yes]').click();
        await page.locator('[data-verb=new-game]').click();
        await started(game);
        await page.locator('.sea').waitFor();
        await closePage(page);
    });

    test('the key that ends a name starts no game, and names differ', async () => {
        const page = await open('captain', PHONE);
        await page.locator('input[name=name-1]').fill('Ben');
        await page.locator('input[name=name-1]').press('Enter');
        await page.locator('input[name=name-2]:focus').waitFor();
        await page.getByText('Two players have the same name').waitFor();
        assert.equal(await page.locator('[data-verb=new-game]').isDisabled(), true);
        assert.equal(watcher.state.phase, 'lobby');
        await closePage(page);
    });

    test('three players with yellow have their harbour, clockwise', async () => {
        const players = ['yellow', 'red', 'green'].map((colour, i) => ({ name: `P${i}`, harbours: [colour] }));
        await watcher.must('new-game', { first: 1, scenario: 'none', players });
        const page = await open('table', TV);
        await page.locator('.sea-piece[data-piece=yellow-tower]').waitFor();
        assert.equal(await page.locator('.sea-piece').count(), 12);
        const names = await page.locator('.harbour text').allTextContents();
        assert.deepEqual(names, ['Yellow', 'Red', 'Green']);
        await closePage(page);
    });

    test('the form can be reset to the configuration', async () => {
        const page = await open('captain', PHONE);
        await page.locator('input[name=players][value="2"]').check({ force: true });
        await page.locator('[data-configured]').click();
        await page.locator('[data-answer=yes]').click();
        await page.locator('[data-verb=new-game]').click();
        await started(null);
        assert.deepEqual(settingsOf(watcher.state), CONFIGURED);
        await closePage(page);
    });

    for (const [view, viewport] of [
        ['board', TV],
        ['captain', PHONE],
    ]) {
        test(`after a game the view ${view} shows the winner, and one tap is a rematch`, async () => {
            await playToTheEnd();
            const { game } = watcher.state;
            const page = await open(view, viewport);
            await page.getByRole('heading', { name: 'Anna won!' }).waitFor();
            await page.locator('[data-verb=rematch]').click();
            await started(game);
            const { rules, scenario, names } = settingsOf(watcher.state);
            assert.deepEqual(
                [rules, scenario, ...names],
                ['basic', 'kraken', 'Anna', 'Ben', 'Cleo'],
            );
            await closePage(page);
        });
    }

    test('after a game another one can be set up', async () => {
        await playToTheEnd();
        const { game } = watcher.state;
        const page = await open('captain', PHONE);
        await page.locator('[data-other-game]').click();
        await page.locator('input[name=scenario][value=merchant]').check({ force: true });
        await page.locator('[data-verb=new-game]').click();
        await started(game);
        assert.equal(watcher.state.scenario, 'merchant');
        await closePage(page);
    });

    test('whoever looks at the login form of a table without logins gets back', async () => {
        const page = await open('lobby', PHONE);
        await page.locator('[data-login]').click();
        await page.locator('#user').waitFor();
        await page.locator('[data-guest]').click();
        await page.locator('[data-table=den]').waitFor();
        await page.goto(`${harbour.pageUrl}#table=den&view=captain`);
        await page.getByRole('link', { name: '‹ Tables' }).click();
        await page.locator('[data-table=den]').waitFor();
        await closePage(page);
    });

    test('a TV that phones can reach shows its address as a QR code, without the login', async () => {
        const near = await open('board', TV);
        await near.locator('form.new-game').waitFor();
        assert.equal(await near.locator('.qr').count(), 0, 'nothing else reaches 127.0.0.1');
        await closePage(near);
        // Chromium resolves every name below localhost to this computer.
        const url = new URL(`${harbour.pageUrl}#table=den&user=anna&password=secret`);
        url.hostname = 'pi.localhost';
        const tv = await openPage(browser, `${url.href}&lang=de`);
        await tv.locator('.qr').waitFor();
        url.hash = 'table=den&view=captain';
        const expected = qrCode(url.href).flat().filter(Boolean).length;
        const drawn = await tv.locator('.qr path').getAttribute('d');
        assert.equal(drawn.match(/M/g).length, expected);
        await tv.setViewportSize({ width: 1280, height: 720 });
        const { y } = await tv.locator('.join figcaption').boundingBox();
        const above = await tv.locator('.how-to').boundingBox();
        assert.ok(y >= above.y + above.height, `the words at ${y}, over those at ${above.y}`);
        await closePage(tv);
    });
});
