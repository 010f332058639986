/** The scoreboard, readable from three metres. */
import { useRef } from 'preact/hooks';
import { commandsOf } from '../choices.js';
import { playerOf } from '../conditions.js';
import { listedEvents, liveListed } from '../log.js';
import { undoneSeqs } from '../undone.js';
import { tableAhead, withoutUselessRoll } from '../idle_steps.js';
import { isBlind, isTold, shotToTell } from '../telling.js';
import { piecesOf, stepsOf } from '../words.js';
import { Refusal, useActs } from './acts.jsx';
import { NextGame, SetUp, useOtherGame } from './before_game.jsx';
import { colourOf, Colours, longClass, Piece, Score, useScreen, useTexts } from './common.jsx';
import { Celebration } from './celebration.jsx';
import { PieceDrawing, Thing } from './pictures.jsx';
import { Scenario } from './scenario.jsx';
import { Stage } from './stage.jsx';
import { WhatNow } from './whatnow.jsx';

const SHOWN_EVENTS = 14;

export function Board({ table, send, share, isConnected, forbidden, isTv }) {
    useScreen('filled');
    const texts = useTexts();
    const { state } = table;
    const [isChoosing, setChoosing] = useOtherGame(table);
    const isEntered = useEntered(table) && isTv;
    if (state === null || state.phase === 'lobby' || isChoosing || isEntered) {
        return (
            <SetUp
                table={table}
                send={send}
                share={share}
                isTv={isTv}
                isConnected={isConnected}
                forbidden={forbidden}
                onCancel={isChoosing ? () => setChoosing(false) : null}
            />
        );
    }
    const commands = commandsOf(table);
    const shot = shotToTell(table, commands);
    const isTelling = shot !== undefined && !isTold(table, shot);
    return (
        <main class={boardClass(state)}>
            <Game
                table={table}
                phase={isTelling ? 'shooting' : state.phase}
                now={
                    <WhatNow
                        table={tableAhead(table)}
                        commands={withoutUselessRoll(state, commands)}
                        isTelling={isTelling}
                        where={texts.say('onPhone')}
                    />
                }
                again={
                    <Again
                        table={table}
                        send={send}
                        isConnected={isConnected}
                        forbidden={forbidden}
                        onOther={() => setChoosing(true)}
                    />
                }
            />
        </main>
    );
}

/** Whether somebody enters the next game since this one is over. */
function useEntered({ state, form }) {
    const before = useRef(null); // {game, form}
    const isOver = state?.phase === 'over';
    if (!isOver || before.current?.game !== state.game || before.current.form === null) {
        before.current = { game: state?.game, form };
    }
    return isOver && form !== before.current.form;
}

export function boardClass({ players, phase }) {
    return `board players-${players.length} ${phase === 'over' ? 'is-over' : ''}`;
}

/**
 * `now` is what the current player can do, `again` are the controls for the next game. `phase` is the step as
 * people see it: they may still be looking what the shot has toppled.
 */
export function Game({ table, phase = table.state.phase, now = null, again = null }) {
    const { state } = table;
    return (
        <>
            {state.phase === 'over' ? (
                <Celebration table={table}>{again}</Celebration>
            ) : (
                <Turn table={table} phase={phase}>
                    {now}
                </Turn>
            )}
            <Scenario state={state} />
            <Players state={state} />
            <Log table={table} />
        </>
    );
}

function Again({ table, send, isConnected, forbidden, onOther }) {
    const texts = useTexts();
    const acts = useActs(table, send, isConnected);
    if (forbidden.includes('start-game')) {
        return <p>{texts.say('again')}</p>;
    }
    return (
        <div class="again">
            <p class="on-phone">{texts.say('again')}</p>
            <NextGame table={table} acts={acts} onOther={onOther} />
            <Refusal acts={acts} />
        </div>
    );
}

function Turn({ table, phase, children }) {
    const texts = useTexts();
    const { state } = table;
    const { name } = playerOf(state, state.player);
    return (
        <section class={`turn ${colourOf(state, state.player)}`} aria-label={texts.say('turnOf')}>
            <div class="whose">
                <p class="label">
                    {texts.say('turnOf')} · {texts.say('turnNumber', state)}
                </p>
                <h1 dir="auto" class={longClass(name)}>
                    {name}
                </h1>
                <Steps state={state} phase={phase} />
            </div>
            <Stage table={table} phase={phase} />
            {children}
        </section>
    );
}

function Steps({ state, phase }) {
    const texts = useTexts();
    const steps = stepsOf(state);
    const now = steps.indexOf(phase);
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
                <Player key={`${state.game} ${player.id}`} state={state} player={player} />
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
                <h2 dir="auto" class={longClass(player.name)}>
                    {player.name}
                </h2>
            </header>
            <p class="score">
                <Score player={player} turn={state.turn} />{' '}
                <span class="unit">
                    {player.out && <i class="tag">{texts.say('out')}</i>}
                    {player.team !== null && (
                        <i class={`team team-${player.team}`}>{texts.say('team', player)}</i>
                    )}
                    <span>{texts.count('points', player.score)}</span>
                </span>
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

function Trophies({ player }) {
    const texts = useTexts();
    return (
        <div class="trophies">
            <h3>
                {player.trophies.length === 0 && player.barrels > 0
                    ? texts.say('delivered', { count: player.barrels })
                    : texts.say(player.trophies.length > 0 ? 'trophies' : 'noTrophies')}
            </h3>
            <ul>
                {Array.from({ length: player.barrels }, (_, i) => (
                    <li key={i}>
                        <Thing name="Barrel" colour="nobody" />
                    </li>
                ))}
                {player.trophies.map((name) => (
                    <li key={name} title={texts.piece(name)}>
                        <PieceDrawing name={name} />
                        <span class="unseen">{texts.piece(name)}</span>
                    </li>
                ))}
            </ul>
        </div>
    );
}

/** The last events, newest first. */
export function Log({ table, count = SHOWN_EVENTS }) {
    const texts = useTexts();
    const undone = undoneSeqs(table.log.events);
    const events = listedEvents(table.log.events, isBlind(table)).slice(-count).reverse();
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
                        class={undone.has(event.seq) ? 'taken-back' : ''}
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
    const last = table?.state ? liveListed(table.log.events, isBlind(table)).at(-1) : undefined;
    return (
        <p class="unseen" aria-live="polite" data-announcer={table?.state?.seq ?? ''}>
            {last ? texts.event(last, table.state.players) : ''}
        </p>
    );
}
