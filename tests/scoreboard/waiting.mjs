/** Waiting for things, with a deadline, and never just for time to pass. */

/** Long: only a test that fails ever waits for all of it, and machines may be slow. */
export const DEADLINE_MS = 30_000;

const POLL_MS = 20;

/**
 * Closes everything, also what comes after something that complains; then the complaint counts. What
 * was never opened is left out, and a function closes in its own way.
 */
export async function closeAll(...things) {
    const complaints = [];
    for (const thing of things) {
        try {
            await (typeof thing === 'function' ? thing() : thing?.close());
        } catch (error) {
            complaints.push(error);
        }
    }
    if (complaints.length > 0) {
        throw complaints[0];
    }
}

/** It will never happen: no use in waiting on. */
export class Fatal extends Error {}

/** What `look` returns once it is truthy; it is asked again and again. */
export async function until(what, look) {
    const deadline = Date.now() + DEADLINE_MS;
    let failure = null;
    while (Date.now() < deadline) {
        try {
            const found = await look();
            if (found) {
                return found;
            }
        } catch (error) {
            if (error instanceof Fatal) {
                throw error;
            }
            failure = error;
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`not within ${DEADLINE_MS} ms: ${what}`, { cause: failure });
}
