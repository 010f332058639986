/** The page as an installed app. Its start address names no view, so it opens the last one. */
import { changedHash } from './address.js';

const LAST_VIEW = 'shipahoy-last-view';

export function resumeLastView() {
    if (!matchMedia('(display-mode: standalone)').matches) {
        return;
    }
    try {
        if (location.hash === '') {
            history.replaceState(null, '', localStorage.getItem(LAST_VIEW) ?? '');
        }
        addEventListener('hashchange', () =>
            localStorage.setItem(LAST_VIEW, changedHash(location.hash, { password: null })),
        );
    } catch {
        // Without storage the app starts with the scoreboard.
    }
}
