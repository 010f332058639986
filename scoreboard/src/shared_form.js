/**
 * The form of the next game. What is entered on one device is retained on page/form and shown by all of
 * them, also after the game: {"v":1,"page":"…","configured":"…","wish":{…}}. It is valid until the
 * configuration of the table changes: then the owner has chosen another game.
 */
import { usualWish, wishFrom } from './newgame.js';

/** Says which form is an echo of this page's own. */
export const THIS_PAGE = Math.random().toString(36).slice(2);

export function formOf({ info }, wish) {
    return { v: 1, page: THIS_PAGE, configured: configuredGame(info), wish };
}

/** What was entered last at this table, or played, or else the configured game. */
export function sharedWish({ form, info, state }) {
    if (form?.configured === configuredGame(info)) {
        return form.wish;
    }
    return form === null && state?.phase === 'over'
        ? wishFrom({ ...state, first: 'draw' })
        : configuredWish({ info });
}

/** The form as the configuration of the table fills it in. */
export function configuredWish({ info }) {
    return info?.defaults ? wishFrom(info.defaults) : usualWish();
}

/** What the owner has configured, to be compared. */
function configuredGame(info) {
    return JSON.stringify(info?.defaults ?? null);
}
