/** Texts in the chosen language, and sentences about pieces, players and events. */
import cs from './texts/cs.js';
import de from './texts/de.js';
import en from './texts/en.js';
import { sidesOf } from './conditions.js';
import { readUndone } from './undone.js';
import { harbourOf, isTower } from './words.js';

/** So many pieces are named in a sentence. */
const LISTED_PIECES = 4;

/** Of a table that does not tell. */
const USUAL_POINTS = { ship: 1, tower: 2, chest: 3, barrel: 2 };

/** What a game of this table gives points for. */
export function pointsOf(info) {
    return info?.points ?? USUAL_POINTS;
}

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

export const LANGUAGES = { en, de, cs };

/** The first language that is available, regardless of its region; otherwise English. */
export function chooseLanguage(...wishes) {
    const codes = wishes.filter(Boolean).map((wish) => wish.toLowerCase().split('-')[0]);
    return codes.find((code) => Object.hasOwn(LANGUAGES, code)) ?? 'en';
}

/** Replaces the names in braces with values. The result is displayed as plain text. */
export function fill(template, values = {}) {
    return template.replace(/\{(\w+)\}/g, (word, key) => String(values[key] ?? word));
}

/** All texts in one language. */
export class Texts {
    constructor(code) {
        this.code = code;
        this.words = LANGUAGES[code];
        this.plurals = new Intl.PluralRules(code);
        this.numbers = new Intl.NumberFormat(code, { maximumFractionDigits: 1 });
        const wish = globalThis.navigator?.language ?? '';
        this.region = chooseLanguage(wish) === code && wish ? wish : code; // for dates: en-GB
    }

    /** A text by its key; `phases.moving` is the text `moving` of the group `phases`. */
    say(key, values) {
        const template = this.#find(key);
        return fill(typeof template === 'string' ? template : key, values);
    }

    #find(key) {
        return key.split('.').reduce((words, part) => words?.[part], this.words);
    }

    /** A time of the table (UTC) as this device writes it, or ''. */
    date(at, options = { dateStyle: 'medium' }) {
        const date = new Date(at);
        return Number.isNaN(date.getTime()) ? '' : date.toLocaleString(this.region, options);
    }

    number(value) {
        return this.numbers.format(value);
    }

    /** "47 %"; null is a dash. */
    percent(share) {
        return share === null ? '–' : share.toLocaleString(this.code, { style: 'percent' });
    }

    speed(mps) {
        return mps === null ? '–' : this.say('shotSpeed', { speed: this.number(mps) });
    }

    piece(name) {
        const colour = harbourOf(name);
        if (colour === null) {
            return this.words.pieces[name] ?? name;
        }
        return fill(isTower(name) ? this.words.tower : this.words.ship, {
            colour: this.words.colours[colour],
            number: name.split('-')[1],
        });
    }

    /** "Tilt sensor of Blue 2", from blue-2.tilt */
    sensor(name) {
        const { sensors } = this.words;
        const [whose, part = ''] = name.split(/\.(?=[^.]*$)/);
        const kind = [whose, part].find((word) => Object.hasOwn(sensors, word)) ?? 'any';
        const harbour = whose.replace('harbour.', '');
        return fill(sensors[kind], {
            name,
            part,
            piece: this.piece(whose),
            harbour: this.words.colours[harbour] ?? harbour,
        });
    }

    /** The fault of a sensor, and what to do. */
    fault(name, health, isRadio = false) {
        const { faultOf } = this.words;
        const key = health === 'silent' && isRadio ? 'silentRadio' : health;
        const template = Object.hasOwn(faultOf, key) ? faultOf[key] : faultOf.any;
        return fill(template, { sensor: this.sensor(name) });
    }

    /** "18:03", and before today with its day. */
    time(at) {
        const date = new Date(at);
        const isToday = date.toDateString() === new Date().toDateString();
        const day = isToday ? {} : { day: 'numeric', month: 'numeric' };
        return Number.isNaN(date.getTime())
            ? ''
            : date.toLocaleString(this.code, { ...day, ...CLOCK });
    }

    /** "one", "one and two", "one, two and three" */
    list(words) {
        const last = words.length - 1;
        return last < 1
            ? words.join('')
            : words.slice(0, last).join(', ') + this.words.and + words[last];
    }

    /** Names of pieces as a list; of a long one only the beginning. */
    pieceList(names) {
        const shown = names.length > LISTED_PIECES ? LISTED_PIECES - 1 : names.length;
        const words = names.slice(0, shown).map((name) => this.piece(name));
        return this.list(
            shown < names.length
                ? [...words, this.count('more', names.length - shown)]
                : words,
        );
    }

    /** "1 knot", "2 knots", "1,5 uzlu": the form of a text that fits a number. */
    count(key, number) {
        const forms = this.#find(key);
        const form = forms[this.plurals.select(number)] ?? forms.other;
        return fill(form, { count: this.number(number) });
    }

    /** "ship 1, tower 2", as the table counts. */
    pointsFor(info) {
        return this.say('pointsFor', pointsOf(info));
    }

    /** "6.1 m/s", "5 hits": the value of a record. */
    recordValue({ record, value, unit }) {
        const isKnown = Object.hasOwn(this.words.fame.values, record);
        return isKnown ? this.count(`fame.values.${record}`, value) : `${value} ${unit ?? ''}`;
    }

    /** "Fastest ball" */
    recordName({ record }) {
        const { records } = this.words.fame;
        return Object.hasOwn(records, record) ? records[record] : record;
    }

    /** One event as a sentence; players is the list of the state. */
    event(event, players) {
        const { events } = this.words;
        const variants = [
            event.outcome,
            event.rule,
            event.value,
            event.speed_mps ? 'speed' : null,
            event.to_harbour ? 'harbour' : null,
            event.what ? 'named' : null,
        ];
        const key = variants
            .map((variant) => `${event.event_type} ${variant}`)
            .find((variant) => Object.hasOwn(events, variant));
        const template = events[key ?? event.event_type];
        return template ? fill(template, this.#eventValues(event, players)) : event.message;
    }

    #eventValues(event, players) {
        const nameOf = (id) => players.find((player) => player.id === id)?.name ?? '?';
        const piece = (name) => (name ? this.piece(name) : this.words.someShip);
        const colour = (name) => (name ? this.words.colours[name] : undefined);
        return {
            ...event,
            player: nameOf(event.player),
            first: nameOf(event.first),
            by: nameOf(event.by),
            out: nameOf(event.out),
            winners: this.list((event.winners ?? []).map(nameOf)),
            phase: this.words.phases[event.phase],
            piece: piece(event.piece),
            with: piece(event.with),
            attacker: piece(event.attacker),
            target: piece(event.target),
            to: typeof event.to === 'string' ? piece(event.to) : colour(event.to_harbour),
            pieces: this.pieceList(event.pieces ?? []),
            barrel: colour(event.barrel),
            harbour: colour(event.harbour),
            speed: event.speed_mps && this.number(event.speed_mps),
            knots: event.knots && this.count('knots', event.knots),
            used: this.count('knots', event.cost ?? 0),
            sensor: event.sensor && this.sensor(event.sensor),
            what: event.what && this.event(event.what, players),
        };
    }

    /**
     * What an undo would take back, with the pieces of a close combat in the order of the roll; unknown
     * sentences of the table stay as they are.
     */
    undone(message, state) {
        const { key, values = {} } = readUndone(message) ?? {};
        const [attacker, target] =
            state && ['fought', 'foughtFlat'].includes(key)
                ? sidesOf(state, values)
                : [values.attacker, values.target];
        const piece = (name) => name && this.piece(name);
        const isTurn = key === 'ended' && state?.phase === 'shooting';
        return key === undefined
            ? message
            : this.say(`undoes.${isTurn ? 'endedTurn' : key}`, {
                  ...values,
                  piece: piece(values.piece),
                  pieces: values.pieces && this.pieceList(values.pieces.split(/, | and /)),
                  attacker: piece(attacker),
                  target: piece(target),
                  face: values.face && this.words.faces[values.face],
                  phase: values.phase && (this.words.phases[values.phase] ?? values.phase),
              });
    }

    /** What an undo of the end of a step takes back. */
    ended(phase) {
        return this.say('undoes.ended', { phase: this.words.phases[phase] });
    }

    /** A sentence of the table with the names of pieces as people say them. */
    named(sentence) {
        return sentence.replace(/\b(?:red|blue|green|yellow)-(?:\d|tower)\b/g, (name) =>
            this.piece(name),
        );
    }

    /** Why something was refused. */
    refusal(reply) {
        if (reply.error === 'no-answer') {
            return this.words.noAnswer;
        }
        return this.words.refusals[reply.error] ?? this.named(reply.message ?? '');
    }
}
