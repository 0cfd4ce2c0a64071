/** Returns a copy of the list with one entry moved from `from` to `to`. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [entry] = next.splice(from, 1);
  if (entry !== undefined) next.splice(Math.max(0, Math.min(to, next.length)), 0, entry);
  return next;
}

interface Placed {
  uuid: string;
  tocsinAssetDatapointOrder: number;
}

/** Returns the entries whose stored order number differs from their position in the list, each with its new number. */
export function newPlaces(list: readonly Placed[]): { uuid: string; place: number }[] {
  return list
    .map(({ uuid }, index) => ({ uuid, place: index + 1 }))
    .filter(({ place }, index) => list[index]?.tocsinAssetDatapointOrder !== place);
}

/** Returns the index of the first entry whose vertical centre is below `y`, or the last index if there is none. */
export function placeAt(y: number, middles: readonly number[]): number {
  const below = middles.findIndex((middle) => y < middle);
  return below === -1 ? Math.max(0, middles.length - 1) : below;
}
