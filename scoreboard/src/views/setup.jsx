/** The setup: a drawing of all positions, and the problems of the ready check. */
import {
    centreOf,
    HARBOUR_MOUNTAIN_SIZE,
    harbourPlaces,
    MOUNTAIN_SIZE,
    mountainOutline,
    mountainPlaces,
    SEA,
    startPlaces,
} from '../layout.js';
import { harboursOfWish } from '../newgame.js';
import { isReady, whatIsMissing } from '../ready.js';
import { problemWords, useTexts } from './common.jsx';
import { PieceDrawing, Sign, Thing } from './pictures.jsx';

/** The problems of the ready check for this game. */
export function ReadyCheck({ table, wish }) {
    const texts = useTexts();
    const missing = whatIsMissing(table, wish);
    const isLying = ({ kind, blocks }) => kind === 'lying' && blocks;
    const lying = missing.filter(isLying);
    const single = lying.length > 1 ? missing.filter((problem) => !isLying(problem)) : missing;
    return (
        <div class="ready-check" role="status">
            {isReady(table, wish) && <p class="ready">{texts.say('ready')}</p>}
            <ul class="missing">
                {lying.length > 1 && (
                    <li class="blocks" data-missing="lying">
                        {texts.say('missing.lyingMany', {
                            pieces: texts.list(lying.map(({ piece }) => texts.piece(piece))),
                        })}
                    </li>
                )}
                {single.map((problem) => (
                    <li
                        key={`${problem.kind} ${problem.sensor}`}
                        class={problem.blocks ? 'blocks' : ''}
                        data-missing={problem.kind}
                    >
                        {problemWords(texts, table, problem)}
                    </li>
                ))}
            </ul>
            {table.ready?.autostart && !isReady(table, wish) && <p class="hint">{texts.say('startsItself')}</p>}
        </div>
    );
}

/** How the table is set up, in words. */
export function setupWords(texts, scenario) {
    const hasMiddle = centreOf(scenario) === 'mountain';
    return [
        texts.say(hasMiddle ? 'mountains' : 'mountainsBehind'),
        scenario !== 'none' && texts.say(`setupSteps.${scenario}`),
    ]
        .filter(Boolean)
        .join(' ');
}

export function Drawing({ wish, hasRuler = true }) {
    const texts = useTexts();
    const { playerCount, scenario } = wish;
    const harbours = harboursOfWish(wish);
    const words = [
        `${texts.say('drawing', { count: playerCount })}.`,
        setupWords(texts, scenario),
    ];
    return (
        <svg class="drawing" viewBox={`0 0 ${SEA} ${SEA}`} role="img" aria-label={words.join(' ')}>
            <Islands harbours={harbours} scenario={scenario} />
            {hasRuler && <Ruler harbours={harbours} />}
            {Object.entries(startPlaces(harbours, scenario)).map(([name, place]) => (
                <Placed key={name} place={place} size={name.endsWith('-tower') ? 74 : 66}>
                    <PieceDrawing name={name} />
                </Placed>
            ))}
            {scenario === 'merchant' &&
                Object.entries(harbourPlaces(harbours)).map(([harbour, place]) => (
                    <Placed key={harbour} place={{ x: place.x + 46, y: place.y + 4 }} size={36}>
                        <Thing name="Barrel" />
                    </Placed>
                ))}
        </svg>
    );
}

/** A picture centred at a position. */
export function Placed({ place, size, children }) {
    return (
        <svg x={place.x - size / 2} y={place.y - size / 2} width={size} height={size}>
            {children}
        </svg>
    );
}

/** Where the name of a harbour is written. */
export function nameOfHarbour({ x, y }) {
    return { x, y: y + 59 };
}

/** The fixed parts: harbours, the mountains behind them, and the middle. */
export function Islands({ harbours, scenario, hasChest = true }) {
    const texts = useTexts();
    const centre = centreOf(scenario);
    return (
        <>
            {mountainPlaces(harbours).map(({ x, y }) => (
                <Mountain key={`${x} ${y}`} x={x} y={y} size={HARBOUR_MOUNTAIN_SIZE} />
            ))}
            {Object.entries(harbourPlaces(harbours)).map(([harbour, { x, y }]) => (
                <g key={harbour} class={`harbour ${harbour}`}>
                    <circle cx={x} cy={y} r="74" />
                    <Sign colour={harbour} x={x - 48} y={y - 4} size={24} />
                    <text {...nameOfHarbour({ x, y })}>
                        {texts.say(`colours.${harbour}`)}
                    </text>
                </g>
            ))}
            {centre === 'mountain' && <Mountain x={SEA / 2} y={SEA / 2} size={MOUNTAIN_SIZE} />}
            {centre === 'island' && <Island hasChest={hasChest} />}
        </>
    );
}

/** Points relative to the size and the position of the mountain. */
const SNOW = [
    [-0.15, -0.75],
    [-0.36, -0.4],
    [-0.1, -0.3],
    [0.14, -0.41],
];

function Mountain({ x, y, size }) {
    const around = (points) =>
        points.map(([dx, dy]) => `${x + dx * size},${y + dy * size}`).join(' ');
    return (
        <g class="mountain">
            <polygon
                points={mountainOutline({ x, y }, size)
                    .map((corner) => `${corner.x},${corner.y}`)
                    .join(' ')}
            />
            <polygon class="snow" points={around(SNOW)} />
        </g>
    );
}

function Island({ hasChest }) {
    return (
        <g class="island">
            <ellipse cx={SEA / 2} cy={SEA / 2 + 20} rx="110" ry="70" />
            {hasChest && (
                <Placed place={{ x: SEA / 2, y: SEA / 2 }} size={90}>
                    <Thing name="Chest" />
                </Placed>
            )}
        </g>
    );
}

function Ruler({ harbours }) {
    const texts = useTexts();
    const [, a, b] = Object.values(harbourPlaces(harbours));
    const isUpright = a.x === b.x;
    const offset = isUpright ? { x: 105, y: 0 } : { x: 0, y: 130 };
    const middle = { x: (a.x + b.x) / 2 + offset.x, y: (a.y + b.y) / 2 + offset.y };
    return (
        <g class="ruler">
            <line x1={a.x + offset.x} y1={a.y + offset.y} x2={b.x + offset.x} y2={b.y + offset.y} />
            <text
                x={middle.x}
                y={middle.y}
                dy={isUpright ? -10 : 34}
                transform={isUpright ? `rotate(90 ${middle.x} ${middle.y})` : undefined}
            >
                {texts.say('distance')}
            </text>
        </g>
    );
}
