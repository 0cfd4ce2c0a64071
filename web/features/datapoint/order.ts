/** Moves one entry of a list. */
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

/** The entries that need a new number, with that number. */
export function newPlaces(list: readonly Placed[]): { uuid: string; place: number }[] {
  return list
    .map(({ uuid }, index) => ({ uuid, place: index + 1 }))
    .filter(({ place }, index) => list[index]?.tocsinAssetDatapointOrder !== place);
}

/** The entry under the pointer, by the entries' vertical centres. */
export function placeAt(y: number, middles: readonly number[]): number {
  const below = middles.findIndex((middle) => y < middle);
  return below === -1 ? Math.max(0, middles.length - 1) : below;
}
