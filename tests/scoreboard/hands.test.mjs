/** The virtual table: from an edge to the score, through the daemon's real filters. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { closePage, openBrowser, openPage, PHONE, tapAt } from './browser.mjs';
import { KNOT } from '../../scoreboard/src/layout.js';
import { Crew, GRIP } from './crew.mjs';
import { Harbour } from './servers.mjs';
import { closeAll, until } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

describe('hands at the virtual table', () => {
    let browser;
    let harbour;
    let watcher;
    let crew;

    before(async () => {
        harbour = await Harbour.open();
        await harbour.startTable('den');
        watcher = await Watcher.open(harbour, 'den');
        browser = await openBrowser();
        crew = await Crew.open(browser, harbour);
        await crew.sitAt('den');
    });

    after(() => closeAll(crew, browser, watcher, harbour));

    beforeEach(async () => {
        const players = [{ name: 'Anna' }, { name: 'Ben' }];
        await watcher.must('new-game', {
            first: 1,
            abandon: true,
            anyway: true,
            players,
            scenario: 'merchant',
            rules: 'advanced',
            barrels: { red: 'green', blue: 'red', green: 'blue', yellow: 'red' },
        });
        const { game } = watcher.state;
        await crew.sea.locator(`.sea[data-game="${game}"]`).waitFor();
        await crew.openTools();
    });

    const lastOf =
        (type) =>
        ({ log }) =>
            log.events.findLast((event) => event.event_type === type);

    test('fire a ball, whose speed is shown, and what it hits lies flat (S3, A1)', async () => {
        await crew.shootAt('green-2', 'blue-2');
        await watcher.see('the topple', ({ state }) => state.pieces['green-2'].status === 'flat');
        const shot = lastOf('shot-fired')(watcher.table);
        assert.equal(shot.shooter, 'blue-2');
        const { evidence } = lastOf('piece-toppled')(watcher.table);
        assert.equal(evidence.sensor, 'green-2.tilt');
        assert.ok(evidence.bounces >= 2, 'the contact bounced');
        // Messages that a busy machine sends together would be a ball that is too fast: it has no speed.
        const sentence = shot.speed_mps ? /Anna fires: [\d.,]+ m\/s!/ : /Anna fires/;
        await crew.tv.getByText(sentence).first().waitFor();
        await crew.sea.locator('.whose .phase').getByText('Moving').waitFor(); // each step chooses anew
        await crew.hand('raise', 'green-2');
        await watcher.see('too early (A3)', ({ state }) => state.pieces['green-2'].disturbed);
        await crew.tv.locator('[data-alert=lay-down]').waitFor();
    });

    test('bump the table: one disturbance, and the TV says what to do (S7)', async () => {
        await crew.hand('bump', 'blue-2');
        await watcher.see('the bump', (table) => lastOf('disturbance')(table)?.pieces.length === 3);
        await crew.tv.locator('[data-alert=put-up]').waitFor();
        const lying = crew.sea.locator('.sea-piece.lying');
        await until('all of them lie', async () => (await lying.count()) === 3);
        await crew.choose('blue-2'); // a tap puts it up
        await watcher.see('that it stands', ({ state }) => !state.pieces['blue-2'].disturbed);
        await crew.hand('raise-all');
        await crew.tv.locator('[data-alert=put-up]').waitFor({ state: 'detached' });
    });

    test('drag a ship: the rope follows, the button confirms, or ends the step', async () => {
        await crew.tap({ verb: 'end-phase' });
        await crew.tap({ verb: 'roll-move', value: 3 });
        await watcher.see('the roll', ({ state }) => state.die === 3);
        await crew.sea.getByText('Rope').first().waitFor();
        await until('the sea knows', () => crew.sea.locator('.rope[data-left="3"]').isVisible());
        await crew.drag('red-2', 1.5);
        await watcher.see('the rope', ({ rope }) => Math.abs(rope.knots - 1.5) < 0.12);
        await crew.sea.locator(`.reach circle[r="${3 * KNOT}"]`).waitFor();
        assert.deepEqual([watcher.state.selected, watcher.table.rope.over], ['red-2', false]);
        await until('the TV moves the rope', () =>
            crew.tv.locator('.rope').evaluate((rope) => Math.abs(rope.dataset.pulled - 1.5) < 0.12),
        );
        await crew.hand('press');
        await watcher.see('the move, which cost two knots', ({ state }) => state.left === 1);
        await crew.sea.locator('[data-hand=hold]').click();
        await watcher.see('the end of the step', ({ state }) => state.phase === 'combat');
    });

    test('pull the rope too far: it is told while it is pulled (M5)', async () => {
        await crew.tap({ verb: 'end-phase' });
        await crew.tap({ verb: 'roll-move', value: 1 });
        await crew.tap({ verb: 'select', piece: 'red-1' });
        await crew.sea.locator('.rope[data-left="1"]').waitFor();
        await crew.sea.locator('input[name=pull]').fill('2.5');
        await crew.tv.getByText('Too far! Wind the rope back.').waitFor();
        await crew.sea.locator('input[name=pull]').fill('0.8');
        await crew.tv.getByText('Too far! Wind the rope back.').waitFor({ state: 'detached' });
        await watcher.see('the rope', ({ rope }) => Math.abs(rope.knots - 0.8) < 0.06);
    });

    /** Red may move three knots. */
    async function roll() {
        await crew.tap({ verb: 'end-phase' });
        await crew.tap({ verb: 'roll-move', value: 3 });
        await crew.sea.locator('.rope[data-left="3"]').waitFor();
    }

    const moved = (piece) =>
        watcher.see('the move', ({ log }) =>
            log.events.some((event) => event.event_type === 'piece-moved' && event.piece === piece),
        );

    const isAt = async (page, piece, { x }) => {
        const box = await page.locator(`.sea-piece[data-piece=${piece}] .grip`).boundingBox();
        return Math.abs(box.x + box.width / 2 - x) < 2;
    };

    test('move a ship with the arrow keys, and find it there after a reload', async () => {
        await roll();
        const ship = crew.sea.locator('.sea-piece[data-piece=red-3]');
        await ship.focus();
        const before = await crew.placeOf('red-3');
        await crew.sea.keyboard.press('ArrowRight');
        await crew.sea.locator('[data-hand=confirm]').click();
        await moved('red-3');
        const there = await crew.placeOf('red-3');
        assert.ok(there.x > before.x + 3);
        await watcher.see('its place', ({ positions }) =>
            positions?.places.some(([piece]) => piece === 'red-3'));
        await crew.sea.reload();
        await until('it is there', () => isAt(crew.sea, 'red-3', there));
    });

    const note = (say) => crew.sea.locator(`[data-note=${say}]`);

    test('a ship that may not sail goes back, and the page says what comes first', async () => {
        const before = await crew.placeOf('red-2');
        const { seq } = watcher.state;
        await crew.drag('red-2', 2);
        await note('shooting').waitFor();
        await until('it is back', () => isAt(crew.sea, 'red-2', before));
        assert.equal(watcher.state.seq, seq, 'a drag is no tap: it does not choose who shoots');
        await crew.tap({ verb: 'end-phase' });
        await note('shooting').waitFor({ state: 'detached' });
        await crew.sea.locator('[data-verb=roll-move]').first().waitFor();
        await crew.drag('red-2', 2);
        await crew.sea.locator('.refusal[data-error=not-rolled]').waitFor();
        await crew.drag('red-tower', 2);
        await note('tower').waitFor();
    });

    test('a ship stops at the end of its reach', async () => {
        await roll();
        const before = await crew.placeOf('red-2');
        await crew.drag('red-2', 5);
        const there = { x: before.x + (3 * KNOT * before.size) / GRIP };
        await until('it stops', () => isAt(crew.sea, 'red-2', there));
        await crew.sea.locator('[data-hand=confirm]').click();
        await watcher.see('the move, which cost all knots', ({ state }) => state.left === 0);
        assert.equal(lastOf('rope-over')(watcher.table), undefined);
    });

    test('a ship stops beside what stands there, and goes back if there is no room', async () => {
        await roll();
        await crew.dragTo('red-1', await crew.placeOf('red-2'));
        await note('stopped').getByText('There is Red 2 already').waitFor();
        const [one, two] = [await crew.placeOf('red-1'), await crew.placeOf('red-2')];
        const far = Math.hypot(one.x - two.x, one.y - two.y) / two.size;
        assert.ok(far > 0.93 && far < 0.98, `${far} times the size of a grip`);
        await crew.dragTo('red-3', await crew.placeOf('red-2'));
        await note('waiting').waitFor(); // red-1 is not given up without a word
        await crew.sea.locator('[data-hand=take-back]').click();
        await crew.dragTo('red-1', one);
        await crew.sea.locator('[data-hand=confirm]').click();
        await moved('red-1');
        await crew.sea.locator('[data-hand=confirm]').waitFor({ state: 'detached' });
        await crew.dragTo('red-1', await crew.placeOf('red-2'));
        await note('taken').getByText('There is Red 2 already').waitFor();
    });

    test('a dropped ship is confirmed or put back before the step can end', async () => {
        await roll();
        await crew.drag('red-2', 1.5);
        await crew.sea.getByText('Red 2 moves 1.5 knots. A knot that is begun counts whole: 2 knots.').waitFor();
        assert.equal(await crew.sea.locator('.hands [data-verb=end-phase]').count(), 0);
        assert.equal(await crew.sea.locator('.hands [data-verb=undo]').count(), 0);
        await crew.tap({ verb: 'end-phase' });
        await note('notConfirmed').waitFor();
    });

    test('takes the second half of a double tap for nothing else', async () => {
        await tapAt(crew.sea, '[data-hand=fire]', 1000, 1150); // the button may be gone after one
        await watcher.see('the next step', ({ state }) => state.phase === 'moving');
        assert.equal(lastOf('foul')(watcher.table), undefined, 'one ball');
        await crew.tap({ verb: 'roll-move', value: 3 });
        await crew.sea.locator('.rope[data-left="3"]').waitFor();
        await crew.drag('red-2', -1);
        await crew.sea.locator('[data-hand=confirm]').waitFor();
        await tapAt(crew.sea, '[data-hand=confirm]', 2000);
        await moved('red-2');
        const undo = '.hands [data-verb=undo]';
        await crew.sea.locator(undo).getByText('Undo: Anna moved Red 2').waitFor();
        await tapAt(crew.sea, undo, 2150); // it has appeared there
        const { seq } = watcher.state;
        await tapAt(crew.sea, undo, 3000);
        await watcher.see('the undo that was meant', ({ state }) => state.seq > seq);
        assert.deepEqual([watcher.state.left, watcher.state.die], [3, 3]);
    });

    test('says what is in the line of fire, and what a hit would be worth', async () => {
        const line = (words) => crew.sea.locator('.line-of-fire').getByText(words).waitFor();
        const fire = (words) => crew.sea.locator('[data-hand=fire]').getByText(words).waitFor();
        await crew.choose('blue-1');
        await crew.choose('green-tower');
        await line('Green 3 is in the way of Green tower: the ball would hit Green 3.');
        await fire('Fire at Green 3!');
        await crew.choose('green-3');
        await line('In the line of fire: Green 3.');
        await crew.choose('blue-tower');
        await crew.sea.locator('input[name=direction]').fill('90');
        await line(/^Blue 1 is on your side/);
        await fire('Fire anyway');
        assert.equal(await crew.sea.locator('.sea-piece.chosen').getAttribute('data-piece'), 'blue-tower');
    });

    test('a drag turns the cannon, and a piece that may not shoot says why', async () => {
        await watcher.must('fire');
        await watcher.must('topple', { piece: 'green-1' });
        for (let step = 0; step < 3; step++) {
            await watcher.must('end-phase');
        }
        await watcher.must('end-phase'); // Ben: green-1 lies flat
        await crew.sea.locator('.whose h1').getByText('Ben').waitFor();
        await crew.choose('green-1');
        await crew.sea.locator('.refusal[data-error=flat]').waitFor();
        await crew.choose('green-2');
        const gun = await crew.sea.locator('.gun circle').first().boundingBox();
        await crew.sea.mouse.move(gun.x + gun.width / 2, gun.y + gun.height / 2);
        await crew.sea.mouse.down();
        const { x, y } = await crew.placeOf('green-2');
        await crew.sea.mouse.move(x, y - 200, { steps: 5 });
        await crew.sea.mouse.up();
        assert.equal(await crew.sea.locator('input[name=direction]').inputValue(), '-90');
        assert.equal(await crew.sea.locator('.refusal').count(), 0);
    });

    test('a barrel is delivered by a move, and not by a drag that is put back', async () => {
        await watcher.must('end-phase');
        await watcher.must('load-barrel', { piece: 'red-2', harbour: 'red' });
        await watcher.must('roll-move', { value: 3 });
        const { game } = watcher.state;
        const places = [['red-2', 950, 810, 1]]; // beside the green harbour
        watcher.client.publish('shipahoy/den/page/positions', JSON.stringify({ v: 1, game, places }));
        await crew.sea.locator('.sea-piece[data-piece=red-2][transform="translate(950 810)"]').waitFor();
        const docked = [];
        watcher.client.on('message', (topic) => topic.includes('/sim/harbour/') && docked.push(topic));
        await crew.drag('red-2', -1);
        await watcher.see('the rope', ({ rope }) => rope.knots > 0.5);
        await crew.sea.locator('[data-hand=take-back]').click();
        await watcher.see('the rope wound in', ({ rope }) => rope.knots < 0.1);
        assert.deepEqual(docked, []);
        await crew.sea.locator('.sea-piece[data-piece=red-2][transform="translate(950 810)"]').waitFor();
        assert.equal(watcher.state.pieces['red-2'].cargo, 'barrel-green');
        await crew.drag('red-2', -1);
        await crew.sea.locator('[data-hand=confirm]').click();
        await watcher.see('the delivery', ({ state }) => state.players[0].score === 2);
    });

    test('an undo puts up what it leaves lying', async () => {
        await crew.shootAt('green-2', 'blue-2');
        await watcher.see('the topple', ({ state }) => state.pieces['green-2'].status === 'flat');
        await crew.sea.locator('.whose .phase').getByText('Moving').waitFor();
        await crew.sea.locator('.hands [data-verb=undo]').getByText('Green 2 fell').click();
        await watcher.see('that it stands', ({ state, sensors }) =>
            state.pieces['green-2'].status === 'standing' &&
            !state.pieces['green-2'].disturbed &&
            sensors['green-2.tilt'].value === 0);
    });

    test('a tap on a ship at the island takes the chest', async () => {
        const players = [{ name: 'Anna' }, { name: 'Ben' }];
        await watcher.must('new-game', { first: 1, abandon: true, anyway: true, players, scenario: 'treasure-island' });
        const { game } = watcher.state;
        const places = [['red-2', 420, 420, 1]];
        watcher.client.publish('shipahoy/den/page/positions', JSON.stringify({ v: 1, game, places }));
        await watcher.must('end-phase');
        await crew.sea.locator('.sea-piece.able[data-piece=red-2]').waitFor();
        await crew.choose('red-2');
        await watcher.see('the chest', ({ state }) => state.chest === 'red-2');
    });

    test('ends the turn without a close combat if nobody is close, and not if somebody is', async () => {
        await roll();
        const end = crew.sea.locator('.hands [data-verb=end-phase]');
        await end.getByText('End the turn').waitFor(); // nothing is to be repaired, either
        const { game, turn } = watcher.state;
        const near = (x) =>
            watcher.client.publish(
                'shipahoy/den/page/positions',
                JSON.stringify({ v: 1, game, places: [['green-2', x, 280, x]] }),
            );
        near(380); // beside red-2
        await end.getByText('Next: Close combat').waitFor();
        near(500);
        await end.getByText('End the turn').click();
        await watcher.see('the next turn', ({ state }) => state.turn === turn + 1);
    });

    test('a tap on an enemy that is close enough attacks it', async () => {
        await roll();
        await crew.tap({ verb: 'end-phase' });
        await crew.sea.getByText('No enemy is close enough to attack.').waitFor();
        const { game } = watcher.state;
        const places = [
            ['red-2', 500, 700, 1],
            ['green-2', 500, 780, 1],
        ];
        watcher.client.publish('shipahoy/den/page/positions', JSON.stringify({ v: 1, game, places }));
        await crew.sea.getByText('Red 2 is close enough to attack Green 2.').waitFor();
        await crew.sea.locator('[data-verb=engage][data-attacker=red-2]').waitFor();
        await crew.choose('green-2');
        await watcher.see('the fight', ({ state }) => state.combats.length === 1);
        await crew.tap({ verb: 'roll-combat', value: 'swords' });
        await crew.sea.getByText('The close combat of Red 2 and Green 2 goes on').waitFor();
    });

    test('on a phone the sea stays in sight, and each step begins with what to do', async () => {
        const phone = await openPage(browser, crew.sea.url(), { viewport: PHONE });
        const box = (selector) => phone.locator(selector).boundingBox();
        await phone.locator('.log').scrollIntoViewIfNeeded();
        const [sea, log] = [await box('.sea'), await box('.log')];
        assert.ok(sea.y >= 0 && log.y > sea.y + sea.height / 2, 'both are in sight');
        await watcher.must('end-phase');
        await phone.locator('[data-now=roll]').waitFor();
        await until('the sentence is below the sea', async () => {
            const [drawing, words] = [await box('.sea'), await box('.what-now')];
            return words.y >= drawing.y + drawing.height && words.y + words.height < PHONE.height;
        });
        await closePage(phone);
    });

    test('a move is shown at every virtual table, and goes back when it is undone', async () => {
        const other = await openPage(browser, crew.sea.url(), { viewport: crew.sea.viewportSize() });
        await roll();
        const before = await crew.placeOf('red-2');
        await crew.drag('red-2', 2);
        await crew.sea.locator('[data-hand=confirm]').click();
        await moved('red-2');
        const there = await crew.placeOf('red-2');
        await until('the other table follows', () => isAt(other, 'red-2', there));
        await other.locator('[data-verb=undo]').click();
        for (const page of [crew.sea, other]) {
            await until('the ship goes back', () => isAt(page, 'red-2', before));
        }
        await closePage(other);
    });
});
