/** The show of one table: sounds and voice if this device is its speaker, and scenes. */
import { commandsOf } from '../choices.js';
import { readPayload } from '../payload.js';
import { nowSentence, whatNow } from '../whatnow.js';
import { News } from './news.js';
import { Soundtrack } from './soundtrack.js';
import { spokenSentence } from './voice.js';

/** During a shot only what happens is spoken. */
const SILENT = ['watchBall', 'waitRadio'];

export class Show {
    #news = new News();
    #soundtrack = new Soundtrack();
    #choices = null;
    #said = null; // what to do now, as it was last spoken
    #ports;

    /**
     * play(sound) and speak(sentence, isNewTurn) are called for a speaker, stage(event, state) always;
     * texts() are those of the page's language.
     */
    constructor({ play, speak, stage, texts }) {
        this.#ports = { play, speak, stage, texts };
    }

    /** A message on PREFIX/TABLE/`topic`. */
    receive(topic, payload) {
        if (topic.startsWith('event/')) {
            this.#receiveEvent(readPayload('event', payload));
        } else if (topic === 'state') {
            this.#receiveState(readPayload('state', payload));
        } else if (topic === 'choices') {
            this.#choices = readPayload('choices', payload); // those of the next state
        }
    }

    #receiveEvent(event) {
        if (event !== null && this.#news.receiveEvent(event)) {
            const sound = this.#soundtrack.next(event);
            if (sound) {
                this.#ports.play(sound);
            }
        }
    }

    #receiveState(state) {
        const news = state === null ? [] : this.#news.receiveState(state);
        for (const event of news) {
            this.#speakOf(event, state);
            this.#ports.stage(event, state);
        }
        if (news.length > 0) {
            this.#speakOfNow(state);
        }
    }

    #speakOf(event, state) {
        const { speak, texts } = this.#ports;
        const sentence = spokenSentence(texts(), event, state.players);
        const isNewTurn = event.event_type === 'turn-started';
        this.#said = isNewTurn ? null : this.#said;
        if (sentence) {
            speak(sentence, isNewTurn);
        }
    }

    /** What to do now, if that has changed. */
    #speakOfNow(state) {
        const { speak, texts } = this.#ports;
        const table = { state, choices: this.#choices, choicesBefore: null, rope: null };
        const now = whatNow(state, commandsOf(table));
        if (now && now.say !== this.#said && !SILENT.includes(now.say)) {
            speak(nowSentence(texts(), table, now), false);
        }
        this.#said = now?.say ?? null;
    }
}
