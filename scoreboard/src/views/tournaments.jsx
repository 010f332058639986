/** Tournaments in the lobby: those that are being played, and the form for a new one. */
import { useState } from 'preact/hooks';
import { readPlayers, SYSTEMS, translateRefusal } from '../tournaments/state.js';
import { Choice, useTexts } from './common.jsx';

const NAME_MAX = 40;

/** `mayOpen`: this login may open one, and a logbook is there. */
export function Tournaments({ tournaments, tables, mayOpen, send, linkTo }) {
    const texts = useTexts();
    const [isOpening, setOpening] = useState(false);
    const all = Object.values(tournaments);
    return (
        (all.length > 0 || mayOpen) && (
            <section class="sheet-games" aria-label={texts.say('tournaments.title')}>
                <h2>{texts.say('tournaments.title')}</h2>
                {all.length > 0 && (
                    <ul>
                        {all.map((tournament) => (
                            <li key={tournament.tournament}>
                                <a
                                    href={linkTo({
                                        view: 'tournament',
                                        tournament: tournament.tournament,
                                    })}
                                    data-tournament={tournament.tournament}
                                >
                                    <h3 dir="auto">{tournament.name}</h3>
                                    <span class="tag">{progressWords(texts, tournament)}</span>
                                    <p>{texts.say(`tournaments.systems.${tournament.system}`)}</p>
                                </a>
                            </li>
                        ))}
                    </ul>
                )}
                {mayOpen && !isOpening && (
                    <button data-open-tournament onClick={() => setOpening(true)}>
                        {texts.say('tournaments.another')}
                    </button>
                )}
                {mayOpen && isOpening && (
                    <NewTournament
                        tables={tables}
                        send={send}
                        linkTo={linkTo}
                        onCancel={() => setOpening(false)}
                    />
                )}
            </section>
        )
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
    const [refusal, setRefusal] = useState(null);
    const [isSent, setSent] = useState(false);
    const isElimination = system === 'elimination';
    const submit = async (event) => {
        event.preventDefault();
        setSent(true);
        const reply = await send('command/open-tournament', {
            name: name.trim(),
            system,
            group: isElimination ? 2 : group,
            players: readPlayers(players),
            tables: tables.filter((table) => !left.includes(table)),
            ...(system === 'swiss' && rounds !== '' && { rounds: Number(rounds) }),
        });
        setSent(false);
        if (reply.ok && typeof reply.tournament === 'string') {
            location.assign(linkTo({ view: 'tournament', tournament: reply.tournament }));
        } else {
            setRefusal(translateRefusal(texts, reply));
        }
    };
    const toggle = (table) =>
        setLeft(left.includes(table) ? left.filter((each) => each !== table) : [...left, table]);
    return (
        <form class="new-sheet new-tournament" onSubmit={submit}>
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
            <div role="alert">
                {refusal && (
                    <p class="refusal" data-error={refusal.error}>
                        <strong>{texts.say('refused')}.</strong>{' '}
                        {texts.refusal(refusal)}
                    </p>
                )}
            </div>
            <div class="acts">
                <button
                    class={`primary huge ${isSent ? 'sent' : ''}`}
                    disabled={isSent}
                    data-verb="open-tournament"
                >
                    {texts.say('tournaments.open')}
                </button>
                <button type="button" onClick={onCancel}>
                    {texts.say('back')}
                </button>
            </div>
        </form>
    );
}
