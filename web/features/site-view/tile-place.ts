/** Position and size of a tile on the page. */
export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Returns the index of the tile nearest to the pointer; -1 if there are no tiles. */
export function placeUnder(x: number, y: number, places: readonly Place[]): number {
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, { left, top, width, height }] of places.entries()) {
    const distance = Math.hypot(x - left - width / 2, y - top - height / 2);
    if (distance < least) {
      least = distance;
      nearest = index;
    }
  }
  return nearest;
}

/** Returns the index of the tile to which an arrow key moves in a grid; -1 if there is no such tile. */
export function placeByKey(key: string, index: number, count: number, columns: number): number {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key] ?? 0;
  const to = index + step;
  return step === 0 || to < 0 || to >= count ? -1 : to;
}

/** Returns the number of tiles in the first row, at least 1. */
export function columnsOf(places: readonly Place[]): number {
  const first = places[0];
  return Math.max(1, places.filter(({ top }) => first !== undefined && Math.abs(top - first.top) < 2).length);
}
