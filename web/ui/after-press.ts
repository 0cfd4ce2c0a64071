/**
 * Calls `run` at once, or after the click if a pointer is pressed. An error that appears below a field on blur moves the
 * buttons under it. If they move between press and release, the browser sends no click.
 */
export function afterPress(run: () => void): void {
  if (pressed) document.addEventListener('pointerup', () => setTimeout(run), { once: true, capture: true });
  else run();
}

let pressed = false;
document.addEventListener(
  'pointerdown',
  () => {
    pressed = true;
  },
  true,
);
for (const end of ['pointerup', 'pointercancel'])
  document.addEventListener(
    end,
    () => {
      pressed = false;
    },
    true,
  );
