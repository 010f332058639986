/** The virtual table: ships are dragged, the cannon fires, pieces topple, the rope is pulled. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { commandsOf, find } from '../choices.js';
import { Hands } from '../hands.js';
import { distance, firstHit, harbourPlaces, KNOT, onSea, SEA, startPlaces } from '../layout.js';
import { isShip } from '../words.js';
import { describePiece, useTexts } from './common.jsx';
import { PieceDrawing, Thing } from './pictures.jsx';
import { SeaControls } from './sea_controls.jsx';
import { Islands, Placed, SetUp } from './setup.jsx';

const KEY_STEP = KNOT / 4;
const DOCK_REACH = 62;
const BALL_MS = 450;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function VirtualTable({ table, send, sendEdge, forbidden, whoAmI }) {
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
    if (table.state === null || table.state.phase === 'lobby') {
        return (
            <SetUp table={table}>
                <TidyUp table={table} sendEdge={sendEdge} />
            </SetUp>
        );
    }
    return <Sea key={table.state.game} table={table} send={send} sendEdge={sendEdge} />;
}

/** Before a game: only pieces that lie on their side can be raised. */
function TidyUp({ table, sendEdge }) {
    const texts = useTexts();
    const hands = useMemo(() => new Hands(sendEdge), []);
    const lying = Object.keys(table.sensors)
        .filter((sensor) => sensor.endsWith('.tilt') && table.sensors[sensor].value === 1)
        .map((sensor) => sensor.replace('.tilt', ''));
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

function Sea({ table, send, sendEdge }) {
    const hands = useMemo(() => new Hands(sendEdge), []);
    const sailing = useSailing(table, send, hands);
    const [chosen, setChosen] = useState(null);
    const gun = useGun(table, send, hands, sailing.places);
    return (
        <main class="virtual">
            <SeaDrawing
                table={table}
                sailing={sailing}
                gun={gun}
                chosen={chosen}
                onChoose={setChosen}
            />
            <SeaControls
                table={table}
                hands={hands}
                gun={gun}
                chosen={chosen}
                places={sailing.places}
            />
        </main>
    );
}

/** The pieces whose sensor reports that they lie on their side. */
export function isLying(table, name) {
    return table.sensors[`${name}.tilt`]?.value === 1;
}

export function inPlay(state, name) {
    return ['standing', 'flat'].includes(state.pieces[name]?.status);
}

export function seenRope({ rope, sensors }) {
    const level = (line) => sensors[`rope.${line}`]?.value ?? 0;
    return { knots: rope?.knots ?? 0, a: level('a'), b: level('b') };
}

/** The positions of all pieces; moving a ship in the moving step pulls the rope. */
function useSailing(table, send, hands) {
    const { state } = table;
    const [places, setPlaces] = useState(() => rememberedPlaces(state));
    const now = useRef(places); // the current value between two renderings
    const origin = useRef(null); // {name, place}: the piece that the rope measures, and its start
    const commands = commandsOf(table);
    const lastMove = table.log.events.findLast((event) => event.event_type === 'piece-moved');

    useEffect(() => remember(state, places), [places]);
    useEffect(() => {
        origin.current = null;
        hands.zero(); // as the table does after each move
    }, [lastMove?.seq]);

    const pull = (name) => {
        if (origin.current?.name === name) {
            const length = distance(origin.current.place, now.current[name]);
            hands.pullTo(length / KNOT, seenRope(table));
        }
    };
    /** Before a move: selects the piece for the rope, if that is possible. */
    const begin = async (name) => {
        const place = now.current[name];
        if (origin.current?.name === name || !find(commands, 'move', { piece: name })) {
            return;
        }
        const isMeasured = state.phase === 'combat'; // KR4: the kraken is selected automatically
        if (!isMeasured && !(await send({ verb: 'select', piece: name })).ok) {
            return;
        }
        hands.zero();
        origin.current = { name, place };
        pull(name);
    };
    const move = (name, place) => {
        now.current = { ...now.current, [name]: onSea(place) };
        setPlaces(now.current);
        pull(name);
    };
    const end = (name) => {
        const docks = Object.entries(harbourPlaces(state.players.length));
        const dock = docks.find(([, place]) => distance(place, now.current[name]) < DOCK_REACH);
        hands.dockAt(isShip(name) && dock ? dock[0] : null);
    };
    return { places, begin, move, end };
}

/** The cannon: its piece, its direction, and the flying ball. */
function useGun(table, send, hands, places) {
    const { state } = table;
    const [at, setAt] = useState(state.shooter);
    const [angle, setAngle] = useState(45);
    const [ball, setBall] = useState(null);
    const put = (name) => {
        const { x, y } = places[name];
        setAt(name);
        setAngle(Math.round((Math.atan2(SEA / 2 - y, SEA / 2 - x) * 180) / Math.PI));
        if (find(commandsOf(table), 'aim', { piece: name })) {
            send({ verb: 'aim', piece: name });
        }
    };
    const fire = () => {
        const targets = Object.entries(places).filter(
            ([name]) => inPlay(state, name) && name !== at && !['kraken', 'wind'].includes(name),
        );
        const hit = firstHit(places[at], angle, Object.fromEntries(targets));
        setBall(flight(places[at], angle, hit?.along ?? SEA));
        setTimeout(() => setBall(null), 2 * BALL_MS);
        hands.fire(hit && !isLying(table, hit.piece) ? hit.piece : null);
    };
    return { at: at && places[at] ? at : null, angle, setAngle, put, fire, ball };
}

function flight(from, angle_deg, length) {
    const angle = (angle_deg * Math.PI) / 180;
    return { from, dx: Math.cos(angle) * length, dy: Math.sin(angle) * length };
}

function SeaDrawing({ table, sailing, gun, chosen, onChoose }) {
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
            viewBox={`0 0 ${SEA} ${SEA}`}
            ref={drawing}
            role="group"
            aria-label={texts.say('sea')}
        >
            <Islands playerCount={state.players.length} scenario={state.scenario} />
            {gun.at && <Gun place={sailing.places[gun.at]} angle={gun.angle} />}
            {tilesFirst.map((name) => (
                <SeaPiece
                    key={name}
                    table={table}
                    name={name}
                    sailing={sailing}
                    pointAt={pointAt}
                    isChosen={name === chosen}
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

function isTile(name) {
    return ['kraken', 'wind'].includes(name);
}

function Gun({ place, angle }) {
    return (
        <g class="gun" transform={`translate(${place.x} ${place.y}) rotate(${angle})`}>
            <line class="sight" x1="45" x2="900" y1="0" y2="0" />
            <g transform="rotate(17)">
                <Placed place={{ x: 58, y: -8 }} size={52}>
                    <Thing name="Cannon" />
                </Placed>
            </g>
        </g>
    );
}

function SeaPiece({ table, name, sailing, pointAt, isChosen, onChoose }) {
    const texts = useTexts();
    const grip = useRef(null);
    const { x, y } = sailing.places[name];
    const canSail = !name.endsWith('-tower');
    const classes = ['sea-piece', isChosen && 'chosen', isLying(table, name) && 'lying'];
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
            sailing.end(name);
        }
        grip.current = null;
    };
    const onKeyDown = async (event) => {
        const step = ARROWS[event.key];
        if (['Enter', ' '].includes(event.key)) {
            onChoose(name);
        } else if (step && canSail) {
            event.preventDefault();
            onChoose(name);
            await sailing.begin(name);
            sailing.move(name, { x: x + step[0] * KEY_STEP, y: y + step[1] * KEY_STEP });
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
        </g>
    );
}

const MEMORY = 'shipahoy-sea';

/** Stores the positions of the ships, so that they survive a reload during the same game. */
function rememberedPlaces(state) {
    const starts = startPlaces(state.players.length, state.scenario);
    try {
        const { game, places } = JSON.parse(localStorage.getItem(MEMORY));
        return game === state.game ? { ...starts, ...places } : starts;
    } catch {
        return starts;
    }
}

function remember(state, places) {
    try {
        localStorage.setItem(MEMORY, JSON.stringify({ game: state.game, places }));
    } catch {
        // Without storage the ships are back at their harbours.
    }
}
