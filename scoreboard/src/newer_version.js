/**
 * A page that stays open over an upgrade is older than the table. Reloading it once is offered; if it
 * is still older then, it comes from another computer, and reloading again would not help.
 */

/** Replaced by build.mjs. */
const PAGE_VERSION = typeof SHIPAHOY_VERSION === 'undefined' ? null : SHIPAHOY_VERSION;
const RELOADED_FOR = 'shipahoy-reloaded-for';

/** Whether version 1.10.0 is newer than 1.9.2, for example. */
export function isNewer(version, than) {
    if (![version, than].every((text) => /^\d+(\.\d+)*$/.test(text))) {
        return false;
    }
    const [ours, theirs] = [than, version].map((text) => text.split('.').map(Number));
    const at = theirs.findIndex((number, i) => number !== (ours[i] ?? 0));
    return at !== -1 && theirs[at] > (ours[at] ?? 0);
}

/** The version of the table, if reloading the page may bring it; else null. */
export function newerVersion(table, pageVersion = PAGE_VERSION) {
    const version = table?.info?.version;
    return isNewer(version, pageVersion) && version !== reloadedFor() ? version : null;
}

function reloadedFor() {
    try {
        return sessionStorage.getItem(RELOADED_FOR);
    } catch {
        return null;
    }
}

export function reloadFor(version) {
    try {
        sessionStorage.setItem(RELOADED_FOR, version);
    } catch {
        // Without storage the notice comes again.
    }
    location.reload();
}
