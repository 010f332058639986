/** The controls of each step of a turn, from the list of possible commands. */
import { useState } from 'preact/hooks';
import { inPlay } from '../aim.js';
import { find } from '../choices.js';
import { hinderedOf, ownPieces, sidesOf } from '../conditions.js';
import { hasReported } from '../sensors.js';
import { passWords, ruleSentences, usualDie } from '../whatnow.js';
import { guestOf, isTower } from '../words.js';
import { useTexts } from './common.jsx';
import {
    Act,
    Group,
    PieceActs,
    PiecePicture,
    placesOf,
    Tap,
    Unable,
    unlessDoubleTap,
} from './acts.jsx';
import { PieceDrawing, Thing } from './pictures.jsx';

function ofVerb(commands, verb) {
    return commands.filter((command) => command.verb === verb);
}

export function ShootingActions({ table: { state, sensors }, commands, act }) {
    const texts = useTexts();
    const isNoticed = hasReported(sensors['cannon.beam']);
    const aims = ofVerb(commands, 'aim');
    const fire = ofVerb(commands, 'fire');
    return (
        <>
            {fire.map((command) => (
                <Act
                    key="fire"
                    command={command}
                    act={act}
                    kind={isNoticed ? 'huge' : 'huge primary'}
                >
                    <Thing name="Cannon" /> {texts.say(isNoticed ? 'fireMissed' : 'fire')}
                </Act>
            ))}
            {aims.length > 0 && (
                <details class="folded" open={find(aims, 'aim', { piece: 'pirate' }) !== undefined}>
                    <summary>
                        {texts.say(find(aims, 'aim', { piece: 'pirate' }) ? 'aim' : 'aimFolded')}
                    </summary>
                    <PieceActs
                        state={state}
                        title={texts.say('aim')}
                        commands={aims}
                        act={act}
                        chosen={state.shooter ?? ''}
                        unable={unableOf(state, aims)}
                    />
                </details>
            )}
            <Pass state={state} commands={commands} act={act} />
        </>
    );
}

/** Not at the end of the page, where a thumb expects the end of a step. */
export function Pass({ state, commands, act }) {
    const texts = useTexts();
    const words = passWords(state, commands);
    return (
        words &&
        ofVerb(commands, 'end-phase').map((command) => (
            <Act key="pass" command={command} act={act} kind="quiet">
                {texts.say(words)}
            </Act>
        ))
    );
}

/**
 * What the current player might use, but is not in a list of commands because it cannot do anything now: own
 * pieces, and the one without an owner.
 */
function unableOf(state, commands, isMeant = () => true) {
    const able = commands.map(({ piece, attacker }) => piece ?? attacker);
    const guest = guestOf(state.scenario);
    const guests = guest !== null && inPlay(state, guest) ? [guest] : [];
    return hinderedOf(state, [...ownPieces(state), ...guests])
        .filter((name) => isMeant(name) && !able.includes(name));
}

/** At the virtual table nobody has dice: one of the possible results is drawn. */
function RollHere({ rolls, act }) {
    const texts = useTexts();
    const draw = () => act(rolls[Math.floor(Math.random() * rolls.length)]);
    return (
        <Tap class="die primary" data-hand="roll" onTap={draw}>
            {texts.say('rollHere')}
        </Tap>
    );
}

export function MovingActions({ table, commands, act, isAtSea = false }) {
    const texts = useTexts();
    const { state, rope } = table;
    const rolls = ofVerb(commands, 'roll-move');
    const moves = ofVerb(commands, 'move');
    const movers = ofVerb(commands, 'select').filter(({ piece }) => find(moves, 'move', { piece }));
    return (
        <>
            {rolls.length > 0 && (
                <Group
                    title={texts.say(rolls[0].value === undefined ? 'rollFirst' : 'rollMove')}
                    hint={rolls[0].value !== undefined && usualDie(texts, state, 'roll')}
                    kind="dice"
                >
                    {rolls.map((command) => (
                        <Act
                            key={command.value}
                            command={command}
                            act={act}
                            kind={command.value === undefined ? 'die primary' : 'die'}
                        >
                            {command.value ?? texts.say('rollForUs')}
                        </Act>
                    ))}
                    {isAtSea && rolls[0].value !== undefined && <RollHere rolls={rolls} act={act} />}
                </Group>
            )}
            {movers.length > 0 && (
                <PieceActs
                    state={state}
                    title={texts.say('whoMoves')}
                    commands={movers}
                    act={act}
                    chosen={state.selected ?? ''}
                    noteOf={(name) => texts.count('knots', knotsOf(moves, name))}
                    unable={unableOf(state, movers, (name) => !isTower(name))}
                />
            )}
            <HowFar
                key={state.selected}
                state={state}
                rope={rope}
                commands={commands}
                act={act}
                isFollowUp={!isAtSea}
            />
            <ScenarioActions table={table} commands={commands} act={act} isAtSea={isAtSea} />
            <Loading table={table} commands={ofVerb(commands, 'load-barrel')} act={act} />
            <Pass state={state} commands={commands} act={act} />
        </>
    );
}

/** How far a piece may move. */
function knotsOf(moves, name) {
    const own = moves.filter(({ piece }) => piece === name);
    return Math.max(...own.map(({ knots }) => knots ?? 0));
}

/** The table does not know which ship is at a harbour, so the captain selects both. */
function Loading({ table, commands, act }) {
    const texts = useTexts();
    const rule = ruleSentences(texts, table, 'barrels');
    const harbours = [...new Set(commands.map(({ harbour }) => harbour))];
    return harbours.map((harbour) => {
        const title = texts.say('load', { harbour: texts.say(`colours.${harbour}`) });
        const fitting = commands.filter((command) => command.harbour === harbour);
        const ships = (
            <PieceActs
                key={harbour}
                state={table.state}
                title={title}
                isTitled={false}
                hint={rule}
                commands={fitting}
                act={act}
            />
        );
        return (
            <Foldable
                key={harbour}
                title={texts.say('loadAt', { harbour: texts.say(`colours.${harbour}`) })}
                isFolded
            >
                {ships}
            </Foldable>
        );
    });
}

/** The knots of the piece that the rope measures; first its reading, if it has been pulled. */
function HowFar({ state, rope, commands, act, isFollowUp = false }) {
    const texts = useTexts();
    const moves = ofVerb(commands, 'move').filter(({ piece }) => piece === state.selected);
    const measured = moves.find(({ knots }) => knots === undefined);
    const reading = () => texts.say('takeRope', { knots: texts.count('knots', rope.knots) });
    return (
        moves.length > 0 && (
            <Group
                title={texts.say('howFar', { piece: texts.piece(state.selected) })}
                kind="knots"
                isFollowUp={isFollowUp}
            >
                {measured && (
                    <Act key="rope" command={measured} act={act} kind="measured primary">
                        {reading()}
                    </Act>
                )}
                {moves
                    .filter((command) => command !== measured)
                    .map((command) => (
                        <Act key={command.knots} command={command} act={act}>
                            {texts.count('knots', command.knots)}
                        </Act>
                    ))}
            </Group>
        )
    );
}

/**
 * What a ship can do where it is, by the verb of the command: the question, what the virtual table says,
 * which knows where it is, and the rule.
 */
const WHERE_IT_IS = {
    'take-chest': ['chestActions', 'seaChest', 'chest'],
    'catch-wind': ['windActions', 'seaWind', 'wind'],
    entangle: ['krakenActions', 'seaKraken', 'kraken'],
};

/** While ships may sail, the same ships would be listed twice. */
function Foldable({ title, isFolded, children }) {
    const toSight = ({ target }) => target.open && target.scrollIntoView({ block: 'nearest' });
    return isFolded ? (
        <details class="folded" onToggle={toSight}>
            <summary onClick={unlessDoubleTap}>{title}</summary>
            {children}
        </details>
    ) : (
        children
    );
}

/** Chest, barrels, wind, kraken. */
function ScenarioActions({ table, commands, act, isAtSea }) {
    const texts = useTexts();
    const isFolded = !isAtSea && ['roll-move', 'move'].some((verb) => find(commands, verb));
    const deliveries = ofVerb(commands, 'deliver-barrel');
    return (
        <>
            {Object.entries(WHERE_IT_IS)
                .map(([verb, words]) => [words, ofVerb(commands, verb)])
                .filter(([, fitting]) => fitting.length > 0)
                .map(([[question, here, rule], fitting]) => {
                    const title = texts.say(isAtSea ? here : question);
                    const isAside = isFolded && rule !== 'kraken'; // which was just moved
                    return (
                        <Foldable key={rule} title={title} isFolded={isAside}>
                            <PieceActs
                                state={table.state}
                                title={title}
                                isTitled={!isAside}
                                hint={isAside && ruleSentences(texts, table, rule)}
                                commands={fitting}
                                act={act}
                            />
                        </Foldable>
                    );
                })}
            {ofVerb(commands, 'move-wind').map((command) => (
                <div class="acts" key="wind">
                    <Act command={command} act={act}>
                        {texts.say('moveWind')}
                    </Act>
                </div>
            ))}
            {deliveries.length > 0 && (
                <Foldable title={texts.say('barrelActions')} isFolded={isFolded}>
                    <Group
                        title={texts.say('barrelActions')}
                        isTitled={!isFolded}
                        kind="scenario-acts"
                    >
                        {deliveries.map((command) => (
                            <Act
                                key={`${command.piece} ${command.harbour}`}
                                command={command}
                                act={act}
                            >
                                <PieceDrawing name={command.piece} />
                                <span>
                                    {texts.say('deliver', {
                                        piece: texts.piece(command.piece),
                                        harbour: texts.say(`colours.${command.harbour}`),
                                    })}
                                </span>
                            </Act>
                        ))}
                    </Group>
                </Foldable>
            )}
        </>
    );
}

export function CombatActions({ table, commands, act, isAtSea = false }) {
    const { state, rope } = table;
    const rolls = ofVerb(commands, 'roll-combat'); // they come first
    return (
        <>
            <DueFights state={state} commands={rolls} act={act} isAtSea={isAtSea} />
            <Fights state={state} />
            <HowFar state={state} rope={rope} commands={commands} act={act} />
            <ScenarioActions table={table} commands={commands} act={act} isAtSea={isAtSea} />
            {rolls.length === 0 && (
                <ChooseAttack
                    state={state}
                    commands={ofVerb(commands, 'engage')}
                    act={act}
                />
            )}
        </>
    );
}

/** The close combats that go on in later turns. */
function Fights({ state }) {
    const texts = useTexts();
    return state.combats
        .filter(({ due }) => !due)
        .map(({ attacker, target }) => (
            <p key={`${attacker} ${target}`} class="fight-waits">
                <Thing name="Swords" />
                {texts.say('fightWaits', {
                    attacker: texts.piece(attacker),
                    target: texts.piece(target),
                })}
            </p>
        ));
}

function DueFights({ state, commands, act, isAtSea }) {
    const texts = useTexts();
    const isFlat = (name) => state.pieces[name].status === 'flat';
    const fights = [...new Set(commands.map(({ attacker, target }) => `${attacker} ${target}`))];
    return fights.map((key) => {
        const [attacker, target] = key.split(' ');
        const rolls = commands.filter(
            (command) => command.attacker === attacker && command.target === target,
        );
        const [own, enemy] = sidesOf(state, { attacker, target }).map((name) => texts.piece(name));
        return (
            <Group
                key={key}
                title={texts.say('rollCombat', { attacker: own, target: enemy })}
                hint={rolls[0].value !== undefined && usualDie(texts, state, 'fight')}
                kind="dice"
            >
                {rolls.map((command) => (
                    <Act
                        key={command.value}
                        command={command}
                        act={act}
                        kind={`die with-picture ${command.value === undefined ? 'primary' : ''}`}
                    >
                        {command.value && (
                            <Thing name={command.value === 'flag' ? 'Flag' : 'Swords'} />
                        )}
                        <span>{faceWords(texts, command, isFlat(target) || isFlat(attacker))}</span>
                        {command.value && <small>{meaning(texts, state, command)}</small>}
                    </Act>
                ))}
                {isAtSea && rolls[0].value !== undefined && <RollHere rolls={rolls} act={act} />}
            </Group>
        );
    });
}

/** A4: a flat piece is captured without a roll. */
function faceWords(texts, { value }, isSure) {
    if (isSure) {
        return texts.say('takeFlat');
    }
    return value ? texts.say(`faces.${value}`) : texts.say('rollForUs');
}

/** What a face means for the current player, whose piece may be the attacked one. */
function meaning(texts, state, command) {
    if (command.value !== 'flag') {
        return texts.say('fightGoesOn');
    }
    const [own, enemy] = sidesOf(state, command);
    return enemy === 'kraken'
        ? texts.say('isFreed', { piece: texts.piece(own) })
        : texts.say('surrenders', { piece: texts.piece(enemy) });
}

function ChooseAttack({ state, commands, act }) {
    const texts = useTexts();
    const [attacker, setAttacker] = useState(null);
    const attackers = [...new Set(commands.map((command) => command.attacker))];
    const targets = commands.filter((command) => command.attacker === attacker);
    const unable = unableOf(state, commands);
    const places = placesOf(state, [...attackers, ...unable]);
    const flat = flatOf(state);
    const held = attackers.filter((name) => find(commands, 'engage', { attacker: name, target: 'kraken' }));
    const attack = (command) => {
        setAttacker(null); // the roll comes next
        return act(command);
    };
    return (
        attackers.length > 0 && (
            <>
                {held.map((name) => (
                    <p key={name} class="hint">
                        {texts.say('heldHint', { piece: texts.piece(name) })}
                    </p>
                ))}
                <Group title={texts.say('attackWith')} kind="pieces">
                    {attackers.map((name) => (
                        <button
                            key={name}
                            class="piece-act"
                            style={places[name]}
                            aria-pressed={name === attacker}
                            data-attacker={name}
                            data-verb="choose-attacker"
                            onClick={() => setAttacker(name === attacker ? null : name)}
                        >
                            <PiecePicture state={state} name={name} />
                            <span>{texts.piece(name)}</span>
                        </button>
                    ))}
                    <Unable state={state} names={unable} places={places} />
                </Group>
                {targets.length > 0 && (
                    <PieceActs
                        key={attacker}
                        state={state}
                        title={texts.say('attackWhom', { attacker: texts.piece(attacker) })}
                        kind="targets"
                        isFollowUp
                        commands={targets}
                        act={attack}
                        field="target"
                        flat={flat}
                        hint={targets.some(({ target }) => flat.includes(target)) && texts.say('flatHint')}
                    />
                )}
            </>
        )
    );
}

function flatOf({ pieces }) {
    return Object.keys(pieces).filter((name) => pieces[name].status === 'flat');
}

export function RepairActions({ commands, table: { state }, act }) {
    const texts = useTexts();
    const raises = ofVerb(commands, 'raise').filter(
        ({ piece }) =>
            state.pieces[piece].status === 'flat' && state.pieces[piece].owner === state.player,
    );
    return (
        <>
            {raises.length > 0 && (
                <PieceActs
                    state={state}
                    title={texts.say('repairWhich')}
                    commands={raises}
                    act={act}
                    flat={flatOf(state)}
                />
            )}
        </>
    );
}
