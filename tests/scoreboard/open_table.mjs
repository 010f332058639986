/** What most tests in a browser need: a broker with one table, somebody who watches it, and Chromium. */
import { after, before } from 'node:test';
import { openBrowser } from './browser.mjs';
import { Harbour } from './servers.mjs';
import { closeAll } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

export let browser;
export let harbour;
export let watcher;

/** Has them for the tests of a suite: the table den, whose shots last until somebody ends them. */
export function useTable() {
    before(async () => {
        harbour = await Harbour.open();
        await harbour.startTable('den', { timing: { shot_window_ms: 60000 } });
        watcher = await Watcher.open(harbour, 'den');
        browser = await openBrowser();
    });

    after(() => closeAll(browser, watcher, harbour));
}
