/**
 * A whole game of each scenario in a real browser, on a real broker and daemon: the captain taps,
 * hands move the virtual ships, and after each step the TV shows what the script says, and no more.
 */
import { readdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { expectFit } from './boxes.mjs';
import { openBrowser } from './browser.mjs';
import { Crew } from './crew.mjs';
import { readScript } from './script.mjs';
import { Harbour } from './servers.mjs';
import { closeAll } from './waiting.mjs';

const folder = new URL('games/', import.meta.url).pathname;

const TABLE = {
    house: { barrels: 'red:green,green:blue,blue:red,yellow:red' },
    cannon: { beam: 'GPIO17' }, // no speed, which no script could foretell
    timing: { shot_window_ms: 60000, tilt_settle_ms: 60, beam_min_us: 1 },
};

describe('a whole game', () => {
    let browser;
    let harbour;
    let crew;

    before(async () => {
        harbour = await Harbour.open();
        browser = await openBrowser();
        crew = await Crew.open(browser, harbour);
    });

    after(() => closeAll(crew, browser, harbour));

    for (const file of readdirSync(folder)) {
        const { title, wish, steps } = readScript(folder + file);
        const table = file.replace('.game', '');

        test(title, async () => {
            await harbour.startTable(table, TABLE);
            await crew.sitAt(table);
            await crew.fillIn(wish);
            for (const step of steps) {
                await crew.play(step);
            }
            await expectFit(crew.sea, table); // also the second game of a page
        });
    }
});
