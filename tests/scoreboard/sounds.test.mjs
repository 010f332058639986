/** What a real browser plays and speaks: the right sound, once, at once, and on one device only. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { LANGUAGES } from '../../scoreboard/src/texts.js';
import { openBrowser, openPage, PHONE } from './browser.mjs';
import { recognize, RECORDER, renderSounds, stalled } from './listening.mjs';
import { Harbour } from './servers.mjs';
import { closeAll, until } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

const LATENCY_MAX_MS = 150;

describe('sounds', () => {
    let browser;
    let harbour;
    let watcher;
    let page;

    before(async () => {
        harbour = await Harbour.open();
        await harbour.startTable('den', { timing: { shot_window_ms: 60000, beam_min_us: 1 } });
        watcher = await Watcher.open(harbour, 'den');
        browser = await openBrowser();
        page = await open('');
    });

    after(() => closeAll(browser, watcher, harbour));

    /** A page that is recorded. The recorder itself uses what browsers warn of. */
    async function open(hash) {
        const url = `${harbour.pageUrl}#table=den${hash}`;
        const opened = await openPage(browser, url, { viewport: PHONE, scripts: RECORDER });
        await opened.locator('.show-menu').waitFor();
        return opened;
    }

    /** A new game, which the page knows of; what it plays about that is over. */
    async function begin() {
        const players = [{ name: 'Anna' }, { name: 'Ben' }];
        await watcher.must('new-game', { first: 1, abandon: true, anyway: true, players });
        const { game } = watcher.state;
        await until('the new game', () => page.evaluate((id) => globalThis.recording.game === id, game));
    }

    /** Both beams of the cannon are broken, on the socket of the simulated sensors. */
    async function ballLeaves() {
        const socket = connect(`${harbour.dir}/den.sock`);
        const edges = ['beam 1', 'beam 0', 'beam2 1', 'beam2 0'];
        socket.end(edges.map((edge) => `cannon.${edge}\n`).join(''));
        await text(socket);
    }

    const setMenu = (each, isOpen) =>
        each.locator('.show-menu').evaluate((menu, open) => (menu.open = open), isOpen);

    async function chooseSpeaker(chosen) {
        await setMenu(chosen, true);
        const here = chosen.locator('[data-speaker=here]');
        if (!(await here.isVisible())) {
            await chosen.locator('.show-panel button.primary').click();
            await here.waitFor();
        }
        await chosen.locator('.show-panel .warning').waitFor({ state: 'detached' });
        await setMenu(chosen, false);
    }

    const startsOf = (each) => each.evaluate(() => globalThis.recording.starts);

    /** After `act` the page plays this sound and nothing else, soon after the event has arrived. */
    async function expectSound(sound, event, act) {
        const isSilent = () => page.evaluate(() => globalThis.recording.isSilent);
        const heard = () => page.evaluate(() => globalThis.recording.heard.length);
        await until('silence', isSilent);
        await page.evaluate(() => (globalThis.recording.arrivals.length = 0));
        const before = await heard();
        await act();
        await until(sound, async () => (await heard()) > before);
        await until('silence', isSilent);
        assert.equal(await heard(), before + 1);
        await page.evaluate(renderSounds, await page.evaluate(() => globalThis.recording.sampleRate));
        const { at_ms, likeness } = await page.evaluate(recognize);
        const [best, second] = Object.entries(likeness).sort(([, a], [, b]) => b - a);
        assert.equal(best[0], sound, JSON.stringify(likeness));
        assert.ok(best[1] > 0.8 && second[1] < best[1] - 0.05, JSON.stringify(likeness));
        const arrivals = await page.evaluate(() => globalThis.recording.arrivals);
        const [arrived_ms] = arrivals.find(([, name]) => name === event);
        const latency = at_ms - arrived_ms;
        const lost = await page.evaluate(stalled, [arrived_ms, at_ms]);
        assert.ok(latency - lost < LATENCY_MAX_MS, `${sound} after ${latency} ms, ${lost} ms lost`);
        return latency;
    }

    test('are loud enough, never too loud, and all different', async () => {
        const names = await page.evaluate(renderSounds, 44100);
        assert.deepEqual(names, [
            'cannon', 'splash', 'hit', 'capture', 'dice', 'swords', 'wind', 'kraken', 'victory',
        ]);
        const measured = await page.evaluate(() =>
            Object.entries(globalThis.rendered).map(([name, samples]) => ({
                name,
                peak: samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0),
                start_s: samples.findIndex((s) => Math.abs(s) > 0.01) / 44100,
                end_s: samples.reduce((end, s, i) => (Math.abs(s) > 1e-3 ? i : end), 0) / 44100,
            })),
        );
        for (const { name, peak, start_s, end_s } of measured) {
            assert.ok(start_s < 0.08, `${name}: is heard after ${start_s} s`);
            assert.ok(peak > 0.1 && peak < 1, `${name}: peak ${peak}`);
            assert.ok(end_s > 0.2 && end_s < 3.5, `${name}: ${end_s} s`);
        }
    });

    test('are played by no page until one is chosen', async () => {
        await begin();
        await watcher.must('fire');
        await page.locator('[data-event=shot-fired]').first().waitFor();
        assert.equal(await startsOf(page), 0);
    });

    test('are the right ones, once, within 150 ms of their events', async (t) => {
        await begin();
        await chooseSpeaker(page);
        const latencies = [
            await expectSound('cannon', 'shot-fired', () => watcher.must('fire')),
            await expectSound('splash', 'shot-over', () => watcher.must('end-phase')),
            await expectSound('dice', 'move-rolled', () => watcher.must('roll-move', { value: 2 })),
            await expectSound('swords', 'combat-started', async () => {
                await watcher.must('end-phase');
                await watcher.must('engage', { attacker: 'red-1', target: 'green-1' });
            }),
        ];
        t.diagnostic(`ms from event to sound: ${latencies.map(Math.round).join(', ')}`);
    });

    test('are not played again for events that come again', async () => {
        await begin();
        await chooseSpeaker(page);
        await expectSound('cannon', 'shot-fired', () => watcher.must('fire'));
        const starts = await startsOf(page);
        await page.evaluate(() => (globalThis.recording.arrivals.length = 0));
        const [last] = (await watcher.events()).slice(-1);
        const topic = `${watcher.base}/event/${last.event_type}`;
        await watcher.client.publishAsync(topic, JSON.stringify(last), { qos: 1 });
        await until('it comes again', () =>
            page.evaluate(() => globalThis.recording.arrivals.length > 0),
        );
        assert.equal(await startsOf(page), starts);
    });

    test('are played by one device only', async () => {
        await begin();
        await chooseSpeaker(page);
        const other = await open('');
        await setMenu(other, true);
        await other.locator('[data-speaker=elsewhere]').waitFor();
        assert.equal(await startsOf(other), 0);
        await other.locator('.show-panel button.primary').click();
        await other.locator('[data-speaker=here]').waitFor();
        await page.locator('[data-speaker=elsewhere]').waitFor({ state: 'attached' });
        const starts = await startsOf(page);
        await watcher.must('fire');
        await until('the other page plays', async () => (await startsOf(other)) > 0);
        await page.locator('[data-event=shot-fired]').first().waitFor();
        assert.equal(await startsOf(page), starts);
        await other.context().close();
    });

    test('stop when muted, and that is remembered', async () => {
        await begin();
        await chooseSpeaker(page);
        await setMenu(page, true);
        await page.locator('input[name=mute]').check();
        await page.reload();
        await setMenu(page, true);
        assert.equal(await page.locator('input[name=mute]').isChecked(), true);
        await page.locator('[data-speaker=here]').waitFor();
        await watcher.must('end-phase');
        await watcher.must('roll-move', { value: 1 });
        await page.locator('[data-event=move-rolled]').first().waitFor();
        assert.equal(await startsOf(page), 0);
        await page.locator('input[name=mute]').uncheck();
    });

    test('and voice: off until one tap, then in the language of the page', async () => {
        const spoken = () => page.evaluate(() => globalThis.recording.spoken.filter(Boolean));
        await begin();
        await chooseSpeaker(page);
        assert.deepEqual(await spoken(), []);
        await setMenu(page, true);
        await page.locator('input[name=voice]').check();
        const expected = [];
        const step = async (lang, ...sentences) => {
            await page.goto(`${harbour.pageUrl}#table=den&lang=${lang}`);
            await page.locator(`html[lang=${lang}]`).waitFor();
            await watcher.must('end-phase');
            expected.push(...sentences.map((text) => ({ text, lang })));
            await until(lang, async () => (await spoken()).length === expected.length);
        };
        await step('en', 'Roll the die with the numbers 1, 2 and 3 and tap what it shows.');
        const { now, endTurn } = LANGUAGES.de;
        await step('de', now.attack.replace('{end}', endTurn).replace('{where}', ''));
        const turn = LANGUAGES.cs.events['turn-started'].replace('{player}', 'Ben');
        await step('cs', turn, LANGUAGES.cs.now.shoot);
        assert.deepEqual(await spoken(), expected);
    });

    test('are not played again after an outage, nor what was missed in it', async () => {
        await begin();
        await chooseSpeaker(page);
        const starts = await startsOf(page);
        await harbour.endBroker();
        await page.locator('[data-alert=lost]').waitFor();
        await ballLeaves();
        await harbour.startBroker();
        await page.locator('.log [data-event=shot-fired]').first().waitFor();
        assert.equal(await startsOf(page), starts);
        await expectSound('splash', 'shot-over', () => watcher.must('end-phase'));
    });
});
