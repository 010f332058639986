/** Takes the pictures of docs/images anew: npm --prefix scoreboard run pictures */
import { mkdir, writeFile } from 'node:fs/promises';
import { isStored } from './ask_logbook.mjs';
import { animatedWebp, startScreencast } from './animation.mjs';
import { closePage, openBrowser, openPage, PHONE } from './browser.mjs';
import { Zigbee } from './devices.mjs';
import { Harbour } from './servers.mjs';
import { until } from './waiting.mjs';
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
await takeSensors();
await playOn(watcher);

/** Before the game: the wizard has just found the sensor of a ship. */
async function takeSensors() {
    const [one, two] = ['ship-1', 'ship-2'].map((name) => new Zigbee(watcher.client, name));
    const address = `${harbour.pageUrl}#table=den&view=sensors`;
    const page = await openPage(browser, address, { viewport: PHONE });
    const found = (ship) => page.locator('.pairing[data-step=done]').getByText(ship.name).first();
    await page.locator('[data-pair-all]').click();
    for (const ship of [one, two]) {
        await page.locator('.pairing[data-step=tip]').waitFor();
        await ship.announce();
        await watcher.send({ verb: 'aim', piece: 'red-1' }); // answered when it is subscribed to
        await ship.move(true);
        await page.locator('.pairing[data-step=raise]').waitFor();
        await ship.move(false);
        await found(ship).waitFor();
        if (ship === one) {
            await page.locator('[data-wizard=next]').click();
            await watcher.see('the next', ({ pairing }) => pairing.sensor === 'red-2.tilt');
        }
    }
    await one.move(false);
    await page.locator('[data-sensor="red-1.tilt"]').getByText('heard').waitFor();
    await page.screenshot({ path: `${folder}sensors.png` });
    await closePage(page);
    for (const sensor of ['red-1.tilt', 'red-2.tilt']) {
        await watcher.must('unpair', { sensor });
    }
}

async function take(name, view, options, prepare) {
    const page = await openPage(browser, `${harbour.pageUrl}#table=den&view=${view}`, options);
    await page.locator('.log li:nth-child(14), [data-verb=undo], .sea').first().waitFor();
    await prepare?.(page);
    await page.screenshot({ path: `${folder}${name}.png` });
    await closePage(page);
}

/** A shot at the virtual table, as it is seen there. */
async function film(name) {
    await watcher.must('new-game', { first: 1, players, abandon: true, anyway: true });
    const page = await openPage(browser, `${harbour.pageUrl}#table=den&view=table`, {
        viewport: { width: 960, height: 600 },
        reducedMotion: 'no-preference',
    });
    await page.locator('.sea-piece[data-piece=blue-2]').click();
    const stop = await startScreencast(page);
    await page.locator('[data-hand=fire]').click();
    await page.locator('[data-moment=capture]').waitFor();
    await page.locator('[data-moment=capture]').waitFor({ state: 'detached' });
    const shots = await stop();
    await closePage(page);
    const film = await animatedWebp(browser, shots, {
        width: 640,
        height: 400,
        quality: 0.7,
        last_ms: 2000,
    });
    await writeFile(`${folder}${name}.webp`, film);
    console.log(`${name}.webp: ${shots.length} pictures, ${Math.ceil(film.length / 1024)} KiB`);
}

await take('table', 'table', { viewport: { width: 1200, height: 750 } }, async (page) => {
    const grip = page.locator('.sea-piece[data-piece=red-1] .grip');
    const { x, y, width } = await grip.boundingBox();
    await page.mouse.move(x + width / 2, y + width / 2);
    await page.mouse.down();
    await page.mouse.move(x + 1.4 * width, y + 1.4 * width, { steps: 12 });
    await page.mouse.up();
    await page.locator('[data-hand=confirm]').waitFor();
    await watcher.see('the rope', ({ rope }) => rope.knots > 1.5);
});
await take('board', 'board', { viewport: { width: 1600, height: 900 } });
await take('captain', 'captain', { viewport: PHONE });
await harbour.startLogbook();
await until('the game is stored', () => isStored(harbour, watcher.state));
const moment = `logbook&game=${watcher.state.game}&seq=${watcher.state.seq - 12}`;
await take('logbook', moment, { viewport: { width: 1600, height: 900 } });
await film('shot');
await browser.close();
await watcher.close();
await harbour.close();
