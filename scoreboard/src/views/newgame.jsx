/** The form for a new game, with a drawing of the setup. */
import { useEffect, useState } from 'preact/hooks';
import {
    colourPlaces,
    fieldsOf,
    fitName,
    isRepeated,
    problemOf,
    withColour,
    withPlayerCount,
} from '../newgame.js';
import { whatIsMissing } from '../ready.js';
import { configuredWish, formOf, sharedWish, THIS_PAGE } from '../shared_form.js';
import { HARBOURS, RULES, SCENARIOS } from '../words.js';
import { pointsOf } from '../texts.js';
import { Choice, Question, useScreen, useTexts } from './common.jsx';
import { HowTo } from './how_to.jsx';
import { ReadyCheck } from './setup.jsx';

/**
 * What the form contains, the same on all devices, and its setter. What is entered without a connection
 * stays on this page until another one has changed the form.
 */
export function useWish(table, share) {
    const [entered, setEntered] = useState(null);
    const { form } = table;
    useEffect(() => {
        if (form && form.page !== THIS_PAGE) {
            setEntered(null);
        }
    }, [JSON.stringify(form)]); // the broker repeats it after each outage
    const setWish = (wish) => {
        setEntered(wish);
        share('form', formOf(table, wish));
    };
    return [entered ?? sharedWish(table), setWish];
}

/** `isNotReady`: the table has refused to start; only "start anyway" is possible. */
export function NewGame({
    table,
    wish,
    setWish,
    isNotReady,
    onStart,
    onCancel,
    isAtSea = false,
    refusal,
    children,
}) {
    const texts = useTexts();
    useScreen('has-start');
    const change = (changes) => setWish({ ...wish, ...changes });
    const problem = problemOf(wish);
    const missing = whatIsMissing(table, wish);
    const isImpossible = missing.some(({ kind }) => ['offline', 'storage'].includes(kind));
    const isBlocked = isNotReady || missing.some(({ blocks }) => blocks);
    const submit = (event) => {
        event.preventDefault();
        setWish(wish); // remembered, also if nothing was changed
        const fields = fieldsOf(wish, (number) => texts.say('playerNumber', { number }));
        onStart({ ...fields, ...(isBlocked && { anyway: true }) });
    };
    return (
        <form class="new-game" onSubmit={submit}>
            <h1>{texts.say('newGame')}</h1>
            <HowTo info={table.info} game={wish} />
            <Choice
                label={texts.say('players')}
                name="players"
                value={wish.playerCount}
                options={[2, 3, 4].map((count) => [count, count])}
                onChoose={(playerCount) => setWish(withPlayerCount(wish, playerCount))}
            />
            {wish.playerCount === 2 && <p class="choice-hint">{texts.say('twoHarbours')}</p>}
            {wish.playerCount === 4 && (
                <label class="check">
                    <input
                        type="checkbox"
                        name="teams"
                        checked={wish.teams}
                        onChange={(event) => change({ teams: event.target.checked })}
                    />
                    {texts.say('teams')}
                </label>
            )}
            <div class="seats">
                {Array.from({ length: wish.playerCount }, (_, seat) => (
                    <Seat key={seat} seat={seat} wish={wish} setWish={setWish} />
                ))}
            </div>
            <Choice
                label={texts.say('scenario')}
                name="scenario"
                value={wish.scenario}
                options={SCENARIOS.map((each) => [each, texts.say(`scenarios.${each}`)])}
                onChoose={(scenario) => change({ scenario })}
            />
            <p class="choice-hint">
                {texts.say(`scenarioHints.${wish.scenario}`, pointsOf(table.info))}
            </p>
            <div class="small-choices">
                <div>
                    <Choice
                        label={texts.say('rulesWord')}
                        name="rules"
                        value={wish.rules}
                        options={RULES.map((each) => [each, texts.say(`rules.${each}`)])}
                        onChoose={(rules) => change({ rules })}
                    />
                    <p class="choice-hint">{texts.say(`rulesHints.${wish.rules}`)}</p>
                </div>
                <div>
                    <Choice
                        label={texts.say('dice')}
                        name="dice"
                        value={wish.dice}
                        options={['table', 'daemon'].map((each) => [
                            each,
                            texts.say(`diceWords.${each}`),
                        ])}
                        onChoose={(dice) => change({ dice })}
                    />
                    <p class="choice-hint">
                        {texts.say(`diceHints.${isAtSea && wish.dice === 'table' ? 'sea' : wish.dice}`)}
                    </p>
                </div>
            </div>
            <First wish={wish} onChoose={(first) => change({ first })} />
            {children}
            {table.speaker === null && <p class="choice-hint">{texts.say('silent')}</p>}
            {problem === null && <ReadyCheck table={table} wish={wish} />}
            {problem && (
                <p role="alert" class="warning">
                    {texts.say(problem)}
                </p>
            )}
            <div class="acts start">
                {refusal}
                <button
                    class={isBlocked ? 'danger huge' : 'primary huge'}
                    disabled={problem !== null || isImpossible}
                    data-verb="new-game"
                    data-anyway={isBlocked}
                >
                    {texts.say(isBlocked ? 'startAnyway' : 'start')}
                </button>
                {onCancel && (
                    <button type="button" data-cancel onClick={onCancel}>
                        {texts.say(table.state?.phase === 'over' ? 'back' : 'keepPlaying')}
                    </button>
                )}
            </div>
            <Reset table={table} wish={wish} setWish={setWish} />
        </form>
    );
}

/** Takes back what was entered or remembered, after a question: names take long to enter. */
function Reset({ table, wish, setWish }) {
    const texts = useTexts();
    const [isAsking, setAsking] = useState(false);
    const configured = configuredWish(table);
    const reset = () => {
        setAsking(false);
        setWish(configured);
    };
    return (
        JSON.stringify(fieldsOf(wish, String)) !== JSON.stringify(fieldsOf(configured, String)) && (
            <>
                <button
                    type="button"
                    class="quiet reset"
                    data-configured
                    onClick={() => setAsking(true)}
                >
                    {texts.say('asConfigured')}
                </button>
                {isAsking && (
                    <Question title={texts.say('resetSure')} onClose={() => setAsking(false)}>
                        <button type="button" data-answer="no" onClick={() => setAsking(false)}>
                            {texts.say('keepEntered')}
                        </button>
                        <button type="button" class="danger" data-answer="yes" onClick={reset}>
                            {texts.say('yesReset')}
                        </button>
                    </Question>
                )}
            </>
        )
    );
}

function Seat({ seat, wish, setWish }) {
    const texts = useTexts();
    const number = seat + 1;
    const [first, second] = colourPlaces(wish, seat);
    const setName = (name) => setWish({ ...wish, names: changed(wish.names, seat, fitName(name)) });
    const setTeam = (team) =>
        setWish({ ...wish, teamOf: changed(wish.teamOf, seat, Number(team)) });
    return (
        <div class={`seat ${wish.colours[first]} ${second === undefined ? '' : 'two'}`}>
            <input
                aria-label={texts.say('nameOf', { number })}
                name={`name-${number}`}
                dir="auto"
                placeholder={texts.say('playerNumber', { number })}
                value={wish.names[seat]}
                aria-invalid={isRepeated(wish, seat)}
                onInput={(event) => setName(event.target.value)}
                onKeyDown={toNextField}
                autocomplete="off"
                enterkeyhint="next"
            />
            <Colour
                label={texts.say('colourOf', { number })}
                name={`colour-${number}`}
                index={first}
                wish={wish}
                setWish={setWish}
            />
            {second !== undefined && (
                <Colour
                    label={texts.say('secondColourOf', { number })}
                    name={`second-colour-${number}`}
                    index={second}
                    wish={wish}
                    setWish={setWish}
                />
            )}
            {wish.teams && wish.playerCount === 4 && (
                <select
                    aria-label={texts.say('teamOf', { number })}
                    name={`team-${number}`}
                    value={wish.teamOf[seat]}
                    onChange={(event) => setTeam(event.target.value)}
                >
                    {[1, 2].map((team) => (
                        <option key={team} value={team}>
                            {texts.say('team', { team })}
                        </option>
                    ))}
                </select>
            )}
        </div>
    );
}

/** The key of a phone's keyboard that says "next" is not the button that starts the game. */
function toNextField(event) {
    if (event.key === 'Enter') {
        event.preventDefault();
        const fields = [...event.target.form.querySelectorAll('.seat input')];
        const next = fields[fields.indexOf(event.target) + 1];
        next ? next.focus() : event.target.blur();
    }
}

function changed(list, index, value) {
    return list.map((each, i) => (i === index ? value : each));
}

function Colour({ label, name, index, wish, setWish }) {
    const texts = useTexts();
    return (
        <select
            aria-label={label}
            name={name}
            class={wish.colours[index]}
            value={wish.colours[index]}
            onChange={(event) => setWish(withColour(wish, index, event.target.value))}
        >
            {HARBOURS.map((harbour) => (
                <option key={harbour} value={harbour}>
                    {texts.say(`colours.${harbour}`)}
                </option>
            ))}
        </select>
    );
}

function First({ wish, onChoose }) {
    const texts = useTexts();
    const nameOf = (number) => wish.names[number - 1] || texts.say('playerNumber', { number });
    return (
        <label class="first">
            {texts.say('first')}
            <select
                name="first"
                value={wish.first}
                onChange={(event) => onChoose(event.target.value)}
            >
                <option value="draw">{texts.say('draw')}</option>
                {Array.from({ length: wish.playerCount }, (_, i) => (
                    <option key={i} value={i + 1}>
                        {nameOf(i + 1)}
                    </option>
                ))}
            </select>
        </label>
    );
}
