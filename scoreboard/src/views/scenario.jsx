/** The elements of a scenario: chest, barrels, wind, kraken, monster, pirate ship. */
import { teamPoints } from '../conditions.js';
import { Piece, useTexts } from './common.jsx';
import { Thing } from './pictures.jsx';

const parts = {
    'treasure-island': Treasure,
    'pirate-ship': Pirate,
    'sea-monster': Monster,
    'heavy-wind': HeavyWind,
    merchant: Merchant,
    kraken: Kraken,
};

export function Scenario({ state }) {
    const texts = useTexts();
    const Part = parts[state.scenario];
    const teams = state.teams ? [1, 2] : [];
    return (
        <section class="scenario">
            <span class="tag">{texts.say(`rules.${state.rules}`)}</span>
            <h2 class="tag">{texts.say(`scenarios.${state.scenario}`)}</h2>
            {Part && <Part state={state} />}
            {teams.map((team) => (
                <span key={team} class={`tag team team-${team}`}>
                    {texts.say('leads', {
                        names: texts.say('team', { team }),
                        points: teamPoints(state.players, team),
                    })}
                </span>
            ))}
        </section>
    );
}

function Treasure({ state }) {
    const texts = useTexts();
    const isOnIsland = state.chest === 'island';
    return (
        <p>
            <Thing name="Chest" />
            {isOnIsland
                ? texts.say('chestIsland')
                : texts.say('chestWith', { piece: texts.piece(state.chest) })}
        </p>
    );
}

function Pirate({ state }) {
    const texts = useTexts();
    const isThere = ['standing', 'flat'].includes(state.pieces.pirate.status);
    return (
        <p>
            <Piece state={state} name="pirate" />
            {texts.say(isThere ? 'pirateFree' : 'pirateGone')}
        </p>
    );
}

function Monster({ state }) {
    const texts = useTexts();
    const { lives, status } = state.pieces.monster;
    return (
        <p>
            <Piece state={state} name="monster" />
            {status === 'lost' ? texts.say('monsterDead') : texts.say('monsterLives', { lives })}
        </p>
    );
}

function HeavyWind({ state }) {
    const texts = useTexts();
    const caught = texts.list(state.wind_caught.map((name) => texts.piece(name)));
    return (
        <p>
            <Thing name="Wind" />
            {caught ? texts.say('windCaught', { pieces: caught }) : texts.say('windAt')}
        </p>
    );
}

function Merchant({ state }) {
    const texts = useTexts();
    const colour = (harbour) => texts.say(`colours.${harbour}`);
    const barrels = Object.entries(state.barrels);
    if (barrels.length === 0) {
        return null; // all of them are at sea, or delivered
    }
    return (
        <p class="barrels">
            {texts.say('barrelsAt')}
            {barrels.map(([from, to]) => {
                const words = texts.say('barrelFor', { from: colour(from), to: colour(to) });
                return (
                    <span key={from} class="barrel-way" role="img" aria-label={words} title={words}>
                        <i class={from} />
                        <span>{colour(from)} →</span>
                        <Thing name="Barrel" colour={to} />
                        <span>{colour(to)}</span>
                    </span>
                );
            })}
        </p>
    );
}

function Kraken({ state }) {
    const texts = useTexts();
    const { holds, free_knots: knots } = state.kraken;
    return (
        <p>
            <Piece state={state} name="kraken" />
            {holds
                ? texts.say('krakenHolds', { piece: texts.piece(holds) })
                : texts.say('krakenFree')}
            {knots > 0 && ` · ${texts.say('krakenKnots', { knots: texts.count('knots', knots) })}`}
        </p>
    );
}
