/**
 * The texts of a score sheet in the language of the page. A sheet brings translations of its texts
 * (`texts`, by language and text); what has none is shown as it is.
 */
import { LANGUAGES } from '../texts.js';
import { playerWith, valueWords } from './state.js';

/** A text of the sheet, or of an entry in the list of sheets. */
export function sheetText({ texts = {} }, code, text) {
    const words = Object.hasOwn(texts, code) ? texts[code] : {};
    return Object.hasOwn(words, text) ? words[text] : text;
}

/** The state of a game with all its texts translated. */
export function inLanguage(sheet, code) {
    const say = (text) => (text === null ? null : sheetText(sheet, code, text));
    return {
        ...sheet,
        title: say(sheet.title),
        text: say(sheet.text),
        players: sheet.players.map((player) => ({ ...player, role: say(player.role) })),
        hints: sheet.hints.map((hint) => ({ ...hint, text: say(hint.text) })),
        ranking: sheet.ranking.map((rank) => ({ ...rank, title: say(rank.title) })),
        counters_of: sheet.counters_of.map((counter) => ({
            ...counter,
            label: say(counter.label),
            values: counter.values?.map(say),
        })),
        flags_of: sheet.flags_of.map((flag) => ({ ...flag, label: say(flag.label) })),
    };
}

/** What undo takes back: "Anna: Fame +2". The sheet is in the language of the texts. */
export function undoneWords(texts, sheet) {
    const { verb, player, counter: counterName, flag: flagName, by, to, value } = sheet.undo;
    const named = (list, name) => list.find((each) => each.name === name);
    const whose = player === null ? '' : `${playerWith(sheet, player).name}: `;
    if (verb === 'count') {
        const counter = named(sheet.counters_of, counterName);
        const set = to === undefined ? '' : ` = ${valueWords(counter, to)}`;
        return `${whose}${counter.label}${by === undefined ? set : ` ${signed(by)}`}`;
    }
    if (verb === 'flag') {
        const { label } = named(sheet.flags_of, flagName);
        return `${whose}${label}: ${texts.say(value ? 'sheets.yes' : 'sheets.no')}`;
    }
    return texts.say(verb === 'round' ? 'sheets.endRound' : 'sheets.finish');
}

export function signed(number) {
    return number < 0 ? `−${-number}` : `+${number}`;
}

/** A reply with its sentence in the language of the texts; the logbook writes it in English. */
export function translateRefusal(texts, sheet, reply) {
    if (reply.ok || typeof reply.message !== 'string') {
        return reply;
    }
    for (const [key, sentence] of Object.entries(LANGUAGES.en.sheets.refusals)) {
        const values = matchTemplate(sentence, reply.message);
        if (values !== null) {
            const label = values.label && sheetText(sheet, texts.code, values.label);
            return { ...reply, message: texts.say(`sheets.refusals.${key}`, { ...values, label }) };
        }
    }
    return reply;
}

/** The values of a template's names in a text; null if the text is not made from it. */
function matchTemplate(template, text) {
    const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
    const pattern = escaped.replace(/\{(\w+)\}/g, '(?<$1>.+)');
    const match = text.match(new RegExp(`^${pattern}$`));
    return match && { ...match.groups };
}
