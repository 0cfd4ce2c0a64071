/**
 * Calls `run` immediately, or after the click if a pointer is pressed. An error that appears on blur moves the buttons
 * below the field. If a button moves between press and release, the browser sends no click.
 */
export function afterPress(run: () => void): void {
  if (pressed) document.addEventListener('pointerup', () => setTimeout(run), { once: true, capture: true });
  else run();
}

let pressed = false;

function track(type: string, isPressed: boolean): void {
  // Unit tests import this module without a document.
  globalThis.document?.addEventListener(
    type,
    () => {
      pressed = isPressed;
    },
    true,
  );
}

track('pointerdown', true);
track('pointerup', false);
track('pointercancel', false);
