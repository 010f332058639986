/** Before a game and after one: the same way to the next game on every device. */
import { useEffect, useState } from 'preact/hooks';
import { changedHash } from '../address.js';
import { isRunning } from '../conditions.js';
import { fieldsOf, wishFrom } from '../newgame.js';
import { qrCode } from '../qr.js';
import { isReady } from '../ready.js';
import { Acting, Refusal, Tap, useActs } from './acts.jsx';
import { Colours, useTexts } from './common.jsx';
import { ESSENTIAL, HowToSteps } from './how_to.jsx';
import { NewGame, useWish } from './newgame.jsx';
import { SensorsLink } from './sensors.jsx';
import { Drawing, ReadyCheck, setupWords } from './setup.jsx';

/** Starts a game with these fields, and abandons the one that runs; `acts` is what useActs returned. */
function starter({ act }, { state }) {
    // A login that may not abandon a game may still start one, which has its own topic.
    return (fields) =>
        act(
            isRunning(state)
                ? { verb: 'new-game', ...fields, abandon: true }
                : { verb: 'start-game', ...fields },
        );
}

/** Whether the game was refused because the table is not ready; not any more when it is. */
function useNotReady(table, wish, { refusal, forgive }) {
    const [isRefused, setRefused] = useState(false);
    const isNotReady = refusal?.error === 'not-ready';
    const isReadyNow = isReady(table, wish);
    useEffect(() => {
        if (isNotReady) {
            setRefused(true); // also when the sentence has been closed
        }
    }, [isNotReady]);
    useEffect(() => setRefused(false), [table.ready]); // something has been put right
    useEffect(() => {
        if (isReadyNow) {
            setRefused(false);
        }
        if (isReadyNow && isNotReady) {
            forgive();
        }
    }, [isReadyNow]);
    return isRefused;
}

/**
 * The screen before a game: the form, for those who may start, and the drawing. On a TV, which is out of
 * reach, the form is shown on request. `isAtSea`: the drawing is the table.
 */
export function SetUp({
    table,
    send,
    share,
    isConnected,
    forbidden,
    onCancel,
    isTv = false,
    isAtSea = false,
    children,
}) {
    const acts = useActs(table, send, isConnected);
    const [wish, setWish] = useWish(table, share);
    const [isHere, setHere] = useState(false);
    const mayStart = !forbidden.includes('start-game');
    const isForm = mayStart && (!isTv || isHere || onCancel !== null);
    return (
        <main
            class={`setup ${isTv ? 'far' : ''} ${isAtSea ? 'at-sea' : ''}`}
            aria-busy={acts.isWaiting}
        >
            <section class="setup-words">
                {isForm ? (
                    <StartForm
                        table={table}
                        wish={wish}
                        setWish={setWish}
                        acts={acts}
                        onCancel={onCancel}
                        isAtSea={isAtSea}
                    />
                ) : (
                    <NoGame table={table} wish={wish} onHere={mayStart ? () => setHere(true) : null} />
                )}
                {!isTv && !isAtSea && <SensorsLink table={table} forbidden={forbidden} />}
                {children}
                <Join table={table} />
                {!isForm && <HowToSteps info={table.info} game={wish} sentences={ESSENTIAL} />}
            </section>
            {isAtSea ? (
                <Drawing wish={wish} hasRuler={false} />
            ) : (
                <figure class="setup-table">
                    <Drawing wish={wish} />
                    <figcaption>
                        <SetUpSteps scenario={wish.scenario} />
                    </figcaption>
                </figure>
            )}
        </main>
    );
}

/** What is being entered elsewhere, and how to set it up. */
function NoGame({ table, wish, onHere }) {
    const texts = useTexts();
    const { players } = fieldsOf(wish, (number) => texts.say('playerNumber', { number }));
    return (
        <>
            <h1>{texts.say('noGame')}</h1>
            <p class="step">{texts.say('noGameHint')}</p>
            <ul class="who-plays">
                {players.map(({ name, harbours, team }, i) => (
                    <li key={i}>
                        <Colours harbours={harbours} />
                        <span dir="auto">{name}</span>
                        {team && <span class="tag">{texts.say('team', { team })}</span>}
                    </li>
                ))}
            </ul>
            <p class="step">
                {texts.say(`scenarios.${wish.scenario}`)} · {texts.say(`rules.${wish.rules}`)}
            </p>
            <ReadyCheck table={table} wish={wish} />
            {onHere && (
                <div class="acts">
                    <button data-here onClick={onHere}>
                        {texts.say('startHere')}
                    </button>
                </div>
            )}
        </>
    );
}

function SetUpSteps({ scenario }) {
    const texts = useTexts();
    return (
        <p class="step">
            {setupWords(texts, scenario)} {texts.say('sharedThings')}
        </p>
    );
}

function StartForm({ table, wish, setWish, acts, onCancel, isAtSea = false, children }) {
    const isNotReady = useNotReady(table, wish, acts);
    return (
        <NewGame
            table={table}
            wish={wish}
            setWish={setWish}
            isNotReady={isNotReady}
            onStart={starter(acts, table)}
            onCancel={onCancel}
            isAtSea={isAtSea}
            refusal={<Refusal acts={acts} />}
        >
            {children}
        </NewGame>
    );
}

/** The same form on a phone, where the drawing is folded. */
export function PhoneSetUp({ table, acts, share, onCancel }) {
    const texts = useTexts();
    const [wish, setWish] = useWish(table, share);
    return (
        <StartForm table={table} wish={wish} setWish={setWish} acts={acts} onCancel={onCancel}>
            <details>
                <summary>{texts.say('setup')}</summary>
                <Drawing wish={wish} />
                <SetUpSteps scenario={wish.scenario} />
            </details>
        </StartForm>
    );
}

/** After a game: the same players again, or another game. `isChecked`: with what has to be put up. */
export function NextGame({ table, acts, onOther, isChecked = false }) {
    const texts = useTexts();
    const wish = wishFrom({ ...table.state, first: 'draw' });
    const isNotReady = useNotReady(table, wish, acts);
    const again = {
        ...fieldsOf(wish, (number) =>
            texts.say('playerNumber', { number }),
        ),
        ...(isNotReady && { anyway: true }),
    };
    return (
        <Acting acts={acts}>
            <div class="next-game acts">
                <Tap
                    class={`${isNotReady ? 'danger' : 'primary'} huge ${acts.isWaiting ? 'sent' : ''}`}
                    data-verb="rematch"
                    onTap={() => starter(acts, table)(again)}
                >
                    {texts.say(isNotReady ? 'startAnyway' : 'rematch')}
                </Tap>
                <Tap data-other-game onTap={onOther}>
                    {texts.say('newGame')}
                </Tap>
            </div>
            {isChecked && <p class="hint">{texts.say('againHint')}</p>}
            {(isChecked || isNotReady) && !isReady(table, wish) && (
                <ReadyCheck table={table} wish={wish} />
            )}
        </Acting>
    );
}

/** Whether the form is open after a game, or to abandon it; and a setter. The next game closes it. */
export function useOtherGame({ state }) {
    const [openFor, setOpenFor] = useState(null);
    const game = state?.game ?? null;
    return [game !== null && openFor === game, (isOpen) => setOpenFor(isOpen ? game : null)];
}

/** Addresses that only this computer can reach. */
const LOOPBACK = /^(localhost|127\.|\[::1\]|$)/;

/** The address of the controls as a QR code. It contains no login. */
export function Join({ table }) {
    const texts = useTexts();
    const { origin, pathname, hostname, hash } = location;
    const elsewhere = new URLSearchParams(hash.slice(1)).get('join');
    const address = changedHash(hash, {
        table: table.name,
        view: 'captain',
        lang: null,
        user: null,
        password: null,
        tv: null,
        device: null,
        voice: null,
        join: null,
    });
    const page = elsewhere ?? (LOOPBACK.test(hostname) ? null : `${origin}${pathname}`);
    const rows = page && qrCode(`${page}${address}`);
    return (
        rows && (
            <figure class="join">
                <QrCode rows={rows} />
                <figcaption>{texts.say('join')}</figcaption>
            </figure>
        )
    );
}

const MARGIN = 4;

function QrCode({ rows }) {
    const texts = useTexts();
    const size = rows.length + 2 * MARGIN;
    const dark = rows.flatMap((row, y) =>
        row.map((isDark, x) => (isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : '')),
    );
    return (
        <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={texts.say('join')}>
            <rect width={size} height={size} fill="#ffffff" />
            <path d={dark.join('')} fill="#000000" />
        </svg>
    );
}
