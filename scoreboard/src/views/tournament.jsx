/** A tournament: pairings with tables, results, standings, and what a referee can do. */
import { useState } from 'preact/hooks';
import { nameIn, pairingsOf, translateRefusal } from '../tournaments/state.js';
import { Act, Acting, Refusal, useActs } from './acts.jsx';
import { Choice, Question, useTexts } from './common.jsx';
import { progressWords } from './tournaments.jsx';

/** `send(topic, fields)` resolves to the reply. */
export function TournamentView({ tournament, send, isConnected, isOnline, mayManage, linkTo }) {
    const texts = useTexts();
    const [wanted, setWanted] = useState(null);
    const sendCommand = async ({ verb, ...fields }) =>
        translateRefusal(
            texts,
            await send(`command/${verb}`, { tournament: tournament.tournament, ...fields }),
        );
    const state = { game: tournament.tournament, seq: tournament.seq };
    const acts = useActs({ state, online: isOnline }, sendCommand, isConnected, 'logbook-offline');
    const round = Math.min(wanted ?? tournament.round, tournament.round);
    const { can_pair: canPair, undo, phase } = tournament;
    return (
        <main class="tournament" aria-busy={acts.isWaiting} data-seq={tournament.seq}>
            <Acting acts={acts}>
                <TournamentTabs view="tournament" tournament={tournament} linkTo={linkTo} />
                <Title tournament={tournament} />
                {round > 0 && (
                    <section class="pairings" aria-label={texts.say('tournaments.pairings')}>
                        <h2>{texts.say('tournaments.pairingsOf', { round })}</h2>
                        {tournament.round > 1 && (
                            <Choice
                                label={texts.say('tournaments.chooseRound')}
                                name="round"
                                value={round}
                                options={Array.from({ length: tournament.round }, (_, i) => [
                                    i + 1,
                                    i + 1,
                                ])}
                                onChoose={setWanted}
                            />
                        )}
                        <ol>
                            {pairingsOf(tournament, round).map((pairing) => (
                                <Pairing
                                    key={pairing.id}
                                    tournament={tournament}
                                    pairing={pairing}
                                    act={mayManage ? acts.act : null}
                                />
                            ))}
                        </ol>
                    </section>
                )}
                <Standings tournament={tournament} act={mayManage ? acts.act : null} />
                <Refusal acts={acts} />
                <div class="acts manage">
                    {mayManage && canPair && (
                        <Act command={{ verb: 'start-round' }} act={acts.act} kind="primary">
                            {texts.say('tournaments.startRound', { round: tournament.round + 1 })}
                        </Act>
                    )}
                    {mayManage && undo !== null && (
                        <Act command={{ verb: 'undo-tournament' }} act={acts.act} kind="undo">
                            {texts.say('sheets.undo', { what: undoWords(texts, tournament) })}
                        </Act>
                    )}
                    {round > 0 && (
                        <button data-print onClick={() => window.print()}>
                            {texts.say('tournaments.print')}
                        </button>
                    )}
                    {mayManage && <Close isOver={phase === 'over'} act={acts.act} />}
                </div>
                {round > 0 && <ResultSheets tournament={tournament} round={round} />}
            </Acting>
        </main>
    );
}

/** A board for a big screen: where everybody plays, and who leads. */
export function TournamentBoard({ tournament, linkTo }) {
    const texts = useTexts();
    const { round, pairings } = tournament;
    const open = pairings.filter((pairing) => pairing.round === round);
    return (
        <main class="tournament board-of-tournament" data-seq={tournament.seq}>
            <TournamentTabs view="standings" tournament={tournament} linkTo={linkTo} />
            <Title tournament={tournament} />
            <div class="columns">
                {round > 0 && (
                    <section class="pairings" aria-label={texts.say('tournaments.pairings')}>
                        <h2>{texts.say('tournaments.pairingsOf', { round })}</h2>
                        <ol>
                            {open.map((pairing) => (
                                <Pairing
                                    key={pairing.id}
                                    tournament={tournament}
                                    pairing={pairing}
                                    act={null}
                                />
                            ))}
                        </ol>
                    </section>
                )}
                <Standings tournament={tournament} act={null} isShort />
            </div>
        </main>
    );
}

function TournamentTabs({ view, tournament, linkTo }) {
    const texts = useTexts();
    return (
        <nav class="tabs" aria-label={tournament.name}>
            {['tournament', 'standings'].map((each) => (
                <a
                    key={each}
                    href={linkTo({ view: each, tournament: tournament.tournament })}
                    aria-current={each === view ? 'page' : undefined}
                >
                    {texts.say(`tournaments.tabs.${each}`)}
                </a>
            ))}
        </nav>
    );
}

function Title({ tournament }) {
    const texts = useTexts();
    return (
        <header>
            <h1 dir="auto">{tournament.name}</h1>
            <span class="tag">{progressWords(texts, tournament)}</span>
            <span>{texts.say(`tournaments.systems.${tournament.system}`)}</span>
        </header>
    );
}

function undoWords(texts, tournament) {
    const { verb, pairing, player } = tournament.undo;
    const found = tournament.pairings.find(({ id }) => id === pairing);
    const who = found ? found.players : [player].filter((id) => id !== undefined);
    const names = who.map((id) => nameIn(tournament, id)).join(' – ');
    return texts.say(`tournaments.changes.${verb}`, { names, round: tournament.round });
}

/*
 * Pairings
 */

function Pairing({ tournament, pairing, act }) {
    const texts = useTexts();
    const [isEntering, setEntering] = useState(false);
    const { id, players, table, result } = pairing;
    const isBye = players.length === 1;
    const progress = result?.by ?? (pairing.playing ? 'playing' : 'none');
    return (
        <li class="pairing" data-pairing={id}>
            {!isBye && <span class="where">{table ?? texts.say('tournaments.anyTable')}</span>}
            <ul>
                {players.map((player, i) => (
                    <li key={player} class={result?.places[i] === 1 ? 'winner' : ''}>
                        <span dir="auto">{nameIn(tournament, player)}</span>
                        {result && (
                            <strong>
                                {texts.say('place', { place: result.places[i] })}
                                {result.by !== 'walkover' && ` (${result.scores[i]})`}
                            </strong>
                        )}
                    </li>
                ))}
            </ul>
            <span class="hint" data-result={progress}>
                {texts.say(`tournaments.results.${isBye ? 'bye' : progress}`)}
            </span>
            {act && !isBye && !isEntering && (
                <div class="acts">
                    <button data-enter onClick={() => setEntering(true)}>
                        {texts.say(result ? 'tournaments.correct' : 'tournaments.enter')}
                    </button>
                    {result === null && tournament.tables.length > 0 && (
                        <select
                            aria-label={texts.say('tournaments.tableOf', { pairing: id })}
                            value={table ?? ''}
                            onChange={({ target }) =>
                                act({
                                    verb: 'set-table',
                                    pairing: id,
                                    ...(target.value !== '' && { table: target.value }),
                                })
                            }
                        >
                            <option value="">{texts.say('tournaments.anyTable')}</option>
                            {tournament.tables.map((each) => (
                                <option key={each} value={each}>
                                    {each}
                                </option>
                            ))}
                        </select>
                    )}
                </div>
            )}
            {act && isEntering && (
                <ResultForm
                    tournament={tournament}
                    pairing={pairing}
                    act={act}
                    onClose={() => setEntering(false)}
                />
            )}
        </li>
    );
}

function ResultForm({ tournament, pairing, act, onClose }) {
    const texts = useTexts();
    const { players, result } = pairing;
    const [places, setPlaces] = useState(result?.places ?? players.map((_, i) => i + 1));
    const [scores, setScores] = useState(result?.scores ?? players.map(() => 0)); // as typed
    const changed = (list, i, value) => list.map((each, at) => (at === i ? value : each));
    const submit = async (event) => {
        event.preventDefault();
        const fields = { places: places.map(Number), scores: scores.map(Number) };
        if (await act({ verb: 'enter-result', pairing: pairing.id, ...fields })) {
            onClose();
        }
    };
    return (
        <form class="result-form" onSubmit={submit}>
            {players.map((player, i) => {
                const name = nameIn(tournament, player);
                return (
                    <fieldset key={player}>
                        <legend dir="auto">{name}</legend>
                        <label>
                            <span>{texts.say('tournaments.place')}</span>
                            <select
                                name={`place-${i + 1}`}
                                value={places[i]}
                                onChange={({ target }) =>
                                    setPlaces(changed(places, i, target.value))
                                }
                            >
                                {players.map((_, at) => (
                                    <option key={at} value={at + 1}>
                                        {texts.say('place', { place: at + 1 })}
                                    </option>
                                ))}
                            </select>
                        </label>
                        <label>
                            <span>{texts.say('tournaments.score')}</span>
                            <input
                                name={`score-${i + 1}`}
                                type="number"
                                value={scores[i]}
                                onInput={({ target }) =>
                                    setScores(changed(scores, i, target.value))
                                }
                            />
                        </label>
                    </fieldset>
                );
            })}
            <div class="acts">
                <button class="primary" data-verb="enter-result">
                    {texts.say('tournaments.save')}
                </button>
                <button type="button" onClick={onClose}>
                    {texts.say('back')}
                </button>
            </div>
        </form>
    );
}

/*
 * Standings
 */

/** The value of a tie-break for a player. */
function tieBreak(tournament, row, criterion) {
    return criterion === 'lot'
        ? tournament.players.find(({ id }) => id === row.player).lot
        : row[criterion];
}

function Standings({ tournament, act, isShort = false }) {
    const texts = useTexts();
    const { standings, tie_breaks: tieBreaks } = tournament;
    const [leaving, setLeaving] = useState(null);
    const leave = () => {
        setLeaving(null);
        act({ verb: 'withdraw', player: leaving });
    };
    return (
        <section class="standings" aria-label={texts.say('tournaments.standings')}>
            <h2>{texts.say('tournaments.standings')}</h2>
            <table>
                <thead>
                    <tr>
                        <th scope="col">{texts.say('tournaments.place')}</th>
                        <th scope="col">{texts.say('tournaments.who')}</th>
                        <th scope="col">{texts.say('tournaments.points')}</th>
                        <th scope="col" class="tie-break">
                            {texts.say('tournaments.played')}
                        </th>
                        {!isShort &&
                            tieBreaks.map((each) => (
                                <th key={each} scope="col" class="tie-break">
                                    {texts.say(`tournaments.tieBreaks.${each}`)}
                                </th>
                            ))}
                        {act && (
                            <th scope="col">
                                <span class="unseen">{texts.say('tournaments.leave')}</span>
                            </th>
                        )}
                    </tr>
                </thead>
                <tbody>
                    {standings.map((row, i) => (
                        <tr key={row.player} data-player={row.player}>
                            <td>{row.place}.</td>
                            <th scope="row">
                                <span dir="auto">{nameIn(tournament, row.player)}</span>
                                {!isShort && <Why tournament={tournament} index={i} />}
                            </th>
                            <td>{row.points}</td>
                            <td class="tie-break">{row.played}</td>
                            {!isShort &&
                                tieBreaks.map((each) => (
                                    <td
                                        key={each}
                                        class={`tie-break ${row.behind === each ? 'decides' : ''}`}
                                    >
                                        {tieBreak(tournament, row, each)}
                                    </td>
                                ))}
                            {act && (
                                <td>
                                    <Leave
                                        tournament={tournament}
                                        player={row.player}
                                        onLeave={() => setLeaving(row.player)}
                                    />
                                </td>
                            )}
                        </tr>
                    ))}
                </tbody>
            </table>
            {!isShort && (
                <details class="hint">
                    <summary>{texts.say('tournaments.howRanked')}</summary>
                    <p>{texts.say(`tournaments.pointsOf.${tournament.group > 2 ? 'group' : 'pair'}`)}</p>
                    <ol>
                        {tieBreaks.map((each) => (
                            <li key={each}>{texts.say(`tournaments.explained.${each}`)}</li>
                        ))}
                    </ol>
                    {tieBreaks.length === 0 && <p>{texts.say('tournaments.explained.shared')}</p>}
                </details>
            )}
            {leaving !== null && (
                <Question
                    title={texts.say('tournaments.leaveSure', { name: nameIn(tournament, leaving) })}
                    onClose={() => setLeaving(null)}
                >
                    <button class="danger" data-leave-sure onClick={leave}>
                        {texts.say('tournaments.leave')}
                    </button>
                    <button onClick={() => setLeaving(null)}>{texts.say('back')}</button>
                </Question>
            )}
        </section>
    );
}

/** "Behind Anna: opponents 4 to 6", if a tie-break decides. */
function Why({ tournament, index }) {
    const texts = useTexts();
    const { standings, tie_breaks: tieBreaks } = tournament;
    const [row, above] = [standings[index], standings[index - 1]];
    const { behind } = row;
    return (
        tieBreaks.includes(behind) &&
        above !== undefined && (
            <span class="hint why">
                {texts.say('tournaments.behind', {
                    name: nameIn(tournament, above.player),
                    criterion: texts.say(`tournaments.tieBreaks.${behind}`),
                    own: tieBreak(tournament, row, behind),
                    other: tieBreak(tournament, above, behind),
                })}
            </span>
        )
    );
}

function Leave({ tournament, player, onLeave }) {
    const texts = useTexts();
    const { name, withdrawn } = tournament.players.find(({ id }) => id === player);
    if (withdrawn) {
        return texts.say('tournaments.withdrawn');
    }
    return (
        tournament.phase !== 'over' && (
            <button
                class="quiet"
                data-leave={player}
                aria-label={texts.say('tournaments.leaveOf', { name })}
                onClick={onLeave}
            >
                ×
            </button>
        )
    );
}

/** Removes the tournament from the list; asks first while it is being played. */
function Close({ isOver, act }) {
    const texts = useTexts();
    const [isAsking, setAsking] = useState(false);
    const close = () => act({ verb: 'close-tournament' });
    return (
        <>
            <button class="quiet" data-close onClick={() => (isOver ? close() : setAsking(true))}>
                {texts.say('tournaments.close')}
            </button>
            {isAsking && (
                <Question
                    title={texts.say('tournaments.closeSure')}
                    onClose={() => setAsking(false)}
                >
                    <button class="danger" data-close-sure onClick={close}>
                        {texts.say('tournaments.close')}
                    </button>
                    <button onClick={() => setAsking(false)}>{texts.say('back')}</button>
                </Question>
            )}
        </>
    );
}

/** On paper only: a slip for each pairing without a result, to write it on. */
function ResultSheets({ tournament, round }) {
    const texts = useTexts();
    return (
        <section class="slips" aria-hidden="true">
            {pairingsOf(tournament, round)
                .filter(({ players, result }) => players.length > 1 && result === null)
                .map(({ id, players, table }) => (
                    <div class="slip" key={id}>
                        <h3>
                            {tournament.name} · {texts.say('tournaments.round', { round })} ·{' '}
                            {table ?? texts.say('tournaments.anyTable')}
                        </h3>
                        <table>
                            <tbody>
                                {players.map((player) => (
                                    <tr key={player}>
                                        <th>{nameIn(tournament, player)}</th>
                                        <td>{texts.say('tournaments.place')}:</td>
                                        <td>{texts.say('tournaments.score')}:</td>
                                        <td>{texts.say('tournaments.signature')}:</td>
                                    </tr>
                                ))}
                            </tbody>
                        </table>
                    </div>
                ))}
        </section>
    );
}
