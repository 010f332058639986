/** What the current player can do now, in one sentence; a tap shows the rule. */
import { byHand, HITS_TO_TELL, maybeHits, nowSentence, ruleSentences, whatNow } from '../whatnow.js';
import { useTexts } from './common.jsx';
import { useLateReports } from './late.js';

/**
 * `instead`: the sentences of a view that says some of them in other words, by their keys. `isTelling`:
 * people enter what the shot has toppled. `where`: where the buttons are, if not here.
 */
export function WhatNow({ table, commands, instead = {}, isTelling, where = '' }) {
    const texts = useTexts();
    const isLate = useLateReports(table);
    let step = whatNow(table.state, commands, isLate);
    if (isTelling) {
        step = HITS_TO_TELL;
    } else if (where) {
        step = maybeHits(table, commands, step);
    }
    if (step === null) {
        return null;
    }
    const other = instead[step.say];
    const now = other ? { ...step, say: other } : byHand(table, step);
    return (
        <details class="what-now" key={now.rule} data-now={step.say}>
            <summary>{nowSentence(texts, table, now, where)}</summary>
            <p>{ruleSentences(texts, table, now.rule)}</p>
        </details>
    );
}
