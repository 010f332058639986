/**
 * The page at a cluster, for test_page.py: node page.mjs ADDRESS. Plays a step, says so on standard output, waits for a
 * line on standard input, during which a node is killed, and plays on.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { closePage, openBrowser, openPage, PHONE } from '../scoreboard/browser.mjs';

/** Until the table has replied. */
async function endStep(page) {
    await page.locator('[data-verb=end-phase]').first().click();
    await page.locator('main.captain[aria-busy=false]').waitFor();
}

const browser = await openBrowser();
const page = await openPage(browser, process.argv[2], { viewport: PHONE });
const lines = createInterface({ input: process.stdin });
await page.locator('[data-verb=end-phase]').first().waitFor();
console.log('sees the table');
await endStep(page);
console.log('has played');
await once(lines, 'line');
await endStep(page);
console.log('has played on');
assert.deepEqual(page.complaints, []);
await closePage(page);
await browser.close();
process.exit(0);
