/** The speaker of a table behind a broker with logins: captains choose it, also for a viewer's TV. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { closePage, openBrowser, openPage, PHONE } from './browser.mjs';
import { GuardedHarbour } from './servers.mjs';
import { closeAll } from './waiting.mjs';

describe('the speaker', () => {
    let browser;
    let harbour;

    before(async () => {
        harbour = await GuardedHarbour.open();
        await harbour.startTable('den');
        browser = await openBrowser();
    });

    after(() => closeAll(browser, harbour));

    async function open(user, role) {
        const page = await openPage(browser, await harbour.addUser(user, role), {
            viewport: PHONE,
        });
        await page.locator('.show-menu > summary').click();
        await page.locator('[data-speaker=nobody]').waitFor();
        return page;
    }

    test('is a viewer’s TV if the captain enters its code', async () => {
        const tv = await open('tv', 'viewer');
        await tv.locator('.show-panel button.primary').click();
        const words = await tv.locator('.show-panel [role=alert]').textContent();
        const [code] = words.match(/\b[A-Z0-9]{4}\b/);
        assert.equal(await tv.locator('[data-speaker=nobody]').count(), 1);

        const phone = await open('captain', 'captain');
        await phone.locator('.other-device > summary').click();
        await phone.locator('.other-device input').fill(code.toLowerCase());
        await phone.locator('.other-device button').click();
        await tv.locator('[data-speaker=here]').waitFor();
        await phone.locator('[data-speaker=elsewhere]').filter({ hasText: code }).waitFor();
        await closePage(phone);
        await closePage(tv);
    });
});
