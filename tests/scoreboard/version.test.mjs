/** A page that is older than the table says so once, and can be reloaded. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isNewer, newerVersion } from '../../scoreboard/src/newer_version.js';
import { closePage, openBrowser, openPage } from './browser.mjs';
import { mqtt } from './packages.mjs';
import { Harbour } from './servers.mjs';
import { closeAll } from './waiting.mjs';

test('versions are compared number by number', () => {
    assert.equal(isNewer('1.10.0', '1.9.2'), true);
    assert.equal(isNewer('1.9.2', '1.10.0'), false);
    assert.equal(isNewer('1.9.2', '1.9.2'), false);
    assert.equal(isNewer('2.0', '1.9.9'), true);
    for (const unreadable of [undefined, '', 'x', '1.x.0']) {
        assert.equal(isNewer(unreadable, '1.0.0'), false);
        assert.equal(isNewer('1.0.0', unreadable), false);
    }
    assert.equal(newerVersion(null, '1.0.0'), null);
    assert.equal(newerVersion({ info: { version: '1.0.1' } }, '1.0.0'), '1.0.1');
});

describe('after an upgrade', () => {
    let browser;
    let harbour;
    let broker;
    let page;

    before(async () => {
        browser = await openBrowser();
        harbour = await Harbour.open();
        await harbour.startTable('den');
        broker = await mqtt.connectAsync(`mqtt://127.0.0.1:${harbour.port}`);
        page = await openPage(browser, `${harbour.pageUrl}#table=den`);
        await page.locator('.setup').waitFor();
    });

    after(() => closeAll(() => broker.endAsync(), () => closePage(page), harbour, browser));

    /** What the table publishes, but for its version. */
    async function say(version) {
        const topic = 'shipahoy/den/info';
        const heard = new Promise((resolve) => {
            broker.once('message', (_, payload) => resolve(JSON.parse(payload)));
        });
        await broker.subscribeAsync(topic);
        const info = await heard;
        await broker.unsubscribeAsync(topic);
        await broker.publishAsync(topic, JSON.stringify({ ...info, version }), { retain: true });
    }

    test('the page says nothing while it has the version of the table', async () => {
        assert.equal(await page.locator('.newer-version').count(), 0);
    });

    test('it tells of a newer one, and is silent after the reload', async () => {
        await say('99.0.0');
        await page.getByText('Version 99.0.0 was installed meanwhile.').waitFor();
        await page.getByRole('button', { name: 'Reload' }).click();
        await page.locator('.newer-version').waitFor({ state: 'detached' });
        await page.locator('.setup').waitFor();
        assert.equal(await page.locator('.newer-version').count(), 0);
    });

    test('it tells of the next one again', async () => {
        await say('99.1.0');
        await page.getByText('Version 99.1.0 was installed meanwhile.').waitFor();
    });
});
