import { createHash } from 'node:crypto';

/** Seeded random numbers. The same name always gives the same sequence, regardless of other sequences. */
export interface Random {
  /** A uniform number in [0, 1). */
  next(): number;
  between(low: number, high: number): number;
  /** An integer from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Returns a Poisson-distributed count with the given mean. */
  poisson(mean: number): number;
  /** Returns a log-normally distributed duration with the given median. */
  wait(median: number): number;
}

function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash);
}

/** Mixes the bits of an integer (hash finaliser). */
function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

export function randomOf(...name: readonly (string | number)[]): Random {
  let state = hash32(name.join('/'));
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    return mix(state) / 0x1_0000_0000;
  };
  const between = (low: number, high: number) => low + (high - low) * next();
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1));
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    between,
    whole,
    chance: (probability) => next() < probability,
    pick: (list) => {
      if (list.length === 0) throw new RangeError('There is nothing to pick from.');
      return list[whole(0, list.length - 1)]!;
    },
    poisson: (mean) => {
      const limit = Math.exp(-mean);
      let count = 0;
      for (let product = next(); product > limit; product *= next()) count++;
      return count;
    },
    wait: (median) => median * Math.exp(0.7 * normal()),
  };
}

/** Returns value noise from -1 to 1, determined by key and position. */
export function noise(key: number, x: number): number {
  const left = Math.floor(x);
  const share = x - left;
  const smooth = share * share * (3 - 2 * share);
  const a = mix(key + Math.imul(left, 0x9e3779b1));
  const b = mix(key + Math.imul(left + 1, 0x9e3779b1));
  return (a + (b - a) * smooth) / 0x8000_0000 - 1;
}

export function noiseKey(...name: readonly (string | number)[]): number {
  return hash32(name.join('/')) | 0;
}

/** Returns the version 5 uuid (RFC 9562) of a name, so that every load has the same uuids. */
export function uuidOf(...name: readonly (string | number)[]): string {
  const bytes = createHash('sha1').update(name.join('/')).digest();
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
