/** Sensors over MQTT: the page pairs them, shows their health, and waits for their reports. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { emptyTable } from '../../scoreboard/src/model.js';
import { nextShip, sensorGroups } from '../../scoreboard/src/sensors.js';
import { expectFit } from './boxes.mjs';
import { closePage, openBrowser, openPage, PHONE, SMALL_PHONE, TV } from './browser.mjs';
import { EspHome, Node, Zigbee } from './devices.mjs';
import { GuardedHarbour, Harbour } from './servers.mjs';
import { closeAll } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

test('the next ship is the next without a sensor, and none when all have one', () => {
    const radio = { value: 0, source: 'mqtt' };
    const table = { ...emptyTable('den'), info: { backend: 'gpiod' } };
    assert.equal(nextShip(table), 'red-1.tilt');
    assert.equal(nextShip(table, 'yellow-3.tilt'), 'red-1.tilt');
    const some = { ...table, sensors: { 'red-1.tilt': radio, 'red-2.tilt': { source: 'gpio' } } };
    assert.equal(nextShip(some), 'red-3.tilt');
    const ships = sensorGroups(table)[0][1];
    const all = { ...table, sensors: Object.fromEntries(ships.map((name) => [name, radio])) };
    assert.equal(nextShip(all, 'red-1.tilt'), null);
});

describe('the page with sensors over MQTT', () => {
    let browser;
    let harbour;
    let watcher;
    let page;
    let table;
    let count = 0;

    before(async () => {
        harbour = await Harbour.open();
        browser = await openBrowser();
    });

    after(() => closeAll(browser, harbour));

    beforeEach(() => {
        table = `table-${++count}`;
    });

    afterEach(() => closeAll(() => closePage(page), watcher, () => harbour.endTable(table)));

    async function open(hash, settings = {}, viewport = PHONE) {
        await harbour.startTable(table, settings);
        watcher = await Watcher.open(harbour, table);
        page = await openPage(browser, `${harbour.pageUrl}#table=${table}${hash}`, { viewport });
    }

    const wizard = (step, sensor) =>
        page
            .locator(`.pairing[data-step=${step}]${sensor ? `[data-sensor="${sensor}"]` : ''}`)
            .waitFor();

    /** Announces a device; the table has subscribed to its topic when it answers a command. */
    async function listensTo(device, sensor) {
        await watcher.see('it listens', ({ pairing }) => pairing?.sensor === sensor);
        await device.announce();
        await watcher.send({ verb: 'aim', piece: 'red-1' });
    }

    /** Tips it over and stands it up as soon as the page asks for it. */
    async function tip(device) {
        await device.move(true);
        await wizard('raise');
        await device.move(false);
    }

    const row = (sensor) => page.locator(`.sensor[data-sensor="${sensor}"]`);

    test('pairs a ship of each kind, one after the other', async () => {
        await open('&view=captain');
        const zigbee = new Zigbee(watcher.client, 'ship-z');
        const esp = new EspHome(watcher.client, 'ship-e');
        const node = new Node(watcher.client, 'ship-n', table);
        await page.locator('.to-sensors').click();
        await page.getByText('0 of 12 ships have a sensor.').waitFor();
        await page.locator('[data-pair-all]').click();
        await wizard('tip', 'red-1.tilt');
        await page.getByText('Tip Red 1 over and stand it up again.').waitFor();
        await listensTo(zigbee, 'red-1.tilt');
        await tip(zigbee);
        await wizard('done', 'red-1.tilt');
        await page.getByText('Red 1: found ship-z.').waitFor();
        assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H2');
        await expectFit(page, 'a ship is found');
        await page.getByRole('button', { name: 'Keep, next: Red 2' }).click();
        await wizard('tip', 'red-2.tilt');
        await listensTo(esp, 'red-2.tilt');
        await tip(esp);
        await page.getByRole('button', { name: 'Keep, next: Red 3' }).click();
        await wizard('tip', 'red-3.tilt');
        await listensTo(node, 'red-3.tilt');
        await node.move(false);
        await tip(node);
        await wizard('done', 'red-3.tilt');
        await row('red-1.tilt').getByText('Radio: zigbee2mqtt/ship-z').waitFor();
        await row('red-2.tilt').getByText('Radio: ship-e/binary_sensor/tilt/state').waitFor();
        await row('red-3.tilt').getByText('Node: ship-n tilt').waitFor();
        await zigbee.move(false, { battery: 9 });
        await row('red-1.tilt').getByText(/battery 9 % · link quality 131 · heard \d/).waitFor();
        await page.setViewportSize(SMALL_PHONE);
        await expectFit(page, 'the list');
        await page.locator('[data-wizard=unpair]').click();
        await row('red-3.tilt').getByText('Simulated').waitFor();
    });

    test('lists what moved together, and says why nothing was found and what to do', async () => {
        await open('&view=sensors');
        const one = new Zigbee(watcher.client, 'one');
        const two = new Zigbee(watcher.client, 'two');
        await row('blue-2.tilt').getByRole('button', { name: 'Pair Blue 2' }).click();
        await listensTo(one, 'blue-2.tilt');
        await listensTo(two, 'blue-2.tilt');
        await Promise.all([one.move(true), two.move(true)]);
        await wizard('raise');
        await Promise.all([one.move(false), two.move(false)]);
        await page.getByText('Several sensors moved together.').waitFor();
        const listed = await page.locator('.candidates strong').allTextContents();
        assert.deepEqual(listed, ['one', 'two']);
        await tip(two);
        await page.getByText('Blue 2: found two.').waitFor();
        await page.getByRole('button', { name: 'Keep, next: Blue 3' }).click();
        await wizard('tip', 'blue-3.tilt');
        await listensTo(two, 'blue-3.tilt');
        await tip(two);
        await page.locator('[data-reason=in-use]').waitFor();
        await page.getByText('two belongs to another piece.').waitFor();
        await page.locator('[data-wizard=again]').click();
        await wizard('tip', 'blue-3.tilt');
        await page.locator('[data-wizard=cancel]').click();
        await wizard('none');
        await row('blue-2.tilt').getByRole('button', { name: 'Unpair Blue 2' }).click();
        await row('blue-2.tilt').getByText('Simulated').waitFor();
    });

    test('shows the health of radio sensors before a game, and waits for them in it', async () => {
        const source = (name) => `mqtt zigbee2mqtt/${name} contact=false late=5000`;
        await open('&view=captain', {
            timing: { shot_window_ms: 100 },
            'piece.blue-1': { tilt: `${source('b1')} alive=b1/alive` },
            'piece.blue-2': { tilt: source('b2') },
            'piece.blue-3': { tilt: source('b3') },
        });
        const [one, two] = ['b1', 'b2'].map((name) => new Zigbee(watcher.client, name));
        await two.move(false, { battery: 9 });
        await one.say('b1/alive', 'offline');
        const missing = page.locator('.missing');
        await missing.getByText('Tilt sensor of Blue 1 does not respond: check its').waitFor();
        await missing.getByText('Tilt sensor of Blue 2: its battery is at 9 %.').waitFor();
        await missing.getByText('Tilt sensor of Blue 3 has not reported yet: move it').waitFor();
        await page.locator('button[data-verb=new-game][data-anyway=false]').waitFor();
        await watcher.must('new-game', { first: 1, players: [{}, {}, {}] });
        await watcher.must('fire');
        await page.locator('[data-now=waitRadio]').waitFor();
        await two.move(true);
        await watcher.see('the late fall', ({ state }) => state.pieces['blue-2'].by === 1);
        await page.setViewportSize(TV);
        await page.goto(`${harbour.pageUrl}#table=${table}`);
        await page.getByText('Waiting for radio sensors').waitFor();
        await page.goto(`${harbour.pageUrl}#table=${table}&view=sensors`);
        await page.getByText('Sensors can be paired when it is over.').waitFor();
        assert.equal(await page.locator('[data-pair], [data-pair-all]').count(), 0);
        await row('blue-1.tilt').getByText('silent').waitFor();
    });
});

describe('a broker with roles', () => {
    let browser;
    let harbour;

    before(async () => {
        harbour = await GuardedHarbour.open();
        await harbour.startTable('den');
        browser = await openBrowser();
    });

    after(() => closeAll(browser, harbour));

    test('lets referees pair, and shows captains the sensors only', async () => {
        const referee = await openPage(browser, await harbour.addUser('eva', 'referee'));
        await referee.locator('.to-sensors').click();
        await referee.locator('[data-pair-all]').click();
        await referee.locator('.pairing[data-step=tip]').waitFor();
        const captain = await openPage(browser, await harbour.addUser('max', 'captain'));
        await captain.goto(`${harbour.pageUrl}#table=den&view=sensors`);
        await captain.locator('[data-may-not-pair]').waitFor();
        assert.equal(await captain.locator('[data-pair], [data-pair-all]').count(), 0);
        await closePage(captain);
        await closePage(referee);
    });
});
