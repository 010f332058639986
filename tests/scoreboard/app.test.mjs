/** The page as an app: a browser can install it over https, and it opens with the last view. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { createServer } from 'node:tls';
import { openProfile } from './browser.mjs';
import { Harbour } from './servers.mjs';
import { closeAll } from './waiting.mjs';

/** As docs/scoreboard.md has it: a server with a certificate in front of the broker. */
async function openSecureServer({ dir, wsPort }) {
    const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(dir, name));
    const options = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1';
    const files = ['-subj', '/CN=localhost', '-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', ...options.split(' '), ...files], { stdio: 'ignore' });
    const server = createServer(
        { key: await readFile(key), cert: await readFile(certificate) },
        (visitor) => {
            const broker = connect(wsPort, '127.0.0.1');
            pipeline(visitor, broker, visitor, () => {}); // either may go away at any time
        },
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return server;
}

describe('over https', () => {
    let harbour;
    let server;
    let url;
    let profile;
    let context;
    let page;

    before(async () => {
        harbour = await Harbour.open();
        await harbour.startTable('den');
        server = await openSecureServer(harbour);
        url = `https://127.0.0.1:${server.address().port}/scoreboard.html`;
        profile = await mkdtemp(join(tmpdir(), 'shipahoy-profile-'));
        context = await openProfile(profile);
        page = await context.newPage();
    });

    after(() => closeAll(context, server, harbour, () => rm(profile, { recursive: true })));

    test('a browser finds everything that an app needs', async () => {
        await page.goto(`${url}#table=den&view=captain`);
        await page.locator('form.new-game').waitFor(); // it has its broker, over wss
        const browser = await context.newCDPSession(page);
        const { url: found, errors, data } = await browser.send('Page.getAppManifest');
        assert.equal(found, url.replace('scoreboard.html', 'manifest.json'));
        assert.deepEqual(errors, []);
        assert.equal(JSON.parse(data).name, 'Ship Ahoy');
        const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
        assert.deepEqual(installabilityErrors, []);
    });

    test('the app opens with the view that it showed last, and stores no password', async () => {
        await page.addInitScript(() => {
            const real = globalThis.matchMedia;
            globalThis.matchMedia = (query) =>
                query === '(display-mode: standalone)' ? { matches: true } : real(query);
        });
        await page.goto('about:blank');
        await page.goto(`${url}#table=den&view=board&user=anna&password=secret`);
        await page.locator('.setup').waitFor();
        await page.getByRole('link', { name: 'Controls' }).click();
        await page.goto('about:blank');
        await page.goto(url);
        await page.locator('main.captain').waitFor();
        assert.match(page.url(), /view=captain/);
        assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes('secret'));
    });
});
