/** A whole game in one view alone: a family needs no second device, and no document. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { isShip } from '../../scoreboard/src/words.js';
import { closePage, openBrowser, openPage, PHONE } from './browser.mjs';
import { Harbour } from './servers.mjs';
import { closeAll, until } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

/** Everybody shoots at Ben, so that the game is over in his fourth round at the latest. */
const VICTIM = 'blue';

/** More than a game takes in which some balls miss. */
const STEPS_MAX = 120;

/** Everybody has sailed once; later turns are no different. */
const SAILING_TURNS = 3;

/** A ship of the current player that is in play. */
function shipOf({ player, pieces }) {
    return Object.keys(pieces).find(
        (name) =>
            isShip(name) && pieces[name].owner === player && pieces[name].status === 'standing',
    );
}

describe('a whole game alone', () => {
    let browser;
    let harbour;
    let watcher;
    let page;

    before(async () => {
        browser = await openBrowser();
    });

    after(() => browser.close());

    afterEach(() => closeAll(() => closePage(page), watcher, harbour));

    async function open(view, shot_window_ms, options) {
        harbour = await Harbour.open();
        await harbour.startTable('den', {
            game: { dice: 'daemon', first: 1 },
            'player.1': { name: 'Anna' },
            'player.2': { name: 'Ben' },
            'player.3': { name: 'Cleo' },
            timing: { shot_window_ms, tilt_settle_ms: 60, beam_min_us: 1 },
        });
        watcher = await Watcher.open(harbour, 'den');
        page = await openPage(browser, `${harbour.pageUrl}#table=den&view=${view}`, options);
        await page.locator('[data-verb=new-game]').click();
        await watcher.see('the game', ({ state }) => state.phase === 'shooting');
    }

    /** The page shows whose turn it is and what to do, and ends no further step; false: the game is over. */
    async function shows() {
        const isOver = () => watcher.state.phase === 'over';
        await until('the step on the page', async () => {
            const { seq, player, players } = watcher.state;
            const { name } = players.find(({ id }) => id === player);
            const whose = page.locator('.whose h1').getByText(name);
            await settled();
            return isOver() || ((await whose.isVisible()) && watcher.state.seq === seq);
        });
        if (!isOver()) {
            await page.locator('.what-now summary').waitFor();
        }
        return !isOver();
    }

    const tap = (selector) => page.locator(selector).first().click();

    /** The page shows all that has happened, and no command is under way: it takes every tap. */
    async function settled() {
        const { seq } = watcher.state;
        const shown = page.locator('[data-announcer]');
        await until(`the page at ${seq}`, async () => {
            return Number(await shown.getAttribute('data-announcer')) >= seq;
        });
        await page.locator('main[aria-busy=false]').waitFor();
    }

    async function endStep() {
        await settled();
        const { seq } = watcher.state;
        await tap('[data-verb=end-phase]');
        await watcher.see('the end of the step', ({ state }) => state.seq > seq);
    }

    /** On a busy machine the pulse of a ball may be too long for one: people then fire again. */
    async function fire() {
        const hasFired = () => watcher.state.phase !== 'shooting' || watcher.state.shot !== 'none';
        await until('the shot', async () => {
            await tap('[data-hand=fire]');
            for (let tenths = 0; tenths < 50 && !hasFired(); tenths++) {
                await new Promise((resolve) => setTimeout(resolve, 100));
            }
            return hasFired();
        });
    }

    const targets = () =>
        Object.entries(watcher.state.pieces)
            .filter(([name, { status }]) => name.startsWith(VICTIM) && status === 'standing')
            .map(([name]) => name);

    /** Turn for turn: `shoot` hits the victim, `sail` moves a ship. The page ends by itself what is idle. */
    async function play({ shoot, sail }) {
        for (let step = 0; step < STEPS_MAX; step++) {
            if (!(await shows())) {
                return;
            }
            const { turn, phase, player, players, die } = watcher.state;
            const { harbours } = players.find(({ id }) => id === player);
            if (phase === 'shooting' && harbours[0] !== VICTIM) {
                await shoot(targets()[0]);
            } else if (phase === 'moving' && die === null && turn <= SAILING_TURNS) {
                await tap('[data-verb=roll-move]');
                await watcher.see('the roll', ({ state }) => state.die !== null);
                await settled();
                await sail();
            } else {
                await endStep();
            }
            await watcher.see('the next step', ({ state }) =>
                [state.turn, state.phase, state.die].join() !== [turn, phase, die].join());
        }
        assert.fail(`not over after ${STEPS_MAX} steps`);
    }

    async function expectTheEnd() {
        await page.getByRole('heading', { name: /won!$/ }).waitFor();
        await page.locator('[data-verb=rematch]').waitFor();
        const ben = watcher.state.players.find(({ name }) => name === 'Ben');
        assert.ok(ben.out);
    }

    test('at the virtual table: drag, tap, fire', async () => {
        await open('table', 2000);
        const shoot = async (piece) => {
            await tap(`.sea-piece[data-piece=${piece}]`);
            await fire();
        };
        const sail = async () => {
            const ship = shipOf(watcher.state);
            if (ship) {
                const { left } = watcher.state;
                const box = await page
                    .locator(`.sea-piece[data-piece=${ship}] .grip`)
                    .boundingBox();
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                await page.mouse.move(x, y);
                await page.mouse.down();
                await page.mouse.move(x, y + box.height / 2, { steps: 4 });
                await page.mouse.up();
                await tap('[data-hand=confirm]');
                await watcher.see('the move', ({ state }) => state.left < left);
            }
        };
        await play({ shoot, sail });
        await expectTheEnd();
        const { game } = watcher.state;
        await tap('[data-verb=rematch]'); // puts up what fell
        await watcher.see('a rematch', ({ state }) => state.game !== game);
    });

    test('on a phone: what the sensors miss is tapped', async () => {
        await open('captain', 60000, { viewport: PHONE });
        const shoot = async (piece) => {
            await tap('[data-verb=fire]');
            await tap(`.hits [data-verb=topple][data-piece=${piece}]`);
            await watcher.see('the hit', ({ state }) => state.pieces[piece].status === 'captured');
            await tap('[data-verb=end-phase]');
        };
        const sail = async () => {
            const { left } = watcher.state;
            if (shipOf(watcher.state)) {
                await tap('[data-verb=select]');
                await tap('[data-verb=move][data-knots="1"]');
                await watcher.see('the move', ({ state }) => state.left < left);
            }
        };
        await play({ shoot, sail });
        await expectTheEnd();
    });
});
