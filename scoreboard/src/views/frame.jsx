/** The frame of every view: navigation and current problems. */
import { useState } from 'preact/hooks';
import { brokerUrl } from '../address.js';
import { whatContradicts } from '../ready.js';
import { isRadio } from '../sensors.js';
import { LANGUAGES } from '../texts.js';
import { problemWords, useTexts } from './common.jsx';

export function Header({ table, view, linkTo, onLanguage, onTv, hasLogbook, menu }) {
    const texts = useTexts();
    const views = [
        ...(table ? ['board', 'captain'] : []),
        ...(table?.info?.backend === 'sim' ? ['table'] : []),
        'lobby',
        ...(hasLogbook ? ['logbook'] : []),
    ];
    return (
        <header class="bar">
            <a class="home" href={linkTo({ view: 'lobby' })}>
                <span class={view === 'lobby' ? '' : 'brand'}>{texts.say('title')}</span>
                {view !== 'lobby' && <span class="to-tables">‹ {texts.say('views.lobby')}</span>}
            </a>
            {table && <span class="table-name">{table.name}</span>}
            {onTv && (
                <button class="enter-tv" onClick={onTv}>
                    {texts.say('tv')}
                </button>
            )}
            <nav>
                {views.map((each) => (
                    <a
                        key={each}
                        href={linkTo({ ...(table && { table: table.name }), view: each })}
                        data-view={each}
                        aria-current={each === view ? 'page' : undefined}
                    >
                        {texts.say(`views.${each}`)}
                    </a>
                ))}
            </nav>
            <select
                aria-label={texts.say('languageWord')}
                value={texts.code}
                onChange={(event) => onLanguage(event.target.value)}
            >
                {Object.entries(LANGUAGES).map(([code, words]) => (
                    <option key={code} value={code} title={words.language}>
                        {code.toUpperCase()}
                    </option>
                ))}
            </select>
            {menu}
        </header>
    );
}

/** Problems of connection, controller, disk, sensors and fallen pieces, and what to do. */
/** `hasButtons`: the view has its own group for pieces in the wrong position. */
export function Alerts({ isConnected, wasConnected, isRoleUnknown, broker, table, hasButtons }) {
    const texts = useTexts();
    const alerts = [
        !isConnected && ['lost', texts.say(wasConnected ? 'lost' : 'connecting', { broker })],
        isRoleUnknown && ['role-unknown', texts.say('roleUnknown')],
        isConnected && table?.online === false && ['offline', texts.say('offline')],
        ...(table ? tableAlerts(texts, table, hasButtons) : []),
    ].filter(Boolean);
    return (
        <div class={alerts.length > 0 ? 'alerts any' : 'alerts'} role="alert">
            {alerts.map(([kind, words]) => (
                <p key={kind} class={kind} data-alert={kind}>
                    {words}
                </p>
            ))}
        </div>
    );
}

/** A newer version was installed while this page was open. */
export function NewerVersion({ version, onReload }) {
    const texts = useTexts();
    return (
        <p class="newer-version" role="status">
            {texts.say('newerVersion', { version })}{' '}
            <button onClick={onReload}>{texts.say('reload')}</button>
        </p>
    );
}

function tableAlerts(texts, table, hasButtons) {
    const { info } = table;
    const contradicting = whatContradicts(table).map((problem) =>
        problemWords(texts, table, problem),
    );
    return [
        info?.storage && ['storage', texts.say('storage', { message: info.storage })],
        ...(hasButtons ? [] : disturbances(texts, table.state)),
        contradicting.length > 0 && ['contradiction', contradicting.join(' ')],
        info?.faults?.length > 0 && ['fault', faultWords(texts, table)],
    ];
}

/** Disturbed pieces to put up, and flat ones to lay down. */
function disturbances(texts, state) {
    const disturbed = Object.entries(state?.pieces ?? {}).filter(([, piece]) => piece.disturbed);
    const named = (status) =>
        texts.list(
            disturbed
                .filter(([, piece]) => piece.status === status)
                .map(([name]) => texts.piece(name)),
        );
    const fallen = named('standing');
    const raised = named('flat');
    return [
        fallen && ['put-up', texts.say('putUp', { pieces: fallen })],
        raised && ['lay-down', texts.say('layDown', { pieces: raised })],
    ];
}

/** Maximum number of faults that are listed individually. */
const FAULTS_TOLD = 2;

function faultWords(texts, { info: { faults }, sensors }) {
    const told = faults
        .slice(0, FAULTS_TOLD)
        .map((sensor) => texts.fault(sensor, sensors[sensor]?.health, isRadio(sensors[sensor])));
    const more = faults.length - told.length;
    return [...told, more > 0 && texts.count('moreFaults', more), texts.say('faults')]
        .filter(Boolean)
        .join(' ');
}

/** For a page that was opened from disk and does not know its broker. */
export function ConnectForm({ onBroker }) {
    const texts = useTexts();
    const [text, setText] = useState('');
    const [isBad, setBad] = useState(false);
    const submit = (event) => {
        event.preventDefault();
        const url = brokerUrl(text);
        setBad(url === null);
        if (url) {
            onBroker(url);
        }
    };
    return (
        <main class="connect">
            <form onSubmit={submit}>
                <h1>{texts.say('title')}</h1>
                <label for="broker">{texts.say('brokerHint')}</label>
                <input
                    id="broker"
                    value={text}
                    onInput={(event) => setText(event.target.value)}
                    placeholder="ws://localhost/mqtt"
                />
                {isBad && (
                    <p role="alert" class="warning">
                        {texts.say('badBroker')}
                    </p>
                )}
                <button class="primary">{texts.say('connect')}</button>
            </form>
        </main>
    );
}
