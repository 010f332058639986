/** Tournaments in the lobby: those that are being played, and the form for a new one. */
import { useState } from 'preact/hooks';
import { readPlayers, SYSTEMS, translateRefusal } from '../tournaments/state.js';
import { Choice, useTexts } from './common.jsx';
import { OpeningForm, Openings } from './openings.jsx';

const NAME_MAX = 40;

/** `mayOpen`: this login may open one, and a logbook is there. */
export function Tournaments({ tournaments, tables, mayOpen, send, linkTo }) {
    const texts = useTexts();
    return (
        <Openings
            kind="tournament"
            title={texts.say('tournaments.title')}
            another={texts.say('tournaments.another')}
            cards={Object.values(tournaments).map((tournament) => (
                <TournamentCard
                    key={tournament.tournament}
                    tournament={tournament}
                    linkTo={linkTo}
                />
            ))}
            mayOpen={mayOpen}
            form={(onCancel) => <NewTournament {...{ tables, send, linkTo, onCancel }} />}
        />
    );
}

function TournamentCard({ tournament: { tournament, name, system, ...progress }, linkTo }) {
    const texts = useTexts();
    return (
        <li>
            <a href={linkTo({ view: 'tournament', tournament })} data-tournament={tournament}>
                <h3 dir="auto">{name}</h3>
                <span class="tag">{progressWords(texts, progress)}</span>
                <p>{texts.say(`tournaments.systems.${system}`)}</p>
            </a>
        </li>
    );
}

/** "Round 2 of 3", "Not started", "Finished" */
export function progressWords(texts, { phase, round, rounds }) {
    if (phase !== 'playing') {
        return texts.say(`tournaments.phases.${phase}`);
    }
    return rounds === null
        ? texts.say('tournaments.round', { round })
        : texts.say('tournaments.roundOf', { round, rounds });
}

function NewTournament({ tables, send, linkTo, onCancel }) {
    const texts = useTexts();
    const [name, setName] = useState('');
    const [system, setSystem] = useState(SYSTEMS[0]);
    const [group, setGroup] = useState(2);
    const [rounds, setRounds] = useState('');
    const [players, setPlayers] = useState('');
    const [left, setLeft] = useState([]); // tables that are not used
    const isElimination = system === 'elimination';
    const fields = () => ({
        name: name.trim(),
        system,
        group: isElimination ? 2 : group,
        players: readPlayers(players),
        tables: tables.filter((table) => !left.includes(table)),
        ...(system === 'swiss' && rounds !== '' && { rounds: Number(rounds) }),
    });
    const toggle = (table) =>
        setLeft(left.includes(table) ? left.filter((each) => each !== table) : [...left, table]);
    return (
        <OpeningForm
            kind="tournament"
            start={texts.say('tournaments.open')}
            explain={(refusal) => texts.refusal(translateRefusal(texts, refusal))}
            onOpened={(id) => location.assign(linkTo({ view: 'tournament', tournament: id }))}
            {...{ send, fields, onCancel }}
        >
            <label>
                <span>{texts.say('tournaments.name')}</span>
                <input
                    name="tournament-name"
                    required
                    maxlength={NAME_MAX}
                    value={name}
                    onInput={({ target }) => setName(target.value)}
                    autocomplete="off"
                />
            </label>
            <Choice
                label={texts.say('tournaments.system')}
                name="system"
                value={system}
                options={SYSTEMS.map((each) => [each, texts.say(`tournaments.systems.${each}`)])}
                onChoose={setSystem}
            />
            {!isElimination && (
                <Choice
                    label={texts.say('tournaments.group')}
                    name="group"
                    value={group}
                    options={[2, 3, 4].map((each) => [each, each])}
                    onChoose={setGroup}
                />
            )}
            {system === 'swiss' && (
                <label>
                    <span>{texts.say('tournaments.rounds')}</span>
                    <input
                        name="rounds"
                        type="number"
                        min="1"
                        max="63"
                        value={rounds}
                        onInput={({ target }) => setRounds(target.value)}
                    />
                </label>
            )}
            <label>
                <span>{texts.say('tournaments.players')}</span>
                <textarea
                    name="players"
                    required
                    rows="8"
                    value={players}
                    onInput={({ target }) => setPlayers(target.value)}
                />
            </label>
            {tables.length > 0 && (
                <fieldset class="choice">
                    <legend>{texts.say('tournaments.tables')}</legend>
                    {tables.map((table) => (
                        <label key={table} class={left.includes(table) ? '' : 'chosen'}>
                            <input
                                type="checkbox"
                                name={`table-${table}`}
                                checked={!left.includes(table)}
                                onChange={() => toggle(table)}
                            />
                            <span>{table}</span>
                        </label>
                    ))}
                </fieldset>
            )}
        </OpeningForm>
    );
}
