/** Speaks the events of a game, and what to do next, in the language of the page. */

/** More sentences than this are not waited for: the game has gone on. */
const WAITING_MAX = 4;

/** Spoken as in the log. A fall is spoken only if no capture follows from it (A1). */
const SPOKEN = [
    'turn-started',
    'game-over',
    'piece-captured',
    'piece-lost',
    'piece-repaired',
    'monster-wounded',
    'monster-killed',
    'disturbance',
    'foul',
    'move-rolled',
    'combat-started',
    'combat-rolled',
    'chest-taken',
    'barrel-loaded',
    'barrel-delivered',
    'wind-caught',
    'ship-entangled',
    'ship-released',
    'player-out',
    'undone',
];

/** Speech engines read symbols and control characters aloud. */
const UNSPEAKABLE = /[^\p{L}\p{M}\p{N}\p{P}\s]/gu;

/** The sentence for an event, or null. */
export function spokenSentence(texts, event, players) {
    const { event_type: type, rule, outcome } = event;
    const isSpoken =
        SPOKEN.includes(type) || outcome === 'missed' || (type === 'piece-toppled' && rule === 'A1');
    return isSpoken ? texts.event(event, players) : null;
}

export class Voice {
    #waiting = new Set(); // utterances, also to keep them from being collected unspoken

    static get isAvailable() {
        return 'speechSynthesis' in window;
    }

    /** `isNewTurn`: what has not been spoken of the turn before is dropped. */
    speak(sentence, { language, volume, isNewTurn }) {
        if (isNewTurn || this.#waiting.size >= WAITING_MAX) {
            this.stop();
        }
        const utterance = new SpeechSynthesisUtterance(sentence.replace(UNSPEAKABLE, ' '));
        utterance.lang = language;
        utterance.voice = voiceFor(language);
        utterance.volume = volume;
        utterance.onend = () => this.#waiting.delete(utterance);
        utterance.onerror = utterance.onend;
        this.#waiting.add(utterance);
        speechSynthesis.speak(utterance);
    }

    stop() {
        this.#waiting.clear();
        speechSynthesis.cancel();
    }
}

/** A voice of this language, one of this device if possible; null: the browser chooses. */
export function voiceFor(language) {
    const voices = speechSynthesis
        .getVoices()
        .filter(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === language);
    return voices.find((voice) => voice.localService) ?? voices[0] ?? null;
}
