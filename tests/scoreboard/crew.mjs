/** The people around a table: who watches the TV, who holds the phone, who moves the ships. */
import assert from 'node:assert/strict';
import { closePage, openPage, PHONE, TV } from './browser.mjs';
import { DEADLINE_MS, until } from './waiting.mjs';

export class Crew {
    static async open(browser, harbour, table) {
        const crew = new Crew();
        const at = (view) => `${harbour.pageUrl}#table=${table}&view=${view}`;
        [crew.tv, crew.phone, crew.sea] = await Promise.all([
            openPage(browser, at('board'), { viewport: TV }),
            openPage(browser, at('captain'), { viewport: PHONE }),
            openPage(browser, at('table'), { viewport: TV }),
        ]);
        for (const page of crew.pages) {
            page.setDefaultTimeout(DEADLINE_MS);
        }
        return crew;
    }

    get pages() {
        return [this.tv, this.phone, this.sea];
    }

    async close() {
        await Promise.all(this.pages.map((page) => page.close({ runBeforeUnload: false })));
        for (const page of this.pages) {
            await closePage(page);
        }
    }

    /** Fills in the form for a new game and starts it. */
    async startGame({ names, scenario = 'none', rules = 'basic', first = 1, dice = 'table' }) {
        const form = this.phone.locator('form.new-game');
        await form.locator(`input[name=players][value="${names.length}"]`).check({ force: true });
        for (const [i, name] of names.entries()) {
            await form.locator(`input[name=name-${i + 1}]`).fill(name);
        }
        await form.locator(`input[name=scenario][value=${scenario}]`).check({ force: true });
        await form.locator(`input[name=rules][value=${rules}]`).check({ force: true });
        await form.locator(`input[name=dice][value=${dice}]`).check({ force: true });
        await form.locator('select[name=first]').selectOption(String(first));
        await form.locator('button[data-verb=new-game]').click();
    }

    /** Taps the captain's button for a command. */
    async tap(verb, fields = {}) {
        await this.phone.locator('main.captain[aria-busy=false]').waitFor();
        if (verb === 'engage') {
            const attacker = this.phone.locator(
                `[data-verb=choose-attacker][data-attacker="${fields.attacker}"]`,
            );
            if ((await attacker.getAttribute('aria-pressed')) !== 'true') {
                await attacker.click();
            }
        }
        await this.phone.locator(buttonFor(verb, fields)).click();
    }

    /** The captain is not, or no longer, offered this command. */
    expectNotOffered(verb, fields = {}) {
        return this.phone.locator(buttonFor(verb, fields)).waitFor({ state: 'detached' });
    }

    choose(piece) {
        return this.sea.locator(`.sea-piece[data-piece=${piece}]`).click();
    }

    async hand(what, piece = null) {
        if (piece) {
            await this.choose(piece);
        }
        await this.sea.locator(`[data-hand=${what}]`).click();
    }

    /** Points the cannon at a piece and fires; the ball topples what it meets. */
    async shootAt(piece, from) {
        await this.hand('aim', from);
        const [a, b] = [await this.placeOf(from), await this.placeOf(piece)];
        const angle = Math.round((Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI);
        await this.sea.locator('input[name=direction]').fill(String(angle));
        await this.sea.locator('[data-hand=fire]').click();
    }

    /** The middle of a piece on the screen. */
    async placeOf(piece) {
        const box = await this.sea.locator(`.sea-piece[data-piece=${piece}] .grip`).boundingBox();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2, size: box.width };
    }

    /** Drags a ship, in steps as a finger does. */
    async drag(piece, dx, dy) {
        const { x, y } = await this.placeOf(piece);
        await this.sea.mouse.move(x, y);
        await this.sea.mouse.down();
        await this.sea.mouse.move(x + dx, y + dy, { steps: 12 });
        await this.sea.mouse.up();
    }

    /** The TV in one line: "Anna | Moving | 0:0 | Anna rolls 3." */
    async board() {
        return this.tv.evaluate(() => {
            const text = (selector) => document.querySelector(selector)?.textContent.trim() ?? '';
            const scores = [...document.querySelectorAll('.score strong')].map(
                (each) => each.textContent,
            );
            const whose = text('.turn h1') || text('.celebration h1');
            const step = text('.steps [aria-current]');
            const said = text('.log li:first-child span[dir]');
            return [whose, step, scores.join(':'), said].filter(Boolean).join(' | ');
        });
    }

    /** The board comes to show this line. */
    async expectBoard(line) {
        let board = '';
        try {
            await until(line, async () => (board = await this.board()) === line);
        } catch {
            assert.equal(board, line);
        }
    }

    /** What the TV says of a piece. */
    async expectPiece(piece, expected) {
        const label = `.player .piece[data-piece=${piece}], .scenario .piece[data-piece=${piece}]`;
        let said = '';
        try {
            await until(expected, async () => {
                const words = await this.tv.locator(label).first().getAttribute('aria-label');
                said = words.slice(words.indexOf(': ') + 2);
                return said === expected;
            });
        } catch {
            assert.equal(said, expected, piece);
        }
    }
}

function buttonFor(verb, fields) {
    const data = Object.entries(fields).map(([key, value]) => `[data-${key}="${value}"]`);
    return `button[data-verb=${verb}]${data.join('')}`;
}
