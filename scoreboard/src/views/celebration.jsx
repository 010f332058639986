/** The end of a game: the winners, the ranking, and an animation. */
import { playerOf, teamPoints } from '../conditions.js';
import { liveEvents } from '../undone.js';
import { colourOf, Colours, longClass, TeamSign, useTexts } from './common.jsx';
import { Thing } from './pictures.jsx';

const CONFETTI = Array.from({ length: 36 }, (_, i) => i);
const COLOURS = ['red', 'blue', 'green', 'yellow'];

/** `children` are the controls for the next game. */
export function Celebration({ table, children }) {
    const { state } = table;
    return (
        <section class={`celebration ${colourOf(state, state.winners[0])}`}>
            <Confetti />
            <Winners table={table}>{children}</Winners>
        </section>
    );
}

export function Confetti() {
    return (
        <div class="confetti" aria-hidden="true">
            {CONFETTI.map((i) => (
                <i key={i} class={COLOURS[i % COLOURS.length]} style={fall(i)} />
            ))}
        </div>
    );
}

/** Who has won, and the ranking. */
export function Winners({ table, children }) {
    const texts = useTexts();
    const { state } = table;
    const winners = winnersWords(texts, state);
    return (
        <>
            <div class="winners">
                <Thing name="Flag" colour={colourOf(state, state.winners[0])} />
                <h1 dir="auto" class={longClass(winners)}>
                    {winners}
                </h1>
                {children}
            </div>
            <ol class="ranking" aria-label={texts.say('ranking')}>
                {rankingOf(table).map(({ player, place, points, towers }) => (
                    <li key={player} class={state.winners.includes(player) ? 'winner' : ''}>
                        <span class="place">{texts.say('place', { place })}</span>
                        <Colours harbours={playerOf(state, player).harbours} />
                        <span class="name">
                            <span dir="auto">
                                {state.teams && <TeamSign team={playerOf(state, player).team} />}
                                {playerOf(state, player).name}
                            </span>{' '}
                            {playerOf(state, player).out && <small>{texts.say('outLast')}</small>}
                            {towers > 0 && (
                                <small class={isTied(table, points) ? 'towers tied' : 'towers'}>
                                    {texts.say('rankTowers', { towers })}
                                </small>
                            )}
                        </span>
                        <strong>{points}</strong>
                    </li>
                ))}
            </ol>
        </>
    );
}

/** T2: teams win together. */
export function winnersWords(texts, { teams, players, winners }) {
    const won = players.filter(({ id }) => winners.includes(id));
    const [team, other] = new Set(won.map((player) => player.team));
    if (teams) {
        const [most, least] = [1, 2].map((each) => teamPoints(players, each)).sort((a, b) => b - a);
        return texts.say(other === undefined ? 'teamWon' : 'teamTied', { team, points: `${most}\u00a0:\u00a0${least}` });
    }
    return texts.say('winners', { names: texts.list(won.map(({ name }) => name)) });
}

/** E3: with equal points, captured towers decide. */
function isTied(table, points) {
    return rankingOf(table).filter((other) => other.points === points).length > 1;
}

/** Derived from the number, not random: the page looks the same each time it is drawn. */
function fall(i) {
    return {
        left: `${(i * 37) % 100}%`,
        animationDelay: `${(i * 0.41) % 4}s`,
        animationDuration: `${4 + ((i * 7) % 5)}s`,
    };
}

/** The ranking of the event game-over; until that arrives, computed from the state. */
function rankingOf({ state, log }) {
    const end = liveEvents(log.events).findLast((event) => event.event_type === 'game-over');
    if (end) {
        return end.ranking;
    }
    const players = [...state.players].sort((a, b) => a.out - b.out || b.score - a.score);
    return players.map(({ id, score }, i) => ({
        player: id,
        place: i + 1,
        points: score,
        towers: 0,
    }));
}
