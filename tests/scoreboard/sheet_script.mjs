/** The example games of tests/sheet, for people who play them with a phone and a TV. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { translateRefusal } from '../../scoreboard/src/sheets/language.js';
import { Texts } from '../../scoreboard/src/texts.js';
import { until } from './waiting.mjs';

export const NAMES = ['Anna', 'Ben', 'Cleo', 'Dora'];

/** The games of tests/sheet/NAME.txt: {title, open, steps: [{words, expected}]}; see cases.c. */
export async function readGames(name) {
    const text = await readFile(new URL(`../sheet/${name}.txt`, import.meta.url), 'utf8');
    return text
        .split(/^== /m)
        .filter(Boolean)
        .map((game) => {
            const [title, ...lines] = game.trim().split('\n');
            const steps = [];
            for (const line of lines) {
                const [words, expected] = line.split(/\s*> /);
                if (words) {
                    steps.push({ words: words.trim(), expected: [] });
                }
                steps.at(-1).expected.push(...(expected ? [expected] : []));
            }
            return { title, steps };
        });
}

/** By language: the translations in config/sheets/NAME.ini, by text. English has none. */
export async function readTranslations(name) {
    const ini = await readFile(new URL(`../../config/sheets/${name}.ini`, import.meta.url), 'utf8');
    const translations = { en: {}, de: {}, cs: {} };
    for (const [, key, code, text] of ini.matchAll(/^(\w+)\.(\w+) = (.*)$/gm)) {
        const before = ini.slice(0, ini.indexOf(`${key}.${code} = ${text}\n`));
        const source = before.match(new RegExp(`[^]*^${key} = (.*)$`, 'm'))[1];
        const parts = text.split(', ');
        const isList = ['roles', 'values'].includes(key);
        for (const [i, part] of (isList ? source.split(', ') : [source]).entries()) {
            translations[code][part] = isList ? parts[i] : text;
        }
    }
    return translations;
}

/** A refusal of the logbook as the page says it. */
export function refusalIn(code, translations, message) {
    const reply = { ok: false, message };
    return translateRefusal(new Texts(code), { texts: translations }, reply).message;
}

/** Two pages of one sheet game. */
export class SheetTable {
    constructor(phone, tv) {
        this.phone = phone;
        this.tv = tv;
    }

    /** The sequence number that this page shows. */
    seqOn(page) {
        return page.locator('main[data-seq]').getAttribute('data-seq').then(Number);
    }

    /** Opens a game in the lobby of the phone, and shows it on the TV. False if it is not offered. */
    async open(pageUrl, [language, tvLanguage], [name, count, ...roles]) {
        const { phone, tv } = this;
        await phone.goto('about:blank'); // from one moment of the page to another, forms would stay open
        await phone.goto(`${pageUrl}#view=lobby&lang=${language}`);
        await phone.locator('[data-open-sheet]').click();
        await phone.locator(`input[name="sheet"][value="${name}"]`).check();
        const seats = phone.locator(`input[name="sheet-players"][value="${count}"]`);
        if ((await seats.count()) === 0) {
            return false;
        }
        await seats.check();
        for (let seat = 1; seat <= Number(count); seat++) {
            await phone.locator(`input[name="name-${seat}"]`).fill(NAMES[seat - 1]);
        }
        for (const [i, role] of roles.entries()) {
            const select = phone.locator(`select[name="role-${i + 1}"]`);
            await select.selectOption({ index: Number(role) - 1 });
        }
        if (new Set(roles).size < roles.length) {
            return false; // the form swaps them
        }
        await phone.locator('[data-verb="open-sheet"]').click();
        await phone.waitForURL(/view=score/);
        const { hash } = new URL(phone.url());
        const tvHash = hash.replace('view=score', 'view=sheet');
        await tv.goto(`${pageUrl}${tvHash.replace(`lang=${language}`, `lang=${tvLanguage}`)}`);
        await tv.locator('main.sheet').waitFor();
        return true;
    }

    /** Phone and TV name the counters in their languages. */
    async expectLabels(languages, translations) {
        const shown = [
            await this.phone.locator('.counter h3').allInnerTexts(),
            await this.tv.locator('.sheet-counters .label').allInnerTexts(),
        ];
        for (const [i, labels] of shown.entries()) {
            const [code, other] = [languages[i], languages[i] === 'de' ? 'cs' : 'de'];
            const english = Object.keys(translations[other]);
            const known = code === 'en' ? english : Object.values(translations[code]);
            assert.ok(labels.length > 0 && labels.every((label) => known.includes(label)), labels);
        }
    }

    /** Taps what the words say. Null if the page has no such control, else the refusal or ''. */
    async play(words) {
        const control = await this.#control(words);
        if (control === null) {
            return null;
        }
        const { phone, tv } = this;
        const before = await this.seqOn(phone);
        await phone.evaluate(() => document.querySelector('.refusal button')?.click());
        await control();
        const refusal = phone.locator('.refusal');
        return until(`the effect of ${words}`, async () => {
            if ((await refusal.count()) > 0) {
                return { refusal: await refusal.innerText() };
            }
            const seq = await this.seqOn(phone);
            const isIdle = (await phone.locator('main[aria-busy="true"]').count()) === 0;
            return seq > before && isIdle && (await this.seqOn(tv)) === seq && { refusal: '' };
        }).then(({ refusal: said }) => said);
    }

    /** A function that taps, or null. */
    async #control(words) {
        const { phone } = this;
        const [verb, name, ...rest] = words.split(' ');
        const fields = Object.fromEntries(rest.map((word) => word.split('=')));
        if (['round', 'finish', 'undo'].includes(verb)) {
            return this.#tap(`[data-verb="${verb === 'undo' ? 'undo-sheet' : verb}"]`);
        }
        if (fields.player) {
            await phone.locator(`input[name="seat"][value="${fields.player}"]`).check();
        }
        const whose = fields.player ? `[data-player="${fields.player}"]` : ':not([data-player])';
        if (verb === 'flag') {
            const isSet = fields.value === 'yes';
            return this.#tap(`[data-flag="${name}"]${whose}[data-value="${isSet}"]`);
        }
        const [[change, number]] = Object.entries(fields).filter(([key]) => key !== 'player');
        const buttons = `button[data-counter="${name}"]${whose}`;
        const step = await this.#tap(`${buttons}[data-${change}="${number}"]`);
        return step ?? this.#entering(name, buttons, change, Number(number));
    }

    async #tap(selector) {
        const button = this.phone.locator(selector);
        return (await button.count()) > 0 ? () => button.first().click() : null;
    }

    /** Enters a number; for a change that has no button, the shown value and the change. */
    async #entering(name, buttons, change, number) {
        const hasSteps = (await this.phone.locator(buttons).count()) > 0;
        const input = this.phone.locator(`input[name="number-${name}"]`);
        if (!hasSteps || (await input.count()) === 0) {
            return null;
        }
        const value = this.phone.locator(`[data-counter="${name}"] .value strong`);
        const to = change === 'to' ? number : Number(await value.innerText()) + number;
        return async () => {
            await input.fill(String(to));
            await input.press('Enter');
        };
    }

    /** What the TV shows of what cases.c expects; `words` are translations. */
    async expect(expected, words) {
        const { tv } = this;
        if (expected.startsWith('hint ')) {
            const [, player, english] = expected.match(/^hint (\d): (.*)$/);
            const text = words[english] ?? english;
            const hints = await tv.locator('[data-hint]').allInnerTexts();
            const own = `${NAMES[player - 1]}: ${text}`;
            assert.ok(hints.includes(own) || hints.includes(text), `${own} in ${hints}`);
        } else if (expected.startsWith('over: ')) {
            const rows = await tv.locator('.ranking li').allInnerTexts();
            const shown = rows.map((row) => row.split(/\s*\n\s*/).join(' '));
            assert.deepEqual(shown, expected.slice(6).split(', ').map((rank) => rankWords(rank, words)));
            const firsts = rows.filter((row) => row.startsWith('1.')).length;
            assert.equal(await tv.locator('.ranking .winner').count(), firsts);
            assert.equal(await tv.locator('.confetti').count(), 1);
        } else {
            assert.equal(expected, 'final');
            assert.equal(await tv.locator('.sheet-notes .final').count(), 1);
        }
    }
}

/** "3 1. 32 Captain" as the TV shows it: "1. Cleo Captain 32". */
function rankWords(rank, words) {
    const [, player, place, score, title] = rank.match(/^(\d) (\d\.) (-?\d+)(?: (.*))?$/);
    return [place, NAMES[player - 1], words[title] ?? title, score].filter(Boolean).join(' ');
}
