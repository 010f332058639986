/** The scoreboard, readable from three metres. */
import { liveEvents, undoneSeqs } from '../undone.js';
import { piecesOf } from '../words.js';
import { colourOf, Piece, playerOf, useTexts } from './common.jsx';
import { Celebration } from './celebration.jsx';
import { PieceDrawing } from './pictures.jsx';
import { Scenario } from './scenario.jsx';
import { SetUp } from './setup.jsx';
import { Stage } from './stage.jsx';

const SHOWN_EVENTS = 14;

/** Events that are not shown: the stage and the cards show them already, or they do not matter. */
const QUIET_EVENTS = ['phase-started', 'piece-selected'];

export function Board({ table }) {
    const { state } = table;
    if (state === null || state.phase === 'lobby') {
        return <SetUp table={table} />;
    }
    return (
        <main class={`board players-${state.players.length}`}>
            {state.phase === 'over' ? <Celebration table={table} /> : <Turn table={table} />}
            <Scenario state={state} />
            <Players state={state} />
            <Log table={table} />
        </main>
    );
}

function Turn({ table }) {
    const texts = useTexts();
    const { state } = table;
    return (
        <section class={`turn ${colourOf(state, state.player)}`} aria-label={texts.say('turnOf')}>
            <div class="whose">
                <p class="label">
                    {texts.say('turnOf')} · {texts.say('turnNumber', state)}
                </p>
                <h1 dir="auto">{playerOf(state, state.player).name}</h1>
                <Steps state={state} />
            </div>
            <Stage table={table} />
        </section>
    );
}

function Steps({ state }) {
    const texts = useTexts();
    const steps = [
        'shooting',
        'moving',
        'combat',
        ...(state.rules === 'advanced' ? ['repair'] : []),
    ];
    const now = steps.indexOf(state.phase);
    return (
        <ol class="steps" aria-label={texts.say('step')}>
            {steps.map((step, i) => (
                <li
                    key={step}
                    class={i < now ? 'past' : ''}
                    aria-current={i === now ? 'step' : undefined}
                >
                    {texts.say(`phases.${step}`)}
                </li>
            ))}
        </ol>
    );
}

function Players({ state }) {
    return (
        <section class="players">
            {state.players.map((player) => (
                <Player key={player.id} state={state} player={player} />
            ))}
        </section>
    );
}

function Player({ state, player }) {
    const texts = useTexts();
    const isOnTurn = player.id === state.player && state.phase !== 'over';
    const classes = ['player', player.harbours[0], isOnTurn && 'on-turn', player.out && 'out'];
    return (
        <article class={classes.filter(Boolean).join(' ')} data-player={player.id}>
            <header>
                <Colours harbours={player.harbours} />
                <h2 dir="auto">{player.name}</h2>
                {player.team !== null && (
                    <span class={`team team-${player.team}`}>{texts.say('team', player)}</span>
                )}
                {player.out && <span class="tag">{texts.say('out')}</span>}
            </header>
            <p class="score">
                <strong key={player.score}>{player.score}</strong>{' '}
                <span>{texts.count('points', player.score)}</span>
            </p>
            <div class="fleets">
                {player.harbours.map((harbour) => (
                    <div class="fleet" key={harbour}>
                        {piecesOf(harbour).map((name) => (
                            <Piece key={name} state={state} name={name} />
                        ))}
                    </div>
                ))}
            </div>
            <Trophies player={player} />
        </article>
    );
}

function Colours({ harbours }) {
    return (
        <span class="colours" aria-hidden="true">
            {harbours.map((harbour) => (
                <i key={harbour} class={harbour} />
            ))}
        </span>
    );
}

function Trophies({ player }) {
    const texts = useTexts();
    return (
        <div class="trophies">
            <h3>{texts.say(player.trophies.length > 0 ? 'trophies' : 'noTrophies')}</h3>
            <ul>
                {player.trophies.map((name) => (
                    <li key={name} title={texts.piece(name)}>
                        <PieceDrawing name={name} />
                        <span class="unseen">{texts.piece(name)}</span>
                    </li>
                ))}
            </ul>
            {player.barrels > 0 && <p>{texts.say('delivered', { count: player.barrels })}</p>}
        </div>
    );
}

function Log({ table }) {
    const texts = useTexts();
    const undone = undoneSeqs(table.log.events);
    const events = table.log.events
        .filter((event) => !QUIET_EVENTS.includes(event.event_type))
        .slice(-SHOWN_EVENTS)
        .reverse();
    return (
        <section class="log">
            <h2>{texts.say('log')}</h2>
            {events.length === 0 && <p>{texts.say('nothingYet')}</p>}
            <ol>
                {events.map((event) => (
                    <li
                        key={event.seq}
                        data-seq={event.seq}
                        data-event={event.event_type}
                        class={`${undone.has(event.seq) ? 'undone' : ''} ${event.event_type}`}
                    >
                        <i class={colourOf(table.state, event.player)} aria-hidden="true" />
                        <span dir="auto">{texts.event(event, table.state.players)}</span>
                        {undone.has(event.seq) && (
                            <span class="unseen">({texts.say('takenBack')})</span>
                        )}
                    </li>
                ))}
            </ol>
        </section>
    );
}

/** The last event, for screen readers. */
export function Announcer({ table }) {
    const texts = useTexts();
    const last = liveEvents(table?.log.events ?? []).findLast(
        (event) => !QUIET_EVENTS.includes(event.event_type),
    );
    return (
        <p class="unseen" aria-live="polite" data-announcer={table?.state?.seq ?? ''}>
            {last && table.state ? texts.event(last, table.state.players) : ''}
        </p>
    );
}
