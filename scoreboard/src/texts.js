/** Texts in the chosen language, and sentences about pieces, players and events. */
import cs from './texts/cs.js';
import de from './texts/de.js';
import en from './texts/en.js';
import { harbourOf, isTower } from './words.js';

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
    }

    /** A text by its key; `phases.moving` is the text `moving` of the group `phases`. */
    say(key, values) {
        const template = key.split('.').reduce((words, part) => words?.[part], this.words);
        return fill(template ?? key, values);
    }

    number(value) {
        return value.toLocaleString(this.code, { maximumFractionDigits: 1 });
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
    fault(name, health) {
        const { faultOf } = this.words;
        const template = Object.hasOwn(faultOf, health) ? faultOf[health] : faultOf.any;
        return fill(template, { sensor: this.sensor(name) });
    }

    /** "one", "one and two", "one, two and three" */
    list(words) {
        const last = words.length - 1;
        return last < 1
            ? words.join('')
            : words.slice(0, last).join(', ') + this.words.and + words[last];
    }

    /** "1 knot", "2 knots", "1,5 uzlu": the form of a text that fits a number. */
    count(key, number) {
        const forms = this.words[key];
        const form = forms[this.plurals.select(number)] ?? forms.other;
        return fill(form, { count: this.number(number) });
    }

    /** One event as a sentence; players is the list of the state. */
    event(event, players) {
        const { events } = this.words;
        const variants = [event.rule, event.value, event.speed_mps ? 'speed' : null];
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
            pieces: this.list((event.pieces ?? []).map(piece)),
            barrel: colour(event.barrel),
            harbour: colour(event.harbour),
            speed: event.speed_mps && this.number(event.speed_mps),
            knots: event.knots && this.count('knots', event.knots),
            sensor: event.sensor && this.sensor(event.sensor),
        };
    }

    /** Why something was refused. */
    refusal(reply) {
        if (reply.error === 'no-answer') {
            return this.words.noAnswer;
        }
        return this.words.refusals[reply.error] ?? reply.message;
    }
}
