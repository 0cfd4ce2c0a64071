/** Deterministic random numbers. The same arguments always give the same number, regardless of the order of calls. */

function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

export function keyOf(...words: readonly (string | number)[]): number {
  let bits = 0x811c9dc5;
  const text = words.join('\u001f');
  for (let at = 0; at < text.length; at += 1) {
    bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  }
  return mix(bits) | 0;
}

/** Returns a uniformly distributed number from 0 to just under 1. */
export function draw(...words: readonly (string | number)[]): number {
  return (keyOf(...words) >>> 0) / 0x1_0000_0000;
}

/** Returns a number that is usually near 0 and never beyond ±1.5 times `spread`. */
export function scatter(spread: number, ...words: readonly (string | number)[]): number {
  return spread * (draw(...words, 'a') + draw(...words, 'b') + draw(...words, 'c') - 1.5);
}

/** Returns a value of smooth, non-periodic noise, from 0 to 1. */
export function wave(key: number, place: number): number {
  const left = Math.floor(place);
  const share = place - left;
  const from = draw(key, left);
  return from + (draw(key, left + 1) - from) * share * share * (3 - 2 * share);
}

/**
 * Defines when an event happens, in one of three forms. With `chance`, the event happens in each time slot with this
 * probability, starts at a random time in the slot and lasts `forSeconds`. With `everySeconds`, the event happens
 * periodically. With `from`, it happens once, until `to`.
 */
export type Occasion =
  | { chance: number; slotSeconds?: number; forSeconds?: number }
  | { everySeconds: number; forSeconds: number; offsetSeconds?: number }
  | { from: string; to?: string };

/** Returns the start of the occasion that is active at `time`; undefined if none is active then. */
export function activeSince(
  occasion: Occasion,
  time: number,
  key: number,
  defaultSlotSeconds: number,
): number | undefined {
  if ('chance' in occasion) {
    const slot = (occasion.slotSeconds ?? defaultSlotSeconds) * 1000;
    const lasting = Math.min(slot, (occasion.forSeconds ?? slot / 1000) * 1000);
    const number = Math.floor(time / slot);
    if (draw(key, 'whether', number) >= occasion.chance) {
      return undefined;
    }
    const start = number * slot + Math.floor(draw(key, 'when', number) * (slot - lasting));
    return time >= start && time < start + lasting ? start : undefined;
  }
  if ('everySeconds' in occasion) {
    const every = occasion.everySeconds * 1000;
    const offset = (occasion.offsetSeconds ?? 0) * 1000;
    const start = Math.floor((time - offset) / every) * every + offset;
    return time < start + occasion.forSeconds * 1000 ? start : undefined;
  }
  const from = Date.parse(occasion.from);
  const to = occasion.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(occasion.to);
  return time >= from && time < to ? from : undefined;
}
