/** Moving pieces of the virtual table: a drag pulls the rope, and a move is confirmed or refused. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { inPlay, isTile } from '../aim.js';
import { commandsOf, find, isListed } from '../choices.js';
import { distance, harbourPlaces, KNOT, onSea, stopBefore, within } from '../layout.js';
import { placesNow, withPlace } from '../positions.js';
import { lyingPieces } from '../sensors.js';
import { undoneSeqs } from '../undone.js';
import { harboursOf, isShip, isTower } from '../words.js';

const DOCK_REACH = 92;

/** A piece that was hardly moved goes back without a word. */
const NUDGE_KNOTS = 0.3;
/** The table rounds in favour of the player (M5); beyond this it refuses. */
const ROUNDED_KNOTS = 0.2;

/** Moving the wind has its own command, and a fixed length (HW2). */
const WIND_KNOTS = 1;

export function seenRope({ rope, sensors }) {
    const level = (line) => sensors[`rope.${line}`]?.value ?? 0;
    return { knots: rope?.knots ?? 0, a: level('a'), b: level('b') };
}

/** Puts up all pieces and winds in the rope, for the next game. */
export async function putAllRight(hands, table) {
    await hands.raise(...lyingPieces(table));
    await hands.pullTo(0, seenRope(table));
}

function movesOf(commands, name) {
    return name === 'wind'
        ? commands.filter(({ verb }) => verb === 'move-wind').map(() => WIND_KNOTS)
        : commands
              .filter(({ verb, piece }) => verb === 'move' && piece === name)
              .map(({ knots }) => knots ?? 0);
}

function moveCommand(name, knots) {
    return name === 'wind'
        ? { verb: 'move-wind' }
        : { verb: 'move', piece: name, knots: costOf(knots) };
}

/** Whole knots that a way costs. */
export function costOf(knots) {
    return Math.max(1, Math.ceil(knots - ROUNDED_KNOTS));
}

/** Why a piece of this step goes back, where the page knows it better than the table; or null. */
function whyNot(phase, name) {
    if (isTower(name)) {
        return 'tower';
    }
    return phase === 'moving' ? null : phase;
}

/**
 * {places, moved, note, tell, forget, isElsewhere, reachOf, begin, move, end, confirm, takeBack}. `moved` is the
 * piece that was moved and not confirmed yet: {name, place, from, met, isDropped}, or null; `met` is what
 * stands where it was dropped. `note` says why a piece went back: {say, piece, met}, or null. `isElsewhere`:
 * pieces of this game were moved without this table. `act` sends a command and shows why it was refused.
 */
export function useSailing({ table, act, hands, share }) {
    const { state, log, positions } = table;
    const undone = useMemo(() => undoneSeqs(log.events), [log.events]);
    const settled = useMemo(
        () => placesNow(state, positions, undone),
        [state.game, positions, undone],
    );
    const [moved, setMoved] = useState(null);
    const [note, setNote] = useState(null);
    const now = useRef(null); // the current value of `moved` between two renderings
    const latest = useRef(null); // what a drag that began earlier must see
    latest.current = { table, act };
    const change = (value) => {
        now.current = value;
        setMoved(value);
    };
    const takeBack = () => {
        if (now.current?.isMeasured) {
            hands.pullTo(0, seenRope(latest.current.table));
        }
        change(null);
    };
    useConfirmed({ table, now, change, share, hands, undone });
    useEffect(() => setNote(null), [state.turn, state.phase, state.shot, state.left]);
    useEffect(() => {
        const isKnown = isWaiting(now.current) && isListed(table);
        if (isKnown && movesOf(commandsOf(table), now.current.name).length === 0) {
            setNote({ say: 'notConfirmed', piece: now.current.name });
            takeBack(); // the step has ended, or the piece is gone
        }
    }, [state.seq, isListed(table)]);

    /** Selects the piece for the rope, if it may move. Another one that waits is not given up silently. */
    const begin = (name) => {
        if (isWaiting(now.current) && now.current.name !== name) {
            setNote({ say: 'waiting', piece: now.current.name });
            return;
        }
        setNote(null);
        const isSame = now.current?.name === name;
        if (isSame && now.current.seq === undefined) {
            change({ ...now.current, isDropped: false });
            return;
        }
        const from = isSame ? now.current.place : settled[name];
        const reach = reachOf(name);
        change({ name, place: from, from, reach, since: state.seq, isDropped: false });
        now.current.select = select(name);
    };
    const select = async (name) => {
        const current = latest.current;
        if (!find(commandsOf(current.table), 'move', { piece: name })) {
            return;
        }
        const isMeasured = state.phase === 'combat'; // KR4: the kraken is selected automatically
        if ((isMeasured || (await current.act({ verb: 'select', piece: name }))) && now.current?.name === name) {
            hands.zero();
            change({ ...now.current, isMeasured: true });
            pull();
        }
    };
    const pull = () => {
        const { place, from, isMeasured } = now.current;
        if (isMeasured) {
            hands.pullTo(distance(from, place) / KNOT, seenRope(latest.current.table));
        }
    };
    /** A piece that may move stops at the end of its reach. */
    const move = (name, place) => {
        if (now.current?.name !== name || isWaiting(now.current)) {
            return;
        }
        const { from, reach } = now.current;
        const there = onSea(place);
        change({ ...now.current, place: reach > 0 ? within(there, from, reach * KNOT) : there });
        pull();
    };
    /** How many knots the piece may sail now. */
    const reachOf = (name) => Math.max(0, ...movesOf(commandsOf(latest.current.table), name));
    /** The piece is let go: it waits for the confirmation, or goes back and the page or the table says why. */
    const end = async (name) => {
        if (now.current?.name !== name || isWaiting(now.current)) {
            return;
        }
        const { reach: before, select: selected } = now.current;
        await selected;
        const reach = before || reachOf(name);
        if (reach > 0 && name !== 'wind' && !now.current?.isMeasured) {
            await select(name); // another command was under way
        }
        if (now.current?.name !== name) {
            return; // it is gone, or another one is dragged
        }
        const { from } = now.current;
        const { place, met } = reach > 0 ? stop(reach) : now.current;
        const knots = distance(from, place) / KNOT;
        if (reach > 0 && knots >= NUDGE_KNOTS) {
            change({ ...now.current, place, met, isDropped: true });
            pull();
            return;
        }
        takeBack();
        const say = reach > 0 ? met && 'taken' : knots >= NUDGE_KNOTS && whyNot(state.phase, name);
        if (say) {
            setNote({ say, piece: name, met });
        } else if (reach === 0 && knots >= NUDGE_KNOTS) {
            latest.current.act(moveCommand(name, knots)); // is refused with the reason
        }
    };
    /** The piece stops before what stands there. Tiles lie under the pieces. */
    const stop = (reach) => {
        const { name, place, from } = now.current;
        const to = within(place, from, reach * KNOT);
        const isInWay = ([other]) => other !== name && inPlay(state, other) && !isTile(other);
        const others = Object.fromEntries(Object.entries(settled).filter(isInWay));
        const game = { harbours: harboursOf(state), scenario: state.scenario };
        return isTile(name) ? { place: to, met: null } : stopBefore(from, to, others, game);
    };
    const confirm = () => act(moveCommand(moved.name, distance(moved.from, moved.place) / KNOT));
    const places = moved ? { ...settled, [moved.name]: moved.place } : settled;
    const forget = () => setNote(null);
    const isElsewhere = movedElsewhere(table, undone).some((piece) => piece !== moved?.name);
    return {
        places,
        moved,
        note,
        tell: setNote,
        forget,
        isElsewhere,
        reachOf,
        begin,
        move,
        end,
        confirm,
        takeBack,
    };
}

/** The pieces that were moved without this table: their last places are unknown here. */
function movedElsewhere({ state, log, positions }, undone) {
    const places = positions?.game === state.game ? positions.places : [];
    const isKnown = (piece, seq) => places.some((place) => place[0] === piece && place[3] >= seq);
    return log.events
        .filter(({ event_type: type, piece, seq }) =>
            type === 'piece-moved' && piece && !undone.has(seq) && !isKnown(piece, seq))
        .map(({ piece }) => piece);
}

/** Whether a piece was dragged and waits to be confirmed. */
export function isWaiting(moved) {
    return moved !== null && moved.isDropped && moved.seq === undefined;
}

/** Shares the place when the table has accepted the move, by whatever button. */
function useConfirmed({ table, now, change, share, hands, undone }) {
    const { log, positions, state } = table;
    const lastMove = [...log.events]
        .reverse()
        .find(({ event_type: type }) => ['piece-moved', 'wind-moved'].includes(type));
    useEffect(() => {
        hands.zero(); // as the table does after each move
        const piece = lastMove?.event_type === 'wind-moved' ? 'wind' : lastMove?.piece;
        const { name, place, since } = now.current ?? {};
        if (name !== undefined && piece === name && lastMove.seq > since) {
            change({ ...now.current, isMeasured: false, seq: lastMove.seq });
            dock(hands, state, name, place);
            const { game, places } = withPlace(positions, state.game, name, place, lastMove.seq);
            share('positions', { v: 1, game, places });
        }
    }, [lastMove?.seq]);
    useEffect(() => {
        const { name, seq } = now.current ?? {};
        const isShared = positions?.places.some((place) => place[0] === name && place[3] === seq);
        if (seq !== undefined && (isShared || undone.has(seq))) {
            change(null);
        }
    }, [positions, undone]);
}

function dock(hands, state, name, place) {
    const docks = Object.entries(harbourPlaces(harboursOf(state)));
    const near = docks.find(([, each]) => distance(each, place) < DOCK_REACH);
    hands.dockAt(isShip(name) && near ? near[0] : null);
}
