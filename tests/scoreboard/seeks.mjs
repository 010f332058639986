/** Runs in the page: the times from a drag of the slider until the moment is on the screen. */
export async function measureSeeks(count) {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const slider = document.querySelector('input[name=moment]');
    const last = Number(slider.max);
    const times = [];
    await frame();
    for (let i = 0; i < count; i++) {
        const start = performance.now();
        slider.value = String((i * 7919) % (last + 1));
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await frame(); // drawn before this one
        await frame(); // shown before this one
        times.push(performance.now() - start);
    }
    return times;
}
