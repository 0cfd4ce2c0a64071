interface Called {
  number: number;
  name: string;
}

/**
 * The keys by which a device may call the channels of its sensor, for `channelOf`. A number comes before a name that looks
 * like it, and a name as it is written before one in another case of letters. Of several with one name the first has it.
 */
export function channelKeys<T>(channels: readonly T[], called: (channel: T) => Called): Map<string, T> {
  const keys = new Map<string, T>();
  for (const channel of channels) keys.set(String(called(channel).number), channel);
  for (const channel of channels) add(keys, called(channel).name, channel);
  const names = new Map<string, Set<string>>();
  for (const channel of channels) {
    const { name } = called(channel);
    const lower = name.toLowerCase();
    names.set(lower, (names.get(lower) ?? new Set()).add(name));
  }
  for (const channel of channels) {
    const lower = called(channel).name.toLowerCase();
    // Where names differ in nothing but their case, another case could mean either.
    if (names.get(lower)?.size === 1) add(keys, lower, channel);
  }
  return keys;
}

/** The channel that a device calls so, if the sensor has one. */
export function findChannel<T>(keys: ReadonlyMap<string, T>, key: string): T | undefined {
  return keys.get(key) ?? keys.get(key.toLowerCase());
}

function add<T>(keys: Map<string, T>, key: string, channel: T): void {
  if (!keys.has(key)) keys.set(key, channel);
}
