/** The commands that the table would accept now, as it lists them on its topic `choices`. */

/** Fields of an entry that list values, and the field of the command that takes one of them. */
const LISTS = { pieces: 'piece', targets: 'target', harbours: 'harbour', values: 'value' };

/** Fields of an entry that describe the command and are not part of it. */
const NOTES = ['to', 'message', 'foul', 'disturbance'];

/**
 * Every command that the page offers, as {verb, ...fields} ready to be sent. Accepted commands that
 * a captain does not enter on purpose are omitted: a second ball, a disturbance, a ship without a
 * name.
 */
export function commandsOf(table) {
    const { state, rope } = table;
    return choicesOf(table)
        .filter(({ foul, disturbance, piece }) => !foul && !disturbance && piece !== null)
        .flatMap((choice) => (choice.verb === 'move' ? moves(choice, rope) : expand(choice)))
        .filter((command) => isOfTable(state, command));
}

/** The list for the current state, or undefined. */
function listOf({ state, choices, choicesBefore }) {
    const isOfState = (each) => each && each.game === state?.game && each.seq === state.seq;
    return [choices, choicesBefore].find(isOfState);
}

function choicesOf(table) {
    return listOf(table)?.choices ?? [];
}

/** Whether the list for the current state has arrived. */
export function isListed(table) {
    return listOf(table) !== undefined;
}

/** Whether the table is known to refuse this command now. A stored game has no list. */
export function isRefused(table, verb) {
    const choices = choicesOf(table);
    return choices.length > 0 && find(choices, verb) === undefined;
}

/** What an undo would take back, in the words of the table, or null. */
export function undoneNext(table) {
    return choicesOf(table).find(({ verb }) => verb === 'undo')?.message ?? null;
}

/** The step after this one, as the table names it; null if the step cannot end now. */
export function nextPhase(table) {
    return choicesOf(table).find(({ verb }) => verb === 'end-phase')?.to ?? null;
}

/** The views look up the pieces of a command. */
function isOfTable({ pieces }, { piece, attacker, target }) {
    return [piece, attacker, target].every(
        (name) => name === undefined || Object.hasOwn(pieces, name),
    );
}

function expand(choice) {
    const list = Object.keys(LISTS).find((key) => Object.hasOwn(choice, key));
    const fields = Object.entries(choice).filter(([key]) => key !== list && !NOTES.includes(key));
    const command = Object.fromEntries(fields);
    return list ? choice[list].map((value) => ({ ...command, [LISTS[list]]: value })) : [command];
}

/** Each number of knots, and the reading of the rope. */
function moves({ verb, piece, knots: knotsMax }, rope) {
    const isMeasured = rope?.piece === piece && rope.knots >= 1 && rope.knots <= knotsMax;
    return [
        ...Array.from({ length: knotsMax }, (_, i) => ({ verb, piece, knots: i + 1 })),
        ...(isMeasured ? [{ verb, piece }] : []),
    ];
}

/** The command with this verb and these fields, if it is in the list. */
export function find(commands, verb, fields = {}) {
    return commands.find(
        (command) =>
            command.verb === verb &&
            Object.entries(fields).every(([key, value]) => command[key] === value),
    );
}
