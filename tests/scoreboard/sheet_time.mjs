/** Measures the time from a tap on a phone to the number on the TV, with a real logbook. */
import { loadavg } from 'node:os';
import { openBrowser, openPage, PHONE, TV } from './browser.mjs';
import { Harbour } from './servers.mjs';
import { SheetTable } from './sheet_script.mjs';

const TAPS = 100;

/** Runs in the TV: resolves to the time at which this number is drawn. */
function drawn(seq) {
    return new Promise((resolve) => {
        const look = () => {
            const isThere = Number(document.querySelector('main').dataset.seq) >= seq;
            return isThere && resolve(performance.timeOrigin + performance.now());
        };
        new MutationObserver(look).observe(document.body, { subtree: true, attributes: true });
        look();
    });
}

/** Runs in the phone: taps, and returns when. */
function tap() {
    const at = performance.timeOrigin + performance.now();
    document.querySelector('button[data-counter="points"][data-by="1"]').click();
    return at;
}

const harbour = await Harbour.open();
await harbour.startLogbook();
const browser = await openBrowser();
const phone = await openPage(browser, 'about:blank', { viewport: PHONE });
const tv = await openPage(browser, 'about:blank', { viewport: TV });
const table = new SheetTable(phone, tv);
await table.open(harbour.pageUrl, 'en', ['brandi-ahoi', '2']);
await table.play('flag passengers player=1 value=yes'); // so that the game does not end
const times = [];
for (let i = 0; i < TAPS; i++) {
    const seq = (await table.seqOn(phone)) + 1;
    const shown = tv.evaluate(drawn, seq);
    const at = await phone.evaluate(tap);
    times.push((await shown) - at);
    await phone.locator(`main[data-seq="${seq}"][aria-busy="false"]`).waitFor();
}
times.sort((a, b) => a - b);
const part = (share) => times[Math.floor(share * (TAPS - 1))].toFixed(1);
const load = loadavg()[0].toFixed(1);
console.log(`${TAPS} taps: median ${part(0.5)} ms, 95 % ${part(0.95)} ms, load ${load}`);
await browser.close();
await harbour.close();
