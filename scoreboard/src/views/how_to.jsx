/** The game in a few sentences, for people who have never played it. */
import { pointsOf } from '../texts.js';
import { useTexts } from './common.jsx';

const SENTENCES = ['fleet', 'turn', 'points', 'end', 'teams', 'page'];

/** Beside the drawing, on a screen that nobody taps. */
export const ESSENTIAL = ['turn', 'points', 'end', 'teams'];

function toSight({ target }) {
    if (target.open) {
        target.scrollIntoView({ block: 'nearest' });
    }
}

/** Folded. `game` has the rules and the scenario. */
export function HowTo({ info, game }) {
    const texts = useTexts();
    return (
        <details class="how-to closes" onToggle={toSight}>
            <summary>{texts.say('howTo.title')}</summary>
            <HowToSteps info={info} game={game} />
        </details>
    );
}

/** With two teams, or the advanced rules, some sentences are others. */
export function HowToSteps({ info, game, sentences = SENTENCES }) {
    const texts = useTexts();
    const { howTo } = texts.words;
    const keyOf = (key) => [`${key} ${game.rules}`, key].find((each) => Object.hasOwn(howTo, each));
    return (
        <ol class="how-to-steps">
            {sentences
                .filter((key) => key !== 'teams' || game.teams)
                .map((key) => (
                    <li key={key}>
                        {texts.say(`howTo.${keyOf(key)}`, { points: texts.pointsFor(info) })}
                    </li>
                ))}
            {game.scenario !== 'none' && (
                <li>
                    {texts.say(`scenarios.${game.scenario}`)}:{' '}
                    {texts.say(`scenarioHints.${game.scenario}`, pointsOf(info))}
                </li>
            )}
        </ol>
    );
}
