/** The logbook: the stored games, and one of them with its timeline. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sheetText } from '../sheets/language.js';
import { SCENARIOS } from '../words.js';
import { useTexts } from './common.jsx';
import { Replay } from './replay.jsx';

/** The logbook stores the events of a game first, and its boards soon after. */
const ASK_AGAIN_MS = 2000;

/**
 * `logbook` answers queries. `isOnline` is null as long as no logbook has been heard of, and
 * undefined without a connection. `wish` is what the address says: a game, or a filter. gameAt(table)
 * is the id of the game that is on a table now, null if that is unknown.
 */
export function LogbookView({ logbook, isOnline, wish, linkTo, gameAt, ...replay }) {
    if (wish.game !== null) {
        return (
            <StoredGame
                key={wish.game}
                logbook={logbook}
                isOnline={isOnline}
                wish={wish}
                linkTo={linkTo}
                gameAt={gameAt}
                {...replay}
            />
        );
    }
    return (
        <LogbookPage view="logbook" isOnline={isOnline} linkTo={linkTo}>
            <Games {...{ logbook, isOnline, wish, linkTo, gameAt }} />
        </LogbookPage>
    );
}

/** The frame of games and hall of fame. Without a logbook it says how to start one. */
export function LogbookPage({ view, isOnline, linkTo, children }) {
    const texts = useTexts();
    return (
        <main class={`logbook ${view}`}>
            <nav class="tabs" aria-label={texts.say('views.logbook')}>
                {['logbook', 'fame'].map((each) => (
                    <a
                        key={each}
                        href={linkTo({ view: each })}
                        aria-current={each === view ? 'page' : undefined}
                    >
                        {texts.say(`logbook.tabs.${each}`)}
                    </a>
                ))}
            </nav>
            <h1>{texts.say(`logbook.titles.${view}`)}</h1>
            <Presence isOnline={isOnline} />
            {children}
        </main>
    );
}

function Presence({ isOnline }) {
    const texts = useTexts();
    const key = isOnline === null ? 'none' : 'offline';
    return (
        <div role="status">
            {(isOnline === null || isOnline === false) && (
                <p class="no-logbook" data-logbook={key}>
                    {texts.say(`logbook.${key}`)}
                </p>
            )}
        </div>
    );
}

/**
 * The answer to a query, null until it is there; it is asked again when `keys` change. Nobody is
 * asked while no logbook is there.
 */
export function useAnswer(isOnline, query, keys) {
    const [answer, setAnswer] = useState(null);
    useEffect(() => {
        let isWanted = Boolean(isOnline);
        if (isWanted) {
            query().then((reply) => isWanted && setAnswer(reply));
        }
        return () => {
            isWanted = false;
        };
    }, [isOnline, ...keys]);
    return answer;
}

/** The titles of score sheets by their names, in the language of the page; asked only if `isNeeded`. */
export function useSheetTitles(logbook, isOnline, isNeeded) {
    const { code } = useTexts();
    const { sheets = [] } = useAnswer(isOnline && isNeeded, () => logbook.sheets(), []) ?? {};
    return (name) => {
        const sheet = sheets.find((each) => each.name === name);
        return sheet ? sheetText(sheet, code, sheet.title) : name;
    };
}

/** Why there is no answer. */
export function NoAnswer({ answer }) {
    const texts = useTexts();
    const { error, message } = answer;
    const isKnown = Object.hasOwn(texts.words.logbook.errors, error);
    return (
        <p class="warning" role="alert" data-error={error}>
            {isKnown ? texts.say(`logbook.errors.${error}`) : message}
        </p>
    );
}

function Games({ logbook, isOnline, wish, linkTo, gameAt }) {
    const texts = useTexts();
    const { player, scenario, from, to } = wish;
    const [pages, setPages] = useState([]); // the last game of each page before this one
    useEffect(() => setPages([]), [player, scenario, from, to]);
    const answer = useAnswer(
        isOnline,
        () => logbook.games({ player, scenario, from, to }, pages.at(-1)),
        [player, scenario, from, to, pages],
    );
    const { games = [], more = false } = answer ?? {};
    const hasSheets = games.some(({ sheet }) => sheet);
    const titleOf = useSheetTitles(logbook, isOnline, hasSheets);
    return (
        <>
            <Filter logbook={logbook} isOnline={isOnline} wish={wish} linkTo={linkTo} />
            {answer?.error && <NoAnswer answer={answer} />}
            <p class="hint" role="status">
                {answer?.games && games.length === 0 && texts.say('logbook.noGames')}
            </p>
            <ol class="games">
                {games.map((game) => (
                    <GameCard
                        key={game.game}
                        game={game}
                        gameAt={gameAt}
                        titleOf={titleOf}
                        href={linkTo({ view: 'logbook', game: game.game })}
                    />
                ))}
            </ol>
            <p class="pager">
                <button
                    data-page="newer"
                    disabled={pages.length === 0}
                    onClick={() => setPages(pages.slice(0, -1))}
                >
                    {texts.say('logbook.newer')}
                </button>
                <button
                    data-page="older"
                    disabled={!more}
                    onClick={() => setPages([...pages, games.at(-1).game])}
                >
                    {texts.say('logbook.older')}
                </button>
            </p>
        </>
    );
}

/** The filter is in the address: it can be shared, and Back returns to it. */
function Filter({ logbook, isOnline, wish, linkTo }) {
    const texts = useTexts();
    const { players = [] } = useAnswer(isOnline, () => logbook.players(), []) ?? {};
    const change = ({ target: { name, value } }) =>
        location.assign(linkTo({ [name]: value || null }));
    const field = (name, type) => (
        <label>
            {texts.say(`logbook.filter.${name}`)}
            <FilterInput
                type={type}
                name={name}
                wished={wish[name] ?? ''}
                list={name === 'player' ? 'logbook-players' : undefined}
                onChange={change}
            />
        </label>
    );
    return (
        <form class="filter" role="search" onSubmit={(event) => event.preventDefault()}>
            {field('player', 'text')}
            <datalist id="logbook-players">
                {players.map(({ player }) => (
                    <option key={player} value={player} />
                ))}
            </datalist>
            <label>
                {texts.say('scenario')}
                <select name="scenario" value={wish.scenario ?? ''} onChange={change}>
                    <option value="">{texts.say('logbook.filter.all')}</option>
                    {SCENARIOS.map((each) => (
                        <option key={each} value={each}>
                            {texts.say(`scenarios.${each}`)}
                        </option>
                    ))}
                </select>
            </label>
            {field('from', 'date')}
            {field('to', 'date')}
        </form>
    );
}

/** Shows what is wished only when that changes: the next message must not erase what is being typed. */
function FilterInput({ wished, ...attributes }) {
    const input = useRef();
    useLayoutEffect(() => {
        input.current.value = wished;
    }, [wished]);
    return <input ref={input} maxLength={64} {...attributes} />;
}

/** A game with a score sheet has no boards to look at. */
function GameCard({ game, gameAt, titleOf, href }) {
    const texts = useTexts();
    const Card = game.sheet ? 'div' : 'a';
    return (
        <li>
            <Card class="game-card" href={game.sheet ? undefined : href} data-game={game.game}>
                <GameTitle game={game} gameAt={gameAt} titleOf={titleOf} />
                <span class="seats">
                    {game.players.map((name, i) => (
                        <span key={i} class={game.winners.includes(name) ? 'winner' : ''}>
                            <bdi>{name}</bdi> <strong>{game.points[i]}</strong>
                            {game.winners.includes(name) && (
                                <span class="unseen"> ({texts.say('logbook.won')})</span>
                            )}
                        </span>
                    ))}
                </span>
            </Card>
        </li>
    );
}

/** When, where and what was played. */
function GameTitle({ game, gameAt, titleOf }) {
    const texts = useTexts();
    const { began, ended, table, sheet, scenario, turns } = game;
    const hasScenario = scenario !== null && scenario !== 'none';
    const when = texts.date(began, { dateStyle: 'medium', timeStyle: 'short' });
    return (
        <span class="game-title">
            <time dateTime={began}>{when}</time>
            {sheet ? (
                <span class="tag">{titleOf(sheet)}</span>
            ) : (
                <span class="table-name">{table}</span>
            )}
            {hasScenario && <span class="tag">{texts.say(`scenarios.${scenario}`)}</span>}
            {!sheet && <span class="hint">{texts.count('turns', turns)}</span>}
            {ended === null && <Unfinished game={game} current={sheet ? null : gameAt(table)} />}
        </span>
    );
}

/** A table has one game at a time: another one there means that this game was abandoned. */
function Unfinished({ game, current }) {
    const texts = useTexts();
    const known = current === game.game ? 'open' : 'abandoned';
    const key = current === null ? 'unfinished' : known;
    return (
        <span class={`tag ${key}`} data-unfinished={key}>
            {texts.say(`logbook.${key}`)}
        </span>
    );
}

function StoredGame({ logbook, isOnline, wish, linkTo, linkAt, gameAt, ...replay }) {
    const texts = useTexts();
    const [part, setPart] = useState(null); // {game, recording}
    const [attempt, setAttempt] = useState(1);
    const failure = useAnswer(
        isOnline,
        () => logbook.read(wish.game, (game, recording) => setPart({ game, recording })),
        [wish.game, attempt],
    );
    useEffect(() => {
        if (part?.recording.steps.length !== 0) {
            return undefined;
        }
        const timer = setTimeout(() => setAttempt(attempt + 1), ASK_AGAIN_MS);
        return () => clearTimeout(timer);
    }, [part]);
    const back = (
        <a class="back" href={linkTo({ view: 'logbook' })}>
            {texts.say('logbook.allGames')}
        </a>
    );
    if (part?.recording.steps.length > 0) {
        return (
            <Replay
                recording={part.recording}
                wish={wish}
                linkAt={(seq) => linkAt(wish.game, seq)}
                {...replay}
            >
                <div class="replay-title">
                    {back}
                    <GameTitle game={part.game} gameAt={gameAt} />
                    {failure?.error && <NoAnswer answer={failure} />}
                </div>
            </Replay>
        );
    }
    return (
        <LogbookPage view="logbook" isOnline={isOnline} linkTo={linkTo}>
            {failure?.error && <NoAnswer answer={failure} />}
            {part && <p role="status">{texts.say('logbook.noStates')}</p>}
            {back}
        </LogbookPage>
    );
}
