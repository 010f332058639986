/** The page over https in a Chromium that trusts the authority of the table, and in one that does not. inside.sh runs it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { QUIET } from '../scoreboard/browser.mjs';
import { chromium } from '../scoreboard/packages.mjs';

const { AUTHORITY, ADDRESS, LOGIN } = process.env;

/** A browser with a home of its own, in which NSS has its certificates. */
async function openBrowser({ trusts }) {
    const home = await mkdtemp(join(tmpdir(), 'shipahoy-home-'));
    if (trusts) {
        const database = `sql:${home}/.pki/nssdb`;
        await mkdir(join(home, '.pki/nssdb'), { recursive: true });
        execFileSync('certutil', ['-d', database, '-N', '--empty-password']);
        execFileSync('certutil', ['-d', database, '-A', '-t', 'C,,', '-n', 'table', '-i', AUTHORITY]);
    }
    const context = await chromium.launchPersistentContext(join(home, 'profile'), {
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: [...QUIET, `--host-resolver-rules=MAP shipahoy.local ${ADDRESS}`],
        env: { ...process.env, HOME: home },
        locale: 'en-GB',
    });
    return { context, home, page: await context.newPage() };
}

async function close({ context, home }) {
    await context.close();
    await rm(home, { recursive: true });
}

describe('a browser that trusts the authority', () => {
    let browser;
    let page;

    before(async () => {
        browser = await openBrowser({ trusts: true });
        page = browser.page;
    });
    after(() => close(browser));

    test('plays over wss', async () => {
        const sockets = [];
        page.on('websocket', (socket) => sockets.push(socket.url()));
        await page.goto(`https://shipahoy.local/${LOGIN}`);
        await page.locator('[data-verb=start-game], [data-verb=new-game]').first().click();
        await page.locator('[data-verb=end-phase]').first().waitFor();
        assert.deepEqual([...new Set(sockets)], ['wss://shipahoy.local/mqtt']);
        assert.equal(await page.evaluate(() => isSecureContext), true);
    });

    test('keeps the screen on', async () => {
        const state = await page.evaluate(async () => {
            const lock = await navigator.wakeLock.request('screen');
            return lock.released ? 'released' : lock.type;
        });
        assert.equal(state, 'screen');
    });

    test('can install the page as an app', async () => {
        const devtools = await browser.context.newCDPSession(page);
        const { errors } = await devtools.send('Page.getAppManifest');
        assert.deepEqual(errors, []);
        const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
        assert.deepEqual(installabilityErrors, []);
    });

    test('accepts the address with the number, too', async () => {
        const answer = await page.goto(`https://${ADDRESS}/`);
        assert.equal(answer.status(), 200);
    });
});

describe('a browser that does not trust it', () => {
    let browser;
    let page;

    before(async () => {
        browser = await openBrowser({ trusts: false });
        page = browser.page;
    });
    after(() => close(browser));

    test('still plays over http, without a secure context', async () => {
        await page.goto(`http://shipahoy.local/${LOGIN}`);
        await page.locator('[data-verb=end-phase]').first().waitFor();
        assert.equal(await page.evaluate(() => isSecureContext), false);
    });

    test('reads in its own language how to trust the table', async () => {
        await page.goto('http://shipahoy.local/trust');
        assert.equal(await page.locator('h1:visible').count(), 1);
        assert.match(await page.locator('h1:visible').textContent(), /Trust this table/);
        await page.getByText('Deutsch').click();
        assert.match(await page.locator('h1:visible').textContent(), /vertrauen/);
        const [download] = await Promise.all([
            page.waitForEvent('download'),
            page.locator('a.button:visible').click(),
        ]);
        assert.equal(download.suggestedFilename(), 'shipahoy-authority.crt');
        const link = await page.locator('section:visible a[href="/secure"]').count();
        assert.equal(link, 1);
    });

    test('warns over https', async () => {
        await assert.rejects(page.goto('https://shipahoy.local/'), /ERR_CERT_AUTHORITY_INVALID/);
    });
});
