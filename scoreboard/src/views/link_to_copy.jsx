/** A link to give to others, and a button that copies it. */
import { useEffect, useState } from 'preact/hooks';
import { useTexts } from './common.jsx';

/** It can be copied by hand, too: the clipboard is available to https and localhost only. */
export function LinkToCopy({ label, link }) {
    const texts = useTexts();
    const [isCopied, setCopied] = useState(false);
    useEffect(() => setCopied(false), [link]);
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(link);
            setCopied(true);
        } catch {
            setCopied(false);
        }
    };
    return (
        <>
            <label class="row">
                {label}
                <input readOnly value={link} onFocus={(event) => event.target.select()} />
            </label>
            {navigator.clipboard && (
                <button onClick={copy}>{texts.say(isCopied ? 'show.copied' : 'show.copy')}</button>
            )}
        </>
    );
}
