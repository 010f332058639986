/** The loudspeaker of this device: silent unless the table has chosen this device as its speaker. */
import { deviceCode, deviceStore, readCode, readSettings, writeSettings } from './device.js';
import { OneTab } from './one_tab.js';
import { Player } from './player.js';
import { Voice } from './voice.js';

export class Loudspeaker {
    isChosen = false;
    #player = new Player();
    #voice = Voice.isAvailable ? new Voice() : null;
    #tab = new OneTab({ store: deviceStore(), isWanted: () => this.isChosen });
    #onChange;

    /**
     * onChange() is called when something that a view shows has changed. The address of the page may
     * have a code for this device, and whether it speaks until somebody changes that.
     */
    constructor(onChange, { device = null, hasVoice = false } = {}) {
        this.code = readCode(device ?? '') ?? deviceCode();
        this.settings = readSettings(undefined, hasVoice);
        this.#onChange = onChange;
        for (const type of ['pointerup', 'keyup']) {
            addEventListener(type, () => {
                this.unlock();
                this.#tab.take();
            });
        }
        addEventListener('pagehide', () => this.#tab.leave());
    }

    get hasVoice() {
        return this.#voice !== null;
    }

    /** Chosen, but the browser waits for a tap. */
    get isLocked() {
        return this.isChosen && !this.#player.isPlaying;
    }

    /** This table has chosen the device with this code, or none (null). */
    choose(code, table) {
        const isChosen = code === this.code;
        this.#tab.table = table;
        if (isChosen === this.isChosen) {
            return;
        }
        this.isChosen = isChosen;
        if (isChosen) {
            this.unlock();
        } else {
            this.#tab.leave();
            this.#player.close();
            this.#voice?.stop();
        }
    }

    async unlock() {
        if (this.isLocked) {
            await this.#player.open();
            this.#onChange();
        }
    }

    change(settings) {
        this.settings = { ...this.settings, ...settings };
        writeSettings(this.settings);
        if (!this.settings.hasVoice || this.settings.isMuted) {
            this.#voice?.stop();
        }
        this.#onChange();
    }

    play(sound) {
        if (this.isChosen && this.#tab.isPlaying) {
            this.playHere(sound);
        }
    }

    /** A replay sounds on the device on which it is started: call open() then. */
    playHere(sound) {
        const { volume, isMuted } = this.settings;
        if (!isMuted) {
            this.#player.play(sound, volume);
        }
    }

    open() {
        return this.#player.open();
    }

    speak(sentence, language, isNewTurn) {
        const { volume, isMuted, hasVoice } = this.settings;
        if (this.isChosen && this.#tab.isPlaying && hasVoice && !isMuted) {
            this.#voice?.speak(sentence, { language, volume, isNewTurn });
        }
    }
}
