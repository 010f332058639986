/** The sensors of a table, and the wizard that finds the radio sensor of a piece. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { changedHash } from '../address.js';
import {
    canBePaired,
    isRadio,
    kindOf,
    nextShip,
    sensorGroups,
    shipsPaired,
    sourceOf,
} from '../sensors.js';
import { harbourOf } from '../words.js';
import { Act, Acting, Refusal, useActs } from './acts.jsx';
import { useTexts } from './common.jsx';
import { PieceDrawing } from './pictures.jsx';

/** Felt by someone who looks at the ship and not at the phone. */
const MOVED_MS = 60;
const FOUND_MS = [60, 60, 200];

/** More are not read by anyone. */
const LISTED_MAX = 8;

/** The way to this view, for those who may pair. */
export function SensorsLink({ table, forbidden }) {
    const texts = useTexts();
    return (
        !forbidden.includes('pair') && (
            <a
                class="to-sensors"
                href={changedHash(location.hash, { table: table.name, view: 'sensors' })}
            >
                {texts.say('views.sensors')}
            </a>
        )
    );
}

export function Sensors({ table, send, isConnected, forbidden }) {
    const texts = useTexts();
    const acts = useActs(table, send, isConnected);
    const [own, setOwn] = useState(null); // {sensor, since, isBegun}: what this page pairs
    const since = table.info?.since; // pairing ends with the daemon
    const isRunning = !['lobby', 'over'].includes(table.state?.phase ?? 'lobby');
    const mayPair = !forbidden.includes('pair') && !isRunning;
    const pair = async (sensor) => {
        setOwn({ sensor, since, isBegun: false });
        const isBegun = await acts.act({ verb: 'pair', sensor });
        setOwn(isBegun ? { sensor, since, isBegun } : null);
    };
    const close = async (command) => {
        if (command === undefined || (await acts.act(command))) {
            setOwn(null);
        }
    };
    const isPairing = own !== null && own.since === since;
    return (
        <main class="sensors" aria-busy={acts.isWaiting}>
            <h1>{texts.say('views.sensors')}</h1>
            {forbidden.includes('pair') && (
                <p class="hint" data-may-not-pair>
                    {texts.say('pairing.mayNot')}
                </p>
            )}
            {isRunning && (
                <p class="hint" data-running>
                    {texts.say('pairing.running')}
                </p>
            )}
            <Acting acts={acts}>
                {mayPair && !isPairing && <Begin table={table} pair={pair} />}
                {mayPair && isPairing && (
                    <Wizard key={own.sensor} {...own} table={table} pair={pair} close={close} />
                )}
                <Refusal acts={{ ...acts, refusal: explained(acts.refusal) }} />
                {sensorGroups(table).map(([group, names]) => (
                    <section key={group} class="group">
                        <h2>{texts.say(`pairing.groups.${group}`)}</h2>
                        <ul>
                            {names.map((name) => (
                                <Row
                                    key={name}
                                    table={table}
                                    name={name}
                                    mayPair={mayPair}
                                    pair={pair}
                                    act={acts.act}
                                />
                            ))}
                        </ul>
                    </section>
                ))}
            </Acting>
        </main>
    );
}

/** The only thing that is missing when a sensor is unpaired is its entry in the list of pairs. */
function explained(refusal) {
    return refusal?.error === 'nothing-there' ? { ...refusal, error: 'not-paired' } : refusal;
}

function Begin({ table, pair }) {
    const texts = useTexts();
    const next = nextShip(table);
    const [paired, all] = shipsPaired(table);
    return (
        <section class="pairing" data-step="none">
            <p>{texts.say('pairing.count', { paired, all })}</p>
            {next && (
                <button class="primary huge" data-pair-all onClick={() => pair(next)}>
                    {texts.say('pairing.begin', { what: nameOf(texts, next) })}
                </button>
            )}
        </section>
    );
}

/** A person knows the piece and not its switch. */
function nameOf(texts, sensor) {
    return kindOf(sensor) === 'tilt' ? texts.piece(pieceOf(sensor)) : texts.sensor(sensor);
}

function pieceOf(sensor) {
    return sensor.split('.')[0];
}

/** Until the table has answered, its last progress is that of an earlier attempt. */
function stepOf({ sensor, isBegun }, pairing) {
    if (!isBegun) {
        return 'tip';
    }
    return pairing?.sensor === sensor ? pairing.step : 'elsewhere';
}

function Wizard({ table, sensor, isBegun, pair, close }) {
    const texts = useTexts();
    const heading = useRef(null);
    const { pairing } = table;
    const step = stepOf({ sensor, isBegun }, pairing);
    const what = nameOf(texts, sensor);
    // The heading says what to do: whoever listens to the page hears it, and whoever looks sees it.
    useEffect(() => {
        heading.current.focus();
        navigator.vibrate?.({ raise: MOVED_MS, done: FOUND_MS }[step] ?? 0);
    }, [step]);
    return (
        <section class="pairing" data-step={step} data-sensor={sensor}>
            {harbourOf(pieceOf(sensor)) && <PieceDrawing name={pieceOf(sensor)} />}
            <h2 ref={heading} tabIndex={-1}>
                {headingWords(texts, step, sensor, { what, name: pairing?.candidates[0]?.name })}
            </h2>
            {isBegun && step !== 'elsewhere' && <Details pairing={pairing} />}
            <div class="acts">
                <WizardActs table={table} step={step} sensor={sensor} pair={pair} close={close} />
            </div>
        </section>
    );
}

function headingWords(texts, step, sensor, values) {
    return ['tip', 'raise'].includes(step)
        ? texts.say(`pairing.${step}.${kindOf(sensor)}`, values)
        : texts.say(`pairing.${step}`, values);
}

/** What was found, what moved together with it, or why it failed and what to do. */
function Details({ pairing: { step, reason, candidates, unsupported, message } }) {
    const texts = useTexts();
    const reasons = texts.words.pairing.reasons;
    return (
        <>
            {step === 'tip' && candidates.length > 1 && (
                <p class="warning">{texts.say('pairing.several')}</p>
            )}
            {step === 'failed' && (
                <p class="warning" data-reason={reason}>
                    {Object.hasOwn(reasons, reason)
                        ? texts.say(`pairing.reasons.${reason}`, {
                              name: candidates[0]?.name,
                          })
                        : message}
                </p>
            )}
            {candidates.length > 0 && (
                <ul class="candidates">
                    {candidates.slice(0, LISTED_MAX).map(({ name, source }) => (
                        <li key={source}>
                            <strong>{name}</strong> <span class="line">{shortLine(source)}</span>
                        </li>
                    ))}
                </ul>
            )}
            {step === 'failed' && unsupported?.length > 0 && (
                <p>
                    {texts.say('pairing.unsupported', {
                        names: texts.list(unsupported.slice(0, LISTED_MAX)),
                    })}
                </p>
            )}
        </>
    );
}

/** The topic of a source, or the node and its sensor. */
function shortLine(line) {
    return line.replace(/^(mqtt|node) /, '').replace(/ (alive|late)=.*$/, '');
}

function WizardActs({ table, step, sensor, pair, close }) {
    const texts = useTexts();
    const next = nextShip(table, sensor);
    const nextName = next && nameOf(texts, next);
    if (step === 'tip' || step === 'raise') {
        return (
            <button data-wizard="cancel" onClick={() => close({ verb: 'pair' })}>
                {texts.say('pairing.cancel')}
            </button>
        );
    }
    const again = (kind) => (
        <button class={kind} data-wizard="again" onClick={() => pair(sensor)}>
            {texts.say('pairing.again')}
        </button>
    );
    const goOn = (kind, words) => (
        <button class={kind} data-wizard="next" onClick={() => (next ? pair(next) : close())}>
            {next ? texts.say(`${words}Next`, { what: nextName }) : texts.say(words)}
        </button>
    );
    if (step === 'done') {
        return (
            <>
                {goOn('primary huge', 'pairing.keep')}
                {again('')}
                <button data-wizard="unpair" onClick={() => close({ verb: 'unpair', sensor })}>
                    {texts.say('pairing.unpair')}
                </button>
            </>
        );
    }
    return (
        <>
            {again('primary huge')}
            {goOn('', 'pairing.skip')}
        </>
    );
}

/** One sensor: where it reports, how well, and the way to change that. */
function Row({ table, name, mayPair, pair, act }) {
    const texts = useTexts();
    const sensor = table.sensors[name];
    const what = nameOf(texts, name);
    return (
        <li class="sensor" data-sensor={name} data-source={sourceOf(table, name)}>
            <strong>
                {what} <small>{name}</small>
            </strong>
            <Health sensor={sensor} />
            <span class="facts">{factsOf(texts, table, name).join(' · ')}</span>
            {mayPair && canBePaired(name) && (
                <span class="acts">
                    <button
                        data-pair={name}
                        aria-label={texts.say('pairing.pairWhat', { what })}
                        onClick={() => pair(name)}
                    >
                        {texts.say('pairing.pair')}
                    </button>
                    {isRadio(sensor) && (
                        <Act command={{ verb: 'unpair', sensor: name }} act={act}>
                            {texts.say('pairing.unpair')}
                            <span class="unseen"> {what}</span>
                        </Act>
                    )}
                </span>
            )}
        </li>
    );
}

function Health({ sensor }) {
    const texts = useTexts();
    if (!sensor?.health) {
        return null;
    }
    const isUnheard = isRadio(sensor) && !sensor.heard && sensor.health === 'ok';
    const { healths } = texts.words.pairing;
    const health = isUnheard ? 'unheard' : sensor.health;
    return (
        <span class={`tag health ${health}`}>
            {Object.hasOwn(healths, health) ? healths[health] : health}
        </span>
    );
}

function factsOf(texts, table, name) {
    const { line, battery, linkquality, rssi, heard_at: heard } = table.sensors[name] ?? {};
    const source = sourceOf(table, name);
    const facts = [
        [line ? `sources.${source}` : `noLine.${source}`, { line: line && shortLine(line) }],
        isNumber(battery) && ['battery', { battery }],
        isNumber(linkquality) && ['linkquality', { linkquality }],
        isNumber(rssi) && ['rssi', { rssi }],
        heard && ['heard', { time: texts.time(heard) }],
    ];
    return facts.filter(Boolean).map(([key, values]) => texts.say(`pairing.${key}`, values));
}

function isNumber(value) {
    return Number.isFinite(value);
}
