/** The menu for sound, voice and screen, and the links for spectators and streams. */
import { useEffect, useState } from 'preact/hooks';
import { THEMES } from '../address.js';
import { readCode } from '../show/device.js';
import { useTexts } from './common.jsx';
import { LinkToCopy } from './link_to_copy.jsx';

/** A choice that has not come back by then was not accepted by the broker. */
const ACCEPTED_MS = 2000;

/** Where a panel is part of the page, closing it would move the page away from the finger. */
function isOverPage(panel) {
    return getComputedStyle(panel.lastElementChild).position === 'absolute';
}

/** A tap elsewhere and the Escape key close the menu, and what else lies over the page and is marked so. */
function useClosing() {
    useEffect(() => {
        const close = (event) => {
            const panels = [...document.querySelectorAll('.closes[open]')].filter(isOverPage);
            for (const panel of panels) {
                const isElsewhere = event.type === 'pointerdown' && !panel.contains(event.target);
                if (isElsewhere || event.key === 'Escape') {
                    panel.open = false;
                }
            }
        };
        addEventListener('pointerdown', close);
        addEventListener('keydown', close);
        return () => {
            removeEventListener('pointerdown', close);
            removeEventListener('keydown', close);
        };
    }, []);
}

export function ShowMenu({ table, loudspeaker, theme, onSpeaker, linkTo, spectatorLink }) {
    const texts = useTexts();
    useClosing();
    return (
        <details class="show-menu closes">
            <summary aria-label={texts.say('show.menu')} title={texts.say('show.menu')}>
                <SpeakerIcon
                    isOn={loudspeaker.isChosen && !loudspeaker.settings.isMuted}
                    isLocked={loudspeaker.isLocked}
                />
            </summary>
            <div class="show-panel">
                <button
                    class="close-panel"
                    aria-label={texts.say('close')}
                    onClick={({ target }) => target.closest('details').removeAttribute('open')}
                >
                    ×
                </button>
                <h2>{texts.say('show.sound')}</h2>
                <SpeakerChoice table={table} loudspeaker={loudspeaker} onSpeaker={onSpeaker} />
                <Volume loudspeaker={loudspeaker} />
                <h2>{texts.say('show.screen')}</h2>
                <label class="row">
                    {texts.say('show.theme')}
                    <select
                        value={theme}
                        onChange={(event) => location.assign(linkTo({ theme: event.target.value }))}
                    >
                        {THEMES.map((each) => (
                            <option key={each} value={each}>
                                {texts.say(`show.themes.${each}`)}
                            </option>
                        ))}
                    </select>
                </label>
                <p class="links">
                    <a href={linkTo({ table: table.name, view: 'announcer' })}>
                        {texts.say('show.announcer')}
                    </a>
                    <a
                        href={linkTo({ table: table.name, view: 'overlay' })}
                        target="_blank"
                        rel="noreferrer"
                    >
                        {texts.say('show.overlay')}
                    </a>
                </p>
                <div class="spectators">
                    <LinkToCopy label={texts.say('show.spectators')} link={spectatorLink} />
                </div>
            </div>
        </details>
    );
}

function SpeakerIcon({ isOn, isLocked }) {
    return (
        <svg class="speaker-icon" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
            <path class="cone" d="M6 18 H15 L27 8 V40 L15 30 H6 Z" />
            <path
                class="waves"
                d={isOn ? 'M33 17 Q38 24 33 31 M38 11 Q47 24 38 37' : 'M33 18 L44 30 M44 18 L33 30'}
            />
            {isLocked && <circle class="locked" cx="40" cy="8" r="6" />}
        </svg>
    );
}

function SpeakerChoice({ table, loudspeaker, onSpeaker }) {
    const texts = useTexts();
    const [wanted, setWanted] = useState(undefined); // a code, or null for none
    const [isLate, setLate] = useState(false);
    const choose = (device) => {
        setWanted(device);
        setLate(false);
        setTimeout(() => setLate(true), ACCEPTED_MS);
        onSpeaker(device);
    };
    const isRefused = isLate && wanted !== undefined && wanted !== table.speaker;
    const { isChosen, isLocked, code } = loudspeaker;
    const who = isChosen ? 'here' : table.speaker === null ? 'nobody' : 'elsewhere';
    return (
        <>
            <p data-speaker={who}>{texts.say(`show.speaker.${who}`, { code: table.speaker })}</p>
            {isLocked && <p class="warning">{texts.say('show.tap')}</p>}
            <p class="row">
                {isChosen ? (
                    <button onClick={() => choose(null)}>{texts.say('show.stop')}</button>
                ) : (
                    <button class="primary" onClick={() => choose(code)}>
                        {texts.say('show.playHere')}
                    </button>
                )}
            </p>
            {isRefused && (
                <p class="warning" role="alert">
                    {texts.say('show.refused', { code })}
                </p>
            )}
            <OtherDevice code={code} onCode={choose} />
        </>
    );
}

/** A device whose login may not choose the speaker is chosen on another one, by its code. */
function OtherDevice({ code, onCode }) {
    const texts = useTexts();
    const [text, setText] = useState('');
    const submit = (event) => {
        event.preventDefault();
        onCode(readCode(text));
        setText('');
    };
    return (
        <details class="other-device">
            <summary>{texts.say('show.otherDevice')}</summary>
            <p>{texts.say('show.ownCode', { code })}</p>
            <form class="row" onSubmit={submit}>
                <input
                    aria-label={texts.say('show.code')}
                    placeholder={texts.say('show.code')}
                    value={text}
                    maxLength={4}
                    autoCapitalize="characters"
                    autoComplete="off"
                    spellcheck={false}
                    onInput={(event) => setText(event.target.value)}
                />
                <button disabled={readCode(text) === null}>{texts.say('show.choose')}</button>
            </form>
        </details>
    );
}

function Volume({ loudspeaker }) {
    const texts = useTexts();
    const { volume, isMuted, hasVoice } = loudspeaker.settings;
    return (
        <>
            <label class="row">
                {texts.say('show.volume')}
                <input
                    type="range"
                    name="volume"
                    min="0"
                    max="1"
                    step="0.05"
                    value={volume}
                    onInput={(event) => loudspeaker.change({ volume: Number(event.target.value) })}
                />
            </label>
            <label class="row">
                <input
                    type="checkbox"
                    name="mute"
                    checked={isMuted}
                    onChange={(event) => loudspeaker.change({ isMuted: event.target.checked })}
                />
                {texts.say('show.mute')}
            </label>
            {loudspeaker.hasVoice && (
                <label class="row">
                    <input
                        type="checkbox"
                        name="voice"
                        checked={hasVoice}
                        onChange={(event) => loudspeaker.change({ hasVoice: event.target.checked })}
                    />
                    {texts.say('show.voice')}
                </label>
            )}
        </>
    );
}
