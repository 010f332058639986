/** Moments, the stream overlay, the announcer's view and the screen, in a real browser. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Hands } from '../../scoreboard/src/hands.js';
import { sensorPath } from '../../scoreboard/src/words.js';
import { closePage, openPage, PHONE, TV } from './browser.mjs';
import { expectFit } from './boxes.mjs';
import { browser, harbour, useTable, watcher } from './open_table.mjs';
import { axe } from './packages.mjs';
import { until } from './waiting.mjs';

const LONG_NAME = 'W'.repeat(40);
const UHD = { width: 3840, height: 2160 };

describe('the show', () => {
    useTable();

    /** A page of a game that has just begun; every scene lasts until the next one if it is kept. */
    async function begin(hash, { isKept = false, ...options } = {}) {
        await watcher.must('new-game', {
            first: 1,
            abandon: true,
            anyway: true,
            players: [{ name: 'Anna' }, { name: LONG_NAME }],
        });
        const scripts = isKept ? [keepScenes] : [];
        const page = await openPage(browser, `${harbour.pageUrl}#table=den${hash}`, { scripts, ...options });
        await until('the game', async () => {
            const seq = await page.locator('[data-announcer]').getAttribute('data-announcer');
            return Number(seq) === watcher.state.seq;
        });
        return page;
    }

    const moment = (page, kind) => page.locator(`[data-moment=${kind}]`);

    async function audit(page) {
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document));
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 150)}`);
    }

    test('has a scene for a shot, a hit and a trophy, and each goes away by itself', async () => {
        const page = await begin('', { reducedMotion: 'no-preference' });
        await page.evaluate(() => {
            globalThis.scenes = [];
            new MutationObserver(() => {
                const kind = document.querySelector('.moment')?.dataset.moment ?? null;
                if (kind !== globalThis.scenes[globalThis.scenes.length - 1]) {
                    globalThis.scenes.push(kind);
                }
            }).observe(document.getElementById('page'), { childList: true, subtree: true });
        });
        await watcher.must('fire');
        await watcher.must('topple', { piece: 'green-1' });
        await until('all scenes', () => page.evaluate(() => globalThis.scenes.includes('capture')));
        await moment(page, 'capture').waitFor({ state: 'detached' });
        const seen = await page.evaluate(() => globalThis.scenes);
        assert.deepEqual(seen.slice(-3), ['hit', 'capture', null]);
        await closePage(page);
    });

    test('has one for a shot that sensors saw miss, and a tap closes it', async () => {
        const page = await begin('', { isKept: true });
        const send = (sensor, level) =>
            watcher.client.publish(`shipahoy/den/sim/${sensorPath(sensor)}`, `${level}`);
        const isNoticed = async () => {
            for (let looks = 0; looks < 50 && watcher.state.shot !== 'open'; looks++) {
                await new Promise((resolve) => setTimeout(resolve, 30));
            }
            return watcher.state.shot === 'open';
        };
        // On a busy machine the pulse of a ball may be too long for one: people then fire again.
        await until('the ball', () => new Hands(send).fire(null, isNoticed));
        await watcher.must('end-phase');
        await moment(page, 'miss').waitFor();
        await page.mouse.click(5, 300);
        await moment(page, 'miss').waitFor({ state: 'detached' });
        await closePage(page);
    });

    test('never takes a tap, and does not move where motion is not wanted', async () => {
        const page = await begin('&view=table', { isKept: true });
        await watcher.must('aim', { piece: 'red-1' });
        await watcher.must('fire');
        await moment(page, 'shot').waitFor();
        const met = await page.evaluate(() => {
            const points = [0.1, 0.3, 0.5, 0.7, 0.9];
            const isScene = (x, y) =>
                document.elementFromPoint(x * innerWidth, y * innerHeight)?.closest('.moment');
            return points.some((x) => points.some((y) => isScene(x, y)));
        });
        assert.equal(met, false);
        const moving = await page.evaluate(() => document.getAnimations().length);
        assert.equal(moving, 0);
        await closePage(page);
    });

    test('fits every screen with long names, and an audit finds nothing', async () => {
        const page = await begin('', { isKept: true });
        for (let step = 0; step < 3; step++) {
            await watcher.must('end-phase');
        }
        await moment(page, 'turn').waitFor();
        for (const viewport of [PHONE, { width: 320, height: 568 }, TV, UHD]) {
            await page.setViewportSize(viewport);
            const { x, y, width, height } = await page.locator('.moment-card').boundingBox();
            const isInside = (from, size, all) => from >= 0 && from + size <= all;
            assert.ok(isInside(x, width, viewport.width), `a scene at ${viewport.width}`);
            assert.ok(isInside(y, height, viewport.height), `a scene at ${viewport.width}`);
        }
        await page.locator('.show-menu > summary').click();
        for (const theme of ['light', 'dark']) {
            await page.goto(`${harbour.pageUrl}#table=den&theme=${theme}`);
            await page.locator(`html[data-theme=${theme}]`).waitFor();
            for (const viewport of [PHONE, TV]) {
                await page.setViewportSize(viewport);
                const { x, y } = await page.locator('.show-panel').boundingBox();
                assert.ok(x >= 0 && y >= 0, `the menu at ${viewport.width}`);
                assert.deepEqual(await audit(page), [], `${theme} at ${viewport.width}`);
            }
        }
        await closePage(page);
    });

    test('has a stream overlay that is transparent around scores and scenes', async () => {
        const page = await begin('&view=overlay', { isKept: true, colorScheme: 'dark' });
        await page.locator('.overlay li').first().waitFor();
        assert.deepEqual(await page.locator('.overlay strong').allTextContents(), ['0', '0']);
        await watcher.must('fire');
        await watcher.must('topple', { piece: 'green-1' });
        await moment(page, 'hit').waitFor();
        await page.locator('.overlay strong').first().filter({ hasText: '1' }).waitFor();
        const picture = await page.screenshot({ omitBackground: true });
        const alphas = await page.evaluate(async (data) => {
            const image = await createImageBitmap(
                new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]),
            );
            const canvas = new OffscreenCanvas(image.width, image.height);
            const context = canvas.getContext('2d', { willReadFrequently: true });
            context.drawImage(image, 0, 0);
            const alpha = (x, y) => context.getImageData(x, y, 1, 1).data[3];
            return {
                corners: [alpha(2, 2), alpha(image.width - 3, 2), alpha(2, image.height - 3)],
                scene: alpha(image.width / 2, image.height / 2),
            };
        }, picture.toString('base64'));
        assert.deepEqual(alphas, { corners: [0, 0, 0], scene: 255 });
        await expectFit(page, 'overlay');
        assert.deepEqual(await audit(page), []);
        await closePage(page);
    });

    test('has an announcer’s view with the last ten events, the newest first', async () => {
        const page = await begin('&view=announcer');
        await watcher.must('fire');
        for (const piece of ['green-1', 'green-2', 'green-3', 'yellow-1', 'yellow-2', 'yellow-3']) {
            await watcher.must('topple', { piece });
        }
        const first = page.locator('.announcer li').first();
        await first.filter({ hasText: 'Anna captures Yellow 3.' }).waitFor();
        assert.equal(await page.locator('.announcer li').count(), 10);
        const sizes = await page
            .locator('.announcer li')
            .evaluateAll((items) => items.map((item) => parseFloat(getComputedStyle(item).fontSize)));
        assert.ok(Math.min(...sizes) >= 28, `letters of ${Math.min(...sizes)} px at 1080 lines`);
        for (const viewport of [PHONE, TV]) {
            await page.setViewportSize(viewport);
            await expectFit(page, `announcer at ${viewport.width}`);
        }
        assert.deepEqual(await audit(page), []);
        await closePage(page);
    });

    test('keeps the screen awake where it can, and moves and dims it against burn-in', async () => {
        const scripts = [rushTime];
        const page = await openPage(browser, `${harbour.pageUrl}#table=den`, { scripts });
        await page.locator('.board, .setup').waitFor();
        await until('the lock', () => page.evaluate(() => globalThis.wakeLocks === 1));
        const drift = () =>
            page.evaluate(() => {
                const { style } = document.documentElement;
                return ['x', 'y'].map((axis) => style.getPropertyValue(`--drift-${axis}`)).join();
            });
        const wait = (minutes) =>
            page.evaluate((ms) => {
                globalThis.later_ms = ms;
                globalThis.everyMinute();
            }, minutes * 60_000);
        await wait(1);
        assert.equal(await drift(), '0.3rem,0rem');
        await page.keyboard.press('Shift');
        await wait(1.5);
        assert.equal(await drift(), '0.3rem,0rem', 'somebody is there');
        await page.evaluate(() => (globalThis.later_ms = 3 * 60_000));
        await watcher.must('new-game', { first: 1, abandon: true, anyway: true, players: [{ name: 'A' }, { name: 'B' }] });
        await until('a move with the turn', async () => (await drift()) !== '0.3rem,0rem');
        await page.evaluate(() => {
            globalThis.later_ms = 20 * 60_000;
            globalThis.everyMinute();
        });
        await page.locator('html[data-dimmed]').waitFor({ state: 'attached' });
        await page.keyboard.press('Shift');
        await page.locator('html:not([data-dimmed])').waitFor({ state: 'attached' });
        await page.goto(`${harbour.pageUrl}#table=den&view=captain`);
        await until('no lock', () => page.evaluate(() => globalThis.wakeLocks === 0));
        await closePage(page);
    });
});

/** Runs in the page: a scene does not go away by itself. */
function keepScenes() {
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (act, ms, ...more) =>
        setTimeout(act, ms >= 1000 && ms <= 5000 ? 1e6 : ms, ...more);
}

/** Runs in the page: counts its wake locks, and lets a test say when a minute has passed. */
function rushTime() {
    globalThis.wakeLocks = 0;
    const request = async () => {
        globalThis.wakeLocks++;
        return { released: false, release: async () => globalThis.wakeLocks-- };
    };
    Object.defineProperty(navigator, 'wakeLock', { value: { request } });
    const { setInterval } = globalThis;
    globalThis.setInterval = (act, ms, ...more) => {
        globalThis.everyMinute = ms === 60_000 ? act : globalThis.everyMinute;
        return setInterval(act, ms, ...more);
    };
    globalThis.later_ms = 0;
    const { now } = Performance.prototype;
    Performance.prototype.now = function () {
        return now.call(this) + globalThis.later_ms;
    };
}
