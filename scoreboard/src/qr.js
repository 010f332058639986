/**
 * QR codes of addresses (ISO/IEC 18004): bytes, error correction level L, versions 1 to 6, and
 * always the same mask. Larger versions would need tables that no address of a table needs.
 */

/** By version: data bytes and error correction bytes of a block, and the number of blocks. */
const VERSIONS = [
    null,
    [19, 7, 1],
    [34, 10, 1],
    [55, 15, 1],
    [80, 20, 1],
    [108, 26, 1],
    [68, 18, 2],
];

/** Mode and length take 12 bits, and the end up to 4. */
const HEADER_BYTES = 2;
const PADDING = [0xec, 0x11];
/** Level L with mask 0, with its own error correction. */
const FORMAT = 0b111011111000100;
const FIELD = 0x11d;

/** Rows of booleans, true is dark; null if the text is too long. */
export function qrCode(text) {
    const bytes = new TextEncoder().encode(text);
    const version = VERSIONS.findIndex(
        (each) => each !== null && bytes.length + HEADER_BYTES <= each[0] * each[2],
    );
    return version === -1 ? null : draw(version, codewords(bytes, version));
}

function codewords(bytes, version) {
    const [size, checkSize, blockCount] = VERSIONS[version];
    const data = dataBytes(bytes, size * blockCount);
    const blocks = Array.from({ length: blockCount }, (_, i) =>
        data.slice(i * size, (i + 1) * size),
    );
    const checks = blocks.map((block) => remainder(block, checkSize));
    const interleaved = (lists) => lists[0].flatMap((_, i) => lists.map((list) => list[i]));
    return [...interleaved(blocks), ...interleaved(checks)];
}

/** Mode (4 bits), length (8 bits), the bytes, and padding. */
function dataBytes(bytes, size) {
    const nibbles = [4, bytes.length >> 4, bytes.length & 15];
    for (const byte of bytes) {
        nibbles.push(byte >> 4, byte & 15);
    }
    nibbles.push(0);
    const data = [];
    for (let i = 0; i < nibbles.length; i += 2) {
        data.push((nibbles[i] << 4) | nibbles[i + 1]);
    }
    for (let i = 0; data.length < size; i++) {
        data.push(PADDING[i % 2]);
    }
    return data;
}

function multiply(a, b) {
    let product = 0;
    for (let bit = 7; bit >= 0; bit--) {
        product = (product << 1) ^ (product >> 7 ? FIELD : 0);
        product ^= (b >> bit) & 1 ? a : 0;
    }
    return product;
}

/** Reed-Solomon: the remainder of the block divided by the generator polynomial. */
function remainder(block, size) {
    const generator = [...Array(size - 1).fill(0), 1];
    for (let i = 0, root = 1; i < size; i++, root = multiply(root, 2)) {
        for (let j = 0; j < size; j++) {
            generator[j] = multiply(generator[j], root) ^ (generator[j + 1] ?? 0);
        }
    }
    const rest = Array(size).fill(0);
    for (const byte of block) {
        const factor = byte ^ rest.shift();
        rest.push(0);
        generator.forEach((coefficient, j) => (rest[j] ^= multiply(coefficient, factor)));
    }
    return rest;
}

function draw(version, bytes) {
    const size = 17 + 4 * version;
    const rows = Array.from({ length: size }, () => Array(size).fill(null));
    const set = (x, y, isDark) => {
        if (rows[y]?.[x] !== undefined) {
            rows[y][x] = isDark;
        }
    };
    drawPatterns(set, size, version);
    drawFormat(set, size);
    fillIn(rows, size, bytes);
    return rows;
}

/** Three finders with their margins, the timing lines, and one alignment pattern. */
function drawPatterns(set, size, version) {
    for (let i = 0; i < size; i++) {
        set(6, i, i % 2 === 0);
        set(i, 6, i % 2 === 0);
    }
    for (const [x, y] of [
        [3, 3],
        [size - 4, 3],
        [3, size - 4],
    ]) {
        square(set, x, y, 4, [0, 1, 3]);
    }
    if (version > 1) {
        square(set, size - 7, size - 7, 2, [0, 2]);
    }
}

/** Rings around a point; those of these radii are dark. */
function square(set, x, y, radius, dark) {
    for (let dy = -radius; dy <= radius; dy++) {
        for (let dx = -radius; dx <= radius; dx++) {
            set(x + dx, y + dy, dark.includes(Math.max(Math.abs(dx), Math.abs(dy))));
        }
    }
}

/** Twice: around the first finder, and along the other two. */
function drawFormat(set, size) {
    const around = [0, 1, 2, 3, 4, 5, 7, 8];
    for (let bit = 0; bit < 15; bit++) {
        const isDark = ((FORMAT >> bit) & 1) === 1;
        const isLow = bit < 8;
        const place = isLow ? around[bit] : around[14 - bit];
        set(isLow ? 8 : place, isLow ? place : 8, isDark);
        set(isLow ? size - 1 - bit : 8, isLow ? 8 : size - 15 + bit, isDark);
    }
    set(8, size - 8, true);
}

/** Two columns at a time from the right, up and down, around the patterns; with mask 0. */
function fillIn(rows, size, bytes) {
    let bit = 0;
    for (let right = size - 1; right >= 1; right -= 2) {
        right -= right === 6 ? 1 : 0; // the timing line
        const isUp = ((right + 1) & 2) === 0;
        for (let step = 0; step < 2 * size; step++) {
            const x = right - (step % 2);
            const y = isUp ? size - 1 - (step >> 1) : step >> 1;
            if (rows[y][x] === null) {
                const isSet = ((bytes[bit >> 3] >> (7 - (bit & 7))) & 1) === 1;
                rows[y][x] = isSet !== ((x + y) % 2 === 0);
                bit++;
            }
        }
    }
}
