/** The players and pieces of a state, and the condition of a piece in words. */

export function isRunning(state) {
    return state !== null && !['lobby', 'over'].includes(state.phase);
}

export function playerOf(state, id) {
    return state.players.find((player) => player.id === id);
}

/** T2: a team's points are those of both members. */
export function teamPoints(players, team) {
    return players
        .filter((player) => player.team === team)
        .reduce((total, { score }) => total + score, 0);
}

/** The status texts of a piece, most urgent first; `standing` only if there is no other. */
export function conditionsOf(state, name) {
    const piece = state.pieces[name];
    const isFighting = state.combats.some((fight) => [fight.attacker, fight.target].includes(name));
    const conditions = [
        piece.disturbed && 'disturbed',
        piece.status !== 'standing' && piece.status,
        isFighting && 'combat',
        piece.entangled && 'entangled',
        piece.cargo === 'chest' && 'chest',
        piece.cargo?.startsWith('barrel-') && 'barrel',
        piece.lives > 0 && 'lives',
    ].filter(Boolean);
    return conditions.length > 0 ? conditions : ['standing'];
}

/** The state of a piece as text. */
export function conditionWords(texts, state, name) {
    const piece = state.pieces[name];
    const values = {
        by: playerOf(state, piece.by)?.name,
        colour: texts.say(`colours.${piece.cargo?.replace('barrel-', '')}`),
        lives: piece.lives,
    };
    return conditionsOf(state, name)
        .map((each) => texts.say(`statuses.${each}`, values))
        .join(', ');
}

/** The piece and its state, for screen readers. */
export function describePiece(texts, state, name) {
    return `${texts.piece(name)}: ${conditionWords(texts, state, name)}`;
}

/** The pieces of a close combat: first the one for which the current player rolls. */
export function sidesOf({ pieces, player }, { attacker, target }) {
    return pieces[target]?.owner === player ? [target, attacker] : [attacker, target];
}

/** What the current player still has. */
export function ownPieces({ pieces, player }) {
    return Object.keys(pieces).filter(
        (name) =>
            pieces[name].owner === player && ['standing', 'flat'].includes(pieces[name].status),
    );
}

/** Of these pieces, those that do not just stand: that is why they can do nothing. */
export function hinderedOf(state, names) {
    return names.filter((name) => conditionsOf(state, name)[0] !== 'standing');
}

/** Why these pieces can do nothing: "Red 2: in close combat". */
export function unableWords(texts, state, names) {
    return hinderedOf(state, names)
        .map((name) => describePiece(texts, state, name))
        .join('; ');
}
