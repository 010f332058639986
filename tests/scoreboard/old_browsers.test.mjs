/** Browsers of April 2021: nothing newer is used, and a game is played without what came later. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { closePage, openPage, PHONE } from './browser.mjs';
import { browser, harbour, useTable, watcher } from './open_table.mjs';
import { pageDir } from './servers.mjs';

/** Newer than Chrome 90, Firefox 88 or Safari 14.1, and not replaced by old_browsers.js. */
const TOO_NEW = [
    /:has\(/,
    /color-mix\(/,
    /@container|@layer|subgrid/,
    /\.(toSorted|toReversed|toSpliced|with|findLastIndex|group|isWellFormed)\(/,
    /structuredClone|Array\.fromAsync|Object\.groupBy|Promise\.withResolvers/,
    /crypto\.randomUUID|AbortSignal\.(timeout|any)/,
    /\(\?<[=!]/,
];

/** Runs in the page before its own script: takes away what those browsers do not have. */
function makeOld() {
    delete Object.hasOwn;
    for (const name of ['at', 'findLast', 'findLastIndex', 'with', 'toSorted', 'toReversed']) {
        delete Array.prototype[name];
    }
    delete Intl.Segmenter;
    delete HTMLDialogElement.prototype.showModal;
    delete globalThis.structuredClone;
    delete crypto.constructor.prototype.randomUUID;
    delete Element.prototype.checkVisibility;
    delete Element.prototype.requestFullscreen;
}

describe('in a browser of 2021', () => {
    useTable();

    const open = (view, options) =>
        openPage(browser, `${harbour.pageUrl}#table=den&view=${view}`, { ...options, scripts: [makeOld] });

    test('the page uses nothing that is newer', () => {
        const text = readFileSync(`${pageDir}/scoreboard.html`, 'utf8');
        for (const pattern of TOO_NEW) {
            assert.doesNotMatch(text, pattern);
        }
        const heights = text.match(/[^;{]*:[^;}]*\ddvh/g);
        const before = text.match(/(min-)?height:\s*100vh;(min-)?height:\s*100dvh/g);
        assert.equal(heights.length, before.length, 'dvh has a fallback');
    });

    test('a game is started, played and abandoned', async () => {
        const page = await open('captain', { viewport: PHONE });
        await page.locator('input[name=name-1]').fill('Anna 👩‍🚀');
        await page.locator('[data-verb=new-game]').click();
        await page.locator('[data-verb=fire]').click();
        await page.locator('[data-verb=end-phase]').click();
        await page.locator('[data-verb=roll-move][data-value="2"]').click();
        await watcher.see('the roll', ({ state }) => state.die === 2);
        assert.match(watcher.state.players[0].name, /^Anna/);
        await page.getByRole('button', { name: 'Abandon this game' }).click();
        await page.locator('[data-answer=yes]').click();
        await page.locator('form.new-game').waitFor();
        await closePage(page);
    });

    for (const view of ['board', 'table', 'announcer', 'overlay']) {
        test(`the view ${view} shows the game`, async () => {
            await watcher.must('new-game', { first: 1, abandon: true, players: [{}, {}] });
            const shown = { board: '.player', table: '.sea-piece' };
            const page = await open(view);
            await page
                .locator(shown[view] ?? `main, .${view}`)
                .first()
                .waitFor();
            await watcher.must('fire');
            await page.locator(`[data-announcer="${watcher.state.seq}"]`).waitFor({
                state: 'attached',
            });
            await closePage(page);
        });
    }
});
