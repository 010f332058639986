/** The time after a shot in which only falls reported by radio still count (S3). */
import { useEffect, useState } from 'preact/hooks';
import { mayBeLate } from '../sensors.js';

/** Whether the shot window is over and the table still waits for radio sensors. */
export function useLateReports(table) {
    const { state } = table;
    const shot = state?.shot === 'open' ? `${state.game} ${state.turn}` : null;
    const [late, setLate] = useState(null);
    useEffect(() => {
        setLate(null);
        const timer = shot && setTimeout(setLate, state.shot_window_ms ?? 0, shot);
        return () => clearTimeout(timer);
    }, [shot]);
    return shot !== null && late === shot && mayBeLate(table);
}
