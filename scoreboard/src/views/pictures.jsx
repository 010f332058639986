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

/** The sign of each harbour, for people who cannot tell its colour: 48 by 48 units, too. */
const SIGNS = {
    red: 'M24 4 L44 42 H4 Z',
    blue: 'M24 2 L46 24 L24 46 L2 24 Z',
    green: 'M6 6 H42 V42 H6 Z',
    yellow: 'M24 4 A20 20 0 1 1 23.9 4 Z',
};

/** The sign of a harbour, centred at a point. */
export function Sign({ colour, x, y, size }) {
    const place = `translate(${x - size / 2} ${y - size / 2}) scale(${size / 48})`;
    return SIGNS[colour] && <path class="sign" d={SIGNS[colour]} transform={place} />;
}

function Ship({ number, colour }) {
    return (
        <>
            <path class="sail" d="M22 5 C21 15 16 23 8 28 H22 Z" />
            <path class="sail light" d="M26 8 C33 13 38 20 40 28 H26 Z" />
            <Sign colour={colour} x={18} y={23} size={7} />
            <path class="mast" d="M24 3 V32" />
            <path class="hull" d="M4 31 H44 C43 38 40 43 36 44 H13 C8 43 5 38 4 31 Z" />
            <text class="number" x="24" y="41.5">
                {number}
            </text>
        </>
    );
}

function Tower({ colour }) {
    return (
        <>
            <path
                class="stone"
                d="M11 44 L14 20 H11 V8 H17 V13 H21 V8 H27 V13 H31 V8 H37 V20 H34 L37 44 Z"
            />
            <path class="door" d="M20 44 V36 A4 4 0 0 1 28 36 V44 Z" />
            <Sign colour={colour} x={24} y={25} size={9} />
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

function Barrel({ colour }) {
    return (
        <>
            <path class="sail" d="M14 6 H34 C40 18 40 30 34 42 H14 C8 30 8 18 14 6 Z" />
            <path class="band" d="M12 13 H36 M12 35 H36" />
            <Sign colour={colour} x={24} y={24} size={16} />
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

/** Before a roll nobody knows what it shows. */
function Die({ value = '?' }) {
    return (
        <g transform="rotate(-10 24 24)">
            <rect class="cube" x="7" y="7" width="34" height="34" rx="7" />
            <text class="pip" x="24" y="33" font-size="26" font-weight="800" text-anchor="middle">
                {value}
            </text>
        </g>
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

function Splash() {
    return (
        <>
            <path class="gust" d="M24 30 C24 20 22 12 24 6 M17 31 C14 24 12 20 7 17 M31 31 C34 24 36 20 41 17" />
            <path class="gust" d="M6 38 C12 32 36 32 42 38 M12 43 C18 40 30 40 36 43" />
        </>
    );
}

function Cup() {
    return (
        <>
            <path class="band" d="M13 9 C2 8 4 24 16 23 M35 9 C46 8 44 24 32 23" />
            <path class="brass" d="M12 5 H36 C36 22 32 28 26 29 V37 H34 V43 H14 V37 H22 V29 C16 28 12 22 12 5 Z" />
        </>
    );
}

const drawings = {
    Pirate,
    Monster,
    Kraken,
    Wind,
    Chest,
    Barrel,
    Swords,
    Flag,
    Die,
    Cannon,
    Splash,
    Cup,
};
const guests = { pirate: 'Pirate', monster: 'Monster', kraken: 'Kraken', wind: 'Wind' };

/** The picture of this name; `colour` is that of a harbour, if it has one. */
export function Thing({ name, colour = '', value }) {
    const Drawing = drawings[name];
    return (
        <Picture className={`${name.toLowerCase()} ${colour}`}>
            <Drawing colour={colour} value={value} />
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
            {isTower(name) ? (
                <Tower colour={colour} />
            ) : (
                <Ship colour={colour} number={name.split('-')[1]} />
            )}
        </Picture>
    );
}
