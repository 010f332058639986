/** The show of one table: sounds and voice if this device is its speaker, and scenes. */
import { commandsOf } from '../choices.js';
import { readPayload } from '../payload.js';
import { tableAhead } from '../idle_steps.js';
import { isTold } from '../telling.js';
import { HITS_TO_TELL, nowSentence, whatNow } from '../whatnow.js';
import { News } from './news.js';
import { Soundtrack } from './soundtrack.js';
import { spokenSentence } from './voice.js';

/** During a shot only what happens is spoken. */
const SILENT = ['watchBall', 'waitRadio'];

export class Show {
    #news = new News();
    #soundtrack = new Soundtrack();
    #choices = null;
    #shot = null; // the last one: {game, seq, turn, isSeen}
    #missed = null; // the event shot-over of a shot that toppled nothing
    #told = null; // the shot of which people have entered everything
    #state = null;
    #said = null; // what to do now, as it was last spoken
    #ports;

    /**
     * play(sound) and speak(sentence, isNewTurn) are called for a speaker, stage(event, state) always;
     * texts() are those of the page's language. isBlind(): no sensor sees some of the pieces fall.
     */
    constructor({ play, speak, stage, texts, isBlind = () => false }) {
        this.#ports = { play, speak, stage, texts, isBlind };
    }

    /** A message on PREFIX/TABLE/`topic`. */
    receive(topic, payload) {
        if (topic.startsWith('event/')) {
            this.#receiveEvent(readPayload('event', payload));
        } else if (topic === 'state') {
            this.#receiveState(readPayload('state', payload));
        } else if (topic === 'choices') {
            this.#choices = readPayload('choices', payload); // those of the next state
        } else if (topic === 'page/told') {
            this.#receiveTold(readPayload('told', payload));
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
    #followShot({ event_type: type, game, seq, turn, evidence }, sound) {
        if (type === 'shot-fired') {
            const isSeen = evidence !== undefined && !this.#ports.isBlind();
            this.#shot = { game, seq, turn, isSeen };
        } else if (this.#shot?.isSeen && sound === 'splash') {
            this.#missed = { game, seq };
        }
    }

    /** Now people look what to do next. */
    #receiveTold(told) {
        const isNews = told !== null && told.seq !== this.#told?.seq;
        this.#told = told ?? this.#told;
        if (isNews && this.#state !== null && isTold({ told }, this.#shot ?? {})) {
            this.#speakOfNow(this.#state);
        }
    }

    /** Whether people are asked what the shot has toppled. */
    #isTelling({ game, turn, phase, die }) {
        const shot = this.#shot;
        const isOpen = phase === 'moving' && die === null && shot?.game === game && shot.turn === turn;
        return isOpen && !shot.isSeen && !isTold({ told: this.#told }, shot);
    }

    #receiveState(state) {
        const news = state === null ? [] : this.#news.receiveState(state);
        this.#state = state ?? this.#state;
        for (const each of news) {
            const isMiss = each.seq === this.#missed?.seq && each.game === this.#missed.game;
            const event = isMiss ? { ...each, outcome: 'missed' } : each;
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
        const now = this.#isTelling(state) ? HITS_TO_TELL : whatNow(state, commandsOf(table));
        if (now && now.say !== this.#said && !SILENT.includes(now.say)) {
            speak(nowSentence(texts(), tableAhead(table), now), false);
        }
        this.#said = now?.say ?? null;
    }
}
