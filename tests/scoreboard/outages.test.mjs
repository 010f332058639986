/** Reloads, restarts and lost messages: the board heals by seq and by the retained state. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { listedEvents } from '../../scoreboard/src/log.js';
import { closePage, openBrowser, openPage } from './browser.mjs';
import { mqtt } from './packages.mjs';
import { Harbour } from './servers.mjs';
import { closeAll, until } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

describe('after an outage', () => {
    let browser;
    let harbour;
    let watcher;
    let tv;

    before(async () => {
        browser = await openBrowser();
    });

    after(() => browser.close());

    beforeEach(async () => {
        harbour = await Harbour.open();
        await harbour.startTable('den', { timing: { shot_window_ms: 60000 } });
        watcher = await Watcher.open(harbour, 'den');
        tv = await openPage(browser, `${harbour.pageUrl}#table=den`);
        await tv.locator('.setup').waitFor();
        await watcher.must('new-game', { first: 1, players: [{ name: 'Anna' }, { name: 'Ben' }] });
    });

    afterEach(() => closeAll(() => closePage(tv), watcher, harbour));

    const log = () =>
        tv.locator('.log li').evaluateAll((items) => items.map((item) => Number(item.dataset.seq)));

    /** The newest events of the game that the log shows, as the daemon's own history has them. */
    async function expectWholeLog() {
        const expected = listedEvents(await watcher.events())
            .map(({ seq }) => seq)
            .reverse()
            .slice(0, 14);
        await until(
            `the log shows ${expected}`,
            async () => String(await log()) === String(expected),
        );
    }

    test('a page that is loaded in mid-game shows the same board and the whole log', async () => {
        await watcher.must('fire');
        await watcher.must('topple', { piece: 'green-1' });
        await expectWholeLog();
        const cards = tv.locator('.players');
        await until('the capture', async () => (await cards.innerText()).includes('1'));
        const before = (await cards.innerHTML()).replace(/<b class="gain".*?<\/b>/, '');
        await tv.reload();
        await expectWholeLog();
        assert.equal(await cards.innerHTML(), before);
    });

    test('a page survives what no table sends, and lists only tables', async () => {
        const topics = ['state', 'score', 'info', 'ready', 'rope', 'event/x', 'sensor/red-1/tilt'];
        const junk = ['', '{', 'null', '[]', '{"players":3}', '{"seq":1e9,"game":{}}', '\0'];
        for (const topic of topics) {
            for (const payload of junk) {
                await watcher.client.publishAsync(`shipahoy/den/${topic}`, payload);
            }
        }
        for (const name of ['logbook', 'constructor', '__proto__']) {
            await watcher.client.publishAsync(`shipahoy/${name}/status`, 'online');
        }
        await watcher.must('end-phase');
        await expectWholeLog();
        await tv.goto(`${harbour.pageUrl}#view=lobby`);
        await tv.locator('[data-table=den]').waitFor();
        const names = await tv
            .locator('[data-table]')
            .evaluateAll((cards) => cards.map((card) => card.dataset.table));
        assert.deepEqual(names.sort(), ['__proto__', 'constructor', 'den']);
    });

    test('a broker that restarts is found again, and says so meanwhile', async () => {
        await harbour.endBroker();
        await tv.locator('[data-alert=lost]').waitFor();
        await harbour.startBroker();
        await tv.locator('[data-alert=lost]').waitFor({ state: 'detached' });
        await watcher.see('the daemon again', ({ online }) => online);
        await until('the daemon listens', async () => (await watcher.send({ verb: 'fire' })).ok);
        await tv.getByText('The shot is on its way').waitFor();
        await expectWholeLog();
    });

    test('a daemon that is killed is shown as off, and goes on with the same game', async () => {
        await watcher.must('fire');
        await harbour.endTable('den', 'SIGKILL');
        await tv.locator('[data-alert=offline]').waitFor();
        await harbour.startTable('den', { timing: { shot_window_ms: 60000 } });
        await tv.locator('[data-alert=offline]').waitFor({ state: 'detached' });
        await watcher.must('topple', { piece: 'green-1' });
        await tv.locator('.piece.captured[data-piece=green-1]').waitFor();
        await expectWholeLog();
    });

    test('a gap in seq is noticed and filled from the history', async () => {
        await expectWholeLog();
        const { game, seq } = watcher.state;
        const liar = await mqtt.connectAsync(`mqtt://127.0.0.1:${harbour.port}`);
        const early = {
            v: 1,
            game,
            seq: seq + 3,
            event_type: 'shot-hit',
            turn: 1,
            player: 1,
            piece: 'red-1',
        };
        await liar.publishAsync('shipahoy/den/event/shot-hit', JSON.stringify(early));
        await watcher.must('aim', { piece: 'red-1' });
        await watcher.must('aim', { piece: 'red-2' });
        await until('what was early has its place', async () =>
            String(await log()).startsWith(`${seq + 3}`),
        );
        await liar.endAsync();
    });

    test('events that come twice are shown once', async () => {
        await watcher.must('aim', { piece: 'red-1' });
        await expectWholeLog();
        const again = await mqtt.connectAsync(`mqtt://127.0.0.1:${harbour.port}`);
        for (const event of watcher.table.log.events) {
            await again.publishAsync(
                `shipahoy/den/event/${event.event_type}`,
                JSON.stringify(event),
            );
        }
        await again.endAsync();
        await watcher.must('aim', { piece: 'red-2' });
        await tv.getByText('Anna aims from Red 2.').first().waitFor();
        await expectWholeLog();
    });
});
