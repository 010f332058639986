/** Chromium, and pages whose console must stay silent. */
import assert from 'node:assert/strict';
import { chromium } from './packages.mjs';
import { DEADLINE_MS } from './waiting.mjs';

export const TV = { width: 1920, height: 1080 };
export const PHONE = { width: 390, height: 844 };
export const SMALL_PHONE = { width: 320, height: 568 };

export const QUIET = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
];

const CHROMIUM = { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: QUIET };

export function openBrowser() {
    return chromium.launch(CHROMIUM);
}

/** A browser with a profile on disk: only from such a one can an app be installed. */
export function openProfile(folder) {
    return chromium.launchPersistentContext(folder, {
        ...CHROMIUM,
        ignoreHTTPSErrors: true,
        locale: 'en-GB',
    });
}

/** What the browser itself says of a connection to a broker that goes away. */
const EXPECTED = /WebSocket (connection to .* failed|is already in CLOSING or CLOSED state)/;

/** Pages that nobody needs any more. */
const idle = new Set();

/**
 * A page of the scoreboard that shares nothing with others. `scripts` run in it before its own. Close it
 * with closePage, which fails if the page complained. Where a page of the same kind was closed, it is
 * used again: a new context takes a second of processor time more.
 */
export async function openPage(browser, url, { scripts = [], viewport = TV, ...settings } = {}) {
    const options = { locale: 'en-GB', reducedMotion: 'reduce', ...settings };
    const kind = JSON.stringify([options, scripts.map(String)]);
    const isUsable = (page) => page.kind === kind && page.context().browser() === browser;
    const page = [...idle].find(isUsable) ?? (await newPage(browser, options, scripts));
    idle.delete(page);
    page.kind = kind;
    await page.setViewportSize(viewport);
    await page.goto(url);
    return page;
}

async function newPage(browser, options, scripts) {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(DEADLINE_MS);
    const page = await context.newPage();
    for (const script of scripts) {
        await page.addInitScript(script);
    }
    page.complaints = [];
    page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(message.text())) {
            page.complaints.push(message.text());
        }
    });
    page.on('pageerror', (error) => page.complaints.push(error.stack));
    return page;
}

/** Taps a button at this time of a clock of its own, always at the same place of the screen. */
export function tapAt(page, selector, ...times_ms) {
    return page.locator(selector).evaluate((button, timeStamps) => {
        const place = { clientX: 200, clientY: 300 };
        const tap = { bubbles: true, detail: 1, pointerType: 'touch', ...place };
        for (const value of timeStamps) {
            const event = new PointerEvent('click', tap);
            Object.defineProperty(event, 'timeStamp', { value });
            button.dispatchEvent(event);
        }
    }, times_ms);
}

export async function closePage(page) {
    await forget(page);
    idle.add(page);
    assert.deepEqual(page.complaints.splice(0), [], 'the console stays silent');
}

/** Leaves the page as a new one: nothing is stored, and no pointer is over it. */
async function forget(page) {
    if (page.url() !== 'about:blank') {
        await page.evaluate(() => [localStorage, sessionStorage].forEach((each) => each.clear()));
    }
    await page.goto('about:blank');
    await page.emulateMedia({ media: null, colorScheme: null });
    await page.mouse.move(0, 0);
}
