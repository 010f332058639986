/** A sheet game on the phone: buttons for what is counted, and the value of one's own secrets. */
import { useState } from 'preact/hooks';
import { signed, translateRefusal, undoneWords } from '../sheets/language.js';
import { ownSecret, rememberSecret } from '../sheets/secrets.js';
import { countersOf, flagsOf, playerWith, valueWords } from '../sheets/state.js';
import { Act, Acting, Refusal, useActs } from './acts.jsx';
import { Choice, Question, useScreen, useTexts } from './common.jsx';
import { Notes, seatColour, SheetTabs, SheetWinners } from './sheet_screen.jsx';
import { phaseWords, SECRET } from './sheets.jsx';

/** The maximum of a counter whose sheet has none. */
const NO_MAXIMUM = 100000;

/** The folder of a command below the logbook; all others are below command/. */
const SCORE_VERBS = ['count', 'flag', 'round', 'finish'];

/**
 * `send(topic, fields)` resolves to the reply. `forbidden` are the topics that this login may not
 * use; `isOnline` tells whether a logbook is there.
 */
export function SheetPhone({ sheet, send, isConnected, isOnline, forbidden, linkTo, whoAmI }) {
    const texts = useTexts();
    const [seat, setSeat] = useState(null);
    const sendCommand = async ({ verb, ...fields }) => {
        const folder = SCORE_VERBS.includes(verb) ? 'score' : 'command';
        const reply = await send(`${folder}/${verb}`, { sheet: sheet.sheet, ...fields });
        const counter = sheet.counters_of.find(({ name }) => name === fields.counter);
        if (reply.ok && counter?.secret) {
            rememberSecret(sheet.sheet, reply.seq, fields);
        }
        return translateRefusal(texts, sheet, reply);
    };
    const state = { game: sheet.sheet, seq: sheet.seq };
    const acts = useActs({ state, online: isOnline }, sendCommand, isConnected, 'logbook-offline');
    useScreen('has-footer');
    const may = (topic) => !forbidden.includes(topic);
    const player = playerWith(sheet, seat) ?? sheet.players[0];
    const isOver = sheet.phase === 'over';
    if (!may('score/count')) {
        return (
            <main class="captain scoring">
                <SheetTabs view="score" sheet={sheet} linkTo={linkTo} />
                <p class="hint" data-may-watch>
                    {texts.say('sheets.mayWatch')}
                </p>
                {whoAmI}
            </main>
        );
    }
    return (
        <main
            class={`captain scoring ${acts.isOffline ? 'is-offline' : ''}`}
            aria-busy={acts.isWaiting}
            data-seq={sheet.seq}
        >
            <Acting acts={acts}>
                <SheetTabs view="score" sheet={sheet} linkTo={linkTo} />
                <header class="sheet-title">
                    <h1 dir="auto">{sheet.title}</h1>
                    <span class="tag phase">{phaseWords(texts, sheet)}</span>
                </header>
                <Notes sheet={sheet} />
                {isOver ? (
                    <section class="game-over">
                        <SheetWinners sheet={sheet} />
                    </section>
                ) : (
                    <>
                        <Choice
                            label={texts.say('sheets.whose')}
                            name="seat"
                            value={player.id}
                            options={sheet.players.map(({ id, name }) => [id, name])}
                            onChoose={setSeat}
                        />
                        <Entries key={player.id} sheet={sheet} player={player} act={acts.act} />
                        <Entries sheet={sheet} player={null} act={acts.act} />
                    </>
                )}
                {may('command/close-sheet') && <Close isOver={isOver} act={acts.act} />}
                <footer class="always">
                    {acts.isOffline && (
                        <p class="offline-hint">{texts.say('sheets.buttonsOffline')}</p>
                    )}
                    <Refusal acts={acts} />
                    <Always sheet={sheet} mayUndo={may('command/undo-sheet')} act={acts.act} />
                </footer>
            </Acting>
        </main>
    );
}

function Always({ sheet, mayUndo, act }) {
    const texts = useTexts();
    const { phase, can_finish: canFinish, undo } = sheet;
    return (
        <div class="row">
            {mayUndo && undo !== null && (
                <Act command={{ verb: 'undo-sheet' }} act={act} kind="undo">
                    {texts.say('sheets.undo', { what: undoneWords(texts, sheet) })}
                </Act>
            )}
            {phase === 'playing' && (
                <Act command={{ verb: 'round' }} act={act} kind="primary">
                    {texts.say('sheets.endRound')}
                </Act>
            )}
            {canFinish && (
                <Act command={{ verb: 'finish' }} act={act} kind="primary">
                    {texts.say(phase === 'final' ? 'sheets.finishFinal' : 'sheets.finish')}
                </Act>
            )}
        </div>
    );
}

/** What can be entered for a player, or for the table (null). */
function Entries({ sheet, player, act }) {
    const texts = useTexts();
    const counters = countersOf(sheet, player);
    const flags = flagsOf(sheet, player);
    const title = player === null ? texts.say('sheets.ofTable') : player.name;
    const target = player === null ? {} : { player: player.id };
    return (
        counters.length + flags.length > 0 && (
            <section
                class={`entries ${player === null ? 'nobody' : seatColour(sheet, player.id)}`}
                aria-label={title}
            >
                <h2 dir="auto">{title}</h2>
                {player !== null && (
                    <p class="hint">
                        {player.role !== null && <span>{player.role} · </span>}
                        {texts.say('sheets.score')}{' '}
                        <strong data-score>{player.score ?? SECRET}</strong>
                    </p>
                )}
                {counters.map(({ counter, value }) => (
                    <Counter
                        key={counter.name}
                        sheet={sheet}
                        counter={counter}
                        value={value}
                        seqs={(player ?? sheet).secret?.[counter.name] ?? []}
                        command={{ verb: 'count', counter: counter.name, ...target }}
                        act={act}
                    />
                ))}
                {flags.length > 0 && (
                    <div class="acts">
                        {flags.map(({ flag, isSet }) => (
                            <Act
                                key={flag.name}
                                command={{
                                    verb: 'flag',
                                    flag: flag.name,
                                    ...target,
                                    value: !isSet,
                                }}
                                act={act}
                                isChosen={isSet}
                            >
                                {isSet && <span aria-hidden="true">✓ </span>}
                                {flag.label}
                            </Act>
                        ))}
                    </div>
                )}
            </section>
        )
    );
}

function Counter({ sheet, counter, value, seqs, command, act }) {
    const texts = useTexts();
    const { label, name, steps, values, when } = counter;
    const isOpen = when !== 'final' || sheet.phase === 'final';
    return (
        <div class="counter" role="group" aria-label={label} data-counter={name}>
            <h3>{label}</h3>
            <p class="value">
                {value === null ? (
                    <Secret sheet={sheet} counter={counter} seqs={seqs} />
                ) : (
                    <strong>{valueWords(counter, value)}</strong>
                )}
            </p>
            {!isOpen && <p class="hint">{texts.say('sheets.later')}</p>}
            {isOpen && values?.length > 0 && (
                <div class="acts">
                    {values.map((words, i) => (
                        <Act
                            key={words}
                            command={{ ...command, to: counter.min + i }}
                            act={act}
                            isChosen={value === counter.min + i}
                        >
                            {words}
                        </Act>
                    ))}
                </div>
            )}
            {isOpen && !values?.length && (
                <div class="acts">
                    {steps.map((by) => (
                        <Act key={by} command={{ ...command, by }} act={act} kind="step-by">
                            {signed(by)}
                        </Act>
                    ))}
                    <NumberEntry counter={counter} onEnter={(to) => act({ ...command, to })} />
                </div>
            )}
        </div>
    );
}

/** A secret counter: its value, if it was entered on this device. */
function Secret({ sheet, counter, seqs }) {
    const texts = useTexts();
    const own = ownSecret(sheet.sheet, counter.start, seqs);
    return (
        <>
            {own !== null && (
                <strong data-own>
                    {own.value === undefined ? signed(own.change) : valueWords(counter, own.value)}
                </strong>
            )}
            <span class="hint">
                {texts.say(own === null ? 'sheets.secret' : 'sheets.onlyHere')}
            </span>
        </>
    );
}

/** The number goes to the logbook as it was entered; the logbook says which ones it accepts. */
function NumberEntry({ counter: { label, name, min, max }, onEnter }) {
    const texts = useTexts();
    const [text, setText] = useState('');
    const submit = async (event) => {
        event.preventDefault();
        const isWhole = /^-?\d{1,9}$/.test(text.trim());
        if (isWhole && (await onEnter(Number(text)))) {
            setText('');
        }
    };
    return (
        <form class="enter-number" onSubmit={submit}>
            <input
                type="number"
                step="1"
                required
                placeholder={max < NO_MAXIMUM ? `${min}–${max}` : `≥ ${min}`}
                aria-label={texts.say('sheets.number', { label, min, max })}
                name={`number-${name}`}
                value={text}
                onInput={({ target }) => setText(target.value)}
            />
            <button>{texts.say('sheets.set')}</button>
        </form>
    );
}

/** Removes the game from the list; asks first while it is being played. */
function Close({ isOver, act }) {
    const texts = useTexts();
    const [isAsking, setAsking] = useState(false);
    const close = () => {
        setAsking(false);
        act({ verb: 'close-sheet' });
    };
    return (
        <>
            <button class="quiet" data-close onClick={() => (isOver ? close() : setAsking(true))}>
                {texts.say(isOver ? 'sheets.remove' : 'abandon')}
            </button>
            {isAsking && (
                <Question title={texts.say('sheets.closeSure')} onClose={() => setAsking(false)}>
                    <button class="danger" data-close-sure onClick={close}>
                        {texts.say('yesAbandon')}
                    </button>
                    <button onClick={() => setAsking(false)}>{texts.say('keepPlaying')}</button>
                </Question>
            )}
        </>
    );
}
