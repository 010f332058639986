/** The virtual table: ships are dragged, the cannon fires, pieces topple, the rope is pulled. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { commandsOf, find } from '../choices.js';
import { Hands } from '../hands.js';
import {
    centreOf,
    distance,
    firstHit,
    harbourPlaces,
    KNOT,
    mountainAhead,
    SEA,
} from '../layout.js';
import { useActs } from './acts.jsx';
import { SetUp, useOtherGame } from './before_game.jsx';
import { conditionsOf, describePiece, useScreen, useTexts } from './common.jsx';
import { PieceDrawing, Thing } from './pictures.jsx';
import { seenRope, useSailing } from './sailing.js';
import { commandsAtSea, SeaControls } from './sea_controls.jsx';
import { Islands, Placed } from './setup.jsx';

const KEY_STEP = KNOT / 2;
const BALL_MS = 450;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function VirtualTable({ table, forbidden, whoAmI, ...ports }) {
    useScreen('filled');
    const [isChoosing, setChoosing] = useOtherGame(table);
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
    if (table.state === null || table.state.phase === 'lobby' || isChoosing) {
        return (
            <SetUp
                table={table}
                forbidden={forbidden}
                onCancel={isChoosing ? () => setChoosing(false) : null}
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
            onOther={() => setChoosing(true)}
            {...ports}
        />
    );
}

/** Before a game: only pieces that lie on their side can be raised. */
function TidyUp({ table, sendEdge }) {
    const texts = useTexts();
    const hands = useMemo(() => new Hands(sendEdge), []);
    const lying = lyingPieces(table);
    const seen = seenRope(table);
    const tidyUp = () => {
        hands.raise(...lying);
        hands.pullTo(0, seen);
    };
    return (
        (lying.length > 0 || seen.knots > 0) && (
            <div class="acts">
                <button data-hand="tidy-up" onClick={tidyUp}>
                    {texts.say('putAllRight')}
                </button>
            </div>
        )
    );
}

function Sea({ table, forbidden, onOther, send, sendEdge, share, isConnected }) {
    const hands = useMemo(() => new Hands(sendEdge), []);
    const acts = useActs(table, send, isConnected);
    const sailing = useSailing({ table, act: acts.act, hands, share });
    const { turn } = table.state;
    const [choice, setChoice] = useState({ turn, name: null });
    const chosen = choice.turn === turn ? choice.name : null; // in another turn another player chooses
    const gun = useGun(table, acts.act, hands, sailing.places);
    const commands = commandsAtSea(table, forbidden, sailing.places);
    const choose = (name) => {
        setChoice({ turn, name });
        gun.aimAt(name);
    };
    return (
        <main class={`virtual ${acts.isOffline ? 'is-offline' : ''}`} aria-busy={acts.isWaiting}>
            <SeaDrawing
                table={table}
                able={ableOf(commands)}
                sailing={sailing}
                gun={gun}
                chosen={chosen}
                onChoose={choose}
            />
            <SeaControls
                table={table}
                commands={commands}
                onOther={onOther}
                acts={acts}
                hands={hands}
                gun={gun}
                chosen={chosen}
                sailing={sailing}
            />
        </main>
    );
}

/** What a piece can do in the step; the rest is reported, or done with a button. */
const DOES = ['aim', 'move', 'move-wind', 'engage', 'roll-combat'];

/** The pieces that can do something now. */
function ableOf(commands) {
    return commands
        .filter(({ verb }) => DOES.includes(verb))
        .map(({ verb, piece, attacker }) => (verb === 'move-wind' ? 'wind' : (piece ?? attacker)));
}

/** All pieces whose sensor reports that they lie on their side, also those out of play. */
export function lyingPieces({ sensors }) {
    return Object.keys(sensors)
        .filter((sensor) => sensor.endsWith('.tilt') && sensors[sensor].value === 1)
        .map((sensor) => sensor.replace('.tilt', ''));
}

export function isLying(table, name) {
    return table.sensors[`${name}.tilt`]?.value === 1;
}

export function inPlay(state, name) {
    return ['standing', 'flat'].includes(state.pieces[name]?.status);
}

function angleTo(from, to) {
    return Math.round((Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI);
}

/** What the ball meets in this direction: {angle, hit, reach}; hit is null for the mountain or nothing. */
function lineOfFire(state, places, at, angle) {
    const targets = Object.entries(places).filter(
        ([name]) => inPlay(state, name) && name !== at && !isTile(name),
    );
    const hit = firstHit(places[at], angle, Object.fromEntries(targets));
    const mountain =
        centreOf(state.scenario) === 'mountain' ? mountainAhead(places[at], angle) : Infinity;
    const isBehind = hit !== null && hit.along > mountain;
    return { angle, hit: isBehind ? null : hit, reach: Math.min(hit?.along ?? SEA, mountain, SEA) };
}

/** In the chosen direction, or else at the nearest enemy that can be hit. */
function lookFrom(state, places, at, chosen) {
    if (chosen !== undefined) {
        return lineOfFire(state, places, at, chosen);
    }
    const isEnemy = (name) =>
        inPlay(state, name) && !isTile(name) && state.pieces[name].owner !== state.player;
    const lines = Object.keys(places)
        .filter(isEnemy)
        .sort((a, b) => distance(places[at], places[a]) - distance(places[at], places[b]))
        .map((name) => [name, lineOfFire(state, places, at, angleTo(places[at], places[name]))]);
    const [, line] = lines.find(([name, { hit }]) => hit?.piece === name) ?? [];
    return line ?? lineOfFire(state, places, at, angleTo(places[at], { x: SEA / 2, y: SEA / 2 }));
}

/** The first piece that may shoot and has an enemy in sight; or the first that may shoot; or null. */
function bestPlace(state, places, commands) {
    const able = commands.filter(({ verb }) => verb === 'aim').map(({ piece }) => piece);
    const seesEnemy = (piece) => {
        const hit = places[piece] && lookFrom(state, places, piece).hit;
        return hit && state.pieces[hit.piece].owner !== state.player;
    };
    return able.find(seesEnemy) ?? able[0] ?? null;
}

/** The cannon: its piece, its direction, and the flying ball. Each turn begins anew. */
function useGun(table, act, hands, places) {
    const { state } = table;
    const [wish, setWish] = useState({});
    const [ball, setBall] = useState(null);
    const commands = commandsOf(table);
    const mine = wish.turn === state.turn ? wish : {};
    const named = mine.at ?? state.shooter ?? bestPlace(state, places, commands);
    const at = named !== null && places[named] && inPlay(state, named) ? named : null;
    const change = (changes) => setWish({ ...mine, turn: state.turn, ...changes });
    const put = (name) => {
        change({ at: name, angle: undefined });
        if (find(commands, 'aim', { piece: name })) {
            act({ verb: 'aim', piece: name });
        }
    };
    /** Points the cannon at a piece of somebody else, or puts it next to an own one. */
    const aimAt = (name) => {
        const isMine = state.pieces[name].owner === state.player;
        if (isMine && name !== at && find(commands, 'aim', { piece: name })) {
            put(name);
        } else if (at !== null && !isMine && find(commands, 'fire')) {
            change({ at, angle: angleTo(places[at], places[name]) });
        }
    };
    const sight = at === null ? { angle: 0, hit: null, reach: SEA } : lookFrom(state, places, at, mine.angle);
    const { angle, hit } = sight;
    const fire = () => {
        setBall(flight(places[at], angle, sight.reach));
        setTimeout(() => setBall(null), 2 * BALL_MS);
        hands.fire(hit && !isLying(table, hit.piece) ? hit.piece : null);
    };
    const isShown = at !== null && state.phase === 'shooting';
    const setAngle = (value) => change({ at, angle: value });
    return {
        at: isShown ? at : null,
        angle,
        reach: sight.reach,
        target: hit?.piece ?? null,
        hasFired: state.shot !== 'none',
        isBlocked: hit === null && sight.reach < SEA,
        isOwn: hit !== null && state.pieces[hit.piece].owner === state.player,
        setAngle,
        put,
        aimAt,
        fire,
        ball,
    };
}

function flight(from, angle_deg, length) {
    const angle = (angle_deg * Math.PI) / 180;
    return { from, dx: Math.cos(angle) * length, dy: Math.sin(angle) * length };
}

function SeaDrawing({ table, able, sailing, gun, chosen, onChoose }) {
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
                playerCount={state.players.length}
                scenario={state.scenario}
                hasChest={state.chest === 'island'}
            />
            <BarrelsAshore state={state} />
            {gun.at && <Gun gun={gun} place={sailing.places[gun.at]} />}
            <Reach sailing={sailing} chosen={chosen} />
            {tilesFirst.map((name) => (
                <SeaPiece
                    key={name}
                    table={table}
                    name={name}
                    sailing={sailing}
                    pointAt={pointAt}
                    isChosen={name === chosen}
                    isAble={able.includes(name)}
                    onChoose={onChoose}
                />
            ))}
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

/** How far the piece that is dragged, or else the chosen one, may sail. */
function Reach({ sailing: { moved, places, reachOf }, chosen }) {
    const name = moved?.name ?? chosen;
    const centre = moved?.from ?? places[name];
    const knots = name === null ? 0 : reachOf(name);
    return (
        knots > 0 &&
        centre && <circle class="reach" cx={centre.x} cy={centre.y} r={knots * KNOT} />
    );
}

/** The barrels that still lie at their harbours. */
function BarrelsAshore({ state }) {
    const docks = harbourPlaces(state.players.length);
    return Object.entries(state.barrels ?? {})
        .filter(([from]) => Object.hasOwn(docks, from))
        .map(([from, to]) => (
            <Placed key={from} place={{ x: docks[from].x + 48, y: docks[from].y - 4 }} size={44}>
                <Thing name="Barrel" colour={to} />
            </Placed>
        ));
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

function isTile(name) {
    return ['kraken', 'wind'].includes(name);
}

/** The cannon, and what its ball would meet. */
function Gun({ place, gun: { angle, reach, target, isOwn, hasFired } }) {
    return (
        <g class="gun" transform={`translate(${place.x} ${place.y}) rotate(${angle})`}>
            {!hasFired && <line class="sight" x1="45" x2={reach} y1="0" y2="0" />}
            {!hasFired && target && (
                <circle class={`target ${isOwn ? 'own' : ''}`} cx={reach} r="44" />
            )}
            <g transform="rotate(17)">
                <Placed place={{ x: 58, y: -8 }} size={52}>
                    <Thing name="Cannon" />
                </Placed>
            </g>
        </g>
    );
}

function SeaPiece({ table, name, sailing, pointAt, isChosen, isAble, onChoose }) {
    const texts = useTexts();
    const grip = useRef(null);
    const { x, y } = sailing.places[name];
    const canSail = !name.endsWith('-tower');
    const classes = [
        'sea-piece',
        isAble && 'able',
        isChosen && 'chosen',
        isLying(table, name) && 'lying',
    ];
    const onPointerDown = (event) => {
        const point = pointAt(event);
        onChoose(name);
        if (canSail) {
            event.currentTarget.setPointerCapture(event.pointerId);
            grip.current = { dx: x - point.x, dy: y - point.y, isMoved: false };
        }
    };
    const onPointerMove = (event) => {
        if (!grip.current) {
            return;
        }
        const point = pointAt(event);
        const place = { x: point.x + grip.current.dx, y: point.y + grip.current.dy };
        if (!grip.current.isMoved) {
            grip.current.isMoved = true;
            sailing.begin(name);
        }
        sailing.move(name, place);
    };
    const onPointerUp = () => {
        if (grip.current?.isMoved) {
            sailing.end();
        }
        grip.current = null;
    };
    const onKeyDown = (event) => {
        const step = ARROWS[event.key];
        if (['Enter', ' '].includes(event.key)) {
            onChoose(name);
        } else if (step && canSail) {
            event.preventDefault();
            onChoose(name);
            sailing.begin(name);
            sailing.move(name, { x: x + step[0] * KEY_STEP, y: y + step[1] * KEY_STEP });
            sailing.end();
        }
    };
    return (
        <g
            class={classes.filter(Boolean).join(' ')}
            data-piece={name}
            tabindex="0"
            role="button"
            aria-pressed={isChosen}
            aria-label={describePiece(texts, table.state, name)}
            transform={`translate(${x} ${y})`}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerUp}
            onPointerCancel={onPointerUp}
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
