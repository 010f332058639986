/** The hall of fame: records, players with their figures, badges and plots, and who beats whom. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useTexts } from './common.jsx';
import { LogbookPage, NoAnswer, useAnswer, useSheetTitles } from './logbook.jsx';
import { Thing } from './pictures.jsx';
import { Plot } from './plot.jsx';

/** The others of a large club are shown on request, so that the table below is not far away. */
const PLAYERS_FIRST = 20;

/** On a TV: how long a page is shown, and how much of it the next one replaces. */
const PAGE_MS = 12_000;
const PAGE_SHARE = 0.8;

/** As many as can be compared on a screen. */
const RIVALS_MAX = 12;

/** More months than this are not drawn: the last ones are. */
const MONTHS_MAX = 120;

export function Fame({ logbook, isOnline, wish, linkTo, isTv }) {
    usePages(isTv);
    const statistics = useAnswer(isOnline, () => logbook.statistics(), []);
    const badges = useAnswer(isOnline, () => logbook.badges(), []);
    const all = statistics?.statistics ?? [];
    const linkToPlayer = (player) => linkTo({ view: 'fame', player });
    const badgesOf = (player) =>
        badges?.badges?.find((each) => each.player === player)?.badges ?? [];
    const one = wish.player && all.find(({ player }) => isSame(player, wish.player));
    return (
        <LogbookPage view="fame" isOnline={isOnline} linkTo={linkTo}>
            {statistics?.error && <NoAnswer answer={statistics} />}
            {one ? (
                <Player
                    key={one.player}
                    figures={one}
                    all={all}
                    badges={badgesOf(one.player)}
                    {...{ logbook, isOnline, linkTo, linkToPlayer }}
                />
            ) : (
                <Overview
                    all={all}
                    isLoaded={statistics !== null && !statistics.error}
                    {...{ badgesOf, logbook, isOnline, linkTo, linkToPlayer }}
                />
            )}
        </LogbookPage>
    );
}

/** A TV has nobody who scrolls it: it turns the page from time to time, and begins again. */
function usePages(isTv) {
    useEffect(() => {
        const turn = () => {
            const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
            const isEnd = scrollTop + clientHeight >= scrollHeight - 1;
            scrollTo(0, isEnd ? 0 : scrollTop + PAGE_SHARE * clientHeight);
        };
        const timer = isTv ? setInterval(turn, PAGE_MS) : null;
        return () => clearInterval(timer);
    }, [isTv]);
}

/** Names are compared as the logbook does: regardless of case and blanks. */
function isSame(one, other) {
    const plain = (name) => name.toLowerCase().replace(/\s+/g, '');
    return plain(one) === plain(other);
}

function Overview({ all, isLoaded, badgesOf, logbook, isOnline, linkTo, linkToPlayer }) {
    const texts = useTexts();
    const players = useMemo(
        () => [...all].sort((a, b) => b.won - a.won || b.games - a.games),
        [all],
    );
    return (
        <>
            <Records logbook={logbook} isOnline={isOnline} linkTo={linkTo} />
            {isLoaded && players.length === 0 && (
                <p class="hint">{texts.say('fame.nobody')}</p>
            )}
            {players.length > 0 && (
                <>
                    <Players players={players} badgesOf={badgesOf} linkToPlayer={linkToPlayer} />
                    <Rivals players={players} linkToPlayer={linkToPlayer} />
                </>
            )}
        </>
    );
}

function Records({ logbook, isOnline, linkTo }) {
    const texts = useTexts();
    const answer = useAnswer(isOnline, () => logbook.records(), []);
    const records = answer?.records ?? [];
    return (
        records.length > 0 && (
            <section>
                <h2>{texts.say('fame.recordsTitle')}</h2>
                <ul class="records">
                    {records.map((record) => (
                        <li key={record.record}>
                            <a
                                href={linkTo({ view: 'logbook', game: record.game })}
                                data-record-name={record.record}
                            >
                                <Thing name="Cup" />
                                <span>{texts.recordName(record)}</span>
                                <strong>{texts.recordValue(record)}</strong>
                                <span>
                                    <bdi>{record.player}</bdi>, {texts.date(record.at)}
                                </span>
                            </a>
                        </li>
                    ))}
                </ul>
            </section>
        )
    );
}

/** The columns of the list of players: the key of the heading, and the value. */
const COLUMNS = [
    ['games', (texts, { games }) => texts.number(games)],
    ['won', (texts, { won }) => texts.number(won)],
    ['points', (texts, { points }) => texts.number(points)],
    ['hitShare', (texts, { hit_share: share }) => texts.percent(share)],
    ['fastest', (texts, { fastest_mps: speed }) => texts.speed(speed)],
    ['longestHits', (texts, { longest_hits: hits }) => texts.number(hits)],
    ['badges', (texts, _, badges) => texts.number(badges.length)],
];

function Players({ players, badgesOf, linkToPlayer }) {
    const texts = useTexts();
    const [areAllShown, showAll] = useState(false);
    const hidden = areAllShown ? 0 : Math.max(0, players.length - PLAYERS_FIRST);
    return (
        <section>
            <h2>{texts.say('players')}</h2>
            <div class="wide" tabIndex={0} role="region" aria-label={texts.say('players')}>
                <table class="figures">
                    <thead>
                        <tr>
                            <th scope="col">{texts.say('name')}</th>
                            {COLUMNS.map(([key]) => (
                                <th key={key} scope="col">
                                    {texts.say(`fame.figures.${key}`)}
                                </th>
                            ))}
                        </tr>
                    </thead>
                    <tbody>
                        {players.slice(0, players.length - hidden).map((each) => (
                            <tr key={each.player}>
                                <th scope="row">
                                    <a href={linkToPlayer(each.player)} data-player={each.player}>
                                        <bdi>{each.player}</bdi>
                                    </a>
                                </th>
                                {COLUMNS.map(([key, write]) => (
                                    <td key={key}>{write(texts, each, badgesOf(each.player))}</td>
                                ))}
                            </tr>
                        ))}
                    </tbody>
                </table>
            </div>
            {hidden > 0 && (
                <button type="button" data-more-players onClick={() => showAll(true)}>
                    {texts.count('fame.morePlayers', hidden)}
                </button>
            )}
        </section>
    );
}

function timesBeaten({ beat }, { player }) {
    return Object.hasOwn(beat, player) ? beat[player] : 0;
}

/** Who beats whom: the players with the most games, the winner in the row. */
function Rivals({ players, linkToPlayer }) {
    const texts = useTexts();
    const rivals = [...players].sort((a, b) => b.games - a.games).slice(0, RIVALS_MAX);
    const most = Math.max(1, ...rivals.flatMap((one) => rivals.map((other) => timesBeaten(one, other))));
    return (
        <section>
            <h2>{texts.say('fame.rivals')}</h2>
            <p class="hint">{texts.say('fame.rivalsHint')}</p>
            <div class="wide snug" tabIndex={0} role="region" aria-label={texts.say('fame.rivals')}>
                <table class="rivals">
                    <thead>
                        <tr>
                            <td />
                            {rivals.map(({ player }) => (
                                <th key={player} scope="col">
                                    <bdi>{player}</bdi>
                                </th>
                            ))}
                        </tr>
                    </thead>
                    <tbody>
                        {rivals.map((one) => (
                            <tr key={one.player}>
                                <th scope="row">
                                    <a href={linkToPlayer(one.player)}>
                                        <bdi>{one.player}</bdi>
                                    </a>
                                </th>
                                {rivals.map((other) => (
                                    <td
                                        key={other.player}
                                        style={{ '--share': timesBeaten(one, other) / most }}
                                    >
                                        {one === other ? '' : timesBeaten(one, other)}
                                    </td>
                                ))}
                            </tr>
                        ))}
                    </tbody>
                </table>
            </div>
        </section>
    );
}

/** The figures of a player: the key of the label, and the value. */
const FIGURES = [
    ...COLUMNS.slice(0, -1),
    ['ships', (texts, { captured }) => texts.number(captured.ships ?? 0)],
    ['towers', (texts, { captured }) => texts.number(captured.towers ?? 0)],
    ['combatsWon', (texts, { combats_won: count }) => texts.number(count)],
    ['combatsLost', (texts, { combats_lost: count }) => texts.number(count)],
    ['knots', (texts, { knots }) => texts.number(knots)],
];

function Player({ figures, all, badges, logbook, isOnline, linkTo, linkToPlayer }) {
    const texts = useTexts();
    const { player } = figures;
    const answer = useAnswer(isOnline, () => logbook.progress(player), [player]);
    return (
        <article class="fame-player">
            <h2>
                <bdi>{player}</bdi>
            </h2>
            <p class="links">
                <a href={linkTo({ view: 'fame' })}>{texts.say('fame.everybody')}</a>
                <a href={linkTo({ view: 'logbook', player })}>{texts.say('fame.gamesOf')}</a>
            </p>
            <dl class="figures">
                {FIGURES.map(([key, write]) => (
                    <div key={key}>
                        <dt>{texts.say(`fame.figures.${key}`)}</dt>
                        <dd>{write(texts, figures)}</dd>
                    </div>
                ))}
            </dl>
            <OtherGames byGame={figures.by_game ?? {}} logbook={logbook} isOnline={isOnline} />
            <Badges badges={badges} />
            {answer?.error && <NoAnswer answer={answer} />}
            {answer?.progress?.length > 0 && <Progress progress={answer.progress} />}
            <Beaten figures={figures} all={all} linkToPlayer={linkToPlayer} />
        </article>
    );
}

/** Games with score sheets; all other figures are those of Ship Ahoy. */
function OtherGames({ byGame, logbook, isOnline }) {
    const texts = useTexts();
    const others = Object.entries(byGame).filter(([name]) => name !== 'ship-ahoy');
    const titleOf = useSheetTitles(logbook, isOnline, others.length > 0);
    return (
        others.length > 0 && (
            <section>
                <h3>{texts.say('sheets.title')}</h3>
                <ul class="badges">
                    {others.map(([name, { games, won }]) => (
                        <li key={name} data-other-game={name}>
                            {texts.say('sheets.played', { name: titleOf(name), games, won })}
                        </li>
                    ))}
                </ul>
            </section>
        )
    );
}

function Badges({ badges }) {
    const texts = useTexts();
    const known = badges.filter((badge) => Object.hasOwn(texts.words.fame.badges, badge));
    return (
        known.length > 0 && (
            <section>
                <h3>{texts.say('fame.figures.badges')}</h3>
                <ul class="badges">
                    {known.map((badge) => (
                        <li key={badge} data-badge={badge}>
                            {texts.say(`fame.badges.${badge}`)}
                        </li>
                    ))}
                </ul>
            </section>
        )
    );
}

/** All months from the first one to the last one, also those without a game. */
export function monthsOf(progress) {
    const number = (month) => 12 * Number(month.slice(0, 4)) + Number(month.slice(5)) - 1;
    const last = number(progress.at(-1).month);
    const first = Math.max(number(progress[0].month), last - MONTHS_MAX + 1);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
        const year = Math.floor((first + i) / 12);
        return `${String(year).padStart(4, '0')}-${String(((first + i) % 12) + 1).padStart(2, '0')}`;
    });
}

function Progress({ progress }) {
    const texts = useTexts();
    const { months, played, shares, speeds } = useMemo(() => {
        const all = monthsOf(progress);
        const byMonth = new Map(progress.map((each) => [each.month, each]));
        const values = (read) => all.map((month) => read(byMonth.get(month)) ?? null);
        const label = (key) => texts.say(`fame.figures.${key}`);
        return {
            months: all,
            played: [
                bars(label('games'), '--blue', values((month) => month?.games ?? 0)),
                bars(label('won'), '--gold', values((month) => month?.won ?? 0)),
            ],
            shares: [
                line(label('hitShare'), '--green', values(hitShare)),
            ],
            speeds: [line(label('fastest'), '--red', values((month) => month?.fastest_mps))],
        };
    }, [progress, texts.code]);
    const plots = [
        ['played', played, (value) => texts.number(value)],
        ['shares', shares, (value) => texts.percent(value)],
        ['speeds', speeds, (value) => texts.speed(value)],
    ].filter(([, series]) => series.some(({ values }) => values.some(Boolean)));
    return (
        <section class="plots">
            {plots.map(([key, series, format]) => (
                <Plot
                    key={key}
                    title={texts.say(`fame.plots.${key}`)}
                    {...{ months, series, format }}
                />
            ))}
        </section>
    );
}

function hitShare(month) {
    return month?.shots > 0 ? month.hits / month.shots : null;
}

function bars(label, colour, values) {
    return { label, colour, values, isBar: true };
}

function line(label, colour, values) {
    return { label, colour, values, isBar: false };
}

/** Whom the player has beaten, and by whom the player was beaten. */
function Beaten({ figures, all, linkToPlayer }) {
    const texts = useTexts();
    const rivals = all
        .filter((other) => other !== figures)
        .map((other) => ({
            player: other.player,
            won: timesBeaten(figures, other),
            lost: timesBeaten(other, figures),
        }))
        .filter(({ won, lost }) => won + lost > 0)
        .sort((a, b) => b.won + b.lost - a.won - a.lost);
    return (
        rivals.length > 0 && (
            <section>
                <h3>{texts.say('fame.rivals')}</h3>
                <div class="wide" tabIndex={0} role="region" aria-label={texts.say('fame.rivals')}>
                    <table class="figures">
                        <thead>
                            <tr>
                                <th scope="col">{texts.say('name')}</th>
                                <th scope="col">{texts.say('fame.beat')}</th>
                                <th scope="col">{texts.say('fame.beaten')}</th>
                            </tr>
                        </thead>
                        <tbody>
                            {rivals.map(({ player, won, lost }) => (
                                <tr key={player}>
                                    <th scope="row">
                                        <a href={linkToPlayer(player)}>
                                            <bdi>{player}</bdi>
                                        </a>
                                    </th>
                                    <td>{won}</td>
                                    <td>{lost}</td>
                                </tr>
                            ))}
                        </tbody>
                    </table>
                </div>
            </section>
        )
    );
}
