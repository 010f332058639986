/** The captain's controls: large buttons for the commands that the table accepts now. */
import { useState } from 'preact/hooks';
import { commandsOf } from '../choices.js';
import { colourOf, describePiece, playerOf, Question, useTexts } from './common.jsx';
import { CombatActions, MovingActions, RepairActions, ShootingActions } from './actions.jsx';
import { Act, Group, PieceActs } from './acts.jsx';
import { NewGame } from './newgame.jsx';

/** `forbidden` are the verbs that this login may not send to this table. */
export function Captain({ table, send, forbidden, whoAmI }) {
    const [isLeaving, setLeaving] = useState(false);
    const { act, refusal, isWaiting, forgive } = useActs(table, send);
    const { state } = table;
    const isRunning = state !== null && !['lobby', 'over'].includes(state.phase);
    const commands = commandsOf(table).filter(({ verb }) => !forbidden.includes(verb));
    const start = async (wish) => {
        // A login that may not abandon a game may still start one, which has its own topic.
        const isStarted = await act(
            isRunning
                ? { verb: 'new-game', ...wish, abandon: true }
                : { verb: 'start-game', ...wish },
        );
        setLeaving(isLeaving && !isStarted);
    };
    const isPlaying = isRunning && !isLeaving;
    if (forbidden.includes('start-game') && forbidden.includes('end-phase')) {
        return <Watching whoAmI={whoAmI} />;
    }
    return (
        <main class="captain" aria-busy={isWaiting}>
            {isPlaying ? (
                <Play table={table} commands={commands} act={act} />
            ) : (
                <NewGame
                    table={table}
                    isNotReady={refusal?.error === 'not-ready'}
                    onStart={start}
                    onCancel={isRunning ? () => setLeaving(false) : null}
                />
            )}
            {isPlaying && !forbidden.includes('new-game') && (
                <Abandon onLeave={() => setLeaving(true)} />
            )}
            <footer class="always">
                <Refusal refusal={refusal} onClose={forgive} />
                {!isLeaving && <Always table={table} commands={commands} act={act} />}
            </footer>
        </main>
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

/**
 * Sends one command at a time: the next one is possible when the board shows the effect of the
 * last, so that a double tap does not send two commands.
 */
function useActs(table, send) {
    const [isSending, setSending] = useState(false);
    const [refusal, setRefusal] = useState(null);
    const [awaited, setAwaited] = useState(null);
    const isAwaiting =
        awaited !== null && table.state?.game === awaited.game && table.state.seq < awaited.seq;
    const isWaiting = isSending || isAwaiting;
    const act = async (command) => {
        if (isWaiting) {
            return false;
        }
        setSending(true);
        const reply = await send(command);
        setSending(false);
        setRefusal(reply.ok ? null : reply);
        setAwaited(reply.ok ? { game: table.state?.game, seq: reply.seq } : null);
        return reply.ok;
    };
    return { act, refusal, isWaiting, forgive: () => setRefusal(null) };
}

function Refusal({ refusal, onClose }) {
    const texts = useTexts();
    return (
        <div role="alert" class="refusal-place">
            {refusal && (
                <p class="refusal" data-error={refusal.error}>
                    <strong>{texts.say('refused')}.</strong> {texts.refusal(refusal)}
                    {refusal.rule && <span class="tag">{refusal.rule}</span>}
                    <button onClick={onClose} aria-label={texts.say('close')}>
                        ×
                    </button>
                </p>
            )}
        </div>
    );
}

function Play({ table, commands, act }) {
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
            <Whose state={state} />
            <PutRight state={state} commands={commands} act={act} />
            <Part key={state.phase + state.turn} table={table} commands={commands} act={act} />
            <WhatFell commands={commands} state={state} act={act} />
        </>
    );
}

function Whose({ state }) {
    const texts = useTexts();
    return (
        <header class={`whose ${colourOf(state, state.player)}`}>
            <h1 dir="auto">{playerOf(state, state.player).name}</h1>
            <p>{texts.say(`phases.${state.phase}`)}</p>
            <p class="scores">
                {state.players.map((player) => (
                    <span key={player.id} class={player.harbours[0]}>
                        {player.score}
                    </span>
                ))}
            </p>
        </header>
    );
}

/** Disturbed pieces: buttons to report that they stand or lie as the game requires. */
function PutRight({ state, commands, act }) {
    const texts = useTexts();
    const statuses = { raise: 'standing', topple: 'flat' };
    const rights = commands.filter(
        ({ verb, piece }) =>
            Object.hasOwn(statuses, verb) && state.pieces[piece].status === statuses[verb],
    );
    return (
        rights.length > 0 && (
            <Group title={texts.say('putRight')} kind="alarm">
                {rights.map((command) => (
                    <Act key={command.piece} command={command} act={act}>
                        {texts.say(command.verb === 'raise' ? 'raised' : 'laidDown', {
                            piece: texts.piece(command.piece),
                        })}
                    </Act>
                ))}
            </Group>
        )
    );
}

/** S9: during the whole turn a person may enter what the shot toppled. */
function WhatFell({ state, commands, act }) {
    const texts = useTexts();
    const topples = commands.filter(
        ({ verb, piece }) => verb === 'topple' && state.pieces[piece].status === 'standing',
    );
    return (
        topples.length > 0 && (
            <PieceActs
                title={texts.say('whatFell')}
                commands={topples}
                act={act}
                describe={(name) => describePiece(texts, state, name)}
            />
        )
    );
}

/** Only this command asks for confirmation; all others can be undone. */
function Abandon({ onLeave }) {
    const texts = useTexts();
    const [isAsking, setAsking] = useState(false);
    return (
        <>
            <button class="quiet" onClick={() => setAsking(true)}>
                {texts.say('abandon')}
            </button>
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

/** Undo and the end of the step, always visible. */
function Always({ table, commands, act }) {
    const texts = useTexts();
    const has = (verb) => commands.some((command) => command.verb === verb);
    return (
        <div class="row">
            {has('undo') && (
                <Act command={{ verb: 'undo' }} act={act}>
                    {texts.say('undo')}
                </Act>
            )}
            {has('end-phase') && (
                <Act command={{ verb: 'end-phase' }} act={act} kind="primary">
                    {endWords(texts, table)}
                </Act>
            )}
        </div>
    );
}

function endWords(texts, { state }) {
    if (state.phase === 'shooting') {
        return texts.say(state.shot === 'none' ? 'passShot' : 'endShot');
    }
    return texts.say('endStep', { phase: texts.say(`phases.${state.phase}`) });
}
