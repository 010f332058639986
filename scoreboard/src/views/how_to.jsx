/** The game in a few sentences, for people who have never played it. */
import { useTexts } from './common.jsx';

const SENTENCES = ['fleet', 'turn', 'points', 'end', 'page'];

/** Folded. */
export function HowTo({ info }) {
    const texts = useTexts();
    return (
        <details class="how-to">
            <summary>{texts.say('howTo.title')}</summary>
            <HowToSteps info={info} />
        </details>
    );
}

export function HowToSteps({ info }) {
    const texts = useTexts();
    return (
        <ol class="how-to-steps">
            {SENTENCES.map((key) => (
                <li key={key}>
                    {texts.say(`howTo.${key}`, { points: texts.pointsFor(info) })}
                </li>
            ))}
        </ol>
    );
}
