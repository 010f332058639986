/** What most tests in a browser need: a broker with one table, somebody who watches it, and Chromium. */
import { openBrowser } from './browser.mjs';
import { Harbour } from './servers.mjs';
import { closeAll } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

/** The table den, whose shots last until somebody ends them: {browser, harbour, watcher}. */
export async function openTable() {
    const harbour = await Harbour.open();
    await harbour.startTable('den', { timing: { shot_window_ms: 60000 } });
    const watcher = await Watcher.open(harbour, 'den');
    return { harbour, watcher, browser: await openBrowser() };
}

export function closeTable({ browser, harbour, watcher }) {
    return closeAll(
        () => browser.close(),
        () => watcher.close(),
        () => harbour.close(),
    );
}
