/** A vertical extent in pixels of the window, from top to bottom. */
export interface Extent {
  top: number;
  bottom: number;
}

interface Wanted {
  /** Where the top edge would be if nothing were in the way. */
  anchor: number;
  height: number;
  /** The first and last pixel that may be used. */
  room: Extent;
  /** Which way to look first. */
  towards: 'bottom' | 'top';
}

/** Space between the toasts and a control. */
const GAP = 4;

/** The top edge nearest to the anchor at which a box of this height lies over none of the obstacles; null where none is free. */
export function clearPlace({ anchor, height, room, towards }: Wanted, obstacles: readonly Extent[]): number | null {
  const fits = (top: number) =>
    top >= room.top &&
    top + height <= room.bottom &&
    obstacles.every((obstacle) => obstacle.bottom + GAP <= top || obstacle.top - GAP >= top + height);
  // A free place begins at the anchor, below an obstacle, or ends above one.
  const below = [anchor, ...obstacles.map(({ bottom }) => bottom + GAP)].filter((top) => top >= anchor && fits(top));
  const above = [anchor, ...obstacles.map(({ top }) => top - GAP - height)].filter((top) => top <= anchor && fits(top));
  const nearestBelow = below.length > 0 ? Math.min(...below) : null;
  const nearestAbove = above.length > 0 ? Math.max(...above) : null;
  return towards === 'bottom' ? (nearestBelow ?? nearestAbove) : (nearestAbove ?? nearestBelow);
}
