/** Buttons that send commands, and what becomes of the commands. */
import { createContext } from 'preact';
import { useContext, useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { conditionWords } from '../conditions.js';
import { isStartChecked } from '../ready.js';
import { harbourOf, harboursOf, piecesOf } from '../words.js';
import { useTexts } from './common.jsx';
import { PieceDrawing, Thing } from './pictures.jsx';

/** The commands that were tapped and whose effect is not shown yet. */
const SentContext = createContext([]);

/** Pattern in milliseconds: a refusal is felt, also by someone who looks at the table. */
const REFUSED_MS = [60, 40, 60];

/** As many taps as a hurried finger makes while one command is under way. */
const QUEUE_MAX = 4;

/** A second tap at the same place within this time was not meant for what has appeared there. */
const TAPS_APART_MS = 500;
const SAME_PLACE_PX = 30;

/** Commands that people tap fast on purpose. */
const TAPPED_FAST = ['count'];

let lastTap = { at_ms: -Infinity };

/**
 * Whether a click is the second half of a double tap: the table answers faster than a finger, and the
 * button that it meets is another one. A mouse counts its clicks.
 */
function isDoubleTap({ timeStamp: at_ms, clientX: x, clientY: y, pointerType, detail }) {
    if (detail === 0) {
        return false; // a key
    }
    const isTouch = pointerType ? pointerType === 'touch' : matchMedia('(pointer: coarse)').matches;
    const isNear = Math.hypot(x - lastTap.x, y - lastTap.y) < SAME_PLACE_PX;
    if (at_ms - lastTap.at_ms < TAPS_APART_MS && isNear && (isTouch || detail > 1)) {
        return true;
    }
    lastTap = { at_ms, x, y };
    return false;
}

/** For a fold: the second half of a double tap does not open it. */
export function unlessDoubleTap(event) {
    if (isDoubleTap(event)) {
        event.preventDefault();
    }
}

function isSame(one, other) {
    return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Sends one command at a time: the next one is sent when the board shows the effect of the last. A
 * command that is tapped meanwhile waits, unless it is the same one: a double tap does not send two
 * commands. After a refusal those that wait are dropped, because they relied on it. Without a
 * connection nothing is sent, and the refusal comes at once.
 */
export function useActs(table, send, isConnected, offlineError = 'offline') {
    const last = useRef(null); // the last command: {command, isOpen, game, seq}
    const queue = useRef([]); // {command, resolve}
    const [refusal, setRefusal] = useState(null);
    const [, redraw] = useReducer((count) => count + 1, 0);
    const isOffline = !isConnected || table.online === false;
    const isUnderWay = () => last.current !== null && !isShown(last.current, table.state);
    const refuse = (reply) => {
        setRefusal(reply);
        navigator.vibrate?.(REFUSED_MS);
        queue.current.splice(0).forEach(({ resolve }) => resolve(false));
    };
    const transmit = async (command) => {
        if (isOffline) {
            refuse({ ok: false, error: offlineError, rule: null, message: null });
            return false;
        }
        const sent = { command, isOpen: true, game: table.state?.game, seq: 0 };
        last.current = sent;
        setRefusal(null);
        redraw();
        const reply = await send({ ...command, ...sharedId(command, table.state) });
        Object.assign(sent, { isOpen: false, seq: reply.ok ? reply.seq : 0 });
        redraw();
        if (!reply.ok) {
            refuse(reply);
        }
        return reply.ok;
    };
    const act = (command) => {
        if (!isUnderWay()) {
            return transmit(command);
        }
        const isKnown = [last.current, ...queue.current].some((each) =>
            isSame(each.command, command),
        );
        if (isKnown || queue.current.length === QUEUE_MAX) {
            return Promise.resolve(false);
        }
        const result = new Promise((resolve) => queue.current.push({ command, resolve }));
        redraw();
        return result;
    };
    const isWaiting = isUnderWay();
    useEffect(() => {
        if (!isOffline && refusal?.error === offlineError) {
            setRefusal(null); // it is not true any more
        }
    }, [isOffline]);
    const { game, seq, turn, phase, die, shot } = table.state ?? {};
    useEffect(() => {
        if (refusal?.error === 'no-answer') {
            setRefusal(null); // the table has answered by doing something
        }
    }, [game, seq]);
    useEffect(() => {
        if (!isOffline) {
            setRefusal(null); // the game has gone on
        }
    }, [game, turn, phase, die, shot]);
    useEffect(() => {
        const next = isUnderWay() ? undefined : queue.current.shift();
        next?.resolve(transmit(next.command));
    });
    return {
        act,
        refusal,
        isWaiting,
        isOffline,
        sent: isWaiting ? [last.current, ...queue.current].map(({ command }) => command) : [],
        forgive: () => setRefusal(null),
        table,
    };
}

/** Commands that two people may give at the same time, meaning the same step. */
const GIVEN_ONCE = ['end-phase', 'undo'];

/** The table carries out an id once: two phones that show the same state end one step, not two. */
function sharedId({ verb }, state) {
    return state && GIVEN_ONCE.includes(verb) ? { id: `${verb} ${state.game} ${state.seq}` } : {};
}

/** Whether the state shows the effect of a command, or there is none. */
function isShown({ isOpen, game, seq }, state) {
    return !isOpen && (state?.game !== game || state === null || state.seq >= seq);
}

/** The controls of a view. `acts` is what useActs returned. */
export function Acting({ acts, children }) {
    return <SentContext.Provider value={acts.sent}>{children}</SentContext.Provider>;
}

export function Refusal({ acts: { refusal, forgive, table } }) {
    const texts = useTexts();
    // During a game there is no list of what is missing for the next one.
    const isUnlisted = refusal?.error === 'not-ready' && !isStartChecked(table);
    return (
        <div role="alert" class="refusal-place">
            {refusal && (
                <p class="refusal" data-error={refusal.error} data-rule={refusal.rule}>
                    <strong>{texts.say('refused')}.</strong>{' '}
                    {isUnlisted ? texts.named(refusal.message ?? '') : texts.refusal(refusal)}
                    <button onClick={forgive} aria-label={texts.say('close')}>
                        ×
                    </button>
                </p>
            )}
        </div>
    );
}

/** A button without a command of its own: the second half of a double tap is ignored here, too. */
export function Tap({ onTap, children, ...attributes }) {
    return (
        <button {...attributes} onClick={(event) => !isDoubleTap(event) && onTap()}>
            {children}
        </button>
    );
}

/** A follow-up appears below what was tapped: it is scrolled into sight. */
export function Group({ title, isTitled = true, hint = null, kind = '', isFollowUp = false, children }) {
    const section = useRef(null);
    useEffect(() => {
        if (isFollowUp) {
            section.current.scrollIntoView({ block: 'nearest' });
        }
    }, [isFollowUp]);
    return (
        <section ref={section} class={`group ${kind}`} aria-label={title}>
            {isTitled && <h2>{title}</h2>}
            <div class="acts">{children}</div>
            {hint && <p class="hint">{hint}</p>}
        </section>
    );
}

/** A button that sends its command. The data attributes name it, for tests and styles. */
export function Act({ command, act, kind = '', style, isChosen, children }) {
    const sent = useContext(SentContext);
    const isSent = sent.some((each) => isSame(each, command));
    const isMeant = (event) => TAPPED_FAST.includes(command.verb) || !isDoubleTap(event);
    const data = Object.entries(command).map(([key, value]) => [`data-${key}`, String(value)]);
    return (
        <button
            class={`${kind} ${isSent ? 'sent' : ''}`}
            style={style}
            aria-pressed={isChosen}
            onClick={(event) => isMeant(event) && act(command)}
            {...Object.fromEntries(data)}
        >
            {children}
        </button>
    );
}

/**
 * A row for each harbour, in the order of the players, and a column for each piece, so that it is where one
 * looks for it: styles by name.
 */
export function placesOf(state, names) {
    const rows = [...harboursOf(state), null].filter((harbour) =>
        names.some((name) => harbourOf(name) === harbour),
    );
    const columnOf = (name) => (harbourOf(name) ? piecesOf(harbourOf(name)).indexOf(name) + 1 : 'auto');
    const placeOf = (name) => ({ gridRow: rows.indexOf(harbourOf(name)) + 1, gridColumn: columnOf(name) });
    return Object.fromEntries(names.map((name) => [name, placeOf(name)]));
}

/** A piece on a button, with what it carries. */
export function PiecePicture({ state, name }) {
    const { cargo } = state.pieces[name];
    return (
        <span class="pictured">
            <PieceDrawing name={name} />
            {cargo && (
                <span class="badge cargo">
                    {cargo === 'chest' ? (
                        <Thing name="Chest" />
                    ) : (
                        <Thing name="Barrel" colour={cargo.replace('barrel-', '')} />
                    )}
                </span>
            )}
        </span>
    );
}

/** Pieces that can do nothing now keep their places, with the reason. */
export function Unable({ state, names, places }) {
    const texts = useTexts();
    return names.map((name) => (
        <button key={name} class="piece-act unable" style={places[name]} disabled>
            <PiecePicture state={state} name={name} />
            <span>{texts.piece(name)}</span>
            <small>{conditionWords(texts, state, name)}</small>
        </button>
    ));
}

/**
 * One button per piece, with its picture and name. What is `done` keeps its place, so that no other
 * piece comes under the finger.
 */
export function PieceActs({
    state,
    title,
    isTitled,
    hint,
    kind = '',
    commands,
    act,
    field = 'piece',
    chosen = null,
    done = [],
    flat = [],
    describe,
    noteOf,
    unable = [],
    isFollowUp = false,
}) {
    const texts = useTexts();
    const names = commands.map((command) => command[field]);
    const places = placesOf(state, [...names, ...unable]);
    return (
        <Group {...{ title, isTitled, hint, isFollowUp }} kind={`pieces ${kind}`}>
            {commands.map((command) => {
                const name = command[field];
                const picture = <PiecePicture state={state} name={name} />;
                if (done.includes(name)) {
                    return (
                        <button key={name} class="piece-act done" style={places[name]} disabled>
                            {picture}
                            <span>{texts.piece(name)}</span>
                        </button>
                    );
                }
                return (
                    <Act
                        key={name}
                        command={command}
                        act={act}
                        kind={`piece-act ${flat.includes(name) ? 'flat' : ''}`}
                        style={places[name]}
                        isChosen={chosen === null ? undefined : chosen === name}
                    >
                        {picture}
                        <span title={describe?.(name)}>{texts.piece(name)}</span>
                        {noteOf && <small>{noteOf(name)}</small>}
                    </Act>
                );
            })}
            <Unable state={state} names={unable} places={places} />
        </Group>
    );
}
