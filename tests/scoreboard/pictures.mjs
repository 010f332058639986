/** Takes the pictures of docs/images anew: npm --prefix scoreboard run pictures */
import { mkdir } from 'node:fs/promises';
import { closePage, openBrowser, openPage, PHONE } from './browser.mjs';
import { Harbour } from './servers.mjs';
import { Watcher } from './watcher.mjs';

const folder = new URL('../../docs/images/', import.meta.url).pathname;
const players = ['Anna', 'Björn', 'Cleo', 'Dora'].map((name) => ({ name }));

async function shootAll(watcher, ...pieces) {
    await watcher.must('fire');
    for (const piece of pieces) {
        await watcher.must('topple', { piece });
    }
}

async function pass(watcher, steps) {
    for (let step = 0; step < steps; step++) {
        await watcher.must('end-phase');
    }
}

/** A game in which something of everything is to be seen. */
async function playOn(watcher) {
    const barrels = { red: 'blue', blue: 'green', green: 'yellow', yellow: 'red' };
    await watcher.must('new-game', { first: 1, players, scenario: 'merchant', barrels });
    await shootAll(watcher, 'blue-2', 'yellow-3');
    await pass(watcher, 3);
    await shootAll(watcher, 'green-tower');
    await pass(watcher, 1);
    await watcher.must('load-barrel', { piece: 'blue-1', harbour: 'blue' });
    await watcher.must('deliver-barrel', { piece: 'blue-1', harbour: 'green' });
    await pass(watcher, 2);
    await shootAll(watcher, 'red-3');
    await pass(watcher, 2);
    await watcher.must('engage', { attacker: 'green-1', target: 'yellow-2' });
    const fight = { attacker: 'green-1', target: 'yellow-2', value: 'swords' };
    await watcher.must('roll-combat', fight);
    await pass(watcher, 3);
    await watcher.must('roll-combat', { ...fight, value: 'swords' });
    await pass(watcher, 1);
    await shootAll(watcher, 'green-2');
    await pass(watcher, 1);
    await watcher.must('load-barrel', { piece: 'red-2', harbour: 'red' });
    await watcher.must('roll-move', { value: 3 });
    await watcher.must('select', { piece: 'red-1' });
}

const harbour = await Harbour.open();
await harbour.startTable('den', { timing: { shot_window_ms: 60000 } });
const watcher = await Watcher.open(harbour, 'den');
const browser = await openBrowser();
await mkdir(folder, { recursive: true });
await playOn(watcher);

async function take(name, view, options, prepare) {
    const page = await openPage(browser, `${harbour.pageUrl}#table=den&view=${view}`, options);
    await page.locator('.log li:nth-child(14), [data-verb=undo], .sea').first().waitFor();
    await prepare?.(page);
    await page.screenshot({ path: `${folder}${name}.png` });
    await closePage(page);
}

await take('table', 'table', { viewport: { width: 1200, height: 750 } }, async (page) => {
    await page.locator('.sea-piece[data-piece=red-1]').click();
    await page.locator('[data-hand=aim]').click();
    await page.locator('input[name=pull]').fill('1.6');
    await watcher.see('the rope', ({ rope }) => rope.knots > 1.55);
    await page.locator('.rope[data-pulled="1.6"]').waitFor();
});
await take('board', 'board', { viewport: { width: 1600, height: 900 } });
await take('captain', 'captain', { viewport: PHONE });
await browser.close();
await watcher.close();
await harbour.close();
