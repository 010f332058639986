/** TV mode: the game fills the screen, and nothing else is on it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectFit, expectOnScreen } from './boxes.mjs';
import { closePage, openPage, SMALL_PHONE } from './browser.mjs';
import { browser, harbour, useTable, watcher } from './open_table.mjs';

const LONG_NAMES = [
    'Maximiliane von und zu Hohenstein-Burg',
    'Ben',
    'Wolfeschlegelsteinhausenbergerdorffxyz',
    'Dora',
];

const SCREENS = [
    { width: 1280, height: 720 },
    { width: 1920, height: 1080 },
    { width: 3840, height: 2160 },
];

describe('on a TV', () => {
    useTable();

    const start = () =>
        watcher.must('new-game', {
            first: 1,
            abandon: true,
            anyway: true,
            teams: true,
            scenario: 'merchant',
            players: LONG_NAMES.map((name) => ({ name })),
        });

    /** The places of the cards, and of what is in them. */
    const placesOf = (page, selector) =>
        page.locator(selector).evaluateAll((all) =>
            all.map((each) => {
                const { top, height } = each.getBoundingClientRect();
                return [Math.round(top), Math.round(height)];
            }),
        );

    test('the mode hides navigation and pointer until somebody moves it', async () => {
        await start();
        const page = await openPage(browser, `${harbour.pageUrl}#table=den`);
        await page.locator('.enter-tv').click();
        await page.locator('header.bar').waitFor({ state: 'hidden' });
        await page.waitForFunction(() => document.fullscreenElement !== null);
        await page.locator('html[data-tv=asleep]').waitFor();
        const cursor = () => page.evaluate(() => getComputedStyle(document.body).cursor);
        assert.equal(await cursor(), 'none');
        await page.mouse.move(300, 300);
        await page.locator('html[data-tv=awake]').waitFor();
        assert.notEqual(await cursor(), 'none');
        await page.locator('.leave-tv').click();
        await page.locator('header.bar').waitFor();
        assert.ok(!page.url().includes('tv='));
        await closePage(page);
    });

    test('four close combats clip nothing, and no card moves from step to step', async () => {
        await start();
        const page = await openPage(browser, `${harbour.pageUrl}#table=den`);
        await page.locator('.stage.shooting').waitFor();
        const cards = '.player, .player > header, .score, .fleet';
        const before = await placesOf(page, cards);
        await watcher.must('end-phase');
        await watcher.must('roll-move', { value: 3 });
        await page.locator('.rope').waitFor();
        assert.deepEqual(await placesOf(page, cards), before, 'moving');
        await watcher.must('end-phase');
        for (const [attacker, target] of [
            ['red-1', 'blue-1'],
            ['red-tower', 'blue-3'],
            ['red-3', 'yellow-2'],
            ['red-1', 'yellow-tower'],
        ]) {
            await watcher.must('engage', { attacker, target });
        }
        await page.locator('.fights li').nth(3).waitFor();
        assert.deepEqual(await placesOf(page, cards), before, 'close combat');
        const [first, ...others] = await placesOf(page, '.player > header');
        others.forEach((other) => assert.deepEqual(other, first, 'names of every length'));
        for (const viewport of SCREENS) {
            await page.setViewportSize(viewport);
            if (viewport.width < 3840) {
                await expectFit(page, `${viewport.width}`); // round corners are larger beyond
            }
            await expectOnScreen(page, `${viewport.width}`);
            assert.deepEqual(await page.evaluate(clipped), [], `${viewport.width}`);
        }
        await page.setViewportSize(SMALL_PHONE);
        await expectFit(page, 'on a small phone');
        await closePage(page);
    });

    /** At 4 m, letters of 2 cm are read with ease; a TV of 50 inches is 62 cm high. */
    test('log and fights are large enough to be read from four metres', async () => {
        await start();
        await watcher.must('end-phase');
        await watcher.must('end-phase');
        await watcher.must('engage', { attacker: 'red-1', target: 'blue-1' });
        const page = await openPage(browser, `${harbour.pageUrl}#table=den`);
        await page.locator('.fights .tag').waitFor();
        for (const selector of ['.log li:nth-child(2)', '.fights .tag', '.what-now summary']) {
            const size = await page
                .locator(selector)
                .first()
                .evaluate((each) => parseFloat(getComputedStyle(each).fontSize));
            assert.ok(size >= 1080 * 0.029, `${selector}: ${size} px`);
        }
        await closePage(page);
    });

    test('an undo is not struck through, what it took back is', async () => {
        await start();
        await watcher.must('aim', { piece: 'red-1' });
        await watcher.must('undo');
        const page = await openPage(browser, `${harbour.pageUrl}#table=den`);
        const line = (event) =>
            page
                .locator(`.log li[data-event=${event}]`)
                .evaluate((each) => getComputedStyle(each).textDecorationLine);
        await page.locator('.log li[data-event=undone]').waitFor();
        assert.deepEqual([await line('undone'), await line('aimed')], ['none', 'line-through']);
        await closePage(page);
    });
});

/** Runs in the page: what is cut off by the box that it is in. */
function clipped() {
    const boxes = [
        ['.turn', '.fights li, .turn h1, .steps li, .what-now summary'],
        ['.player', '.piece, .score, .trophies'],
    ];
    return boxes.flatMap(([outer, inner]) =>
        [...document.querySelectorAll(outer)].flatMap((box) => {
            const { bottom, right } = box.getBoundingClientRect();
            return [...box.querySelectorAll(inner)]
                .filter((each) => {
                    const place = each.getBoundingClientRect();
                    return place.bottom > bottom + 1 || place.right > right + 1;
                })
                .map((each) => `${outer} ${each.className}`);
        }),
    );
}
