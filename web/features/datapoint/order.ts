/** The list with one of its entries moved to another place. */
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

/** Which entries have to get another number for the list to stay as it stands, and which one. */
export function newPlaces(list: readonly Placed[]): { uuid: string; place: number }[] {
  return list
    .map(({ uuid }, index) => ({ uuid, place: index + 1 }))
    .filter(({ place }, index) => list[index]?.tocsinAssetDatapointOrder !== place);
}

/** Over which entry a pointer is, by the middles of their heights from the top. */
export function placeAt(y: number, middles: readonly number[]): number {
  const below = middles.findIndex((middle) => y < middle);
  return below === -1 ? Math.max(0, middles.length - 1) : below;
}
