/** Measured boxes: what sticks out, what covers what, what a finger would not meet. */
import assert from 'node:assert/strict';

/** Runs in the page: boxes that stick out of the screen sideways. */
function overflowing() {
    const wide = [...document.querySelectorAll('#page *')].filter((element) => {
        const box = element.getBoundingClientRect();
        const isHidden =
            element.closest('.unseen, .confetti, svg svg') || !element.checkVisibility();
        return !isHidden && box.width > 0 && (box.right > innerWidth + 1 || box.left < -1);
    });
    return wide.map((element) => element.outerHTML.slice(0, 120));
}

/** Runs in the page: pairs of things beside each other that cover one another. */
function overlapping(selectors) {
    const boxes = selectors.flatMap((selector) =>
        [...document.querySelectorAll(selector)].map((element) => [
            `${selector} ${element.textContent.slice(0, 20)}`,
            element.getBoundingClientRect(),
        ]),
    );
    return boxes.flatMap(([name, a], i) =>
        boxes.slice(i + 1).flatMap(([other, b]) => {
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            return across > 1 && down > 1 ? [`${name} / ${other}`] : [];
        }),
    );
}

/** Runs in the page: on a TV nobody scrolls, and what is not on the screen is not there. */
function belowScreen(selector) {
    const isCut = (element) => {
        const { bottom } = element.closest('.player, .log').getBoundingClientRect();
        return element.getBoundingClientRect().bottom > Math.min(bottom, innerHeight) + 1;
    };
    return [...document.querySelectorAll(selector)]
        .filter(isCut)
        .map((element) => element.textContent.slice(0, 40));
}

/**
 * Runs in the page: controls of which a finger would meet something else, at their middle or near a
 * corner. Where it may, the page is scrolled no further than a browser does for the focus.
 */
function covered({ selector, mayScroll }) {
    const { fontSize } = getComputedStyle(document.documentElement);
    const insetMax = 0.6 * parseFloat(fontSize); // corners are round, and grow with the screen
    const isMet = (control, x, y) => {
        const hit = document.elementFromPoint(x, y);
        return control.contains(hit) || control.labels?.[0]?.contains(hit);
    };
    const controls = [...document.querySelectorAll(selector)];
    const isCovered = (control) => {
        if (mayScroll) {
            control.scrollIntoView({ block: 'nearest' });
        }
        const { left, right, top, bottom } = control.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const inset = Math.min(insetMax, (right - left) / 4, (bottom - top) / 4);
        const points = [
            [x, y],
            [left + inset, top + inset],
            [right - inset, top + inset],
            [left + inset, bottom - inset],
            [right - inset, bottom - inset],
        ];
        return points.some((point) => !isMet(control, ...point));
    };
    return controls
        .filter((control) => control.checkVisibility() && isCovered(control))
        .map((control) => control.outerHTML.slice(0, 120));
}

const CONTROLS = 'button, a, select, input, summary';
const SIDE_BY_SIDE = [
    '.turn',
    '.celebration',
    '.scenario',
    '.player',
    '.board > .log',
    '.alerts p',
    'header.bar',
    '.virtual > *',
];
const INSIDE_A_CARD = [
    '.player > header > *',
    '.score',
    '.fleet .piece',
    '.trophies',
    '.steps li',
    '.turn h1',
];
const ON_TV = '.player, .fleet .piece, .trophies li, .log';

/** Runs in the page: as it is in its first minute, before it is moved against burn-in. */
function undoDrift() {
    const { style } = document.documentElement;
    ['--drift-x', '--drift-y'].forEach((name) => style.removeProperty(name));
}

/** Nothing sticks out or covers its neighbour, and every control can be reached. */
export async function expectFit(page, where) {
    await page.evaluate(undoDrift);
    assert.deepEqual(await page.evaluate(overflowing), [], `${where}: nothing sticks out`);
    for (const beside of [SIDE_BY_SIDE, INSIDE_A_CARD]) {
        assert.deepEqual(await page.evaluate(overlapping, beside), [], `${where}: side by side`);
    }
    const all = { selector: CONTROLS, mayScroll: true };
    assert.deepEqual(await page.evaluate(covered, all), [], `${where}: nothing is covered`);
    await page.evaluate(() => scrollTo(0, 0));
}

/** What was just asked can be answered at once, without looking for it. */
export async function expectAtHand(page, selector, where) {
    assert.ok((await page.locator(selector).count()) > 0, `${where}: ${selector}`);
    const now = { selector, mayScroll: false };
    assert.deepEqual(await page.evaluate(covered, now), [], `${where}: at hand`);
}

export async function expectOnScreen(page, where) {
    assert.deepEqual(await page.evaluate(belowScreen, ON_TV), [], `${where}: on the screen`);
}
