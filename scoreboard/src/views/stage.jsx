/** The current step: the shot, the rope, the close combats, the repairs. */
import { isRefused } from '../choices.js';
import { liveEvents } from '../undone.js';
import { Piece, useTexts } from './common.jsx';
import { useLateReports } from './late.js';
import { PieceDrawing, Thing } from './pictures.jsx';

/** `phase` is the step as people see it. */
export function Stage({ table, phase }) {
    const stages = { shooting: Shot, moving: Rope, combat: Fights, repair: Repairs };
    const Part = stages[phase];
    return (
        <div class={`stage ${phase}`}>
            <Part table={table} />
        </div>
    );
}

/** What the step is about, as a picture and in a word, if the sentence below does not say it. */
function Prompt({ thing, children }) {
    return (
        <div class="prompt">
            <Thing name={thing} />
            {children && <p class="big">{children}</p>}
        </div>
    );
}

function Shot({ table }) {
    const texts = useTexts();
    const isLate = useLateReports(table);
    const { state, log } = table;
    const live = liveEvents(log.events);
    const shot = live.findLast((event) => event.event_type === 'shot-fired');
    const speed = shot?.turn === state.turn ? shot.speed_mps : null;
    const ready = isRefused(table, 'fire') ? 'noShot' : 'readyToShoot';
    const isTelling = state.phase !== 'shooting'; // the table has ended the step already
    const words = { none: ready, open: 'shotOpen', done: isTelling ? 'whatFell' : 'shotDone' };
    return (
        <>
            <div class={`gun ${state.shot}`}>
                <Thing name="Cannon" />
                <i class="ball" />
            </div>
            <div class="said">
                <p class="big">{texts.say(isLate ? 'shotLate' : words[isTelling ? 'done' : state.shot])}</p>
                {speed && (
                    <p class="speed">{texts.say('shotSpeed', { speed: texts.number(speed) })}</p>
                )}
                {state.shooter && (
                    <p class="from">
                        <PieceDrawing name={state.shooter} />
                        {texts.say('aimFrom', { piece: texts.piece(state.shooter) })}
                    </p>
                )}
            </div>
        </>
    );
}

/** The start of the drawn rope, and the length of a knot on it. */
const ROPE_START = 70;
const ROPE_LENGTH = 860;
const ROPE_KNOTS_MIN = 3;

/** Below this the rope counts as not pulled, because its reading is never exactly zero. */
const ROPE_SLACK = 0.05;

function Rope({ table: { state, rope } }) {
    if (state.die === null) {
        return <Prompt thing="Die" />;
    }
    return <PulledRope state={state} rope={rope} points={state.left} />;
}

/** The knots left, on a rope that shows the reading of the real one. */
function PulledRope({ state, rope, points }) {
    const texts = useTexts();
    const { selected } = state;
    const isMeasuring = selected !== null && rope?.piece === selected;
    const pulled = rope !== null && rope.knots > ROPE_SLACK ? rope.knots : 0;
    const left = isMeasuring ? rope.left : points;
    return (
        <>
            <p class="big knots">
                <strong>{left}</strong> {texts.count('knotsLeftShort', left)}
            </p>
            <RopeDrawing
                left={left}
                pulled={pulled}
                isOver={rope?.over ?? false}
                piece={pulled > 0 || left === state.die ? selected : null}
            />
            <p class={rope?.over ? 'warning' : 'from'}>
                {rope?.over && texts.say('ropeOver')}
                {!rope?.over && left > 0 && ropeWords(texts, selected, pulled)}
            </p>
        </>
    );
}

function ropeWords(texts, piece, pulled) {
    if (piece === null) {
        return '';
    }
    const values = { piece: texts.piece(piece), knots: texts.count('knots', pulled) };
    return texts.say(pulled > 0 ? 'ropeAt' : 'isMoving', values);
}

export function RopeDrawing({ left, pulled, isOver, piece }) {
    const length = Math.max(ROPE_KNOTS_MIN, left, Math.ceil(pulled));
    const x = (knots) => ROPE_START + (ROPE_LENGTH * Math.min(knots, length)) / length;
    const knots = Array.from({ length: length + 1 }, (_, i) => i);
    return (
        <svg
            class={`rope ${isOver ? 'over' : ''}`}
            viewBox="0 0 1000 130"
            aria-hidden="true"
            data-pulled={pulled}
            data-left={left}
        >
            <line class="strand" x1={x(0)} x2={x(length)} y1="92" y2="92" />
            <line class="twist" x1={x(0)} x2={x(length)} y1="92" y2="92" />
            <line class="reach" x1={x(0)} x2={x(left)} y1="92" y2="92" />
            {knots.map((knot) => (
                <g key={knot} class={knot <= left ? 'knot within' : 'knot'}>
                    <circle cx={x(knot)} cy="92" r={knot === 0 ? 14 : 20} />
                    {knot > 0 && (
                        <text x={x(knot)} y="101">
                            {knot}
                        </text>
                    )}
                </g>
            ))}
            {(pulled > 0 || piece) && (
                <g class="sailing" style={{ transform: `translateX(${x(pulled)}px)` }}>
                    <svg x="-42" y="-2" width="84" height="84" viewBox="0 0 48 48">
                        <PieceDrawing name={piece ?? 'pirate'} />
                    </svg>
                </g>
            )}
        </svg>
    );
}

/** The more there are, the smaller they are drawn. */
function crowd(count) {
    if (count <= 2) {
        return '';
    }
    return count <= 4 ? 'several' : 'many';
}

function Fights({ table: { state, rope } }) {
    const texts = useTexts();
    if (state.kraken?.free_knots > 0) {
        return <PulledRope state={state} rope={rope} points={state.kraken.free_knots} />; // KR4
    }
    if (state.combats.length === 0) {
        return <Prompt thing="Swords">{texts.say('noCombat')}</Prompt>;
    }
    return (
        <ul class={`fights ${crowd(state.combats.length)}`}>
            {state.combats.map((fight) => (
                <li
                    key={`${fight.attacker} ${fight.target}`}
                    class={fight.due ? 'due' : ''}
                    aria-label={texts.say('fight', {
                        attacker: texts.piece(fight.attacker),
                        target: texts.piece(fight.target),
                    })}
                >
                    <Piece state={state} name={fight.attacker} />
                    <Thing name="Swords" />
                    <Piece state={state} name={fight.target} />
                    <span class="tag">{texts.say(fight.due ? 'mustRoll' : 'goesOn')}</span>
                </li>
            ))}
        </ul>
    );
}

function Repairs({ table: { state } }) {
    const texts = useTexts();
    const flat = Object.keys(state.pieces).filter(
        (name) => state.pieces[name].status === 'flat' && state.pieces[name].owner === state.player,
    );
    return (
        <div class="said">
            <p class="big small">{texts.say(flat.length > 0 ? 'raiseFlat' : 'nothingFlat')}</p>
            <div class="fleet">
                {flat.map((name) => (
                    <Piece key={name} state={state} name={name} />
                ))}
            </div>
        </div>
    );
}
