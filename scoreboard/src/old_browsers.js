/**
 * What the page uses and browsers of early 2021 lack (Chrome and Edge before 97, Firefox before
 * 104, Safari before 15.4). Syntax is converted by the build.
 */

function add(owner, name, value) {
    if (!(name in owner)) {
        Object.defineProperty(owner, name, { value, writable: true, configurable: true });
    }
}

add(Object, 'hasOwn', (owner, key) => Object.prototype.hasOwnProperty.call(owner, key));

add(Array.prototype, 'at', function at(index) {
    return this[index < 0 ? this.length + index : index];
});

add(Array.prototype, 'findLast', function findLast(isWanted) {
    for (let i = this.length - 1; i >= 0; i--) {
        if (isWanted(this[i], i, this)) {
            return this[i];
        }
    }
    return undefined;
});
