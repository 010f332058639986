/** The people around a table: who watches the TV, who holds the phone, who moves the ships. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { KNOT } from '../../scoreboard/src/layout.js';
import { closePage, openPage, PHONE } from './browser.mjs';
import { readCommand } from './script.mjs';
import { closeAll, until } from './waiting.mjs';

/** A small TV: it is drawn in half the time of a large one, after every step of every game. */
const HD = { width: 1280, height: 720 };

/** The width of a ship's grip, in the units of the drawn sea. */
export const GRIP = 76;

export class Crew {
    /** Their pages, which take a while to open and can then go from table to table. */
    static async open(browser, harbour) {
        const crew = new Crew();
        crew.pageUrl = harbour.pageUrl;
        [crew.tv, crew.phone, crew.sea] = await Promise.all([
            openPage(browser, `${harbour.pageUrl}#view=lobby`, { viewport: HD }),
            openPage(browser, `${harbour.pageUrl}#view=lobby`, { viewport: PHONE }),
            openPage(browser, `${harbour.pageUrl}#view=lobby`, { viewport: HD }),
        ]);
        return crew;
    }

    async sitAt(table) {
        const goTo = (page, view) => page.goto(`${this.pageUrl}#table=${table}&view=${view}`);
        this.things = null; // on the board, as it was last looked at
        await Promise.all([
            goTo(this.tv, 'board'),
            goTo(this.phone, 'captain'),
            goTo(this.sea, 'table'),
        ]);
    }

    get pages() {
        return [this.tv, this.phone, this.sea];
    }

    async close() {
        await closeAll(...this.pages.map((page) => () => closePage(page)));
    }

    /** Fills in the form for a new game; tapping its button starts it. */
    async fillIn({ names, scenario, rules, first = 1 }) {
        const form = this.phone.locator('form.new-game');
        const choose = (name, value) =>
            form.locator(`input[name=${name}][value="${value}"]`).check({ force: true });
        await choose('players', names.length);
        for (const [i, name] of names.entries()) {
            await form.locator(`input[name=name-${i + 1}]`).fill(name);
        }
        await choose('scenario', scenario);
        await choose('rules', rules);
        await form.locator('select[name=first]').selectOption(String(first));
    }

    /** One step of a script: somebody does something, and the board becomes as it says. */
    async play({ action, board, changes, absent, line }) {
        await this.act(action);
        await this.expectBoard(`${line}: ${action}`, { line: board, changes });
        await this.keepUp();
        for (const command of absent) {
            await this.expectNotOffered(readCommand(command));
        }
    }

    /** What a script may say: a tap on the phone, or hands at the virtual table. */
    async act(action) {
        const [who, ...words] = action.split(' ');
        const [first, second, third] = words;
        const acts = {
            tap: () => this.tap(readCommand(words.join(' '))),
            shoot: () => this.shootAt(first, third),
            lift: () => this.lift(first),
            drag: () => this.drag(first, Number(second)),
            pull: async () => {
                await this.openTools();
                await this.sea.locator('input[name=pull]').fill(first);
            },
        };
        await acts[who]();
    }

    /** Taps the captain's button for a command. */
    async tap(command) {
        await this.phone.locator('main.captain[aria-busy=false]').waitFor();
        if (command.verb === 'engage') {
            const { attacker } = command;
            const chooser = this.phone.locator(buttonFor({ verb: 'choose-attacker', attacker }));
            if ((await chooser.getAttribute('aria-pressed')) !== 'true') {
                await chooser.click();
            }
        }
        const button = this.phone.locator(buttonFor(command));
        await button.evaluate((each) => each.closest('details')?.setAttribute('open', ''));
        await button.click();
    }

    /** The captain is not, or no longer, offered this command. */
    expectNotOffered(command) {
        return this.phone.locator(buttonFor(command)).waitFor({ state: 'detached' });
    }

    choose(piece) {
        return this.sea.locator(`.sea-piece[data-piece=${piece}]`).click();
    }

    /** A tap puts up a piece that ought to stand; other ones need the tool. Both would shake it. */
    async lift(piece) {
        const grip = this.sea.locator(`.sea-piece.lying[data-piece=${piece}]`);
        await grip.waitFor();
        if (await grip.evaluate((each) => each.classList.contains('able'))) {
            await grip.click();
        } else {
            await this.hand('raise', piece);
        }
    }

    async hand(what, piece = null) {
        if (piece) {
            await this.choose(piece);
        }
        await this.openTools();
        await this.sea.locator(`[data-hand=${what}]`).click();
    }

    /** Unfolds the sensors that a game does not need. */
    async openTools() {
        await this.sea.locator('.tools').evaluate((tools) => (tools.open = true));
    }

    /** Points the cannon at a piece and fires; the ball topples what it meets. */
    async shootAt(piece, from) {
        const shooter = this.sea.locator(`[data-verb=aim][data-piece=${from}]`);
        await shooter.evaluate((each) => (each.closest('details').open = true));
        await shooter.click();
        const [a, b] = [await this.placeOf(from), await this.placeOf(piece)];
        const angle = Math.round((Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI);
        await this.sea.locator('input[name=direction]').fill(String(angle));
        await this.sea.locator('[data-hand=fire]').click();
    }

    /** The middle of a piece on the screen, and the size of its grip, whatever ring it has. */
    placeOf(piece) {
        const grip = this.sea.locator(`.sea-piece[data-piece=${piece}] .grip`);
        return grip.evaluate((circle, width) => {
            const { a, e, f } = circle.getScreenCTM();
            return { x: e, y: f, size: a * width };
        }, GRIP);
    }

    /** Drags a ship so many knots to the right. */
    async drag(piece, knots) {
        const { x, y, size } = await this.placeOf(piece);
        await this.dragTo(piece, { x: x + (knots * KNOT * size) / GRIP, y });
    }

    /** Drags a ship to a place on the screen, in steps as a finger does. */
    async dragTo(piece, to) {
        const { x, y } = await this.placeOf(piece);
        await this.sea.mouse.move(x, y);
        await this.sea.mouse.down();
        await this.sea.mouse.move(to.x, to.y, { steps: 12 });
        await this.sea.mouse.up();
    }

    /** Phone and sea have heard of everything that the TV shows, before the next step is made. */
    async keepUp() {
        const seq = await this.tv.evaluate(seqShown);
        for (const page of [this.phone, this.sea]) {
            await until(`all pages at ${seq}`, async () => (await page.evaluate(seqShown)) >= seq);
        }
    }

    /** The board as it is: in a line, and what else has changed since the last step. */
    async look() {
        const { line, things } = await this.tv.evaluate(readBoard);
        return { line, things, changes: things.filter((thing) => this.isNew(thing)) };
    }

    isNew(thing) {
        return this.things === null ? !isOrdinary(thing) : !this.things.includes(thing);
    }

    /** The board comes to show this line, and nothing else on it changes but what is named. */
    async expectBoard(what, expected) {
        let seen = null;
        const isThere = async () => {
            const { line, changes, things } = await this.look();
            seen = { line, changes };
            return isDeepStrictEqual(seen, expected) && things;
        };
        try {
            this.things = await until(what, isThere);
        } catch {
            assert.deepEqual(seen, expected, what);
        }
    }
}

/** Runs in the page: the last event that is contained in what it shows. */
function seqShown() {
    return Number(document.querySelector('[data-announcer]').dataset.announcer);
}

/** What every board shows before anything has happened. */
function isOrdinary(thing) {
    return thing.endsWith(': standing') || thing === 'Alerts: none';
}

/** Runs in the page. What a board shows: whose turn, the step, what happens in it, scores, news. */
function readBoard() {
    const textOf = (element) => {
        const parts = [...element.childNodes].filter((node) => !node.matches?.('svg, .piece'));
        const words = parts.map((node) => node.textContent.trim()).filter(Boolean);
        return words.join(' ');
    };
    const texts = (selector) => [...document.querySelectorAll(selector)].map(textOf);
    const labels = (selector) =>
        [...document.querySelectorAll(selector)].map((element) => element.ariaLabel);
    const fights = [...document.querySelectorAll('.fights li')].map(
        (fight) => `${fight.ariaLabel}: ${textOf(fight.querySelector('.tag'))}`,
    );
    const stage = [...fights, ...texts('.stage p'), ...texts('.ranking li')];
    const parts = [
        texts('.turn h1, .celebration h1'),
        texts('.steps [aria-current]'),
        stage.filter(Boolean),
    ].map((part) => part.join(', '));
    // If the ball is decided late, the hit that a piece's beam detects may follow the fall: both orders are right.
    const said = texts('.log li:not([data-event=shot-hit]) span[dir]').slice(0, 1);
    return {
        line: [...parts, texts('.score strong').join(':'), ...said].filter(Boolean).join(' | '),
        things: [
            ...labels('.player .piece, .scenario .piece'),
            ...texts('.scenario p').map(
                (words) => `Scenario: ${[words, ...labels('.barrel-way')].join(', ')}`,
            ),
            `Alerts: ${texts('.alerts p').join(' ') || 'none'}`,
        ],
    };
}

/** A move without knots is the one that the rope measures. */
function buttonFor(command) {
    const data = Object.entries(command).map(([key, value]) => `[data-${key}="${value}"]`);
    const isMeasured = command.verb === 'move' && command.knots === undefined;
    return `button${data.join('')}${isMeasured ? ':not([data-knots])' : ''}`;
}
