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

/**
 * A page of the scoreboard in a context of its own. Close it with closePage, which fails if the
 * page complained.
 */
export async function openPage(browser, url, options = {}) {
    const context = await browser.newContext({
        viewport: TV,
        locale: 'en-GB',
        reducedMotion: 'reduce',
        ...options,
    });
    context.setDefaultTimeout(DEADLINE_MS);
    const page = await context.newPage();
    page.complaints = [];
    page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(message.text())) {
            page.complaints.push(message.text());
        }
    });
    page.on('pageerror', (error) => page.complaints.push(error.stack));
    await page.goto(url);
    return page;
}

export async function closePage(page) {
    await page.context().close();
    assert.deepEqual(page.complaints, [], 'the console stays silent');
}
