/** The virtual table: ships are dragged, the cannon fires, pieces topple, the rope is pulled. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { angleTo, inPlay, isTile } from '../aim.js';
import { find } from '../choices.js';
import { conditionsOf, describePiece } from '../conditions.js';
import { Hands } from '../hands.js';
import { CENTRE, distance, harbourPlaces, KNOT, labelPlace, SEA } from '../layout.js';
import { isLying, lyingPieces } from '../sensors.js';
import { harboursOf, isShip } from '../words.js';
import { useActs } from './acts.jsx';
import { SetUp, useOtherGame } from './before_game.jsx';
import { useScreen, useTexts } from './common.jsx';
import { useGun } from './gun.js';
import { PieceDrawing, Thing } from './pictures.jsx';
import { putAllRight, seenRope, useSailing } from './sailing.js';
import { attacksOf, commandsAtSea, enemiesNear, REACH, SeaControls } from './sea_controls.jsx';
import { Islands, nameOfHarbour, Placed } from './setup.jsx';

const KEY_STEP = KNOT / 2;
/** A finger that moves less than this has tapped. */
const DRAG_PX = 6;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function VirtualTable({ table, forbidden, whoAmI, ...ports }) {
    useScreen('filled');
    const [isForm, setForm] = useOtherGame(table);
    const texts = useTexts();
    const isReal = table.info?.backend === 'gpiod';
    if (isReal || forbidden.includes('sim')) {
        return (
            <main class="virtual">
                <p class="hint">{texts.say(isReal ? 'notSimulated' : 'mayNotMove')}</p>
                {!isReal && whoAmI}
            </main>
        );
    }
    if (table.state === null || table.state.phase === 'lobby' || isForm) {
        return (
            <SetUp
                table={table}
                forbidden={forbidden}
                onCancel={isForm ? () => setForm(false) : null}
                isAtSea
                {...ports}
            >
                <TidyUp table={table} sendEdge={ports.sendEdge} />
            </SetUp>
        );
    }
    return (
        <Sea
            key={table.state.game}
            table={table}
            forbidden={forbidden}
            onOther={() => setForm(true)}
            onLeave={forbidden.includes('new-game') ? null : () => setForm(true)}
            {...ports}
        />
    );
}

/**
 * Pieces that lie on their side are put up for the next game: after a game by themselves, otherwise on
 * request.
 */
function TidyUp({ table, sendEdge }) {
    const texts = useTexts();
    const hands = useMemo(() => new Hands(sendEdge), []);
    const lying = lyingPieces(table);
    useEffect(() => {
        if (table.state?.phase === 'over') {
            putAllRight(hands, table);
        }
    }, [lying.length]);
    return (
        (lying.length > 0 || seenRope(table).knots > 0) && (
            <div class="acts">
                <button data-hand="tidy-up" onClick={() => putAllRight(hands, table)}>
                    {texts.say('putAllRight')}
                </button>
            </div>
        )
    );
}

function Sea({ table, forbidden, onOther, onLeave, send, sendEdge, share, isConnected }) {
    const hands = useMemo(() => new Hands(sendEdge), []);
    const acts = useActs(table, send, isConnected);
    const sailing = useSailing({ table, act: acts.act, hands, share });
    const step = `${table.state.turn} ${table.state.phase}`;
    const [choice, setChoice] = useState({ step, name: null });
    const chosen = choice.step === step ? choice.name : null; // each step begins anew
    const gun = useGun(table, acts.act, hands, sailing.places, sailing.tell);
    const commands = commandsAtSea(table, forbidden, sailing.places);
    const fallen = lyingPieces(table).filter((name) => mayStandUp(table, commands, name));
    const able = [...ableOf(commands), ...fallen];
    const acting = gun.at ?? actingPiece(table.state, able, sailing, chosen);
    /** What was not possible is no news any more. */
    const forget = () => [sailing.forget, acts.forgive].forEach((each) => each());
    const choose = (name) => {
        setChoice({ step, name });
        forget();
        if (fallen.includes(name)) {
            hands.raise(name);
            return;
        }
        const here = commands.find(({ verb, piece }) => HERE.includes(verb) && piece === name);
        if (here) {
            acts.act(here);
            return;
        }
        gun.aimAt(name);
        const attack = attackOn(name, attacksOf(commands), sailing.places, acting);
        if (attack) {
            acts.act(attack);
        }
    };
    /** The ship at this harbour loads its barrel. */
    const take = (harbour) => {
        const load = find(commands, 'load-barrel', { harbour });
        if (load) {
            acts.act(load);
        } else {
            sailing.tell({ say: state.phase === 'moving' ? 'noShipHere' : 'notNow' });
        }
    };
    return (
        <main
            class={`virtual ${acts.isOffline ? 'is-offline' : ''} ${gun.ball ? 'is-firing' : ''}`}
            aria-busy={acts.isWaiting}
        >
            <SeaDrawing
                table={table}
                able={able}
                sailing={sailing}
                gun={gun}
                onTurn={forget}
                onTake={take}
                acting={acting}
                targets={[...new Set(attacksOf(commands).map(({ target }) => target))]}
                isWindy={find(commands, 'catch-wind') !== undefined}
                onChoose={choose}
            />
            <SeaControls
                table={table}
                commands={commands}
                onOther={onOther}
                onLeave={onLeave}
                acts={acts}
                hands={hands}
                gun={gun}
                chosen={chosen}
                sailing={sailing}
            />
        </main>
    );
}

/** What a piece can do in the step, where it is or at all; the rest is reported, or done with a button. */
const HERE = ['take-chest', 'catch-wind', 'entangle'];
const DOES = ['aim', 'move', 'move-wind', 'engage', ...HERE];

/** The pieces that can do something now. */
function ableOf(commands) {
    return commands
        .filter(({ verb }) => DOES.includes(verb))
        .map(({ verb, piece, attacker }) => (verb === 'move-wind' ? 'wind' : (piece ?? attacker)));
}

/** The piece that was tapped, or else selected for the rope, if it can do something now; or null. */
function actingPiece({ selected }, able, { moved }, chosen) {
    return [moved?.name, chosen, selected].find((name) => able.includes(name)) ?? null;
}

/** Whether a piece that lies ought to stand (S5, S7), or may be repaired now (A3). */
function mayStandUp(table, commands, name) {
    const { pieces, phase, player } = table.state;
    const isWrong = pieces[name]?.status === 'standing';
    const isRepair = phase === 'repair' && pieces[name]?.owner === player;
    return find(commands, 'raise', { piece: name }) && (isWrong || isRepair);
}

/** The attack on the tapped piece: with the piece that was tapped before, or else with the nearest. */
function attackOn(name, attacks, places, acting) {
    const far = ({ attacker }) =>
        attacker === acting ? -1 : distance(places[attacker], places[name]);
    return attacks
        .filter(({ target }) => target === name)
        .sort((a, b) => far(a) - far(b))[0];
}

function SeaDrawing({ table, able, sailing, gun, onTurn, onTake, acting, targets, isWindy, onChoose }) {
    const texts = useTexts();
    const { state } = table;
    const drawing = useRef(null);
    const names = Object.keys(sailing.places).filter((name) => inPlay(state, name));
    const tilesFirst = [...names].sort((a, b) => isTile(b) - isTile(a));
    const pointAt = (event) => {
        const matrix = drawing.current.getScreenCTM().inverse();
        return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    };
    return (
        <svg
            class="sea"
            data-game={state.game}
            viewBox={`0 0 ${SEA} ${SEA}`}
            ref={drawing}
            role="group"
            aria-label={texts.say('sea')}
        >
            <Islands
                harbours={harboursOf(state)}
                scenario={state.scenario}
                hasChest={state.chest === 'island'}
            />
            <BarrelsAshore state={state} onTake={onTake} />
            {gun.at && !gun.hasFired && <Sight gun={gun} places={sailing.places} />}
            <Reach state={state} sailing={sailing} acting={acting} />
            <Goal state={state} acting={acting} />
            {isWindy && (
                <g class="reach">
                    <circle cx={sailing.places.wind.x} cy={sailing.places.wind.y} r={REACH['catch-wind']} />
                </g>
            )}
            <Near state={state} sailing={sailing} acting={acting} targets={targets} />
            {tilesFirst.map((name) => (
                <SeaPiece
                    key={name}
                    table={table}
                    name={name}
                    sailing={sailing}
                    pointAt={pointAt}
                    isActing={name === acting}
                    isAble={able.includes(name)}
                    onChoose={onChoose}
                />
            ))}
            {gun.at && (
                <Cannon
                    gun={gun}
                    place={sailing.places[gun.at]}
                    pointAt={pointAt}
                    onTurn={onTurn}
                />
            )}
            {gun.ball && (
                <circle
                    class="ball"
                    cx={gun.ball.from.x}
                    cy={gun.ball.from.y}
                    r="11"
                    style={{ '--dx': `${gun.ball.dx}px`, '--dy': `${gun.ball.dy}px` }}
                />
            )}
        </svg>
    );
}

/** How far the piece may sail. */
function Reach({ state, sailing: { moved, places, reachOf }, acting }) {
    const texts = useTexts();
    const centre = moved?.from ?? places[acting];
    const knots = acting === null ? 0 : reachOf(acting);
    if (knots === 0) {
        return null;
    }
    const pieces = Object.keys(places).filter((name) => inPlay(state, name));
    const harbours = Object.values(harbourPlaces(harboursOf(state)));
    const drawn = [...pieces.map((name) => places[name]), ...harbours.map(nameOfHarbour)];
    const sign = { x: places[acting].x + REACH.engage, y: places[acting].y };
    const label = labelPlace(centre, knots * KNOT, [...drawn, sign]);
    return (
        <g class="reach">
            <circle cx={centre.x} cy={centre.y} r={knots * KNOT} />
            <text x={label.x} y={label.y} dy="7">
                {texts.count('knots', knots)}
            </text>
        </g>
    );
}

/** How close an enemy must be for close combat, and the enemies that are. */
function Near({ state, sailing: { moved, places }, acting, targets }) {
    const isSailing = state.phase === 'moving' && acting !== null && !isTile(acting);
    const { x, y } = places[acting] ?? {};
    const near = isSailing && moved ? enemiesNear(state, places, acting) : targets;
    return (
        <>
            {isSailing && (
                <g class="near">
                    <circle cx={x} cy={y} r={REACH.engage} />
                    <circle class="sign" cx={x + REACH.engage} cy={y} r="17" />
                    <Placed place={{ x: x + REACH.engage, y }} size={26}>
                        <Thing name="Swords" />
                    </Placed>
                </g>
            )}
            {near.map((name) => (
                <circle key={name} class="target" cx={places[name].x} cy={places[name].y} r="44" />
            ))}
        </>
    );
}

/** The barrels that still lie at their harbours; a tap loads one. */
function BarrelsAshore({ state, onTake }) {
    const texts = useTexts();
    const docks = harbourPlaces(harboursOf(state));
    return Object.entries(state.barrels ?? {})
        .filter(([from]) => Object.hasOwn(docks, from))
        .map(([from, to]) => {
            const place = { x: docks[from].x + 48, y: docks[from].y - 4 };
            const words = texts.say('loadAt', { harbour: texts.say(`colours.${from}`) });
            return (
                <g key={from} class="barrel-ashore" onClick={() => onTake(from)}>
                    <title>{words}</title>
                    <circle cx={place.x} cy={place.y} r="30" />
                    <Placed place={place} size={44}>
                        <Thing name="Barrel" colour={to} />
                    </Placed>
                </g>
            );
        });
}

/** Where the piece would reach what it sails for: the harbour of its barrel, or the island with the chest. */
function Goal({ state, acting }) {
    const to = state.pieces[acting]?.cargo?.replace('barrel-', '');
    const dock = harbourPlaces(harboursOf(state))[to];
    const island = state.chest === 'island' && isShip(acting ?? '') ? CENTRE : undefined;
    const goal = dock ?? island;
    const reach = dock ? REACH['deliver-barrel'] : REACH['take-chest'];
    return goal && state.phase === 'moving' ? (
        <g class="goal">
            <circle cx={goal.x} cy={goal.y} r={reach} />
        </g>
    ) : null;
}

/** What a piece carries, and whether it fights or is held. */
function SeaBadges({ state, name }) {
    const conditions = conditionsOf(state, name);
    const barrel = state.pieces[name].cargo?.replace('barrel-', '');
    const badges = [
        conditions.includes('chest') && ['Chest', ''],
        conditions.includes('barrel') && ['Barrel', barrel],
        conditions.includes('combat') && ['Swords', ''],
        conditions.includes('entangled') && ['Kraken', ''],
    ].filter(Boolean);
    return badges.map(([thing, colour], i) => (
        <g key={thing} class="sea-badge">
            <circle cx={30 - 60 * (i % 2)} cy="-24" r="19" />
            <Placed place={{ x: 30 - 60 * (i % 2), y: -24 }} size={28}>
                <Thing name={thing} colour={colour} />
            </Placed>
        </g>
    ));
}

/** The line of fire, and a ring around the piece that the ball would hit. */
function Sight({ gun: { at, angle, reach, target, isOwn }, places }) {
    const { x, y } = places[at];
    const aim = places[target];
    return (
        <>
            <g transform={`translate(${x} ${y}) rotate(${angle})`}>
                <line class="sight" x1="64" x2={reach} y1="0" y2="0" />
            </g>
            {target && (
                <circle class={`target ${isOwn ? 'own' : ''}`} cx={aim.x} cy={aim.y} r="44" />
            )}
        </>
    );
}

/** The cannon next to its piece; a drag turns it. Its picture points up a little, and to the right. */
function Cannon({ gun: { angle, hasFired, setAngle }, place, pointAt, onTurn }) {
    const isHeld = useRef(false);
    const side = Math.abs(angle) > 90 ? -1 : 1; // its wheel stays below
    const onPointerDown = (event) => {
        if (event.button === 0 && !hasFired) {
            event.currentTarget.setPointerCapture(event.pointerId);
            isHeld.current = true;
            onTurn();
        }
    };
    const onPointerMove = (event) => {
        if (isHeld.current) {
            setAngle(angleTo(place, pointAt(event)));
        }
    };
    const letGo = () => {
        isHeld.current = false;
    };
    return (
        <g
            class="gun"
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerUp={letGo}
            onPointerCancel={letGo}
            transform={`translate(${place.x} ${place.y}) rotate(${angle}) scale(1 ${side})`}
        >
            <circle cx="39" r="21" />
            <g transform="rotate(17)">
                <Placed place={{ x: 37, y: -9 }} size={36}>
                    <Thing name="Cannon" />
                </Placed>
            </g>
        </g>
    );
}

function SeaPiece({ table, name, sailing, pointAt, isActing, isAble, onChoose }) {
    const texts = useTexts();
    const grip = useRef(null);
    const { x, y } = sailing.places[name];
    const classes = [
        'sea-piece',
        isAble && 'able',
        isActing && 'chosen',
        isLying(table, name) && 'lying',
    ];
    const onPointerDown = (event) => {
        if (event.button !== 0) {
            return; // the menu of the browser
        }
        const point = pointAt(event);
        event.currentTarget.setPointerCapture(event.pointerId);
        const { clientX, clientY } = event;
        grip.current = { dx: x - point.x, dy: y - point.y, clientX, clientY, isDrag: false };
    };
    const onPointerMove = (event) => {
        if (!grip.current) {
            return;
        }
        const { dx, dy, clientX, clientY, isDrag } = grip.current;
        if (!isDrag && Math.hypot(event.clientX - clientX, event.clientY - clientY) < DRAG_PX) {
            return;
        }
        if (!isDrag) {
            grip.current.isDrag = true;
            sailing.begin(name);
        }
        const point = pointAt(event);
        sailing.move(name, { x: point.x + dx, y: point.y + dy });
    };
    const letGo = () => {
        if (grip.current?.isDrag) {
            sailing.end(name);
        }
        grip.current = null;
    };
    const onPointerUp = () => {
        if (grip.current && !grip.current.isDrag) {
            onChoose(name);
        }
        letGo();
    };
    const onKeyDown = (event) => {
        const step = ARROWS[event.key];
        if (['Enter', ' '].includes(event.key)) {
            event.preventDefault();
            onChoose(name);
        } else if (step) {
            event.preventDefault();
            sailing.begin(name);
            sailing.move(name, { x: x + step[0] * KEY_STEP, y: y + step[1] * KEY_STEP });
            sailing.end(name);
        }
    };
    return (
        <g
            class={classes.filter(Boolean).join(' ')}
            data-piece={name}
            tabindex="0"
            role="button"
            aria-pressed={isActing}
            aria-label={describePiece(texts, table.state, name)}
            transform={`translate(${x} ${y})`}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerUp}
            onPointerCancel={letGo}
            onKeyDown={onKeyDown}
        >
            <circle class="grip" r="38" />
            <g class="body">
                <Placed place={{ x: 0, y: 0 }} size={62}>
                    <PieceDrawing name={name} />
                </Placed>
            </g>
            <SeaBadges state={table.state} name={name} />
        </g>
    );
}
