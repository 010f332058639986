/** What the current player can do now, in one sentence; a tap shows the rule. */
import { byHand, HITS_TO_TELL, nowSentence, ruleSentences, whatNow } from '../whatnow.js';
import { unlessDoubleTap } from './acts.jsx';
import { useTexts } from './common.jsx';
import { useLateReports } from './late.js';

/**
 * `instead` and `rules`: the sentences and rules that a view says in other words, by their keys. `isTelling`:
 * people enter what the shot has toppled. `where`: where the buttons are, if not here. `met`: what a ball
 * would meet.
 */
export function WhatNow({ table, commands, instead = {}, rules = {}, isTelling, where = '', met = null }) {
    const texts = useTexts();
    const isLate = useLateReports(table);
    const step = isTelling ? HITS_TO_TELL : whatNow(table.state, commands, isLate);
    if (step === null) {
        return null;
    }
    const other = instead[step.say];
    const now = other ? { ...step, say: other } : byHand(table, step);
    return (
        <details class="what-now" key={now.rule} data-now={step.say}>
            <summary onClick={unlessDoubleTap}>{nowSentence(texts, table, now, { where, met })}</summary>
            <div class="rule">
                <p>{ruleSentences(texts, table, now.rule, rules[now.rule])}</p>
                {now.also && <p>{ruleSentences(texts, table, now.also)}</p>}
            </div>
        </details>
    );
}
