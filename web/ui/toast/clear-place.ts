/** A vertical range in window pixels. */
export interface Extent {
  top: number;
  bottom: number;
}

interface Wanted {
  /** The preferred top edge. */
  anchor: number;
  height: number;
  /** The range in which the box must stay. */
  room: Extent;
  /** The direction to search first. */
  towards: 'bottom' | 'top';
}

/** Space between the toasts and a control. */
const GAP = 4;

/**
 * Returns the top edge of the nearest free place for the box. Searches in the preferred direction first, then in the
 * opposite direction. Returns null if there is no free place.
 */
export function clearPlace({ anchor, height, room, towards }: Wanted, obstacles: readonly Extent[]): number | null {
  const fits = (top: number) =>
    top >= room.top &&
    top + height <= room.bottom &&
    obstacles.every((obstacle) => obstacle.bottom + GAP <= top || obstacle.top - GAP >= top + height);
  // The nearest free place is at the anchor, or directly below or above an obstacle.
  const below = [anchor, ...obstacles.map(({ bottom }) => bottom + GAP)].filter((top) => top >= anchor && fits(top));
  const above = [anchor, ...obstacles.map(({ top }) => top - GAP - height)].filter((top) => top <= anchor && fits(top));
  const nearestBelow = below.length > 0 ? Math.min(...below) : null;
  const nearestAbove = above.length > 0 ? Math.max(...above) : null;
  return towards === 'bottom' ? (nearestBelow ?? nearestAbove) : (nearestAbove ?? nearestBelow);
}
