/** A sheet game on the TV: counters, scores, hints, and the ranking at the end. */
import { countersOf, flagsOf, playerWith, valueWords } from '../sheets/state.js';
import { longClass, useTexts } from './common.jsx';
import { Confetti } from './celebration.jsx';
import { Thing } from './pictures.jsx';
import { phaseWords, SECRET, winnersWords } from './sheets.jsx';

/** The colours of the seats; a game may have more players than colours. */
const COLOURS = ['red', 'blue', 'green', 'yellow'];

/** So many players have room for larger scores. */
const FEW = 4;

/** More characters are set smaller. */
const LONG_SCORE = 4;

export function seatColour(sheet, id) {
    return COLOURS[sheet.players.findIndex((player) => player.id === id)] ?? 'nobody';
}

/** The frame of both views of a sheet game. */
export function SheetTabs({ view, sheet, linkTo }) {
    const texts = useTexts();
    return (
        <nav class="tabs" aria-label={sheet.title}>
            {['sheet', 'score'].map((each) => (
                <a
                    key={each}
                    href={linkTo({ view: each, sheet: sheet.sheet })}
                    aria-current={each === view ? 'page' : undefined}
                >
                    {texts.say(`sheets.tabs.${each}`)}
                </a>
            ))}
        </nav>
    );
}

export function SheetScreen({ sheet, linkTo }) {
    const texts = useTexts();
    const isOver = sheet.phase === 'over';
    return (
        <main class="sheet" data-seq={sheet.seq}>
            <SheetTabs view="sheet" sheet={sheet} linkTo={linkTo} />
            <header>
                <h1 dir="auto">{sheet.title}</h1>
                <span class="tag phase">{phaseWords(texts, sheet)}</span>
                <FirstPlayer sheet={sheet} />
            </header>
            {isOver && <SheetCelebration sheet={sheet} />}
            <Notes sheet={sheet} />
            <Counters sheet={sheet} player={null} />
            <ol class={`sheet-players ${isOver || sheet.players.length > FEW ? '' : 'few'}`}>
                {sheet.players.map((player) => (
                    <PlayerCard key={player.id} sheet={sheet} player={player} />
                ))}
            </ol>
        </main>
    );
}

function FirstPlayer({ sheet }) {
    const texts = useTexts();
    const { first, phase } = sheet;
    return (
        first !== null &&
        phase === 'playing' && (
            <span class="first-player">
                {texts.say('sheets.first', { name: playerWith(sheet, first).name })}
            </span>
        )
    );
}

/** What the table should know now: the final step, and hints. */
export function Notes({ sheet }) {
    const { text, phase, hints } = sheet;
    return (
        <ul class="sheet-notes" aria-live="polite">
            {text !== null && phase === 'final' && <li class="final">{text}</li>}
            {phase !== 'over' &&
                hints.map(({ player, text: words }) => (
                    <li key={`${player} ${words}`} class={seatColour(sheet, player)} data-hint>
                        {player !== null && (
                            <strong dir="auto">{playerWith(sheet, player).name}: </strong>
                        )}
                        {words}
                    </li>
                ))}
        </ul>
    );
}

function PlayerCard({ sheet, player }) {
    const texts = useTexts();
    const isFirst = sheet.first === player.id && sheet.phase === 'playing';
    return (
        <li class={`sheet-player ${seatColour(sheet, player.id)}`} data-player={player.id}>
            <h2 class={longClass(player.name)}>
                <span dir="auto">{player.name}</span>
                {isFirst && <span class="unseen"> ({texts.say('sheets.isFirst')})</span>}
            </h2>
            {player.role !== null && <p class="hint">{player.role}</p>}
            <p class="sheet-score">
                <span>{texts.say('sheets.score')}</span>
                <strong class={String(player.score).length > LONG_SCORE ? 'long' : ''} data-score>
                    {player.score ?? SECRET}
                </strong>
                {player.score === null && <span class="unseen">{texts.say('sheets.secret')}</span>}
            </p>
            <Counters sheet={sheet} player={player} />
        </li>
    );
}

/** The counters and flags of a player, or of the table. */
function Counters({ sheet, player }) {
    const texts = useTexts();
    const counters = countersOf(sheet, player);
    const flags = flagsOf(sheet, player).filter(({ isSet }) => isSet);
    return (
        counters.length + flags.length > 0 && (
            <ul class={player === null ? 'sheet-counters of-table' : 'sheet-counters'}>
                {counters.map(({ counter, value }) => (
                    <li key={counter.name} data-counter={counter.name}>
                        <span class="label">{counter.label}</span>
                        <strong>{value === null ? SECRET : valueWords(counter, value)}</strong>
                        {value === null && <span class="unseen">{texts.say('sheets.secret')}</span>}
                    </li>
                ))}
                {flags.map(({ flag }) => (
                    <li key={flag.name} class="flag" data-flag={flag.name}>
                        <span class="label">{flag.label}</span>
                        <strong aria-hidden="true">✓</strong>
                    </li>
                ))}
            </ul>
        )
    );
}

function SheetCelebration({ sheet }) {
    return (
        <section class={`celebration ${seatColour(sheet, sheet.winners[0])}`}>
            <Confetti />
            <SheetWinners sheet={sheet} />
        </section>
    );
}

/** Who has won, why the game is over, and the ranking. */
export function SheetWinners({ sheet }) {
    const texts = useTexts();
    return (
        <>
            <div class="winners" role="status">
                <Thing name="Flag" colour={seatColour(sheet, sheet.winners[0])} />
                <h2 dir="auto">{winnersWords(texts, sheet)}</h2>
                {sheet.text !== null && <p>{sheet.text}</p>}
            </div>
            <ol class="ranking" aria-label={texts.say('ranking')}>
                {sheet.ranking.map(({ player, place, score, title }) => (
                    <li
                        key={player}
                        class={sheet.winners.includes(player) ? 'winner' : ''}
                        data-place={place}
                    >
                        <span class="place">{texts.say('place', { place })}</span>
                        <span class="name" dir="auto">
                            {playerWith(sheet, player).name}
                        </span>
                        {title !== null && <span class="tag">{title}</span>}
                        <strong>{score}</strong>
                    </li>
                ))}
            </ol>
        </>
    );
}
