/** The controls next to the virtual table: everything that a game needs. */
import { useEffect, useRef } from 'preact/hooks';
import { inPlay, isEnemy, isTile, turned } from '../aim.js';
import { commandsOf, find } from '../choices.js';
import { distance, harbourPlaces, KNOT, SEA } from '../layout.js';
import { wishFrom } from '../newgame.js';
import { isReady } from '../ready.js';
import { isLying, lyingPieces } from '../sensors.js';
import { liveEvents } from '../undone.js';
import { withoutUselessRoll } from '../idle_steps.js';
import { endWords } from '../whatnow.js';
import { guestOf, harboursOf, isShip, isTower } from '../words.js';
import { Act, Acting, Refusal, Tap } from './acts.jsx';
import { CombatActions, MovingActions, Pass, RepairActions } from './actions.jsx';
import { NextGame } from './before_game.jsx';
import { Log } from './board.jsx';
import { Abandon, Always, PutRight, Whose } from './captain.jsx';
import { Winners } from './celebration.jsx';
import { useEnd } from './end_of_step.js';
import { useTexts } from './common.jsx';
import { PieceDrawing } from './pictures.jsx';
import { costOf, isWaiting, putAllRight, seenRope } from './sailing.js';
import { RopeDrawing } from './stage.jsx';
import { WhatNow } from './whatnow.jsx';

const PULL_MAX = 4;
const BUMPED = 3;

/**
 * The table does not know who is next to whom, but this page does: what is farther away is not
 * offered (C1, TI1, ME2, HW1, KR2).
 */
export const REACH = {
    engage: 2 * KNOT,
    'take-chest': 2.5 * KNOT,
    'load-barrel': 2.5 * KNOT,
    'deliver-barrel': 2.5 * KNOT,
    'catch-wind': 3.5 * KNOT,
    entangle: KNOT,
};

/** Whether the piece of a command is where the command is possible. */
function isInReach(state, places, { verb, piece, attacker, target, harbour }) {
    const docks = harbourPlaces(harboursOf(state));
    const goals = {
        engage: places[target],
        'take-chest': { x: SEA / 2, y: SEA / 2 },
        'load-barrel': docks[harbour],
        'deliver-barrel': docks[harbour],
        'catch-wind': places.wind,
        entangle: places.kraken,
    };
    return !goals[verb] || distance(places[piece ?? attacker], goals[verb]) <= REACH[verb];
}

/** The enemies that are close enough for close combat. Neither the monster nor a tile is attacked. */
export function enemiesNear(state, places, name) {
    return Object.keys(places).filter(
        (other) =>
            inPlay(state, other) &&
            (isShip(other) || isTower(other)) &&
            isEnemy(state, other) &&
            distance(places[name], places[other]) <= REACH.engage,
    );
}

/** What the table accepts now, this login may send, and the places of the pieces allow. */
export function commandsAtSea(table, forbidden, places) {
    return withoutUselessRoll(table.state, commandsOf(table)).filter(
        (command) => !forbidden.includes(command.verb) && isInReach(table.state, places, command),
    );
}

/** What is done with the pieces on the sea, and not with a button. */
const BY_HAND = ['aim', 'fire', 'select', 'move', 'move-wind', 'engage'];

/**
 * Whether nobody can fight in the close combat of this turn. Only this view knows how near everybody is;
 * pieces without an owner may fight for the player, too, and the kraken those that it holds.
 */
function isCombatIdle(state, places) {
    const { pieces, player, combats, scenario } = state;
    const isMine = (name) => inPlay(state, name) && pieces[name].owner === player;
    const mayFight = (name) =>
        (isMine(name) || (inPlay(state, name) && name === guestOf(scenario))) &&
        (pieces[name].entangled || enemiesNear(state, places, name).length > 0);
    return (
        !combats.some(({ attacker, target }) => isMine(attacker) || isMine(target)) &&
        !Object.keys(places).some(mayFight)
    );
}

/** The attacks that are possible; a roll that is due comes first. */
export function attacksOf(commands) {
    return find(commands, 'roll-combat') ? [] : commands.filter(({ verb }) => verb === 'engage');
}

/** There is no rope at this table. */
const RULES_AT_SEA = { sail: 'seaSail' };

/** What a step says at this table, where pieces are tapped and dragged, instead of at a real one. */
function wordsAtSea({ state, log }, commands, gun, sailing) {
    const { isWorthIt, canHit, goal, target } = gun;
    const isDropped = isWaiting(sailing.moved);
    const isFight = ({ event_type: type, turn }) => type === 'combat-started' && turn === state.turn;
    const nobody = liveEvents(log.events).some(isFight) ? 'seaNoMore' : 'seaNoAttack';
    const isInWay = goal !== null && target !== null && goal !== target;
    const idle = canHit ? 'seaShoot' : 'seaNoTarget';
    const aim = isInWay ? 'seaInWay' : idle;
    const moved = isShip(sailing.moved?.name ?? '') ? 'seaMoved' : 'seaMovedThere';
    const sail = isDropped ? moved : 'seaSail';
    return {
        shoot: isWorthIt ? 'seaFire' : aim,
        watchBall: 'seaBall',
        sail,
        sailFar: sail,
        sailRope: sail,
        roll: 'seaRoll',
        fight: 'seaFight',
        attack: attacksOf(commands).length === 1 ? 'seaAttack' : 'seaAttacks',
        repair: 'seaRepair',
        atBarrels: 'seaReached',
        atChest: 'seaReached',
        atKraken: 'seaReached',
        atWind: 'seaReached',
        noAttack: sailing.isElsewhere ? 'seaFarFight' : nobody,
    };
}

/** What can be done where the pieces are: it comes before the end of the step. */
const AT_HAND = ['engage', 'take-chest', 'load-barrel', 'deliver-barrel', 'catch-wind', 'entangle'];

/** The last events that are listed. */
const SHOWN_EVENTS = 5;

export function SeaControls({
    table,
    commands,
    onOther,
    onLeave,
    acts,
    hands,
    gun,
    chosen,
    sailing,
}) {
    const texts = useTexts();
    const latest = useRef(table);
    latest.current = table;
    const { state } = table;
    const controls = useRef(null);
    useEffect(() => {
        [document.scrollingElement, controls.current].forEach((each) => each.scrollTo(0, 0));
    }, [state.turn, state.phase, state.die]); // each step begins with what to do
    const isDropped = isWaiting(sailing.moved);
    // Before the ships have sailed nobody knows who will be near.
    const isNobodyNear = (step) =>
        step === 'combat' &&
        state.phase !== 'shooting' &&
        !sailing.isElsewhere &&
        isCombatIdle(state, sailing.places);
    const { act: end, ahead } = useEnd(table, commands, acts, isNobodyNear);
    const endOrUndo = useUpright(table, hands, end);
    /** Pieces are raised and laid down by hand, as their sensors report it. */
    const act = (command) => {
        const isLaid = isLying(table, command.piece);
        if (command.verb === 'raise' && isLaid) {
            return hands.raise(command.piece);
        }
        return command.verb === 'topple' && !isLaid
            ? hands.topple(command.piece)
            : end(command);
    };
    /** After a game the captured pieces lie beside the table: they are put up for the next one. */
    const tidyAndStart = async (command) => {
        await putAllRight(hands, table);
        await ready(() => latest.current);
        return acts.act(command);
    };
    return (
        <aside class="hands" ref={controls}>
            <Acting acts={acts}>
                {state.phase === 'over' ? (
                    <section class="game-over">
                        <Winners table={table} />
                        <NextGame
                            table={table}
                            acts={{ ...acts, act: tidyAndStart }}
                            onOther={onOther}
                        />
                        <Refusal acts={acts} />
                    </section>
                ) : (
                    <>
                        <Whose state={state} />
                        {sailing.isElsewhere && <p class="warning">{texts.say('seaElsewhere')}</p>}
                        <Told table={table} acts={acts} sailing={sailing}>
                            <WhatNow
                                table={ahead}
                                commands={commands}
                                instead={wordsAtSea(table, commands, gun, sailing)}
                                rules={RULES_AT_SEA}
                                met={gun.target}
                            />
                        </Told>
                        <ConfirmMove state={state} sailing={sailing} />
                        {!isDropped && (
                            <Step
                                table={table}
                                commands={commands}
                                act={act}
                                gun={gun}
                                hands={hands}
                            />
                        )}
                    </>
                )}
                {!isDropped && (
                    <Always
                        table={ahead}
                        commands={commands}
                        act={endOrUndo}
                        isMain={state.shot !== 'open' && !AT_HAND.some((verb) => find(commands, verb))}
                    />
                )}
            </Acting>
            <Log table={table} count={SHOWN_EVENTS} />
            {onLeave && state.phase !== 'over' && <Abandon onLeave={onLeave} />}
            <details class="tools">
                <summary>{texts.say('handTools')}</summary>
                <p class="hint">{texts.say('seaHint')}</p>
                <ChosenPiece
                    table={table}
                    hands={hands}
                    places={sailing.places}
                    chosen={chosen && inPlay(state, chosen) ? chosen : null}
                />
                <RopeControls table={table} hands={hands} />
            </details>
        </aside>
    );
}

/** Sends commands. What an undo leaves lying although it stands in the game is put up: nobody else can do it. */
function useUpright(table, hands, act) {
    const isUndoing = useRef(false);
    const { state, log } = table;
    useEffect(() => {
        const isUndone = log.events.at(-1)?.event_type === 'undone' && log.events.length === state.seq;
        if (isUndoing.current && isUndone) {
            isUndoing.current = false;
            hands.raise(...lyingPieces(table).filter((name) => state.pieces[name]?.status === 'standing'));
        }
    }, [state.seq, log.events.length]);
    return (command) => {
        isUndoing.current = command.verb === 'undo';
        return act(command);
    };
}

/** How long the table may take to notice that all pieces stand, which takes longer than their sensors. */
const STAND_MS = 2000;
const LOOK_MS = 50;

/** Waits until the table is ready for the next game; if it is not, its refusal says why. */
async function ready(tableNow) {
    const isNotReady = () => !isReady(tableNow(), wishFrom(tableNow().state));
    for (let waited = 0; waited < STAND_MS && isNotReady(); waited += LOOK_MS) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
}

function Step({ table, commands, act, gun, hands }) {
    const { state } = table;
    const here = commands.filter(({ verb }) => !BY_HAND.includes(verb));
    const parts = { moving: MovingActions, combat: CombatActions, repair: RepairActions };
    const Part = parts[state.phase];
    return (
        <>
            <PutRight state={state} commands={commands} act={act} isAtSea />
            <StandUp table={table} hands={hands} />
            {state.phase === 'shooting' && (
                <GunControls state={state} gun={gun} commands={commands} act={act} />
            )}
            {Part && <Part key={state.turn} table={table} commands={here} act={act} isAtSea />}
            <NearAttacks state={state} commands={attacksOf(commands)} act={act} />
        </>
    );
}

/** How an attack is decided, if it is the same for all of them (A4, KR4). */
function attackHint({ pieces }, commands) {
    const are = (check) => commands.every(({ target }) => check(target));
    if (are((target) => pieces[target].status === 'flat')) {
        return 'flatHint';
    }
    if (are((target) => target === 'kraken')) {
        return 'krakenHint';
    }
    const isOfNobody = commands.every(({ attacker }) => pieces[attacker].owner === null); // PS3, SM2
    return isOfNobody ? 'attackHintGuest' : 'attackHint';
}

/** The attacks that the places of the pieces allow. */
function NearAttacks({ state, commands, act }) {
    const texts = useTexts();
    return (
        commands.length > 0 && (
            <section class="group attacks">
                <p>{texts.say(attackHint(state, commands))}</p>
                <div class="acts">
                    {commands.map((command) => (
                        <Act
                            key={`${command.attacker} ${command.target}`}
                            command={command}
                            act={act}
                            kind="primary"
                        >
                            {texts.say(state.pieces[command.target].status === 'flat' ? 'captureNow' : 'attackNow', {
                                attacker: texts.piece(command.attacker),
                                target: texts.piece(command.target),
                            })}
                        </Act>
                    ))}
                </div>
            </section>
        )
    );
}

/** Pieces that stand in the game, because a person said so, but still lie here. */
function StandUp({ table, hands }) {
    const texts = useTexts();
    const { pieces, shot } = table.state;
    const lying = lyingPieces(table).filter(
        (name) => pieces[name]?.status === 'standing' && !pieces[name].disturbed,
    );
    return (
        lying.length > 0 &&
        shot !== 'open' && (
            <div class="acts">
                <Tap data-hand="stand-up" onTap={() => hands.raise(...lying)}>
                    {texts.say('raiseAll')}
                </Tap>
            </div>
        )
    );
}

/** A ref to what is scrolled into sight when this becomes true, or another object. */
function useInSight(isNews) {
    const element = useRef(null);
    useEffect(() => {
        if (isNews) {
            element.current?.scrollIntoView({ block: 'nearest' });
        }
    }, [isNews]);
    return element;
}

/**
 * Why something was not possible, instead of what to do now: so nothing below it moves away from a
 * finger.
 */
function Told({ table, acts: { refusal, forgive }, sailing: { note, forget }, children }) {
    const texts = useTexts();
    const place = useInSight(refusal ?? note);
    const close = () => [forgive, forget].forEach((each) => each());
    const words = () =>
        refusal
            ? texts.refusal(refusal)
            : noteWords(texts, note.say, note.met, {
                  piece: texts.piece(note.piece),
                  here: texts.say('moveHere'),
                  end: endWords(texts, table),
              });
    return (
        <>
            <div role="alert" class="refusal-place" ref={place}>
                {(refusal ?? note) && (
                    <p class="refusal" data-error={refusal?.error} data-note={note?.say}>
                        {words()}
                        <button onClick={close} aria-label={texts.say('close')}>
                            ×
                        </button>
                    </p>
                )}
            </div>
            {!refusal && !note && children}
        </>
    );
}

/** `met` is the piece or 'mountain' that stands where a piece was dropped, or null. */
function noteWords(texts, say, met, values) {
    return met === 'mountain'
        ? texts.say(`seaNotes.${say}Mountain`, values)
        : texts.say(`seaNotes.${say}`, { ...values, met: met && texts.piece(met) });
}

/** A piece was dragged: only this makes it a move. */
function ConfirmMove({ state, sailing }) {
    const texts = useTexts();
    const { moved, confirm, takeBack } = sailing;
    const section = useInSight(moved?.isDropped);
    if (!isWaiting(moved)) {
        return null;
    }
    const far = distance(moved.from, moved.place) / KNOT;
    const cost = costOf(far);
    const values = {
        piece: texts.piece(moved.name),
        knots: texts.count('knots', Math.min(cost, Math.round(far * 10) / 10)),
        cost: texts.count('knots', cost),
    };
    const rest = far >= moved.reach - 0.01 ? 'sailedFull' : 'sailedTo';
    const isPart = values.knots !== values.cost;
    const near = enemiesNear(state, sailing.places, moved.name);
    return (
        <section class="group confirm-move" ref={section}>
            <h2>{texts.say(isPart ? 'sailedPart' : rest, values)}</h2>
            <div class="acts">
                <Tap class="primary" data-hand="confirm" onTap={confirm}>
                    {texts.say('moveHere')}
                </Tap>
                <Tap data-hand="take-back" onTap={takeBack}>
                    {texts.say('moveBack')}
                </Tap>
            </div>
            {state.combats.some((fight) => [fight.attacker, fight.target].includes(moved.name)) && (
                <p>{texts.say('endsCombat')}</p>
            )}
            {moved.met && (
                <p data-note="stopped">{noteWords(texts, 'stopped', moved.met, values)}</p>
            )}
            {!isTile(moved.name) && (
                <p>
                    {near.length > 0
                        ? texts.say('seaNear', { pieces: texts.pieceList(near) })
                        : texts.say('seaNearNobody')}
                </p>
            )}
        </section>
    );
}

function ChosenPiece({ table, hands, chosen, places }) {
    const texts = useTexts();
    const canTilt = chosen && !isTile(chosen);
    const lying = Object.keys(places).filter((name) => isLying(table, name));
    if (!chosen && lying.length === 0) {
        return null;
    }
    return (
        <section class="group">
            {chosen && <h2>{texts.say('chosen', { piece: texts.piece(chosen) })}</h2>}
            <div class="acts">
                {canTilt &&
                    (isLying(table, chosen) ? (
                        <button data-hand="raise" onClick={() => hands.raise(chosen)}>
                            {texts.say('raise')}
                        </button>
                    ) : (
                        <button data-hand="topple" onClick={() => hands.topple(chosen)}>
                            {texts.say('topple')}
                        </button>
                    ))}
                {canTilt && (
                    <button
                        data-hand="bump"
                        onClick={() => hands.topple(...around(chosen, places, table))}
                    >
                        {texts.say('bump')}
                    </button>
                )}
                {lying.length > 0 && (
                    <button data-hand="raise-all" onClick={() => hands.raise(...lying)}>
                        {texts.say('raiseAll')}
                    </button>
                )}
            </div>
        </section>
    );
}

/** Bumps the table: the nearest pieces fall together. */
function around(chosen, places, table) {
    return Object.keys(places)
        .filter((name) => inPlay(table.state, name) && !isLying(table, name))
        .filter((name) => !isTile(name))
        .sort((a, b) => distance(places[a], places[chosen]) - distance(places[b], places[chosen]))
        .slice(0, BUMPED);
}

function GunControls({ state, gun, commands, act }) {
    const texts = useTexts();
    const aims = commands.filter(({ verb }) => verb === 'aim');
    const mayFire = commands.some(({ verb }) => verb === 'fire');
    return (
        <>
            {gun.at && mayFire && (
                <section class="group">
                    <p class={`line-of-fire ${gun.isWorthIt ? '' : 'warning'}`} aria-live="polite">
                        {lineWords(texts, gun)}
                    </p>
                    <div class="acts">
                        <Tap
                            class={gun.isWorthIt ? 'danger huge' : 'huge'}
                            data-hand="fire"
                            onTap={gun.fire}
                        >
                            {gun.isWorthIt
                                ? texts.say('fireAt', { piece: texts.piece(gun.target) })
                                : texts.say('fireAnyway')}
                        </Tap>
                    </div>
                    <div class="turning">
                        <Turn gun={gun} by={-1} sign="↺" />
                        <label>
                            {texts.say('direction')}
                            <input
                                type="range"
                                min="-180"
                                max="180"
                                name="direction"
                                value={gun.angle}
                                onInput={(event) => gun.setAngle(Number(event.target.value))}
                            />
                        </label>
                        <Turn gun={gun} by={1} sign="↻" />
                    </div>
                    <label class="check">
                        <input
                            type="checkbox"
                            name="may-miss"
                            checked={gun.mayMiss}
                            onChange={(event) => gun.setMayMiss(event.target.checked)}
                        />
                        {texts.say('mayMiss')}
                    </label>
                </section>
            )}
            {aims.length > 0 && (
                <details class="folded pieces">
                    <summary>
                        {texts.say('shootFrom', { piece: gun.at ? texts.piece(gun.at) : '–' })}
                    </summary>
                    <div class="acts">
                        {aims.map((command) => (
                            <Act
                                key={command.piece}
                                command={command}
                                act={() => gun.put(command.piece)}
                                kind="piece-act"
                                isChosen={command.piece === gun.at}
                            >
                                <PieceDrawing name={command.piece} />
                                <span>{texts.piece(command.piece)}</span>
                            </Act>
                        ))}
                    </div>
                </details>
            )}
            <Pass state={state} commands={commands} act={act} />
        </>
    );
}

/** Turns the cannon by one degree, which is less than a finger can do with the slider. */
function Turn({ gun, by, sign }) {
    const texts = useTexts();
    return (
        <button
            aria-label={texts.say(by < 0 ? 'turnLeft' : 'turnRight')}
            onClick={() => gun.setAngle(turned(gun.angle, by))}
        >
            {sign}
        </button>
    );
}

/** What the ball would meet. */
function lineWords(texts, { target, goal, isOwn, isBlocked, isWorthIt }) {
    if (isBlocked) {
        return texts.say('mountainInLine');
    }
    if (target === null) {
        return texts.say('nothingInLine');
    }
    const values = { piece: texts.piece(target), goal: goal && texts.piece(goal) };
    if (isOwn) {
        return texts.say('ownInLine', values);
    }
    if (!isWorthIt) {
        return texts.say('flatInLine', values);
    }
    return texts.say(goal === null || goal === target ? 'enemyInLine' : 'otherInLine', values);
}

function RopeControls({ table, hands }) {
    const texts = useTexts();
    const { rope, state } = table;
    const seen = seenRope(table);
    return (
        <section class="group">
            <h2>{texts.say('rope')}</h2>
            <RopeDrawing
                left={rope?.left ?? 0}
                pulled={Math.max(0, seen.knots)}
                isOver={rope?.over ?? false}
                piece={state.selected}
            />
            <label>
                {texts.say('pull')}
                <input
                    type="range"
                    min="0"
                    max={PULL_MAX}
                    step="0.05"
                    name="pull"
                    value={seen.knots}
                    onInput={(event) => hands.pullTo(Number(event.target.value), seen)}
                />
            </label>
            <div class="acts">
                <button data-hand="press" onClick={() => hands.press()}>
                    {texts.say('press')}
                </button>
                <button data-hand="hold" onClick={() => hands.hold()}>
                    {texts.say('hold')}
                </button>
            </div>
        </section>
    );
}
