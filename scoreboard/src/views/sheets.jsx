/** Score sheets in the lobby: the games that are being scored, and the form for another one. */
import { useState } from 'preact/hooks';
import { excitementOfSheet, mostExcitingFirst } from '../excitement.js';
import { fitName } from '../newgame.js';
import { inLanguage, sheetText } from '../sheets/language.js';
import { playerWith } from '../sheets/state.js';
import { Choice, useTexts } from './common.jsx';
import { NoAnswer, useAnswer } from './logbook.jsx';
import { OpeningForm, Openings } from './openings.jsx';

/** The sign for what is secret until the end. */
export const SECRET = '?';

/** `mayOpen`: this login may open a game, and a logbook is there. */
export function SheetGames({ sheets, logbook, mayOpen, send, linkTo }) {
    const texts = useTexts();
    const games = mostExcitingFirst(Object.values(sheets), excitementOfSheet);
    return (
        <Openings
            kind="sheet"
            title={texts.say('sheets.title')}
            another={texts.say('sheets.another')}
            cards={games.map((sheet) => (
                <SheetCard key={sheet.sheet} sheet={sheet} linkTo={linkTo} />
            ))}
            mayOpen={mayOpen}
            form={(onCancel) => <NewSheet {...{ logbook, send, linkTo, onCancel }} />}
        />
    );
}

function SheetCard({ sheet: untranslated, linkTo }) {
    const texts = useTexts();
    const sheet = inLanguage(untranslated, texts.code);
    return (
        <li>
            <a href={linkTo({ view: 'sheet', sheet: sheet.sheet })} data-sheet={sheet.sheet}>
                <h3 dir="auto">{sheet.title}</h3>
                <span class="tag">{phaseWords(texts, sheet)}</span>
                <ol>
                    {sheet.players.map(({ id, name, score }) => (
                        <li key={id}>
                            <span dir="auto">{name}</span> <strong>{score ?? SECRET}</strong>
                        </li>
                    ))}
                </ol>
            </a>
        </li>
    );
}

/** "Round 3", "Final step", "Game over" */
export function phaseWords(texts, { phase, round }) {
    return phase === 'playing'
        ? texts.say('sheets.round', { round })
        : texts.say(`sheets.phases.${phase}`);
}

/** Who has won. */
export function winnersWords(texts, sheet) {
    const names = sheet.winners.map((id) => playerWith(sheet, id).name);
    return texts.say('winners', { names: texts.list(names) });
}

/** Which game, who plays, and in which role. */
function NewSheet({ logbook, send, linkTo, onCancel }) {
    const texts = useTexts();
    const answer = useAnswer(true, () => logbook.sheets(), []);
    const { players: known = [] } = useAnswer(true, () => logbook.players(), []) ?? {};
    const [name, setName] = useState(null);
    const [count, setCount] = useState(null);
    const [names, setNames] = useState([]);
    const [order, setOrder] = useState([]); // roles by seat
    const sheets = answer?.sheets ?? [];
    const sheet = sheets.find((each) => each.name === name) ?? sheets[0];
    if (sheet === undefined) {
        return (
            <div role="status">
                {answer?.error && <NoAnswer answer={answer} />}
                {answer?.sheets && <p class="hint">{texts.say('sheets.none')}</p>}
            </div>
        );
    }
    const [min, max] = sheet.players;
    const seats = seatsFrom(Math.min(Math.max(count ?? min, min), max));
    const roles = sheet.roles ?? [];
    const seated = order.length > 0 ? order : roles;
    const choose = (chosen) => {
        setName(chosen);
        setOrder([]);
    };
    const fields = () => ({
        name: sheet.name,
        players: seats.map((seat) => ({
            name: names[seat]?.trim() || texts.say('playerNumber', { number: seat + 1 }),
            ...(roles.length > 0 && { role: seated[seat] }),
        })),
    });
    return (
        <OpeningForm
            kind="sheet"
            start={texts.say('start')}
            explain={(refusal) => texts.refusal(refusal)}
            onOpened={(id) => location.assign(linkTo({ view: 'score', sheet: id }))}
            {...{ send, fields, onCancel }}
        >
            <Choice
                label={texts.say('sheets.which')}
                name="sheet"
                value={sheet.name}
                options={sheets.map((each) => [
                    each.name,
                    sheetText(each, texts.code, each.title),
                ])}
                onChoose={choose}
            />
            <Choice
                label={texts.say('players')}
                name="sheet-players"
                value={seats.length}
                options={seatsFrom(max - min + 1).map((i) => [min + i, min + i])}
                onChoose={setCount}
            />
            <datalist id="sheet-names">
                {known.map(({ player }) => (
                    <option key={player} value={player} />
                ))}
            </datalist>
            <div class="sheet-seats">
                {seats.map((seat) => (
                    <div class="sheet-seat" key={seat}>
                        <input
                            aria-label={texts.say('nameOf', { number: seat + 1 })}
                            name={`name-${seat + 1}`}
                            dir="auto"
                            list="sheet-names"
                            placeholder={texts.say('playerNumber', { number: seat + 1 })}
                            value={names[seat] ?? ''}
                            onInput={({ target }) =>
                                setNames(changed(names, seat, fitName(target.value)))
                            }
                            autocomplete="off"
                        />
                        {roles.length > 0 && (
                            <select
                                aria-label={texts.say('sheets.roleOf', { number: seat + 1 })}
                                name={`role-${seat + 1}`}
                                value={seated[seat]}
                                onChange={({ target }) =>
                                    setOrder(swapped(seated, seat, target.value))
                                }
                            >
                                {roles.map((role) => (
                                    <option key={role} value={role}>
                                        {sheetText(sheet, texts.code, role)}
                                    </option>
                                ))}
                            </select>
                        )}
                    </div>
                ))}
            </div>
        </OpeningForm>
    );
}

function seatsFrom(count) {
    return Array.from({ length: count }, (_, i) => i);
}

function changed(list, index, value) {
    const next = [...list];
    next[index] = value;
    return next;
}

/** Each role once: the seat that had it gets the replaced one. */
function swapped(roles, seat, role) {
    return changed(changed(roles, roles.indexOf(role), roles[seat]), seat, role);
}
