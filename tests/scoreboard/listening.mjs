/**
 * Records what a page plays and speaks, and recognizes a recorded sound by its spectrum, which is
 * compared with those of all sounds rendered offline.
 */
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../scoreboard/package.json', import.meta.url));
const { buildSync } = require('esbuild');

/** The scripts of a page that is recorded. */
export const RECORDER = [soundsScript(), recordEverything];

/** The module with the sounds, as the global `sounds`. */
function soundsScript() {
    const entry = new URL('../../scoreboard/src/show/sounds.js', import.meta.url).pathname;
    const options = { bundle: true, format: 'iife', globalName: 'sounds', write: false };
    const [{ text }] = buildSync({ entryPoints: [entry], ...options }).outputFiles;
    return `${text}; globalThis.sounds = sounds;`;
}

/** Runs in the page before its own script: records audio output, events that arrive, and speech. */
function recordEverything() {
    const HEARD = 1e-4;
    const KEPT_S = 0.35;
    const POLL_MS = 50;
    const FFT_SIZE = 32768;
    const PARTS = 3; // 2 s: a busy machine stops the page for long
    const recording = {
        sampleRate: 0,
        heard: [], // {at_ms, samples}: the beginning of each sound
        isSilent: true,
        looks: [], // [ms, ms of the audio clock]: when the page was allowed to look
        arrivals: [], // [ms, name] of events
        game: null, // of the last state
        spoken: [],
        starts: 0,
    };
    globalThis.recording = recording;

    /** Analysers always have the last samples, and older ones behind a delay, oldest first. */
    const look = (analysers) => {
        const { sampleRate, currentTime } = analysers[0].context;
        recording.looks.push([performance.now(), currentTime * 1000]);
        const samples = new Float32Array(analysers.length * FFT_SIZE);
        analysers.forEach((analyser, i) => {
            const part = samples.subarray(i * FFT_SIZE, (i + 1) * FFT_SIZE);
            analyser.getFloatTimeDomainData(part);
        });
        const first = samples.findIndex((sample) => Math.abs(sample) > HEARD);
        const after = samples.length - first;
        if (first >= 0 && recording.isSilent && after >= KEPT_S * sampleRate) {
            recording.heard.push({
                at_ms: performance.now() - (after / sampleRate) * 1000,
                samples: samples.slice(first, first + KEPT_S * sampleRate),
            });
            recording.isSilent = false;
        } else if (first < 0) {
            recording.isSilent = true;
        }
    };

    const { connect } = AudioNode.prototype;
    AudioNode.prototype.connect = function (target, ...rest) {
        if (target instanceof AudioDestinationNode && this.context instanceof AudioContext) {
            const { context } = this;
            const analysers = Array.from({ length: PARTS }, (_, i) => {
                const delay = context.createDelay(PARTS);
                const analyser = context.createAnalyser();
                delay.delayTime.value = ((PARTS - 1 - i) * FFT_SIZE) / context.sampleRate;
                analyser.fftSize = FFT_SIZE;
                connect.call(connect.call(this, delay), analyser);
                return analyser;
            });
            recording.sampleRate = context.sampleRate;
            setInterval(look, POLL_MS, analysers);
        }
        return connect.call(this, target, ...rest);
    };
    for (const { prototype } of [AudioBufferSourceNode, OscillatorNode]) {
        const { start } = prototype;
        prototype.start = function (...when) {
            recording.starts += this.context instanceof AudioContext;
            return start.apply(this, when);
        };
    }

    globalThis.WebSocket = class extends WebSocket {
        constructor(...words) {
            super(...words);
            this.addEventListener('message', ({ data }) => {
                const text = new TextDecoder('latin1').decode(data);
                recording.game = text.match(/\/state.*"game":"([^"]+)"/s)?.[1] ?? recording.game;
                for (const [, name] of text.matchAll(/\/event\/([a-z-]+)/g)) {
                    recording.arrivals.push([performance.now(), name]);
                }
            });
        }
    };

    Object.defineProperty(globalThis, 'speechSynthesis', {
        value: {
            speak: ({ text, lang }) => recording.spoken.push({ text, lang }),
            cancel: () => recording.spoken.push(null),
            getVoices: () => [],
        },
    });
}

/**
 * Runs in the page: for how long the machine has run neither the page nor its audio, as far as it
 * shows, from one time to another. Other programs take the processors; the page cannot help that.
 */
export function stalled([from_ms, to_ms]) {
    const POLL_MS = 50;
    const { looks } = globalThis.recording;
    const first = Math.max(0, looks.findIndex(([ms]) => ms > from_ms) - 1);
    const last = looks.findIndex(([ms]) => ms > to_ms);
    const window = looks.slice(first, last < 0 ? looks.length : last + 1);
    const gaps = window.slice(1).map(([ms], i) => Math.max(0, ms - window[i][0] - POLL_MS));
    const passed = (clock) => window[window.length - 1][clock] - window[0][clock];
    return Math.max(
        gaps.reduce((sum, gap) => sum + gap, 0),
        passed(0) - passed(1),
    );
}

/** Runs in the page: every sound, rendered offline at this sample rate. */
export async function renderSounds(sampleRate) {
    const LENGTH_S = 4;
    const rendered = {};
    for (const [name, sound] of Object.entries(globalThis.sounds.SOUNDS)) {
        const context = new OfflineAudioContext(1, LENGTH_S * sampleRate, sampleRate);
        sound(context, context.destination, 0.02);
        rendered[name] = (await context.startRendering()).getChannelData(0);
    }
    globalThis.rendered = rendered;
    return Object.keys(rendered);
}

/**
 * Runs in the page: how much the spectrum of each sound resembles that of the last one heard, from 0
 * to 1. Bands of a third of an octave; waveforms differ where a busy machine starts a sound late.
 */
export function recognize() {
    const { recording, rendered } = globalThis;
    const { at_ms, samples: heard } = recording.heard[recording.heard.length - 1];
    const { sampleRate } = recording;
    const bands = Array.from({ length: 27 }, (_, i) => 40 * 2 ** (i / 3));

    /** Goertzel's algorithm: the power of the samples at one frequency. */
    const power = (samples, hz) => {
        const factor = 2 * Math.cos((2 * Math.PI * hz) / sampleRate);
        let [one, two] = [0, 0];
        for (const sample of samples) {
            [one, two] = [sample + factor * one - two, one];
        }
        return one * one + two * two - factor * one * two;
    };
    const spectrum = (samples) =>
        bands.map((band) => {
            const steps = Array.from({ length: 8 }, (_, i) => band * 2 ** (i / 24));
            return Math.sqrt(steps.reduce((sum, hz) => sum + power(samples, hz), 0));
        });
    const product = (a, b) => a.reduce((sum, each, i) => sum + each * b[i], 0);
    const alike = (a, b) => product(a, b) / Math.sqrt(product(a, a) * product(b, b));
    const beginning = (samples) => {
        const start = samples.findIndex((sample) => Math.abs(sample) > 1e-4);
        return samples.slice(start, start + heard.length);
    };
    const seen = spectrum(heard);
    const likeness = Object.entries(rendered).map(([name, samples]) => [
        name,
        alike(seen, spectrum(beginning(samples))),
    ]);
    return { at_ms, likeness: Object.fromEntries(likeness) };
}
