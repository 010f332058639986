/** What people see: hostile names, boxes that fit, languages, keyboards, files without a server. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { piecesOf } from '../../scoreboard/src/words.js';
import { expectAtHand, expectFit, expectOnScreen } from './boxes.mjs';
import { closePage, openPage, PHONE, SMALL_PHONE, TV } from './browser.mjs';
import { browser, harbour, useTable, watcher } from './open_table.mjs';
import { pageDir } from './servers.mjs';
import { until } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

const HOSTILE = [
    '<script>alert(1)</script><img src=x>',
    '‮מלכת הים האדומה',
    'W'.repeat(40),
    `"><b onclick=1>&amp;{player}${'⛵'.repeat(12)}`,
];

const VIEWPORTS = [TV, { width: 1280, height: 720 }, PHONE, SMALL_PHONE];

/** What a view shows of a game that is played. */
const SHOWN_IN = {
    board: '.player',
    captain: '.captain .whose',
    table: '.sea-piece',
    lobby: '[data-table]',
};

describe('the page', () => {
    useTable();

    const at = (hash) => `${harbour.pageUrl}#table=den${hash}`;

    const open = (hash, options = {}) => openPage(browser, at(hash), options);

    /** Goes to each view in turn, once it shows the game. */
    async function visit(page, look) {
        for (const [view, selector] of Object.entries(SHOWN_IN)) {
            await page.goto(at(`&view=${view}`));
            await page.locator(selector).first().waitFor();
            await look(view);
        }
    }

    async function speak(page, look, view = 'board') {
        for (const lang of ['en', 'de', 'cs']) {
            await page.goto(at(`&view=${view}&lang=${lang}`));
            await page.locator(`html[lang=${lang}]`).waitFor();
            await look(lang);
        }
    }

    test('shows hostile names as text, in every view', async () => {
        const players = HOSTILE.map((name) => ({ name: name.slice(0, 40) }));
        await watcher.must('new-game', { first: 3, abandon: true, players });
        const page = await open('');
        await visit(page, async (view) => {
            await until('the names', () =>
                page.evaluate(() => document.body.innerText.includes('W')),
            );
            assert.equal(await page.locator('#page script, #page img, #page b').count(), 0, view);
        });
        await page.goto(at(''));
        await page.locator('.player').first().waitFor();
        assert.deepEqual(
            await page.locator('.player h2').allTextContents(),
            players.map(({ name }) => name),
        );
        await closePage(page);
    });

    test('fits a TV and a phone, with long names, alerts and many trophies', async () => {
        const players = HOSTILE.map((name) => ({ name: name.slice(0, 40) }));
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
        const page = await open('');
        await visit(page, async (view) => {
            await page.locator('[data-alert=put-up], .group.alarm').waitFor();
            for (const viewport of VIEWPORTS) {
                const where = `${view} at ${viewport.width}x${viewport.height}`;
                await page.setViewportSize(viewport);
                await expectFit(page, where);
                if (view === 'board' && viewport.width > viewport.height) {
                    await expectOnScreen(page, where);
                }
            }
        });
        await closePage(page);
    });

    test('fits in the end too, in the dark and in every language', async () => {
        await watcher.must('new-game', {
            first: 1,
            abandon: true,
            anyway: true,
            teams: true,
            players: HOSTILE.map((name) => ({ name: name.slice(0, 40) })),
        });
        await watcher.must('fire');
        for (const piece of piecesOf('blue')) {
            await watcher.must('topple', { piece });
        }
        await watcher.must('end-phase'); // E1: the game ends with the shot
        const page = await open('', { colorScheme: 'dark' });
        await page.locator('.celebration').waitFor();
        await speak(page, async (lang) => {
            for (const viewport of VIEWPORTS) {
                await page.setViewportSize(viewport);
                await expectFit(page, `${lang} ${viewport.width}`);
                if (viewport.width > viewport.height) {
                    await expectOnScreen(page, `${lang} ${viewport.width}`);
                }
            }
        });
        for (const view of ['captain', 'table']) {
            await page.goto(at(`&view=${view}`));
            await page.locator('.game-over').waitFor();
            for (const viewport of VIEWPORTS) {
                await page.setViewportSize(viewport);
                await expectFit(page, `${view} at ${viewport.width}`);
            }
        }
        await closePage(page);
    });

    test('has its views in one row on a phone, in every language', async () => {
        const page = await open('&view=captain');
        await page.locator('nav a').nth(3).waitFor();
        const look = async (lang) => {
            for (const width of [320, 360, 390, 400, 430]) {
                await page.setViewportSize({ width, height: 844 });
                const rows = await page.evaluate(() => {
                    const links = [...document.querySelectorAll('nav a')].filter((link) =>
                        link.checkVisibility(),
                    );
                    const heights = links.map((link) => link.getBoundingClientRect());
                    return new Set(heights.flatMap(({ top, bottom }) => [top, bottom])).size / 2;
                });
                assert.equal(rows, 1, `${lang} at ${width}`);
            }
        };
        await speak(page, look, 'captain');
        await closePage(page);
    });

    test('fits before a game, with the drawing for every scenario and long names', async () => {
        const names = ['Konstantinopolitanischer Dudelsackpfeifer', 'Ben', 'Cleo', 'W'.repeat(40)];
        await harbour.startTable('new', {
            game: { first: 1 },
            ...Object.fromEntries(
                names.map((name, i) => [`player.${i + 1}`, { name: name.slice(0, 40) }]),
            ),
        });
        const page = await openPage(browser, `${harbour.pageUrl}#table=new&lang=de`);
        await page.locator('.setup').waitFor();
        for (const viewport of [TV, PHONE]) {
            await page.setViewportSize(viewport);
            for (const input of await page.locator('input[name=scenario]').all()) {
                await input.check({ force: true });
                await expectFit(page, `${viewport.width}`);
            }
        }
        await page.setViewportSize(SMALL_PHONE);
        for (const view of ['board', 'captain', 'table']) {
            await page.goto(`${harbour.pageUrl}#table=new&lang=de&view=${view}`);
            await page.locator('form.new-game').waitFor();
            await expectFit(page, `${view} on a small phone`);
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
        await expectAtHand(page, '.refusal, .refusal button', 'a refusal');
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
        for (const viewport of [PHONE, SMALL_PHONE]) {
            await page.setViewportSize(viewport);
            await page.getByRole('button', { name: 'Abandon this game' }).click();
            await expectAtHand(page, 'button[data-answer]', `${viewport.width}`);
            await page.locator('button[data-answer=no]').click();
            await page.locator('button[data-answer]').first().waitFor({ state: 'detached' });
        }
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
        await page.getByText('This is not a websocket address.').waitFor();
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
