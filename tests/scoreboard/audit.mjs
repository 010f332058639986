/** The accessibility audit of a page that has axe. */

export const ALL = ['minor', 'moderate', 'serious', 'critical'];

/** Runs in the page: what axe finds, in a line each. */
export async function audit(impacts) {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return violations
        .filter(({ impact }) => impacts.includes(impact))
        .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 150)}`));
}
