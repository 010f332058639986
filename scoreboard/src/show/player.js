/** Plays sounds through the loudspeaker of this device. */
import { SOUNDS } from './sounds.js';

/** The audio thread is ahead of the page's clock: a sound that starts in its past begins with a click. */
const AHEAD_S = 0.02;

export class Player {
    #context = null;
    #volume = null; // a GainNode

    /**
     * Prepares the loudspeaker. Browsers let a page play only after a tap or a key press on it:
     * call it again then.
     */
    open() {
        const Context = window.AudioContext ?? window.webkitAudioContext;
        if (!this.#context && Context) {
            this.#context = new Context({ latencyHint: 'interactive' });
            this.#volume = this.#context.createGain();
            this.#volume.connect(this.#context.destination);
        }
        return this.#context?.resume();
    }

    close() {
        this.#context?.close();
        this.#context = null;
    }

    get isPlaying() {
        return this.#context?.state === 'running';
    }

    /** Starts a sound now. A sound that cannot start now is not played later. */
    play(name, volume) {
        if (this.isPlaying) {
            // Squared, so that every part of the slider changes the perceived loudness alike.
            this.#volume.gain.value = volume ** 2;
            SOUNDS[name](this.#context, this.#volume, this.#context.currentTime + AHEAD_S);
        }
    }
}
