/** Games with score sheets, played with the real logbook: TV and phone. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { audit, ALL } from './audit.mjs';
import { expectFit } from './boxes.mjs';
import { closePage, openBrowser, openPage, PHONE, SMALL_PHONE, TV } from './browser.mjs';
import { axe, mqtt } from './packages.mjs';
import { GuardedHarbour, Harbour } from './servers.mjs';
import { readGames, readTranslations, refusalIn, SheetTable } from './sheet_script.mjs';
import { closeAll, until } from './waiting.mjs';

const UHD = { width: 3840, height: 2160 };
const HOSTILE = '<img src=x onerror=alert(1)>{name}';

/** By sheet: the languages of the phone and the TV. */
const GAMES = {
    'brandi-ahoi': ['en', 'de'],
    bremerhaven: ['de', 'cs'],
    plank: ['cs', 'en'],
    ahoy: ['de', 'en'],
};

/** The example games that look different; tests/sheet plays all of them. */
const DIFFERENT = [/^a whole game/, /^a tie is shared/, /and a title$/, /^each player has a role/, /fewer cards/];

/** What each view shows of the game `huge`. */
const SHOWN = {
    lobby: '[data-sheet="huge"]',
    score: '.scoring[data-seq]',
    sheet: '.sheet[data-seq]',
};

describe('score sheets', () => {
    let browser;
    let harbour;

    before(async () => {
        harbour = await Harbour.open();
        await harbour.startLogbook();
        browser = await openBrowser();
    });

    after(() => closeAll(browser, harbour));

    /** Does it with a phone and a TV, and closes them. */
    async function atTable(act) {
        const phone = await openPage(browser, 'about:blank', { viewport: PHONE });
        const tv = await openPage(browser, 'about:blank', { viewport: TV });
        await act(new SheetTable(phone, tv));
        await closePage(phone);
        await closePage(tv);
    }

    for (const [name, languages] of Object.entries(GAMES)) {
        test(`${name}: a whole game in ${languages}, with kill -9 in the middle`, async () => {
            const translations = await readTranslations(name);
            const isDifferent = ({ title }) => DIFFERENT.some((each) => each.test(title));
            const games = (await readGames(name)).filter(isDifferent);
            assert.ok(games.some(isWhole));
            for (const game of games) {
                await atTable((table) => playGame(table, game, languages, translations));
            }
        });
    }

    const isWhole = ({ title }) => title.startsWith('a whole game');

    async function playGame(table, game, languages, translations) {
        const { title, steps } = game;
        let seen = false;
        for (const [i, { words, expected }] of steps.entries()) {
            const refused = expected.find((each) => each.startsWith('refused: '));
            if (words.startsWith('open ')) {
                seen = await table.open(harbour.pageUrl, languages, words.split(' ').slice(1));
                assert.equal(seen, refused === undefined, `${title}: ${words}`);
                if (seen) {
                    await table.expectLabels(languages, translations);
                }
                continue;
            }
            if (isWhole(game) && i === Math.floor(steps.length / 2)) {
                await killLogbook(table);
            }
            const said = await table.play(words);
            if (refused) {
                const sentence = refusalIn(languages[0], translations, refused.slice('refused: '.length));
                assert.ok(said === null || said.includes(sentence), `${words}: ${said}`);
                continue;
            }
            assert.equal(said, '', `${title}: ${words}`);
            const isOver = expected.some((each) => each.startsWith('over: '));
            for (const each of expected.filter((line) => !isOver || line.startsWith('over: '))) {
                await table.expect(each, translations[languages[1]]); // at the end there are no hints
            }
        }
    }

    async function killLogbook({ phone, tv }) {
        const shown = await tv.locator('.sheet-players').innerText();
        await harbour.endTable('logbook', 'SIGKILL');
        await phone.locator('.offline-hint').waitFor();
        await phone.locator('[data-verb="round"]').click();
        assert.equal(await phone.locator('.refusal').getAttribute('data-error'), 'logbook-offline');
        await harbour.startLogbook();
        await phone.locator('.offline-hint').waitFor({ state: 'detached' });
        assert.equal(await tv.locator('.sheet-players').innerText(), shown);
    }

    test('a secret is shown only on the phone that entered it, until the end', async () => {
        await atTable(async (table) => {
            const { phone, tv } = table;
            await table.open(harbour.pageUrl, ['en', 'en'], ['plank', '2']);
            await table.play('count doubloons player=1 by=2');
            await table.play('count doubloons player=1 by=1');
            const own = (page) => page.locator('[data-counter="doubloons"] .value').innerText();
            assert.match(await own(phone), /^3\s*only shown on this device/);
            const other = await openPage(browser, phone.url(), { viewport: PHONE });
            await other.locator('main[data-seq]').waitFor();
            assert.equal(await own(other), 'secret until the end');
            await other.locator('button[data-counter="doubloons"][data-by="-1"]').click();
            await other.locator('[data-own]').waitFor();
            assert.match(await own(other), /^−1\s/, 'it knows only its own change');
            await until('the phone shows its own', async () => /^\+3\s/.test(await own(phone)));
            await table.play('undo');
            const card = '[data-player="1"] [data-counter="doubloons"] strong';
            assert.equal(await tv.locator(card).innerText(), '?');
            await phone.reload();
            await phone.locator('[data-own]').waitFor();
            assert.match(await own(phone), /^3\s/);
            await table.play('undo');
            assert.match(await own(phone), /^2\s/, 'what is taken back does not count');
            await table.play('count fins to=0');
            await table.play('finish');
            assert.equal(await tv.locator(card).innerText(), '2');
            await closePage(other);
        });
    });

    test('several games are listed, and a closed one disappears', async () => {
        await atTable(async (table) => {
            const { phone, tv } = table;
            await table.open(harbour.pageUrl, ['en', 'en'], ['ahoy', '2', '3', '1']);
            const id = new URLSearchParams(new URL(phone.url()).hash.slice(1)).get('sheet');
            await tv.goto(`${harbour.pageUrl}#view=lobby&lang=en`);
            const card = tv.locator(`[data-sheet="${id}"]`);
            await card.waitFor();
            assert.ok((await tv.locator('[data-sheet]').count()) > 1);
            assert.match(await card.innerText(), /Ahoy[^]*Anna[^]*Ben/);
            await phone.locator('[data-close]').click();
            await phone.locator('[data-close-sure]').click();
            await card.waitFor({ state: 'detached' });
            await phone.getByText('This game is not being scored').waitFor();
        });
    });

    test('results are among the games and figures, and names are offered again', async () => {
        await atTable(async (table) => {
            const { phone, tv } = table;
            await table.open(harbour.pageUrl, ['en', 'en'], ['brandi-ahoi', '2']);
            await table.play('count points player=2 to=40');
            await tv.goto(`${harbour.pageUrl}#view=logbook&lang=en`);
            const card = tv.locator('div.game-card').filter({ hasText: 'Brändi Ahoi!' }).first();
            await card.waitFor();
            assert.match(await card.innerText(), /Anna 10[^]*Ben 40/);
            assert.match(await card.locator('.winner').innerText(), /Ben/);
            await tv.goto(`${harbour.pageUrl}#view=fame&lang=en&player=Ben`);
            const figures = tv.locator('[data-other-game="brandi-ahoi"]');
            await figures.filter({ hasText: 'Brändi Ahoi!' }).waitFor();
            await phone.goto(`${harbour.pageUrl}#view=lobby&lang=en`);
            await phone.locator('[data-open-sheet]').click();
            await phone.locator('#sheet-names option[value="Ben"]').waitFor({ state: 'attached' });
        });
    });

    /** Publishes a state as only somebody with the rights of a logbook can. */
    async function publish(id, state) {
        const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${harbour.port}`);
        const payload = typeof state === 'string' ? state : JSON.stringify(state);
        await client.publishAsync(`shipahoy/logbook/sheet/${id}`, payload, { qos: 1, retain: true });
        await client.endAsync();
    }

    /** The largest game that a sheet allows, with long and hostile names. */
    function hugeState(phase) {
        const counters_of = Array.from({ length: 16 }, (_, i) => ({
            name: `c${i}`,
            label: i === 0 ? 'W'.repeat(40) : `Counter ${i}`,
            of: i < 8 ? 'player' : 'table',
            min: 0,
            max: 100000,
            steps: i === 3 ? [] : [1, 2, 5, 10, 20, -1, -2, -5, -10, -20],
            values: i === 3 ? ['cook', 'second mate', HOSTILE] : null,
            secret: i === 1,
            when: i === 2 ? 'final' : 'always',
            roles: [],
        }));
        const values = (of) =>
            Object.fromEntries(
                counters_of
                    .filter((each) => each.of === of)
                    .map(({ name, secret }, i) => [name, secret ? null : i < 3 ? 99999 : 0]),
            );
        const players = Array.from({ length: 8 }, (_, i) => ({
            id: i + 1,
            name: [HOSTILE, 'W'.repeat(39)][i] ?? `Player ${i + 1}`,
            role: i % 2 ? HOSTILE : null,
            counters: values('player'),
            flags: { goal: i % 2 === 0 },
            score: i === 2 ? null : 99999 * i,
            secret: { c1: [3, 9] },
        }));
        const ranking = players.map(({ id }) => ({ player: id, place: id, score: 12, title: HOSTILE }));
        return {
            v: 1,
            sheet: 'huge',
            name: 'huge',
            title: HOSTILE,
            seq: 17,
            phase,
            round: 3,
            first: 2,
            text: phase === 'playing' ? null : HOSTILE,
            players,
            counters: values('table'),
            flags: { calm: true },
            hints: [
                { player: null, text: HOSTILE },
                { player: 2, text: 'W'.repeat(60) },
            ],
            can_finish: phase !== 'over',
            undo: { verb: 'count', player: 1, counter: 'c0', by: 99999 },
            ranking: phase === 'over' ? ranking : [],
            winners: phase === 'over' ? [1, 2] : [],
            counters_of,
            flags_of: [
                { name: 'goal', label: 'Personal goal fulfilled', of: 'player' },
                { name: 'calm', label: 'Calm sea', of: 'table' },
            ],
        };
    }

    for (const phase of ['final', 'over']) {
        test(`the largest game fits from 320 px to 4K: ${phase}`, async () => {
            await publish('huge', hugeState(phase));
            const page = await openPage(browser, harbour.pageUrl);
            await page.evaluate(axe.source);
            for (const [view, viewport] of [
                ['lobby', SMALL_PHONE],
                ['score', SMALL_PHONE],
                ['score', PHONE],
                ['score', TV],
                ['sheet', SMALL_PHONE],
                ['sheet', TV],
                ['sheet', UHD],
            ]) {
                const theme = viewport === PHONE || viewport === UHD ? 'dark' : 'light';
                await page.setViewportSize(viewport);
                const hash = `#view=${view}&sheet=huge&lang=de&theme=${theme}`;
                await page.goto(`${harbour.pageUrl}${hash}`);
                await page.locator(SHOWN[view]).waitFor();
                await expectFit(page, `${view} ${viewport.width} ${phase}`);
                if (viewport !== TV) {
                    assert.deepEqual(await page.evaluate(audit, ALL), [], `${view} ${theme}`);
                }
            }
            await closePage(page);
            await publish('huge', '');
        });
    }

    test('the form for a game fits and is accessible', async () => {
        for (const viewport of [SMALL_PHONE, TV]) {
            const page = await openPage(browser, `${harbour.pageUrl}#view=lobby`, { viewport });
            await page.locator('[data-open-sheet]').click();
            await page.locator('input[name="sheet"][value="ahoy"]').check();
            await page.locator('select[name="role-2"]').waitFor();
            await expectFit(page, `form ${viewport.width}`);
            await page.evaluate(axe.source);
            assert.deepEqual(await page.evaluate(audit, ALL), []);
            await closePage(page);
        }
    });

    test('states that no logbook would publish are ignored', async () => {
        const good = { ...hugeState('playing'), sheet: 'odd' };
        await publish('odd', good);
        const page = await openPage(browser, `${harbour.pageUrl}#view=sheet&sheet=odd`);
        await page.locator('main[data-seq="17"]').waitFor();
        const bad = [
            'null',
            '{',
            { ...good, seq: 18, sheet: 'other' },
            { ...good, seq: 18, first: 9 },
            { ...good, seq: 18, players: [...good.players, ...good.players] },
            { ...good, seq: 18, counters_of: [{ name: 'c0' }] },
            { ...good, seq: 18, winners: [77] },
            { ...good, seq: 18, undo: { verb: 'count', player: 1, counter: 'none', by: 1 } },
            { ...good, seq: 18, undo: { verb: 'round', player: 77 } },
            { ...good, seq: 18, texts: { de: { Fame: 7 } } },
            { ...good, seq: 18, title: 'x'.repeat(100_000) },
        ];
        for (const each of bad) {
            await publish('odd', each);
        }
        await publish('last', { ...good, sheet: 'last' });
        await page.goto(`${harbour.pageUrl}#view=sheet&sheet=last`);
        await page.locator('main[data-seq]').waitFor();
        await page.goto(`${harbour.pageUrl}#view=sheet&sheet=odd`);
        await until('the good state is shown', () => page.locator('main[data-seq="17"]').count());
        await publish('odd', '');
        await publish('last', '');
        await closePage(page);
    });
});

test('viewers watch, captains count, and referees open and undo', async () => {
    const harbour = await GuardedHarbour.open();
    const browser = await openBrowser();
    const addresses = {};
    for (const role of ['viewer', 'captain', 'referee']) {
        addresses[role] = await harbour.addUser(role, role);
    }
    await harbour.startLogbook();
    const open = async (role, hash) => {
        const login = new URLSearchParams(new URL(addresses[role]).hash.slice(1));
        const wishes = `&user=${login.get('user')}&password=${login.get('password')}&lang=en`;
        return openPage(browser, `${harbour.pageUrl}#${hash}${wishes}`, { viewport: PHONE });
    };
    const referee = await open('referee', 'view=lobby');
    await referee.locator('[data-open-sheet]').click();
    await referee.locator('input[name="sheet"][value="plank"]').check();
    await referee.locator('[data-verb="open-sheet"]').click();
    await referee.waitForURL(/view=score/);
    const id = new URLSearchParams(new URL(referee.url()).hash.slice(1)).get('sheet');
    const captain = await open('captain', `view=score&sheet=${id}`);
    await captain.locator('button[data-counter="fins"][data-by="-1"]').click();
    await captain.locator('main[data-seq="1"]').waitFor();
    assert.equal(await captain.locator('[data-verb="undo-sheet"], [data-close]').count(), 0);
    const viewer = await open('viewer', `view=score&sheet=${id}`);
    await viewer.locator('[data-may-watch]').waitFor();
    const lobby = await open('viewer', 'view=lobby');
    await lobby.locator(`[data-sheet="${id}"]`).waitFor();
    assert.equal(await lobby.locator('[data-open-sheet]').count(), 0);
    const undo = referee.locator('[data-verb="undo-sheet"]');
    await referee.getByText('Undo: Shark fins').waitFor();
    await undo.click();
    await captain.locator('main[data-seq="2"]').waitFor();
    const fins = '[data-counter="fins"] .value strong';
    assert.equal(await captain.locator(fins).innerText(), '7');
    for (const page of [referee, captain, viewer, lobby]) {
        await closePage(page);
    }
    await closeAll(browser, harbour);
});
