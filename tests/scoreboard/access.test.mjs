/** An accessibility audit of every view in its states, light and dark: nothing is found. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { piecesOf } from '../../scoreboard/src/words.js';
import { ALL, audit } from './audit.mjs';
import { closePage, openBrowser, openPage, PHONE, TV } from './browser.mjs';
import { axe } from './packages.mjs';
import { Harbour } from './servers.mjs';
import { closeAll } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

describe('an audit finds nothing', () => {
    let browser;
    let harbour;
    let watcher;
    let page;

    before(async () => {
        harbour = await Harbour.open();
        await harbour.startTable('den', { timing: { shot_window_ms: 60000 } });
        watcher = await Watcher.open(harbour, 'den');
        browser = await openBrowser();
        page = await openPage(browser, `${harbour.pageUrl}#view=lobby`);
        await page.evaluate(axe.source);
    });

    after(() => closeAll(() => closePage(page), browser, watcher, harbour));

    async function expectClean(where) {
        for (const colorScheme of ['light', 'dark']) {
            await page.emulateMedia({ colorScheme });
            assert.deepEqual(await page.evaluate(audit, ALL), [], `${where}, ${colorScheme}`);
        }
    }

    /** Looks at a view once it shows what is waited for. */
    async function look(view, selector, viewport = PHONE) {
        await page.setViewportSize(viewport);
        await page.goto(`${harbour.pageUrl}#table=den&view=${view}`);
        await page.locator(selector).first().waitFor();
        await expectClean(`${view} with ${selector}`);
    }

    /** A game with fights, trophies, something flat and something fallen, up to this step. */
    async function playTo(phase) {
        const game = { first: 1, abandon: true, anyway: true, rules: 'advanced', teams: true };
        const players = ['Anna', 'Ben', 'Cleo', 'Dora'].map((name) => ({ name }));
        const fight = { attacker: 'red-1', target: 'blue-2' };
        await watcher.must('new-game', { ...game, players, scenario: 'sea-monster' });
        await watcher.must('topple', { piece: 'red-3' });
        await watcher.must('fire');
        await watcher.must('topple', { piece: 'blue-1' });
        const steps = {
            moving: () => watcher.must('roll-move', { value: 3 }),
            combat: () => watcher.must('engage', fight),
            repair: () => watcher.must('raise', { piece: 'red-3' }),
        };
        for (const step of phase === 'shooting' ? [] : Object.keys(steps)) {
            await watcher.must('end-phase');
            await steps[step]();
            if (step === phase) {
                break;
            }
            if (step === 'combat') {
                await watcher.must('roll-combat', { ...fight, value: 'swords' });
            }
        }
    }

    test('before a game', async () => {
        await page.locator('[data-table=den]').waitFor();
        await expectClean('the tables');
        await look('board', '.setup', TV);
        await look('captain', 'form.new-game');
        await look('table', '.setup');
        await look('sensors', '.sensor');
        await page.locator('[data-pair-all]').click();
        await page.locator('.pairing[data-step=tip]').waitFor();
        await expectClean('the wizard');
        await page.locator('[data-wizard=cancel]').click();
        await page.locator('.pairing[data-step=none]').waitFor();
    });

    for (const phase of ['shooting', 'moving', 'combat', 'repair']) {
        test(`while ${phase}`, async () => {
            await playTo(phase);
            await look('board', `.stage.${phase}`, TV);
            await look('captain', '[data-verb=end-phase], [data-verb=roll-combat]');
        });
    }

    test('at the virtual table, and when something is asked', async () => {
        await playTo('moving');
        await look('table', '.sea-piece', TV);
        await look('announcer', '.announcer li', TV);
        await look('overlay', '.overlay', TV);
        await look('captain', '.quiet');
        await page.getByRole('button', { name: 'Abandon this game' }).click();
        await expectClean('a question');
        await page.locator('[data-answer=no]').click();
    });

    test('when a game is over', async () => {
        const players = ['Anna', 'Ben', 'Cleo', 'Dora'].map((name) => ({ name }));
        await watcher.must('new-game', { first: 4, abandon: true, anyway: true, players });
        await watcher.must('fire');
        for (const piece of piecesOf('blue')) {
            await watcher.must('topple', { piece });
        }
        await watcher.must('end-phase'); // E1: the game ends with the shot
        await look('board', '.celebration', TV);
        await look('board', '.celebration', PHONE);
    });
});
