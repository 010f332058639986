/** A game of the logbook: the board at any moment, and its timeline. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { changedHash } from '../address.js';
import {
    captureSteps,
    eventsOf,
    SPEEDS,
    stepAt,
    tableAt,
    waitAfter,
} from '../logbook/recording.js';
import { Soundtrack } from '../show/soundtrack.js';
import { boardClass, Game } from './board.jsx';
import { useScreen, useTexts } from './common.jsx';
import { LinkToCopy } from './link_to_copy.jsx';

/** At higher speeds the next scene would come before the last one has been seen. */
const SCENES_SPEED_MAX = 2;

const TIME = { timeStyle: 'medium' };

/** Browsers limit how often a page may change its address. */
const ADDRESS_MS = 500;

/**
 * `recording` has at least one step; it grows while its game is loaded. `wish` has the `seq` to
 * start with, and is another object when the address has changed. linkAt(seq) is the link to a moment.
 * The playback uses the loudspeaker, and stage(event, state) for scenes; `children` are the title.
 */
export function Replay({ recording, wish, linkAt, loudspeaker, stage, children }) {
    const texts = useTexts();
    useScreen('filled');
    const { index, show, playing, setPlaying } = usePlayback({ recording, wish, loudspeaker, stage });
    const table = useMemo(() => tableAt(recording, index), [recording, index]);
    const captures = useMemo(() => captureSteps(recording), [recording]);
    const { seq } = recording.steps[index];
    useAddress(seq, playing > 0);
    return (
        <main class="replay">
            {children}
            <div class={boardClass(table.state)}>
                <Game table={table} />
            </div>
            <section class="timeline" aria-label={texts.say('logbook.timeline')}>
                <p class="moment-words">
                    <span class="tag">{texts.say('turnNumber', table.state)}</span>
                    <span dir="auto">{sentenceAt(texts, table)}</span>
                    <time>{texts.date(table.log.events.at(-1)?.at, TIME)}</time>
                </p>
                <Slider
                    recording={recording}
                    captures={captures}
                    index={index}
                    table={table}
                    onSeek={show}
                />
                <Controls
                    last={recording.steps.length - 1}
                    captures={captures}
                    index={index}
                    table={table}
                    playing={playing}
                    setPlaying={setPlaying}
                    onSeek={show}
                    loudspeaker={loudspeaker}
                />
                <details class="share">
                    <summary>{texts.say('logbook.share')}</summary>
                    <LinkToCopy label={texts.say('logbook.link')} link={linkAt(seq)} />
                </details>
            </section>
        </main>
    );
}

/** The shown step, and the speed of the playback (0: none). */
function usePlayback({ recording, wish, loudspeaker, stage }) {
    const [index, setIndex] = useState(() => stepAt(recording, wishedSeq(wish)));
    const [playing, setPlaying] = useState(0);
    const soundtrack = useRef(new Soundtrack());
    const last = recording.steps.length - 1;

    /** A moment that is not loaded yet is shown as soon as it is. */
    const wanted = useRef(null);
    const show = (next) => {
        wanted.current = null;
        soundtrack.current = new Soundtrack();
        setIndex(next);
    };
    useEffect(() => {
        wanted.current = wishedSeq(wish);
    }, [wish]);
    useEffect(() => {
        if (wanted.current !== null) {
            setIndex(stepAt(recording, wanted.current));
        }
    }, [wish, recording]);

    useEffect(() => {
        if (playing === 0) {
            return undefined;
        }
        if (index === last) {
            setPlaying(0);
            return undefined;
        }
        const goOn = () => {
            const { state } = recording.steps[index + 1];
            for (const event of eventsOf(recording, index + 1)) {
                const sound = soundtrack.current.next(event);
                if (sound) {
                    loudspeaker.playHere(sound);
                }
                if (playing <= SCENES_SPEED_MAX) {
                    stage(event, state);
                }
            }
            wanted.current = null;
            setIndex(index + 1);
        };
        const timer = setTimeout(goOn, waitAfter(recording, index, playing));
        return () => clearTimeout(timer);
    }, [recording, index, playing]);
    return { index: Math.min(index, last), show, playing, setPlaying };
}

/** Without one, the replay begins with the game. */
function wishedSeq({ seq }) {
    return Number(seq) || 0;
}

/** Keeps the shown moment in the address, so that a reload and a copied address show it. */
function useAddress(seq, isPlaying) {
    useEffect(() => {
        if (isPlaying) {
            return undefined;
        }
        const write = () =>
            history.replaceState(null, '', changedHash(location.hash, { seq: String(seq) }));
        const timer = setTimeout(write, ADDRESS_MS);
        return () => clearTimeout(timer);
    }, [seq, isPlaying]);
}

function Slider({ recording, captures, index, table, onSeek }) {
    const texts = useTexts();
    const slider = useRef(null);
    const last = recording.steps.length - 1;
    useEffect(() => slider.current.focus(), []); // the arrow keys work at once
    return (
        <div class="slider">
            <div class="captures" aria-hidden="true">
                {captures.map((step) => (
                    <i key={step} style={{ left: `${(100 * step) / Math.max(1, last)}%` }} />
                ))}
            </div>
            <input
                ref={slider}
                type="range"
                name="moment"
                min="0"
                max={last}
                value={index}
                data-seq={recording.steps[index].seq}
                style={{ '--at': `${(100 * index) / Math.max(1, last)}%` }}
                aria-label={texts.say('logbook.moment')}
                aria-valuetext={`${texts.say('turnNumber', table.state)}: ${sentenceAt(texts, table)}`}
                onInput={({ target }) => onSeek(Number(target.value))}
            />
        </div>
    );
}

/** The last event of the shown moment. */
function sentenceAt(texts, { log, state }) {
    const event = log.events.at(-1);
    return event ? texts.event(event, state.players) : '';
}

function Controls({ last, captures, index, table, playing, setPlaying, onSeek, loudspeaker }) {
    const texts = useTexts();
    const [speed, setSpeed] = useState(1);
    const before = captures.findLast((step) => step < index);
    const after = captures.find((step) => step > index);
    const jump = (step) => {
        setPlaying(0);
        onSeek(step);
    };
    const play = () => {
        loudspeaker.open();
        if (index === last) {
            onSeek(0);
        }
        setPlaying(speed);
    };
    const choose = (value) => {
        setSpeed(value);
        setPlaying(playing > 0 ? value : 0);
    };
    return (
        <div class="controls">
            <IconButton
                icon="before"
                label={texts.say('logbook.captureBefore')}
                disabled={before === undefined}
                onClick={() => jump(before)}
            />
            <IconButton
                icon={playing > 0 ? 'pause' : 'play'}
                label={texts.say(playing > 0 ? 'logbook.pause' : 'logbook.play')}
                disabled={last === 0}
                onClick={playing > 0 ? () => setPlaying(0) : play}
            />
            <IconButton
                icon="after"
                label={texts.say('logbook.captureAfter')}
                disabled={after === undefined}
                onClick={() => jump(after)}
            />
            <label>
                <span class="unseen">{texts.say('logbook.speed')}</span>
                <select
                    name="speed"
                    value={speed}
                    onChange={({ target }) => choose(Number(target.value))}
                >
                    {SPEEDS.map((each) => (
                        <option key={each} value={each}>
                            {each}×
                        </option>
                    ))}
                </select>
            </label>
            <label class="mute">
                <input
                    type="checkbox"
                    name="sound"
                    checked={!loudspeaker.settings.isMuted}
                    onChange={({ target }) => loudspeaker.change({ isMuted: !target.checked })}
                />
                {texts.say('show.sound')}
            </label>
            <p class="unseen" aria-live="polite">
                {playing > 0 && sentenceAt(texts, table)}
            </p>
        </div>
    );
}

const ICONS = {
    before: 'M5 4 V20 M20 4 L8 12 L20 20 Z',
    play: 'M6 3 L21 12 L6 21 Z',
    pause: 'M8 4 V20 M16 4 V20',
    after: 'M19 4 V20 M4 4 L16 12 L4 20 Z',
};

function IconButton({ icon, label, ...rest }) {
    return (
        <button class="icon" data-icon={icon} aria-label={label} title={label} {...rest}>
            <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
                <path d={ICONS[icon]} />
            </svg>
        </button>
    );
}
