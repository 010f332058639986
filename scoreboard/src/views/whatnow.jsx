/** What the current player can do now, in one sentence; a tap shows the rule. */
import { nowSentence, whatNow } from '../whatnow.js';
import { useTexts } from './common.jsx';
import { useLateReports } from './late.js';

/** `instead`: the sentences of a view that says some of them in other words, by their keys. */
export function WhatNow({ table, commands, instead = {} }) {
    const texts = useTexts();
    const now = whatNow(table.state, commands, useLateReports(table));
    if (now === null) {
        return null;
    }
    const say = instead[now.say] ?? now.say;
    return (
        <details class="what-now" key={now.rule} data-now={now.say}>
            <summary>{nowSentence(texts, table, { ...now, say })}</summary>
            <p>{texts.say(`ruleWords.${now.rule}`)}</p>
        </details>
    );
}
