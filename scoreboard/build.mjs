/**
 * Builds dist/scoreboard.html: a single file with script and style, because mosquitto sends no
 * content types, and so that the page can be opened from disk. The files beside it are for browsers
 * that install it as an app.
 */
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';

/** The oldest browsers that are supported, all from April 2021. */
const BROWSERS = ['chrome90', 'edge90', 'firefox88', 'safari14.1'];

const here = (path) => new URL(path, import.meta.url).pathname;

async function bundle(entry, options = {}) {
    const { outputFiles, metafile } = await build({
        entryPoints: [here(entry)],
        bundle: true,
        minify: true,
        write: false,
        target: BROWSERS,
        legalComments: 'none',
        metafile: true,
        ...options,
    });
    return { text: outputFiles[0].text.trim(), inputs: Object.keys(metafile.inputs) };
}

/** The licences of the included libraries, which every copy of the page must contain. */
async function licences(inputs) {
    const modules = inputs.map((path) => path.match(/node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]);
    const texts = [...new Set(modules)].filter(Boolean).sort().map(licence);
    return (await Promise.all(texts)).join(`\n${'-'.repeat(78)}\n\n`);
}

async function licence(module) {
    const about = JSON.parse(await readFile(here(`${module}/package.json`), 'utf8'));
    const file = (await readdir(here(module))).find((name) => /^licen[cs]e/i.test(name));
    const text = file ? await readFile(here(`${module}/${file}`), 'utf8') : '';
    return `${about.name} ${about.version}, ${about.license}\n\n${text}`;
}

function hashOf(text) {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Only code in this file may run, nothing may be loaded, and only websockets may be opened. */
function policyFor(script, style) {
    return [
        "default-src 'none'",
        `script-src ${hashOf(script)}`,
        `style-src ${hashOf(style)}`,
        "img-src 'self' data:",
        'connect-src ws: wss:',
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    ].join('; ');
}

/** The version that the daemon has, too. */
async function version() {
    const project = await readFile(here('../CMakeLists.txt'), 'utf8');
    return project.match(/^project\(shipahoy VERSION ([\d.]+)/m)[1];
}

/** Safari before 15.4 breaks long names only with a property that is deprecated since. */
function withOldWrapping(css) {
    return css.replaceAll('overflow-wrap:anywhere', 'word-break:break-word;overflow-wrap:anywhere');
}

const bundled = await bundle('src/main.jsx', {
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { SHIPAHOY_VERSION: JSON.stringify(await version()) },
});
const script = bundled.text.replaceAll('</script', '<\\/script');
const style = withOldWrapping((await bundle('src/styles/page.css')).text);
const parts = { script, style, policy: policyFor(script, style) };
const template = await readFile(here('src/page.html'), 'utf8');
const page = template.replace(/\{(script|style|policy)\}/g, (_, part) => parts[part]);

await mkdir(here('dist'), { recursive: true });
await writeFile(here('dist/scoreboard.html'), page);
await writeFile(here('dist/licences.txt'), await licences(bundled.inputs));
for (const name of ['manifest.json', 'icon-192.png', 'icon-512.png']) {
    await copyFile(here(`src/app/${name}`), here(`dist/${name}`));
}
// The default document of a server.
await rm(here('dist/index.html'), { force: true });
await symlink('scoreboard.html', here('dist/index.html'));
console.log(`dist/scoreboard.html: ${Math.ceil(page.length / 1024)} KiB`);
