/** The controls next to the virtual table. */
import { distance } from '../layout.js';
import { harbourOf } from '../words.js';
import { useTexts } from './common.jsx';
import { inPlay, isLying, seenRope } from './sea.jsx';
import { RopeDrawing } from './stage.jsx';

const PULL_MAX = 4;
const BUMPED = 3;

export function SeaControls({ table, hands, gun, chosen, places }) {
    const texts = useTexts();
    const { state } = table;
    return (
        <aside class="hands">
            <p class="hint">{texts.say('seaHint')}</p>
            <ChosenPiece
                table={table}
                hands={hands}
                gun={gun}
                places={places}
                chosen={chosen && inPlay(state, chosen) ? chosen : null}
            />
            <GunControls gun={gun} />
            <RopeControls table={table} hands={hands} />
        </aside>
    );
}

function ChosenPiece({ table, hands, gun, chosen, places }) {
    const texts = useTexts();
    const canTilt = chosen && !['kraken', 'wind'].includes(chosen);
    const lying = Object.keys(places).filter((name) => isLying(table, name));
    return (
        <section class="group">
            <h2>
                {chosen
                    ? texts.say('chosen', { piece: texts.piece(chosen) })
                    : texts.say('chooseOne')}
            </h2>
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
                {canTilt && harbourOf(chosen) && (
                    <button data-hand="aim" onClick={() => gun.put(chosen)}>
                        {texts.say('aimHere', { piece: texts.piece(chosen) })}
                    </button>
                )}
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
        .filter((name) => !['kraken', 'wind'].includes(name))
        .sort((a, b) => distance(places[a], places[chosen]) - distance(places[b], places[chosen]))
        .slice(0, BUMPED);
}

function GunControls({ gun }) {
    const texts = useTexts();
    return (
        <section class="group">
            <h2>
                {gun.at
                    ? texts.say('cannonAt', { piece: texts.piece(gun.at) })
                    : texts.say('noCannon')}
            </h2>
            {gun.at && (
                <>
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
                    <div class="acts">
                        <button class="danger huge" data-hand="fire" onClick={gun.fire}>
                            {texts.say('fireNow')}
                        </button>
                    </div>
                </>
            )}
        </section>
    );
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
