/** The known tables on this broker, the most exciting first; games with score sheets; tournaments. */
import { useEffect, useState } from 'preact/hooks';
import { excitementOfTable, mostExcitingFirst } from '../excitement.js';
import { useTexts } from './common.jsx';

export function Lobby({ tables, linkTo, sheetGames, tournaments, whoAmI }) {
    const texts = useTexts();
    const byName = Object.keys(tables).sort();
    const names = mostExcitingFirst(byName, (name) => excitementOfTable(tables[name]));
    return (
        <main class="lobby">
            <h1>{texts.say('tables')}</h1>
            {names.length === 0 && <p class="hint">{texts.say('noTables')}</p>}
            {names.length > 1 && <p class="hint">{texts.say('excitingFirst')}</p>}
            <ul>
                {names.map((name) => (
                    <TableCard
                        key={name}
                        table={tables[name]}
                        href={linkTo({ table: name, view: 'board' })}
                    />
                ))}
            </ul>
            {sheetGames}
            {tournaments}
            {whoAmI}
        </main>
    );
}

/** Most tables answer sooner, and a sentence that comes and goes would only flicker. */
const ANSWER_MS = 2000;

/** In place of a table of which nothing is known yet. */
export function Waiting({ table }) {
    const texts = useTexts();
    const [isLong, setLong] = useState(false);
    useEffect(() => {
        const timer = setTimeout(setLong, ANSWER_MS, true);
        return () => clearTimeout(timer);
    }, []);
    return (
        <main class="lobby">
            <p class="hint" role="status">
                {isLong && texts.say('noAnswerYet', { table })}
            </p>
        </main>
    );
}

function TableCard({ table, href }) {
    const texts = useTexts();
    const { score } = table;
    const phase = score?.phase ?? 'lobby';
    return (
        <li>
            <a href={href} class={table.online ? 'online' : 'offline'} data-table={table.name}>
                <h2>{table.name}</h2>
                <span class="tag">{texts.say(table.online ? 'tableOnline' : 'tableOffline')}</span>
                <p>
                    {texts.say(`phases.${phase}`)}
                    {score?.turn > 0 && ` · ${texts.say('turnNumber', score)}`}
                </p>
                <ol>
                    {(score?.scores ?? []).map((player) => (
                        <li key={player.id} class={player.id === score.player ? 'on-turn' : ''}>
                            <span dir="auto">{player.name}</span> <strong>{player.score}</strong>
                        </li>
                    ))}
                </ol>
            </a>
        </li>
    );
}
