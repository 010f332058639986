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
    #isSeen = false; // the current shot, by sensors
    #missed = null; // the seq of the last shot that toppled nothing
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
            this.#followShot(event, sound);
        }
    }

    /** What no sensor sees is entered later: then nobody knows yet whether it was a miss. */
    #followShot({ event_type: type, seq, evidence }, sound) {
        if (type === 'shot-fired') {
            this.#isSeen = evidence !== undefined;
        } else if (this.#isSeen && sound === 'splash') {
            this.#missed = seq;
        }
    }

    #receiveState(state) {
        const news = state === null ? [] : this.#news.receiveState(state);
        for (const each of news) {
            const event = each.seq === this.#missed ? { ...each, outcome: 'missed' } : each;
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
