/** The game in a few sentences, for people who have never played it. */
import { useTexts } from './common.jsx';

const SENTENCES = ['fleet', 'turn', 'points', 'end', 'page'];

/** Beside the drawing, on a screen that nobody taps. */
export const ESSENTIAL = ['turn', 'points', 'end'];

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

export function HowToSteps({ info, sentences = SENTENCES }) {
    const texts = useTexts();
    return (
        <ol class="how-to-steps">
            {sentences.map((key) => (
                <li key={key}>
                    {texts.say(`howTo.${key}`, { points: texts.pointsFor(info) })}
                </li>
            ))}
        </ol>
    );
}
