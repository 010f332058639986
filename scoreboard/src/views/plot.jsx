/** A plot of months, drawn by uPlot, with the same figures in a table. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { useTexts } from './common.jsx';

/** In units of the font size of the page, which grows with the screen. */
const HEIGHT = 13;
const AXIS_FONT = 0.85;

/** The steps between the marks of an axis with whole numbers, and of that with months. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 1000];
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60];

/**
 * `months` are '2026-05' without gaps. A series has `label`, `values` (null: none), `colour` (a
 * variable of the style sheet) and `isBar`. format(value) is how a value is written.
 */
export function Plot({ title, months, series, format }) {
    const texts = useTexts();
    const place = useRef(null);
    const month = (index) => monthName(texts, months[index]);
    useEffect(() => {
        let plot = null;
        const draw = () => {
            plot?.destroy();
            plot = new uPlot(
                optionsFor({ width: place.current.clientWidth, count: months.length, series, month, format }),
                [months.map((_, i) => i), ...series.map(({ values }) => values)],
                place.current,
            );
        };
        const sizes = new ResizeObserver(draw);
        const themes = new MutationObserver(draw);
        sizes.observe(place.current);
        themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
        return () => {
            sizes.disconnect();
            themes.disconnect();
            plot?.destroy();
        };
    }, [months, series, texts.code]);
    return (
        <figure class="plot">
            <figcaption>
                {title}
                {series.length > 1 &&
                    series.map(({ label, colour }) => (
                        <span key={label} class="legend">
                            <i style={{ background: `var(${colour})` }} aria-hidden="true" />
                            {label}
                        </span>
                    ))}
            </figcaption>
            <div ref={place} class="canvas" aria-hidden="true" />
            <details>
                <summary>{texts.say('fame.asTable')}</summary>
                <table>
                    <caption class="unseen">{title}</caption>
                    <thead>
                        <tr>
                            <th scope="col">{texts.say('fame.month')}</th>
                            {series.map(({ label }) => (
                                <th key={label} scope="col">
                                    {label}
                                </th>
                            ))}
                        </tr>
                    </thead>
                    <tbody>
                        {months.map((each, i) => (
                            <tr key={each}>
                                <th scope="row">{month(i)}</th>
                                {series.map(({ label, values }) => (
                                    <td key={label}>
                                        {values[i] === null ? '–' : format(values[i])}
                                    </td>
                                ))}
                            </tr>
                        ))}
                    </tbody>
                </table>
            </details>
        </figure>
    );
}

function monthName(texts, month) {
    return texts.date(`${month}-15T12:00:00Z`, { year: 'numeric', month: 'short' });
}

/** A line with one value, or none, begins at 0: uPlot would choose a hundred times the value. */
function rangeOf(_, min, max) {
    return min === max ? [0, 1.25 * max || 1] : uPlot.rangeNum(min, max, 0.1, true);
}

/** A canvas knows no style sheet: sizes and colours are read from the page. */
function optionsFor({ width, count, series, month, format }) {
    const style = getComputedStyle(document.documentElement);
    const rem = parseFloat(style.fontSize);
    const colour = (name) => style.getPropertyValue(name).trim();
    const isCount = series.some(({ isBar }) => isBar);
    const axis = {
        stroke: colour('--ink-soft'),
        font: `${AXIS_FONT * rem}px ${style.fontFamily}`,
        grid: { stroke: colour('--card-edge'), width: 1 },
        ticks: { stroke: colour('--card-edge'), width: 1 },
    };
    return {
        width,
        height: HEIGHT * rem,
        legend: { show: false },
        cursor: { show: false },
        scales: {
            x: { time: false, range: [-0.5, count - 0.5] },
            y: { range: isCount ? (_, min, max) => [0, Math.max(1, max)] : rangeOf },
        },
        axes: [
            {
                ...axis,
                grid: { show: false },
                size: 2.2 * rem,
                space: 6 * rem,
                incrs: MONTH_STEPS,
                values: (_, ticks) => ticks.map(month),
            },
            {
                ...axis,
                size: 4 * rem,
                space: 2.4 * rem,
                incrs: isCount ? STEPS : undefined,
                values: (_, ticks) => ticks.map(format),
            },
        ],
        series: [
            {},
            ...series.map(({ colour: name, isBar }) => ({
                stroke: colour(name),
                fill: isBar ? colour(name) : undefined,
                width: isBar ? 0 : rem / 6,
                paths: isBar ? uPlot.paths.bars({ size: [0.6, 3 * rem] }) : undefined,
                points: { show: !isBar, size: rem / 1.6, fill: colour(name) },
                scale: 'y',
            })),
        ],
    };
}
