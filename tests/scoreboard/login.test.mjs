/** A broker that asks who comes: logging in, and seeing only what one may do. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { forgetLogin, rememberedLogin, rememberLogin } from '../../scoreboard/src/login.js';
import { expectFit } from './boxes.mjs';
import { closePage, openBrowser, openPage, PHONE } from './browser.mjs';
import { GuardedHarbour } from './servers.mjs';
import { closeAll, until } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

class Store extends Map {
    getItem(key) {
        return this.get(key) ?? null;
    }

    setItem(key, text) {
        this.set(key, text);
    }

    removeItem(key) {
        this.delete(key);
    }
}

describe('a login', () => {
    const ada = { user: 'ada', password: 'x' };

    test('lasts in its tab, and on the device only if it is wished', () => {
        const [tab, device] = [new Store(), new Store()];
        rememberLogin('ws://a', ada, false, [tab, device]);
        assert.deepEqual(rememberedLogin('ws://a', [tab, device]), ada);
        assert.equal(rememberedLogin('ws://a', [new Store(), device]), null);
        rememberLogin('ws://a', ada, true, [tab, device]);
        assert.deepEqual(rememberedLogin('ws://a', [new Store(), device]), ada);
        forgetLogin([tab, device]);
        assert.equal(rememberedLogin('ws://a', [tab, device]), null);
    });

    test('is for the broker that it was given to, and for no other', () => {
        const stores = [new Store(), new Store()];
        rememberLogin('ws://a', ada, true, stores);
        assert.equal(rememberedLogin('ws://b', stores), null);
    });

    test('is not remembered where there is no memory', () => {
        rememberLogin('ws://a', ada, true, [null, null]);
        assert.equal(rememberedLogin('ws://a', [null, null]), null);
    });
});

describe('a broker with roles', () => {
    let browser;
    let harbour;
    let watcher;
    let page;
    const addresses = {};

    before(async () => {
        harbour = await GuardedHarbour.open();
        for (const role of ['viewer', 'captain', 'referee']) {
            addresses[role] = await harbour.addUser(role, role);
        }
        await harbour.startTable('den');
        watcher = await Watcher.open(harbour, 'den');
        browser = await openBrowser();
    });

    after(() => closeAll(browser, watcher, harbour));

    beforeEach(() => watcher.must('new-game', { first: 1, abandon: true, players: [{}, {}] }));

    afterEach(() => closePage(page));

    async function logIn(user, password) {
        await page.locator('#user').fill(user);
        await page.locator('#password').fill(password);
        await page.getByRole('button', { name: 'Log in' }).click();
    }

    test('is asked for a login, and told when it is wrong', async () => {
        page = await openPage(browser, `${harbour.pageUrl}#table=den`, { viewport: PHONE });
        await page.getByText('This broker requires a login.').waitFor();
        await expectFit(page, 'the login');
        await logIn('viewer', 'wrong');
        await page.getByText('The broker does not accept this login.').waitFor();
        await logIn('viewer', 'viewer-1');
        await page.locator('.player').first().waitFor();
        await page.reload();
        await page.locator('.player').first().waitFor();
    });

    test('takes the address of a phone, and keeps the password out of sight', async () => {
        page = await openPage(browser, addresses.captain, { viewport: PHONE });
        await page.locator('button[data-verb=fire]').waitFor();
        assert.ok(!page.url().includes('password'));
        await page.reload();
        await page.locator('button[data-verb=fire]').waitFor();
        await page.goto(`${harbour.pageUrl}#view=lobby`);
        await page.getByText('Logged in as captain.').waitFor();
        await page.locator('[data-login]').click();
        await page.locator('#user').waitFor();
        await page.reload();
        await page.locator('#user').waitFor();
    });

    test('offers a viewer nothing to do', async () => {
        page = await openPage(browser, `${addresses.viewer}&view=captain`, { viewport: PHONE });
        await page.locator('[data-may-watch]').waitFor();
        assert.equal(await page.locator('button[data-verb]').count(), 0);
    });

    test('shows a viewer at a TV how to join, below what it says', async () => {
        await harbour.startTable('new');
        const viewer = addresses.viewer.replace('table=den', 'table=new');
        const address = `${viewer}&lang=de&tv=&join=http://pi.local/`;
        page = await openPage(browser, address, { viewport: { width: 1280, height: 720 } });
        await page.locator('.qr').waitFor();
        const { y } = await page.locator('.join').boundingBox();
        const said = await page.locator('.setup-words .ready-check').boundingBox();
        assert.ok(y >= said.y + said.height, `the code at ${y}, and what it says at ${said.y}`);
        await expectFit(page, 'how to join');
    });

    test('offers a captain the game, but neither undo nor the way out of it', async () => {
        page = await openPage(browser, addresses.captain, { viewport: PHONE });
        await page.getByText('Say which piece shoots').click();
        await page.locator('button[data-verb=aim][data-piece=red-1]').click();
        await watcher.see('the aim', ({ state }) => state.shooter === 'red-1');
        await until('the list', () => page.evaluate(() => !document.querySelector('[data-abandon]')));
        assert.equal(await page.locator('button[data-verb=undo]').count(), 0);
    });

    test('offers a referee everything', async () => {
        page = await openPage(browser, addresses.referee, { viewport: PHONE });
        await page.getByText('Say which piece shoots').click();
        await page.locator('button[data-verb=aim][data-piece=red-1]').click();
        await page.locator('button[data-verb=undo]').click();
        await watcher.see('the undo', ({ state, log }) => !state.shooter && log.events.length > 3);
        await page.getByRole('button', { name: 'Abandon this game' }).waitFor();
    });

    test('shows the sentence when it stops a command or an edge all the same', async () => {
        page = await openPage(browser, await harbour.addUser('eve', 'captain'), {
            viewport: PHONE,
        });
        await page.locator('button[data-verb=fire]').waitFor();
        await harbour.addUser('eve', 'viewer');
        await page.locator('button[data-verb=fire]').click();
        await page.locator('.refusal[data-error=not-allowed]').waitFor();
        await page.goto(`${harbour.pageUrl}#table=den&view=table`);
        await page.locator('.sea-piece[data-piece=red-1]').click();
        await page.locator('.tools summary').click();
        await page.locator('[data-hand=topple]').click();
        await page.getByText('This login may not operate the sensors').waitFor();
    });
});
