/** Pictures of 48 by 48 units; the style sheet sets their colours. */
import { harbourOf, isTower } from '../words.js';

function Picture({ className = '', children }) {
    return (
        <svg
            class={`picture ${className}`}
            viewBox="0 0 48 48"
            aria-hidden="true"
            focusable="false"
        >
            {children}
        </svg>
    );
}

function Ship({ number }) {
    return (
        <>
            <path class="sail" d="M22 5 C21 15 16 23 8 28 H22 Z" />
            <path class="sail light" d="M26 8 C33 13 38 20 40 28 H26 Z" />
            <path class="mast" d="M24 3 V32" />
            <path class="hull" d="M4 31 H44 C43 38 40 43 36 44 H13 C8 43 5 38 4 31 Z" />
            <text class="number" x="24" y="41.5">
                {number}
            </text>
        </>
    );
}

function Tower() {
    return (
        <>
            <path
                class="stone"
                d="M11 44 L14 20 H11 V8 H17 V13 H21 V8 H27 V13 H31 V8 H37 V20 H34 L37 44 Z"
            />
            <path class="door" d="M20 44 V36 A4 4 0 0 1 28 36 V44 Z" />
            <path class="door" d="M22 24 H26 V30 H22 Z" />
        </>
    );
}

function Pirate() {
    return (
        <>
            <path class="sail" d="M10 6 H38 C40 14 40 22 38 29 H10 C12 22 12 14 10 6 Z" />
            <circle class="bone" cx="24" cy="15" r="5" />
            <path class="bone" d="M22 19 H26 V23 H22 Z" />
            <path class="bones" d="M17 21 L31 27 M31 21 L17 27" />
            <path class="hull" d="M4 31 H44 C43 38 40 43 36 44 H13 C8 43 5 38 4 31 Z" />
        </>
    );
}

function Monster() {
    return (
        <>
            <path
                class="scales"
                d="M7 44 C5 22 12 6 25 5 C36 5 41 12 40 20 L32 18 L36 24
                   C30 26 26 22 24 18 C19 24 21 34 27 44 Z"
            />
            <circle class="bone" cx="30" cy="12" r="2.6" />
            <path class="water" d="M2 44 Q8 38 14 44 T26 44 T38 44 T48 44 V48 H2 Z" />
        </>
    );
}

function Kraken() {
    return (
        <>
            <path class="scales" d="M14 26 C10 10 18 4 24 4 C30 4 38 10 34 26 Z" />
            <path class="arms" d="M15 26 C8 28 4 34 8 42 M20 27 C16 34 16 40 19 45" />
            <path class="arms" d="M28 27 C32 34 32 40 29 45 M33 26 C40 28 44 34 40 42" />
            <circle class="bone" cx="20" cy="18" r="2.4" />
            <circle class="bone" cx="28" cy="18" r="2.4" />
        </>
    );
}

function Wind() {
    return (
        <>
            <path class="gust" d="M4 18 H28 C36 18 36 7 29 8 C26 8 25 11 26 13" />
            <path class="gust" d="M4 26 H38 C46 26 46 37 38 36 C35 36 34 33 35 31" />
            <path class="gust" d="M4 34 H22 C28 34 28 42 23 42" />
        </>
    );
}

function Chest() {
    return (
        <>
            <path class="wood" d="M6 22 C6 12 12 10 24 10 C36 10 42 12 42 22 Z" />
            <path class="wood dark" d="M6 23 H42 V40 H6 Z" />
            <path class="brass" d="M20 19 H28 V29 H20 Z" />
            <path class="band" d="M6 22.5 H42" />
        </>
    );
}

function Barrel() {
    return (
        <>
            <path class="sail" d="M14 6 H34 C40 18 40 30 34 42 H14 C8 30 8 18 14 6 Z" />
            <path class="band" d="M11 15 H37 M10 24 H38 M11 33 H37" />
        </>
    );
}

function Swords() {
    return (
        <path
            class="blade"
            d="M8 6 L34 34 M40 6 L14 34 M28 38 L38 28 M20 38 L10 28 M35 35 L42 42 M13 35 L6 42"
        />
    );
}

function Flag() {
    return (
        <>
            <path class="mast" d="M12 4 V45" />
            <path class="sail" d="M13 6 C22 0 30 12 42 6 V26 C30 32 22 20 13 26 Z" />
        </>
    );
}

function Cannon() {
    return (
        <>
            <path class="iron" d="M4 20 L40 11 L44 23 L10 34 C4 35 1 24 4 20 Z" />
            <circle class="wheel" cx="16" cy="36" r="8" />
            <circle class="bone" cx="16" cy="36" r="2" />
        </>
    );
}

const drawings = { Pirate, Monster, Kraken, Wind, Chest, Barrel, Swords, Flag, Cannon };
const guests = { pirate: 'Pirate', monster: 'Monster', kraken: 'Kraken', wind: 'Wind' };

/** The picture of this name; `colour` is that of a harbour, if it has one. */
export function Thing({ name, colour = '' }) {
    const Drawing = drawings[name];
    return (
        <Picture className={`${name.toLowerCase()} ${colour}`}>
            <Drawing />
        </Picture>
    );
}

/** The picture of a piece. */
export function PieceDrawing({ name }) {
    const colour = harbourOf(name);
    if (colour === null) {
        return <Thing name={guests[name]} />;
    }
    return (
        <Picture className={colour}>
            {isTower(name) ? <Tower /> : <Ship number={name.split('-')[1]} />}
        </Picture>
    );
}
