/** Packages of the scoreboard, for tests that live elsewhere. */
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../scoreboard/package.json', import.meta.url));

export const axe = require('axe-core');
export const mqtt = require('mqtt');
export const { chromium } = require('playwright-core');
