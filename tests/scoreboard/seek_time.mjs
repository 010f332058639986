/**
 * seek_time.mjs DATABASE: measures how fast stored games are found, opened and searched on the page. A real table plays
 * a game of 300 events, and its logbook has the games of bench_logbook (BENCH_DATABASE) as well.
 */
import { mkdir, symlink } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { isStored } from './ask_logbook.mjs';
import { openBrowser, openPage } from './browser.mjs';
import { measureSeeks } from './seeks.mjs';
import { Harbour } from './servers.mjs';
import { until } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

const EVENTS = 300;
const TIMES = 10;
const SEEKS = 60; // each time
const TURN = [['fire'], ['end-phase'], ['roll-move', { value: 2 }], ['end-phase'], ['end-phase']];

const harbour = await Harbour.open();
await mkdir(join(harbour.dir, 'logbook.state'));
await symlink(resolve(process.argv[2]), join(harbour.dir, 'logbook.state/logbook.db'));
await harbour.startLogbook();
await harbour.startTable('den', { timing: { shot_window_ms: 60000 } });
const watcher = await Watcher.open(harbour, 'den');
await watcher.must('new-game', { first: 1, abandon: true, anyway: true, players: [{ name: 'Anna' }, { name: 'Ben' }] });
while (watcher.state.seq < EVENTS) {
    for (const command of TURN) {
        await watcher.must(...command);
    }
}
await until('the game is stored', () => isStored(harbour, watcher.state));
const browser = await openBrowser();

function print(what, times) {
    times.sort((a, b) => a - b);
    const [median, p99] = [0.5, 0.99].map((share) => times[Math.floor(share * (times.length - 1))].toFixed(1));
    console.log(`${what}: ${times.length} times, median ${median} ms, p99 ${p99} ms, worst ${times.at(-1).toFixed(1)} ms`);
}

/** From the address to the element on the screen, in a new page. */
async function open(hash, shown) {
    const page = await openPage(browser, 'about:blank');
    const began = performance.now();
    await page.goto(`${harbour.pageUrl}#view=${hash}`);
    await page.locator(shown).first().waitFor();
    return { page, ms: performance.now() - began };
}

const lists = [];
const opened = [];
const seeks = [];
for (let i = 0; i < TIMES; i++) {
    const list = await open('logbook', '[data-game]');
    await list.page.context().close();
    const { page, ms } = await open(`logbook&game=${watcher.state.game}&seq=150`, '.timeline');
    lists.push(list.ms);
    opened.push(ms);
    seeks.push(...(await page.evaluate(measureSeeks, SEEKS)));
    await page.context().close();
}
const fame = await open('fame', '.figures tbody tr');
print('the list of games, from a new page', lists);
print('a game at a moment, from its address in a new page', opened);
print('the hall of fame', [fame.ms]);
print('a seek until it is on the screen', seeks);
console.log(`load ${loadavg()[0].toFixed(1)}`);
await browser.close();
await watcher.close();
await harbour.close();
