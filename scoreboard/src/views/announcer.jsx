/** The announcer's view: the last ten events in large type. */
import { liveListed } from '../log.js';
import { isBlind } from '../telling.js';
import { colourOf, useTexts } from './common.jsx';

const SHOWN_EVENTS = 10;

/** Events that nobody announces. */
const UNSAID = ['aimed', 'sensor-ok'];

/** Their sentences need two lines. */
const LONG_NAME = 20;

function hasLongNames(state) {
    return state !== null && state.players.some(({ name }) => name.length > LONG_NAME);
}

export function AnnouncerView({ table }) {
    const texts = useTexts();
    const { state, log } = table;
    const events = liveListed(log.events, state !== null && isBlind(table))
        .filter((event) => !UNSAID.includes(event.event_type))
        .slice(-SHOWN_EVENTS)
        .reverse();
    return (
        <main class={`announcer ${hasLongNames(state) ? 'long-names' : ''}`}>
            <h1 class="unseen">{texts.say('show.announcer')}</h1>
            {(state === null || events.length === 0) && <p>{texts.say('nothingYet')}</p>}
            <ol>
                {(state === null ? [] : events).map((event) => (
                    <li
                        key={event.seq}
                        class={colourOf(state, event.player)}
                        data-event={event.event_type}
                    >
                        <i class={colourOf(state, event.player)} aria-hidden="true" />
                        <span dir="auto">{texts.event(event, state.players)}</span>
                    </li>
                ))}
            </ol>
        </main>
    );
}
