/**
 * Screenshots as an animated WebP file. Chromium encodes the pictures; here they get the container
 * (RIFF chunks VP8X, ANIM and ANMF of the WebP container specification). Of each picture only the
 * rectangle is stored that differs from the one before, so that the file stays small.
 */

/** Films a page; the returned function ends that, and returns {png, at_ms} in order. */
export async function startScreencast(page) {
    const browser = await page.context().newCDPSession(page);
    const shots = [];
    browser.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
        shots.push({ png: data, at_ms: metadata.timestamp * 1000 });
        browser.send('Page.screencastFrameAck', { sessionId });
    });
    await browser.send('Page.startScreencast', { format: 'png' });
    return async () => {
        await browser.send('Page.stopScreencast');
        shots.sort((a, b) => a.at_ms - b.at_ms);
        return shots.filter(isWorthwhile);
    };
}

/** More pictures a second than this only make the file larger. */
const FRAME_MS = 50;

/** Nothing moves for longer than this in the film, however busy the machine was. */
const STILL_MS = 400;

function isWorthwhile({ at_ms }, i, shots) {
    const slot = (each_ms) => Math.floor((each_ms - shots[0].at_ms) / FRAME_MS);
    return i === shots.length - 1 || slot(at_ms) !== slot(shots[i + 1].at_ms);
}

/** Runs in the page, which draws and encodes. `shots` are PNG files in base64. */
async function encodeFrames({ shots, width, height, quality }) {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const pixelsOf = async (shot) => {
        const response = await fetch(`data:image/png;base64,${shot}`);
        const picture = await createImageBitmap(await response.blob());
        context.drawImage(picture, 0, 0, width, height);
        return context.getImageData(0, 0, width, height);
    };
    /** The changed rectangle, from even coordinates, as the format demands. */
    const changeOf = (before, after) => {
        const box = { left: width, top: height, right: 0, bottom: 0 };
        const [old, now] = [before, after].map(({ data }) => new Uint32Array(data.buffer));
        now.forEach((pixel, i) => {
            if (pixel !== old[i]) {
                const [x, y] = [i % width, Math.floor(i / width)];
                box.left = Math.min(box.left, x - (x % 2));
                box.top = Math.min(box.top, y - (y % 2));
                box.right = Math.max(box.right, x + 1);
                box.bottom = Math.max(box.bottom, y + 1);
            }
        });
        return box.right > 0 ? box : null;
    };
    const frames = [];
    let before = null;
    for (const { png, at_ms } of shots) {
        const pixels = await pixelsOf(png);
        const all = { left: 0, top: 0, right: width, bottom: height };
        const box = before === null ? all : changeOf(before, pixels);
        before = pixels;
        if (box) {
            const [w, h] = [box.right - box.left, box.bottom - box.top];
            const part = new OffscreenCanvas(w, h);
            part.getContext('2d').putImageData(pixels, -box.left, -box.top);
            const blob = await part.convertToBlob({ type: 'image/webp', quality });
            const bytes = new Uint8Array(await blob.arrayBuffer());
            const file = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
            frames.push({ x: box.left, y: box.top, w, h, at_ms, file });
        }
    }
    return frames;
}

function uint(value, bytes) {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUIntLE(value, 0, bytes);
    return buffer;
}

function chunk(name, ...parts) {
    const data = Buffer.concat(parts);
    const padding = Buffer.alloc(data.length % 2);
    return Buffer.concat([Buffer.from(name), uint(data.length, 4), data, padding]);
}

/** The picture itself: the chunks of a WebP file after its header, without metadata. */
function pictureChunks(file) {
    const found = [];
    for (let at = 12; at < file.length; ) {
        const size = file.readUInt32LE(at + 4);
        const end = at + 8 + size + (size % 2);
        if (['VP8 ', 'VP8L', 'ALPH'].includes(file.toString('latin1', at, at + 4))) {
            found.push(file.subarray(at, end));
        }
        at = end;
    }
    return Buffer.concat(found);
}

/** `shots` are {png, at_ms}; the last one is shown for `last_ms`, then the film begins again. */
export async function animatedWebp(browser, shots, { width, height, quality, last_ms }) {
    const page = await browser.newPage(); // an empty one: the policy of our own forbids to load
    const frames = await page.evaluate(encodeFrames, { shots, width, height, quality });
    await page.close();
    const IS_ANIMATED = 2;
    const NO_BLENDING = 2;
    const chunks = frames.map(({ x, y, w, h, at_ms, file }, i) => {
        const shown_ms =
            i + 1 < frames.length ? Math.min(frames[i + 1].at_ms - at_ms, STILL_MS) : last_ms;
        return chunk(
            'ANMF',
            ...[x / 2, y / 2, w - 1, h - 1, Math.round(shown_ms)].map((value) => uint(value, 3)),
            uint(NO_BLENDING, 1),
            pictureChunks(Buffer.from(file, 'base64')),
        );
    });
    const size = [width - 1, height - 1].map((value) => uint(value, 3));
    const header = chunk('VP8X', uint(IS_ANIMATED, 4), ...size);
    const endless = chunk('ANIM', uint(0xffffffff, 4), uint(0, 2));
    return chunk('RIFF', Buffer.from('WEBP'), header, endless, ...chunks);
}
