/**
 * The form of a new game, which pages share on page/form, so that the TV shows the game that is being
 * entered on a phone: {"v":1,"page":"…","configured":"…","wish":{…}}. It is valid until the
 * configuration of the table changes.
 */
import { configuredGame } from './remembered_game.js';

/** Says which form is an echo of this page's own. */
export const THIS_PAGE = Math.random().toString(36).slice(2);

export function formOf({ info }, wish) {
    return { v: 1, page: THIS_PAGE, configured: configuredGame(info), wish };
}

/** What another page or this one has entered, or null. */
export function sharedWish({ form, info }) {
    return form?.configured === configuredGame(info) ? form.wish : null;
}
