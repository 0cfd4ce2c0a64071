import type uPlot from 'uplot';
import { panned, type Window, zoomed } from '../../kit/chart/time-window.ts';

export interface GestureContext {
  window: () => Window;
  now: () => number;
  onWindow: (next: Window) => void;
  /**
   * Returns true if the wheel zooms without a modifier key. Otherwise, the wheel scrolls the page, and zooms only with
   * Ctrl or ⌘.
   */
  wheelZooms: () => boolean;
}

const TOUCH_SLOP = 6;

/**
 * Handles gestures on a chart: wheel, Shift-drag, tap, and gestures with one or two fingers. Returns a function that
 * removes the listeners.
 */
export function listenToGestures(chart: uPlot, context: GestureContext): () => void {
  const { over } = chart;
  const timeAt = (x: number, { from, to }: Window) => {
    const { left, width } = over.getBoundingClientRect();
    return from + ((x - left) / width) * (to - from);
  };
  const pan = (begin: Window, pixels: number) =>
    context.onWindow(panned(begin, -pixels / over.clientWidth, context.now()));

  const wheel = (event: WheelEvent) => {
    if (!(event.ctrlKey || event.metaKey || context.wheelZooms())) return;
    event.preventDefault();
    const window = context.window();
    const factor = Math.exp(Math.max(-0.5, Math.min(0.5, event.deltaY * 0.002)));
    context.onWindow(zoomed(window, factor, timeAt(event.clientX, window), context.now()));
  };

  const fingers = new Map<number, number>();
  let begin: { window: Window; xs: number[]; moved: boolean } | undefined;
  const restart = () => {
    begin = fingers.size === 0 ? undefined : { window: context.window(), xs: [...fingers.values()], moved: false };
  };
  const down = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') {
      if (!event.shiftKey) return;
      over.setPointerCapture(event.pointerId);
    }
    fingers.set(event.pointerId, event.clientX);
    restart();
  };
  const move = (event: PointerEvent) => {
    if (!fingers.has(event.pointerId) || !begin) return;
    fingers.set(event.pointerId, event.clientX);
    const [first = 0, second] = begin.xs;
    const [x = 0, other] = [...fingers.values()];
    if (second !== undefined && other !== undefined) {
      const spreadNow = Math.max(10, Math.abs(other - x));
      const anchor = timeAt((first + second) / 2, begin.window);
      const closer = zoomed(begin.window, Math.max(10, Math.abs(second - first)) / spreadNow, anchor, context.now());
      const shift = (x + other - first - second) / 2;
      context.onWindow(panned(closer, -shift / over.clientWidth, context.now()));
    } else if (begin.moved || Math.abs(x - first) > TOUCH_SLOP) {
      begin.moved = true;
      pan(begin.window, x - first);
    }
  };
  const up = (event: PointerEvent) => {
    const isTap = event.type === 'pointerup' && event.pointerType !== 'mouse' && begin?.xs.length === 1 && !begin.moved;
    if (fingers.delete(event.pointerId)) restart();
    // Sets the cursor on a tap, because some browsers send no mouse events for a tap.
    if (isTap) chart.setCursor({ left: event.clientX - over.getBoundingClientRect().left, top: 1 });
  };

  over.addEventListener('wheel', wheel, { passive: false });
  over.addEventListener('pointerdown', down);
  over.addEventListener('pointermove', move);
  for (const end of ['pointerup', 'pointercancel'] as const) over.addEventListener(end, up);
  // Let vertical touch movements scroll the page.
  over.style.touchAction = 'pan-y';
  return () => {
    over.removeEventListener('wheel', wheel);
    over.removeEventListener('pointerdown', down);
    over.removeEventListener('pointermove', move);
    for (const end of ['pointerup', 'pointercancel'] as const) over.removeEventListener(end, up);
  };
}
