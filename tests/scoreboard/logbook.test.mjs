/** The logbook view: real games, played by the real daemon, at any moment. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { piecesOf } from '../../scoreboard/src/words.js';
import { askLogbook, isStored } from './ask_logbook.mjs';
import { ALL, audit } from './audit.mjs';
import { expectFit } from './boxes.mjs';
import { closePage, openBrowser, openPage, PHONE, SMALL_PHONE, TV } from './browser.mjs';
import { RECORDER } from './listening.mjs';
import { axe } from './packages.mjs';
import { measureSeeks } from './seeks.mjs';
import { Harbour } from './servers.mjs';
import { closeAll, until } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

const UHD = { width: 3840, height: 2160 };
const LONG_GAME = 300; // events
const GAMES = 22; // more than a page of the list
const SEEKS = Number(process.env.SEEKS ?? 60);

const PLAYERS = ['Anna', '<b>Ben</b>', 'W'.repeat(40), 'Dora'].map((name) => ({ name }));

/** What a board shows of a state. */
const shownOf = ({ turn, players }) => ({ turn, scores: players.map(({ score }) => String(score)) });

describe('the logbook', () => {
    let browser;
    let harbour;
    let watcher;
    let game; // the long one
    const moments = new Map(); // by seq: what the table showed then

    /** Plays on until the game has so many events, and notes what the table shows. */
    async function playOn(count) {
        const must = async (...command) => {
            await watcher.must(...command);
            moments.set(watcher.state.seq, shownOf(watcher.state));
        };
        const prey = ['blue-3', 'green-3', 'yellow-3', 'red-3', 'blue-tower'];
        while (watcher.state.seq < count) {
            const { harbours } = watcher.state.players[watcher.state.player - 1];
            const ship = `${harbours[0]}-1`;
            await must('aim', { piece: ship });
            await must('fire');
            if (prey.length > 0) {
                await must('topple', { piece: prey.shift() });
            }
            await must('end-phase');
            await must('roll-move', { value: 2 });
            await must('move', { piece: ship, knots: 1 });
            await must('undo');
            await must('end-phase');
            await must('end-phase');
        }
    }

    before(async () => {
        harbour = await Harbour.open();
        await harbour.startTable('den', { timing: { shot_window_ms: 60000 } });
        watcher = await Watcher.open(harbour, 'den');
        const start = (scenario) =>
            watcher.must('new-game', { first: 1, abandon: true, anyway: true, players: PLAYERS, scenario });
        for (let i = 1; i < GAMES; i++) {
            await start(i % 2 === 0 ? 'kraken' : 'none');
        }
        await start('merchant');
        game = watcher.state.game;
        await playOn(LONG_GAME);
        await harbour.startLogbook();
        await until('everything is stored', async () => {
            const { games } = await askLogbook(harbour, 'games', { limit: 100 });
            return games?.length === GAMES && (await isStored(harbour, watcher.state));
        });
        browser = await openBrowser();
    });

    after(() => closeAll(browser, watcher, harbour));

    const at = (hash) => `${harbour.pageUrl}#view=logbook${hash}`;

    /** The long game, once all of it is there. */
    async function openGame(hash = '') {
        const page = await openPage(browser, at(`&game=${game}${hash}`), { scripts: RECORDER });
        await page.locator('.timeline').waitFor();
        return page;
    }

    const seqOf = async (page) =>
        Number(await page.locator('input[name=moment]').getAttribute('data-seq'));

    test('lists games by player, scenario and day, page by page', async () => {
        const page = await openPage(browser, at(''));
        const games = page.locator('[data-game]');
        await until('a page', async () => (await games.count()) === 20);
        assert.equal(await games.first().getAttribute('data-game'), game);
        const unfinished = await page
            .locator('[data-unfinished]')
            .evaluateAll((all) => all.map(({ dataset }) => dataset.unfinished));
        assert.deepEqual(unfinished, ['open', ...Array(19).fill('abandoned')]);
        await page.locator('[data-page=older]').click();
        await until('the older ones', async () => (await games.count()) === GAMES - 20);
        await page.locator('[data-page=newer]').click();
        await until('the newer ones', async () => (await games.count()) === 20);
        await page.locator('select[name=scenario]').selectOption('merchant');
        await until('only one', async () => (await games.count()) === 1);
        await page.locator('input[name=player]').fill('NOBODY');
        await page.locator('input[name=player]').press('Enter');
        await until('none', async () => (await games.count()) === 0);
        await page.goBack();
        await until('one again', async () => (await games.count()) === 1);
        await page.locator('input[name=to]').fill('2001-01-01');
        await until('none before the first', async () => (await games.count()) === 0);
        await page.locator('.hint[role=status]').filter({ hasText: 'No stored game' }).waitFor();
        await page.locator('input[name=player]').fill('An');
        await page.evaluate(() => location.assign(`${location.hash}&lang=de`));
        await page.locator('html[lang=de]').waitFor();
        assert.equal(await page.locator('input[name=player]').inputValue(), 'An', 'being typed');
        await closePage(page);
    });

    test('shows at every moment what the table showed then', async () => {
        const page = await openGame();
        const shown = new Map(await page.evaluate(lookAtEveryMoment));
        for (const [seq, moment] of moments) {
            assert.deepEqual(shown.get(seq), moment, `seq ${seq}`);
        }
        await closePage(page);
    });

    test('jumps between captures, without those that were taken back', async () => {
        const page = await openGame();
        const expected = (await watcher.events())
            .filter(({ event_type: type }) => type === 'piece-captured')
            .map(({ seq }) => seq);
        const jump = page.locator('[data-icon=after]');
        const found = [];
        while (await jump.isEnabled()) {
            await jump.click();
            found.push(await page.locator('.log li:first-child').getAttribute('data-seq'));
        }
        assert.deepEqual(found.map(Number), expected);
        await closePage(page);
    });

    test('shares a moment by its address', async () => {
        const [seq] = [...moments.keys()].slice(120);
        const page = await openGame(`&seq=${seq}`);
        assert.equal(await seqOf(page), seq);
        await page.locator('input[name=moment]').press('ArrowRight');
        await page.locator('.share summary').click();
        const link = await page.locator('.share input').inputValue();
        const moved = await seqOf(page);
        await until('the address', () => page.url().includes(`seq=${moved}`));
        const other = await openPage(browser, link);
        await other.locator(`input[name=moment][data-seq="${moved}"]`).waitFor();
        await closePage(other);
        await closePage(page);
    });

    test('plays a game to its end, with its sounds, on the device where it was started', async () => {
        const page = await openGame(`&seq=${LONG_GAME - 40}`);
        await page.locator('select[name=speed]').selectOption('20');
        await page.locator('[data-icon=play]').click();
        await page.locator('[data-icon=pause]').waitFor();
        await page.locator('[data-icon=play]').waitFor();
        const slider = page.locator('input[name=moment]');
        assert.equal(await slider.inputValue(), await slider.getAttribute('max'));
        assert.ok((await page.evaluate(() => globalThis.recording.starts)) > 0);
        await closePage(page);
    });

    test('is silent with the sound off', async () => {
        const page = await openGame(`&seq=${LONG_GAME - 40}`);
        await page.locator('input[name=sound]').uncheck();
        await page.locator('select[name=speed]').selectOption('20');
        await page.locator('[data-icon=play]').click();
        await page.locator('[data-icon=pause]').waitFor();
        await page.locator('[data-icon=play]').waitFor();
        assert.equal(await page.evaluate(() => globalThis.recording.starts), 0);
        await closePage(page);
    });

    test('seeks with less than 100 ms of processor time', async (t) => {
        const page = await openGame();
        const session = await page.context().newCDPSession(page);
        await session.send('Performance.enable', { timeDomain: 'threadTicks' });
        const busy_s = async () => {
            const { metrics } = await session.send('Performance.getMetrics');
            return metrics.find(({ name }) => name === 'TaskDuration').value;
        };
        const before = await busy_s();
        const times = await page.evaluate(measureSeeks, SEEKS);
        const busy_ms = (1000 * ((await busy_s()) - before)) / SEEKS;
        times.sort((a, b) => a - b);
        const [median, p99] = [0.5, 0.99].map((share) => times[Math.floor(share * times.length)]);
        t.diagnostic(
            `${SEEKS} seeks: ${busy_ms.toFixed(1)} ms of processor time each, ` +
                `on screen after ${median.toFixed(1)} ms (median), ${p99.toFixed(1)} ms (p99)`,
        );
        assert.ok(busy_ms > 0 && busy_ms < 100, `${busy_ms} ms`);
        await closePage(page);
    });

    test('fits every screen and passes the audit', async () => {
        const page = await openGame('&seq=100');
        await page.evaluate(axe.source);
        for (const [hash, shown] of [
            ['', '[data-game]'],
            [`&game=${game}&seq=100`, '.timeline'],
        ]) {
            for (const viewport of [SMALL_PHONE, PHONE, TV, UHD]) {
                for (const lang of ['en', 'de', 'cs']) {
                    await page.setViewportSize(viewport);
                    await page.goto(at(`${hash}&lang=${lang}`));
                    await page.locator(`html[lang=${lang}] ${shown}`).first().waitFor();
                    await expectFit(page, `${shown} ${viewport.width} ${lang}`);
                }
            }
            for (const colorScheme of ['light', 'dark']) {
                await page.emulateMedia({ colorScheme });
                assert.deepEqual(await page.evaluate(audit, ALL), [], `${shown} ${colorScheme}`);
            }
        }
        await closePage(page);
    });

    test('celebrates a new record, and keeps it in the hall of fame', async () => {
        const tv = await openPage(browser, `${harbour.pageUrl}#table=den`);
        const players = [{ name: 'Anna' }, { name: 'Eve' }];
        await watcher.must('new-game', { first: 1, abandon: true, anyway: true, players });
        await tv.locator('.player').first().waitFor();
        await watcher.must('fire');
        for (const harbourOfEve of watcher.state.players[1].harbours) {
            for (const piece of piecesOf(harbourOfEve)) {
                await watcher.must('topple', { piece });
            }
        }
        await watcher.must('end-phase');
        assert.equal(watcher.state.phase, 'over');
        // Once a game: with so many pieces as were stored when the record was broken.
        const sentence = tv.locator('[data-record]').filter({ hasText: /\d pieces, Anna/ });
        await sentence.waitFor({ state: 'attached' });
        await until('the game is stored', () => isStored(harbour, watcher.state));
        await closePage(tv);
        const page = await openPage(browser, `${harbour.pageUrl}#view=fame`);
        await page.locator('[data-record-name=most-captured]').filter({ hasText: '8 pieces' }).waitFor();
        const cells = page.locator('.figures tbody tr').first().locator('th, td');
        assert.deepEqual((await cells.allTextContents()).slice(0, 4), ['Anna', '1', '1', '10']);
        await page.locator('[data-player=Anna]').click();
        await page.locator('.plot canvas').nth(1).waitFor();
        await page.locator('[data-badge=first-win]').waitFor();
        assert.equal(await page.locator('.plot canvas').count(), 2); // no speed was measured
        await closePage(page);
    });
});

/** Runs in the page: what the board shows at each step, by the seq of the step. */
async function lookAtEveryMoment() {
    const slider = document.querySelector('input[name=moment]');
    const moments = [];
    for (let step = 0; step <= Number(slider.max); step++) {
        slider.value = String(step);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve)); // it is drawn before the next task
        const turn = Number(document.querySelector('.turn .label').textContent.match(/\d+/)[0]);
        const scores = [...document.querySelectorAll('.score strong')].map((each) => each.textContent);
        moments.push([Number(slider.dataset.seq), { turn, scores }]);
    }
    return moments;
}
