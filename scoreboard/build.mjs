/**
 * Builds dist/scoreboard.html: one file with script and style inside, because a broker that serves
 * it sends no content types, and because a file can be opened from disk.
 */
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';

const here = (path) => new URL(path, import.meta.url).pathname;

async function bundle(entry, options = {}) {
    const { outputFiles } = await build({
        entryPoints: [here(entry)],
        bundle: true,
        minify: true,
        write: false,
        target: 'es2022',
        legalComments: 'none',
        ...options,
    });
    return outputFiles[0].text.trim();
}

function hashOf(text) {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Nothing but what is in the file may run or be loaded, and only websockets may be opened. */
function policyFor(script, style) {
    return [
        "default-src 'none'",
        `script-src ${hashOf(script)}`,
        `style-src ${hashOf(style)}`,
        'img-src data:',
        'connect-src ws: wss:',
        "base-uri 'none'",
        "form-action 'none'",
    ].join('; ');
}

const bundled = await bundle('src/main.jsx', { jsx: 'automatic', jsxImportSource: 'preact' });
const script = bundled.replaceAll('</script', '<\\/script');
const style = await bundle('src/styles/page.css');
const parts = { script, style, policy: policyFor(script, style) };
const template = await readFile(here('src/page.html'), 'utf8');
const page = template.replace(/\{(script|style|policy)\}/g, (_, part) => parts[part]);

await mkdir(here('dist'), { recursive: true });
await writeFile(here('dist/scoreboard.html'), page);
console.log(`dist/scoreboard.html: ${Math.ceil(page.length / 1024)} KiB`);
