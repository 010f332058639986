/** The page at a broker that does not accept MQTT 5. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { closePage, openBrowser, openPage, PHONE } from './browser.mjs';
import { OldBroker } from './old_broker.mjs';
import { Harbour } from './servers.mjs';
import { closeAll } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

describe('a broker that closes the connection on MQTT 5', () => {
    let browser;
    let harbour;
    let old;
    let watcher;
    let phone;

    before(async () => {
        browser = await openBrowser();
        harbour = await Harbour.open();
        old = await OldBroker.open(harbour.wsPort);
        await harbour.startTable('den', { timing: { shot_window_ms: 60000 } });
        watcher = await Watcher.open(harbour, 'den');
        await watcher.must('new-game', { first: 1, players: [{ name: 'Anna' }, { name: 'Ben' }] });
        const broker = `ws://127.0.0.1:${old.port}`;
        phone = await openPage(
            browser,
            `${harbour.pageUrl}#table=den&view=captain&broker=${encodeURIComponent(broker)}`,
            { viewport: PHONE },
        );
    });

    after(() => closeAll(() => closePage(phone), watcher, old, harbour, browser));

    test('is used with 3.1.1, all controls are shown, and replies are heard', async () => {
        await phone.locator('[data-alert=role-unknown]').waitFor();
        assert.deepEqual(old.levels, [5, 4]);
        let count = 0;
        watcher.client.on('message', (topic) => (count += topic.endsWith('/command/end-phase')));
        await phone.locator('[data-verb=end-phase]').first().click();
        await watcher.see('moving', ({ state }) => state.phase === 'moving');
        await phone.locator('main.captain[aria-busy=false]').waitFor();
        assert.equal(count, 1); // it was answered, so it is not sent again
        await phone.goto(`${phone.url().replace('captain', 'sensors')}`);
        await phone.locator('main.sensors').waitFor();
        await phone.locator('[data-alert=role-unknown]').waitFor();
    });
});
