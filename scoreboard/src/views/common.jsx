/** Parts that several views use: the texts of the chosen language, and pieces with their state. */
import { createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { conditionsOf, describePiece, playerOf } from '../conditions.js';
import { isRadio } from '../sensors.js';
import { PieceDrawing, Thing } from './pictures.jsx';

export const TextsContext = createContext(null);

export function useTexts() {
    return useContext(TextsContext);
}

/** Marks the page while a view is shown, for its style; not later, or its parts move once more. */
export function useScreen(name) {
    useLayoutEffect(() => {
        const { classList } = document.documentElement;
        classList.add(name);
        return () => classList.remove(name);
    }, [name]);
}

/** Long names are set smaller, so that all of the name is shown. */
const LONG_NAME = 14;
const LONGER_NAME = 24;

export function longClass(name) {
    return `${name.length > LONG_NAME ? 'long' : ''} ${name.length > LONGER_NAME ? 'longer' : ''}`;
}

/** The first colour of a player. */
export function colourOf(state, id) {
    return playerOf(state, id)?.harbours[0] ?? 'nobody';
}

/** The signs of a player's harbours. */
export function Colours({ harbours }) {
    return (
        <span class="colours" aria-hidden="true">
            {harbours.map((harbour) => (
                <i key={harbour} class={harbour} />
            ))}
        </span>
    );
}

/** The number of a team, on its colour. */
export function TeamSign({ team }) {
    const texts = useTexts();
    return (
        <b class={`team-sign team-${team}`} role="img" aria-label={texts.say('team', { team })}>
            {team}
        </b>
    );
}

/** As long as it takes to look up from the table. */
const GAIN_MS = 6000;

/** The score of a player, and for a moment, but not into the next turn, what has been added. */
export function Score({ player: { score }, turn }) {
    const [known, setKnown] = useState(score);
    const gain = score - known;
    useEffect(() => setKnown(score), [turn]);
    useEffect(() => {
        const timer = setTimeout(setKnown, GAIN_MS, score);
        return () => clearTimeout(timer);
    }, [score]);
    return (
        <span class="score-now">
            <strong key={score}>{score}</strong>
            {gain > 0 && (
                <b class="gain" aria-hidden="true">
                    +{gain}
                </b>
            )}
        </span>
    );
}

/** A problem of the ready check; if its kind is unknown, the message of the daemon. */
export function problemWords(texts, table, { kind, sensor, piece, message }) {
    const report = table.sensors[sensor];
    if (kind === 'faulty') {
        return texts.fault(sensor, report?.health, isRadio(report));
    }
    const values = {
        message,
        piece: piece && texts.piece(piece),
        sensor: sensor && texts.sensor(sensor),
        battery: report?.battery,
    };
    return kind === null ? message : texts.say(`missing.${kind}`, values);
}

function Badges({ state, name, conditions }) {
    const piece = state.pieces[name];
    const barrel = piece.cargo?.replace('barrel-', '');
    return (
        <>
            {conditions.includes('disturbed') && <span class="badge alarm">!</span>}
            {conditions.includes('combat') && (
                <span class="badge fight">
                    <Thing name="Swords" />
                </span>
            )}
            {conditions.includes('entangled') && (
                <span class="badge held">
                    <Thing name="Kraken" />
                </span>
            )}
            {conditions.includes('chest') && (
                <span class="badge cargo">
                    <Thing name="Chest" />
                </span>
            )}
            {conditions.includes('barrel') && (
                <span class="badge cargo">
                    <Thing name="Barrel" colour={barrel} />
                </span>
            )}
            {conditions.includes('captured') && (
                <span class="badge taken">
                    <Thing name="Flag" colour={colourOf(state, piece.by)} />
                </span>
            )}
            {conditions.includes('lives') && <span class="badge lives">{piece.lives}</span>}
        </>
    );
}

/** A piece as a picture with its state. */
export function Piece({ state, name }) {
    const texts = useTexts();
    const conditions = conditionsOf(state, name);
    const words = describePiece(texts, state, name);
    return (
        <span
            class={`piece ${conditions.join(' ')}`}
            data-piece={name}
            role="img"
            aria-label={words}
            title={words}
        >
            <PieceDrawing name={name} />
            <Badges state={state} name={name} conditions={conditions} />
        </span>
    );
}

/** A modal dialog; the Escape key closes it. */
export function Question({ title, onClose, children }) {
    const dialog = useRef(null);
    useEffect(() => {
        // Old browsers show it in its place on the page.
        if (dialog.current.showModal) {
            dialog.current.showModal();
        } else {
            dialog.current.setAttribute('open', '');
            dialog.current.scrollIntoView();
        }
    }, []);
    return (
        <dialog ref={dialog} onClose={onClose} aria-label={title}>
            <h2>{title}</h2>
            <div class="acts">{children}</div>
        </dialog>
    );
}

/** Radio buttons, displayed as a row. */
export function Choice({ label, name, options, value, onChoose }) {
    return (
        <fieldset class="choice">
            <legend>{label}</legend>
            {options.map(([option, text]) => (
                <label key={option} class={option === value ? 'chosen' : ''}>
                    <input
                        type="radio"
                        name={name}
                        value={option}
                        checked={option === value}
                        onChange={() => onChoose(option)}
                    />
                    <span>{text}</span>
                </label>
            ))}
        </fieldset>
    );
}
