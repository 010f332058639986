/**
 * Moments of the game as short scenes over the whole screen. They take no taps, and screen readers
 * get the same sentences from the announcer.
 */
import { Component } from 'preact';
import { playerOf } from '../conditions.js';
import { SCENE_MS, sceneOf, sceneOfRecord, withScene } from '../show/scenes.js';
import { piecesOf } from '../words.js';
import { colourOf, TextsContext } from './common.jsx';
import { PieceDrawing, Thing } from './pictures.jsx';

/** As many pictures as fit next to each other. */
const PIECES_MAX = 4;

/** From here on letters are smaller. */
const LONG_SENTENCE = 32;

/** `handle.current` is the component while it is shown: add(event, state) shows a scene. */
export class Moments extends Component {
    static contextType = TextsContext;
    state = { scene: null, game: null };
    #queue = [];
    #timer = null;

    /** An event that has happened, and the state after it. */
    add(event, game) {
        const scene = sceneOf(event, game);
        if (['undone', 'game-started'].includes(event.event_type)) {
            this.#change([], game);
        } else if (scene) {
            this.#change(withScene(this.#queue, scene), game);
        }
    }

    addRecord(record) {
        this.#change(withScene(this.#queue, sceneOfRecord(record)), this.state.game);
    }

    /** Every change of the shown scene gives it its full time. */
    #change(queue, game) {
        const [before] = this.#queue;
        const [scene = null] = queue;
        this.#queue = queue;
        this.setState({ scene, game });
        if (before !== scene) {
            clearTimeout(this.#timer);
            const next = () => this.#change(this.#queue.slice(1), game);
            this.#timer = scene && setTimeout(next, SCENE_MS[scene.kind]);
        }
    }

    /** A tap is for what is below, and closes the scene over it. */
    #dismiss = () => this.#queue.length > 0 && this.#change(this.#queue.slice(1), this.state.game);

    componentDidMount() {
        this.props.handle.current = this;
        addEventListener('pointerdown', this.#dismiss);
    }

    componentWillUnmount() {
        removeEventListener('pointerdown', this.#dismiss);
        clearTimeout(this.#timer);
        if (this.props.handle.current === this) {
            this.props.handle.current = null;
        }
    }

    render(_, { scene, game }) {
        if (!scene) {
            return null;
        }
        const Picture = pictures[scene.kind];
        const sentence = sentenceOf(this.context, scene, game);
        return (
            <div
                key={scene.id}
                class={`moment moment-${scene.kind} ${game ? colourOf(game, scene.player) : 'nobody'}`}
                data-moment={scene.kind}
                aria-hidden="true"
            >
                <div class="moment-card">
                    <div class="moment-picture">
                        <Picture scene={scene} game={game} />
                    </div>
                    <p dir="auto" class={sentence.length > LONG_SENTENCE ? 'long' : ''}>
                        {sentence.replace(/ (?=\d)/g, '\u00a0')}
                    </p>
                </div>
            </div>
        );
    }
}

function sentenceOf(texts, { kind, pieces, player, event, record }, game) {
    if (kind === 'record') {
        return recordSentence(texts, record);
    }
    const isCapture = ['piece-captured', 'piece-lost'].includes(event.event_type);
    if (pieces.length > 1 && (isCapture || kind === 'hit')) {
        const values = {
            pieces: texts.list(pieces.map((piece) => texts.piece(piece))),
            by: playerOf(game, player)?.name,
        };
        return texts.say(`show.${kind === 'hit' ? 'topple' : by(player)}`, values);
    }
    return texts.event(event, game.players);
}

export function recordSentence(texts, record) {
    return texts.say('fame.newRecord', {
        record: texts.recordName(record),
        value: texts.recordValue(record),
        player: record.player,
    });
}

/** A piece that the pirate ship takes is nobody's trophy. */
function by(player) {
    return player === null ? 'lost' : 'capture';
}

const pictures = {
    record: () => <Thing name="Cup" />,
    shot: ({ scene }) => (
        <>
            {scene.pieces.map((piece) => (
                <PieceDrawing key={piece} name={piece} />
            ))}
            <Thing name="Cannon" />
            <i class="flash" />
            <i class="ball" />
        </>
    ),
    hit: ({ scene }) => (
        <>
            <i class="burst" />
            <Pieces names={scene.pieces} />
        </>
    ),
    miss: () => <Thing name="Splash" />,
    capture: ({ scene, game }) => (
        <>
            <Pieces names={scene.pieces} />
            {scene.prize && <Thing name={scene.prize} colour={scene.colour} />}
            {scene.player !== null && <Thing name="Flag" colour={colourOf(game, scene.player)} />}
        </>
    ),
    combat: ({ scene: { pieces, roll } }) => (
        <>
            <PieceDrawing name={pieces[0]} />
            <span class={`roll ${roll ?? 'none'}`}>
                <Thing name={roll === 'flag' ? 'Flag' : 'Swords'} />
            </span>
            <PieceDrawing name={pieces[1]} />
        </>
    ),
    roll: ({ scene }) => <Thing name="Die" value={scene.roll} />,
    turn: ({ game, scene }) => <Thing name="Flag" colour={colourOf(game, scene.player)} />,
    out: ({ game, scene }) => <Harbours game={game} player={scene.player} />,
    winner: ({ game, scene }) =>
        scene.winners.map((player) => (
            <Thing key={player} name="Flag" colour={colourOf(game, player)} />
        )),
};

function Pieces({ names }) {
    return names.slice(0, PIECES_MAX).map((name) => (
        <span key={name} class="moment-piece">
            <PieceDrawing name={name} />
        </span>
    ));
}

/** The first piece of each harbour of a player that is still in play; all are lost to one who is out. */
function Harbours({ game, player }) {
    const harbours = playerOf(game, player)?.harbours ?? [];
    const isInPlay = (name) => ['standing', 'flat'].includes(game.pieces[name]?.status);
    const pieces = harbours.map((harbour) => piecesOf(harbour).find(isInPlay)).filter(Boolean);
    const shown = pieces.length > 0 ? pieces : harbours.map((harbour) => `${harbour}-1`);
    return shown.map((name) => <PieceDrawing key={name} name={name} />);
}
