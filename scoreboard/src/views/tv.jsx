/** TV mode: full screen, without navigation and pointer. A moved pointer shows the way out. */
import { useEffect, useState } from 'preact/hooks';
import { useTexts } from './common.jsx';

/** The pointer and the button disappear after this time. */
const AWAKE_MS = 3000;

/** Starts the mode. Without the right to fill the screen the page only hides its navigation. */
export function enterTv(onEntered) {
    const page = document.documentElement;
    const fill = page.requestFullscreen ?? page.webkitRequestFullscreen; // Safari before 16.4
    fill?.call(page)?.catch(() => {});
    onEntered();
}

export function TvMode({ onLeave }) {
    const texts = useTexts();
    const [isAwake, setAwake] = useState(false);
    useEffect(() => {
        const { dataset } = document.documentElement;
        dataset.tv = isAwake ? 'awake' : 'asleep';
        return () => delete dataset.tv;
    }, [isAwake]);
    useEffect(() => {
        let timer = null;
        const wake = () => {
            clearTimeout(timer);
            timer = setTimeout(() => setAwake(false), AWAKE_MS);
            setAwake(true);
        };
        const follow = () => document.fullscreenElement ?? onLeave(); // Escape has ended it
        const types = ['pointermove', 'pointerdown', 'keydown'];
        types.forEach((type) => addEventListener(type, wake));
        document.addEventListener('fullscreenchange', follow);
        return () => {
            clearTimeout(timer);
            types.forEach((type) => removeEventListener(type, wake));
            document.removeEventListener('fullscreenchange', follow);
        };
    }, []);
    const leave = () => {
        if (document.fullscreenElement) {
            document.exitFullscreen();
        }
        onLeave();
    };
    return (
        isAwake && (
            <button class="leave-tv" onClick={leave}>
                {texts.say('leaveTv')}
            </button>
        )
    );
}
