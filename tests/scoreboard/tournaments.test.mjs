/** A tournament on the page, with a real table and logbook: create, play, correct, print, board. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { LANGUAGES } from '../../scoreboard/src/texts.js';
import { readPlayers, withTournament } from '../../scoreboard/src/tournaments/state.js';
import {
    excitementOfSheet,
    excitementOfTable,
    mostExcitingFirst,
} from '../../scoreboard/src/excitement.js';
import { audit, ALL } from './audit.mjs';
import { expectFit } from './boxes.mjs';
import { closePage, openBrowser, openPage, PHONE, SMALL_PHONE, TV } from './browser.mjs';
import { axe, mqtt } from './packages.mjs';
import { GuardedHarbour, Harbour } from './servers.mjs';
import { closeAll, until } from './waiting.mjs';

const PLAYERS = ['Anna', 'Ben', 'Cleo', 'Dora', 'Emil'];

describe('the excitement of a game', () => {
    const table = (name, score, online = true) => ({ name, online, score });
    const score = (phase, ...players) => ({
        phase,
        scores: players.map(([points, ships]) => ({ score: points, ships, towers: 1, out: false })),
    });

    test('a close score counts, then few pieces, then a shot', () => {
        const tables = [
            table('offline', score('shooting', [3, 1], [3, 1]), false),
            table('idle', null),
            table('over', score('over', [9, 0], [2, 3])),
            table('far', score('shooting', [9, 1], [2, 3])),
            table('moving', score('moving', [4, 3], [4, 3])),
            table('shooting', score('shooting', [4, 3], [4, 3])),
            table('near the end', score('moving', [4, 1], [4, 3])),
        ];
        const names = mostExcitingFirst(tables, excitementOfTable).map(({ name }) => name);
        assert.deepEqual(names, [
            'near the end',
            'shooting',
            'moving',
            'far',
            'over',
            'idle',
            'offline',
        ]);
    });

    test('games with a score sheet are compared in the same way', () => {
        const sheet = (phase, ...scores) => ({ phase, players: scores.map((each) => ({ score: each })) });
        const sheets = [
            sheet('over', 1, 1),
            sheet('playing', null, null),
            sheet('playing', 9, 2),
            sheet('playing', 9, 8),
            sheet('final', 9, 8),
        ];
        assert.deepEqual(mostExcitingFirst(sheets, excitementOfSheet), sheets.toReversed());
    });
});

test('a line of the list is a player or a team', () => {
    assert.deepEqual(readPlayers(' Anna \n\nBen & Cleo\nD&E'), ['Anna', ['Ben', 'Cleo'], ['D', 'E']]);
});

describe('tournaments', () => {
    let browser;
    let harbour;
    let client;

    before(async () => {
        harbour = await Harbour.open();
        await harbour.startTable('den');
        await harbour.startLogbook();
        client = await mqtt.connectAsync(`mqtt://127.0.0.1:${harbour.port}`);
        browser = await openBrowser();
    });

    after(() => closeAll(() => client.endAsync(), browser, harbour));

    const idOf = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1)).get('tournament');

    async function create(page, language, { name, players, system = 'swiss', rounds }) {
        await page.goto(`${harbour.pageUrl}#view=lobby&lang=${language}`);
        await page.reload();
        await page.locator('[data-open-tournament]').click();
        await page.locator('input[name="tournament-name"]').fill(name);
        await page.locator(`input[name="system"][value="${system}"]`).check();
        if (rounds) {
            await page.locator('input[name="rounds"]').fill(String(rounds));
        }
        await page.locator('textarea[name="players"]').fill(players.join('\n'));
        await page.locator('[data-verb="open-tournament"]').click();
        await page.waitForURL(/view=tournament/);
        await page.locator('main.tournament').waitFor();
    }

    const seqOf = (page) => page.locator('main[data-seq]').getAttribute('data-seq').then(Number);

    /** Taps it, and waits for its effect. */
    async function tap(page, selector) {
        const before = await seqOf(page);
        await page.locator(selector).click();
        await until(`the effect of ${selector}`, async () => (await seqOf(page)) > before);
    }

    const send = (verb, fields = {}) =>
        client.publishAsync(`shipahoy/den/command/${verb}`, JSON.stringify(fields), { qos: 1 });

    async function beginGame(one, other) {
        const players = [
            { name: one, harbours: ['red', 'blue'] },
            { name: other, harbours: ['green', 'yellow'] },
        ];
        await send('new-game', { players, first: 1, abandon: true, anyway: true });
    }

    /** A short game at the table: the first one takes all pieces of the other. */
    async function play(winner, loser) {
        await beginGame(winner, loser);
        await send('fire');
        for (const colour of ['green', 'yellow']) {
            for (const piece of ['1', '2', '3', 'tower']) {
                await send('topple', { piece: `${colour}-${piece}` });
            }
        }
    }

    const namesOf = (pairing) => pairing.locator('ul li > span').allInnerTexts();

    for (const language of ['en', 'cs']) {
        test(`create, play, correct, undo, print and watch, in ${language}`, async () => {
            const page = await openPage(browser, 'about:blank', { viewport: PHONE });
            await create(page, language, { name: `Cup ${language}`, players: PLAYERS, rounds: 2 });
            const tv = await openPage(
                browser,
                `${harbour.pageUrl}#view=standings&tournament=${idOf(page)}&lang=${language}`,
                { viewport: TV },
            );
            await tv.locator('main.board-of-tournament').waitFor();
            await tap(page, '[data-verb="start-round"]');
            assert.equal(await page.locator('.pairing').count(), 3);
            assert.equal(await page.locator('[data-verb="start-round"]').count(), 0);
            const first = page.locator('.pairing').first();
            assert.equal(await first.locator('[data-result="none"]').count(), 1); // nobody has begun
            const [one, other] = await namesOf(first);
            await beginGame(one, other);
            await first.locator('[data-result="playing"]').waitFor();
            await play(one, other);
            await page.locator('.pairing:first-child [data-result="table"]').waitFor();
            await tv.locator('.pairing:first-child [data-result="table"]').waitFor();
            assert.equal(await tv.locator('.standings tbody th').first().innerText(), one);

            await first.locator('[data-enter]').click();
            await page.locator('select[name="place-1"]').selectOption('2');
            await page.locator('select[name="place-2"]').selectOption('1');
            const score = page.locator('input[name="score-1"]');
            await score.fill('');
            await score.pressSequentially('-3');
            assert.equal(await score.inputValue(), '-3');
            await tap(page, '[data-verb="enter-result"]');
            await page.locator('.pairing:first-child [data-result="referee"]').waitFor();
            await until('the TV shows the correction', async () => {
                return (await tv.locator('.pairing .winner').first().innerText()).includes(other);
            });
            await tap(page, '[data-verb="undo-tournament"]');
            await page.locator('.pairing:first-child [data-result="table"]').waitFor();

            assert.equal(await page.locator('.slip').count(), 1, 'only where a result is missing');
            await page.locator('.pairing:nth-child(2) [data-enter]').click();
            await tap(page, '[data-verb="enter-result"]');
            await tap(page, '[data-verb="start-round"]');
            await until('the second round on the TV', async () => {
                return (await seqOf(tv)) === (await seqOf(page));
            });
            assert.equal(await page.locator('.pairing').count(), 3);

            for (const [view, viewport] of [
                [page, SMALL_PHONE],
                [page, PHONE],
                [tv, TV],
                [page, TV],
            ]) {
                await view.setViewportSize(viewport);
                await expectFit(view, `tournament ${viewport.width}`);
                await view.evaluate(axe.source);
                assert.deepEqual(await view.evaluate(audit, ALL), []);
            }

            await page.emulateMedia({ media: 'print' });
            assert.equal(await page.locator('.slip').count(), 2);
            assert.ok(await page.locator('.slip').first().isVisible());
            assert.ok(await page.locator('.pairing').first().isVisible());
            assert.ok(!(await page.locator('.manage').isVisible()));
            assert.ok(!(await page.locator('.bar').isVisible()));
            assert.ok((await page.pdf()).length > 1000);
            await page.emulateMedia({ media: null });

            await page.locator('[data-close]').click();
            await page.locator('[data-close-sure]').click();
            await page.locator('main.lobby').waitFor();
            await closePage(page);
            await closePage(tv);
        });
    }

    test('a player withdraws, and a refusal is shown with its reason', async () => {
        const page = await openPage(browser, 'about:blank', { viewport: PHONE });
        await create(page, 'de', { name: 'K', players: ['Anna', 'Ben', 'Cleo'], system: 'elimination' });
        await page.locator('[data-leave="2"]').click();
        await tap(page, '[data-leave-sure]');
        await page.locator('[data-leave="2"]').waitFor({ state: 'detached' });
        await page.locator('[data-leave="1"]').click();
        await page.locator('[data-leave-sure]').click();
        const refusal = page.locator('.refusal[data-error="too-few-left"]');
        assert.match(await refusal.innerText(), /Zwei Spieler oder Teams müssen bleiben/);
        await page.goto(`${harbour.pageUrl}#view=lobby&lang=de`);
        await page.locator('[data-open-tournament]').click();
        await page.locator('input[name="tournament-name"]').fill('Again');
        await page.locator('textarea[name="players"]').fill('Anna\nanna');
        await page.locator('[data-verb="open-tournament"]').click();
        const repeated = page.locator('.refusal[data-error="names-repeat"]');
        assert.match(await repeated.innerText(), /Jeder Spieler braucht einen eigenen Namen/);
        await expectFit(page, 'form');
        await page.evaluate(axe.source);
        assert.deepEqual(await page.evaluate(audit, ALL), []);
        await closePage(page);
    });

    test('every refusal of the logbook has a sentence in all languages', async () => {
        const header = new URL('../../daemon/tournament/include/tournament/tournament.h', import.meta.url);
        const [, list] = (await readFile(header, 'utf8')).split('#define TOURNAMENT_REFUSALS(X)');
        const codes = [...list.split('#define')[0].matchAll(/X\(\w+, "([\w-]+)"/g)].map(([, code]) => code);
        const ofPrograms = ['bad-value', 'lots']; // no page sends what is refused so
        const wanted = [...new Set(codes)].filter((code) => !ofPrograms.includes(code));
        assert.ok(wanted.length > 20);
        for (const [language, { tournaments }] of Object.entries(LANGUAGES)) {
            assert.deepEqual(Object.keys(tournaments.refusals).sort(), wanted.sort(), language);
        }
    });

    test('states that no logbook would publish are ignored', () => {
        const good = {
            v: 1,
            tournament: 'a',
            name: 'Cup',
            seq: 1,
            system: 'swiss',
            group: 2,
            teams: false,
            phase: 'playing',
            round: 1,
            rounds: null,
            can_pair: false,
            tables: [],
            players: [{ id: 1, name: 'Anna', lot: 1, withdrawn: false }],
            pairings: [{ id: 1, round: 1, players: [1], table: null, result: null }],
            standings: [],
            tie_breaks: [],
            undo: null,
        };
        const known = withTournament({}, 'a', JSON.stringify(good));
        assert.equal(known.a.name, 'Cup');
        const undo = { verb: 'withdraw', player: 1 };
        assert.deepEqual(withTournament({}, 'a', JSON.stringify({ ...good, undo })).a.undo, undo);
        for (const bad of [
            'null',
            '{',
            JSON.stringify({ ...good, tournament: 'b' }),
            JSON.stringify({ ...good, phase: 'later' }),
            JSON.stringify({ ...good, pairings: [{ ...good.pairings[0], players: [7] }] }),
            JSON.stringify({ ...good, undo: { verb: 'withdraw', player: 7 } }),
            JSON.stringify({ ...good, name: 'x'.repeat(300_000) }),
        ]) {
            assert.equal(withTournament(known, 'a', bad), known);
        }
        assert.deepEqual(withTournament(known, 'a', ''), {});
    });
});

test('viewers watch a tournament, and only referees change it', async () => {
    const harbour = await GuardedHarbour.open();
    const browser = await openBrowser();
    const logins = {};
    for (const role of ['viewer', 'referee']) {
        logins[role] = new URLSearchParams(new URL(await harbour.addUser(role, role)).hash.slice(1));
    }
    await harbour.startLogbook();
    const open = (role, hash) => {
        const login = `&user=${logins[role].get('user')}&password=${logins[role].get('password')}`;
        return openPage(browser, `${harbour.pageUrl}#${hash}${login}&lang=en`, { viewport: PHONE });
    };
    const referee = await open('referee', 'view=lobby');
    await referee.locator('[data-open-tournament]').click();
    await referee.locator('input[name="tournament-name"]').fill('Cup');
    await referee.locator('textarea[name="players"]').fill('Anna\nBen');
    await referee.locator('[data-verb="open-tournament"]').click();
    await referee.waitForURL(/view=tournament/);
    await referee.locator('[data-verb="start-round"]').click();
    const id = new URLSearchParams(new URL(referee.url()).hash.slice(1)).get('tournament');
    const viewer = await open('viewer', `view=tournament&tournament=${id}`);
    await viewer.locator('.pairing').waitFor();
    await referee.locator('[data-enter]').waitFor();
    assert.equal(await viewer.locator('[data-enter], [data-verb], [data-close]').count(), 0);
    await closePage(referee);
    await closePage(viewer);
    await closeAll(browser, harbour);
});
