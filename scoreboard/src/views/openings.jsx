/** What a logbook runs besides tables, in the lobby: the list of it, and the form that opens another. */
import { useState } from 'preact/hooks';
import { useTexts } from './common.jsx';

/**
 * `kind` is that of the command open-KIND, `cards` are the items of the list, form(onCancel) is the
 * form. `mayOpen`: this login may open one, and a logbook is there.
 */
export function Openings({ kind, title, another, cards, mayOpen, form }) {
    const [isOpening, setOpening] = useState(false);
    const data = { [`data-open-${kind}`]: true };
    return (
        (cards.length > 0 || mayOpen) && (
            <section class="sheet-games" aria-label={title}>
                <h2>{title}</h2>
                {cards.length > 0 && <ul>{cards}</ul>}
                {mayOpen && !isOpening && (
                    <button {...data} onClick={() => setOpening(true)}>
                        {another}
                    </button>
                )}
                {mayOpen && isOpening && form(() => setOpening(false))}
            </section>
        )
    );
}

/**
 * Sends what fields() returns. On success onOpened gets the id, which the reply names by the kind; a
 * refusal is shown, with the words of explain(refusal).
 */
export function OpeningForm({ kind, start, send, fields, explain, onOpened, onCancel, children }) {
    const texts = useTexts();
    const [refusal, setRefusal] = useState(null);
    const [isSent, setSent] = useState(false);
    const submit = async (event) => {
        event.preventDefault();
        setSent(true);
        const reply = await send(`command/open-${kind}`, fields());
        setSent(false);
        if (reply.ok && typeof reply[kind] === 'string') {
            onOpened(reply[kind]);
        } else {
            setRefusal(reply);
        }
    };
    return (
        <form class={`new-sheet new-${kind}`} onSubmit={submit}>
            {children}
            <div role="alert">
                {refusal && (
                    <p class="refusal" data-error={refusal.error}>
                        <strong>{texts.say('refused')}.</strong> {explain(refusal)}
                    </p>
                )}
            </div>
            <div class="acts">
                <button
                    class={`primary huge ${isSent ? 'sent' : ''}`}
                    disabled={isSent}
                    data-verb={`open-${kind}`}
                >
                    {start}
                </button>
                <button type="button" onClick={onCancel}>
                    {texts.say('back')}
                </button>
            </div>
        </form>
    );
}
