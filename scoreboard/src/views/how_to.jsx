/** The game in a few sentences, for people who have never played it; folded. */
import { useTexts } from './common.jsx';

const SENTENCES = ['fleet', 'turn', 'points', 'end', 'page'];

export function HowTo() {
    const texts = useTexts();
    return (
        <details class="how-to">
            <summary>{texts.say('howTo.title')}</summary>
            <ol>
                {SENTENCES.map((key) => (
                    <li key={key}>{texts.say(`howTo.${key}`)}</li>
                ))}
            </ol>
        </details>
    );
}
