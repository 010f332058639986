/** Hall of fame, new records, and what the page does if answers are missing, malformed or hostile. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ALL, audit } from './audit.mjs';
import { expectFit } from './boxes.mjs';
import { closePage, openBrowser, openPage, PHONE, SMALL_PHONE, TV } from './browser.mjs';
import { FakeLogbook } from './fake_logbook.mjs';
import { RECORDER } from './listening.mjs';
import { OldBroker } from './old_broker.mjs';
import { axe } from './packages.mjs';
import { Harbour } from './servers.mjs';
import { closeAll, until } from './waiting.mjs';
import { Watcher } from './watcher.mjs';

const UHD = { width: 3840, height: 2160 };
const HOSTILE = '<img src=x onerror=alert(1)>{record}';

/** At 4 KB in 100 ms, the page would not wait for it. */
const LARGE = 450_000;

const GAME = {
    game: 'g1',
    table: 'den',
    began: '2026-05-03T18:42:11.042Z',
    ended: '2026-05-03T19:20:03.512Z',
    seq: 312,
    turns: 24,
    rules: 'basic',
    scenario: 'merchant',
    teams: false,
    players: ['Anna', HOSTILE],
    points: [7, 4],
    winners: ['Anna'],
};

const RECORD = {
    record: 'fastest-ball',
    value: 6.1,
    unit: 'm/s',
    player: 'Anna',
    game: 'g1',
    table: 'den',
    at: '2026-05-03T12:50:31.200Z',
};

const figures = (player, won, beat) => ({
    player,
    games: 12,
    won,
    points: 61,
    shots: 140,
    hits: 66,
    hit_share: 0.471,
    fastest_mps: 6.1,
    captured: { ships: 41, towers: 9, pirate: 2 },
    combats_won: 8,
    combats_lost: 5,
    knots: 213.4,
    longest_hits: 6,
    won_by_scenario: { none: 4 },
    beat,
});

const month = (name, won, fastest_mps) => ({ month: name, games: 4, won, shots: 40, hits: 10, fastest_mps });

const ANSWERS = {
    games: {
        ok: true,
        games: [{ ...GAME, game: 'g2', ended: null, points: [null, null], winners: [] }, GAME],
        more: false,
    },
    players: { ok: true, players: [{ player: 'Anna', games: 12 }], more: false },
    statistics: {
        ok: true,
        statistics: [
            figures('W'.repeat(40), 1, {}),
            figures('Anna', 7, { [HOSTILE]: 6 }),
            figures(HOSTILE, 2, { Anna: 3 }),
        ],
        more: false,
    },
    progress: {
        ok: true,
        progress: [month('2026-03', 1, 5.5), month('2026-05', 3, null)],
        more: false,
    },
    records: { ok: true, records: [RECORD], more: false },
    badges: {
        ok: true,
        badges: [{ player: 'Anna', badges: ['first-win', 'toString', 'cannoneer'] }],
        more: false,
    },
};

describe('the page and a logbook', () => {
    let browser;
    let harbour;
    let logbook = null;
    let watcher;

    before(async () => {
        harbour = await Harbour.open();
        await harbour.startTable('den', { timing: { shot_window_ms: 60000 } });
        watcher = await Watcher.open(harbour, 'den');
        await watcher.must('new-game', { first: 1, players: [{ name: 'Anna' }, { name: 'Ben' }] });
        browser = await openBrowser();
    });

    after(() => closeAll(browser, logbook, watcher, harbour));

    const at = (hash) => `${harbour.pageUrl}#${hash}`;

    /** A logbook that gives these answers from now on. */
    async function answer(answers) {
        logbook ??= await FakeLogbook.open(harbour);
        logbook.answers = { ...ANSWERS, ...answers };
        return logbook;
    }

    test('without one, the page says so and how to start it, until it is there', async () => {
        const page = await openPage(browser, at('view=logbook'));
        await page.locator('[data-logbook=none]').filter({ hasText: 'shipahoy-logbook' }).waitFor();
        await answer({});
        await page.locator('[data-game=g1]').waitFor();
        assert.equal(await page.locator('[data-logbook]').count(), 0);
        await logbook.publish('status', 'offline', { retain: true });
        await page.locator('[data-logbook=offline]').waitFor();
        await logbook.publish('status', 'online', { retain: true });
        await page.locator('[data-logbook]').waitFor({ state: 'detached' });
        await closePage(page);
    });

    test('records, players and who beats whom are shown, whatever their names are', async () => {
        await answer({});
        const page = await openPage(browser, at('view=fame'));
        const record = page.locator('[data-record-name=fastest-ball]');
        await record.filter({ hasText: '6.1 m/s' }).filter({ hasText: 'Anna, 3 May 2026' }).waitFor();
        const names = await page.locator('.figures tbody th').allTextContents();
        assert.deepEqual(names, ['Anna', HOSTILE, 'W'.repeat(40)], 'most wins first');
        const rows = await page.locator('.rivals tbody tr').allTextContents();
        assert.deepEqual(rows, ['Anna60', `${HOSTILE}30`, `${'W'.repeat(40)}00`]);
        assert.equal(await page.locator('#page img').count(), 0);
        await closePage(page);
    });

    test('of a large club, the first twenty players are shown, and all on request', async () => {
        const statistics = Array.from({ length: 45 }, (_, i) => figures(`Player ${i}`, 45 - i, {}));
        await answer({ statistics: { ok: true, statistics, more: false } });
        const page = await openPage(browser, at('view=fame'));
        const rows = page.locator('.figures tbody tr');
        await rows.first().waitFor();
        assert.equal(await rows.count(), 20);
        const button = page.getByRole('button', { name: 'Show 25 more players' });
        await button.press('Enter');
        await until('all of them', async () => (await rows.count()) === 45);
        assert.equal(await button.count(), 0);
        await closePage(page);
    });

    test('on a TV nobody scrolls: the pages turn by themselves, and begin again', async () => {
        const statistics = Array.from({ length: 45 }, (_, i) => figures(`Player ${i}`, 45 - i, {}));
        await answer({ statistics: { ok: true, statistics, more: false } });
        const page = await openPage(browser, 'about:blank');
        await page.clock.install();
        await page.goto(at('view=fame&tv='));
        await page.locator('.figures tbody tr').first().waitFor();
        const tops = [];
        do {
            await page.clock.runFor(12_000);
            tops.push(await page.evaluate(() => scrollY));
        } while (tops.at(-1) > 0 && tops.length < 20);
        assert.ok(tops[0] > 0 && tops.at(-1) === 0, String(tops));
        await page.context().close();
    });

    test('a player has badges and plots, each with its figures in a table', async () => {
        await answer({});
        const page = await openPage(browser, at('view=fame&player=ANNA'));
        await page.locator('.plot canvas').nth(2).waitFor();
        assert.deepEqual(await page.locator('[data-badge]').allTextContents(), [
            'First win',
            'Cannoneer: 5 m/s',
        ]);
        const tables = await page
            .locator('.plot tbody')
            .evaluateAll((all) =>
                all.map((body) => [...body.rows].map((row) => [...row.cells].map((cell) => cell.textContent))),
            );
        assert.deepEqual(tables, [
            [['Mar 2026', '4', '1'], ['Apr 2026', '0', '0'], ['May 2026', '4', '3']],
            [['Mar 2026', '25%'], ['Apr 2026', '–'], ['May 2026', '25%']],
            [['Mar 2026', '5.5 m/s'], ['Apr 2026', '–'], ['May 2026', '–']],
        ]);
        const drawn = await page.locator('.plot canvas').evaluateAll((all) =>
            all.map((canvas) => {
                const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                return data.some((byte) => byte > 0);
            }),
        );
        assert.deepEqual(drawn, [true, true, true]);
        await closePage(page);
    });

    test('the hall of fame fits every screen and passes the audit', async () => {
        await answer({});
        const page = await openPage(browser, at('view=fame'));
        await page.evaluate(axe.source);
        for (const [hash, shown] of [
            ['', '.rivals'],
            ['&player=Anna', '.plot canvas'],
        ]) {
            for (const viewport of [SMALL_PHONE, PHONE, TV, UHD]) {
                for (const lang of ['en', 'de', 'cs']) {
                    await page.setViewportSize(viewport);
                    await page.goto(at(`view=fame&lang=${lang}${hash}`));
                    await page.locator(`html[lang=${lang}] ${shown}`).first().waitFor();
                    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
                    assert.ok(wide <= 0, `${shown} ${viewport.width} ${lang}: ${wide} px too wide`);
                }
            }
            for (const colorScheme of ['light', 'dark']) {
                await page.emulateMedia({ colorScheme });
                assert.deepEqual(await page.evaluate(audit, ALL), [], `${shown} ${colorScheme}`);
            }
        }
        await closePage(page);
    });

    test('a large answer comes in time, although mosquitto sends 4 KB of it at once', async () => {
        await answer({ games: { ...ANSWERS.games, padding: 'x'.repeat(LARGE) } });
        const page = await openPage(browser, at('view=logbook'));
        await page.locator('[data-game=g1]').waitFor();
        await closePage(page);
    });

    test('a game whose boards are stored late is shown as soon as they are', async () => {
        const [game] = ANSWERS.games.games;
        const events = await watcher.events();
        await answer({ game: { ok: true, game, events, states: [], more: false } });
        const page = await openPage(browser, at(`view=logbook&game=${game.game}`));
        await page.getByText('The boards of this game are not stored yet').waitFor();
        const states = [{ seq: watcher.state.seq, state: watcher.state }];
        await answer({ game: { ok: true, game, events, states, more: false } });
        await page.locator('.timeline').waitFor();
        await closePage(page);
    });

    test('malformed answers are not shown, and the page goes on', async () => {
        const page = await openPage(browser, at('view=lobby'));
        const bad = [
            '{"id":"ID","ok":true,"games":[{"game":7}],"more":false}',
            '{"id":"ID","ok":true,"games":{"length":1},"more":false}',
            '{"id":"ID","ok":true,"games":[null],"more":false}',
            '{"id":"ID","ok":true,"more":false}',
            '{"id":"ID","ok":true,"games":[]}',
        ];
        for (const text of bad) {
            await answer({ games: text });
            await page.goto(at(`view=logbook&player=${bad.indexOf(text)}`));
            await page.locator('[data-error=unreadable]').waitFor();
        }
        const event = { v: 1, game: 'g1', seq: 1, event_type: 'game-started', player: 1 };
        const games = [
            { events: [], states: [] }, // nothing new although there is more
            { events: [{ ...event, seq: 2 }], states: [] },
            { events: [event], states: [{ seq: 1, changes: {} }] },
            { events: [event], states: [{ seq: 1, state: { ...watcher.state, players: null } }] },
            { events: [event], states: [{ seq: 2, state: watcher.state }] },
        ];
        for (const [i, part] of games.entries()) {
            await answer({ game: { ok: true, game: GAME, more: true, ...part } });
            await page.goto(at(`view=logbook&game=${i}`));
            await page.locator('[data-error=unreadable]').waitFor();
        }
        await answer({ games: { ok: false, error: 'constructor', message: HOSTILE } });
        await page.goto(at('view=logbook'));
        await page.locator('[data-error=constructor]').filter({ hasText: HOSTILE }).waitFor();
        await answer({});
        await page.goto(at('view=logbook&player=Anna'));
        await page.locator('[data-game=g1]').filter({ hasText: HOSTILE }).waitFor();
        await closePage(page);
    });

    test('with MQTT 3.1.1 the replies for everybody are heard', async () => {
        await answer({});
        const old = await OldBroker.open(harbour.wsPort);
        const broker = encodeURIComponent(`ws://127.0.0.1:${old.port}`);
        const page = await openPage(browser, at(`view=logbook&broker=${broker}`));
        await page.locator('[data-game=g1]').waitFor();
        assert.deepEqual(old.levels, [5, 4]);
        await closePage(page);
        await old.close();
    });

    test('a new record is celebrated at its table, and heard from its speaker', async () => {
        await answer({});
        const open = async (hash) => {
            const page = await openPage(browser, at(hash), { scripts: RECORDER });
            await page.locator('.player').first().waitFor();
            return page;
        };
        const [tv, other] = [await open('table=den'), await open('table=den')];
        await tv.locator('.show-menu > summary').click();
        await tv.locator('.show-panel button.primary').click();
        await tv.locator('[data-speaker=here]').waitFor();
        const starts = (page) => page.evaluate(() => globalThis.recording.starts);
        const publish = (record, options) => logbook.publish('record', JSON.stringify(record), options);
        const last = (page) => page.locator('[data-record]').textContent();
        await publish({ ...RECORD, table: 'attic', value: 9 });
        await publish({ ...RECORD, value: 'fast' });
        await publish({ ...RECORD, player: HOSTILE });
        for (const page of [tv, other]) {
            await page.locator('[data-moment=record]').filter({ hasText: HOSTILE }).waitFor();
            assert.equal(await last(page), `New record! Fastest shot: 6.1 m/s, ${HOSTILE}`);
        }
        await until('a sound', async () => (await starts(tv)) > 0);
        assert.equal(await starts(other), 0);
        await publish({ ...RECORD, value: 7 }, { retain: true });
        await tv.locator('[data-record]').filter({ hasText: '7 m/s' }).waitFor({ state: 'attached' });
        await other.reload(); // a retained record is not new
        await other.locator('.player').first().waitFor();
        await publish({ ...RECORD, value: 8 });
        await other.locator('[data-record]').filter({ hasText: '8 m/s' }).waitFor({ state: 'attached' });
        assert.match(await other.locator('[data-moment=record]').textContent(), /8 m.s/);
        await publish({ ...RECORD, value: 9 }); // the next one does not replace it
        await other.locator('[data-record]').filter({ hasText: '9 m/s' }).waitFor({ state: 'attached' });
        assert.equal(await other.locator('[data-record]').filter({ hasText: '8 m/s' }).count(), 1);
        await logbook.publish('record', '', { retain: true });
        await closePage(tv);
        await closePage(other);
    });
});
