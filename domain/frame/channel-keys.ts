interface Called {
  number: number;
  name: string;
}

/**
 * Returns the keys by which a device can refer to a channel, for `findChannel`. Precedence: number, exact name, name
 * regardless of case. If several channels have the same name, the first one gets the key.
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
    // If several channel names differ only in case, other spellings are ambiguous and get no key.
    if (names.get(lower)?.size === 1) add(keys, lower, channel);
  }
  return keys;
}

/** Returns the channel with this key; undefined if there is none. */
export function findChannel<T>(keys: ReadonlyMap<string, T>, key: string): T | undefined {
  return keys.get(key) ?? keys.get(key.toLowerCase());
}

function add<T>(keys: Map<string, T>, key: string, channel: T): void {
  if (!keys.has(key)) keys.set(key, channel);
}
