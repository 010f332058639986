/** What the current player can do now, in one sentence; a tap shows the rule. */
import { nowSentence, whatNow } from '../whatnow.js';
import { useTexts } from './common.jsx';
import { useLateReports } from './late.js';

/** The same at the virtual table, where pieces are tapped and dragged. */
const AT_SEA = {
    shoot: 'seaShoot',
    watchBall: 'seaBall',
    sail: 'seaSail',
    sailFar: 'seaSail',
    sailRope: 'seaSail',
    roll: 'seaRoll',
    fight: 'seaFight',
};
const DROPPED = { ...AT_SEA, sail: 'seaMoved', sailFar: 'seaMoved', sailRope: 'seaMoved' };

/** `isDropped`: a piece was dragged there and waits for its confirmation. */
export function WhatNow({ table, commands, isAtSea = false, isDropped = false }) {
    const texts = useTexts();
    const now = whatNow(table.state, commands, useLateReports(table));
    if (now === null) {
        return null;
    }
    const say = (isAtSea && (isDropped ? DROPPED : AT_SEA)[now.say]) || now.say;
    return (
        <details class="what-now" key={now.rule} data-now={now.say}>
            <summary>{nowSentence(texts, table, { ...now, say })}</summary>
            <p>{texts.say(`ruleWords.${now.rule}`)}</p>
        </details>
    );
}
