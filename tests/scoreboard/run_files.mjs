/**
 * Runs test files in the order of the command line, so many at a time, and prints TAP:
 * node run_files.mjs COUNT FILE... (node --test sorts them by name).
 */
import { resolve } from 'node:path';
import { run } from 'node:test';
import { tap } from 'node:test/reporters';

const [count, ...files] = process.argv.slice(2);
run({ concurrency: Number(count), files: files.map((file) => resolve(file)) })
    .compose(tap)
    .pipe(process.stdout);
