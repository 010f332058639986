/** What people see: hostile names, boxes that fit, languages, keyboards, files without a server. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { closePage, openBrowser, openPage, PHONE, TV } from './browser.mjs';
import { Harbour, pageDir } from './servers.mjs';
import { closeAll, DEADLINE_MS, until } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

const HOSTILE = [
    '<script>alert(1)</script><img src=x>',
    '‮מלכת הים האדומה',
    'W'.repeat(39),
    '"><b onclick=1>&amp;{player}',
];

/** Boxes that stick out of the screen sideways, or texts that are cut off where they must not be. */
function overflowing() {
    const seen = (element) => element.checkVisibility?.() ?? true;
    const wide = [...document.querySelectorAll('#page *')].filter((element) => {
        const box = element.getBoundingClientRect();
        const isHidden = element.closest('.unseen, .confetti, svg svg') || !seen(element);
        return !isHidden && box.width > 0 && (box.right > innerWidth + 1 || box.left < -1);
    });
    return wide.map((element) => element.outerHTML.slice(0, 120));
}

/** Pairs of things beside each other that cover one another. */
function overlapping(selectors) {
    const boxes = selectors.flatMap((selector) =>
        [...document.querySelectorAll(selector)].map((element) => [
            `${selector} ${element.textContent.slice(0, 20)}`,
            element.getBoundingClientRect(),
        ]),
    );
    const pairs = boxes.flatMap(([name, a], i) =>
        boxes.slice(i + 1).flatMap(([other, b]) => {
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            return across > 1 && down > 1 ? [`${name} / ${other}`] : [];
        }),
    );
    return pairs;
}

/** On a TV nobody scrolls: what is not on the screen is not there. */
function belowScreen(selector) {
    return [...document.querySelectorAll(selector)]
        .filter((element) => element.getBoundingClientRect().bottom > innerHeight + 1)
        .map((element) => element.textContent.slice(0, 40));
}

const VIEWPORTS = [TV, { width: 1280, height: 720 }, PHONE, { width: 320, height: 568 }];
const ON_TV = '.player, .fleet .piece, .log';
const SIDE_BY_SIDE = [
    '.turn',
    '.celebration',
    '.scenario',
    '.player',
    '.log',
    '.alerts p',
    'header.bar',
];
const INSIDE_A_CARD = [
    '.player > header',
    '.score',
    '.fleet .piece',
    '.trophies',
    '.steps li',
    '.turn h1',
];

describe('the page', () => {
    let browser;
    let harbour;
    let watcher;

    before(async () => {
        harbour = await Harbour.open();
        await harbour.startTable('den', { timing: { shot_window_ms: 60000 } });
        watcher = await Watcher.open(harbour, 'den');
        browser = await openBrowser();
    });

    after(() =>
        closeAll(
            () => browser.close(),
            () => watcher.close(),
            () => harbour.close(),
        ),
    );

    async function open(hash, options = {}) {
        const page = await openPage(browser, `${harbour.pageUrl}#table=den${hash}`, options);
        page.setDefaultTimeout(DEADLINE_MS);
        return page;
    }

    async function expectFit(page, where) {
        assert.deepEqual(await page.evaluate(overflowing), [], `${where}: nothing sticks out`);
        assert.deepEqual(await page.evaluate(overlapping, SIDE_BY_SIDE), [], where);
        assert.deepEqual(await page.evaluate(overlapping, INSIDE_A_CARD), [], where);
    }

    test('shows hostile names as text, in every view', async () => {
        const players = HOSTILE.map((name) => ({ name: name.slice(0, 39) }));
        await watcher.must('new-game', { first: 3, abandon: true, players });
        for (const view of ['board', 'captain', 'table', 'lobby']) {
            const page = await open(`&view=${view}`);
            await page.locator('main').first().waitFor();
            await until('the names', () =>
                page.evaluate(() => document.body.innerText.includes('W')),
            );
            assert.equal(await page.locator('#page script, #page img, #page b').count(), 0, view);
            await closePage(page);
        }
        const tv = await open('');
        await tv.locator('.player').first().waitFor();
        assert.deepEqual(
            await tv.locator('.player h2').allTextContents(),
            players.map(({ name }) => name),
        );
        await closePage(tv);
    });

    test('fits a TV and a phone, with the longest names, all alerts and many trophies', async () => {
        const players = HOSTILE.map((name) => ({ name: name.slice(0, 39) }));
        await watcher.must('new-game', {
            first: 1,
            abandon: true,
            players,
            scenario: 'merchant',
            rules: 'basic',
            teams: true,
        });
        await watcher.must('fire');
        for (const piece of ['blue-1', 'blue-2', 'blue-3', 'yellow-1', 'yellow-2', 'yellow-3']) {
            await watcher.must('topple', { piece });
        }
        await watcher.must('end-phase');
        await watcher.must('topple', { piece: 'green-1' });
        await watcher.must('roll-move', { value: 3 });
        await watcher.must('select', { piece: 'red-1' });
        for (const view of ['board', 'captain', 'table', 'lobby']) {
            const page = await open(`&view=${view}`);
            await page.locator('.player, .captain .whose, .sea, [data-table]').first().waitFor();
            await page.locator('[data-alert=put-up]').waitFor();
            for (const viewport of VIEWPORTS) {
                const where = `${view} at ${viewport.width}x${viewport.height}`;
                await page.setViewportSize(viewport);
                await expectFit(page, where);
                if (view === 'board' && viewport.width > viewport.height) {
                    assert.deepEqual(await page.evaluate(belowScreen, ON_TV), [], where);
                }
            }
            await closePage(page);
        }
    });

    test('fits in the end too, in the dark and in every language', async () => {
        await watcher.must('new-game', {
            first: 1,
            abandon: true,
            players: [{ name: 'W'.repeat(39) }, { name: 'Ben' }],
        });
        await watcher.must('fire');
        for (const colour of ['green', 'yellow']) {
            for (const piece of ['1', '2', '3', 'tower']) {
                await watcher.must('topple', { piece: `${colour}-${piece}` });
            }
        }
        for (const lang of ['en', 'de', 'cs']) {
            const page = await open(`&lang=${lang}`, { colorScheme: 'dark' });
            await page.locator('.celebration').waitFor();
            assert.equal(await page.locator('html').getAttribute('lang'), lang);
            for (const viewport of VIEWPORTS) {
                await page.setViewportSize(viewport);
                await expectFit(page, `${lang} ${viewport.width}`);
            }
            await closePage(page);
        }
    });

    test('fits before a game, with the drawing for every scenario', async () => {
        await harbour.startTable('new');
        const page = await openPage(browser, `${harbour.pageUrl}#table=new&lang=de`);
        await page.locator('.setup').waitFor();
        for (const viewport of [TV, PHONE]) {
            await page.setViewportSize(viewport);
            for (const input of await page.locator('input[name=setup-scenario]').all()) {
                await input.check({ force: true });
                assert.deepEqual(await page.evaluate(overflowing), []);
            }
        }
        await closePage(page);
        await harbour.endTable('new');
    });

    test('is played with the keyboard alone, and told to screen readers', async () => {
        await watcher.must('new-game', {
            first: 1,
            abandon: true,
            players: [{ name: 'Anna' }, {}],
        });
        const page = await open('&view=captain', { viewport: PHONE });
        await page.locator('button[data-verb=fire]').focus();
        await page.keyboard.press('Enter');
        await until(
            'it is told',
            async () =>
                (await page.locator('[data-announcer][aria-live=polite]').textContent()) ===
                'Anna fires!',
        );
        await page.locator('button[data-verb=end-phase]').press(' ');
        await page.locator('button[data-verb=roll-move][data-value="2"]').press('Enter');
        await watcher.see('the roll', ({ state }) => state.die === 2);
        const nameless = await page.evaluate(() =>
            [...document.querySelectorAll('button, a, select, input')]
                .filter(
                    (each) => !(each.textContent.trim() || each.ariaLabel || each.labels?.length),
                )
                .map((each) => each.outerHTML),
        );
        assert.deepEqual(nameless, []);
        await closePage(page);
    });

    test('shows the sentence when something is refused anyway', async () => {
        await watcher.must('new-game', {
            first: 1,
            abandon: true,
            players: [{ name: 'Anna' }, {}],
        });
        const page = await open('&view=captain', { viewport: PHONE });
        await page.locator('button[data-verb=fire]').waitFor();
        // A finger that is late: the button is there no more, but was when the tap began.
        const aim = await page.locator('button[data-verb=aim][data-piece=red-1]').elementHandle();
        await watcher.must('fire');
        await aim.evaluate((button) => button.click());
        await page.locator('.refusal[data-error=not-in-phase]').waitFor();
        assert.match(await page.locator('.refusal').textContent(), /The shot of this turn/);
        await closePage(page);
    });

    test('asks for confirmation before a game is abandoned, and for nothing else', async () => {
        await watcher.must('new-game', {
            first: 1,
            abandon: true,
            players: [{ name: 'Anna' }, {}],
        });
        const { game } = watcher.state;
        const page = await open('&view=captain', { viewport: PHONE });
        await page.getByRole('button', { name: 'Abandon this game' }).click();
        await page.getByRole('button', { name: 'Yes, abandon it' }).click();
        await page.locator('form.new-game button[data-verb=new-game]').click();
        await watcher.see(
            'a new game',
            ({ state }) => state.game !== game && state.phase === 'shooting',
        );
        await page.locator('.captain .whose').waitFor();
        await closePage(page);
    });

    test('lets the daemon roll when the dice are its own', async () => {
        await watcher.must('new-game', {
            first: 1,
            abandon: true,
            dice: 'daemon',
            players: [{}, {}],
        });
        await watcher.must('end-phase');
        const page = await open('&view=captain', { viewport: PHONE });
        await page.locator('button[data-verb=roll-move]').click();
        await watcher.see('a roll', ({ state }) => state.die !== null);
        await closePage(page);
    });

    test('offers the faces of house dice', async () => {
        await harbour.startTable('house', { house: { move_die: '2,4,4', combat_die: 'flag' } });
        const family = await Watcher.open(harbour, 'house');
        await family.must('new-game', { first: 1, players: [{}, {}] });
        await family.must('end-phase');
        const page = await openPage(browser, `${harbour.pageUrl}#table=house&view=captain`);
        const dice = page.locator('button.die');
        await dice.first().waitFor();
        assert.deepEqual(await dice.allTextContents(), ['2', '4']);
        await closePage(page);
        await family.close();
        await harbour.endTable('house');
    });

    test('opened from disk asks for the broker, and then shows the table', async () => {
        const page = await openPage(browser, pathToFileURL(`${pageDir}/scoreboard.html`).href);
        await page.locator('#broker').fill('http://nonsense');
        await page.getByRole('button', { name: 'Connect' }).click();
        await page.getByText('That is no websocket address.').waitFor();
        await page.locator('#broker').fill(`127.0.0.1:${harbour.wsPort}`);
        await page.getByRole('button', { name: 'Connect' }).click();
        await page.locator('[data-table=den]').click();
        await page.locator('.player').first().waitFor();
        await closePage(page);
    });

    test('needs nothing from elsewhere', async () => {
        const context = await browser.newContext();
        const page = await context.newPage();
        const asked = [];
        page.on('request', (request) => asked.push(request.url()));
        await page.goto(`${harbour.pageUrl}#table=den`);
        await page.locator('.player').first().waitFor();
        const others = asked.filter(
            (url) => !url.startsWith('data:') && !url.startsWith(harbour.pageUrl),
        );
        assert.deepEqual(others, []);
        await context.close();
    });

    test('lists all tables of the broker, and leads to each', async () => {
        await harbour.startTable('attic');
        const page = await openPage(browser, harbour.pageUrl);
        await page.locator('[data-table=den]').waitFor();
        await page.locator('[data-table=attic]').click();
        await page.locator('.setup').waitFor();
        assert.match(page.url(), /table=attic/);
        await closePage(page);
        await harbour.endTable('attic');
    });
});
