/** The players and pieces of a state, and the condition of a piece in words. */

export function isRunning(state) {
    return state !== null && !['lobby', 'over'].includes(state.phase);
}

export function playerOf(state, id) {
    return state.players.find((player) => player.id === id);
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

/** The piece and its state as text, for screen readers. */
export function describePiece(texts, state, name) {
    const piece = state.pieces[name];
    const values = {
        by: playerOf(state, piece.by)?.name,
        colour: texts.say(`colours.${piece.cargo?.replace('barrel-', '')}`),
        lives: piece.lives,
    };
    const words = conditionsOf(state, name).map((each) => texts.say(`statuses.${each}`, values));
    return `${texts.piece(name)}: ${words.join(', ')}`;
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

/** Why these pieces can do nothing: "Red 2: in close combat". Those that just stand are omitted. */
export function unableWords(texts, state, names) {
    return names
        .filter((name) => conditionsOf(state, name)[0] !== 'standing')
        .map((name) => describePiece(texts, state, name))
        .join('; ');
}
