/**
 * The sounds, synthesized: each is a function (context, out, at) that schedules its nodes to start
 * at the time `at` of an AudioContext or OfflineAudioContext, connected to `out`.
 */

const NOISE_S = 2;

const noises = new WeakMap(); // by context

/** The same noise every time, so that a sound always has the same waveform. */
function noiseOf(context) {
    if (!noises.has(context)) {
        const size = NOISE_S * context.sampleRate;
        const buffer = context.createBuffer(1, size, context.sampleRate);
        const samples = buffer.getChannelData(0);
        let random = 1;
        for (let i = 0; i < size; i++) {
            random = (random * 1664525 + 1013904223) % 2 ** 32;
            samples[i] = random / 2 ** 31 - 1;
        }
        noises.set(context, buffer);
    }
    return noises.get(context);
}

/** A parameter that goes exponentially through `values`, evenly spaced over `length` seconds. */
function glide(param, values, at, length) {
    const step = length / Math.max(1, values.length - 1);
    param.setValueAtTime(values[0], at);
    values
        .slice(1)
        .forEach((value, i) => param.exponentialRampToValueAtTime(value, at + (i + 1) * step));
}

const SILENCE = 0.0001;

/** A gain that rises to `peak` within `attack` seconds and fades out until `length`. */
function fade(context, out, { at, length, peak, attack = 0.004 }) {
    const gain = context.createGain();
    gain.gain.setValueAtTime(SILENCE, at);
    gain.gain.exponentialRampToValueAtTime(peak, at + attack);
    gain.gain.exponentialRampToValueAtTime(SILENCE, at + length);
    gain.connect(out);
    return gain;
}

function filter(context, out, { type, hz, q = 1, at, length }) {
    const node = context.createBiquadFilter();
    node.type = type;
    node.Q.value = q;
    glide(node.frequency, hz, at, length);
    node.connect(out);
    return node;
}

/** Filtered noise: cracks, water, wind. `hz` are the frequencies that the filter goes through. */
function noise(context, out, { type = 'bandpass', hz, q, ...envelope }) {
    const { at, length } = envelope;
    const source = context.createBufferSource();
    source.buffer = noiseOf(context);
    source.connect(filter(context, fade(context, out, envelope), { type, hz, q, at, length }));
    source.start(at);
    source.stop(at + length);
}

/** A tone that goes through the frequencies `hz`; `below` limits its overtones. */
function tone(context, out, { wave = 'sine', hz, below = null, ...envelope }) {
    const { at, length } = envelope;
    const source = context.createOscillator();
    const end = fade(context, out, envelope);
    source.type = wave;
    glide(source.frequency, hz, at, length);
    source.connect(
        below ? filter(context, end, { type: 'lowpass', hz: below, at, length }) : end,
    );
    source.start(at);
    source.stop(at + length);
}

/** A note of a brass instrument. */
function horn(context, out, { hz, at, length, peak }) {
    const below = [hz * 2, hz * 5, hz * 2];
    tone(context, out, { wave: 'sawtooth', hz: [hz, hz], below, at, length, peak, attack: 0.03 });
}

function cannon(context, out, at) {
    noise(context, out, { type: 'lowpass', hz: [1800, 300, 70], at, length: 1.1, peak: 0.6 });
    tone(context, out, { hz: [120, 45, 30], at, length: 0.7, peak: 0.35 });
}

function splash(context, out, at) {
    noise(context, out, { hz: [700, 3200, 1200], at, length: 1, peak: 1.2, attack: 0.03 });
    for (const [delay, hz] of [[0.25, 900], [0.4, 1250], [0.52, 760]]) {
        tone(context, out, { hz: [hz, hz * 1.6], at: at + delay, length: 0.09, peak: 0.12 });
    }
}

function hit(context, out, at) {
    noise(context, out, { hz: [2600, 900], q: 0.8, at, length: 0.16, peak: 0.7 });
    tone(context, out, { wave: 'triangle', hz: [260, 85], at, length: 0.35, peak: 0.3 });
    noise(context, out, { hz: [1500, 600], at: at + 0.09, length: 0.25, peak: 0.4 });
}

function capture(context, out, at) {
    horn(context, out, { hz: 392, at, length: 0.22, peak: 0.22 });
    horn(context, out, { hz: 523.25, at: at + 0.16, length: 0.7, peak: 0.25 });
    horn(context, out, { hz: 659.25, at: at + 0.16, length: 0.7, peak: 0.16 });
}

function dice(context, out, at) {
    [0, 0.07, 0.13, 0.22, 0.29, 0.41].forEach((delay, i) => {
        const hz = 3000 + 400 * (i % 3);
        noise(context, out, { hz: [hz, hz], q: 5, at: at + delay, length: 0.05, peak: 1.6 - i / 6 });
    });
}

function swords(context, out, at) {
    for (const [delay, peak] of [[0, 0.09], [0.17, 0.13]]) {
        for (const hz of [2093, 3170, 4390, 5870]) {
            const length = 0.25 + 900 / hz;
            tone(context, out, { hz: [hz * 1.01, hz], at: at + delay, length, peak });
        }
    }
}

function wind(context, out, at) {
    const gust = { at, length: 2, attack: 0.06 };
    noise(context, out, { ...gust, hz: [350, 950, 500, 300], q: 4, peak: 1.6 });
    noise(context, out, { ...gust, hz: [1200, 2200, 1000], q: 8, peak: 0.6 });
}

function kraken(context, out, at) {
    const growl = { wave: 'sawtooth', at, length: 1.5, peak: 0.3, attack: 0.06 };
    tone(context, out, { ...growl, hz: [62, 78, 41], below: [180, 620, 140] });
    tone(context, out, { ...growl, hz: [65, 74, 43], below: [180, 620, 140] });
    for (const [delay, hz] of [[0.5, 240], [0.75, 330], [0.95, 280], [1.15, 420]]) {
        tone(context, out, { hz: [hz, hz * 1.9], at: at + delay, length: 0.12, peak: 0.15 });
    }
}

function victory(context, out, at) {
    const fanfare = [[0, 523.25], [0.18, 523.25], [0.36, 523.25], [0.54, 659.25], [0.9, 783.99]];
    for (const [delay, hz] of fanfare) {
        horn(context, out, { hz, at: at + delay, length: 0.34, peak: 0.2 });
    }
    for (const hz of [523.25, 659.25, 783.99, 1046.5]) {
        horn(context, out, { hz, at: at + 1.26, length: 1.6, peak: 0.14 });
    }
}

export const SOUNDS = { cannon, splash, hit, capture, dice, swords, wind, kraken, victory };
