/**
 * How long one person with a phone takes to pair twelve ships: the real page, broker and daemon, and
 * hands as slow as those of a person. Prints taps, seconds, and the part of the page and the daemon.
 *
 *     node tests/scoreboard/pairing_time.mjs
 */
import { closePage, openBrowser, openPage, PHONE } from './browser.mjs';
import { Zigbee } from './devices.mjs';
import { Harbour } from './servers.mjs';
import { Watcher } from './watcher.mjs';

const SHIPS = 12;

/** What a person needs after the phone has said what to do, in milliseconds. */
const HANDS = { tip: 3000, raise: 3000, tap: 1000 };

const harbour = await Harbour.open();
await harbour.startTable('den');
const watcher = await Watcher.open(harbour, 'den');
const browser = await openBrowser();
const ships = Array.from({ length: SHIPS }, (_, i) => new Zigbee(watcher.client, `ship-${i + 1}`));
for (const ship of ships) {
    await ship.announce();
}
const page = await openPage(browser, `${harbour.pageUrl}#table=den&view=sensors`, {
    viewport: PHONE,
});

let hands_ms = 0;
let taps = 0;

async function take(what) {
    hands_ms += HANDS[what];
    await new Promise((resolve) => setTimeout(resolve, HANDS[what]));
}

async function tap(selector) {
    await page.locator(selector).waitFor();
    await take('tap');
    await page.locator(selector).click();
    taps++;
}

await page.locator('[data-pair-all]').waitFor();
const start = Date.now();
await tap('[data-pair-all]');
for (const [i, ship] of ships.entries()) {
    await page.locator('.pairing[data-step=tip]').waitFor();
    await take('tip');
    await ship.move(true);
    await page.locator('.pairing[data-step=raise]').waitFor();
    await take('raise');
    await ship.move(false);
    await page.locator('.pairing[data-step=done]').getByText(ship.name, { exact: true }).waitFor();
    await tap(`[data-wizard=next]${i < SHIPS - 1 ? ':has-text("next")' : ''}`);
}
await page.getByText(`${SHIPS} of ${SHIPS} ships have a sensor.`).waitFor();
const all_ms = Date.now() - start;
const seconds = (ms) => (ms / 1000).toFixed(1);
console.log(
    `${SHIPS} ships, ${taps} taps: ${seconds(all_ms)} s, of which ` +
        `${seconds(all_ms - hands_ms)} s are not the person's ` +
        `(tipping ${seconds(HANDS.tip)} s, raising ${seconds(HANDS.raise)} s, a tap ${seconds(HANDS.tap)} s)`,
);
await closePage(page);
await browser.close();
await watcher.close();
await harbour.close();
