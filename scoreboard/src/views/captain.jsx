/** The captain's controls: large buttons for the commands that the table accepts now. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { commandsOf, find, undoneNext } from '../choices.js';
import { describePiece, isRunning, playerOf } from '../conditions.js';
import { listedEvents, liveListed } from '../log.js';
import { liveEvents } from '../undone.js';
import { mayRepair, withoutUselessRoll } from '../idle_steps.js';
import { isBlind, isTold, shotToTell } from '../telling.js';
import { endWords, passWords } from '../whatnow.js';
import {
    colourOf,
    Colours,
    longClass,
    Question,
    Score,
    TeamSign,
    useScreen,
    useTexts,
} from './common.jsx';
import { CombatActions, MovingActions, RepairActions, ShootingActions } from './actions.jsx';
import { Act, Acting, Group, PieceActs, Refusal, Tap, unlessDoubleTap, useActs } from './acts.jsx';
import { NextGame, PhoneSetUp, useOtherGame } from './before_game.jsx';
import { Winners } from './celebration.jsx';
import { useEnd } from './end_of_step.js';
import { HowTo } from './how_to.jsx';
import { Thing } from './pictures.jsx';
import { Scenario } from './scenario.jsx';
import { SensorsLink } from './sensors.jsx';
import { WhatNow } from './whatnow.jsx';

/** Felt when a piece is captured. */
const CAPTURED_MS = 120;

/** `forbidden` are the verbs that this login may not send to this table. */
export function Captain({ table, send, share, isConnected, forbidden, whoAmI }) {
    const [isForm, setForm] = useOtherGame(table);
    const acts = useActs(table, send, isConnected);
    useCaptures(table);
    useScreen('has-footer');
    const { state } = table;
    const commands = withoutUselessRoll(state, commandsOf(table)).filter(
        ({ verb }) => !forbidden.includes(verb),
    );
    const telling = useTelling(table, commands, share);
    const { isTelling } = telling;
    const { act, ahead } = useEnd(table, commands, acts);
    useTop([
        `${state?.game} ${state?.turn} ${state?.die} ${stepOf(state, commands, isTelling)}`,
        resultsIn(table),
        isForm,
    ]);
    const isPlaying = isRunning(state) && !isForm;
    if (forbidden.includes('start-game') && forbidden.includes('end-phase')) {
        return <Watching whoAmI={whoAmI} />;
    }
    const hasAlways = !isForm && ['undo', 'end-phase'].some((verb) => find(commands, verb));
    const isOver = state?.phase === 'over' && !isForm;
    const isRefused = (isPlaying || isOver) && acts.refusal !== null;
    const isEmpty = !hasAlways && !acts.isOffline && !isRefused;
    const part = () => {
        if (isPlaying) {
            return (
                <Play table={table} commands={commands} act={act} ahead={ahead} isTelling={isTelling} />
            );
        }
        if (isOver) {
            return <GameOver table={table} acts={acts} onOther={() => setForm(true)} />;
        }
        return (
            <PhoneSetUp
                table={table}
                acts={acts}
                share={share}
                onCancel={isForm ? () => setForm(false) : null}
            />
        );
    };
    return (
        <main class={`captain ${acts.isOffline ? 'is-offline' : ''}`} aria-busy={acts.isWaiting}>
            <Acting acts={acts}>
                {part()}
                {isPlaying && <HowTo info={table.info} game={state} />}
                {isPlaying && !forbidden.includes('new-game') && (
                    <Abandon onLeave={() => setForm(true)} />
                )}
                {!isPlaying && <SensorsLink table={table} forbidden={forbidden} />}
                <footer class={`always ${isEmpty ? 'empty' : ''}`}>
                    {acts.isOffline && <Offline />}
                    {(isPlaying || isOver) && <Refusal acts={acts} />}
                    {!isForm && (
                        <Always
                            table={ahead}
                            commands={commands}
                            act={act}
                            telling={telling}
                        />
                    )}
                </footer>
            </Acting>
        </main>
    );
}

/** What comes of a tap here is said at the top of the page. */
const RESULTS = ['chest-taken', 'barrel-loaded', 'barrel-delivered', 'wind-caught', 'ship-entangled'];

function resultsIn({ state, log: { events } }) {
    const isResult = ({ event_type: type }) => state?.phase === 'combat' || RESULTS.includes(type);
    return events.filter(isResult).length;
}

/** Each step begins at the top of the page. */
function useTop(step) {
    useEffect(() => scrollTo(0, 0), step);
}

/** The step as people see it, and whether it waits for a roll in close combat. */
function stepOf(state, commands, isTelling) {
    const phase = isTelling ? 'shooting' : state?.phase;
    return `${phase} ${find(commands, 'roll-combat') !== undefined}`;
}

/**
 * People may enter what the shot toppled until they say that it is over, although the table has ended it
 * before. {isTelling, end, resume}: `resume` takes that back, as long as nothing else has been entered. The
 * end is shared, so that other phones and the TV go on as well; without that right it is for this page.
 */
function useTelling(table, commands, share) {
    const [said, setSaid] = useState(null); // here, until somebody says it elsewhere
    useEffect(() => setSaid(null), [table.told]);
    const shot = shotToTell(table, commands);
    const told = said ?? table.told;
    const isEnded = shot !== undefined && isTold({ told }, shot);
    const fallen = liveEvents(table.log.events).filter(({ event_type: type }) => type === 'piece-toppled');
    const tell = (seq) => {
        const next = { game: shot.game, seq, fallen: fallen.length };
        setSaid(next);
        share('told', { v: 1, ...next });
    };
    return {
        isTelling: shot !== undefined && !isEnded,
        end: () => tell(shot.seq),
        resume: isEnded && told.fallen === fallen.length ? () => tell(0) : null,
    };
}

/** Vibrates at each capture that happens while the page is open. */
function useCaptures({ log }) {
    const live = liveEvents(log.events);
    const captures = live.filter((event) => event.event_type === 'piece-captured').length;
    const known = useRef({ game: log.game, captures, isFirst: true });
    useEffect(() => {
        const { game, captures: before, isFirst } = known.current;
        if (!isFirst && game === log.game && captures > before) {
            navigator.vibrate?.(CAPTURED_MS);
        }
        // The first events of a page are history.
        known.current = { game: log.game, captures, isFirst: log.events.length === 0 };
    }, [log.game, log.events.length]);
}

function Offline() {
    const texts = useTexts();
    return <p class="offline-hint">{texts.say('buttonsOffline')}</p>;
}

function GameOver({ table, acts, onOther }) {
    return (
        <section class="game-over">
            <Winners table={table} />
            <NextGame table={table} acts={acts} onOther={onOther} isChecked />
        </section>
    );
}

/** Tells a user without any rights to play how to get them. */
function Watching({ whoAmI }) {
    const texts = useTexts();
    return (
        <main class="captain">
            <p class="hint" data-may-watch>
                {texts.say('mayWatch')}
            </p>
            {whoAmI}
        </main>
    );
}

/** The current player, what to do, and the controls of the step. `ahead` is what useEnd returned. */
function Play({ table, commands, act, ahead, isTelling }) {
    const { state } = table;
    const parts = {
        shooting: ShootingActions,
        moving: MovingActions,
        combat: CombatActions,
        repair: RepairActions,
    };
    const Part = parts[state.phase];
    return (
        <>
            <Whose state={state} phase={isTelling ? 'shooting' : state.phase} />
            <News table={table} isTelling={isTelling} />
            <WhatNow table={ahead} commands={commands} isTelling={isTelling} />
            <PutRight state={state} commands={commands} act={act} />
            {!isTelling && (
                <Part key={state.phase + state.turn} table={table} commands={commands} act={act} />
            )}
            <WhatFell
                isFolded={state.phase !== 'shooting' && !isTelling}
                {...{ commands, state, act }}
            />
            {state.scenario !== 'none' && <Scenario state={state} />}
        </>
    );
}

/** Events that follow from the one before them, which is the news. */
const CONSEQUENCES = ['barrel-moved', 'chest-moved', 'ship-released', 'player-out'];

/** What has happened last. Screen readers get it from the announcer. */
function News({ table, isTelling }) {
    const texts = useTexts();
    const { log, state } = table;
    const isUndone = log.events.at(-1)?.event_type === 'undone';
    const list = isUndone ? listedEvents : liveListed;
    const events = list(log.events, isBlind(table));
    const isNews = ({ event_type: type }) =>
        !CONSEQUENCES.includes(type) && (isUndone || type !== 'undone');
    const last = events.findLast(isNews);
    if (last === undefined) {
        return null;
    }
    const isMiss = last.event_type === 'shot-fired' && state.phase !== 'shooting' && !isTelling;
    const news = events.slice(events.indexOf(last));
    const sentences = news.map((event) => texts.event(event, state.players));
    return (
        <p class="news" dir="auto" aria-hidden="true" key={last.seq}>
            <Rolled event={last} phase={state.phase} />
            <span>{isMiss ? texts.say('events.shot-over missed') : sentences.join(' ')}</span>
        </p>
    );
}

/** The face that decided it, or nothing. */
function Rolled({ event: { event_type: type, value, how }, phase }) {
    if (type === 'move-rolled' && phase === 'moving') {
        return <Thing name="Die" value={value} />;
    }
    const isWon = type === 'piece-captured' && how === 'combat';
    return isWon || type === 'combat-rolled' ? (
        <Thing name={isWon || value === 'flag' ? 'Flag' : 'Swords'} />
    ) : null;
}

export function Whose({ state, phase = state.phase }) {
    const texts = useTexts();
    const { name } = playerOf(state, state.player);
    return (
        <header class={`whose ${colourOf(state, state.player)}`}>
            <h1 dir="auto" class={longClass(name)}>
                {name}
            </h1>
            <p class="phase">{texts.say(`phases.${phase}`)}</p>
            <p class="scores">
                {state.players.map((player) => (
                    <span key={`${state.game} ${player.id}`} class={player.harbours[0]}>
                        <Colours harbours={player.harbours} />
                        <span class="name" dir="auto">
                            {player.team !== null && <TeamSign team={player.team} />}
                            {player.name}
                        </span>
                        <Score player={player} turn={state.turn} />
                    </span>
                ))}
            </p>
        </header>
    );
}

/**
 * Disturbed pieces: buttons to report that they stand or lie as the game requires. At the virtual table
 * the button puts them so.
 */
export function PutRight({ state, commands, act, isAtSea = false }) {
    const texts = useTexts();
    const statuses = { raise: 'standing', topple: 'flat' };
    const rights = commands.filter(
        ({ verb, piece }) =>
            Object.hasOwn(statuses, verb) && state.pieces[piece].status === statuses[verb],
    );
    const raises = rights.filter(({ verb }) => verb === 'raise');
    const words = isAtSea
        ? { raise: 'seaRaise', topple: 'seaLay' }
        : { raise: 'raised', topple: 'laidDown' };
    const raiseAll = async () => {
        for (const command of raises) {
            await act(command);
        }
    };
    return (
        rights.length > 0 && (
            <Group title={texts.say(isAtSea ? 'seaPutRight' : 'putRight')} kind="alarm">
                {rights.map((command) => (
                    <Act key={command.piece} command={command} act={act}>
                        {texts.say(words[command.verb], {
                            piece: texts.piece(command.piece),
                        })}
                    </Act>
                ))}
                {raises.length > 1 && (
                    <button class="primary" data-all-stand onClick={raiseAll}>
                        {texts.say(isAtSea ? 'raiseAll' : 'allStand')}
                    </button>
                )}
            </Group>
        )
    );
}

/**
 * S9: during the whole turn a person may enter what the shot toppled. After the shooting step it is
 * folded: a slip there would capture a ship.
 */
function WhatFell({ state, commands, act, isFolded }) {
    const texts = useTexts();
    const fold = useRef(null);
    const [asked, setAsked] = useState(null); // the command that would end the game
    const topples = commands.filter(
        ({ verb, piece }) => verb === 'topple' && state.pieces[piece].status === 'standing',
    );
    const listed = useListed(
        state.turn,
        topples.map(({ piece }) => piece),
    );
    const isMore = topples.length > 1; // something else could have fallen
    const enter = async (command) => {
        setAsked(null);
        const isDone = await act(command);
        if (fold.current) {
            fold.current.removeAttribute('open');
            scrollTo(0, 0); // to what it has changed
        }
        return isDone;
    };
    const pieces = (
        <PieceActs
            state={state}
            title={texts.say(isFolded ? 'whatFell' : 'enemyPieces')}
            hint={texts.say(state.teams ? 'ownFellTeam' : 'ownFell')}
            kind="hits"
            commands={listed.map((piece) => ({ verb: 'topple', piece }))}
            done={listed.filter((piece) => !find(topples, 'topple', { piece }))}
            act={(command) => (isMore && isLast(state, command.piece) ? setAsked(command) : enter(command))}
            describe={(name) => describePiece(texts, state, name)}
        />
    );
    if (topples.length === 0) {
        return null;
    }
    const question = asked && (
        <Question title={lastWords(texts, state, asked)} onClose={() => setAsked(null)}>
            <button data-answer="no" onClick={() => setAsked(null)}>
                {texts.say('lastMore')}
            </button>
            <button data-answer="yes" onClick={() => enter(asked)}>
                {texts.say('lastAll')}
            </button>
        </Question>
    );
    return !isFolded ? (
        <>
            {pieces}
            {question}
        </>
    ) : (
        <details
            ref={fold}
            class="late-hit"
            onToggle={({ target }) => target.open && target.scrollIntoView({ block: 'nearest' })}
            key={`${state.turn} ${state.die}`}
        >
            <summary onClick={unlessDoubleTap}>{texts.say('forgotHit')}</summary>
            {pieces}
            {question}
        </details>
    );
}

/**
 * Whether the game ends at once when this piece is entered: its player then has none (E1). While the shot is
 * open, all that falls counts together.
 */
function isLast({ rules, shot, pieces }, name) {
    const { owner } = pieces[name];
    const others = Object.keys(pieces).filter(
        (each) => each !== name && pieces[each].owner === owner && pieces[each].status === 'standing',
    );
    return rules === 'basic' && shot !== 'open' && owner !== null && others.length === 0;
}

function lastWords(texts, state, { piece }) {
    const { name } = playerOf(state, state.pieces[piece].owner);
    return texts.say('lastSure', { piece: texts.piece(piece), player: name });
}

/** The pieces that have been in this list during the turn, also those that are gone from it. */
function useListed(turn, names) {
    const listed = useRef({ turn, names: [] });
    const isNew = listed.current.turn !== turn || names.length === 0;
    const before = isNew ? [] : listed.current.names;
    const added = names.filter((name) => !before.includes(name));
    listed.current = { turn, names: [...before, ...added] };
    return listed.current.names;
}

/** Only this command asks for confirmation; all others can be undone. */
export function Abandon({ onLeave }) {
    const texts = useTexts();
    const [isAsking, setAsking] = useState(false);
    return (
        <>
            <Tap class="quiet" data-abandon onTap={() => setAsking(true)}>
                {texts.say('abandon')}
            </Tap>
            {isAsking && (
                <Question title={texts.say('abandonSure')} onClose={() => setAsking(false)}>
                    <button data-answer="no" onClick={() => setAsking(false)}>
                        {texts.say('keepPlaying')}
                    </button>
                    <button class="danger" data-answer="yes" onClick={onLeave}>
                        {texts.say('yesAbandon')}
                    </button>
                </Question>
            )}
        </>
    );
}

/** The actions that a step is about; until they are done, its end is not the main button. */
const MAIN_VERBS = ['fire', 'roll-move', 'move', 'roll-combat'];

/**
 * The end of the step, and below it undo, with what it takes back: always visible, and always at
 * the same place. `telling` is what useTelling returned. To pass a step is offered elsewhere, where no
 * thumb expects the end of a step.
 */
export function Always({ table, commands, act, isMain = true, telling = {} }) {
    const texts = useTexts();
    const has = (verb) => find(commands, verb) !== undefined;
    const { isTelling, end, resume } = telling;
    const isRepair = table.state?.phase === 'repair' && mayRepair(table.state);
    const isEndMain = isMain && !isRepair && !MAIN_VERBS.some(has);
    const undone = undoneNext(table);
    const undo = undone
        ? texts.say('undoWhat', { what: texts.undone(undone, table.state) })
        : texts.say('undo');
    return (
        <div class="row">
            {isTelling && (
                <Tap class="primary" data-told onTap={end}>
                    {texts.say('endShot')}
                </Tap>
            )}
            {!isTelling && has('end-phase') && passWords(table.state, commands) === null && (
                <Act
                    command={{ verb: 'end-phase' }}
                    act={act}
                    kind={isEndMain ? 'primary' : ''}
                >
                    {endWords(texts, table, has('fire'))}
                </Act>
            )}
            {resume && (
                <Tap class="undo" data-resume onTap={resume}>
                    {texts.say('undoWhat', { what: texts.ended('shooting') })}
                </Tap>
            )}
            {!resume && has('undo') && (
                <Act command={{ verb: 'undo' }} act={act} kind="undo">
                    {undo}
                </Act>
            )}
        </div>
    );
}
