/** The stream overlay: scores on a transparent page, for a browser source in OBS. */
import { colourOf, useTexts } from './common.jsx';

export function Overlay({ table }) {
    const texts = useTexts();
    const { state } = table;
    if (state === null || state.phase === 'lobby') {
        return (
            <main class="overlay">
                <h1 class="unseen">{table.name}</h1>
            </main>
        );
    }
    return (
        <main class="overlay">
            <h1 class="unseen">{table.name}</h1>
            <p class="overlay-step">
                {texts.say(`phases.${state.phase}`)}
                {state.phase !== 'over' && ` · ${texts.say('turnNumber', state)}`}
            </p>
            <ol>
                {state.players.map((player) => (
                    <li
                        key={player.id}
                        class={`${colourOf(state, player.id)} ${classesOf(state, player)}`}
                        aria-current={isOnTurn(state, player) ? 'true' : undefined}
                        data-player={player.id}
                    >
                        {player.harbours.map((harbour) => (
                            <i key={harbour} class={harbour} aria-hidden="true" />
                        ))}
                        <span class="name" dir="auto">
                            {player.name}
                        </span>
                        <strong key={player.score}>{player.score}</strong>
                        <span class="unseen">{texts.count('points', player.score)}</span>
                    </li>
                ))}
            </ol>
        </main>
    );
}

function isOnTurn(state, { id }) {
    return state.phase === 'over' ? state.winners.includes(id) : id === state.player;
}

function classesOf(state, player) {
    return `${isOnTurn(state, player) ? 'on-turn' : ''} ${player.out ? 'out' : ''}`;
}
