/** The proof of possible(): what the page offers is accepted, and what it does not is refused. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { factsOf } from '../../scoreboard/src/facts.js';
import { find, possible } from '../../scoreboard/src/possible.js';
import { HARBOURS, harboursFor, piecesOf, SCENARIOS } from '../../scoreboard/src/words.js';
import { Chance } from './chance.mjs';
import { Harbour } from './servers.mjs';
import { Watcher } from './watcher.mjs';

const STEPS = Number(process.env.STEPS ?? 150);
const SEED = Number(process.env.SEED ?? 1);
const STRANGERS = 6; // commands that are not offered, a step

/** So long that no shot ends by itself between looking and sending. */
const TIMING = { timing: { shot_window_ms: 60000 } };

const PIECES = [...HARBOURS.flatMap(piecesOf), 'pirate', 'monster', 'kraken', 'wind'];

/** One command of any kind, sensible or not. */
function anyCommand(chance) {
    const piece = () => chance.of(PIECES);
    const makers = [
        () => ({ verb: 'aim', piece: piece() }),
        () => ({ verb: 'roll-move', value: chance.of([1, 2, 3]) }),
        () => ({ verb: 'roll-move' }),
        () => ({ verb: 'select', piece: piece() }),
        () => ({ verb: 'move', piece: piece(), knots: chance.of([1, 2, 3, 4]) }),
        () => ({ verb: 'engage', attacker: piece(), target: piece() }),
        () => ({ verb: 'roll-combat', attacker: piece(), target: piece(), value: 'swords' }),
        () => ({ verb: 'end-phase' }),
        () => ({ verb: 'take-chest', piece: piece() }),
        () => ({ verb: 'load-barrel', piece: piece(), harbour: chance.of(HARBOURS) }),
        () => ({ verb: 'deliver-barrel', piece: piece(), harbour: chance.of(HARBOURS) }),
        () => ({ verb: 'catch-wind', piece: piece() }),
        () => ({ verb: 'move-wind' }),
        () => ({ verb: 'entangle', piece: piece() }),
        () => ({ verb: 'undo' }),
        () => ({ verb: 'new-game' }),
    ];
    return chance.of(makers)();
}

/** Said in other words, the same is offered: the order of two who fight, a face for a sure win. */
function isSameThing(command, state) {
    const { verb, attacker, target } = command;
    const fights = (state.combats ?? []).filter(
        (fight) =>
            [fight.attacker, fight.target].sort().join() === [attacker, target].sort().join(),
    );
    return ['engage', 'roll-combat'].includes(verb) && fights.length > 0;
}

function newGame(chance, scenario) {
    const count = chance.of([2, 3, 4]);
    const harbours = harboursFor(count);
    const each = harbours.length / count;
    return {
        verb: 'new-game',
        scenario,
        rules: chance.of(['basic', 'advanced']),
        first: 1,
        barrels: Object.fromEntries(harbours.map((from, i) => [from, harbours.at(i - 1)])),
        teams: count === 4 && chance.of([true, false]),
        players: Array.from({ length: count }, (_, i) => ({
            name: `P${i + 1}`,
            harbours: harbours.slice(i * each, (i + 1) * each),
        })),
    };
}

/**
 * Verbs first, so that one with many targets does not crowd out the others; what leads back is
 * rare, so that games get on. What was never accepted yet goes first.
 */
function choose(chance, commands, accepted) {
    const isRare = (verb) => ['undo', 'new-game'].includes(verb) && chance.below(12) > 0;
    const verbs = [...new Set(commands.map(({ verb }) => verb))];
    const likely = verbs.filter((verb) => !isRare(verb));
    const fresh = likely.filter((verb) => !accepted.has(verb));
    const verb = chance.of([fresh, likely, verbs].find((list) => list.length > 0));
    return chance.of(commands.filter((command) => command.verb === verb));
}

describe('what the page offers', () => {
    let harbour;
    const accepted = new Set();

    before(async () => {
        harbour = await Harbour.open();
    });

    after(() => harbour.close());

    async function walk(t, scenario) {
        const chance = new Chance(SEED);
        await harbour.startTable(scenario, TIMING);
        const watcher = await Watcher.open(harbour, scenario);
        t.after(() => watcher.close());
        await watcher.must('new-game', newGame(chance, scenario));
        for (let step = 0; step < STEPS; step++) {
            if (chance.below(10) === 0) {
                // Somebody bumps the table, so that something is to be put right.
                await watcher.send({
                    verb: chance.of(['topple', 'raise']),
                    piece: chance.of(PIECES),
                });
            }
            const { state } = watcher;
            const offered = possible(state, factsOf(await watcher.events()));
            const where = `seed ${SEED}, ${scenario}, step ${step}, ${state.phase}`;
            for (let i = 0; i < STRANGERS; i++) {
                const command = anyCommand(chance);
                const { verb, ...fields } = command;
                if (!find(offered, verb, fields) && !isSameThing(command, state)) {
                    const reply = await watcher.send(command);
                    assert.ok(
                        !reply.ok,
                        `${where}: not offered but accepted: ${JSON.stringify(command)}`,
                    );
                }
            }
            const command = choose(chance, offered, accepted);
            const wish =
                command.verb === 'new-game'
                    ? { ...newGame(chance, scenario), ...command }
                    : command;
            const reply = await watcher.send(wish);
            assert.ok(reply.ok, `${where}: ${JSON.stringify(wish)} was offered: ${reply.message}`);
            accepted.add(command.verb);
        }
    }

    for (const scenario of SCENARIOS) {
        test(`is accepted, and nothing else is: ${scenario}`, (t) => walk(t, scenario));
    }

    test('has been every verb of the contract', () => {
        const verbs =
            `new-game aim fire topple raise roll-move select move engage roll-combat end-phase
      take-chest load-barrel deliver-barrel catch-wind move-wind entangle undo`.split(/\s+/);
        assert.deepEqual(
            verbs.filter((verb) => !accepted.has(verb)),
            [],
        );
    });
});
